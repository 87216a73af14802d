// Everything beside the board: verdict, moves, history, players, sharing.

import { colours } from "./board.js";
import { chart } from "./chart.js";
import { Editor } from "./edit.js";
import { el, say, toast } from "./api.js";
import { index, moveWords, short, SIGNS, sourceWords, turnWords } from "./words.js";

/** @typedef {import("./tree").Step} Step */
/** @typedef {import("./game").Game} Game */

/** @param {string} text @param {() => void} onclick @param {Record<string, any>} [props] */
const button = (text, onclick, props = {}) => el("button", { type: "button", onclick, ...props }, text);

export class Panels {
  /** @param {HTMLElement} place @param {Game} game */
  constructor(place, game) {
    this.game = game;
    this.turn = el("p", { className: "turn" });
    this.board = el("div", { className: "board", tabIndex: -1 });
    this.extra = el("div", { className: "extra" });
    this.undo = button("◀ Undo", () => game.undo(), { title: "Undo (u)" });
    this.redo = button("Redo ▶", () => game.redo(), { title: "Redo (r)" });
    this.hint = button("Hint", () => game.hint(), { title: "The best move (h)" });
    this.resume = button("", () => (game.live ? game.jump(game.here) : game.resume()), { className: "main", title: "Stop the engine, or let it move" });
    const controls = el("div", { className: "controls", role: "toolbar", "aria-label": "Game" },
      this.undo, this.redo, this.hint, this.resume, button("New", () => game.restart(), { title: "New game (n)", "aria-label": "New game" }));
    this.value = el("figure", { className: "value" });
    const stage = el("section", { className: "stage", "aria-label": "Board" }, this.turn, this.board, this.extra, controls, this.value);

    this.switch = button("Analysis", () => game.toggleAnalysis(), { role: "switch", className: "switch", title: "Show what every move is worth (a)" });
    this.words = el("p", { className: "words" });
    this.score = el("p", { className: "small" });
    this.pv = el("p", { className: "pv" });
    this.busy = el("p", { className: "busy", hidden: true });
    this.why = button("Why?", () => game.toggleWhy(), { className: "quiet why", title: "The reason, in words (w)" });
    this.reasons = el("div", { className: "reasons" });
    const verdict = el("section", { className: "panel verdict" },
      el("div", { className: "head" }, el("h2", {}, "Verdict"), this.switch), el("div", { className: "said" }, this.words, this.why), this.score, this.reasons, this.pv, this.busy);

    this.moves = el("ul", { className: "moves", tabIndex: 0, "aria-label": "Legal moves" });
    this.movesPanel = el("section", { className: "panel list" }, el("h2", {}, "Moves"), this.moves);
    this.facts = el("dl", { className: "facts" });
    this.factsPanel = el("section", { className: "panel" }, el("h2", {}, "Seen on the board"), this.facts);
    this.history = el("div", { className: "history" });
    const historyPanel = el("section", { className: "panel" },
      el("div", { className: "head" }, el("h2", {}, "History"), button("Value all", () => game.reviewAll(), { className: "quiet", title: "Find the value of every position of the game" })),
      this.history);
    place.replaceChildren(el("div", { className: "game", ...colours(game.info.sides) }, verdict, stage,
      el("div", { className: "side" }, this.movesPanel, historyPanel, this.factsPanel, this.players(), this.share())));
  }

  players() {
    const { info } = this.game;
    const choice = (/** @type {number} */ side) => {
      const { players, times } = this.game, name = info.sides[side];
      const options = [{ name: "human", title: "Human", what: "You, or whoever sits beside you" }, ...info.levels].map((l) =>
        el("option", { value: l.name, selected: players[side] === l.name, title: l.what }, l.title));
      const time = el("select", { "aria-label": `Time of ${name} for a move`, onchange: () => this.game.setTime(side, Number(time.value)) },
        ...[500, 1000, 2000, 5000, 10000].map((t) => el("option", { value: t, selected: times[side] === t }, `${t / 1000} s`)));
      const thinks = () => (time.hidden = !/perfect|level/.test(players[side]));
      const who = el("select", { "aria-label": `Who plays ${name}`, onchange: () => (this.game.setPlayer(side, who.value), thinks()) }, ...options);
      thinks();
      return el("div", { className: "player" }, el("span", { className: `dot ${side ? "second" : "first"}` }), el("span", { className: "space" }, name), who, time);
    };
    return el("section", { className: "panel players" }, el("h2", {}, "Players"), choice(0), choice(1));
  }

  share() {
    const { game } = this;
    const text = el("textarea", { rows: 2, spellcheck: false, "aria-label": "Position text" });
    this.text = text;
    const copy = (/** @type {string} */ what, /** @type {() => string} */ from) =>
      button(what, () => navigator.clipboard.writeText(from()).then(() => (toast(`Copied the ${what}.`), say("Copied")), () => toast("The browser did not allow copying.", "Select the text and copy it.")), { "aria-label": `Copy ${what}` });
    this.editor = new Editor(game);
    const seed = el("input", { type: "number", min: 0, value: game.seed ?? "", "aria-label": "Seed of the deal", placeholder: "seed" });
    const deal = game.info.start == null ? [el("div", { className: "buttons" }, "Seed", seed, button("Deal", () => game.restart({ seed: seed.value || null })))] : [];
    return el("section", { className: "panel share" }, el("h2", {}, "Position"), text,
      el("div", { className: "buttons" },
        button("Use text", () => game.restart({ position: text.value.trim() })),
        button("Edit", () => this.editor?.open()),
        button("Random", () => game.random()),
        button("Puzzle", () => game.puzzle())),
      ...deal,
      el("div", { className: "buttons" },
        el("span", {}, "Copy"), copy("link", () => location.origin + game.link()),
        copy("text", () => text.value),
        copy("SVG", () => game.here.view?.svg ?? ""),
        button("Download", () => game.download(), { title: "The record of the game" })));
  }

  /** Bring everything up to date with the game. */
  all() {
    const { game } = this, { here } = game, view = here.view;
    if (!view) return;
    this.turn.className = `turn ${view.over ? view.over.winner ?? "draw" : view.to_move}${view.over ? " over" : ""}`;
    this.prompt("");
    this.undo.disabled = !here.parent;
    this.redo.disabled = !here.next;
    this.hint.disabled = !!view.over;
    this.resume.hidden = !!view.over || !game.isEngine(0) && !game.isEngine(1);
    this.resume.disabled = !game.isEngine(index(view.to_move));
    this.resume.textContent = game.live ? "Pause" : "Go on";
    this.switch.setAttribute("aria-checked", String(game.analysis));
    this.text.value = view.position;
    this.extra.replaceChildren(...view.moves.filter((m) => !m.clicks.length).map((m) => button(m.move, () => game.play(m.move))));
    this.verdict();
    this.moveList();
    this.factList();
    this.historyList();
    this.chart();
  }

  /** What is going on, above the board. @param {string} text */
  prompt(text) {
    const view = this.game.here.view;
    this.turn.textContent = text || (view ? turnWords(view) + (this.game.here.guess ? " The engine guessed." : "") : "");
  }

  verdict() {
    const { here, analysis } = this.game, view = here.view, a = here.verdict;
    if (!view) return;
    const shown = analysis && a && !view.over ? a : null;
    this.words.textContent = view.over ? turnWords(view)
      : shown ? shown.sentence
      : analysis ? "Thinking…" : here.parent ? "Switch the analysis on to see who wins." : "Play a move, or switch the analysis on.";
    this.words.className = `words ${shown && shown.outcome !== "unknown" ? (shown.outcome === "draw" ? "draw" : (shown.outcome === "win") === (shown.to_move === "first") ? "first" : "second") : ""}`;
    this.score.textContent = shown ? `${shown.score != null ? `Score ${shown.score > 0 ? "+" : shown.score < 0 ? "−" : ""}${Math.abs(shown.score)} for ${view.sides[index(shown.to_move)]}. ` : ""}${sourceWords(shown)}` : "";
    this.why.hidden = !shown;
    this.why.setAttribute("aria-expanded", String(this.game.why));
    const reason = shown && this.game.why ? here.reason : null;
    this.explain(reason);
    this.pv.replaceChildren();
    if (shown?.pv.length && shown.outcome !== "unknown" && !reason?.line.length) {
      this.pv.append("Best play: ");
      shown.pv.slice(0, 40).forEach((m, i) => this.pv.append(button(m, () => this.follow(shown.pv.slice(0, i + 1)), { className: "move", "aria-label": `Go to ${m}, ply ${i + 1} of best play` })));
    }
    if (shown && shown.status !== "solved" && !this.game.job) this.progress("", button("Search on", () => this.game.searchOn()));
  }

  /** Put the reasons down, and the line of best play with what its moves do. @param {import("./types").Explanation | null} reason */
  explain(reason) {
    const { board } = this.game;
    const moves = reason?.line.map((p) => p.move) ?? [];
    this.reasons.hidden = !reason;
    this.reasons.replaceChildren(...(reason?.reasons ?? []).map((r) => this.pointing(r.text, () => (board.show_cells(r.cells, "about"), board.show_pairs(r.pairs)), !!(r.cells.length + r.pairs.length))),
      el("p", { className: "pv" }, ...(reason?.line ?? []).flatMap((p, i) => [
        button(p.move, () => this.follow(moves.slice(0, i + 1)), { className: `move ${p.by}`, "aria-label": `Go to ${p.move}, ply ${i + 1} of best play` }), p.note ? ` (${p.note}) ` : ""])));
  }

  /** Words that show on the board what they are about. @param {string} text @param {() => void} show @param {boolean} able */
  pointing(text, show, able) {
    if (!able) return el("p", {}, text);
    const hide = () => this.game.board.show_cells([], "about");
    return el("button", { type: "button", className: "quiet point", onclick: show, onpointerenter: show, onfocus: show, onpointerleave: hide, onblur: hide }, text);
  }

  /** Walk down a line of play. @param {string[]} moves */
  async follow(moves) {
    let s = this.game.here;
    for (const m of moves) s = s.child(m);
    await this.game.jump(s);
  }

  /** The line a search speaks in. @param {string} text @param {Node} [extra] */
  progress(text, extra) {
    this.busy.hidden = !text && !extra;
    this.busy.replaceChildren(...(text ? [text, " ", button("Cancel", () => this.game.cancelSearch())] : []), ...(extra ? [extra] : []));
  }

  moveList() {
    const { here, analysis } = this.game, view = here.view;
    this.movesPanel.hidden = !view || !!view.over;
    if (!view || view.over) return;
    const a = analysis ? here.verdict : null;
    const order = a ? a.moves : view.moves.map((m) => ({ move: m.move, outcome: "", plies: null }));
    this.moves.style.setProperty("--w", `${Math.max(...order.map((m) => m.move.length), 2)}ch`);
    this.moves.replaceChildren(...order.slice(0, 400).map((m) => {
      const best = a?.status === "solved" && a.best.includes(m.move);
      const move = view.moves.find((v) => v.move === m.move);
      const point = (/** @type {boolean} */ on) => () => (this.game.board.show_cells((on && move?.clicks) || [], "about"), this.game.board.trail(on ? move : undefined));
      const mark = m.outcome ? [el("span", { className: `mark ${m.outcome}${best ? " best" : ""}`, title: moveWords(m) }, short(m)), el("span", { className: "unseen" }, `, ${moveWords(m)}${best ? ", best" : ""}`)] : [];
      const b = button("", () => this.game.play(m.move), { className: "row", onpointerenter: point(true), onfocus: point(true), onpointerleave: point(false), onblur: point(false) });
      b.append(el("span", { className: "name" }, m.move), ...mark);
      return el("li", {}, b);
    }));
  }

  factList() {
    const facts = this.game.here.view?.facts ?? [];
    this.factsPanel.hidden = !facts.length;
    this.facts.replaceChildren(...facts.flatMap((f) =>
      [el("dt", {}, f.name), el("dd", {}, this.pointing(f.value, () => this.game.board.show_cells(f.cells, "about"), f.cells.length > 0))]));
  }

  historyList() {
    const { game } = this;
    const root = game.root;
    if (!root.children.length) {
      this.history.replaceChildren(el("p", { className: "small" }, "No moves yet. Play one, or paste a position."));
      return;
    }
    const shown = new Set(game.here.line());
    /** @param {Step} s @param {boolean} number @returns {Node[]} */
    const item = (s, number) => {
      const v = s.verdict && game.analysis && !s.view?.over ? s.verdict : null;
      const worth = v ? ` ${SIGNS[v.outcome === "win" ? "loss" : v.outcome === "loss" ? "win" : v.outcome]}` : "";
      const b = button(s.move + worth, () => game.jump(s), { className: `move ${s.mover() ? "second" : "first"}`, "aria-current": s === game.here ? "step" : null });
      return number || s.depth % 2 === 1 ? [el("span", { className: "ply" }, el("span", { className: "number" }, `${s.depth}.`), b)] : [b];
    };
    /** @param {Step} from @returns {Node[]} */
    const walk = (from) => {
      const out = [];
      let number = true;
      for (let s = /** @type {Step | null} */ (from); s; ) {
        const main = /** @type {Step} */ (s.children.find((c) => shown.has(c)) ?? s.children[0] ?? null);
        if (!main) break;
        out.push(...item(main, number));
        number = false;
        for (const c of s.children) {
          if (c === main) continue;
          out.push(el("span", { className: "branch" }, "(", ...item(c, true), ...walk(c), ")"));
          number = true;
        }
        s = main;
      }
      return out;
    };
    this.history.replaceChildren(button("Start", () => game.jump(root), { className: "move", "aria-current": game.here === root ? "step" : null }), ...walk(root));
    // Scroll the list only, never the page.
    const current = this.history.querySelector("[aria-current]");
    if (current) this.history.scrollTop = current.offsetTop - this.history.offsetTop - this.history.clientHeight / 2;
  }

  chart() {
    const { game } = this, view = game.here.view;
    const show = view && game.here.line().some((s) => s.verdict);
    this.value.replaceChildren(...(show && game.analysis ? [chart(game.here, view.sides, (s) => game.jump(s)),
      el("figcaption", {}, `Up: ${view.sides[0]} wins. Down: ${view.sides[1]} wins.`)] : []));
  }
}

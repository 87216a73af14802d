// Everything beside the board: the verdict, and the tabs with the moves, the game, the position and the lines to explore.

import { button, el, memory, report } from "./api.js";
import { exact, index, listen, moveWords, phrase, sentence, short, SIGNS, sourceWords, t, verdictWords } from "./words.js";

/** @typedef {import("./tree").Step} Step */
/** @typedef {import("./game").Game} Game */

const MARKS = /** @type {Record<string, string>} */ ({ best: "✓", good: "", lost_win: "??", lost_draw: "?", unknown: "" });

export class Panels {
  /** @param {HTMLElement} main @param {Game} game */
  constructor(main, game) {
    this.game = game;
    /** The tree of lines, once it is looked at. @type {ReturnType<typeof import("./explorer").explorer> | null} */ this.explorer = null;
    const { bar } = game;
    this.board = el("div", { className: "board" });
    this.extra = el("div", { className: "extra" });
    this.switch = button(t("analysis"), () => game.toggleAnalysis(), { role: "switch", className: "switch", title: t("analysisWhat") });
    this.words = el("p", { className: "words" });
    this.small = el("p", { className: "small" });
    const roam = (/** @type {KeyboardEvent} */ e) => this.roam(e);
    this.pv = el("p", { className: "pv" });
    this.why = button(t("why"), () => game.toggleWhy(), { className: "quiet why", title: t("whyWhat") });
    this.reasons = el("div", { className: "reasons" });
    this.pv.onkeydown = this.reasons.onkeydown = roam;
    this.searched = el("span", {});
    this.cancel = button(t("cancel"), () => game.cancelSearch());
    this.on = button(t("searchOn"), () => game.searchOn(), { hidden: true });
    this.busy = el("div", { className: "busy", hidden: true }, this.searched, this.cancel);
    const verdict = el("section", { className: "panel verdict" },
      el("div", { className: "head" }, el("h2", {}, t("verdict")), this.switch), el("div", { className: "said" }, this.words, this.why), this.small, this.busy, this.on, this.reasons, this.pv);

    this.moves = el("ul", { className: "moves", role: "toolbar", "aria-orientation": "vertical", "aria-label": t("legalMoves"), onkeydown: roam });
    this.historyBox = el("div", { className: "history", tabIndex: -1, role: "group", "aria-label": t("tabGame"), onkeydown: roam });
    this.value = el("figure", { className: "value" });
    this.reviewButton = button(t("review"), () => game.review(), { title: t("reviewWhat") });
    this.summary = el("p", { role: "status" });
    const pages = /** @type {Record<string, any>} */ (this.pages = {
      moves: [t("tabMoves"), el("div", {}, this.moves)],
      game: [t("tabGame"), el("div", {}, this.historyBox, this.value, el("div", { className: "buttons" }, this.reviewButton), this.summary)],
      position: [t("tabPosition"), el("div", {}, ...this.position())],
      explore: [t("tabExplore"), el("div", {})],
    });
    const tabs = el("div", { className: "tablist", role: "tablist", onkeydown: (/** @type {KeyboardEvent} */ e) => this.step(e) });
    for (const [name, [title, page]] of Object.entries(pages)) {
      const tab = button(title, () => this.tab(name), { role: "tab", id: "tab-" + name, "aria-controls": "page-" + name });
      Object.assign(page, { id: "page-" + name, className: "page", hidden: true });
      page.setAttribute("role", "tabpanel");
      page.setAttribute("aria-labelledby", "tab-" + name);
      tabs.append(tab);
    }
    this.tabs = tabs;
    const side = el("div", { className: "side" }, ...[game.puzzle, game.proof].flatMap((p) => (p ? [p.card] : [])), verdict, el("section", { className: "panel tabs" }, tabs, ...Object.values(pages).map((p) => p[1])));
    this.whole = el("div", { className: "game" }, el("div", { className: "bar" }, bar.status, ...(game.puzzle || game.proof ? [] : [bar.who])), el("div", { className: "stage" }, this.board, this.extra), bar.controls, side);
    main.replaceChildren(this.whole);
    this.tab(memory.get("tab", "moves"));
  }

  /** Show a tab. @param {string} name */
  tab(name) {
    if (!this.pages[name]) name = "moves";
    memory.set("tab", name);
    for (const [n, [, page]] of Object.entries(this.pages)) {
      page.hidden = n !== name;
      const tab = this.tabs.querySelector("#tab-" + n);
      tab.setAttribute("aria-selected", String(n === name));
      tab.tabIndex = n === name ? 0 : -1;
    }
    if (name === "position" && !this.opens.firstChild) import("./open.js").then((o) => this.opens.replaceChildren(o.chooser(this.game)));
    if (name === "position") this.factList().catch(report);
    if (name === "explore" && this.game.here.view) this.explore();
    if (name === "game" && this.game.here.view) this.history();
  }

  async explore() {
    const page = this.pages.explore[1];
    if (this.game.hiding) return page.replaceChildren(el("p", { className: "small" }, t("notYet")));
    const { explorer } = await import("./explorer.js");
    if (!this.explorer) page.replaceChildren((this.explorer = explorer(this.game)).tree);
    this.explorer.follow().catch(report);
  }

  /** Arrow keys between tabs. @param {KeyboardEvent} e */
  step(e) {
    const all = [...this.tabs.children], at = all.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 }[e.key];
    if (to == null) return;
    e.stopPropagation();
    const tab = /** @type {HTMLElement} */ (all[(to + all.length) % all.length]);
    tab.click();
    tab.focus();
  }

  /** Arrow keys within moves that are one stop of the Tab key; in the moves of the game, left and right step through it. @param {KeyboardEvent} e */
  roam(e) {
    const box = /** @type {HTMLElement} */ (e.currentTarget);
    if (box === this.historyBox && e.key !== "ArrowUp" && e.key !== "ArrowDown") return;
    const all = /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".row, .move")), at = [...all].indexOf(/** @type {any} */ (document.activeElement));
    if (at < 0) return;
    const to = /** @type {Record<string, number>} */ ({ ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 })[e.key];
    if (to == null || !all[to]) return;
    e.preventDefault();
    e.stopPropagation();
    all.forEach((b, i) => (b.tabIndex = i === to ? 0 : -1));
    all[to].focus();
  }

  /** The tab with texts, setting up, and what is seen on the board. */
  position() {
    const { game } = this, { info } = game;
    this.text = el("textarea", { rows: 2, spellcheck: false, "aria-label": t("text") });
    const time = el("select", { onchange: () => memory.set("time", (game.time = Number(time.value))) }, ...[500, 1000, 2000, 5000, 10000].map((ms) => el("option", { value: ms, selected: game.time === ms }, `${ms / 1000} s`)));
    this.opens = el("span");
    const paste = el("textarea", { rows: 2, spellcheck: false, "aria-label": t("paste") });
    const parts = [el("h3", {}, t("text")), this.text,
      el("div", { className: "buttons" }, button(t("useText"), () => this.use(this.text.value)), button(t("edit"), async () => new (await import("./edit.js")).Editor(game).open()), button(t("random"), () => game.random()))];
    if (info.start == null) {
      const seed = el("input", { type: "number", min: 0, value: game.seed ?? "", "aria-label": t("seed") });
      parts.push(el("div", { className: "buttons" }, seed, button(t("deal"), () => game.restart({ seed: seed.value || null }))));
    }
    this.facts = el("dl", { className: "facts" });
    this.looks = el("dl", { className: "facts" });
    this.folded = el("details", {}, el("summary", {}, t("heuristics")), this.looks);
    this.seen = el("div", {}, el("h3", {}, t("seen")), this.facts);
    parts.push(this.seen, this.folded, el("h3", {}, t("paste")), paste, el("div", { className: "buttons" }, button(t("usePaste"), async () => (await import("./open.js")).paste(paste.value, game)), this.opens), el("label", { className: "row2" }, t("time"), time));
    return parts;
  }

  /** Take a text if it is a position, and say what is wrong with it if not. @param {string} text */
  use(text) {
    this.game.tryPosition(text.trim());
  }

  /** Bring everything up to date with the game. */
  all() {
    const { game } = this, { here } = game, view = here.view;
    if (!view) return;
    game.bar.show();
    this.switch.setAttribute("aria-checked", String(game.analysis));
    this.text.value = view.position;
    this.extra.replaceChildren(...view.moves.filter((m) => !m.clicks.length).map((m) => button(m.move, () => game.play(m.move))));
    this.verdict();
    this.moveList();
    this.factList().catch(report);
    this.history();
    if (!this.pages.explore[1].hidden) this.explore();
  }

  verdict() {
    const { here, showing } = this.game, view = here.view, a = here.verdict;
    if (!view) return;
    const shown = showing && a && !view.over ? a : null;
    this.words.textContent = view.over ? this.game.bar.turn() : shown ? verdictWords(shown, view.sides) : showing ? t("searching") : t("askAnalysis");
    this.words.title = shown ? exact(shown) : "";
    this.words.className = `words ${!shown && !view.over ? "ask" : shown && shown.outcome !== "unknown" ? (shown.outcome === "draw" ? "draw" : (shown.outcome === "win") === (shown.to_move === "first") ? "first" : "second") : ""}`;
    const score = shown?.score != null ? t("score", { score: (shown.score > 0 ? "+" : shown.score < 0 ? "−" : "") + Math.abs(shown.score), side: view.sides[index(shown.to_move)] }) + " " : "";
    this.small.textContent = shown ? score + sourceWords(shown) : "";
    this.why.hidden = !shown;
    this.why.setAttribute("aria-expanded", String(this.game.why));
    const reason = shown && this.game.why ? here.reason : null;
    this.explain(reason);
    this.pv.replaceChildren();
    if (shown?.pv.length && shown.outcome !== "unknown" && !reason?.line.length) this.pv.append(t("bestPlay") + " ", ...this.line(shown.pv.slice(0, 40).map((move) => ({ move }))));
    this.on.hidden = !shown || shown.status === "solved" || !!this.game.job;
  }

  /** A line of moves to walk down. @param {{move: string, by?: string, note?: string | null, said?: import("./types").Said | null}[]} line @returns {(Node | string)[]} */
  line(line) {
    const moves = line.map((p) => p.move);
    return [button(t("playLine"), () => this.game.follow(moves, true), { className: "quiet" }), ...line.flatMap((p, i) => [
      button(p.move, () => this.game.follow(moves.slice(0, i + 1)), { className: `move ${p.by ?? ""}`, tabIndex: i ? -1 : 0, "aria-label": t("goTo", { move: p.move, n: i + 1 }) }), p.note ? ` (${phrase(p.said, p.note)}) ` : ""])];
  }

  /** Put the reasons down, and the line of best play with what its moves do. @param {import("./types").Explanation | null} reason */
  explain(reason) {
    const { board } = this.game;
    this.reasons.hidden = !reason;
    this.reasons.replaceChildren(button("✕", () => this.game.toggleWhy(), { className: "quiet icon shut", "aria-label": t("close") }), ...(reason?.reasons ?? []).map((r) => this.pointing(sentence(r), () => (board.point(r.cells, "about"), board.pairs(/** @type {[string, string][]} */ (r.pairs))), !!(r.cells.length + r.pairs.length))),
      ...(reason?.line.length ? [el("p", { className: "pv" }, ...this.line(reason.line))] : []),
      ...(reason?.status === "solved" && !this.game.proof ? [button(t("prove"), () => this.game.prove(), { title: t("proveWhat"), className: "prove" })] : []));
  }

  /** Words that show on the board what they are about. @param {string} text @param {() => void} show @param {boolean} able */
  pointing(text, show, able) {
    if (!able) return el("p", {}, text);
    const hide = () => this.game.board.point([], "about");
    return el("button", { type: "button", className: "quiet point", onclick: show, onpointerenter: show, onfocus: show, onpointerleave: hide, onblur: hide }, text);
  }

  /** The line a search speaks in. Only its words change, so that its button can be clicked. @param {string} text */
  progress(text) {
    this.busy.hidden = !text;
    this.searched.textContent = text;
    if (text) this.on.hidden = true;
  }

  moveList() {
    const { game } = this, { here } = game, view = here.view;
    if (!view) return;
    if (view.over) return this.moves.replaceChildren(el("li", { className: "small" }, t("over")));
    const a = game.showing ? here.verdict : null;
    const order = a ? a.moves : view.moves.map((m) => ({ move: m.move, outcome: "", plies: null }));
    const focused = this.moves.contains(document.activeElement) ? document.activeElement?.getAttribute("data-move") : null;
    this.moves.style.setProperty("--w", `${Math.max(...order.map((m) => m.move.length), 2)}ch`);
    this.moves.replaceChildren(...order.slice(0, 400).map((m, i) => {
      const best = a?.status === "solved" && a.best.includes(m.move);
      const move = view.moves.find((v) => v.move === m.move);
      const point = (/** @type {boolean} */ on) => () => (game.board.point((on && move?.clicks) || [], "about"), game.board.trail(on ? move : undefined));
      const mark = m.outcome ? [el("span", { className: `mark ${m.outcome}${best ? " best" : ""}`, title: `${moveWords(m)} ${exact(m)}`, "aria-hidden": "true" }, short(m)), el("span", { className: "unseen" }, `, ${moveWords(m)}${best ? ", " + t("best") : ""}`)] : [];
      const b = button("", () => game.play(m.move), { className: "row", tabIndex: i ? -1 : 0, "data-move": m.move, disabled: !game.board.open, onpointerenter: point(true), onfocus: point(true), onpointerleave: point(false), onblur: point(false) });
      b.append(el("span", { className: "name" }, m.move), ...mark);
      return el("li", { role: "none" }, b);
    }));
    if (focused) this.moves.querySelector(`[data-move="${CSS.escape(focused)}"]`)?.focus();
  }

  /** What is seen on the board, for those who look. */
  async factList() {
    if (this.pages.position[1].hidden) return;
    await listen();
    const all = this.game.here.view?.facts ?? [];
    const looks = all.filter((f) => /^(…|Heuristic)/.test(f.name)), facts = all.filter((f) => !looks.includes(f));
    const rows = (/** @type {typeof all} */ list) => list.flatMap((f) => [el("dt", {}, phrase(f.said?.[0], f.name)), el("dd", {}, this.pointing(phrase(f.said?.[1], f.value), () => this.game.board.point(f.cells, "about"), f.cells.length > 0))]);
    this.seen.hidden = !facts.length;
    this.folded.hidden = !looks.length;
    this.facts.replaceChildren(...rows(facts));
    this.looks.replaceChildren(...rows(looks));
  }

  /** @param {boolean} on */
  reviewing(on) {
    this.reviewButton.disabled = on;
    this.summary.textContent = on ? t("reviewing") : "";
  }

  /** The moves that were made, with their branches; nobody sees them in another tab, unless the page is printed. @param {boolean} [printed] */
  history(printed = false) {
    const { game } = this, root = game.root;
    if (this.pages.game[1].hidden && !printed) return;
    this.reviewButton.hidden = !root.children.length || game.hiding;
    if (!root.children.length) {
      this.value.replaceChildren();
      return this.historyBox.replaceChildren(el("p", { className: "small" }, t("noMoves")));
    }
    const shown = new Set(game.here.line());
    /** @param {Step} s @param {boolean} number @returns {Node[]} */
    const item = (s, number) => {
      const v = s.verdict && game.showing && !s.view?.over ? s.verdict : null;
      const worth = v ? ` ${SIGNS[v.outcome === "win" ? "loss" : v.outcome === "loss" ? "win" : v.outcome]}` : "";
      const mark = s.reviewed?.mark ?? "unknown";
      const what = mark === "unknown" ? "" : t("mark." + mark) + (s.reviewed?.better ? `; ${t("better", { move: s.reviewed.better })}` : "");
      const b = button(s.move + worth, () => game.jump(s), { className: `move ${s.mover() ? "second" : "first"} ${mark}`, title: what, tabIndex: s === game.here ? 0 : -1, "aria-current": s === game.here ? "step" : null });
      if (MARKS[mark]) b.append(el("b", { "aria-hidden": "true" }, ` ${MARKS[mark]}`), el("span", { className: "unseen" }, `, ${what}`));
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
    const focused = this.historyBox.contains(document.activeElement);
    this.historyBox.replaceChildren(button(t("start"), () => game.jump(root), { className: "move", tabIndex: game.here === root ? 0 : -1, "aria-current": game.here === root ? "step" : null }), ...walk(root));
    const current = this.historyBox.querySelector("[aria-current]");
    if (focused) current?.focus();
    if (current) this.historyBox.scrollTop = current.offsetTop - this.historyBox.offsetTop - this.historyBox.clientHeight / 2;
    const line = game.here.line(), known = line.some((s) => s.reviewed || s.verdict && game.showing);
    const sides = game.info.sides;
    if (known) import("./chart.js").then(({ chart }) => this.value.replaceChildren(chart(game.here, sides, (s) => game.jump(s)), el("figcaption", {}, t("up", { first: sides[0], second: sides[1] }))));
    else this.value.replaceChildren();
    const lost = line.filter((s) => s.reviewed?.mark.startsWith("lost"));
    if (line[1]?.reviewed) this.summary.textContent = lost.length ? lost.map((s) => t("theyErred", { side: sides[s.mover()], what: t(s.reviewed?.mark === "lost_win" ? "theWin" : "theDraw"), n: s.depth, move: s.move })).join(" ") : t(line.slice(1).some((s) => s.reviewed?.mark === "unknown") ? "unclear" : "flawless");
    else if (!this.reviewButton.disabled) this.summary.textContent = "";
  }
}

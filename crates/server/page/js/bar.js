// Above and below the board: who you are, whose turn it is, who plays, and the few buttons. Built once; only words change.

import { button, el, memory } from "./api.js";
import { has, index, t, whyWords } from "./words.js";

export class Bar {
  /** @param {import("./game").Game} game */
  constructor(game) {
    this.game = game;
    this.words = el("span", {});
    this.lesson = button("", () => game.tryAgain(), { className: "main", hidden: true });
    this.status = el("p", { className: "turn" }, this.words, this.lesson);
    this.who = el("div", { className: "who" });
    this.pause = button(t("pause"), () => game.jump(game.here));
    this.goOn = button(t("goOn"), () => game.resume(), { className: "main go" });
    this.undo = button("◀", () => game.back(), { title: t("back"), "aria-label": t("back") });
    this.redo = button("▶", () => game.redo(), { title: t("forward"), "aria-label": t("forward") });
    this.hint = button(t("hint"), () => game.hint(), { title: t("hintWhat") });
    this.riddle = button(t("puzzle"), async () => (await import("./puzzle.js")).nextPuzzle(game), { className: "riddle", title: t("puzzleWhat"), hidden: !!(game.puzzle || game.proof) });
    this.zoom = button(t("zoom"), () => this.zoomed(), { className: "zoom", "aria-pressed": "false" });
    this.controls = el("div", { className: "controls", role: "toolbar", "aria-label": t("toolbar") },
      this.undo, this.redo, this.hint, this.pause, this.goOn, button(t("newGame"), () => game.restart(), { title: t("newWhat") }), this.zoom, this.riddle);
    this.players();
  }

  zoomed() {
    const box = this.game.panels.board, on = box.classList.toggle("zoomed");
    box.scrollTo((box.scrollWidth - box.clientWidth) / 2, (box.scrollHeight - box.clientHeight) / 2);
    this.zoom.setAttribute("aria-pressed", String(on));
  }

  /** What a level is called; perfect only where the game is solved. @param {string} name */
  level(name) {
    const key = name === "perfect" && !this.game.solved ? "level.strongest" : `level.${name}`;
    return has(key) ? t(key) : this.game.info.levels.find((l) => l.name === name)?.title ?? name;
  }

  /** Who plays: one choice for you, one for every side you leave to an engine. */
  players() {
    const { game } = this, { sides, levels } = game.info;
    const human = [0, 1].map((i) => !game.isEngine(i));
    const now = human[0] ? (human[1] ? "both" : "first") : human[1] ? "second" : "neither";
    const option = (/** @type {string} */ value, /** @type {string} */ text, /** @type {string} */ chosen) => el("option", { value, selected: value === chosen }, text);
    const you = el("select", { "aria-label": t("youPlay"), onchange: () => game.setYou(you.value) },
      option("first", t("first", { side: sides[0] }), now), option("second", t("second", { side: sides[1] }), now), option("both", t("both"), now), option("neither", t("neither"), now));
    const engines = [0, 1].filter((i) => !human[i]).map((i) => {
      const label = now === "neither" ? t("plays1", { side: sides[i] }) : t("opponent");
      const level = el("select", { "aria-label": label, onchange: () => game.setPlayer(i, level.value) }, ...levels.map((l) => option(l.name, this.level(l.name), game.players[i])));
      return el("label", {}, el("span", {}, label), level);
    });
    this.who.replaceChildren(el("label", {}, el("span", {}, t("youPlay")), you), ...engines);
  }

  /** Bring everything up to date with the game. */
  show() {
    const { game } = this, { here } = game, view = here.view;
    if (!view) return;
    const engine = game.isEngine(index(view.to_move)) && !view.over;
    this.status.className = `turn ${view.over ? view.over.winner ?? "draw" : view.to_move}${view.over ? " over" : ""}`;
    this.say("");
    this.undo.disabled = !here.parent;
    this.redo.disabled = !here.next;
    this.hint.disabled = !!view.over;
    this.hint.hidden = engine && game.live;
    this.pause.hidden = !this.hint.hidden;
    this.goOn.hidden = !engine || game.live || !!game.puzzle;
    this.lesson.hidden = true;
    if (view.over) this.ended();
  }

  /** What is going on: what is given, or whose turn it is, or how it ended; why it is over stands beside the board. @param {string} text */
  say(text) {
    this.words.textContent = text || this.result() || this.turn();
  }

  turn() {
    const { game } = this, { here } = game, view = here.view;
    if (!view) return "";
    const me = index(view.to_move), side = view.sides[me];
    const alone = game.isEngine(0) !== game.isEngine(1);
    if (view.over) return `${this.result()} ${whyWords(view)}`.trim();
    if (game.hiding && !here.depth && game.puzzle?.goal) return game.puzzle.goal;
    const guess = here.guess ? " " + t("guessed") : "";
    if (game.isEngine(me)) return game.live ? t("thinking", { side }) : t("pausedAt", { side, level: this.level(game.players[me]).split(":")[0] });
    return (alone ? t("youAre", { side }) : t("toMove", { side })) + guess;
  }

  /** How the game has ended, for you if you played one side. */
  result() {
    const { game } = this, view = game.here.view;
    if (!view?.over) return "";
    const alone = game.isEngine(0) !== game.isEngine(1);
    const won = view.over.winner && index(view.over.winner);
    return won == null ? t("gameDrawn") : !alone ? t("sideWon", { side: view.sides[won] }) : t(game.isEngine(won) ? "youLost" : "youWon");
  }

  /** Where the game turned, once that is known. */
  ended() {
    const found = this.game.lesson();
    if (!found) return;
    this.words.textContent = `${this.result()} ${found.text}`;
    this.lesson.hidden = !found.step;
    this.lesson.textContent = t("tryAgain");
  }
}

/** Where the newcomer begins: an opponent who sees a move ahead and no more. @param {import("./types").Game} info */
export const usualPlayers = (info) =>
  memory.get("players." + info.name) ?? ["human", info.levels.find((l) => l.name === "greedy")?.name ?? info.levels.at(-1)?.name ?? "human"];

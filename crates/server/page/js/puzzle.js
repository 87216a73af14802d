// Puzzles: a card that stays, right or wrong at once, the refutation, the next one, and a streak.

import { ask, button, byId, el, Fault, memory, post, report, say, toast } from "./api.js";
import { index, more, moves, t } from "./words.js";

await more();

/** @typedef {import("./tree").Step} Step */

/** The seed of a day: the same puzzle for everybody. */
export const today = () => new Date().toISOString().slice(0, 10).replaceAll("-", "");

/** A puzzle with a win of so many plies, or a shorter one, or of any length; or null if there is none to be found. @param {string} game @param {string | null} seed @param {number} plies @returns {Promise<import("./types").Puzzle | null>} */
async function find(game, seed, plies) {
  toast(t("seeking"));
  for (const n of new Set([plies, Math.min(plies, 5), 3, null])) {
    try {
      const found = await ask("puzzle", { game, seed, plies: n });
      byId("toast").classList.remove("on");
      return found;
    } catch (e) {
      if (!(e instanceof Fault) || !["not_found", "no_puzzle"].includes(e.code)) throw e;
    }
  }
  toast(t("noPuzzle"), t("otherPuzzle"));
  return null;
}

/** How many plies long the next puzzle is: the longer the streak, the longer the win. */
const fitting = () => 3 + 2 * Math.min(3, memory.get("streak", 0) >> 1);

/** The puzzle that an address asks for: that of a day (short, longer, long, and short again), or any. @param {string} game @param {string} day */
export const asked = (game, day) => (/^\d+$/.test(day) ? find(game, day, 3 + 2 * (Number(day) % 3)) : find(game, null, fitting()));

export class Puzzle {
  /** @param {import("./game").Game} game @param {number} plies */
  constructor(game, plies) {
    this.game = game;
    this.plies = plies;
    this.failed = false;
    this.solved = false;
    /** What is to be done. */
    this.goal = "";
    /** Who is to win. */
    this.side = 0;
    /** Where to try again. @type {Step | null} */ this.from = null;
    this.words = el("p", { className: "words" });
    this.small = el("p", { className: "small" });
    this.said = el("p", { role: "status" });
    this.retry = button(t("tryPuzzle"), () => this.again(), { hidden: true });
    this.answer = button(t("solution"), () => this.show());
    this.next = button(t("next"), () => nextPuzzle(game), { className: "main" });
    this.card = el("section", { className: "panel puzzle", "aria-label": t("puzzle") },
      el("div", { className: "head" }, el("h2", {}, t("puzzle")), this.count = el("span", { className: "small" })),
      this.words, this.said, this.small, el("div", { className: "buttons" }, this.retry, this.next, this.answer, button(t("leave"), () => game.leavePuzzle())));
  }

  /** Once the first position is there. */
  start() {
    const view = this.game.root.view;
    if (!view) return;
    this.side = index(view.to_move);
    const n = view.moves.length;
    this.goal = this.words.textContent = t("puzzleGoal", { side: view.sides[this.side], n: moves(this.plies) });
    this.small.textContent = `${t("only")} ${t("difficulty", { d: Math.max(1, Math.min(5, Math.round(Math.log2(this.plies * Math.sqrt(n)) - 1.4))), n })}`;
    this.streak(0);
    this.game.bar.say("");
  }

  /** @param {number} change 1 for one more, -1 for none any more */
  streak(change) {
    const n = change < 0 ? 0 : memory.get("streak", 0) + change;
    memory.set("streak", n);
    this.count.textContent = t("streak", { n });
  }

  /** @param {string} text @param {string} [kind] */
  tell(text, kind = "") {
    this.said.textContent = text;
    this.said.className = kind;
    say(text);
  }

  /** Judge a move of the solver, and answer it. @param {Step} s the step after the move */
  async judge(s) {
    const { game } = this, view = s.view, before = s.parent;
    if (!view || !before?.view || this.solved) return;
    if (view.over) return this.end(view.over.winner != null && index(view.over.winner) === this.side, s);
    try {
      const after = await ask("analyze", { game: game.info.game, position: view.position });
      if (game.here !== s) return;
      if (after.outcome !== "loss") return this.wrong(s, after.best[0]);
      this.tell(t("puzzleRight"), "right");
      const reply = await post("choose", { game: game.info.game, position: view.position });
      if (game.here !== s) return;
      const next = s.child(reply.move);
      await game.view(next);
      await game.go(next);
      if (next.view?.over) this.end(false, next);
    } catch (e) {
      report(e);
    }
  }

  /** @param {Step} s @param {string} [reply] */
  async wrong(s, reply) {
    const { game } = this, view = s.view, move = s.move;
    if (!view) return;
    if (!this.failed) this.streak(-1);
    this.failed = true;
    this.retry.hidden = false;
    this.from = s.parent;
    if (reply) {
      const next = s.child(reply);
      await game.view(next);
      if (game.here === s) await game.go(next);
    }
    this.tell(reply ? t("puzzleWrong", { move, side: view.sides[1 - this.side], reply }) : t("puzzleWrongEnd", { move }), "wrong");
    this.retry.focus();
  }

  /** @param {boolean} won @param {Step} s */
  end(won, s) {
    if (!won) return this.wrong(s);
    this.solve();
    if (!this.failed) this.streak(1);
    this.tell(t("puzzleSolved"), "right");
    this.next.focus();
  }

  /** From here on values may be shown. */
  solve() {
    this.solved = true;
    this.card.classList.add("solved");
    this.game.panels.all();
  }

  /** Who was told the move has not found it. */
  helped() {
    if (!this.solved && !this.failed) this.streak(-1);
    this.failed = true;
  }

  again() {
    this.retry.hidden = true;
    this.tell("");
    if (this.from) this.game.go(this.from).then(() => this.game.board.focus());
  }

  /** Give up: the line is there to be walked. */
  async show() {
    this.helped();
    this.solve();
    const { game } = this;
    game.analysis = true;
    await game.go(game.root);
    game.panels.tab("moves");
  }
}

/** Go to another puzzle of a game. @param {import("./game").Game} game */
export async function nextPuzzle(game) {
  try {
    const p = await find(game.info.game, null, fitting());
    if (p && game.panels.whole.isConnected) game.restart({ position: p.position, puzzle: p.plies });
  } catch (e) {
    report(e);
  }
}

// A game with its branches: every move ever tried is kept, the line last walked is the one shown.

/** @typedef {import("./types").Position} Position */
/** @typedef {import("./types").Analysis} Analysis */

export class Step {
  /** @param {Step | null} parent @param {string} move */
  constructor(parent, move) {
    this.parent = parent;
    this.move = move;
    /** @type {Step[]} */ this.children = [];
    /** The child last walked to. @type {Step | null} */ this.next = null;
    /** @type {Position | null} */ this.view = null;
    /** @type {Analysis | null} */ this.verdict = null;
    /** @type {import("./types").Explanation | null} */ this.reason = null;
    /** What the move kept or gave away, once the game was looked back on. @type {import("./types").Reviewed | null} */ this.reviewed = null;
    this.guess = false;
    /** @type {number} */ this.depth = parent ? parent.depth + 1 : 0;
  }

  /** The child by a move, made if it is new. @param {string} move */
  child(move) {
    let c = this.children.find((c) => c.move === move);
    if (!c) this.children.push((c = new Step(this, move)));
    this.next = c;
    return c;
  }

  /** From the start to here. @returns {Step[]} */
  path() {
    return this.parent ? [...this.parent.path(), this] : [this];
  }

  /** The moves from the start to here. */
  moves() {
    return this.path().slice(1).map((s) => s.move);
  }

  /** From the start through here to the end of the line last walked. */
  line() {
    const line = this.path();
    for (let s = this.next; s; s = s.next) line.push(s);
    return line;
  }

  /** Who made the move: 0, 1, or -1 at the start. */
  mover() {
    return this.parent?.view ? (this.parent.view.to_move === "second" ? 1 : 0) : this.depth ? (this.depth + 1) % 2 : -1;
  }

  /** Make this the line that is shown. */
  choose() {
    for (let s = /** @type {Step} */ (this); s.parent; s = s.parent) s.parent.next = s;
  }
}

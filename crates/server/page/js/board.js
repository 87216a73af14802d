// The board: shows the SVG it is given, knows which cells can be clicked, and builds moves up from clicks.

import { el, svgEl } from "./api.js";
import { moveWords, short } from "./words.js";

/** @typedef {import("./types").Position} Position */
/** @typedef {import("./types").MoveView} Move */
/** @typedef {import("./words").Worth} Worth */

const RANK = /** @type {Record<string, number>} */ ({ win: 3, unknown: 2, draw: 1, loss: 0 });

/** Whether one value is better than another for who moves. @param {Worth} a @param {Worth} b */
function better(a, b) {
  if (RANK[a.outcome] !== RANK[b.outcome]) return RANK[a.outcome] > RANK[b.outcome];
  const d = (a.plies ?? 0) - (b.plies ?? 0);
  return a.outcome === "win" ? d < 0 : d > 0;
}

/** A side that is named after a colour has it. @param {string[]} sides */
export const colours = (sides) => ({ "data-first": sides[0].toLowerCase(), "data-second": sides[1].toLowerCase() });

export class Board {
  /** @param {HTMLElement} place @param {(move: string) => void} onMove @param {(picked: string[], left: Move[]) => void} onPick */
  constructor(place, onMove, onPick) {
    this.place = place;
    this.onMove = onMove;
    this.onPick = onPick;
    /** @type {Position | null} */ this.view = null;
    /** @type {string[]} */ this.picked = [];
    this.open = false;
    /** @type {Map<string, Worth & {best: boolean}> | null} */ this.values = null;
    /** @type {Map<string, SVGGraphicsElement[]>} */ this.cells = new Map();
    place.addEventListener("click", (e) => this.clicked(e));
    place.addEventListener("keydown", (e) => this.key(e));
    place.addEventListener("pointerover", (e) => this.hover(this.cellAt(e)));
    place.addEventListener("pointerleave", () => this.hover(null));
    place.addEventListener("focusout", () => this.hover(null));
    place.addEventListener("focusin", (e) => this.hover(/** @type {Element} */ (e.target).getAttribute("data-cell")));
  }

  /** Show a position. `open` says whether a move may be made. @param {Position} view @param {boolean} open */
  show(view, open) {
    const focused = this.place.contains(document.activeElement) && document.activeElement?.getAttribute("data-cell");
    this.view = view;
    this.open = open && !view.over;
    this.picked = [];
    this.values = null;
    const parsed = new DOMParser().parseFromString(view.svg, "image/svg+xml").documentElement;
    const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed, true)));
    // A picture hides its parts from screen readers; here the parts are the buttons.
    svg.setAttribute("role", "group");
    // Small boards do not get larger than is pleasant.
    svg.style.maxWidth = `${Math.max(svg.viewBox.baseVal.width * 2, 600)}px`;
    this.place.replaceChildren(svg);
    this.cells.clear();
    for (const e of /** @type {NodeListOf<SVGGraphicsElement>} */ (svg.querySelectorAll("[data-cell]"))) {
      const name = e.getAttribute("data-cell") ?? "";
      this.cells.set(name, [...(this.cells.get(name) ?? []), e]);
    }
    /** Cells that words may point at though they are not clicked one by one. @type {Map<string, SVGGraphicsElement>} */
    this.spots = new Map([...svg.querySelectorAll("[data-spot]")].map((e) => [e.getAttribute("data-spot") ?? "", /** @type {SVGGraphicsElement} */ (e)]));
    this.texts = [...svg.querySelectorAll("text")].map((t) => [Number(t.getAttribute("x")), Number(t.getAttribute("y"))]);
    this.over = svg.appendChild(svgEl("g", { class: "overlay", "pointer-events": "none" }));
    this.refresh();
    if (typeof focused === "string") this.focus(focused);
  }

  /** Show what the moves are worth. @param {Map<string, Worth & {best: boolean}> | null} values */
  mark(values) {
    this.values = values;
    this.refresh();
  }

  /** The legal moves that begin with what was clicked. */
  left() {
    return (this.view?.moves ?? []).filter((m) => this.picked.every((c, i) => m.clicks[i] === c));
  }

  reset() {
    this.picked = [];
    this.refresh();
    this.onPick(this.picked, this.left());
  }

  /** @param {string} cell */
  choose(cell) {
    if (!this.open) return;
    const at = this.picked.indexOf(cell);
    const next = this.left().some((m) => m.clicks[this.picked.length] === cell);
    if (!next && at >= 0) {
      this.picked.length = at;
    } else if (next) {
      this.picked.push(cell);
      const left = this.left();
      const whole = left.filter((m) => m.clicks.length === this.picked.length);
      if (whole.length && whole.length === left.length) {
        const move = whole[0].move;
        this.picked = [];
        return this.onMove(move);
      }
    } else {
      return this.onPick(this.picked, []);
    }
    this.refresh();
    this.onPick(this.picked, this.left());
    this.focus(cell);
  }

  /** The best value that can still be reached through a cell. @param {string} cell */
  worth(cell) {
    /** @type {(Worth & {best: boolean}) | null} */ let best = null;
    for (const m of this.left()) {
      const v = this.values?.get(m.move);
      if (v && m.clicks[this.picked.length] === cell && (!best || v.best || better(v, best))) best = v;
    }
    return best;
  }

  /** Bring classes, labels and marks up to date. */
  refresh() {
    if (!this.over) return;
    this.over.replaceChildren();
    const targets = new Set(this.left().map((m) => m.clicks[this.picked.length]));
    let first = true;
    for (const [name, elements] of this.cells) {
      const legal = this.open && targets.has(name);
      for (const e of elements) e.classList.toggle("target", legal);
      const e = elements[0];
      const worth = this.worth(name);
      if (legal || this.picked.includes(name)) {
        e.setAttribute("role", "button");
        e.setAttribute("tabindex", first ? "0" : "-1");
        e.setAttribute("aria-label", `${name}${worth ? `, ${moveWords(worth)}` : ""}${this.picked.includes(name) ? ", chosen" : ""}`);
        first = false;
      } else {
        for (const a of ["role", "tabindex", "aria-label"]) e.removeAttribute(a);
      }
      if (targets.has(name) && worth) this.badge(e, worth);
    }
    this.picked.forEach((name, i) => this.ring(name, "picked", String(i + 1)));
  }

  /** The middle and the size of a cell, in the picture's units. @param {SVGGraphicsElement} e */
  box(e) {
    const b = e.getBBox();
    return { x: b.x + b.width / 2, y: b.y + b.height / 2, r: Math.min(b.width, b.height) / 2 };
  }

  /** @param {SVGGraphicsElement} e @param {Worth & {best: boolean}} v */
  badge(e, v) {
    let { x, y, r } = this.box(e);
    // What is written on a cell stays readable: the mark goes below it.
    if (this.texts?.some(([a, b]) => Math.hypot(a - x, b - y) < r * 0.6)) [y, r] = [y + r * 0.7, r * 0.56];
    const text = short(v).replace(" ", "");
    const size = Math.min(r * 0.62, (r * 3) / (text.length + 1));
    const w = Math.max(size * 1.6, size * (0.62 * text.length + 0.7)), h = size * 1.6;
    const g = svgEl("g", { class: `badge ${v.outcome}${v.best ? " best" : ""}` });
    g.append(
      svgEl("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: h / 2 }),
      svgEl("text", { x, y: y + size * 0.04, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central" }, text),
    );
    this.over?.append(g);
  }

  /** @param {string} name @param {string} kind @param {string} [label] */
  ring(name, kind, label) {
    const e = this.spots?.get(name) ?? this.cells.get(name)?.[0];
    if (!e) return null;
    const { x, y, r } = this.box(e);
    const g = svgEl("g", { class: kind });
    g.append(svgEl("circle", { cx: x, cy: y, r: r * 0.82 }));
    if (label) g.append(svgEl("text", { x, y, "font-size": r * 0.7, "text-anchor": "middle", "dominant-baseline": "central" }, label));
    this.over?.append(g);
    return { x, y };
  }

  /** Draw cells that belong together as matched dots. @param {[string, string][]} pairs */
  show_pairs(pairs) {
    pairs.forEach((pair, i) => {
      const [a, b] = pair.map((c) => this.ring(c, "about pair", String(i + 1)));
      if (a && b) this.over?.prepend(svgEl("line", { class: "about", x1: a.x, y1: a.y, x2: b.x, y2: b.y }));
    });
  }

  /** Draw attention to cells. @param {string[]} cells @param {string} kind */
  show_cells(cells, kind) {
    this.over?.querySelectorAll("." + kind).forEach((e) => e.remove());
    const many = cells.length > 1;
    cells.forEach((c, i) => this.ring(c, kind, many && kind !== "about" ? String(i + 1) : ""));
  }

  /** Show the way of the move that a cell would make. @param {string | null} cell */
  hover(cell) {
    this.over?.querySelectorAll(".trail, .outline").forEach((e) => e.remove());
    const e = cell != null && this.open && this.cells.get(cell)?.[0];
    if (!e || !e.hasAttribute("tabindex")) return;
    const outline = /** @type {Element} */ (e.cloneNode());
    for (const a of ["data-cell", "pointer-events", "tabindex", "role", "aria-label"]) outline.removeAttribute(a);
    outline.setAttribute("class", "outline");
    this.over?.prepend(outline);
    const moves = this.left().filter((m) => m.clicks[this.picked.length] === cell);
    if (moves.length === 1) this.trail(moves[0]);
  }

  /** Number the steps of a piece that travels. @param {Move} [move] */
  trail(move) {
    this.over?.querySelectorAll(".trail").forEach((e) => e.remove());
    move?.path?.slice(1).forEach((c, i) => {
      const e = this.cells.get(c)?.[0];
      if (!e) return;
      const { x, y, r } = this.box(e), cx = x + r * 0.55, cy = y - r * 0.55, g = svgEl("g", { class: "trail" });
      g.append(svgEl("circle", { cx, cy, r: r * 0.3 }), svgEl("text", { x: cx, y: cy, "font-size": r * 0.42, "text-anchor": "middle", "dominant-baseline": "central" }, String(i + 1)));
      this.over?.append(g);
    });
  }

  /** @param {MouseEvent} e @returns {string | null} */
  cellAt(e) {
    // Stones and words lie above their cell: look through them.
    for (const hit of document.elementsFromPoint(e.clientX, e.clientY)) {
      const name = this.place.contains(hit) && hit.getAttribute("data-cell");
      if (typeof name === "string") return name;
    }
    return null;
  }

  /** @param {MouseEvent} e */
  clicked(e) {
    const cell = this.cellAt(e) ?? /** @type {Element} */ (e.target).closest?.("[data-cell]")?.getAttribute("data-cell");
    if (cell != null) this.choose(cell);
  }

  /** @param {string} [cell] */
  focus(cell) {
    const all = [...this.cells.values()].map((e) => e[0]).filter((e) => e.hasAttribute("tabindex"));
    const e = (cell != null && all.find((e) => e.getAttribute("data-cell") === cell)) || all[0];
    if (!e) return this.place.focus();
    all.forEach((other) => other.setAttribute("tabindex", other === e ? "0" : "-1"));
    e.focus();
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    if (e.key === "Escape" && this.picked.length) {
      e.stopPropagation();
      return this.reset();
    }
    const cell = /** @type {Element} */ (e.target).getAttribute?.("data-cell");
    if (cell == null) return;
    if (e.key === "Enter" || e.key === " ") {
      e.preventDefault();
      return this.choose(cell);
    }
    const way = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[e.key];
    if (!way) return;
    e.preventDefault();
    e.stopPropagation();
    const from = this.cells.get(cell)?.[0];
    if (!from) return;
    const a = this.box(from);
    let nearest = cell, least = Infinity;
    for (const [name, [other]] of this.cells) {
      if (name === cell || !other.hasAttribute("tabindex")) continue;
      const b = this.box(other);
      const along = (b.x - a.x) * way[0] + (b.y - a.y) * way[1];
      const aside = Math.abs((b.x - a.x) * way[1]) + Math.abs((b.y - a.y) * way[0]);
      if (along > 1 && along + 3 * aside < least) [nearest, least] = [name, along + 3 * aside];
    }
    this.focus(nearest);
  }

  /** A small picture of a position, for looking at only. @param {{svg: string, sides: string[]}} view */
  static thumbnail(view) {
    const parsed = new DOMParser().parseFromString(view.svg, "image/svg+xml").documentElement;
    const e = document.importNode(parsed, true);
    e.setAttribute("aria-hidden", "true");
    e.removeAttribute("role");
    return el("div", { className: "thumb board", ...colours(view.sides) }, e);
  }
}

// The board: shows the drawing it is given, lets cells be clicked, tapped, or walked to by keys, and builds moves up from them.
//
// The drawing is for the eye. Over it lies a grid of named cells for keys and screen readers, which stays when the drawing
// changes, so that nobody loses the place. Both know no game: a cell is what the drawing calls data-cell or data-spot.

import { drawing, el, svgEl } from "./api.js";
import { exact, index, moveWords, short, t, things } from "./words.js";

/** @typedef {import("./types").Position} Position */
/** @typedef {import("./types").MoveView} Move */
/** @typedef {import("./words").Worth & {best: boolean, bad: boolean}} Marked */

const RANK = /** @type {Record<string, number>} */ ({ win: 3, unknown: 2, draw: 1, loss: 0 });
/** Where a finger would hit the wrong cell, in pixels. */
const SMALL = 26;

/** Whether one value is better than another for who moves. @param {Marked} a @param {Marked} b */
function better(a, b) {
  if (RANK[a.outcome] !== RANK[b.outcome]) return RANK[a.outcome] > RANK[b.outcome];
  const d = (a.plies ?? 0) - (b.plies ?? 0);
  return a.outcome === "win" ? d < 0 : d > 0;
}

/** What all names of a row end or begin with: its own name. @param {string[]} names */
function shared(names) {
  const [one, ...others] = names;
  const all = (/** @type {(n: number) => string} */ part, /** @type {(name: string, of: string) => boolean} */ has) => {
    let n = one.length - 1;
    while (n > 0 && !others.every((name) => has(name, part(n)))) n--;
    return part(n).replace(/[^\p{L}\d]/gu, "");
  };
  return others.length ? all((n) => one.slice(one.length - n), (name, of) => name.endsWith(of)) || all((n) => one.slice(0, n), (name, of) => name.startsWith(of)) : "";
}

/** Give an element the colours of the sides. @param {HTMLElement} e @param {string[]} colours */
export function colour(e, colours) {
  e.style.setProperty("--first", colours[0]);
  e.style.setProperty("--second", colours[1]);
  // Black stones need a board that is not dark.
  e.classList.toggle("grey", colours[0] === "#222222");
  return e;
}

/** A small picture of a position, for looking at only. @param {string} svg */
export const thumbnail = (svg) => el("div", { className: "thumb board" }, drawing(svg));

export class Board {
  /** @param {HTMLElement} place @param {(move: string) => void} onMove @param {(picked: string[], left: Move[], wrong?: string) => void} onPick */
  constructor(place, onMove, onPick) {
    this.place = place;
    this.onMove = onMove;
    this.onPick = onPick;
    /** @type {Position | null} */ this.view = null;
    /** @type {string[]} */ this.picked = [];
    this.open = false;
    /** A cell that was tapped once, where a finger could have meant another. */
    this.armed = "";
    /** @type {Map<string, Marked> | null} */ this.values = null;
    /** The shapes that make a click, by its name. @type {Map<string, SVGGraphicsElement[]>} */ this.cells = new Map();
    /** All shapes by the name of their own. @type {Map<string, SVGGraphicsElement>} */ this.spots = new Map();
    /** @type {any[][]} */ this.rows = [];
    /** The names of the cells that the grid was made for. */
    this.known = "";
    /** @type {string | null} */ this.hovered = null;
    /** @type {number[][]} */ this.texts = [];
    /** @type {SVGElement | null} */ this.over = null;
    this.frame = el("div", { className: "frame" });
    this.grid = el("div", { className: "cells", role: "grid", "aria-label": t("boardLabel") });
    this.frame.append(this.grid);
    place.replaceChildren(this.frame);
    this.frame.addEventListener("click", (/** @type {MouseEvent} */ e) => this.clicked(e));
    this.frame.addEventListener("pointermove", (/** @type {MouseEvent} */ e) => this.hover(this.cellAt(e)));
    this.frame.addEventListener("pointerleave", () => this.hover(null));
    this.grid.addEventListener("keydown", (/** @type {KeyboardEvent} */ e) => this.key(e));
    this.grid.addEventListener("focusin", (/** @type {FocusEvent} */ e) => this.hover(this.click(/** @type {Element} */ (e.target))));
    this.grid.addEventListener("focusout", () => this.hover(null));
  }

  /** Show a position. `open` says whether a move may be made. @param {Position} view @param {boolean} open */
  show(view, open) {
    this.view = view;
    this.open = open && !view.over;
    this.picked = [];
    this.values = null;
    this.armed = "";
    const svg = drawing(view.svg), size = svg.viewBox.baseVal;
    this.place.style.setProperty("--ratio", String(size.width / size.height));
    this.frame.querySelector("svg")?.remove();
    this.frame.prepend(svg);
    this.cells.clear();
    this.spots.clear();
    for (const e of /** @type {NodeListOf<SVGGraphicsElement>} */ (svg.querySelectorAll("[data-cell], [data-spot]"))) {
      const name = e.getAttribute("data-cell");
      if (name != null) this.cells.set(name, [...(this.cells.get(name) ?? []), e]);
      this.spots.set(e.getAttribute("data-spot") ?? name ?? "", e);
    }
    this.texts = [...svg.querySelectorAll("text, .pip")].map((e) => [Number(e.getAttribute("x") ?? e.getAttribute("cx")), Number(e.getAttribute("y") ?? e.getAttribute("cy"))]);
    this.over = svg.appendChild(svgEl("g", { class: "overlay", "pointer-events": "none" }));
    this.layout(size);
    this.refresh();
  }

  /** Lay the grid of named cells over the drawing; it is made anew only if the cells are others. @param {SVGRect} size */
  layout(size) {
    const boxes = [...this.spots].map(([name, e]) => ({ name, ...this.box(e) }));
    const known = boxes.map((b) => b.name).join();
    if (this.known === known) return;
    this.known = known;
    const focused = this.grid.contains(document.activeElement) && document.activeElement?.getAttribute("data-name");
    /** @type {typeof boxes[]} */ const rows = [];
    for (const b of boxes.sort((a, b) => a.y - b.y)) {
      const row = rows.at(-1);
      if (row && b.y - row[0].y < b.r * 0.8) row.push(b);
      else rows.push([b]);
    }
    this.rows = rows.map((row) => row.sort((a, b) => a.x - b.x).map((b) => {
      const cell = el("div", { role: "gridcell", tabIndex: -1, "data-name": b.name });
      const part = (/** @type {number} */ n, /** @type {number} */ of) => `${(n / of) * 100}%`;
      Object.assign(cell.style, { left: part(b.x - b.r, size.width), top: part(b.y - b.r, size.height), width: part(2 * b.r, size.width), height: part(2 * b.r, size.height) });
      return cell;
    }));
    this.grid.replaceChildren(...this.rows.map((row, i) => el("div", { role: "row", "aria-label": t("row", { n: shared(row.map((c) => c.dataset.name)) || i + 1 }) }, ...row)));
    if (focused) this.focus(focused);
  }

  /** Show what the moves are worth. @param {Map<string, Marked> | null} values */
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
    this.armed = "";
    this.refresh();
    this.onPick(this.picked, this.left());
  }

  /** @param {string} cell */
  choose(cell) {
    if (!this.open) return this.onPick(this.picked, [], cell);
    const at = this.picked.indexOf(cell);
    const next = this.left().some((m) => m.clicks[this.picked.length] === cell);
    if (!next && at >= 0) {
      this.picked.length = at;
    } else if (next) {
      this.picked.push(cell);
      const left = this.left();
      const whole = left.filter((m) => m.clicks.length === this.picked.length);
      if (whole.length && whole.length === left.length) {
        this.picked = [];
        this.open = false;
        return this.onMove(whole[0].move);
      }
    } else {
      return this.onPick(this.picked, [], cell);
    }
    this.refresh();
    this.onPick(this.picked, this.left());
  }

  /** The best value that can still be reached through a cell. @param {string} cell */
  worth(cell) {
    /** @type {Marked | null} */ let best = null;
    for (const m of this.left()) {
      const v = this.values?.get(m.move);
      if (v && m.clicks[this.picked.length] === cell && (!best || v.best || better(v, best))) best = v;
    }
    return best;
  }

  /** The shape of a click where a stone would come to lie. @param {string} name */
  spot(name) {
    const all = this.cells.get(name) ?? [];
    return all.find((e) => e.classList.contains("lands")) ?? all[0] ?? this.spots.get(name);
  }

  /** Bring marks, labels and what can be clicked up to date. */
  refresh() {
    if (!this.over || !this.view) return;
    this.over.replaceChildren();
    const targets = new Set(this.left().map((m) => m.clicks[this.picked.length]));
    for (const [name, elements] of this.cells) {
      const legal = this.open && targets.has(name);
      for (const e of elements) e.classList.toggle("target", legal);
      const worth = targets.has(name) ? this.worth(name) : null;
      if (worth) this.badge(/** @type {SVGGraphicsElement} */ (this.spot(name)), worth);
      else if (legal) this.dot(/** @type {SVGGraphicsElement} */ (this.spot(name)));
    }
    for (const row of this.rows) for (const cell of row) {
      const name = cell.dataset.name, e = this.spots.get(name), click = e?.getAttribute("data-cell") ?? "";
      const legal = this.open && targets.has(click), worth = legal ? this.worth(click) : null;
      cell.setAttribute("aria-label", [name, things(e?.getAttribute("data-holds") ?? t("empty")), legal ? (worth ? moveWords(worth) : t("legal")) : "", this.picked.includes(click) ? t("picked") : ""].filter(Boolean).join(", "));
      cell.setAttribute("aria-disabled", String(!legal));
    }
    if (!this.grid.querySelector("[tabindex='0']")) this.rows[0]?.[0]?.setAttribute("tabindex", "0");
    this.picked.forEach((name, i) => this.ring(name, "picked", String(i + 1)));
    if (this.armed) this.ring(this.armed, "picked");
  }

  /** The middle and the size of a cell, in the picture's units. @param {SVGGraphicsElement} e */
  box(e) {
    const b = e.getBBox();
    return { x: b.x + b.width / 2, y: b.y + b.height / 2, r: Math.min(b.width, b.height) / 2 };
  }

  /** Whether something stands on a cell. @param {Element} e */
  taken(e) {
    return e.hasAttribute("data-holds");
  }

  /** A legal cell has a dot; where something is drawn, in the corner. @param {SVGGraphicsElement} e */
  dot(e) {
    const { x, y, r } = this.box(e), aside = this.taken(e) ? r * 0.68 : 0;
    this.over?.append(svgEl("circle", { class: "dot", cx: x + aside, cy: y + aside, r: r * 0.14 }));
  }

  /** @param {SVGGraphicsElement} e @param {Marked} v */
  badge(e, v) {
    let { x, y, r } = this.box(e);
    // What is drawn on a cell stays readable: the mark goes into a corner.
    if (this.taken(e) || this.texts?.some(([a, b]) => Math.hypot(a - x, b - y) < r * 0.4)) [x, y, r] = [x + r * 0.42, y + r * 0.7, r * 0.52];
    const text = short(v).replace(" ", "");
    const size = Math.min(r * 0.62, (r * 3) / (text.length + 1));
    const w = Math.max(size * 1.6, size * (0.62 * text.length + 0.7)), h = size * 1.6;
    const g = svgEl("g", { class: `badge ${v.outcome}${v.best ? " best" : ""}${v.bad ? " bad" : ""}` });
    g.append(
      svgEl("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: h / 2 }),
      svgEl("text", { x, y: y + size * 0.04, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central" }, text),
      svgEl("title", {}, `${moveWords(v)} ${exact(v)}`),
    );
    this.over?.append(g);
  }

  /** @param {string} name @param {string} kind @param {string} [label] */
  ring(name, kind, label) {
    const e = this.spots.get(name) ?? this.spot(name);
    if (!e) return null;
    const { x, y, r } = this.box(this.cells.has(name) ? this.spot(name) ?? e : e);
    const g = svgEl("g", { class: kind });
    g.append(svgEl("circle", { cx: x, cy: y, r: r * 0.86 }));
    if (label) g.append(svgEl("text", { x, y, "font-size": r * 0.7, "text-anchor": "middle", "dominant-baseline": "central" }, label));
    this.over?.append(g);
    return { x, y };
  }

  /** Draw cells that belong together as matched dots. @param {[string, string][]} pairs */
  pairs(pairs) {
    pairs.forEach((pair, i) => {
      const [a, b] = pair.map((c) => this.ring(c, "about pair", String(i + 1)));
      if (a && b) this.over?.prepend(svgEl("line", { class: "about", x1: a.x, y1: a.y, x2: b.x, y2: b.y }));
    });
  }

  /** Draw attention to cells. @param {string[]} cells @param {string} kind */
  point(cells, kind) {
    this.over?.querySelectorAll("." + kind).forEach((e) => e.remove());
    const many = cells.length > 1;
    cells.forEach((c, i) => this.ring(c, kind, many && kind !== "about" ? String(i + 1) : ""));
  }

  /** Show what a click would do: a ghost of the stone, and the way of a piece that travels. @param {string | null} cell */
  hover(cell) {
    if (this.hovered === cell) return;
    this.hovered = cell;
    this.over?.querySelectorAll(".trail, .ghosted").forEach((e) => e.remove());
    const moves = cell == null || !this.open ? [] : this.left().filter((m) => m.clicks[this.picked.length] === cell);
    const e = cell != null && moves.length && this.spot(cell);
    if (!e || !this.view) return;
    const side = ["first", "second"][index(this.view.to_move)];
    const several = moves.every((m) => m.clicks.length > 1) && this.picked.length > 0;
    const svg = this.frame.querySelector("svg");
    const shape = svg?.querySelector(`.ghost.${several ? "neutral" : side}`) ?? svg?.querySelector(`.ghost.${side}`);
    const { x, y, r } = this.box(e);
    const g = svgEl("g", { class: "ghosted", transform: `translate(${x} ${y})` });
    if (shape && !(this.taken(e) && several)) for (const part of shape.children) g.append(part.cloneNode(true));
    else g.append(svgEl("circle", { r: r * 0.5, class: "dot" }));
    this.over?.prepend(g);
    if (moves.length === 1) this.trail(moves[0]);
  }

  /** Number the steps of a piece that travels. @param {Move} [move] */
  trail(move) {
    this.over?.querySelectorAll(".trail").forEach((e) => e.remove());
    move?.path?.slice(1).forEach((c, i) => {
      const e = this.spot(c);
      if (!e) return;
      const { x, y, r } = this.box(e), cx = x + r * 0.62, cy = y - r * 0.62, g = svgEl("g", { class: "trail" });
      g.append(svgEl("circle", { cx, cy, r: r * 0.26 }), svgEl("text", { x: cx, y: cy, "font-size": r * 0.36, "text-anchor": "middle", "dominant-baseline": "central" }, String(i + 1)));
      this.over?.append(g);
    });
  }

  /** @param {MouseEvent} e @returns {string | null} */
  cellAt(e) {
    // Stones and words lie above their cell: look through them.
    for (const hit of document.elementsFromPoint(e.clientX, e.clientY)) {
      const shape = this.frame.contains(hit) && hit.closest("[data-cell], [data-spot]");
      if (shape) return shape.getAttribute("data-cell") ?? shape.getAttribute("data-spot");
    }
    return null;
  }

  /** How large a cell is on the screen, in pixels. */
  cellSize() {
    return Math.min(...(this.rows[0] ?? []).map((c) => c.getBoundingClientRect().width));
  }

  /** @param {MouseEvent} e */
  clicked(e) {
    const cell = this.cellAt(e);
    if (cell == null) return;
    const finger = /** @type {PointerEvent} */ (e).pointerType === "touch" || matchMedia("(pointer: coarse)").matches;
    const legal = this.open && this.left().some((m) => m.clicks[this.picked.length] === cell);
    if (finger && legal && this.armed !== cell && this.cellSize() < SMALL) {
      this.armed = cell;
      this.refresh();
      return this.onPick([cell], this.left(), "again");
    }
    this.armed = "";
    this.choose(cell);
  }

  /** The click that a cell of the grid makes. @param {Element} cell */
  click(cell) {
    const name = cell.getAttribute("data-name") ?? "";
    return this.spots.get(name)?.getAttribute("data-cell") ?? name;
  }

  /** Go to a cell of the grid. @param {string} [name] */
  focus(name) {
    const all = this.rows.flat();
    const cell = all.find((c) => c.dataset.name === name) ?? all.find((c) => c.tabIndex === 0) ?? all[0];
    if (!cell) return;
    for (const other of all) other.tabIndex = other === cell ? 0 : -1;
    cell.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const cell = /** @type {HTMLElement} */ (e.target);
    if (e.key === "Escape" && this.picked.length) {
      e.stopPropagation();
      return this.reset();
    }
    if (e.key === "Enter" || e.key === " ") {
      e.preventDefault();
      return this.choose(this.click(cell));
    }
    const r = this.rows.findIndex((row) => row.includes(cell)), row = this.rows[r], c = row?.indexOf(cell) ?? 0;
    const near = (/** @type {any[] | undefined} */ other) => {
      const left = cell.offsetLeft + cell.offsetWidth / 2;
      return other?.reduce((a, b) => (Math.abs(b.offsetLeft + b.offsetWidth / 2 - left) < Math.abs(a.offsetLeft + a.offsetWidth / 2 - left) ? b : a));
    };
    const to = /** @type {Record<string, () => any>} */ ({
      ArrowLeft: () => row[c - 1], ArrowRight: () => row[c + 1], ArrowUp: () => near(this.rows[r - 1]), ArrowDown: () => near(this.rows[r + 1]),
      Home: () => row[0], End: () => row.at(-1),
    })[e.key];
    if (!to) return;
    e.preventDefault();
    e.stopPropagation();
    const next = to();
    if (next) this.focus(next.dataset.name);
  }
}

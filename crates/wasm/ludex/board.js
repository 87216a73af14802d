// <ludex-board game="connect4" moves="4453">: a board on any page.
//
//   game      a game spec; tic-tac-toe if left out
//   position  a position text to begin with; the start if left out
//   moves     moves from there, with spaces or commas between them, or without where each is one letter
//   seed      a deal, for games that begin with one
//   verdict   says below the board what the position is worth
//   playable  a click makes a move; the event "move" tells of it, and the attribute moves grows

import { Ludex } from "./index.js";

/** @type {Ludex | null} */ let judge = null;

const STYLE = `
  :host { display: inline-block; max-width: 100%; }
  figure { margin: 0; }
  svg { display: block; max-width: 100%; height: auto; }
  figcaption { font: 1rem system-ui, sans-serif; margin-top: .5rem; min-height: 1.4em; }
  .legal { cursor: pointer; }
`;

export class LudexBoard extends HTMLElement {
  static observedAttributes = ["game", "position", "moves", "seed", "verdict", "playable"];

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = STYLE;
    this.figure = document.createElement("figure");
    root.append(style, this.figure);
    /** @type {any} */ this.view = null;
    this.turn = 0;
  }

  connectedCallback() {
    this.show();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.show();
  }

  /** Once what the attributes say is shown. @type {Promise<void>} */
  ready = Promise.resolve();

  show() {
    // Attributes that change together are shown together.
    const turn = ++this.turn;
    this.ready = Promise.resolve().then(() => (turn === this.turn ? this.#show(turn) : undefined));
  }

  /** @param {number} turn */
  async #show(turn) {
    judge ??= new Ludex();
    const game = this.getAttribute("game") ?? "mnk:3,3,3";
    const where = { position: this.getAttribute("position") ?? undefined, seed: Number(this.getAttribute("seed") ?? NaN) };
    const from = { ...where, seed: Number.isNaN(where.seed) ? undefined : where.seed };
    const caption = document.createElement("figcaption");
    try {
      const view = await this.#view(game, from, this.moves);
      if (turn !== this.turn) return;
      this.view = view;
      this.figure.replaceChildren(this.#drawing(view), caption);
      if (!this.hasAttribute("verdict")) return caption.remove();
      const found = view.over ? view.over.why ?? "The game is over." : (await judge.request("GET", "analyze", { game, position: view.position })).sentence;
      if (turn === this.turn) caption.textContent = found;
    } catch (e) {
      if (turn !== this.turn) return;
      this.view = null;
      caption.setAttribute("role", "alert");
      caption.textContent = e instanceof Error ? e.message : String(e);
      this.figure.replaceChildren(caption);
    }
  }

  /** The moves, as a list. */
  get moves() {
    return (this.getAttribute("moves") ?? "").split(/[\s,]+/).filter(Boolean);
  }

  /** A word that is no move may be a game written without spaces. @param {string} game @param {any} from @param {string[]} moves */
  async #view(game, from, moves) {
    const all = /** @type {Ludex} */ (judge);
    const fails = moves.length === 1 && moves[0].length > 1 ? [...moves[0]] : null;
    return all.position(game, { ...from, moves }).catch((e) => (fails ? all.position(game, { ...from, moves: fails }) : Promise.reject(e)));
  }

  /** @param {any} view */
  #drawing(view) {
    const svg = document.importNode(new DOMParser().parseFromString(view.svg, "image/svg+xml").documentElement, true);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${view.title}: ${view.over?.why ?? `${view.sides[view.to_move === "second" ? 1 : 0]} to move`}`);
    if (this.hasAttribute("playable"))
      for (const { move, clicks } of view.moves) {
        // A move of several clicks is made by the rest of the page.
        if (clicks.length !== 1) continue;
        const cell = svg.querySelector(`[data-cell="${CSS.escape(clicks[0])}"]`);
        cell?.classList.add("legal");
        cell?.addEventListener("click", () => this.#play(view, move), { once: true });
      }
    return svg;
  }

  /** @param {any} view @param {string} move */
  #play(view, move) {
    const words = this.moves, before = words.length === 1 && view.last && words[0] !== view.last ? [...words[0]] : words;
    this.setAttribute("moves", [...before, move].join(" "));
    this.dispatchEvent(new CustomEvent("move", { detail: { move }, bubbles: true }));
  }
}

if (!customElements.get("ludex-board")) customElements.define("ludex-board", LudexBoard);

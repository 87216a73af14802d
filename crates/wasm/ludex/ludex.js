// Ludex, the judge of games: who wins and how soon, every move with its value, boards as SVG.

import { Desk } from "./desk.js";

/** An error that the judge explained. */
export class LudexError extends Error {
  /** @param {{code: string, message: string, hint: string}} error */
  constructor({ code, message, hint }) {
    super(hint ? `${message} (${hint})` : message);
    this.name = "LudexError";
    this.code = code;
    this.hint = hint;
  }
}

/** @param {any} where */
const place = ({ position, moves, seed } = {}) => ({ position, seed, play: Array.isArray(moves) ? moves.join(" ") : moves });

/** The judge, wherever its threads come from. */
export class Asking {
  /** @param {Promise<WebAssembly.Module>} module @param {import("./desk.js").Start} start */
  constructor(module, start) {
    this.desk = new Desk(module, start);
  }

  /** One request of the API. @param {string} method @param {string} path @param {Record<string, unknown>} [query] @param {unknown} [body] @param {{signal?: AbortSignal, onProgress?: (news: any) => void}} [how] @returns {Promise<any>} */
  async request(method, path, query = {}, body, { signal, onProgress } = {}) {
    const texts = Object.entries(query).filter(([, v]) => v != null && v !== "").map(([k, v]) => [k, String(v)]);
    const sent = body == null || body instanceof Uint8Array ? body ?? "" : JSON.stringify(body);
    const reply = await this.desk.ask({ method, path, query: Object.fromEntries(texts), body: sent }, signal, onProgress);
    if (reply.type !== "application/json") return reply.body;
    const answer = JSON.parse(new TextDecoder().decode(reply.body));
    if (reply.status >= 400) throw new LudexError(answer);
    return answer;
  }

  /** The games, each with specs to offer. */
  async games() {
    return (await this.request("GET", "games")).games;
  }

  /** What a game is. @param {string} game */
  game(game) {
    return this.request("GET", "game", { game });
  }

  /** The rules for people, with every step drawn. @param {string} game */
  rules(game) {
    return this.request("GET", "rules", { game });
  }

  /** A position: who is to move, legal moves, SVG, text. @param {string} game @param {any} [where] */
  position(game, where) {
    return this.request("GET", "position", { game, ...place(where) });
  }

  /** @param {string} game @param {any} [where] @returns {Promise<string[]>} */
  async legalMoves(game, where) {
    const view = await this.position(game, where), moves = view.moves;
    while (moves.length < view.total_moves)
      moves.push(...(await this.request("GET", "position", { game, position: view.position, offset: moves.length })).moves);
    return moves.map((/** @type {any} */ m) => m.move);
  }

  /** @param {string} game @param {any} [where] @returns {Promise<string>} */
  async svg(game, where) {
    return (await this.position(game, where)).svg;
  }

  /** @param {string} kind @param {string} game @param {any} how */
  async #search(kind, game, { goal, time, memory, nodes, solver, without, signal, onProgress, ...where } = /** @type {any} */ ({})) {
    const { position } = where.moves?.length || where.seed != null ? await this.position(game, where) : where;
    const told = onProgress && ((/** @type {any} */ job) => onProgress(job.progress));
    const job = await this.request("POST", "solve", {}, { game, position, kind, goal, time, memory, nodes, solver, without }, { signal, onProgress: told });
    if (job.result.type === "error") throw new LudexError(job.result);
    return job.result;
  }

  /** What a position is worth. @param {string} game @param {any} [how] */
  solve(game, how) {
    return this.#search("solve", game, how);
  }

  /** Every legal move with its value, best first. @param {string} game @param {any} [how] */
  analyze(game, how) {
    return this.#search("analyze", game, how);
  }

  /** Why a position is worth what it is. @param {string} game @param {any} [how] */
  explain(game, { goal, time, signal, ...where } = /** @type {any} */ ({})) {
    return this.request("GET", "explain", { game, ...place(where), goal, time: time && Math.ceil(time * 1000) }, null, { signal });
  }

  /** The move of an engine. @param {string} game @param {any} [how] */
  async choose(game, { level, time, seed, signal, ...where } = /** @type {any} */ ({})) {
    const { position } = where.moves?.length ? await this.position(game, where) : where;
    return this.request("POST", "choose", {}, { game, position, level, seed, time: time && Math.ceil(time * 1000) }, { signal });
  }

  /** A position in which exactly one move wins. @param {string} game @param {any} [how] */
  puzzle(game, { plies, time, signal, ...where } = /** @type {any} */ ({})) {
    return this.request("GET", "puzzle", { game, ...place(where), plies, time: time && Math.ceil(time * 1000) }, null, { signal });
  }

  /** A certificate of what a position is worth, as a file. @param {string} game @param {any} [how] */
  prove(game, { time, signal, ...where } = /** @type {any} */ ({})) {
    return this.request("GET", "certificate", { game, ...place(where), time: time && Math.ceil(time * 1000) }, null, { signal });
  }

  /** Check a certificate, and walk through it. @param {Uint8Array} file @param {any} [how] */
  check(file, { claim, moves, signal } = /** @type {any} */ ({})) {
    return this.request("POST", "certificate", { claim, play: place({ moves }).play }, file, { signal });
  }

  /** End all searches. */
  close() {
    this.desk.close();
  }
}

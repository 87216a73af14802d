// The judge's API, and a few words for making elements.

import { send } from "./wire.js";
import { faultWords, listen, named, spoken, t, titled } from "./words.js";

/** An error the server explained. */
export class Fault extends Error {
  /** @param {{code?: string, message?: string, hint?: string}} e */
  constructor(e) {
    const said = faultWords(e);
    super(said ?? e.message ?? t("unreachable"));
    this.code = e.code ?? "unreachable";
    this.hint = said ? "" : e.hint ?? t("running");
  }
}

/** @param {string} path @param {Record<string, unknown>} [query] @param {RequestInit} [init] @param {boolean} [file] whether a file is the answer @returns {Promise<any>} */
export async function ask(path, query = {}, init = {}, file = false) {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(query)) if (v != null && v !== "") q.set(k, String(v));
  let answer;
  try {
    answer = await send(path + (q.size ? `?${q}` : ""), init);
  } catch (e) {
    if (e instanceof DOMException && e.name === "AbortError") throw e;
    throw new Fault({});
  }
  if (file && answer.ok) return answer;
  const body = await answer.json().catch(() => ({}));
  await spoken;
  if (!answer.ok || body.over || ["explanation", "walk"].includes(body.type)) await listen();
  if (!answer.ok) throw new Fault(body);
  if (body.sides) body.sides = body.sides.map(named);
  for (const titles of [body, ...(body.games ?? []), ...(body.games ?? []).flatMap((/** @type {import("./types").Family} */ f) => f.examples)]) if (titles.title) titles.title = titled(titles.title);
  // Of a board with more than 10,000 moves the rest is asked for, part by part.
  while (body.type === "position" && !("offset" in query) && body.moves.length < body.total_moves)
    body.moves.push(...(await ask("position", { game: body.game, position: body.position, offset: body.moves.length }, { signal: init.signal })).moves);
  return body;
}

/** @param {string} path @param {unknown} body @param {AbortSignal} [signal] */
export const post = (path, body, signal) =>
  ask(path, {}, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });

/** An element with properties and children. @param {string} tag @param {Record<string, any>} [props] @param {(Node | string)[]} children @returns {any} */
export function el(tag, props = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props)) {
    if (k in e && !k.startsWith("aria") && k !== "role") /** @type {any} */ (e)[k] = v;
    else if (v != null && v !== false) e.setAttribute(k, v === true ? "" : String(v));
  }
  e.append(...children);
  return e;
}

/** @param {string} text @param {() => void} onclick @param {Record<string, any>} [props] */
export const button = (text, onclick, props = {}) => el("button", { type: "button", onclick, ...props }, text);

/** @param {string} tag @param {Record<string, unknown>} props @param {string} [text] */
export function svgEl(tag, props, text) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [k, v] of Object.entries(props)) e.setAttribute(k, String(v));
  if (text != null) e.textContent = text;
  return e;
}

/** The drawing of a text, ready to be put somewhere. @param {string} text */
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed, true)));
  svg.removeAttribute("role");
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

/** An address that people can read. @param {URLSearchParams} query */
export const address = (query) => `${location.pathname}?` + query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");

/** Where to play a game. @param {string} spec @param {boolean} deal @param {Record<string, string>} [more] */
export function place(spec, deal, more = {}) {
  const url = new URLSearchParams({ game: spec, ...more });
  if (deal && !more.puzzleOf) url.set("seed", String(Math.floor(Math.random() * 2 ** 32)));
  return address(url);
}

/** The games there are. @returns {Promise<import("./types").Family[]>} */
export const families = async () => (await ask("games")).games;

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Say it to those who listen: what was said before is not taken back, or it would not be heard. @param {string} text */
export function say(text) {
  const live = byId("live");
  if (text) live.append(el("p", {}, text));
  while (live.children.length > 4) live.firstChild.remove();
}

let toastTimer = 0;
/** Show a message for a while. @param {string} text @param {string} [hint] */
export function toast(text = "", hint = "") {
  const box = byId("toast");
  box.replaceChildren(el("b", {}, text), hint ? ` ${hint}` : "");
  box.classList.add("on");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => box.classList.remove("on"), hint ? 7000 : 3500);
}

/** What was wrong and what would be right, as sentences. @param {Fault} e */
export const sentences = (e) => [e.message, e.hint].filter(Boolean).map((s) => s[0].toUpperCase() + s.slice(1).replace(/[.?]?$/, (end) => end || "."));

/** @param {unknown} e */
export function report(e) {
  if (e instanceof DOMException && e.name === "AbortError") return;
  if (e instanceof Fault) toast(...sentences(e));
  else throw e;
}

/** What the user switched on stays on. */
export const memory = {
  /** @param {string} key @param {any} [otherwise] */
  get(key, otherwise = null) {
    try {
      return JSON.parse(localStorage.getItem("ludex." + key) ?? "null") ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  /** @param {string} key @param {unknown} value */
  set(key, value) {
    try {
      localStorage.setItem("ludex." + key, JSON.stringify(value));
    } catch {
      // A browser that keeps nothing is no reason to stop.
    }
  },
};

/** Whether the system asks for no motion. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

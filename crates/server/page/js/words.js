// Words: the texts of a language, and what is said of values, positions and searches.

/** @typedef {import("./types").Analysis} Analysis */
/** @typedef {import("./types").Position} Position */
/** @typedef {{outcome: string, plies?: number | null}} Worth */
/** @typedef {{title: string, goal: string, steps: string[], end: string, notation: string}} Told */

/** @type {Record<string, string>} */ let texts = {};

/** What the judge says, in this language; in English it says it itself. @type {Record<string, string>} */ let saids = {};

/** Whether what comes with a click was asked for, with the texts it needs. */
let clicked = false;

/** Until the texts are there. @type {Promise<void>} */ export let spoken = Promise.resolve();

/** Use a language, or English if there are no texts in it. @param {string} lang */
export function speak(lang) {
  const known = ["de", "fr"].includes(lang) ? lang : "en";
  if (known !== document.documentElement.lang) texts = saids = {};
  document.documentElement.lang = known;
  return learn(known);
}

/** @param {string} lang */
const learn = (lang) => (spoken = Promise.all(["", ...(clicked ? ["-more"] : [])].map((part) => import(`../lang/${lang}${part}.js`)))
  .then((files) => void (texts = Object.assign({}, texts, ...files.map((file) => file.default)))));

/** Have the texts of what comes with a click. */
export function more() {
  if (!clicked) {
    clicked = true;
    learn(document.documentElement.lang);
  }
  return spoken;
}

/** The names and the rules of the games, by the families' names; in English the games bring them. @returns {Promise<Record<string, Told>>} */
export async function told() {
  const { lang } = document.documentElement;
  return lang === "en" ? {} : (await import(`../lang/${lang}-rules.js`)).default;
}

/** Have the words for what the judge says: whoever only plays has no need of them. */
export async function listen() {
  const { lang } = document.documentElement;
  if (lang !== "en") saids = (await import(`../lang/${lang}-said.js`)).default;
}

/** What the judge has said, in the language of the page. @param {import("./types").Said} said @returns {string} */
function inWords(said) {
  const text = saids[said.code ?? ""];
  if (!text) return said.text;
  return text.replace(/\{(\w+)\}/g, (_, gap) => {
    const filling = said.with?.[gap] ?? "";
    return typeof filling === "object" ? inWords(filling) : named(String(filling));
  });
}

/** The same as a whole sentence. @param {import("./types").Said} said */
export const sentence = (said) => whole(inWords(said));

/** The same within a sentence, or what is given if it cannot be said otherwise. @param {import("./types").Said | null | undefined} said @param {string} [text] */
export const phrase = (said, text = "") => (said ? inWords(said) : text);

/** With a capital and a stop. @param {string} text */
const whole = (text) => text && text[0].toUpperCase() + text.slice(1).replace(/[.?]?$/, (end) => end || ".");

/** A text with what belongs into it. @param {string} key @param {Record<string, string | number>} [values] */
export const t = (key, values = {}) =>
  (texts[key] ?? key).replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) => (many == null ? String(values[name] ?? "") : values[name] === 1 ? one : many));

/** What a side is called in the language of the page. @param {string} side */
export const named = (side) => texts["side." + side] ?? side;

/** What lies on a cell, word by word. @param {string} holds */
export const things = (holds) => holds.replace(/[\w]+/g, named);

/** The title of a game in the language of the page. @param {string} title */
export const titled = (title) => Object.keys(texts).reduce((said, key) => (key.startsWith("title.") ? said.replace(key.slice(6), texts[key]) : said), title);

/** What was wrong, by its name, with the particulars as the judge gives them; or null. @param {{code?: string, message?: string}} e */
export function faultWords({ code, message }) {
  const text = saids["error." + code];
  return text ? text + (message ? ` (${message})` : "") : null;
}

/** Whether there is such a text. @param {string} key */
export const has = (key) => key in texts;

export const SIGNS = /** @type {Record<string, string>} */ ({ win: "▲", draw: "=", loss: "▼", unknown: "?" });

/** The moves that the winner makes, as people count. @param {number} plies */
export const moves = (plies) => Math.ceil(plies / 2);

/** "wins in 7 moves", for the side that makes a move. @param {Worth} v */
export function moveWords(v) {
  if (v.outcome === "draw") return t("moveDraw");
  if (v.outcome !== "win" && v.outcome !== "loss") return t("moveUnknown");
  const win = v.outcome === "win";
  return v.plies == null ? t(win ? "moveWin" : "moveLoss") : t(win ? "moveWins" : "moveLoses", { n: moves(v.plies) });
}

/** @param {Worth} v */
export const short = (v) => SIGNS[v.outcome] + (v.plies == null ? "" : ` ${moves(v.plies)}`);

/** The exact length, for those who count plies. @param {Worth} v */
export const exact = (v) => (v.plies == null ? "" : t("plies", { n: v.plies }));

/** @param {string} toMove */
export const index = (toMove) => (toMove === "second" ? 1 : 0);

/** What is known of a position, in a sentence. @param {{outcome: string, plies?: number | null, to_move: string, lower: Worth, upper: Worth}} a @param {string[]} sides */
export function verdictWords(a, sides) {
  const mover = sides[index(a.to_move)], other = sides[1 - index(a.to_move)];
  if (a.outcome === "draw") return t("drawn") + ".";
  if (a.outcome === "win" || a.outcome === "loss") {
    const side = a.outcome === "win" ? mover : other;
    return (a.plies == null ? t("winsSome", { side }) : t(a.plies > 2 ? "wins" : "winsSoon", { side, n: moves(a.plies) })) + ".";
  }
  if (a.lower.outcome !== "loss") return t("atLeast", { side: mover }) + ".";
  return (a.upper.outcome !== "win" ? t("cannotWin", { side: mover }) : t("uncertain")) + ".";
}

/** Why a game is over, as a sentence. @param {Position} view */
export const whyWords = ({ over }) => whole(phrase(over?.said, over?.why ?? ""));

/** 41.2 M, 9.8 k. @param {number} n */
export function count(n) {
  for (const [size, unit] of /** @type {[number, string][]} */ ([[1e9, "G"], [1e6, "M"], [1e3, "k"]]))
    if (n >= size) return `${(n / size).toFixed(n / size < 10 ? 1 : 0)} ${unit}`;
  return String(Math.round(n));
}

/** What a search knows while it runs. @param {import("./types").Job} job @param {string[]} sides @param {string} toMove */
export function progressWords(job, sides, toMove) {
  if (job.state === "queued") return t("queued");
  const p = job.progress;
  if (!p) return t("searching");
  const parts = [t("positions", { n: count(p.nodes) }) + (p.seconds > 0.2 ? ", " + t("rate", { n: count(p.nodes / p.seconds) }) : "")];
  if (p.moves) parts.push(t("movesDone", { done: p.moves.done, of: p.moves.of }));
  if (p.sentence) parts.push(t("soFar", { what: verdictWords({ outcome: p.lower.outcome === p.upper.outcome ? p.lower.outcome : "unknown", plies: null, to_move: toMove, lower: p.lower, upper: p.upper }, sides).replace(/\.$/, "") }));
  return t("progress", { parts: parts.join("; ") });
}

/** Where an answer comes from. @param {Analysis} a */
export function sourceWords(a) {
  const known = /** @type {Record<string, string>} */ ({ table: "fromTable", book: "fromBook", cache: "fromCache" })[a.from];
  return known ? t(known) : t("fromSearch", { n: count(a.stats?.nodes ?? 0), solver: a.solver });
}

// Words and signs for single moves and for what goes on; the sentence of a verdict comes with it.

/** @typedef {import("./types").Analysis} Analysis */
/** @typedef {import("./types").Position} Position */
/** @typedef {{outcome: string, plies: number | null}} Worth */

export const SIGNS = /** @type {Record<string, string>} */ ({ win: "▲", draw: "=", loss: "▼", unknown: "?" });

/** "wins in 13", for the side that makes a move. @param {Worth} v */
export function moveWords(v) {
  const soon = v.plies == null ? "" : ` in ${v.plies}`;
  return { win: "wins" + soon, draw: "draws", loss: "loses" + soon }[v.outcome] ?? "not known yet";
}

/** @param {Worth} v */
export const short = (v) => SIGNS[v.outcome] + (v.plies == null ? "" : ` ${v.plies}`);

/** @param {string} toMove */
export const index = (toMove) => (toMove === "second" ? 1 : 0);

/** Who has won and why, or whose turn it is. @param {Position} view */
export function turnWords(view) {
  if (!view.over) return `${view.sides[index(view.to_move)]} to move.`;
  const won = view.over.winner ? `${view.sides[index(view.over.winner)]} wins.` : "Draw.";
  const why = view.over.why ? ` ${view.over.why.replace(/\.?$/, ".")}` : "";
  return won + why.replace(/^ ([a-z])/, (_, c) => " " + c.toUpperCase());
}

/** 41.2 M, 9.8 k. @param {number} n */
export function count(n) {
  for (const [size, unit] of /** @type {[number, string][]} */ ([[1e9, "G"], [1e6, "M"], [1e3, "k"]]))
    if (n >= size) return `${(n / size).toFixed(n / size < 10 ? 1 : 0)} ${unit}`;
  return String(Math.round(n));
}

/** What a search knows while it runs. @param {import("./types").Job} job */
export function progressWords(job) {
  if (job.state === "queued") return "Waiting for its turn to be searched.";
  const p = job.progress;
  if (!p) return "Searching…";
  const parts = [count(p.nodes) + " positions" + (p.seconds > 0.2 ? `, ${count(p.nodes / p.seconds)}/s` : "")];
  if (p.moves) parts.push(`${p.moves.done} of ${p.moves.of} moves done`);
  if (p.sentence) parts.push(`${p.sentence.replace(/\.$/, "")} so far`);
  return `Searching: ${parts.join("; ")}.`;
}

/** Where an answer comes from. @param {Analysis} a */
export function sourceWords(a) {
  if (a.from !== "search") return { table: "Known from a table.", book: "Known from the book.", cache: "Known from a search before." }[a.from] ?? a.from;
  return `${count(a.stats?.nodes ?? 0)} positions searched (${a.solver}).`;
}

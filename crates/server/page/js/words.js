// The words for values: whose, what, how long. The same as in the terminal.

/** @typedef {import("./types").Analysis} Analysis */
/** @typedef {import("./types").View} View */
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

/** What an analysis says, in a sentence. @param {Analysis} a @param {string[]} sides */
export function verdictWords(a, sides) {
  const me = sides[index(a.to_move)], you = sides[1 - index(a.to_move)];
  const soon = a.plies == null ? "" : ` in ${a.plies}`;
  if (a.outcome === "win") return `${me} wins${soon} with perfect play.`;
  if (a.outcome === "loss") return `${you} wins${soon} with perfect play.`;
  if (a.outcome === "draw") return "Draw with perfect play.";
  return boundsWords(a.lower, a.upper, me, you);
}

/** @param {Worth} lower @param {Worth} upper @param {string} me @param {string} you */
export function boundsWords(lower, upper, me, you) {
  if (lower?.outcome === "win") return `${me} wins.`;
  if (upper?.outcome === "loss") return `${you} wins.`;
  if (lower?.outcome === "draw") return `${me} has at least a draw.`;
  if (upper?.outcome === "draw") return `${me} cannot win any more.`;
  return "Nothing is certain yet.";
}

/** Who has won and why, or whose turn it is. @param {View} view */
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

/** What a search knows while it runs. @param {import("./types").Job} job @param {string[]} sides @param {string} toMove */
export function progressWords(job, sides, toMove) {
  if (job.state === "queued") return "Waiting for its turn to be searched.";
  const p = job.progress;
  if (!p) return "Searching…";
  const me = sides[index(toMove)], you = sides[1 - index(toMove)];
  const parts = [count(p.nodes) + " positions" + (p.seconds > 0.2 ? `, ${count(p.nodes / p.seconds)}/s` : "")];
  if (p.moves) parts.push(`${p.moves.done} of ${p.moves.of} moves done`);
  const known = boundsWords(p.lower, p.upper, me, you);
  if (!known.startsWith("Nothing")) parts.push(`${known.replace(/\.$/, "")} so far`);
  return `Searching: ${parts.join("; ")}.`;
}

/** Where an answer comes from. @param {Analysis} a */
export function sourceWords(a) {
  if (a.from !== "search") return { table: "Known from a table.", book: "Known from the book.", cache: "Known from a search before." }[a.from] ?? a.from;
  return `${count(a.stats?.nodes ?? 0)} positions searched (${a.solver}).`;
}

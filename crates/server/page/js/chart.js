// The value over the game: a bar for each position, up for the first side, down for the second; a mark where it turned.

import { svgEl } from "./api.js";
import { index, more, moveWords, t } from "./words.js";

await more();

/** @typedef {import("./tree").Step} Step */

/** What a position is worth to the side to move, from whatever knows it. @param {Step} s */
function worth(s) {
  if (s.verdict && s.verdict.outcome !== "unknown") return s.verdict;
  const next = s.next?.reviewed?.before;
  return next && next.outcome !== "unknown" ? next : null;
}

/** Between -1 and 1, for the first side. @param {Step} s */
function height(s) {
  if (s.view?.over) return s.view.over.winner ? (s.view.over.winner === "first" ? 1 : -1) : 0;
  const v = worth(s);
  if (!v) return null;
  if (v.outcome === "draw") return 0;
  const size = 1 - 0.6 * Math.min((v.plies ?? 30) / 60, 1);
  const second = s.view ? index(s.view.to_move) : s.depth % 2;
  return size * (v.outcome === "win" ? 1 : -1) * (second ? -1 : 1);
}

/** @param {Step} here @param {string[]} sides @param {(s: Step) => void} go */
export function chart(here, sides, go) {
  const line = here.line();
  const step = 100 / Math.max(line.length, 12);
  const svg = svgEl("svg", { viewBox: "0 0 100 26", class: "chart", preserveAspectRatio: "none", role: "img" });
  svg.setAttribute("aria-label", t("chartLabel", { known: line.filter((s) => height(s) != null).length, all: line.length }));
  svg.append(svgEl("line", { x1: 0, x2: 100, y1: 12, y2: 12, class: "axis" }));
  line.forEach((s, i) => {
    const h = height(s), x = i * step;
    if (h != null) {
      const size = Math.max(Math.abs(h) * 11, 0.7);
      const kind = h > 0 ? "first" : h < 0 ? "second" : "draw";
      svg.append(svgEl("rect", { x: x + step * 0.12, y: h > 0 ? 12 - size : h < 0 ? 12 : 11.65, width: step * 0.76, height: size, class: `bar ${kind}` }));
    }
    const lost = s.reviewed?.mark.startsWith("lost");
    if (lost) svg.append(svgEl("rect", { x, y: 23.5, width: step, height: 2.5, class: "turning" }));
    const hit = svgEl("rect", { x, y: 0, width: step, height: 26, class: s === here ? "hit here" : "hit" });
    hit.addEventListener("click", () => go(s));
    const v = worth(s), side = sides[s.view ? index(s.view.to_move) : s.depth % 2];
    hit.append(svgEl("title", {}, (i ? `${i}. ${s.move}` : t("start")) + (v ? `: ${side} ${moveWords(v)}` : "") + (lost ? ` (${t("mark." + s.reviewed?.mark)})` : "")));
    svg.append(hit);
  });
  return svg;
}

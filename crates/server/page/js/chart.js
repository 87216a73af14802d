// The value over the game: a bar for each position, up for the first side, down for the second.

import { svgEl } from "./api.js";
import { index, moveWords } from "./words.js";

/** @typedef {import("./tree").Step} Step */

/** Between -1 and 1, for the first side. @param {Step} s */
function height(s) {
  if (s.view?.over) return s.view.over.winner ? (s.view.over.winner === "first" ? 1 : -1) : 0;
  const v = s.verdict;
  if (!v || !["win", "loss"].includes(v.outcome)) return v?.outcome === "draw" ? 0 : null;
  const size = 1 - 0.6 * Math.min((v.plies ?? 30) / 60, 1);
  return size * (v.outcome === "win" ? 1 : -1) * (index(v.to_move) ? -1 : 1);
}

/** @param {Step} here @param {string[]} sides @param {(s: Step) => void} go */
export function chart(here, sides, go) {
  const line = here.line();
  const w = Math.max(line.length, 16), step = 100 / w;
  const svg = svgEl("svg", { viewBox: "0 0 100 24", class: "chart", preserveAspectRatio: "none", role: "img" });
  const known = line.filter((s) => height(s) != null).length;
  svg.setAttribute("aria-label", `Value over the game: ${known} of ${line.length} positions known`);
  svg.append(svgEl("line", { x1: 0, x2: 100, y1: 12, y2: 12, class: "axis" }));
  line.forEach((s, i) => {
    const h = height(s);
    const x = i * step;
    if (h != null) {
      const size = Math.max(Math.abs(h) * 11, 0.7);
      const kind = h > 0 ? "first" : h < 0 ? "second" : "draw";
      svg.append(svgEl("rect", { x: x + step * 0.12, y: h > 0 ? 12 - size : h < 0 ? 12 : 11.65, width: step * 0.76, height: size, class: `bar ${kind}` }));
    }
    const hit = svgEl("rect", { x, y: 0, width: step, height: 24, class: s === here ? "hit here" : "hit" });
    hit.addEventListener("click", () => go(s));
    const worth = s.verdict ? `: ${sides[index(s.verdict.to_move)]} ${moveWords(s.verdict)}` : "";
    hit.append(svgEl("title", {}, (i ? `${i}. ${s.move}` : "Start") + worth));
    svg.append(hit);
  });
  return svg;
}

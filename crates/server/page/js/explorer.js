// A tree of lines: children with their values are asked for when a move is opened; a position met twice is shown once.

import { ask, button, el, report } from "./api.js";
import { exact, moveWords, short, t } from "./words.js";

/** How many moves are listed before "more". */
const FEW = 10;
/** Milliseconds for the values of a position. */
const TIME = 500;

/** @param {import("./game").Game} game */
export function explorer(game) {
  /** Where a position was met first. @type {Map<string, string>} */ const met = new Map();

  /** The moves of a position. @param {string} position @param {string[]} line @returns {Promise<any>} */
  async function branch(position, line) {
    const a = /** @type {import("./types").Analysis} */ (await ask("analyze", { game: game.info.game, position, time: TIME }));
    const list = el("ul");
    /** What shows the value of a move. @type {Map<string, (m: import("./types").MoveValue, best: boolean) => void>} */ const rows = new Map();
    const add = (/** @type {number} */ from, /** @type {number} */ to) => list.append(...a.moves.slice(from, to).map((m) => item(m, a.best.includes(m.move), position, [...line, m.move], rows)));
    add(0, FEW);
    if (a.moves.length > FEW) {
      const more = button(t("more", { n: a.moves.length - FEW }), () => (more.parentNode.remove(), add(FEW, a.moves.length)), { className: "quiet" });
      list.append(el("li", {}, more));
    }
    // What is not known yet is asked for once more, with all the time that the server gives.
    if (a.status !== "solved") ask("analyze", { game: game.info.game, position }).then((b) => b.moves.forEach((/** @type {import("./types").MoveValue} */ m) => rows.get(m.move)?.(m, b.status === "solved" && b.best.includes(m.move))), () => {});
    return list;
  }

  /** @param {import("./types").MoveValue} m @param {boolean} best @param {string} before @param {string[]} line @param {Map<string, (m: import("./types").MoveValue, best: boolean) => void>} rows */
  function item(m, best, before, line, rows) {
    const li = el("li");
    const open = button("▸", async () => {
      const shown = li.querySelector("ul");
      open.textContent = shown ? "▸" : "▾";
      open.setAttribute("aria-expanded", String(!shown));
      if (shown) return shown.remove();
      try {
        const view = await ask("position", { game: game.info.game, position: before, play: m.move });
        const first = met.get(view.position);
        if (view.over) li.append(el("ul", {}, el("li", {}, t("over"))));
        else if (first && first !== line.join(" ")) li.append(el("ul", {}, el("li", { className: "small" }, t("same", { line: first }))));
        else {
          met.set(view.position, line.join(" "));
          li.append(await branch(view.position, line));
        }
      } catch (e) {
        report(e);
      }
    }, { className: "quiet twist", "aria-expanded": "false", "aria-label": t("open", { move: m.move }) });
    const mark = el("span", { "aria-hidden": "true" }), words = el("span", { className: "unseen" });
    const show = (/** @type {import("./types").MoveValue} */ m, /** @type {boolean} */ best) => {
      Object.assign(mark, { className: `mark ${m.outcome}${best ? " best" : ""}`, title: `${moveWords(m)} ${exact(m)}`, textContent: short(m) });
      words.textContent = moveWords(m);
    };
    show(m, best);
    rows.set(m.move, show);
    li.append(open, button(m.move, () => game.walk(line), { className: "move", "data-line": line.join(" ") }), mark, words);
    return li;
  }

  const tree = el("ul", { className: "tree", "aria-label": t("explore") });
  game.view(game.root).then(async (view) => view.over || tree.replaceChildren(...(await branch(view.position, [])).children)).catch(report);
  return tree;
}

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
    const add = (/** @type {number} */ from, /** @type {number} */ to) => list.append(...a.moves.slice(from, to).map((m) => item(m, a.best.includes(m.move), position, [...line, m.move])));
    add(0, FEW);
    if (a.moves.length > FEW) {
      const more = button(t("more", { n: a.moves.length - FEW }), () => (more.parentNode.remove(), add(FEW, a.moves.length)), { className: "quiet" });
      list.append(el("li", {}, more));
    }
    return list;
  }

  /** @param {import("./types").MoveValue} m @param {boolean} best @param {string} before @param {string[]} line */
  function item(m, best, before, line) {
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
    li.append(open, button(m.move, () => game.walk(line), { className: "move" }), el("span", { className: `mark ${m.outcome}${best ? " best" : ""}`, title: `${moveWords(m)} ${exact(m)}`, "aria-hidden": "true" }, short(m)), el("span", { className: "unseen" }, moveWords(m)));
    return li;
  }

  const tree = el("ul", { className: "tree", "aria-label": t("explore") });
  game.view(game.root).then(async (view) => view.over || tree.replaceChildren(...(await branch(view.position, [])).children)).catch(report);
  return tree;
}

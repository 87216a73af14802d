// A tree of lines: it opens along the game that is shown; children with their values are asked for when a move is opened; a
// position met twice is shown once.

import { ask, button, el, report } from "./api.js";
import { exact, more, moveWords, short, t } from "./words.js";

await more();

/** How many moves are listed before "more". */
const FEW = 10;
/** Milliseconds for the values of a position. */
const TIME = 500;

/** @param {import("./game").Game} game */
export function explorer(game) {
  /** Where a position was met first. @type {Map<string, string>} */ const met = new Map();
  /** What opens a line, and what shows the rest of a list, by the line. @type {Map<string, () => Promise<void>>} */ const openers = new Map();
  /** @type {Map<string, () => void>} */ const rests = new Map();

  /** The moves of a position. @param {string} position @param {string[]} line @returns {Promise<any>} */
  async function branch(position, line) {
    const a = /** @type {import("./types").Analysis} */ (await ask("analyze", { game: game.info.game, position, time: TIME }));
    const list = el("ul");
    /** What shows the value of a move. @type {Map<string, (m: import("./types").MoveValue, best: boolean) => void>} */ const rows = new Map();
    const add = (/** @type {number} */ from, /** @type {number} */ to) => list.append(...a.moves.slice(from, to).map((m) => item(m, a.best.includes(m.move), position, [...line, m.move], rows)));
    add(0, FEW);
    if (a.moves.length > FEW) {
      const rest = () => (more.remove(), rests.delete(line.join(" ")), add(FEW, a.moves.length));
      const more = el("li", {}, button(t("more", { n: a.moves.length - FEW }), rest, { className: "quiet" }));
      list.append(more);
      rests.set(line.join(" "), rest);
    }
    // What is not known yet is asked for once more, with all the time that the server gives.
    if (a.status !== "solved") ask("analyze", { game: game.info.game, position }).then((b) => b.moves.forEach((/** @type {import("./types").MoveValue} */ m) => rows.get(m.move)?.(m, b.status === "solved" && b.best.includes(m.move))), () => {});
    return list;
  }

  /** @param {import("./types").MoveValue} m @param {boolean} best @param {string} before @param {string[]} line @param {Map<string, (m: import("./types").MoveValue, best: boolean) => void>} rows */
  function item(m, best, before, line, rows) {
    const li = el("li");
    /** What is shown below, or is on its way. @type {Promise<void> | null} */ let below = null;
    const unfold = () => (below ??= fill());
    const fill = async () => {
      open.textContent = "▾";
      open.setAttribute("aria-expanded", "true");
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
    };
    const fold = () => {
      below = null;
      open.textContent = "▸";
      open.setAttribute("aria-expanded", "false");
      li.querySelector("ul")?.remove();
    };
    const open = button("▸", () => (below ? fold() : unfold()), { className: "quiet twist", "aria-expanded": "false", "aria-label": t("open", { move: m.move }) });
    openers.set(line.join(" "), unfold);
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
  const planted = game.view(game.root).then(async (view) => view.over || tree.replaceChildren(...(await branch(view.position, [])).children)).catch(report);

  /** Open the lines that lead to where the game is, and mark the place. */
  async function follow() {
    const moves = game.here.moves(), here = moves.join(" ");
    const is_here = () => game.here.moves().join(" ") === here;
    await planted;
    for (let n = 0; n < moves.length && is_here(); n++) {
      if (!openers.has(moves.slice(0, n + 1).join(" "))) rests.get(moves.slice(0, n).join(" "))?.();
      // The last one is opened too: what can be played now is what one wants to see.
      await openers.get(moves.slice(0, n + 1).join(" "))?.();
    }
    if (!is_here()) return;
    for (const move of tree.querySelectorAll("[data-line]")) move.toggleAttribute("aria-current", move.dataset.line === here);
    tree.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }
  return { tree, follow };
}

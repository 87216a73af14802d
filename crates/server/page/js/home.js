// The games, each with a small live board, its sizes and rules, and the game that was left.

import { address, ask, el, memory, report } from "./api.js";
import { Board } from "./board.js";

/** Where to play a game. @param {string} spec @param {boolean} deal */
export function place(spec, deal) {
  const url = new URLSearchParams({ game: spec });
  if (deal) url.set("seed", String(Math.floor(Math.random() * 2 ** 32)));
  return address(url);
}

/** @param {HTMLElement} main */
export async function home(main) {
  document.title = "Ludex";
  const grid = el("div", { className: "cards" });
  main.replaceChildren(el("div", { className: "home" },
    el("h1", {}, "Which game?"),
    el("p", { className: "lead" }, "Play a perfect opponent, see which moves win and how soon, step back and try another."), grid));
  const last = memory.get("last");
  if (last?.sides) grid.append(el("a", { className: "card resume", href: last.link }, Board.thumbnail(last),
    el("div", {}, el("h2", {}, `Go on: ${last.title}`), el("p", {}, last.plies ? `${last.plies} moves played` : "just started"))));
  for (const family of await families()) grid.append(card(family));
}

/** @type {import("./types").Family[] | null} */ let known = null;
/** The games there are. @returns {Promise<import("./types").Family[]>} */
export const families = async () => (known ??= (await ask("games")).games);

/** @param {import("./types").Family} family */
function card(family) {
  const picture = el("div", { className: "thumb" });
  const link = el("a", { className: "button main" }, "Play");
  const other = el("input", { placeholder: family.usage.split(" ")[0], "aria-label": `Another ${family.title} spec: ${family.usage}`, hidden: true, spellcheck: false });
  const select = el("select", { "aria-label": `${family.title}: size and rules` },
    ...family.examples.map((e, i) => el("option", { value: String(i) }, e.title)), el("option", { value: "other" }, "Other…"));
  const choose = async () => {
    const example = family.examples[Number(select.value)];
    other.hidden = !!example;
    const spec = example?.game ?? other.value.trim();
    if (!spec) return other.focus();
    try {
      const info = example ?? { deal: (await ask("game", { game: spec })).start == null };
      const view = await ask("position", { game: spec, seed: info.deal ? 1 : null });
      picture.replaceChildren(Board.thumbnail(view));
      link.href = place(view.game, info.deal);
      link.setAttribute("aria-label", `Play ${view.title}`);
    } catch (e) {
      report(e);
    }
  };
  select.onchange = choose;
  other.onchange = choose;
  choose();
  const open = () => link.href && link.click();
  picture.onclick = open;
  return el("div", { className: "card" }, picture, el("div", {}, el("h2", {}, family.title), el("p", {}, family.about), el("div", { className: "pick" }, select, other, link)));
}

// What a small screen has no room for beside the game's name: another puzzle, the language, the colours, the keys and marks.

import { button, byId, el, memory } from "./api.js";
import { sheet } from "./sheet.js";
import { t } from "./words.js";

/** @param {import("./game").Game} game @param {(next: string) => void} theme @param {() => void} keys */
export function showMenu(game, theme, keys) {
  const languages = byId("lang");
  const choice = (/** @type {string} */ title, /** @type {[string, string][]} */ options, /** @type {string} */ now, /** @type {(value: string) => void} */ use) => {
    const select = el("select", { onchange: () => use(select.value) }, ...options.map(([value, text]) => el("option", { value, selected: value === now }, text)));
    return el("label", { className: "row2" }, el("span", {}, t(title)), select);
  };
  const act = (/** @type {string} */ title, /** @type {() => void} */ use) => button(t(title), () => (d.close(), use()));
  const d = sheet(t("menu"), [
    choice("language", [...languages.options].map((o) => [o.value, new Intl.DisplayNames([o.value], { type: "language" }).of(o.value) ?? o.value]), languages.value, (lang) => {
      d.close();
      languages.value = lang;
      languages.dispatchEvent(new Event("change"));
    }),
    choice("colours", ["auto", "light", "dark"].map((name) => [name, t(name)]), memory.get("theme", "auto"), theme),
    act("puzzleWhat", async () => (await import("./puzzle.js")).nextPuzzle(game)), act("keyboard", keys),
  ], "menu");
}

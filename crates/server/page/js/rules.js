// The rules of a game as a sheet: goal, a move in drawn steps, the end, notation. And the sheet of keys and marks.

import { ask, el, report, still } from "./api.js";
import { thumbnail } from "./board.js";
import { sheet } from "./sheet.js";
import { t, told } from "./words.js";

/** @param {import("./types").Game} info */
export async function showRules(info) {
  try {
    const drawn = /** @type {import("./types").Rules} */ (await ask("rules", { game: info.game })), said = (await told())[info.name];
    const rules = { ...drawn, ...said }, { steps: pictures } = drawn;
    const steps = pictures.map((s, i) => el("figure", { className: i ? "" : "on" }, thumbnail(s.svg), el("figcaption", {}, `${i + 1}. ${said?.steps[i] ?? s.text}`)));
    const part = (/** @type {string} */ title, /** @type {string} */ text) => (text ? [el("h3", {}, t(title)), ...text.split("\n\n").map((p) => el("p", {}, p.replaceAll("\x60", "")))] : []);
    const d = sheet(`${t("rules")}: ${rules.title}`, [...part("goal", rules.goal), ...(steps.length ? [el("h3", {}, t("aMove")), el("div", { className: "steps" }, ...steps)] : []), ...part("theEnd", rules.end), ...part("notation", rules.notation)], "rules");
    if (still() || steps.length < 2) return;
    let at = 0;
    const timer = setInterval(() => steps.forEach((s, i) => s.classList.toggle("on", i === at % steps.length), at++), 1600);
    d.addEventListener("close", () => clearInterval(timer));
  } catch (e) {
    report(e);
  }
}

export function showKeys() {
  const keys = [[t("arrows") + ", Enter", "keyPlay"], ["Esc", "keyEsc"], ["← →", "keyStep"], ["u", "keyUndo"], ["h", "keyHint"], ["a", "keyAnalysis"], ["w", "keyWhy"], ["r", "keyRules"], ["n", "keyNew"], ["b", "keyBoard"]];
  const marks = [["win", "▲ 7", t("moveWins", { n: 7 })], ["draw", "=", t("moveDraw")], ["loss", "▼ 4", t("moveLoses", { n: 4 })]];
  sheet(t("keyboard"), [
    el("dl", {}, ...keys.flatMap(([k, what]) => [el("dt", {}, el("kbd", {}, k)), el("dd", {}, t(what))])),
    el("h3", {}, t("marks")),
    el("dl", {}, ...marks.flatMap(([kind, sign, what]) => [el("dt", {}, el("b", { className: kind }, sign)), el("dd", {}, what)])),
    el("p", {}, t("exact")),
  ]);
}

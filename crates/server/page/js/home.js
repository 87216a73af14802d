// The games: those to play at once, those to study, what there is for programs; the game that was left, the puzzle of the day.

import { ask, el, families, memory, place, report } from "./api.js";
import { thumbnail } from "./board.js";
import { today } from "./puzzle.js";
import { chooser } from "./open.js";
import "./sheet.js";
import { API } from "./wire.js";
import { t } from "./words.js";

/** The games on the pictures: the same every time, and so many moves old. */
const SEED = 1, PLIES = 6;

/** @param {HTMLElement} main */
export async function home(main) {
  document.title = "Ludex";
  const last = memory.get("last");
  const section = (/** @type {string} */ title) => el("section", {}, el("h2", {}, t(title)), el("div", { className: "cards" }));
  const play = section("playNow"), study = section("students"), programs = section("programs");
  if (last?.svg) play.lastChild.append(el("a", { className: "card resume", href: last.link }, thumbnail(last.svg),
    el("div", {}, el("h3", {}, t("goOnWith", { title: last.title })), el("p", {}, last.plies ? t("played", { n: last.plies }) : t("just")))));
  for (const [title, what, href] of [...(API ? [["api", "apiWhat", API]] : []), ["python", "pythonWhat", ""], ["cli", "cliWhat", ""], ["book", "bookWhat", ""], ["own", "ownWhat", ""]])
    programs.lastChild.append(el(href ? "a" : "div", { className: "card", ...(href ? { href } : {}) }, el("div", {}, el("h3", {}, t(title)), el("p", {}, t(what)))));
  const games = await families();
  const seen = await Promise.all(games.map((f) => {
    const game = f.examples[0]?.game ?? f.name;
    return Promise.all([ask("random", { game, seed: SEED, plies: PLIES }), ask("rules", { game })].map((asked) => asked.catch(() => null)));
  }));
  games.forEach((f, i) => (f.for_newcomers ? play : study).lastChild.append(card(f, seen[i][1]?.title ?? f.title, seen[i][0])));
  study.lastChild.append(el("div", { className: "card" }, el("div", {}, el("h3", {}, t("openTitle")), el("p", {}, t("openWhat")), el("div", { className: "buttons" }, chooser(null)))));
  main.replaceChildren(el("div", { className: "home" }, el("h1", {}, t("which")), el("p", { className: "lead" }, t("lead")), play, study, programs));
}

/** @param {import("./types").Family} family @param {string} title @param {import("./types").Position | null} view a game that is under way */
function card(family, title, view) {
  const picture = el("div", { className: "thumb" }, ...(view ? [thumbnail(view.svg)] : []));
  const link = el("a", { className: "button main" }, t("play"));
  const riddle = el("a", { className: "button" }, t("ofTheDay"));
  const other = el("input", { placeholder: family.usage.split(" ")[0], "aria-label": t("otherSpec", { title: family.title, usage: family.usage }), hidden: true, spellcheck: false });
  const select = el("select", { "aria-label": t("size", { title: family.title }) },
    ...family.examples.map((e, i) => el("option", { value: String(i) }, e.title)), el("option", { value: "other" }, t("other")));
  const go = (/** @type {{game: string, title: string, deal: boolean}} */ e) => {
    link.href = place(e.game, e.deal);
    link.setAttribute("aria-label", `${t("play")} ${e.title}`);
    riddle.href = place(e.game, e.deal, { puzzleOf: today() });
    riddle.setAttribute("aria-label", `${t("ofTheDay")}: ${e.title}`);
  };
  const choose = async () => {
    const example = family.examples[Number(select.value)];
    other.hidden = !!example;
    const spec = example?.game ?? other.value.trim();
    if (!spec) return other.focus();
    try {
      const info = example ?? (await ask("game", { game: spec }));
      go({ game: info.game, title: info.title, deal: example ? example.deal : /** @type {any} */ (info).start == null });
    } catch (e) {
      report(e);
    }
  };
  select.onchange = choose;
  other.onchange = choose;
  if (family.examples[0]) go(family.examples[0]);
  picture.onclick = () => link.click();
  return el("div", { className: "card" }, picture, el("div", {}, el("h3", {}, title), el("p", {}, family.about), el("div", { className: "pick" }, select, other), el("div", { className: "pick" }, link, riddle)));
}

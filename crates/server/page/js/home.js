// The games: those to play at once, those to study, what there is for programs; the game that was left, the puzzle of the day.

import { ask, el, families, memory, place, report } from "./api.js";
import { thumbnail } from "./board.js";
import { today } from "./puzzle.js";
import { chooser } from "./open.js";
import "./sheet.js";
import { API } from "./wire.js";
import { t, told } from "./words.js";

/** The games on the pictures: the same every time, and so many moves old. */
const SEED = 1, PLIES = 6;

/** Where the source and the book are. */
const SOURCE = "https://github.com/ludex/ludex";
/** A page of the book. @param {string} name */
const page = (name) => `${SOURCE}/blob/main/docs/src/${name}.md`;

/** @param {HTMLElement} main */
export async function home(main) {
  document.title = "Ludex";
  const last = memory.get("last");
  const section = (/** @type {string} */ title) => el("section", {}, el("h2", {}, t(title)), el("div", { className: "cards" }));
  const play = section("playNow"), study = section("students"), programs = section("programs"), puzzles = section("puzzles");
  if (last?.svg) play.lastChild.append(el("a", { className: "card resume", href: last.link }, thumbnail(last.svg),
    el("div", {}, el("h3", {}, t("goOnWith", { title: last.title })), el("p", {}, last.plies ? t("played", { n: last.plies }) : t("just")))));
  const facts = (/** @type {string} */ title, /** @type {string} */ what, /** @type {string} */ href) => el("a", { className: "card", href }, el("div", {}, el("h3", {}, t(title)), el("p", {}, t(what))));
  for (const [title, what, href] of [...(API ? [["api", "apiWhat", API]] : []), ["book", "bookWhat", page("introduction")], ["python", "pythonWhat", page("python")], ["cli", "cliWhat", page("cli")], ["download", "downloadWhat", `${SOURCE}/releases`]])
    programs.lastChild.append(facts(title, what, href));
  const games = await families();
  const seen = await Promise.all(games.map((f) => {
    const game = f.examples[0]?.game ?? f.name;
    return Promise.all([ask("random", { game, seed: SEED, plies: PLIES }), ask("rules", { game })].map((asked) => asked.catch(() => null)));
  }));
  const said = await told();
  games.forEach((f, i) => {
    const rules = said[f.name] ?? seen[i][1];
    (f.for_newcomers ? play : study).lastChild.append(card(f, rules?.title ?? f.title, rules?.goal ?? f.about, seen[i][0]));
  });
  puzzles.lastChild.append(riddles(games));
  study.append(el("div", { className: "cards" }, el("div", { className: "card" }, el("div", {}, el("h3", {}, t("openTitle")), el("p", {}, t("openWhat")), el("div", { className: "buttons" }, chooser(null)))), facts("own", "ownWhat", page("own-game"))));
  main.replaceChildren(el("div", { className: "home" }, el("h1", {}, t("which")), el("p", { className: "lead" }, t("lead")), play, puzzles, study, programs));
}

/** Puzzles as a mode: of which game, that of the day or any. @param {import("./types").Family[]} games */
function riddles(games) {
  const select = el("select", { "aria-label": t("game") }, ...games.flatMap((f) => f.examples.slice(0, 1)).map((e) => el("option", { value: e.game, selected: e.game === memory.get("puzzles") }, e.title)));
  const day = el("a", { className: "button main" }, t("ofTheDay")), any = el("a", { className: "button" }, t("anyPuzzle"));
  const go = () => {
    memory.set("puzzles", select.value);
    day.href = place(select.value, false, { puzzleOf: today() });
    any.href = place(select.value, false, { puzzleOf: "any" });
  };
  select.onchange = go;
  go();
  const streak = memory.get("streak", 0);
  return el("div", { className: "card riddles" }, el("div", {}, el("h3", {}, t("findIt")), el("p", {}, t("findWhat") + (streak ? ` ${t("streak", { n: streak })}.` : ""))), el("div", { className: "pick" }, select, day, any));
}

/** @param {import("./types").Family} family @param {string} title @param {string} about @param {import("./types").Position | null} view a game that is under way */
function card(family, title, about, view) {
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
  return el("div", { className: "card" }, picture, el("div", {}, el("h3", {}, title), el("p", {}, about), el("div", { className: "pick" }, select, other), el("div", { className: "pick" }, link, riddle)));
}

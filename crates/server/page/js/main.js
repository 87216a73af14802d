// Where the page begins: the address says which game, which position, which moves.

import { ask, byId, el, families, Fault, memory, place, report, sentences } from "./api.js";
import { begin, Game } from "./game.js";
import { EMBED } from "./wire.js";
import { speak, spoken, t } from "./words.js";

/** @type {Game | null} */ let game = null;
let asked = 0;

/** Show what the address says. @param {boolean} live whether engines may move at once: not if the address came from elsewhere */
async function route(live) {
  const turn = ++asked;
  game?.stop();
  const url = new URLSearchParams(location.search);
  const spec = url.get("game"), main = byId("main");
  if (!spec) shown(false);
  try {
    if (!spec) {
      game = null;
      await spoken;
      return await (await import("./home.js")).home(main);
    }
    if (url.has("puzzleOf")) {
      const p = await (await import("./puzzle.js")).asked(spec, url.get("puzzleOf") ?? "");
      if (turn !== asked) return;
      history.replaceState(null, "", p ? place(p.game, false, { position: p.position, puzzle: String(p.plies) }) : "./");
      return route(live);
    }
    const { moves, at, start } = begin(spec, url);
    const view = ask("position", { ...start, play: moves.slice(0, at).join(" ") }).catch((e) => {
      // A game that begins with a deal and has none is dealt one.
      if (e instanceof Fault && e.code === "no_start" && !moves.length) return ask("position", { game: spec, seed: 1 }).then((v) => (url.set("seed", "1"), v));
      throw e;
    });
    const [info, first] = await Promise.all([ask("game", { game: spec }), view]);
    if (turn !== asked) return;
    shown(true);
    byId("title").textContent = info.title;
    byId("games").replaceChildren(el("option", {}, info.title));
    const proof = url.has("proof") ? await (await import("./proof.js")).proofOf(url).catch(report) : null;
    if (turn !== asked) return;
    game = new Game(main, info, url, url.has("puzzle") ? await import("./puzzle.js") : null, proof ?? null);
    await game.open(url, first, live);
    const others = (await families()).map((f) => el("optgroup", { label: f.title }, ...f.examples.filter((e) => e.game !== info.game).map((e) => el("option", { value: place(e.game, e.deal) }, e.title))));
    byId("games").replaceChildren(el("option", {}, info.title), ...others);
  } catch (e) {
    if (turn !== asked) return;
    if (!(e instanceof Error)) throw e;
    game = null;
    await import("./sheet.js");
    shown(false);
    main.replaceChildren(el("div", { className: "home" }, el("h1", {}, t("wrong")),
      el("p", { className: "lead" }, e instanceof Fault ? sentences(e).join(" ") : e.message), el("a", { className: "button main", href: "./" }, t("allGames"))));
    if (!(e instanceof Fault)) throw e;
  }
}

/** Show what belongs to a game, or hide it. @param {boolean} on */
function shown(on) {
  for (const id of ["crumb", "rules", "share", "menu", "title"]) byId(id).hidden = !on;
}

function theme(next = memory.get("theme", "auto")) {
  document.documentElement.dataset.theme = next;
  memory.set("theme", next);
  byId("theme").title = `${t("colours")}: ${t(next)}`;
}

/** Put the texts of the language into what the page has from the beginning. */
async function language() {
  const lang = memory.get("lang", navigator.language.slice(0, 2));
  await speak(lang);
  byId("lang").value = document.documentElement.lang;
  byId("lang").setAttribute("aria-label", t("language"));
  for (const e of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-t]"))) e.textContent = t(e.dataset.t ?? "");
  for (const e of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-label]"))) {
    e.title = t(e.dataset.label ?? "");
    e.setAttribute("aria-label", e.title);
  }
  theme();
}

byId("theme").onclick = () => {
  const all = ["auto", "light", "dark"];
  theme(all[(all.indexOf(memory.get("theme", "auto")) + 1) % 3]);
};
byId("lang").onchange = async () => {
  memory.set("lang", byId("lang").value);
  await language();
  route(false);
};
byId("games").onchange = () => {
  history.pushState(null, "", byId("games").value);
  route(true);
};
const showKeys = async () => (await import("./rules.js")).showKeys();
byId("help").onclick = showKeys;
byId("menu").onclick = async () => game && (await import("./menu.js")).showMenu(game, theme, showKeys);
byId("rules").onclick = () => game?.rules();
byId("share").onclick = async () => game && (await import("./share.js")).showShare(game);

for (const skip of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".skip"))) skip.onclick = (e) => {
  if (!game) return;
  e.preventDefault();
  game.board.focus();
};

/** @param {(open: typeof import("./open")) => unknown} use */
const open = (use) => import("./open.js").then(use).catch(report);
addEventListener("dragover", (e) => e.preventDefault());
addEventListener("drop", (e) => {
  const file = e.dataTransfer?.files[0];
  e.preventDefault();
  if (file) open((o) => o.openFile(file, game));
});
addEventListener("paste", (e) => {
  const text = e.clipboardData?.getData("text");
  if (text && !typing(e)) open((o) => o.paste(text, game));
});

addEventListener("beforeprint", () => game?.panels.history(true));
addEventListener("popstate", () => route(false));
addEventListener("route", () => route(true));
addEventListener("pagehide", () => game?.stop());
addEventListener("click", (e) => {
  const a = /** @type {Element} */ (e.target).closest?.("a[href]");
  if (!(a instanceof HTMLAnchorElement) || a.origin !== location.origin || a.pathname !== location.pathname || a.hash || a.download || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
  e.preventDefault();
  history.pushState(null, "", a.href);
  route(!a.classList.contains("resume"));
  byId("main").focus({ preventScroll: true });
  scrollTo(0, 0);
});
/** @param {Event} e */
const typing = (e) => /** @type {Element} */ (e.target).closest?.("input, textarea, select, dialog");
addEventListener("keydown", (e) => {
  if (typing(e) || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "?") showKeys();
  else game?.key(e);
});

document.documentElement.dataset.theme = memory.get("theme", "auto");
if (location.pathname.endsWith(`/${EMBED}`)) document.body.classList.add("embed");
// Questions are asked while the texts are on their way; answers wait for them.
language().catch(report);
route(false).catch(report);

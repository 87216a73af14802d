// Where the page begins: the address says which game, which position, which moves.

import { ask, byId, el, memory, report } from "./api.js";
import { Game } from "./game.js";
import { families, home, place } from "./home.js";

/** @type {Game | null} */ let game = null;

async function route() {
  game?.stop();
  game = null;
  const url = new URLSearchParams(location.search);
  const spec = url.get("game");
  const main = byId("main");
  byId("crumb").hidden = !spec;
  try {
    if (!spec) return await home(main);
    const info = await ask("game", { game: spec });
    byId("title").textContent = info.title;
    const others = (await families()).map((f) => el("optgroup", { label: f.title }, ...f.examples.filter((e) => e.game !== info.game).map((e) => el("option", { value: place(e.game, e.deal) }, e.title))));
    byId("games").replaceChildren(el("option", {}, info.title), ...others);
    if (info.start == null && !url.has("position") && !url.has("seed")) url.set("seed", "1");
    game = new Game(main, info, url);
    await game.open(url);
  } catch (e) {
    report(e);
    const { hint = "" } = /** @type {any} */ (e);
    if (e instanceof Error) main.replaceChildren(el("div", { className: "home" }, el("h1", {}, "That did not work"),
      el("p", { className: "lead" }, `${e.message}. ${hint}`), el("a", { className: "button main", href: "/" }, "All games")));
  }
}

function theme(next = memory.get("theme", "auto")) {
  document.documentElement.dataset.theme = next;
  memory.set("theme", next);
  byId("theme").title = `Colours: ${next === "auto" ? "as the system" : next}`;
}

byId("theme").onclick = () => {
  const all = ["auto", "light", "dark"];
  theme(all[(all.indexOf(memory.get("theme", "auto")) + 1) % 3]);
};
byId("games").onchange = () => {
  history.pushState(null, "", byId("games").value);
  route();
};
byId("help").onclick = () => byId("shortcuts").showModal();

addEventListener("popstate", route);
addEventListener("pagehide", () => game?.stop());
addEventListener("click", (e) => {
  const a = /** @type {Element} */ (e.target).closest?.("a[href]");
  if (!(a instanceof HTMLAnchorElement) || a.origin !== location.origin || a.pathname !== "/" || a.hash || a.download || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
  e.preventDefault();
  history.pushState(null, "", a.href);
  route();
  byId("main").focus();
});
addEventListener("keydown", (e) => {
  const typing = /** @type {Element} */ (e.target).closest?.("input, textarea, select, dialog");
  if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "?") byId("shortcuts").showModal();
  else game?.key(e);
});

theme();
route();

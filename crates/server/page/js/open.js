// What comes from elsewhere: certificates, records, moves, games of other programs; as a file, dropped, or pasted.

import { address, ask, button, el, post, report, toast } from "./api.js";
import { more, t } from "./words.js";

await more();

/** A game as text is never longer. */
const LONGEST = 100_000;

/** Show what an address says. @param {Record<string, string | null>} query */
export function visit(query) {
  const known = /** @type {[string, string][]} */ (Object.entries(query).filter(([, v]) => v));
  history.pushState(null, "", address(new URLSearchParams(known)));
  dispatchEvent(new CustomEvent("route"));
}

/** A button that lets a file be chosen. @param {import("./game").Game | null} game */
export function chooser(game) {
  const input = el("input", { type: "file", accept: ".ludex,.txt,.sgf", hidden: true, onchange: () => input.files[0] && openFile(input.files[0], game) });
  return el("span", {}, button(t("openFile"), () => input.click(), { title: t("openWhat") }), input);
}

/** @param {File} file @param {import("./game").Game | null} game */
export async function openFile(file, game) {
  if ((await file.slice(0, 18).text()).startsWith("ludex certificate")) return (await import("./proof.js")).open(file);
  if (file.size > LONGEST) return toast(t("badFile"), t("openWhat"));
  return paste(await file.text(), game);
}

/** Take a record of ours, a game of another program, or moves from the start of the game that is shown. @param {string} text @param {import("./game").Game | null} game */
export async function paste(text, game) {
  const players = "human,human";
  const line = (/** @type {string} */ key) => new RegExp(`^${key}:[ \\t]*(.*)$`, "m").exec(text)?.[1].trim() ?? null;
  const ours = line("ludex-game") != null;
  try {
    if (/:\/\/|^\s*\(;/.test(text)) {
      const found = await post("import", { text });
      return visit({ game: found.game, moves: found.moves.join(" "), players });
    }
    const spec = (ours && line("spec")) || game?.info.game;
    if (!spec) return toast(t("badFile"), t("openWhat"));
    const position = ours ? line("start") : null;
    const same = spec === game?.info.game && !position && !ours ? game : null;
    let moves = (ours ? line("moves") ?? "" : text).split(/[\s,;]+(?:\d+\.)?/).filter(Boolean);
    // A word that is no move may be a game written without spaces, such as 4453.
    if (!ours && moves.length === 1 && !game?.root.view?.moves.some((m) => m.move === moves[0])) moves = [...moves[0]];
    const start = same ? { position: same.start?.position, seed: same.start?.seed } : { position };
    await ask("position", { ...start, game: spec, play: moves.join(" ") });
    visit({ game: spec, position: start.position ?? null, seed: same?.seed ?? null, moves: moves.join(" "), players });
  } catch (e) {
    report(e);
  }
}

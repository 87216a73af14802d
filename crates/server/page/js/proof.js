// A certificate on the board: it plays its side, you try every reply, and it says why it holds.

import { ask, button, el, memory, report, say } from "./api.js";
import { save } from "./share.js";
import { visit } from "./open.js";
import { count, sentence, t } from "./words.js";

/** @typedef {import("./types").Walk} Walk */

/** The file that is open, and what it is called. @type {{file: Blob, name: string, walk: Walk} | null} */ let opened = null;

/** Check a file, and say what it does after moves. @param {Blob} file @param {number} [claim] @param {string} [play] @returns {Promise<Walk>} */
const walk = (file, claim, play) => ask("certificate", { claim, play }, { method: "POST", headers: { "content-type": "application/octet-stream" }, body: file });

/** Open a certificate, if it is one. @param {Blob} file @param {string} [name] */
export async function open(file, name = /** @type {File} */ (file).name) {
  try {
    opened = { file, name, walk: await walk(file) };
    keep(file, name);
    visit({ game: opened.walk.game, position: opened.walk.start, proof: "1" });
  } catch (e) {
    report(e);
  }
}

/** Remember the file until the window is closed, for a reload. @param {Blob} file @param {string} name */
async function keep(file, name) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    sessionStorage.setItem("ludex.proof", JSON.stringify([name, btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""))]));
  } catch {
    // Too large for the browser: then it is opened again by hand.
  }
}

/** Prove what a position is worth. @param {string} game @param {string} position @returns {Promise<Blob>} */
async function prove(game, position) {
  const answer = await ask("certificate", { game, position }, {}, true);
  return answer.blob();
}

/** Prove the position that is shown, and play against the proof. @param {import("./game").Game} game */
export async function proveHere(game) {
  const view = game.here.view;
  if (!view) return;
  game.bar.say(t("proving"));
  try {
    await open(await prove(view.game, view.position), `${game.info.name}.ludex`);
  } catch (e) {
    report(e);
  }
  game.bar.say("");
}

/** The proof of the address: the file that was opened, or one made for the position. An address leaves out the start of a game. @param {URLSearchParams} url */
export async function proofOf(url) {
  const game = url.get("game") ?? "", position = url.get("position") ?? "";
  const is = (/** @type {Walk} */ w) => (w.start === position || !position) && (w.game === game || !game);
  if (!opened || !is(opened.walk)) {
    const kept = sessionStorage.getItem("ludex.proof");
    if (kept) {
      const [name, text] = JSON.parse(kept);
      const file = new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]);
      opened = { file, name, walk: await walk(file) };
    }
  }
  if (!opened || !is(opened.walk)) {
    const file = await prove(game, position);
    opened = { file, name: `${game.split(":")[0]}.ludex`, walk: await walk(file) };
  }
  const claim = Number(url.get("proof")) || 1;
  return new Proof(opened.file, opened.name, claim > 1 ? await walk(opened.file, claim) : opened.walk);
}

export class Proof {
  /** @param {Blob} file @param {string} name @param {Walk} first */
  constructor(file, name, first) {
    this.file = file;
    this.name = name;
    this.first = first;
    /** @type {import("./game").Game | null} */ this.game = null;
    this.said = el("p", { role: "status" });
    this.rule = el("p", { className: "small" });
    const claims = first.said.map(sentence).map((text, i) => i + 1 === first.claim ? el("p", { className: `words ${first.claimant}` }, text)
      : button(text, () => this.game?.restart({ position: first.start, proof: i + 1 }), { className: "quiet point" }));
    this.card = el("section", { className: "panel proof", "aria-label": t("proof") },
      el("div", { className: "head" }, el("h2", {}, t("proof")), el("span", { className: "win" }, t("checked"))),
      ...claims, this.said, this.rule,
      el("details", {}, el("summary", {}, t("aboutFile")), el("p", { className: "small" }, t("proofSize", { moves: count(first.moves), leaves: count(first.leaves), positions: count(first.positions), bytes: count(first.bytes) })), el("p", { className: "small digest" }, `sha256 ${first.sha256}`)),
      el("div", { className: "buttons" }, button(t("saveProof"), () => save(this.file, this.name)), button(t("leave"), () => this.game?.restart({ position: first.start, players: "human,human" }))));
  }

  /** Who plays: the proof, and you against it. */
  players() {
    if (this.first.level !== "strategy") return ["human", "human"];
    return this.first.claimant === "first" ? ["proof", "human"] : ["human", "proof"];
  }

  /** What the file says of a step. @param {import("./tree").Step} s @returns {Promise<Walk>} */
  async at(s) {
    const known = /** @type {any} */ (s);
    known.walk ??= s.depth ? walk(this.file, this.first.claim, s.moves().join(" ")) : Promise.resolve(this.first);
    return known.walk;
  }

  /** The move of the proof. @param {import("./tree").Step} s */
  async choice(s) {
    return { move: (await this.at(s)).reply, certain: true };
  }

  /** Say why the claim holds, and mark the cells. @param {import("./tree").Step} s */
  async show(s) {
    const { game } = this;
    try {
      const w = await this.at(s);
      if (!game || game.here !== s) return;
      this.said.textContent = sentence(w.reason);
      this.rule.textContent = w.rule ? t("byRule", { rule: w.rule }) : "";
      say(this.said.textContent);
      if (w.rule && w.to_move !== w.claimant || w.settled) {
        game.board.point(w.reason.cells.filter((c) => this.is_free(c)), "about");
        game.board.pairs(/** @type {[string, string][]} */ (w.reason.pairs.filter((p) => p.every((c) => this.is_free(c)))));
      }
      this.card.dataset.about = s.view?.position;
    } catch (e) {
      report(e);
    }
  }

  /** Whether nothing stands on a cell yet. @param {string} name */
  is_free(name) {
    const e = this.game?.board.spots.get(name);
    return !!e && !e.hasAttribute("data-holds");
  }
}

// Set up any position: choose a symbol, click cells; the server says what is still wrong with it.

import { ask, el, Fault, sentences } from "./api.js";
import { thumbnail } from "./board.js";
import "./sheet.js";
import { t } from "./words.js";

export class Editor {
  /** @param {import("./game").Game} game */
  constructor(game) {
    this.game = game;
    this.layout = game.info.layout;
    this.brush = this.layout?.symbols[1]?.symbol ?? "";
    this.text = el("textarea", { rows: 2, spellcheck: false, "aria-label": t("text"), oninput: () => this.read() });
    this.side = el("select", { "aria-label": t("sideToMove"), onchange: () => this.check() },
      el("option", { value: "" }, t("asBoard")), ...game.info.sides.map((s, i) => el("option", { value: i ? "second" : "first" }, s)));
    this.palette = el("div", { className: "buttons", role: "group", "aria-label": t("toSet") });
    this.grid = el("div", { className: "grid", role: "group", "aria-label": t("cells") });
    this.fault = el("p", { className: "fault", role: "status" });
    this.picture = el("div", { className: "preview" });
    this.use = el("button", { type: "button", className: "main", onclick: () => this.take() }, t("playFrom"));
    this.dialog = el("dialog", { className: "editor", "aria-label": t("setUp") },
      el("h2", {}, t("setUp")),
      el("div", { className: "columns" }, el("div", {}, this.palette, this.grid), this.picture),
      this.text, el("label", { className: "row2" }, t("sideToMove"), this.side), this.fault,
      el("div", { className: "buttons" }, this.use,
        el("button", { type: "button", onclick: () => this.clear() }, t("clear")),
        el("button", { type: "button", onclick: () => this.dialog.close() }, t("cancel"))));
  }

  open() {
    document.body.append(this.dialog);
    this.dialog.addEventListener("close", () => this.dialog.remove());
    const text = this.game.here.view?.position ?? "";
    const side = / (first|second)$/.exec(text);
    this.text.value = side ? text.slice(0, side.index) : text;
    this.side.value = side?.[1] ?? "";
    this.read();
    this.dialog.showModal();
  }

  /** The board text as rows of symbols, or null if it is none. @returns {string[][] | null} */
  tokens() {
    if (!this.layout) return null;
    const symbols = this.layout.symbols.map((s) => s.symbol).sort((a, b) => b.length - a.length);
    const rows = this.text.value.trim().split("/").map((/** @type {string} */ row) => {
      const out = [];
      for (let rest = row; rest; ) {
        const s = symbols.find((s) => rest.startsWith(s)) ?? symbols.find((s) => rest.toLowerCase().startsWith(s.toLowerCase()));
        if (!s) return null;
        out.push(s);
        rest = rest.slice(s.length);
      }
      return out;
    });
    const fits = rows.length === this.layout.rows.length && rows.every((/** @type {string[] | null} */ r, /** @type {number} */ i) => r?.length === this.layout?.rows[i].length);
    return fits ? rows : null;
  }

  read() {
    const rows = this.tokens();
    this.palette.replaceChildren(...(this.layout?.symbols ?? []).map((s) =>
      el("button", { type: "button", "aria-pressed": String(s.symbol === this.brush), title: s.what, onclick: () => ((this.brush = s.symbol), this.read()) }, el("code", {}, s.symbol), ` ${s.what}`)));
    this.grid.replaceChildren(...(rows ?? []).map((row, r) => el("div", { className: "gridrow" }, ...row.map((symbol, c) =>
      el("button", { type: "button", className: "gridcell", "aria-label": `${this.layout?.rows[r][c]}: ${symbol}`, onclick: () => this.set(rows ?? [], r, c) }, symbol === this.layout?.symbols[0].symbol ? "·" : symbol)))));
    this.check();
  }

  /** @param {string[][]} rows @param {number} r @param {number} c */
  set(rows, r, c) {
    rows[r][c] = rows[r][c] === this.brush ? this.layout?.symbols[0].symbol ?? "" : this.brush;
    this.text.value = rows.map((row) => row.join("")).join("/");
    this.read();
    /** @type {HTMLElement} */ (this.grid.children[r].children[c]).focus();
  }

  clear() {
    if (this.layout) this.text.value = this.layout.rows.map((row) => (this.layout?.symbols[0].symbol ?? "").repeat(row.length)).join("/");
    else this.text.value = this.game.info.start ?? "";
    this.read();
  }

  whole() {
    return `${this.text.value.trim()} ${this.side.value}`.trim();
  }

  /** Ask the server whether this is a position. */
  async check() {
    const text = this.whole();
    try {
      const view = await ask("position", { game: this.game.info.game, position: text });
      if (text !== this.whole()) return;
      this.picture.replaceChildren(thumbnail(view.svg));
      this.fault.textContent = "";
      this.use.disabled = false;
    } catch (e) {
      if (!(e instanceof Fault) || text !== this.whole()) return;
      this.fault.textContent = sentences(e).join(" ");
      this.use.disabled = true;
    }
  }

  take() {
    this.dialog.close();
    this.game.restart({ position: this.whole() });
  }
}

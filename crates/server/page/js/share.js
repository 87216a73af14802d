// Share a game: its link, a picture, a drawing, the record, and a frame for somebody's own page.

import { button, el, say, toast } from "./api.js";
import { sheet } from "./sheet.js";
import { API, EMBED } from "./wire.js";
import { t } from "./words.js";

/** Hand a file to the browser. @param {Blob} file @param {string} name */
export function save(file, name) {
  const a = el("a", { href: URL.createObjectURL(file), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

/** A drawing as a picture of pixels. @param {string} svg @returns {Promise<Blob>} */
async function pixels(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const scale = Math.max(1, 1000 / image.width), margin = 16;
  const canvas = el("canvas", { width: image.width * scale + 2 * margin, height: image.height * scale + 2 * margin });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#FFFFFF";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, margin, margin, image.width * scale, image.height * scale);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** The game as a record that `ludex replay` reads. @param {import("./game").Game} game */
function record({ here, start, info, players }) {
  const line = here.line(), over = line.at(-1)?.view?.over, from = start?.text;
  const rows = ["ludex-game: 1", `spec: ${info.game}`, `first: ${players[0]}`, `second: ${players[1]}`];
  if (from !== info.start) rows.push(`start: ${from}`);
  rows.push(`moves: ${line.slice(1).map((s) => s.move).join(" ")}`, `result: ${!over ? "unfinished" : over.winner ? over.winner + " wins" : "draw"}`);
  if (over?.why) rows.push(`reason: ${over.why}`);
  return rows.join("\n") + "\n";
}

/** @param {import("./game").Game} game */
export function showShare(game) {
  const name = game.info.name, svg = game.here.view?.svg ?? "";
  const link = location.origin + game.link();
  const frame = `<iframe src="${link.replace(/[^/]*\?/, `${EMBED}?`)}" width="480" height="560" title="${game.info.title}"></iframe>`;
  const line = (/** @type {string} */ title, /** @type {string} */ text, /** @type {string} */ label) => el("div", { className: "copy" },
    el("input", { value: text, readOnly: true, "aria-label": title, onfocus: (/** @type {any} */ e) => e.target.select() }),
    button(t("copy"), () => navigator.clipboard.writeText(text).then(() => (toast(t("copied")), say(t("copied"))), () => toast(t("noCopy"), t("selectIt"))), { "aria-label": `${t("copy")}: ${label}` }));
  sheet(t("share"), [
    el("h3", {}, t("link")), line(t("link"), link, t("link")),
    el("div", { className: "buttons" },
      button(t("png"), async () => save(await pixels(svg), `${name}.png`)),
      button(t("svg"), () => save(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`)),
      button(t("record"), () => save(new Blob([record(game)], { type: "text/plain" }), `${name}.txt`))),
    el("h3", {}, t("embed")), ...(API ? [el("p", { className: "small" }, t("embedWhat"))] : []), line(t("embed"), frame, t("embed")),
  ]);
}

// A sheet over the page. Whoever imports this has the styles of what comes with a click.

import { button, el } from "./api.js";
import { more, t } from "./words.js";

await more();

await new Promise((done) => document.head.append(el("link", { rel: "stylesheet", href: "more.css", onload: done, onerror: done })));

/** A sheet over the page, closed by Esc, its button or a click beside it. @param {string} title @param {(Node | string)[]} content @param {string} [kind] */
export function sheet(title, content, kind = "") {
  const d = el("dialog", { className: "sheet " + kind, "aria-label": title },
    el("div", { className: "head" }, el("h2", {}, title), button("✕", () => d.close(), { className: "quiet icon", "aria-label": t("close") })), ...content);
  d.addEventListener("click", (/** @type {Event} */ e) => e.target === d && d.close());
  d.addEventListener("close", () => d.remove());
  document.body.append(d);
  d.showModal();
  return d;
}

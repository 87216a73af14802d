// What every file of browser tests begins with: a server and a browser of its own, a way to open pages and to be done with
// them, and a look at them through axe.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before } from "node:test";
import { openPage, startBrowser, startServer } from "./browser.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What runs while the tests of a file do. @type {{server: any, browser: any}} */
export const stage = { server: null, browser: null };
before(async () => {
  stage.server = await startServer();
  stage.browser = await startBrowser();
});
after(async () => {
  await stage.browser?.close();
  assert.equal(await stage.server?.stop(), 0, "the server stops cleanly");
});

/** Open a page of the server. */
export const open = (path, options) => openPage(stage.browser, stage.server.address, path, options);

/** Close a page on which nothing went wrong, but for answers that were expected to be refusals. */
export async function done(page, ...refused) {
  assert.deepEqual(page.faults.filter((fault) => !refused.some((status) => fault.includes(status))), []);
  await page.context().close();
}

/** What the server answers to a question. */
export const api = async (path) => (await fetch(`${stage.server.api}/api/v1/${path}`)).json();

/** The texts of a language, as they are served. */
export const texts = async (name) => (await import(`data:text/javascript,${encodeURIComponent(await (await fetch(`${stage.server.address}/lang/${name}.js`)).text())}`)).default;

/** Axe finds nothing wrong. */
export async function accessible(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  assert.deepEqual(violations.map((v) => `${what}: ${v.id}: ${v.nodes.map((n) => n.html).slice(0, 3).join(" ")}`), []);
}

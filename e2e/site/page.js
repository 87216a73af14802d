// The page that needs no server: below any path, without a network, installed, and what a server would have is not offered.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { clickMove, myTurn, openPage, positionIs, SITE, startBrowser } from "../browser.js";
import { startHost } from "./host.js";

let browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser?.close());

const kept = (page) => page.evaluate(async () => {
  await navigator.serviceWorker.ready;
  for (const name of await caches.keys()) if ((await (await caches.open(name)).keys()).length > 20) return true;
  return false;
});

test("it works below any path, and its links stay there", async () => {
  const host = await startHost({ "/a/b c/": SITE });
  const page = await openPage(browser, host.address, "/a/b%20c/");
  await page.getByRole("link", { name: /^Play Tic-tac-toe/ }).click();
  await myTurn(page);
  await clickMove(page);
  assert.equal(new URL(page.url()).pathname, "/a/b%20c/");
  await page.getByRole("button", { name: "Share" }).click();
  assert.match(await page.getByRole("textbox", { name: "For your page" }).inputValue(), /\/a\/b%20c\/embed\.html\?game=mnk/);
  assert.ok(!/--embed/.test(await page.locator(".sheet").innerText()), "there is no server to be told");
  const framed = await openPage(browser, host.address, "/a/b%20c/embed.html?game=connect4&moves=4+4");
  await framed.waitForSelector("body.embed .board svg");
  assert.deepEqual([...page.faults, ...framed.faults], []);
  await page.context().close();
  await framed.context().close();
  await host.stop();
});

test("after the first visit no network is needed: other games, other languages, analysis, engines", async () => {
  const host = await startHost({ "/": SITE });
  const page = await openPage(browser, host.address, "/?game=mnk:3,3,3");
  await page.waitForSelector(".board .target");
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  assert.ok(await kept(page), "everything is kept");
  await host.stop();
  await page.goto(`${host.address}/`);
  await page.waitForSelector(".cards .thumb svg");
  await page.goto(`${host.address}/?game=connect4&moves=4+4+5&players=human,human`);
  await page.getByRole("button", { name: /Analysis/ }).or(page.getByRole("switch", { name: /Analysis/ })).first().click();
  await page.waitForFunction(() => /Yellow wins, 19 moves each/.test(document.querySelector(".verdict")?.textContent ?? ""));
  await page.locator("#lang").selectOption("de");
  await page.waitForFunction(() => document.documentElement.lang === "de");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a new version takes the place of the old one", async () => {
  const host = await startHost({ "/": SITE });
  const page = await openPage(browser, host.address, "/");
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  assert.ok(await kept(page));
  const names = () => page.evaluate(async () => (await caches.open("somebody else's"), caches.keys()));
  const [old] = (await names()).filter((n) => n.startsWith("ludex"));
  host.change("sw.js", (text) => text.replace(/VERSION = ".*"/, 'VERSION = "next"'));
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  for (let tries = 0; tries < 300 && (await names()).includes(old); tries++) await page.waitForTimeout(100);
  assert.deepEqual((await names()).map((n) => n.split(" ").at(-1)).sort(), ["else's", "next"]);
  await page.context().close();
  await host.stop();
});

test("what needs a server is not offered", async () => {
  const host = await startHost({ "/": SITE });
  const page = await openPage(browser, host.address, "/");
  await page.waitForSelector(".cards .thumb svg");
  assert.equal(await page.locator("a[href$=api], a[href*=farm]").count(), 0);
  await page.context().close();
  await host.stop();
});

test("a search is cancelled by ending its worker, and what is known stays", async () => {
  const host = await startHost({ "/": SITE });
  const page = await openPage(browser, host.address, "/?game=nex:6x6&players=human,human", { settings: { analysis: true } });
  await page.waitForFunction(() => /Searching: .*positions/.test(document.querySelector(".busy span")?.textContent ?? ""));
  await page.locator(".busy").getByRole("button").first().click();
  await page.waitForFunction(() => !/Searching/.test(document.querySelector(".busy span")?.textContent ?? ""));
  const before = await page.evaluate(() => document.querySelector("#page-position textarea")?.value);
  await clickMove(page);
  await positionIs(page, before, false);
  assert.deepEqual(page.faults, []);
  await page.context().close();
  await host.stop();
});

test("it can be installed", async () => {
  const host = await startHost({ "/": SITE });
  const page = await openPage(browser, host.address, "/");
  await page.waitForSelector(".cards");
  const session = await page.context().newCDPSession(page);
  const { errors, url } = await session.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  assert.match(url, /manifest\.json$/);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  assert.deepEqual(installabilityErrors.filter((e) => e.errorId !== "in-incognito"), []);
  await page.context().close();
  await host.stop();
});

test("all that a visitor loads is at most 2.5 MB, compressed as hosts do", (t) => {
  const files = JSON.parse(/FILES = (\[.*\]);/.exec(readFileSync(join(SITE, "sw.js"), "utf8"))[1]);
  const sizes = files.map((name) => gzipSync(readFileSync(join(SITE, name === "./" ? "index.html" : name)), { level: 9 }).length);
  const total = sizes.reduce((a, b) => a + b, 0);
  t.diagnostic(`${files.length} files, ${total} bytes`);
  assert.ok(files.includes("ludex/ludex.wasm") && files.length > 30 && total <= 2_500_000, String(total));
});

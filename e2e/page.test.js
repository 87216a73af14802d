// What the page does besides playing: home, analysis, history, sharing, editing, jobs, phones, accessibility.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { BINARY, clickMove, myTurn, openPage, position, startBrowser, startServer } from "./browser.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let server, browser;
before(async () => {
  server = await startServer();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const open = (path, options) => openPage(browser, server.address, path, options);

async function accessible(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
  assert.deepEqual(serious.map((v) => `${what}: ${v.id}: ${v.nodes.map((n) => n.html).slice(0, 3).join(" ")}`), []);
}

async function done(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

test("home shows every game with a live board, and the last game can be resumed", async () => {
  const page = await open("/");
  const games = (await (await fetch(`${server.address}/api/v1/games`)).json()).games;
  await page.waitForFunction((n) => document.querySelectorAll(".card .thumb svg").length >= n, games.length);
  await accessible(page, "home");
  await page.getByRole("link", { name: /^Play 3,3,3/ }).click();
  await myTurn(page);
  await clickMove(page);
  await page.waitForFunction(() => document.querySelectorAll(".history .move").length === 3);
  const link = page.url();
  await page.locator("#brand").click();
  await page.locator("a.resume").click();
  await page.waitForSelector(".history .move");
  assert.equal(page.url(), link);
  await page.goBack();
  await page.waitForSelector(".cards");
  await done(page);
});

test("the analysis switch stays where it was put; words, best line and chart follow", async () => {
  const page = await open("/?game=mnk:3,3,3&moves=a1+b1&players=human,human");
  await page.waitForSelector(".board .target");
  assert.equal(await page.locator(".badge").count(), 0);
  await page.keyboard.press("a");
  await page.waitForSelector(".badge.best");
  assert.equal(await page.locator(".words").textContent(), "X wins in 5 with perfect play.");
  await accessible(page, "analysis");
  const plies = await page.locator(".pv button").count();
  assert.ok(plies >= 1);
  await page.locator(".pv button").last().click();
  await page.waitForFunction((n) => document.querySelectorAll(".history .move").length === n + 3, plies);
  await page.getByRole("button", { name: "Value all" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".chart .bar").length >= 4);
  await page.reload();
  await page.waitForSelector("[role=switch][aria-checked=true]");
  await done(page);
});

test("undo, redo, branches and stepping by keys", async () => {
  const page = await open("/?game=mnk:3,3,3&moves=a1+b2+c3&players=human,human");
  await page.waitForSelector(".history .move");
  const end = await position(page);
  await page.getByRole("button", { name: "◀ Undo" }).click();
  await page.waitForFunction((p) => document.querySelector("textarea").value !== p, end);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector(".history [aria-current]").textContent === "a1");
  await clickMove(page, (n) => n - 1);
  await page.waitForSelector(".history .branch");
  await page.locator(".history .branch .move", { hasText: "c3" }).first().click();
  await page.waitForFunction((p) => document.querySelector("textarea").value === p, end);
  await page.keyboard.press("u");
  await page.keyboard.press("r");
  await page.waitForFunction((p) => document.querySelector("textarea").value === p, end);
  await done(page);
});

test("undo against an engine takes back one's own move", async () => {
  const page = await open("/?game=mnk:3,3,3&players=human,perfect");
  await myTurn(page);
  const start = await position(page);
  await clickMove(page);
  await page.waitForFunction(() => document.querySelectorAll(".history .move").length === 3);
  await page.keyboard.press("u");
  await page.waitForFunction((p) => document.querySelector("textarea").value === p, start);
  await myTurn(page);
  await done(page);
});

test("two engines play by themselves", async () => {
  const page = await open("/?game=connect4:4x4&players=perfect,random");
  await page.waitForSelector(".turn.over", { timeout: 40_000 });
  await done(page);
});

test("a link carries game, start, moves and place; the position can be copied", async () => {
  const page = await open("/?game=nex:3x3&moves=Ba1?b2+Wc3?c2&at=1&players=human,human");
  await page.waitForFunction(() => document.querySelector(".history [aria-current]")?.textContent === "Ba1?b2");
  const here = await position(page);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForSelector("#toast.on");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open(link.slice(server.address.length));
  await other.waitForFunction((p) => document.querySelector("textarea")?.value === p, here);
  assert.equal(await other.locator(".history .move").count(), 3);
  await page.getByRole("button", { name: "Copy SVG" }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("<svg"));
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const record = await download;
  assert.equal(record.suggestedFilename(), "nex.txt");
  const replayed = execFileSync(BINARY, ["replay", await record.path(), "--json"], { encoding: "utf8" }).trim().split("\n");
  assert.equal(JSON.parse(replayed[1]).position, here);
  await done(other);
  await done(page);
});

test("any position can be set up by clicking", async () => {
  const page = await open("/?game=mnk:3,3,3&players=human,human");
  await page.waitForSelector(".board .target");
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("button", { name: "x X", exact: true }).click();
  await page.getByRole("button", { name: "a1: ." }).click();
  await page.getByRole("button", { name: "b2: ." }).click();
  await page.waitForFunction(() => document.querySelector(".fault").textContent.length > 5);
  assert.ok(await page.getByRole("button", { name: "Play from here" }).isDisabled(), "two X and no O is no position");
  await page.getByRole("button", { name: "o O", exact: true }).click();
  await page.getByRole("button", { name: "c3: ." }).click();
  await page.waitForFunction(() => !document.querySelector(".editor .main").disabled);
  await accessible(page, "editor");
  await page.getByRole("button", { name: "Play from here" }).click();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "..o/.x./x..");
  // The browser itself reports the answer to a position that is not one yet.
  page.faults = page.faults.filter((f) => !f.includes("status of 400"));
  await done(page);
});

test("what is wrong with a text is said, and the page goes on", async () => {
  const page = await open("/?game=mnk:3,3,3&players=human,human");
  await page.waitForSelector(".board .target");
  await page.locator("textarea").first().fill("xyz");
  await page.getByRole("button", { name: "Use text" }).click();
  await page.waitForSelector("h1");
  assert.match(await page.locator("main").textContent(), /That did not work/);
  await page.goBack();
  await page.waitForSelector(".board .target");
  page.faults = page.faults.filter((f) => !f.includes("400"));
  await done(page);
});

test("a long search tells how far it is, leaves the board usable, and can be cancelled", async () => {
  const page = await open("/?game=mnk:9,9,5&players=human,human", { settings: { analysis: true } });
  await page.waitForFunction(() => /Searching: .*positions.*\/s; \d+ of 81 moves done/.test(document.querySelector(".busy")?.textContent ?? ""));
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Search on" }).waitFor();
  await page.getByRole("button", { name: "Search on" }).click();
  await page.getByRole("button", { name: "Cancel" }).waitFor();
  await clickMove(page);
  await page.waitForFunction(() => document.querySelectorAll(".history .move").length === 2);
  await done(page);
});

test("a search says what is certain before it is done", async () => {
  const page = await open("/?game=mnk:6,5,4&players=human,human", { settings: { analysis: true } });
  await page.waitForFunction(() => /at least a draw so far|X wins so far|with perfect play/.test(document.querySelector(".verdict")?.textContent ?? ""), null, { timeout: 30_000 });
  await done(page);
});

test("why: the reason in words, cells and pairs shown on the board, the line walked", async () => {
  const page = await open("/?game=mnk:3,3,3&position=xx./oo./...&players=human,human", { settings: { analysis: true } });
  await page.getByRole("button", { name: "Why?" }).click();
  await page.waitForSelector("text=Only c3 wins at once.");
  await page.getByRole("button", { name: "Only c3 wins at once." }).hover();
  await page.waitForSelector(".overlay .about");
  assert.match(await page.locator(".reasons").textContent(), /X has the line a3 b3 c3/);
  await accessible(page, "why");
  await page.locator(".reasons .move").last().click();
  await page.waitForSelector(".turn.over");
  await page.goto(`${server.address}/?game=mnk:4,4,4,rule=weak&moves=b2+c2&players=human,human`);
  await page.getByRole("button", { name: /answers each cell of a pair/ }).first().hover();
  await page.waitForSelector(".overlay .pair");
  await page.keyboard.press("w");
  await page.waitForSelector(".reasons", { state: "hidden" });
  await done(page);
});

test("what a game counts is shown, and on the board", async () => {
  const page = await open("/?game=connect4&position=17273&players=human,human");
  await page.waitForSelector("text=Heuristic score for Yellow");
  assert.match(await page.locator(".facts").textContent(), /centre.*windows.*threats.*zugzwang/s);
  await page.locator(".facts button", { hasText: /odd|even/ }).first().hover();
  await page.waitForSelector(".overlay .about");
  await page.goto(`${server.address}/?game=seven:8&players=human,human`);
  await page.waitForSelector(".facts >> text=Potential");
  await page.waitForSelector(".facts >> text=Lines alive");
  await page.goto(`${server.address}/?game=collapsi&seed=7&players=human,human`);
  await page.locator(".moves .row").first().hover();
  await page.waitForSelector(".overlay .trail");
  await page.locator(".board .target[role=button]").first().hover();
  await page.waitForSelector(".overlay .trail");
  await done(page);
});

test("engines think as long as they may, can be paused, and play each other", async () => {
  const page = await open("/?game=mnk:9,9,5&players=perfect,level:2");
  await page.waitForSelector(".players select >> nth=1");
  await page.getByLabel("Time of X for a move").selectOption("10 s");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  await page.waitForSelector(".board .target");
  await page.getByLabel("Time of X for a move").selectOption("0.5 s");
  await page.getByRole("button", { name: "Go on" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".history .move").length > 3, null, { timeout: 30_000 });
  await page.reload();
  assert.equal(await page.getByLabel("Time of X for a move").inputValue(), "500");
  await done(page);
});

test("the list beside the name goes to another game", async () => {
  const page = await open("/?game=mnk:3,3,3&players=human,human");
  await page.waitForSelector(".board .target");
  await page.locator("#games").selectOption({ label: "Hex 3x3" });
  await page.waitForFunction(() => document.title.startsWith("Hex"));
  await page.waitForSelector(".board .target, .turn");
  await page.goBack();
  await page.waitForFunction(() => document.title.startsWith("3,3,3"));
  await done(page);
});

test("a deal comes from its seed, and the link carries it", async () => {
  const page = await open("/?game=collapsi&seed=7&players=human,human");
  await page.waitForSelector(".board .target");
  const before = await position(page);
  await page.getByLabel("Seed of the deal").fill("5");
  await page.getByRole("button", { name: "Deal" }).click();
  await page.waitForFunction((p) => document.querySelector("textarea") && document.querySelector("textarea").value !== p, before);
  await page.waitForFunction(() => new URLSearchParams(location.search).get("seed") === "5");
  const dealt = await (await fetch(`${server.address}/api/v1/position?game=collapsi&seed=5`)).json();
  assert.equal(await position(page), dealt.position);
  await done(page);
});

test("hint, random position and puzzle", async () => {
  const page = await open("/?game=mnk:3,3,3&position=xx./oo./...&players=human,human");
  await page.waitForSelector(".board .target");
  await page.keyboard.press("h");
  await page.waitForSelector(".hint");
  assert.equal(await page.locator(".turn").textContent(), "Hint: c3.");
  await page.getByRole("button", { name: "Puzzle" }).click();
  await page.waitForFunction(() => /only one move/i.test(document.querySelector("#toast").textContent));
  await page.getByRole("button", { name: "Random" }).click();
  await page.waitForFunction(() => location.search.includes("position="));
  await done(page);
});

test("on a phone everything fits, and a tap plays", async () => {
  for (const game of ["connect4", "mnk:3,3,3", "nex:4x4", "collapsi&seed=7", "seven:8"]) {
    const page = await open(`/?game=${game}&players=human,human`, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await page.waitForSelector(".board .target");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${game} scrolls sideways`);
    const box = await page.locator(".board svg").first().boundingBox();
    assert.ok(box.width > 280 && box.x >= 0, `${game}: the board is ${box.width} wide`);
    const cell = await page.locator(".board .target[role=button]").first().boundingBox();
    await page.touchscreen.tap(cell.x + cell.width / 2, cell.y + cell.height / 2);
    await page.waitForFunction(() => document.querySelector(".picked") || document.querySelectorAll(".history .move").length > 1);
    await accessible(page, `${game} on a phone`);
    await done(page);
  }
});

test("dark and light are both readable, and no text is small", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("/?game=connect4:5x4&moves=3+3&players=human,human", { colorScheme, settings: { analysis: true } });
    await page.waitForSelector(".badge.best");
    await accessible(page, colorScheme);
    const small = await page.evaluate(() => [...document.querySelectorAll("body *:not(svg *)")].filter((e) => e.childNodes.length && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && parseFloat(getComputedStyle(e).fontSize) < 16).map((e) => e.outerHTML));
    assert.deepEqual(small, []);
    await done(page);
  }
});

test("the API page shows the description", async () => {
  const page = await open("/api");
  await page.waitForSelector("text=GET /api/v1/analyze");
  await accessible(page, "api");
  await done(page);
});

// What was wrong once, so that it is not again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { clickMove, myTurn, position, positionIs, SITE } from "./browser.js";
import { done, open, stage } from "./suite.js";

test("the button that cancels a search stays, and can be clicked with a mouse", async () => {
  const page = await open("/?game=mnk:9,9,5&players=human,human", { settings: { analysis: true } });
  await page.waitForFunction(() => /Searching: .*positions/.test(document.querySelector(".busy span")?.textContent ?? ""));
  const cancel = await page.getByRole("button", { name: "Cancel" }).elementHandle();
  for (let i = 0; i < 2; i++) {
    const was = await page.locator(".busy span").textContent();
    await page.waitForFunction((w) => document.querySelector(".busy span").textContent !== w, was);
  }
  assert.ok(await cancel.evaluate((e) => e.isConnected), "it is the same button still");
  const box = await cancel.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  const was = await page.locator(".busy span").textContent();
  await page.waitForFunction((w) => document.querySelector(".busy span").textContent !== w, was);
  await page.mouse.up();
  await page.getByRole("button", { name: "Search on" }).waitFor();
  await page.getByRole("button", { name: "Search on" }).click();
  await page.getByRole("button", { name: "Cancel" }).waitFor();
  await clickMove(page);
  await done(page);
});

test("keys keep their place after a move against an engine", async () => {
  const page = await open("/?game=mnk:5,5,4&players=human,greedy");
  await myTurn(page);
  await page.keyboard.press("b");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  const name = () => page.evaluate(() => document.activeElement?.getAttribute("data-name"));
  assert.equal(await name(), "b4");
  const start = await position(page);
  await page.keyboard.press("Enter");
  await page.waitForFunction((p) => document.querySelector("textarea").value.replace(/[^xo]/g, "").length === 2, start);
  await myTurn(page);
  assert.equal(await name(), "b4");
  const now = await position(page);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await name(), "a4");
  assert.equal(await position(page), now, "the arrow went to another cell, not back in the game");
  await done(page);
});

test("a link opens as it was sent, paused, and says who plays", async () => {
  const link = "/?game=connect4:5x4&moves=3+3+2&players=human,greedy";
  const page = await open(link);
  await page.waitForFunction(() => /^Paused/.test(document.querySelector(".turn")?.textContent ?? ""));
  const shown = await position(page);
  await page.waitForLoadState("networkidle");
  assert.equal(page.url(), stage.server.address + link);
  assert.equal(await position(page), shown, "the engine has not moved");
  await page.getByRole("button", { name: "Share" }).click();
  assert.equal(await page.getByLabel("Link", { exact: true }).inputValue(), stage.server.address + link);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Go on" }).click();
  await positionIs(page, shown, false);
  await done(page);
});

test("reloading a puzzle does not solve it", async () => {
  const page = await open("/?game=mnk:3,3,3&position=.ox/x../.o.&puzzle=3");
  await page.waitForSelector(".puzzle >> text=X to move. Win in 2.");
  const before = await position(page), url = page.url();
  await page.reload();
  await page.waitForSelector(".puzzle >> text=X to move. Win in 2.");
  await page.waitForLoadState("networkidle");
  assert.equal(await position(page), before);
  assert.equal(page.url(), url);
  await done(page);
});

test("the list of moves waits while the engine thinks", async () => {
  const page = await open("/?game=mnk:9,9,5&players=human,perfect", { settings: { time: 10000 } });
  await myTurn(page);
  await clickMove(page);
  await page.waitForFunction(() => /thinking/.test(document.querySelector(".turn").textContent));
  assert.equal(await page.locator(".moves .row:enabled").count(), 0);
  assert.ok((await page.locator(".moves .row:disabled").count()) > 50);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.waitForSelector(".moves .row:enabled");
  await done(page);
});

test("every cell that can be played has a dot, and a ghost of the stone under the pointer", async () => {
  for (const [game, n] of [["mnk:3,3,3&moves=b2", 8], ["connect4&moves=4", 7], ["hex:3x3", 9], ["nex:3x3", 9]]) {
    const page = await open(`/?game=${game}&players=human,human`);
    await page.waitForSelector(".overlay .dot");
    assert.equal(await page.locator(".overlay > .dot").count(), n, game);
    await page.locator(".board .target").first().hover();
    await page.waitForSelector(".overlay .ghosted");
    await done(page);
  }
});

test("an engine is called perfect only where the game is solved", async () => {
  for (const [game, word] of [["mnk:3,3,3", /^Perfect/], ["hex:11x11", /^Strongest/]]) {
    const page = await open(`/?game=${game}&players=human,perfect`);
    await page.waitForSelector(".who select");
    const name = () => page.locator(".who option[value=perfect]").last().textContent();
    if (word.test("Perfect")) await page.waitForFunction(() => /^Perfect/.test([...document.querySelectorAll(".who option[value=perfect]")].at(-1).textContent));
    await page.waitForLoadState("networkidle");
    assert.match(await name(), word, game);
    await done(page);
  }
});

test("a newcomer's opponent is easy", async () => {
  const page = await open("/?game=connect4");
  await page.waitForSelector(".who select");
  assert.equal(await page.getByLabel("You play").inputValue(), "first");
  assert.equal(await page.getByLabel("Opponent").inputValue(), "greedy");
  await done(page);
});

test("boards are in the middle, and fill the height", async () => {
  for (const [game, part] of [["mnk:3,3,3", 0.8], ["connect4", 0.8], ["collapsi&seed=7", 0.8], ["hex:5x5", 0.6]]) {
    const page = await open(`/?game=${game}&players=human,human`, { viewport: { width: 1920, height: 1080 } });
    await page.waitForSelector(".board .target");
    const [frame, stage] = await page.evaluate(() => [".frame", ".stage"].map((s) => document.querySelector(s).getBoundingClientRect().toJSON()));
    assert.ok(Math.abs(frame.x + frame.width / 2 - stage.x - stage.width / 2) < 2, `${game} is off centre`);
    assert.ok(frame.height > 1080 * part, `${game}: ${frame.height} high`);
    const cells = await page.$$eval("[data-cell], [data-spot]", (all) => all.map((e) => e.getBoundingClientRect().toJSON()));
    const left = Math.min(...cells.map((c) => c.left)), right = Math.max(...cells.map((c) => c.right));
    assert.ok(Math.abs((left + right) / 2 - frame.x - frame.width / 2) < frame.width * 0.02, `${game}: the cells are off centre`);
    await done(page);
  }
});

test("the best move of a lost position is no alarm", async () => {
  const lost = await open("/?game=mnk:3,3,3&position=x.x/.o./o.x&players=human,human", { settings: { analysis: true } });
  await lost.waitForSelector(".badge.best.loss");
  assert.equal(await lost.locator(".badge.bad").count(), 0, "nothing can be thrown away");
  const [best, raised] = await lost.evaluate(() => {
    const probe = document.createElement("div");
    probe.className = "panel";
    document.body.append(probe);
    return [getComputedStyle(document.querySelector(".badge.best rect")).fill, getComputedStyle(probe).backgroundColor];
  });
  assert.equal(best, raised, "it has a ring, and is not filled");
  await done(lost);
});

test("an address with nothing behind it is a page, and an object for programs", { skip: !!SITE }, async () => {
  const page = await open("/nothere");
  assert.match(await page.locator("h1").textContent(), /nothing at this address/);
  await page.getByRole("link", { name: "All games" }).click();
  await page.waitForSelector(".cards");
  assert.equal((await (await fetch(`${stage.server.address}/nothere`)).json()).code, "not_found");
  await done(page, "404");
});

test("what is wrong with a text is said, and the page stays as it was", async () => {
  const page = await open("/?game=mnk:3,3,3&moves=b2&players=human,human", { settings: { tab: "position" } });
  await page.waitForSelector(".board .target");
  const url = page.url();
  await page.getByLabel("Position text").fill("xyz");
  await page.getByRole("button", { name: "Use text" }).click();
  await page.waitForSelector("#toast.on");
  assert.match(await page.locator("#toast").textContent(), /rows/);
  assert.equal(page.url(), url);
  assert.equal(await page.locator(".board .target").count(), 8);
  await done(page, "400");
});

// Every game, played to its end by clicks against the engine, and by keyboard alone.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { BINARY, clickMove, myTurn, openPage, position, startBrowser, startServer } from "./browser.js";

const GAMES = ["connect4:5x4", "mnk:3,3,3", "mnk:4,3,3,rule=weak", "nex:3x3", "hex:3x3", "collapsi&seed=7", "collapsi:3x3&seed=2", "seven:5"];

let server, browser;
before(async () => {
  server = await startServer();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  assert.equal(await server?.stop(), 0, "the server stops cleanly");
});

/** Numbers that look random and are the same every time. */
function dice(seed) {
  let s = seed;
  return (n) => (s = (s * 1103515245 + 12345) % 2147483648) % n;
}

for (const game of GAMES) {
  test(`a whole game of ${game} by clicks`, async () => {
    const page = await openPage(browser, server.address, `/?game=${game}&players=human,perfect`, { settings: { analysis: true } });
    const roll = dice(7);
    let moves = 0;
    while (await myTurn(page)) {
      await clickMove(page, roll);
      assert.ok(++moves < 60);
    }
    assert.match(await page.locator(".turn").textContent(), /wins\.|Draw\./);
    assert.ok((await page.locator(".history .move").count()) > moves, "the history shows both sides");
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

for (const game of ["mnk:3,3,3", "nex:2x2", "connect4:4x4", "collapsi:3x3&seed=2"]) {
  test(`a whole game of ${game} by keyboard`, async () => {
    const page = await openPage(browser, server.address, `/?game=${game}&players=human,perfect`);
    const roll = dice(3);
    for (let presses = 0; await myTurn(page); presses++) {
      assert.ok(presses < 80);
      await page.keyboard.press("b");
      for (let i = roll(3); i > 0; i--) await page.keyboard.press(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"][roll(4)]);
      const was = [await position(page), await page.locator(".picked").count()].join();
      await page.keyboard.press("Enter");
      await page.waitForFunction((w) => [document.querySelector("textarea").value, document.querySelectorAll(".picked").length].join() !== w, was);
    }
    assert.match(await page.locator("#live").textContent(), /wins|Draw/);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

for (const [game, moves] of [["mnk:3,3,3", "a1 b2"], ["connect4:5x4", "3 3"], ["nex:3x3", "Ba1?c2"], ["seven:5", ""], ["collapsi:A242/2333/34X2/OAAA", ""]]) {
  test(`the values of ${game} are those of ludex analyze`, async () => {
    const url = new URLSearchParams({ game, moves, players: "human,human" });
    const page = await openPage(browser, server.address, `/?${url}`, { settings: { analysis: true } });
    await page.waitForSelector(".moves .mark");
    // A search that takes longer than a moment goes on as a job: wait until nothing is searched any more.
    await page.waitForFunction(() => ![...document.querySelectorAll("button")].some((b) => b.textContent === "Cancel" && b.checkVisibility()), null, { timeout: 60000 });
    const shown = await page.$$eval(".moves .row", (rows) => rows.map((r) => [r.querySelector(".name").textContent, r.querySelector(".mark").textContent, r.querySelector(".mark").classList.contains("best")]));
    const answer = JSON.parse(execFileSync(BINARY, ["analyze", game, await position(page), "--json", "--no-db"], { encoding: "utf8" }));
    const signs = { win: "▲", draw: "=", loss: "▼" };
    const sort = (list) => list.map((m) => m.join(" ")).sort();
    assert.deepEqual(sort(shown), sort(answer.moves.map((m) => [m.move, signs[m.outcome] + (m.plies == null ? "" : ` ${m.plies}`), answer.best.includes(m.move)])));
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

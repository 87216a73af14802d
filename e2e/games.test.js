// Every game, played to its end by clicks against the engine, and by keyboard alone; and its values.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { BINARY, clickMove, dice, keyMove, myTurn, position } from "./browser.js";
import { done, open } from "./suite.js";

const GAMES = ["connect4:5x4", "mnk:3,3,3", "mnk:4,3,3,rule=weak", "nex:3x3", "hex:3x3", "collapsi&seed=7", "collapsi:3x3&seed=2", "seven:5", "positional:tic-tac-toe"];

for (const game of GAMES) {
  test(`a whole game of ${game} by clicks`, async () => {
    const page = await open(`/?game=${game}&players=human,perfect`, { settings: { analysis: true, tab: "game" } });
    const roll = dice(7);
    let moves = 0;
    while (await myTurn(page)) {
      await clickMove(page, roll);
      assert.ok(++moves < 60);
    }
    assert.match(await page.locator(".turn").textContent(), /You won|You lost|drawn/);
    assert.ok((await page.locator(".history .move").count()) > moves, "the history shows both sides");
    await done(page);
  });
}

for (const game of ["mnk:3,3,3", "nex:2x2", "connect4:4x4", "collapsi:3x3&seed=2", "hex:3x3", "seven:4", "positional:tic-tac-toe"]) {
  test(`a whole game of ${game} by keyboard, which keeps its place`, async () => {
    const page = await open(`/?game=${game}&players=human,perfect`);
    const roll = dice(3);
    await myTurn(page);
    await page.keyboard.press("b");
    for (let moves = 0; await myTurn(page); moves++) {
      assert.ok(moves < 60);
      assert.ok(await page.evaluate(() => document.activeElement?.getAttribute("role") === "gridcell"), "the focus is on the board");
      await keyMove(page, roll);
    }
    await page.waitForFunction(() => /won|lost|drawn/i.test(document.querySelector("#live").textContent));
    await done(page);
  });
}

for (const [game, moves] of [["mnk:3,3,3", "a1 b2"], ["connect4:5x4", "3 3"], ["nex:3x3", "Ba1?c2"], ["seven:5", ""], ["collapsi:A242/2333/34X2/OAAA", ""]]) {
  test(`the values of ${game} are those of ludex analyze`, async () => {
    const url = new URLSearchParams({ game, moves, players: "human,human" });
    const page = await open(`/?${url}`, { settings: { analysis: true } });
    // Nothing is searched any more once every move has a sign.
    await page.waitForFunction(() => document.querySelector(".moves .mark.best") && document.querySelector(".busy").hidden);
    const shown = await page.$$eval(".moves .row", (rows) => rows.map((r) => [r.querySelector(".name").textContent, r.querySelector(".mark").textContent, r.querySelector(".mark").classList.contains("best")]));
    const answer = JSON.parse(execFileSync(BINARY, ["analyze", game, await position(page), "--json", "--no-db"], { encoding: "utf8" }));
    const signs = { win: "▲", draw: "=", loss: "▼" };
    const sort = (list) => list.map((m) => m.join(" ")).sort();
    assert.deepEqual(sort(shown), sort(answer.moves.map((m) => [m.move, signs[m.outcome] + (m.plies == null ? "" : ` ${Math.ceil(m.plies / 2)}`), answer.best.includes(m.move)])));
    await done(page);
  });
}

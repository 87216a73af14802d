// For those who do not see, do not point, or look at a small or a large screen.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { clickMove, position, positionIs, SITE } from "./browser.js";
import { accessible, done, open } from "./suite.js";

const GAMES = ["connect4", "mnk:3,3,3", "nex:4x4", "hex:5x5", "collapsi&seed=7", "seven:8", "positional:tic-tac-toe"];

test("axe finds nothing, in any tab and sheet, light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("/?game=connect4:5x4&moves=3+3&players=human,human", { colorScheme, settings: { analysis: true, why: true } });
    await page.waitForSelector(".reasons .move");
    for (const tab of ["Moves", "Game", "Position", "Explore"]) {
      await page.getByRole("tab", { name: tab }).click();
      if (tab === "Explore") await page.waitForSelector(".tree .mark");
      await accessible(page, `${colorScheme} ${tab}`);
    }
    for (const sheet of ["Rules", "Share", "Keyboard and marks"]) {
      await page.getByRole("button", { name: sheet }).click();
      await page.waitForSelector(".sheet");
      await accessible(page, `${colorScheme} ${sheet}`);
      await page.keyboard.press("Escape");
      await page.waitForSelector(".sheet", { state: "detached" });
    }
    const small = await page.evaluate(() => [...document.querySelectorAll("body *:not(svg *)")].filter((e) => e.childNodes.length && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && parseFloat(getComputedStyle(e).fontSize) < 16).map((e) => e.outerHTML));
    assert.deepEqual(small, []);
    await done(page);
  }
  for (const path of ["/", ...(SITE ? [] : ["/api"]), "/?game=mnk:3,3,3&position=.ox/x../.o.&puzzle=3"]) {
    const page = await open(path);
    await page.waitForSelector(".card .thumb svg, .contents li, .puzzle .words");
    await page.waitForLoadState("networkidle");
    await accessible(page, path);
    await done(page);
  }
});

test("the board is a grid of named cells", async () => {
  const page = await open("/?game=mnk:3,3,3&moves=b2&players=human,human");
  await page.waitForSelector(".board .target");
  const tree = await page.locator(".cells").ariaSnapshot();
  assert.equal(tree, `- grid "Board":
  - row "row 3":
    - gridcell "a3, empty, can be played"
    - gridcell "b3, empty, can be played"
    - gridcell "c3, empty, can be played"
  - row "row 2":
    - gridcell "a2, empty, can be played"
    - gridcell "b2, X" [disabled]
    - gridcell "c2, empty, can be played"
  - row "row 1":
    - gridcell "a1, empty, can be played"
    - gridcell "b1, empty, can be played"
    - gridcell "c1, empty, can be played"`);
  await done(page);
});

for (const [game, rows, cell] of [["connect4&moves=4", 6, "4-1, Red"], ["nex:4x4&moves=Ba1?b2", 4, "b2, neutral"], ["hex:5x5&moves=c3", 5, "c3, Black"], ["collapsi:A242/2333/34X2/OAAA", 4, "c3, joker, pawn X"], ["seven:8&moves=1,3", 4, "1,3, Maker"], ["positional:tic-tac-toe&moves=b2", 3, "b2, Black"]]) {
  test(`a screen reader is told of every cell of ${game}`, async () => {
    const page = await open(`/?game=${game}&players=human,human`);
    await page.waitForSelector(".board .target");
    assert.equal(await page.getByRole("grid").getByRole("row").count(), rows);
    await page.getByRole("gridcell", { name: cell }).waitFor({ state: "attached" });
    const unnamed = await page.$$eval("[role=gridcell]", (all) => all.filter((e) => !e.getAttribute("aria-label")).length);
    assert.equal(unnamed, 0);
    // What is read out, whole: UPDATE=1 writes it anew.
    const file = new URL(`trees/${game.split(/[:&]/)[0]}.txt`, import.meta.url);
    const tree = (await page.getByRole("grid").ariaSnapshot()) + "\n";
    if (process.env.UPDATE) writeFileSync(file, tree);
    assert.equal(tree, readFileSync(file, "utf8"));
    await done(page);
  });
}

test("Tab passes the list of moves in one step", async () => {
  const page = await open("/?game=mnk:9,9,5&players=human,human");
  await page.waitForSelector(".moves .row");
  assert.equal(await page.locator(".moves .row").count(), 81);
  assert.equal(await page.locator(".moves .row[tabindex='0']").count(), 1);
  await page.locator(".moves .row").first().focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("data-move")), await page.locator(".moves .row").nth(1).getAttribute("data-move"));
  await page.keyboard.press("Tab");
  assert.ok(!(await page.evaluate(() => document.activeElement.closest(".moves"))));
  await done(page);
});

test("a line of best play and the moves of a game are one stop of the Tab key each, and the board is skipped to", async () => {
  const page = await open("/?game=mnk:3,3,3&moves=b2+a1+c3&players=human,human", { settings: { analysis: true, why: true, tab: "game" } });
  await page.waitForSelector(".reasons .move");
  await page.waitForFunction(() => document.querySelectorAll(".history .move").length === 4);
  for (const box of [".reasons", ".history"]) assert.equal(await page.locator(`${box} .move[tabindex='0']`).count(), 1, box);
  const current = () => page.evaluate(() => document.activeElement?.textContent.trim().split(" ")[0]);
  await page.locator(".history [aria-current]").focus();
  await page.keyboard.press("ArrowUp");
  assert.equal(await current(), "a1");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector(".history [aria-current]")?.textContent.trim().startsWith("a1"));
  await page.waitForFunction(() => document.activeElement === document.querySelector(".history [aria-current]"));
  await page.locator(".skip").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("role")), "gridcell");
  await done(page);
});

test("what was said is still there to be heard when more is said", async () => {
  const page = await open("/?game=mnk:3,3,3&players=human,greedy", { settings: { analysis: true } });
  await page.waitForSelector(".board .target");
  await clickMove(page);
  await page.waitForFunction(() => /X plays [^]*O plays/.test(document.querySelector("#live").textContent));
  await done(page);
});

for (const [what, viewport] of [["upright", { width: 390, height: 844 }], ["on its side", { width: 844, height: 390 }]]) {
  test(`on a phone ${what} everything fits, and a tap plays`, async () => {
    for (const game of GAMES) {
      const page = await open(`/?game=${game}&players=human,human`, { viewport, hasTouch: true, isMobile: true, settings: { tab: "game" } });
      await page.waitForSelector(".board .target");
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${game} scrolls sideways`);
      const box = await page.locator(".frame").boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= viewport.width && Math.min(box.width, box.height * 3) > (viewport.width > viewport.height ? 270 : 360), `${game}: the board is ${box.width}x${box.height}`);
      const controls = await page.locator(".controls").boundingBox();
      assert.ok(box.y + box.height <= viewport.height && controls.y + controls.height <= viewport.height, `${game}: board and buttons are in sight`);
      const cell = await page.locator(".board .target").first().boundingBox();
      await page.touchscreen.tap(cell.x + cell.width / 2, cell.y + cell.height / 2);
      await page.waitForFunction(() => document.querySelector(".overlay .picked") || document.querySelectorAll(".history .move").length > 1);
      await accessible(page, `${game} on a phone ${what}`);
      await done(page);
    }
  });
}

test("on a phone Why? is a sheet from below, and the board stays in sight", async () => {
  const viewport = { width: 390, height: 844 };
  const page = await open("/?game=mnk:3,3,3&position=xx./oo./...&players=human,human", { viewport, hasTouch: true, isMobile: true, settings: { analysis: true } });
  await page.getByRole("button", { name: "Why?" }).tap();
  await page.waitForSelector(".reasons .move");
  const box = await page.locator(".reasons").boundingBox();
  assert.ok(Math.abs(box.y + box.height - viewport.height) < 2 && box.y > viewport.height * 0.6, JSON.stringify(box));
  await accessible(page, "the sheet");
  await page.getByRole("button", { name: "Close" }).tap();
  await page.waitForSelector(".reasons", { state: "hidden" });
  await done(page);
});

test("small cells on a phone want a second tap, and the board can be enlarged", async () => {
  const page = await open("/?game=mnk:15,15,5&players=human,human", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.waitForSelector(".board .target");
  const before = await position(page);
  const cell = await page.locator(".board [data-cell=h8]").boundingBox();
  await page.touchscreen.tap(cell.x + cell.width / 2, cell.y + cell.height / 2);
  await page.waitForFunction(() => /Tap h8 again/.test(document.querySelector(".turn").textContent));
  assert.equal(await position(page), before);
  await page.touchscreen.tap(cell.x + cell.width / 2, cell.y + cell.height / 2);
  await positionIs(page, before, false);
  await page.getByRole("button", { name: "Zoom" }).tap();
  await page.waitForFunction(() => document.querySelector(".frame").getBoundingClientRect().width > 700);
  await done(page);
});

test("lines and outlines can be seen: three to one at least", async () => {
  for (const [colorScheme, game] of [["light", "mnk:3,3,3"], ["dark", "mnk:3,3,3"], ["light", "hex:3x3"], ["dark", "hex:3x3"]]) {
    const page = await open(`/?game=${game}&moves=a1+b2&players=human,human`, { colorScheme });
    await page.waitForSelector(".board .target");
    const worst = await page.evaluate(() => {
      const light = (c) => {
        const [r, g, b] = c.match(/[\d.]+/g).slice(0, 3).map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
      const cell = getComputedStyle(document.querySelector(".board .cell"));
      const strokes = [...document.querySelectorAll(".frame > svg > .stone")].map((e) => getComputedStyle(e).stroke);
      return Math.min(...[cell.stroke, ...strokes, getComputedStyle(document.querySelector(".overlay .dot")).fill].map((c) => ratio(c, cell.fill)));
    });
    assert.ok(worst >= 3, `${colorScheme} ${game}: ${worst}`);
    await done(page);
  }
});

test("with a long reason open the tabs stay in sight, and the board where it was", async () => {
  for (const viewport of [{ width: 1366, height: 768 }, { width: 1024, height: 640 }]) {
    const page = await open("/?game=connect4&moves=4+4+5&players=human,human", { viewport, settings: { analysis: true } });
    await page.waitForSelector(".badge.best");
    const before = await page.locator(".frame").boundingBox();
    await page.getByRole("button", { name: "Why?" }).click();
    await page.waitForSelector(".reasons .move");
    const box = await page.locator(".tabs").boundingBox();
    assert.ok(box.y + box.height <= viewport.height && box.height >= 150, JSON.stringify(box));
    assert.deepEqual(await page.locator(".frame").boundingBox(), before);
    // What does not fit is scrolled to, and nothing lies over anything else.
    const lines = await page.$$eval(".verdict > *", (all) => all.map((e) => e.getBoundingClientRect().toJSON()).filter((b) => b.height));
    for (const [i, line] of lines.entries()) assert.ok(!i || line.top >= lines[i - 1].bottom - 1, JSON.stringify(lines));
    await done(page);
  }
});

test("on a phone, language, colours, puzzles and marks are reached during a game", async () => {
  for (const viewport of [{ width: 390, height: 844 }, { width: 844, height: 390 }]) {
    const page = await open("/?game=connect4&moves=4&players=human,human", { viewport, hasTouch: true, isMobile: true });
    await page.waitForSelector(".board .target");
    const shown = await position(page);
    await page.getByRole("button", { name: "More", exact: true }).tap();
    await accessible(page, "the menu");
    await page.getByLabel("Colours").last().selectOption("dark");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.getByLabel("Language").last().selectOption("de");
    await page.waitForFunction(() => document.querySelector(".turn")?.textContent === "Gelb ist am Zug.");
    assert.equal(await page.locator("dialog").count(), 0);
    assert.equal(await page.evaluate(() => document.querySelector("#page-position textarea").value), shown);
    await page.getByRole("button", { name: "Mehr", exact: true }).tap();
    await page.getByRole("button", { name: "Tasten und Zeichen" }).last().tap();
    await page.waitForSelector(".sheet dl");
    await done(page);
  }
});

test("what lies on a cell is said in the language of the page", async () => {
  const page = await open("/?game=collapsi:A242/2333/34X2/OAAA&players=human,human", { locale: "de-DE" });
  await page.waitForSelector(".board .target");
  await page.getByRole("gridcell", { name: "c3, Joker, Figur X" }).waitFor({ state: "attached" });
  await page.getByRole("row", { name: "Reihe 1" }).waitFor({ state: "attached" });
  await done(page);
});

// What the page does besides playing: home, rules, analysis, review, puzzles, history, sharing, editing, jobs, languages.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { BINARY, clickCell, clickMove, myTurn, openPage, position, positionIs, SITE, startServer } from "./browser.js";
import { api, done, open, stage, texts } from "./suite.js";

const moves = (page, n) => page.waitForFunction((n) => document.querySelectorAll(".history .move").length === n, n);
const cell = (page, name) => clickCell(page, page.locator(`.board [data-cell="${name}"]`).first());

test("home shows every game with a picture, and the last game can be resumed", async () => {
  const page = await open("/", { settings: { tab: "game" } });
  const { games } = await api(`games`);
  await page.waitForFunction((n) => document.querySelectorAll(".card .thumb svg").length >= n, games.length);
  assert.deepEqual(await page.locator(".home section > h2").allTextContents(), ["Play now", "Puzzles", "For students", "For programs"]);
  // What looks like a link is one; the book and the source are elsewhere, and only for those who click.
  const cards = await page.$$eval(".home section:last-of-type .card", (all) => all.map((e) => [e.tagName, e.querySelector("h3").textContent, e.getAttribute("href")]));
  assert.deepEqual(cards.map(([tag, title]) => `${tag} ${title}`), [...(SITE ? [] : ["A API"]), "A The book", "A Python", "A Command line", "A Download"]);
  for (const [, title, href] of cards) if (/docs\/src/.test(href)) assert.ok(existsSync(new URL(`../docs/src/${href.split("docs/src/")[1]}`, import.meta.url)), title);
  await page.getByRole("link", { name: /^Play Tic-tac-toe/ }).click();
  await myTurn(page);
  await clickMove(page);
  await moves(page, 3);
  const link = page.url();
  await page.locator("#brand").click();
  await page.locator("a.resume").click();
  await page.waitForSelector(".history .move");
  assert.equal(page.url(), link);
  await page.goBack();
  await page.waitForSelector(".cards");
  await done(page);
});

test("the rules are one click away for every game, with steps drawn", async () => {
  for (const game of ["mnk:3,3,3", "connect4", "collapsi&seed=1", "hex:5x5", "nex:4x4", "seven:8"]) {
    const page = await open(`/?game=${game}&players=human,human`);
    await page.waitForSelector(".board .target");
    await page.getByRole("button", { name: "Rules" }).click();
    await page.waitForSelector(".sheet .steps svg");
    assert.equal(await page.locator(".sheet .steps figure").count(), 3, game);
    assert.deepEqual(await page.locator(".sheet h3").allTextContents(), ["Goal", "A move", "The end", "Notation"], game);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".sheet", { state: "detached" });
    await page.keyboard.press("r");
    await page.waitForSelector(".sheet");
    await done(page);
  }
});

test("you play first, second, both or neither", async () => {
  const page = await open("/?game=mnk:3,3,3", { settings: { tab: "game" } });
  await myTurn(page);
  await page.getByLabel("You play").selectOption("second");
  await moves(page, 2);
  await page.waitForFunction(() => document.querySelector(".turn").textContent === "You are O. Your move.");
  await page.getByLabel("You play").selectOption("both");
  await page.waitForFunction(() => document.querySelector(".turn").textContent === "O to move.");
  assert.equal(await page.getByLabel("Opponent").count(), 0);
  await page.getByLabel("You play").selectOption("neither");
  await page.waitForSelector(".turn.over");
  assert.match(await page.locator(".turn").textContent(), /has won|drawn/);
  await done(page);
});

test("the analysis switch stays where it was put; words, best line and tabs follow", async () => {
  const page = await open("/?game=mnk:3,3,3&moves=a1+b1&players=human,human");
  await page.waitForSelector(".board .target");
  assert.equal(await page.locator(".badge").count(), 0);
  await page.keyboard.press("a");
  await page.waitForSelector(".badge.best");
  assert.equal(await page.locator(".words").textContent(), "X wins, 3 moves each.");
  assert.equal(await page.locator(".words").getAttribute("title"), "5 plies: moves of either side");
  await page.getByRole("tab", { name: "Game" }).click();
  const plies = await page.locator(".pv .move").count();
  assert.ok(plies >= 1);
  await page.locator(".pv .move").last().click();
  await moves(page, plies + 3);
  await page.reload();
  await page.waitForSelector("[role=switch][aria-checked=true]");
  await page.waitForSelector(".history .move");
  await done(page);
});

test("undo, redo, branches and stepping by keys", async () => {
  const page = await open("/?game=mnk:3,3,3&moves=a1+b2+c3&players=human,human", { settings: { tab: "game" } });
  await moves(page, 4);
  const end = await position(page);
  await page.getByRole("button", { name: "Back" }).click();
  await positionIs(page, end, false);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector(".history [aria-current]").textContent.trim() === "a1");
  await cell(page, "c1");
  await page.waitForSelector(".history .branch");
  await page.locator(".history .branch .move", { hasText: "c3" }).first().click();
  await positionIs(page, end);
  await page.keyboard.press("ArrowLeft");
  await positionIs(page, end, false);
  await page.keyboard.press("ArrowRight");
  await positionIs(page, end);
  await done(page);
});

test("undo against an engine takes back one's own move", async () => {
  const page = await open("/?game=mnk:3,3,3&players=human,perfect", { settings: { tab: "game" } });
  await myTurn(page);
  const start = await position(page);
  await clickMove(page);
  await moves(page, 3);
  await page.keyboard.press("u");
  await positionIs(page, start);
  await myTurn(page);
  await done(page);
});

test("a link carries game, start, moves and place; the game can be saved as a record", async () => {
  const page = await open("/?game=nex:3x3&moves=Ba1?b2+Wc3?c2&at=1&players=human,human", { settings: { tab: "game" } });
  await page.waitForFunction(() => document.querySelector(".history [aria-current]")?.textContent.trim() === "Ba1?b2");
  const here = await position(page);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Copy: Link" }).click();
  await page.waitForSelector("#toast.on");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open(link.slice(stage.server.address.length), { settings: { tab: "game" } });
  await positionIs(other, here);
  await moves(other, 3);
  const saved = async (name) => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    return download;
  };
  const svg = await saved("Drawing (SVG)");
  assert.match(readFileSync(await svg.path(), "utf8"), /^<svg/);
  const png = await saved("Picture (PNG)");
  assert.equal(png.suggestedFilename(), "nex.png");
  assert.equal(readFileSync(await png.path()).subarray(1, 4).toString(), "PNG");
  const record = await saved("Record of the game");
  const replayed = execFileSync(BINARY, ["replay", await record.path(), "--json"], { encoding: "utf8" }).trim().split("\n");
  assert.equal(JSON.parse(replayed[1]).position, here);
  await done(other);
  await done(page);
});

test("a game may be framed only where the server was told so", { skip: !!SITE }, async () => {
  const policy = async (s, path) => (await fetch(s.address + path)).headers.get("content-security-policy");
  assert.match(await policy(stage.server, "/embed?game=connect4"), /frame-ancestors 'none'/);
  const framed = await startServer("--embed", "https://example.org");
  try {
    assert.match(await policy(framed, "/embed?game=connect4"), /frame-ancestors https:\/\/example.org$/);
    assert.match(await policy(framed, "/?game=connect4"), /frame-ancestors 'none'/);
    const page = await openPage(stage.browser, framed.address, "/embed?game=connect4&players=human,greedy", { viewport: { width: 480, height: 560 } });
    await myTurn(page);
    await clickMove(page);
    await page.waitForFunction(() => location.pathname === "/embed" && /moves=/.test(location.search));
    await done(page);
  } finally {
    await framed.stop();
  }
});

test("records and plain moves can be pasted", async () => {
  const page = await open("/?game=connect4&players=human,human", { settings: { tab: "position" } });
  await page.waitForSelector(".board .target");
  await page.getByLabel("Moves or a record").fill("4453");
  await page.getByRole("button", { name: "Use game" }).click();
  await page.waitForFunction(() => new URLSearchParams(location.search).get("moves") === "4 4 5 3");
  const stones = (n) => page.waitForFunction((n) => document.querySelectorAll(".board [data-holds]").length === n, n);
  await stones(4);
  await page.getByLabel("Moves or a record").fill("ludex-game: 1\nspec: hex:4x4\nfirst: a\nsecond: b\nmoves: b3 c2\nresult: unfinished\n");
  await page.getByRole("button", { name: "Use game" }).click();
  await page.waitForFunction(() => document.title.startsWith("Hex 4x4") && new URLSearchParams(location.search).get("moves") === "b3 c2");
  await stones(2);
  await page.getByLabel("Moves or a record").fill("https://hexworld.org/board/#5c1,c2d1e5");
  await page.getByRole("button", { name: "Use game" }).click();
  await page.waitForFunction(() => document.title.startsWith("Hex 5x5") && new URLSearchParams(location.search).get("moves") === "b3 a4 e5");
  await done(page);
});

test("any position can be set up by clicking", async () => {
  const page = await open("/?game=mnk:3,3,3&players=human,human", { settings: { tab: "position" } });
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
  await page.getByRole("button", { name: "Play from here" }).click();
  await positionIs(page, "..o/.x./x..");
  await done(page, "400");
});

test("a search says what is certain before it is done", async () => {
  const page = await open("/?game=mnk:6,5,4&players=human,human", { settings: { analysis: true } });
  await page.waitForFunction(() => /at least a draw so far|X wins so far|X wins/.test(document.querySelector(".verdict")?.textContent ?? ""));
  await done(page);
});

test("why: the reason in words, cells and pairs shown on the board, the line walked", async () => {
  const page = await open("/?game=mnk:3,3,3&position=xx./oo./...&players=human,human", { settings: { analysis: true } });
  await page.getByRole("button", { name: "Why?" }).click();
  await page.waitForSelector("text=The only winning move is c3, and it wins at once.");
  await page.getByRole("button", { name: "The only winning move is c3, and it wins at once." }).hover();
  await page.waitForSelector(".overlay .about");
  assert.match(await page.locator(".reasons").textContent(), /X has the line a3 b3 c3/);
  await page.getByRole("button", { name: "▶ Show it" }).click();
  await page.waitForSelector(".turn.over");
  await page.goto(`${stage.server.address}/?game=mnk:4,4,4,rule=weak&moves=b2+c2&players=human,human`);
  await page.getByRole("button", { name: /answers each cell of a pair/ }).first().hover();
  await page.waitForSelector(".overlay .pair");
  await page.keyboard.press("w");
  await page.waitForSelector(".reasons", { state: "hidden" });
  await done(page);
});

test("reasons, ends and facts are said in the language of the page", async () => {
  for (const [locale, only, line, alive, over] of [["de-DE", "Nur c3 gewinnt, und zwar sofort.", "Nach 1 Halbzug: X hat die Linie a3 b3 c3.", "Offene Linien von X", /X hat gewonnen\. X hat die Linie a3 b3 c3\./], ["fr-FR", "Seul c3 gagne, et tout de suite.", "Après 1 demi-coup : X a la ligne a3 b3 c3.", "Lignes ouvertes de X", /X a gagné\. X a la ligne a3 b3 c3\./]]) {
    const page = await open("/?game=mnk:3,3,3&position=xx./oo./...&players=human,human", { locale, settings: { analysis: true, why: true, tab: "position" } });
    await page.getByText(only, { exact: true }).waitFor();
    await page.getByText(line, { exact: true }).waitFor();
    await page.locator(".facts dt", { hasText: alive }).waitFor();
    await cell(page, "c3");
    await page.waitForFunction((p) => new RegExp(p).test(document.querySelector(".verdict .words")?.textContent ?? ""), over.source);
    // Nothing is said in English but the names of things.
    assert.ok(!/\b(the|wins|has|with|moves)\b/.test(await page.locator(".game").innerText()), await page.locator(".game").innerText());
    await done(page);
  }
});

test("what a game counts is shown, and on the board", async () => {
  const page = await open("/?game=connect4&position=17273&players=human,human", { settings: { tab: "position" } });
  await page.locator("summary", { hasText: "How it looks to the engine" }).click();
  await page.waitForSelector("text=Heuristic score for Yellow");
  assert.match(await page.locator("details .facts").textContent(), /centre.*windows.*threats.*zugzwang/s);
  await page.locator(".facts button", { hasText: /odd|even/ }).first().hover();
  await page.waitForSelector(".overlay .about");
  await page.goto(`${stage.server.address}/?game=seven:8&players=human,human`);
  await page.waitForSelector(".facts >> text=Potential");
  await page.goto(`${stage.server.address}/?game=collapsi&seed=7&players=human,human`);
  await page.getByRole("tab", { name: "Moves" }).click();
  await page.locator(".moves .row").first().hover();
  await page.waitForSelector(".overlay .trail");
  await page.locator(".board .target").first().hover();
  await page.waitForSelector(".overlay .trail");
  await done(page);
});

test("a thinking engine can be paused, and told to go on", async () => {
  const page = await open("/?game=mnk:9,9,5&players=perfect,level:2", { settings: { tab: "game", time: 10000 } });
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  await page.waitForSelector(".board .target");
  await page.getByRole("tab", { name: "Position" }).click();
  await page.getByLabel("Engine's time").selectOption("0.5 s");
  await page.getByRole("tab", { name: "Game" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".history .move").length > 3);
  await done(page);
});

test("the review of a known blunder: where the draw was lost, and another try", async () => {
  // O answers the corner on an edge, and the draw is gone; X takes it.
  const page = await open("/?game=mnk:3,3,3&moves=a1+b1+a3+a2+c3+b3&players=human,greedy", { settings: { tab: "game", players: ["human", "greedy"] } });
  await moves(page, 7);
  await page.getByRole("button", { name: "Review" }).click();
  await page.waitForSelector(".history .lost_draw");
  assert.equal(await page.locator(".history .lost_draw").first().getAttribute("title").then((s) => s.split(";")[0]), "lost the draw");
  assert.match(await page.locator("#page-game [role=status]").textContent(), /O gave away the draw at move 2 \(b1\)/);
  await page.waitForSelector(".chart .turning");
  await page.locator(".chart .hit").nth(1).click();
  await page.waitForFunction(() => document.querySelector(".history [aria-current]").textContent.trim().startsWith("a1"));
  // The one who lost something is told, and may try again.
  const mine = await open("/?game=mnk:3,3,3&moves=a1+b1+a3+a2+c3+b3&players=greedy,human", { settings: { tab: "game" } });
  await moves(mine, 7);
  await mine.getByRole("button", { name: "Go on" }).click();
  await mine.waitForFunction(() => /You lost\. .*The draw was gone at move 2 \(b1\)\./.test(document.querySelector(".turn")?.textContent ?? ""));
  await mine.getByRole("button", { name: "Try it again" }).click();
  await mine.waitForFunction(() => document.querySelector(".history [aria-current]").textContent.trim().startsWith("a1"));
  await cell(mine, "b2");
  await mine.waitForFunction(() => document.querySelectorAll(".history .branch").length > 0);
  await done(mine);
  await done(page);
});

test("a puzzle: wrong with the refutation, right with the reply, solved, streak, next", async () => {
  // Only b2 wins: it threatens a1 and c2.
  const page = await open("/?game=mnk:3,3,3&position=.ox/x../.o.&puzzle=3");
  await page.waitForSelector(".puzzle >> text=X to move. Win in 2.");
  const analysis = await api(`analyze?game=mnk:3,3,3&position=.ox/x../.o.`);
  const wins = analysis.moves.filter((m) => m.outcome === "win").map((m) => m.move);
  const bad = analysis.moves.find((m) => m.outcome !== "win").move;
  await cell(page, bad);
  await page.waitForSelector(".puzzle .wrong");
  assert.match(await page.locator(".puzzle .wrong").textContent(), /gives the win away\. O answers/);
  await page.getByRole("button", { name: "Try again" }).click();
  await positionIs(page, ".ox/x../.o.");
  await page.waitForSelector(".board .target");
  await cell(page, wins[0]);
  await page.waitForSelector(".puzzle .right");
  for (let i = 0; i < 3 && !(await page.locator("text=Solved!").count()); i++) {
    await page.waitForFunction(() => document.querySelector(".turn.over") || document.querySelector(".board .target"));
    const now = await position(page);
    const next = (await api(`analyze?game=mnk:3,3,3&position=${now}`)).best[0];
    await cell(page, next);
    await positionIs(page, now, false);
  }
  await page.waitForSelector("text=Solved!");
  await page.waitForSelector("text=Streak: 0");
  await page.getByRole("button", { name: "Next puzzle" }).click();
  await page.waitForFunction(() => !location.search.includes(".ox/x../.o.") && /puzzle=/.test(location.search));
  await done(page);
});

test("the puzzle of the day is the same all day", async () => {
  const first = await open("/?game=mnk:3,3,3&puzzleOf=20261116");
  await first.waitForSelector(".puzzle .words");
  const second = await open("/?game=mnk:3,3,3&puzzleOf=20261116");
  await second.waitForSelector(".puzzle .words");
  assert.equal(first.url(), second.url());
  assert.ok(!(await position(first)).startsWith(".../.../..."), "not the empty board");
  await done(first);
  await done(second);
});

test("puzzles are a mode: from home, from a game, and back", async () => {
  const page = await open("/", { settings: { streak: 2 } });
  await page.waitForSelector(".riddles");
  assert.match(await page.locator(".riddles").textContent(), /Streak: 2/);
  await page.locator(".riddles select").selectOption({ label: "Tic-tac-toe" });
  await page.locator(".riddles").getByRole("link", { name: "Any puzzle" }).click();
  await page.waitForSelector(".puzzle .words");
  await page.waitForFunction(() => /^[XO] to move\. Win in \d\.$/.test(document.querySelector(".turn")?.textContent ?? ""));
  await page.waitForSelector("text=Streak: 2");
  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("button", { name: "Puzzle", exact: true }).click();
  await page.waitForSelector(".puzzle .words");
  // Whoever is told the move has not found it.
  await page.waitForSelector(".board .target");
  await page.keyboard.press("h");
  await page.waitForSelector("text=Streak: 0");
  await done(page);
});

test("a game of which no puzzle can be found says so, and the page stays of use", async () => {
  const page = await open("/?game=mnk:1,2,2&puzzleOf=20261118");
  await page.waitForFunction(() => /No puzzle of this game was found/.test(document.querySelector("#toast.on")?.textContent ?? ""));
  await page.waitForSelector(".cards");
  await done(page, "404");
});

test("nothing gives a puzzle away before it is solved", async () => {
  const page = await open("/?game=mnk:3,3,3&position=.ox/x../.o.&puzzle=3", { settings: { tab: "explore", analysis: true, why: true } });
  await page.waitForSelector("#page-explore >> text=Solve the puzzle first");
  for (const tab of ["Moves", "Game", "Position", "Explore"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.waitForLoadState("networkidle");
    assert.equal(await page.locator(".mark, .badge, .tree, .verdict:visible, .chart").count(), 0, tab);
    assert.equal(await page.getByRole("button", { name: "Review" }).count(), 0);
  }
  await page.getByRole("button", { name: "Solution" }).click();
  await page.waitForSelector(".badge.best");
  await page.getByRole("tab", { name: "Explore" }).click();
  await page.waitForSelector(".tree .mark.best");
  await done(page);
});

test("explore: values beside each move, children when opened, the same position once", async () => {
  const page = await open("/?game=mnk:3,3,3&players=human,human", { settings: { tab: "explore" } });
  await page.waitForSelector(".tree li .mark");
  assert.equal(await page.locator(".tree > li").count(), 9);
  await page.getByRole("button", { name: "Open a1" }).first().click();
  await page.waitForSelector(".tree li > ul > li");
  await page.locator(".tree li > ul .move").first().click();
  await page.waitForFunction(() => /moves=a1/.test(location.search));
  await done(page);
});

test("explore opens along the game, and follows it", async () => {
  const page = await open("/?game=connect4&moves=4+4&players=human,human", { settings: { tab: "explore" } });
  await page.waitForSelector('.tree [data-line="4 4"][aria-current]');
  await page.waitForSelector('.tree [data-line="4 4 3"]');
  await cell(page, "1");
  await page.waitForSelector('.tree [data-line="4 4 1"][aria-current]');
  await page.waitForSelector('.tree [data-line="4 4 1 2"]');
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector('.tree [data-line="4 4"][aria-current]');
  await done(page);
});

test("the list beside the name goes to another game", async () => {
  const page = await open("/?game=mnk:3,3,3&players=human,human");
  await page.waitForSelector("#games optgroup", { state: "attached" });
  await page.locator("#games").selectOption({ label: "Hex 3x3" });
  await page.waitForFunction(() => document.title.startsWith("Hex"));
  await page.goBack();
  await page.waitForFunction(() => document.title.startsWith("Tic-tac-toe"));
  await done(page);
});

test("a deal comes from its seed, and the link carries it", async () => {
  const page = await open("/?game=collapsi&seed=7&players=human,human", { settings: { tab: "position" } });
  await page.waitForSelector(".board .target");
  const before = await position(page);
  await page.getByLabel("Seed of the deal").fill("5");
  await page.getByRole("button", { name: "Deal" }).click();
  await positionIs(page, before, false);
  await page.waitForFunction(() => new URLSearchParams(location.search).get("seed") === "5");
  const dealt = await api(`position?game=collapsi&seed=5`);
  assert.equal(await position(page), dealt.position);
  await done(page);
});

test("hint and random position", async () => {
  const page = await open("/?game=mnk:3,3,3&position=xx./oo./...&players=human,human", { settings: { tab: "position" } });
  await page.waitForSelector(".board .target");
  await page.keyboard.press("h");
  await page.waitForSelector(".overlay .hint");
  assert.equal(await page.locator(".turn").textContent(), "Hint: c3.");
  await page.getByRole("button", { name: "Random" }).click();
  await page.waitForFunction(() => !location.search.includes("xx./oo./..."));
  await done(page);
});

test("every language has every text, and the page speaks it", async () => {
  const places = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort().join();
  for (const part of ["", "-more"]) {
    const en = await texts(`en${part}`);
    assert.ok(Object.keys(en).length > 70);
    for (const lang of ["de", "fr"]) {
      const other = await texts(lang + part);
      assert.deepEqual(Object.keys(other).sort(), Object.keys(en).sort(), lang);
      for (const [key, text] of Object.entries(en)) assert.equal(places(other[key]), places(text), `${lang}: ${key}`);
    }
  }
  const page = await open("/?game=connect4&players=human,human", { locale: "de-DE" });
  await page.waitForFunction(() => document.querySelector(".turn")?.textContent === "Rot ist am Zug.");
  await page.locator("#lang").selectOption("fr");
  await page.waitForFunction(() => document.querySelector(".turn")?.textContent === "Rouge joue.");
  assert.equal(await page.evaluate(() => document.documentElement.lang), "fr");
  await done(page);
});

test("every text that the page asks for is there, and what a visit asks for needs no click", async () => {
  const en = await texts("en"), more = await texts("en-more");
  const at_once = ["words", "wire", "api", "tree", "board", "bar", "panels", "game", "main"];
  const folder = new URL("../crates/server/page/js/", import.meta.url);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
    const source = readFileSync(new URL(file, folder), "utf8");
    for (const [, key] of source.matchAll(/\bt\("(\w+)"/g)) assert.ok(key in en || key in more && !at_once.includes(file.slice(0, -3)) || ["gone", "the"].includes(key), `${file}: ${key}`);
  }
  for (const [, key] of readFileSync(new URL("../index.html", folder), "utf8").matchAll(/data-(?:t|label)="(\w+)"/g)) assert.ok(key in en, key);
});

test("rules, cards and what went wrong are said in the language of the page", async () => {
  for (const [locale, four, goal, step, wrong, unknown] of [["de-DE", "Vier gewinnt", "Bringen Sie als Erster vier", "Ihr Stein fällt", "Das ist keine Stellung dieses Spiels (", "Dieses Spiel gibt es nicht"], ["fr-FR", "Puissance 4", "Soyez le premier à aligner", "Votre jeton tombe", "Ce n’est pas une position de ce jeu (", "Ce jeu n’existe pas"]]) {
    const page = await open("/", { locale });
    await page.locator(".card", { hasText: goal }).getByRole("heading", { name: four }).waitFor();
    // Nothing is said in English but the names of things.
    const said = await page.locator(".home").innerText();
    assert.ok(!/\b(the|wins|your|with|moves|play|stones)\b/i.test(said.replaceAll("Play", "")), said);
    await page.goto(`${stage.server.address}/?game=connect4&players=human,human`);
    await page.waitForSelector(".board .target");
    assert.ok((await page.title()).startsWith(`${four} 7x6`));
    await page.keyboard.press("r");
    await page.locator(".sheet .steps", { hasText: step }).waitFor();
    const rules = await page.locator(".sheet").innerText();
    assert.ok(rules.includes(goal) && !/\b(the|your|stones|wins)\b/i.test(rules), rules);
    await page.keyboard.press("Escape");
    await page.locator("#tab-position").click();
    await page.locator("#page-position textarea").first().fill("xyz");
    await page.locator("#page-position button").first().click();
    await page.waitForFunction((w) => document.querySelector("#toast.on")?.textContent.includes(w), wrong);
    await page.goto(`${stage.server.address}/?game=nosuchgame`);
    await page.waitForFunction((w) => document.querySelector(".lead")?.textContent.includes(w), unknown);
    await done(page, "400");
  }
});

test("printing prints the name, the board and the moves", async () => {
  const page = await open("/?game=connect4&moves=4+4+4&players=human,human", { settings: { tab: "position" } });
  await page.waitForSelector(".board .target");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  const shown = await page.evaluate(() => document.body.innerText);
  assert.match(shown, /Connect Four 7x6[^]*Yellow to move[^]*1\.\s*4\s*4\s*3\.\s*4/);
  assert.ok(!/Analysis|Share|Position text|Hint/.test(shown), shown);
  assert.ok(await page.locator(".frame svg").isVisible());
  await done(page);
});

test("the first board comes quickly, and nothing shifts", async (t) => {
  let best = Infinity, empty = Infinity, plain = 0, packed = 0;
  for (let load = 0; load < 5; load++) {
    // German has the longest texts.
    const page = await open("/?game=connect4&players=human,human", { locale: "de-DE" });
    await page.waitForFunction(() => performance.getEntriesByName("first-board").length);
    await page.waitForLoadState("networkidle");
    const [ms, shift] = await page.evaluate(() => new Promise((done) => {
      let shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((e) => (shift += e.value))).observe({ type: "layout-shift", buffered: true });
      const [entry] = performance.getEntriesByType("navigation"), [shown] = performance.getEntriesByName("first-board");
      // What was buffered has been handed over two frames later.
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done([shown.startTime - entry.responseStart, shift]))));
    }));
    assert.equal(shift, 0, "nothing moves once it is shown");
    [plain, packed] = await page.evaluate(() => {
      const files = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource").filter((e) => !e.name.includes("/api/"))];
      return ["decodedBodySize", "encodedBodySize"].map((size) => files.reduce((sum, e) => sum + e[size], 0));
    });
    await done(page);
    const nothing = await open("/icon.svg");
    empty = Math.min(empty, await nothing.evaluate(() => { const [e] = performance.getEntriesByType("navigation"); return e.loadEventEnd - e.responseStart; }));
    await done(nothing, "404");
    best = Math.min(best, ms);
  }
  // The judge itself is another matter: its size has a test of its own.
  assert.ok(SITE || plain > 50_000 && plain <= 90_000 && packed <= 30_000, `${plain} bytes, ${packed} over the wire`);
  t.diagnostic(`${plain} bytes, ${packed} over the wire; the first board ${Math.round(best)} ms after the first byte, an empty page ${Math.round(empty)} ms`);
  // On a machine that is busy with other things an empty page takes long too.
  // Without a server the judge itself is loaded and compiled first.
  const most = SITE ? 10 : 1;
  assert.ok(best < most * 300 || best < most * 10 * empty, `${best} ms, and ${empty} ms for an empty page`);
});

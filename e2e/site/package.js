// The package, from a page and from a program that know nothing else.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { BINARY, openPage, SITE, startBrowser } from "../browser.js";
import { startHost } from "./host.js";

let browser, folder, host;
before(async () => {
  browser = await startBrowser();
  folder = mkdtempSync(join(tmpdir(), "ludex-"));
  host = await startHost({ "/": folder, "/lib/ludex/": join(SITE, "ludex") });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(SITE, "ludex"), join(folder, "node_modules/ludex"));
});
after(async () => {
  await browser?.close();
  await host?.stop();
  rmSync(folder, { recursive: true });
});

/** Run a program that imports the package by its name. */
function run(program) {
  writeFileSync(join(folder, "program.mjs"), program);
  return JSON.parse(execFileSync(process.execPath, ["program.mjs"], { cwd: folder, encoding: "utf8", timeout: 60_000 }));
}

const PROGRAM = `
  const ludex = new Ludex();
  const events = [];
  const verdict = await ludex.solve("mnk:3,3,3");
  const moves = await ludex.legalMoves("connect4", { moves: ["4", "4", "4", "4", "4", "4"] });
  const analysis = await ludex.analyze("connect4", { position: "4453" });
  const svg = await ludex.svg("hex:4x4", { moves: "b2 c3" });
  const wrong = await ludex.solve("chess").catch((e) => [e.name, e.code, e.hint.includes("connect4")]);
  const stop = new AbortController();
  const stopped = ludex.solve("nex:6x6", { signal: stop.signal, onProgress: (news) => (events.push(news.nodes), stop.abort()) }).catch((e) => e.name);
  const found = [verdict.sentence, moves, analysis.moves.map((m) => m.move + ":" + m.score), svg.startsWith("<svg"), wrong, await stopped, events.length > 0];
  const file = await ludex.prove("mnk:3,3,3", { moves: "a1" });
  found.push((await ludex.check(file)).claims.length > 0);
  found.push((await ludex.choose("mnk:3,3,3", { moves: "a1 b1", level: "perfect" })).certain);
  found.push((await ludex.puzzle("mnk:4,3,3", { seed: 1, plies: 3 })).plies, (await ludex.explain("mnk:3,3,3")).type);
`;
const FOUND = ["Draw with perfect play.", ["1", "2", "3", "5", "6", "7"], ["3:-2", "6:-2", "7:-2", "4:-3", "5:-4", "1:-5", "2:-5"], true, ["LudexError", "bad_spec", true], "AbortError", true, true, true, 3, "explanation"];

test("in Node.js: solve, analyze, legal moves, drawings, proofs, errors, and a search that is stopped", () => {
  assert.deepEqual(run(`import { Ludex } from "ludex";${PROGRAM}console.log(JSON.stringify(found));`), FOUND);
});

test("a search looks at the same positions as the program's", () => {
  const asked = [["connect4", "444442156", "distance"], ["mnk:4,4,4", "", "wdl"], ["nex:3x3", "", "distance"], ["hex:4x4", "", "wdl"]];
  const here = run(`import { Ludex } from "ludex";
    const ludex = new Ludex(), found = [];
    for (const [game, position, goal] of ${JSON.stringify(asked)}) found.push((({ sentence, stats }) => [sentence, stats.nodes])(await ludex.solve(game, { position, goal, memory: 1 << 26 })));
    console.log(JSON.stringify(found));`);
  const there = asked.map(([game, position, goal]) => {
    const line = execFileSync(BINARY, ["solve", game, ...(position ? [position] : []), "--goal", goal, "--no-db", "--no-table", "--threads", "1", "--memory", "64MiB", "--json", "--progress", "none"], { encoding: "utf8" });
    const { sentence, stats } = JSON.parse(line.trim().split("\n").at(-1));
    return [sentence, stats.nodes];
  });
  assert.deepEqual(here, there);
});

test("the same from a page that has nothing but the package", async () => {
  writeFileSync(join(folder, "page.html"), `<!doctype html><title>A page</title><link rel="icon" href="data:,"><script type="module">import { Ludex } from "/lib/ludex/index.js";${PROGRAM}document.title = JSON.stringify(found);</script>`);
  const page = await openPage(browser, host.address, "/page.html");
  await page.waitForFunction(() => document.title.startsWith("["), null, { timeout: 60_000 });
  assert.deepEqual(JSON.parse(await page.title()), FOUND);
  await page.context().close();
});

test("<ludex-board> shows a game, its verdict and its mistakes, and can be played on", async () => {
  writeFileSync(join(folder, "board.html"), `<!doctype html><title>A board</title><link rel="icon" href="data:,"><script type="module" src="/lib/ludex/board.js"></script>
    <ludex-board id="a" game="connect4" moves="4453" verdict></ludex-board> <ludex-board id="b" playable></ludex-board> <ludex-board id="c" game="hex:4x4" moves="b2 zz"></ludex-board>`);
  const page = await openPage(browser, host.address, "/board.html");
  await page.waitForFunction(() => /Yellow wins|Red wins/.test(document.querySelector("#a").shadowRoot.textContent));
  assert.match(await page.evaluate(() => document.querySelector("#a").shadowRoot.textContent), /wins in \d+ with perfect play/);
  assert.equal(await page.evaluate(() => document.querySelector("#a").view.last), "3");
  await page.locator("#b svg [data-cell=b2]").first().click();
  await page.waitForFunction(() => document.querySelector("#b").view?.last === "b2");
  assert.equal(await page.getAttribute("#b", "moves"), "b2");
  await page.locator("#b svg [data-cell=a1]").first().click();
  await page.waitForFunction(() => document.querySelector("#b").getAttribute("moves") === "b2 a1");
  await page.waitForFunction(() => document.querySelector("#c").shadowRoot.querySelector("[role=alert]")?.textContent.includes("zz"));
  await page.evaluate(() => document.querySelector("#c").setAttribute("moves", "b2 c3"));
  await page.waitForFunction(() => document.querySelector("#c").view?.last === "c3");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("its types are those of the answers", () => {
  writeFileSync(join(folder, "use.ts"), `
    import { Ludex, type Verdict } from "ludex";
    import "ludex/board";
    const ludex = new Ludex();
    const verdict: Verdict = await ludex.solve("connect4", { position: "4453", goal: "distance", time: 10 });
    const outcome: "win" | "draw" | "loss" | "unknown" = verdict.outcome;
    const clicks: string[] = (await ludex.position("mnk:3,3,3")).moves.flatMap((m) => m.clicks);
    const board = document.querySelector("ludex-board");
    if (board) board.view?.svg.length;
    // @ts-expect-error a goal that there is not
    await ludex.analyze("connect4", { goal: "score" });
    export { outcome, clicks };
  `);
  const tsc = fileURLToPath(new URL("../node_modules/.bin/tsc", import.meta.url));
  execFileSync(tsc, ["--strict", "--noEmit", "--target", "ES2023", "--module", "ESNext", "--moduleResolution", "bundler", "use.ts"], { cwd: folder, stdio: "inherit" });
});

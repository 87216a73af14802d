// A server of our own and a real browser, with eyes on everything that should not happen.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startHost } from "./site/host.js";

export const BINARY = process.env.LUDEX_BIN ?? fileURLToPath(new URL("../target/release/ludex", import.meta.url));

/** The folder of the page that needs no server, if the tests are about that one. */
export const SITE = process.env.LUDEX_SITE && resolve(process.env.LUDEX_SITE);

/** Start `ludex serve` on a free port, and a plain host of that folder if there is one; or use the server that LUDEX_URL names. */
export async function startServer(...flags) {
  if (process.env.LUDEX_URL) return { address: process.env.LUDEX_URL, api: process.env.LUDEX_URL, stop: async () => 0 };
  const child = spawn(BINARY, ["serve", "--listen", "127.0.0.1:0", "--no-db", ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  const [api] = await once(createInterface(child.stdout), "line");
  const host = SITE ? await startHost({ "/": SITE }) : null;
  return {
    address: host?.address ?? api,
    // What tests ask themselves: of a page without a server there is nothing to ask.
    api,
    child,
    async stop() {
      await host?.stop();
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      return child.exitCode;
    },
  };
}

export const startBrowser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });

/** A page that notes console errors, exceptions and requests to other hosts. */
export async function openPage(browser, address, path, { settings = {}, ...options } = {}) {
  const context = await browser.newContext({ reducedMotion: "reduce", viewport: { width: 1280, height: 900 }, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  // Long: a wait ends as soon as what is waited for is there, however busy the machine is.
  page.setDefaultTimeout(120_000);
  page.faults = [];
  page.on("console", (m) => m.type() === "error" && page.faults.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => page.faults.push(`exception: ${e.stack}`));
  page.on("request", (r) => {
    const url = new URL(r.url());
    if (url.origin !== address && !["data:", "blob:"].includes(url.protocol)) page.faults.push(`request: ${url}`);
  });
  await page.addInitScript((s) => {
    for (const [k, v] of Object.entries(s)) if (localStorage.getItem(`ludex.${k}`) == null) localStorage.setItem(`ludex.${k}`, JSON.stringify(v));
  }, settings);
  await page.goto(address + path);
  return page;
}

/** Wait until it is the human's turn or the game is over; say whether it goes on. */
export async function myTurn(page) {
  await page.waitForFunction(() => document.querySelector(".turn.over") || document.querySelector(".board .target"));
  return !(await page.locator(".turn.over").count());
}

const TEXT = "#page-position textarea";
export const position = (page) => page.evaluate((s) => document.querySelector(s)?.value ?? "", TEXT);

/** Wait until the position is, or is not, some text. */
export const positionIs = (page, text, is = true) => page.waitForFunction(([s, p, is]) => (document.querySelector(s)?.value === p) === is && document.querySelector(s), [TEXT, text, is]);

/** Position and cells chosen so far: what a click changes. */
const state = (page) => page.evaluate((s) => [document.querySelector(s)?.value, document.querySelectorAll(".overlay .picked").length].join(), TEXT);
const stateIsNot = (page, was) => page.waitForFunction(([s, w]) => [document.querySelector(s)?.value, document.querySelectorAll(".overlay .picked").length].join() !== w, [TEXT, was]);

/** Click a cell as a person does: in its middle. */
export async function clickCell(page, cell) {
  const box = await cell.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** Make one move by clicks: some legal cell, then whatever is still needed. */
export async function clickMove(page, choose = () => 0) {
  const before = await position(page);
  for (let clicks = 0; clicks < 6; clicks++) {
    const targets = page.locator(".board .target");
    await targets.first().waitFor();
    const was = await state(page);
    await clickCell(page, targets.nth(choose(await targets.count())));
    await stateIsNot(page, was);
    if ((await position(page)) !== before) return;
  }
  throw new Error("six clicks and no move");
}

/** Make one move by keys alone: walk about from where the focus is, then on to a cell that can be played. */
export async function keyMove(page, roll) {
  const before = await position(page);
  for (let i = 0; i < 6; i++) {
    for (let n = roll(3); n > 0; n--) await page.keyboard.press(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"][roll(4)]);
    const legal = () => page.evaluate(() => document.activeElement?.getAttribute("aria-disabled") === "false");
    // Rows from the top, each from the left, until a cell can be played.
    if (!(await legal())) {
      const cells = await page.$$eval(".cells [role=row]", (rows) => rows.map((r) => r.children.length));
      for (let up = 0; up < cells.length; up++) await page.keyboard.press("ArrowUp");
      search: for (const n of cells) {
        await page.keyboard.press("Home");
        for (let c = 0; c < n; c++) {
          if (await legal()) break search;
          await page.keyboard.press("ArrowRight");
        }
        await page.keyboard.press("ArrowDown");
      }
    }
    const was = await state(page);
    await page.keyboard.press("Enter");
    await stateIsNot(page, was);
    if ((await position(page)) !== before) return;
  }
  throw new Error("six cells and no move");
}

/** Numbers that look random and are the same every time. */
export function dice(seed) {
  let s = seed;
  return (n) => (s = (s * 1103515245 + 12345) % 2147483648) % n;
}

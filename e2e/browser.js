// A server of our own and a real browser, with eyes on everything that should not happen.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const BINARY = process.env.LUDEX_BIN ?? fileURLToPath(new URL("../target/release/ludex", import.meta.url));

/** Start `ludex serve` on a free port, or use the one that LUDEX_URL names. */
export async function startServer(...flags) {
  if (process.env.LUDEX_URL) return { address: process.env.LUDEX_URL, stop: async () => 0 };
  const child = spawn(BINARY, ["serve", "--listen", "127.0.0.1:0", "--no-db", ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  const [address] = await once(createInterface(child.stdout), "line");
  return {
    address,
    child,
    async stop() {
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
  page.setDefaultTimeout(20_000);
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

/** Wait until it is the human's turn or the game is over; say which. */
export async function myTurn(page) {
  await page.waitForFunction(() => document.querySelector(".turn.over") || document.querySelector(".board .target"));
  return !(await page.locator(".turn.over").count());
}

export const position = (page) => page.locator("textarea[aria-label='Position text']").first().inputValue();

/** Click a cell as a person does: in its middle. */
export async function clickCell(page, cell) {
  const box = await cell.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** Make one move by clicks: some legal cell, then whatever is still needed. */
export async function clickMove(page, choose = () => 0) {
  const before = await position(page);
  for (let clicks = 0; clicks < 6; clicks++) {
    const targets = page.locator(".board .target[role=button]");
    const state = () => page.evaluate(() => [document.querySelector("textarea").value, document.querySelectorAll(".picked").length].join());
    const was = await state();
    await targets.first().waitFor();
    await clickCell(page, targets.nth(choose(Math.max(1, await targets.count()))));
    const moved = await page
      .waitForFunction((w) => [document.querySelector("textarea").value, document.querySelectorAll(".picked").length].join() !== w, was)
      .then(() => position(page));
    if (moved !== before) return;
  }
  throw new Error("six clicks and no move");
}

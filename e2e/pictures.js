// The pictures of the README and the book: every game light, dark and on a phone; rules, a review, a puzzle, a wide screen.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openPage, startBrowser, startServer } from "./browser.js";

const folder = fileURLToPath(new URL("../docs/src/pictures/", import.meta.url));
mkdirSync(folder, { recursive: true });

const SCENES = [
  ["connect4", "game=connect4&position=4444432662&players=human,human&moves=2+6"],
  ["mnk", "game=mnk:4,4,3&moves=b2&players=human,human"],
  ["nex", "game=nex:3x3&moves=Ba2?b1+Wb2?a1&players=human,human"],
  ["hex", "game=hex:4x4&moves=b3+c2&players=human,human"],
  ["collapsi", "game=collapsi&seed=7&players=human,human"],
  ["seven", "game=seven:8&moves=1,3+2,4&players=human,human"],
];
const LOOKS = {
  light: { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

const server = await startServer("--analyze-time", "10s");
const browser = await startBrowser();

/** A picture of a page, once `ready` can be seen on it. */
async function shoot(name, path, options, ready, act = async () => {}) {
  const page = await openPage(browser, server.address, path, options);
  await page.waitForSelector(ready, { timeout: 60_000 }).catch(() => console.error(`${name}: nothing to be seen of ${ready}`));
  await act(page);
  // What is searched for is found.
  await page.waitForFunction(() => document.querySelector(".busy")?.hidden ?? true, null, { timeout: 60_000 }).catch(() => console.error(`${name}: still searching`));
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: `${folder}${name}.png` });
  if (page.faults.length) console.error(name, page.faults);
  await page.context().close();
}

for (const [look, options] of Object.entries(LOOKS)) {
  await shoot(`home-${look}`, "/", options, ".card .thumb svg");
  for (const [name, query] of SCENES) {
    const why = name === "connect4" && look !== "phone";
    await shoot(`${name}-${look}`, `/?${query}`, { ...options, settings: { analysis: true, why } }, why ? ".reasons .move" : ".badge");
  }
}
const { light, phone } = LOOKS;
await shoot("rules", "/?game=connect4&players=human,human", light, ".board .target", async (page) => {
  await page.keyboard.press("r");
  await page.waitForSelector(".steps svg");
});
await shoot("review", "/?game=mnk:3,3,3&moves=a1+b1+a3+a2+c3+b3+b2&players=greedy,human", { ...light, settings: { tab: "game" } }, ".history .move", async (page) => {
  await page.getByRole("button", { name: "Review" }).click();
  await page.waitForSelector(".history .lost_draw");
});
await shoot("puzzle-phone", "/?game=mnk:3,3,3&position=.ox/x../.o.&puzzle=3", phone, ".puzzle .words");
await shoot("connect4-sideways", "/?game=connect4&moves=4+4&players=human,greedy", { ...phone, viewport: { width: 844, height: 390 }, settings: { analysis: true } }, ".badge");
await shoot("collapsi-wide", "/?game=collapsi&seed=7&players=human,human", { colorScheme: "dark", viewport: { width: 1920, height: 1080 }, settings: { analysis: true } }, ".badge");
await browser.close();
await server.stop();

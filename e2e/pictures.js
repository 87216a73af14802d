// The pictures of the README and the docs: every game, light, dark and on a phone.

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
  light: { colorScheme: "light", viewport: { width: 1180, height: 820 } },
  dark: { colorScheme: "dark", viewport: { width: 1180, height: 820 } },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 } },
};

const server = await startServer("--analyze-time", "10s");
const browser = await startBrowser();
async function shoot(name, path, options) {
  const why = /^connect4-(light|dark)/.test(name);
  const page = await openPage(browser, server.address, path, { settings: { analysis: true, why }, ...options });
  await page.waitForLoadState("networkidle");
  if (path !== "/") await page.waitForSelector(".moves .mark", { timeout: 60_000 }).catch(() => console.error(`${name}: no values`));
  if (why) await page.waitForSelector(".reasons .move");
  await page.screenshot({ path: `${folder}${name}.png` });
  if (page.faults.length) console.error(name, page.faults);
  await page.context().close();
}
for (const [look, options] of Object.entries(LOOKS)) {
  await shoot(`home-${look}`, "/", options);
  for (const [name, query] of SCENES) await shoot(`${name}-${look}`, `/?${query}`, options);
}
await browser.close();
await server.stop();

// How soon the first board is there: the median of some loads with nothing kept from before, from the first byte of the page
// to the board; beside it an empty page of the same server, so that the figure can be read on any machine.
// node speed.js [loads] [address of the page]

import { openPage, startBrowser, startServer } from "./browser.js";

const loads = Number(process.argv[2] ?? 10), path = process.argv[3] ?? "/?game=connect4&players=human,human";
const server = await startServer();
const browser = await startBrowser();
const median = (all) => all.sort((a, b) => a - b)[all.length >> 1];
const figures = { board: [], paint: [], empty: [], shift: [] };
for (let i = 0; i <= loads; i++) {
  const page = await openPage(browser, server.address, path);
  await page.waitForFunction(() => performance.getEntriesByName("first-board").length);
  await page.waitForLoadState("networkidle");
  const [board, paint, shift] = await page.evaluate(() => new Promise((done) => {
    const start = performance.getEntriesByType("navigation")[0].responseStart;
    let shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((e) => (shift += e.value))).observe({ type: "layout-shift", buffered: true });
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN;
    // What was buffered is handed over before the next but one frame.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done([performance.getEntriesByName("first-board")[0].startTime - start, paint - start, shift]))));
  }));
  await page.context().close();
  const empty = await openPage(browser, server.address, "/icon.svg");
  const nothing = await empty.evaluate(() => { const [e] = performance.getEntriesByType("navigation"); return e.loadEventEnd - e.responseStart; });
  await empty.context().close();
  // The first load warms the browser.
  if (i) for (const [name, value] of Object.entries({ board, paint, empty: nothing, shift })) figures[name].push(value);
}
const [board, paint, empty] = ["board", "paint", "empty"].map((name) => median(figures[name]));
console.log(`first board: median ${board.toFixed(0)} ms after the first byte (${loads} loads; first paint ${paint.toFixed(0)} ms; an empty page takes ${empty.toFixed(0)} ms: ${(board / empty).toFixed(1)} times); shifted by ${Math.max(...figures.shift)}`);
await browser.close();
await server.stop();

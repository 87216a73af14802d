// A certificate on the board: opened, dropped, made; walked through to the end; refused if it proves nothing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { clickMove, dice } from "./browser.js";
import { accessible, done, open, stage } from "./suite.js";

const proofs = fileURLToPath(new URL("../proofs/", import.meta.url));

const said = (page, pattern) => page.waitForFunction((p) => new RegExp(p).test(document.querySelector(".proof [role=status]")?.textContent ?? ""), pattern.source);

/** Play any replies until the game is over. */
async function playOut(page, roll) {
  for (let n = 0; n < 60; n++) {
    await page.waitForFunction(() => document.querySelector(".turn.over") || (document.querySelector(".board .target") && !/thinking/.test(document.querySelector(".turn").textContent)));
    if (await page.locator(".turn.over").count()) return page.locator(".turn").textContent();
    await clickMove(page, roll);
  }
  throw new Error("the game does not end");
}

test("a certificate is opened from the first page, and its strategy walked through on the board", async () => {
  const page = await open("/");
  await page.waitForSelector("text=A proof or a game");
  await page.locator("input[type=file]").setInputFiles(proofs + "seven/6.ludex");
  await page.waitForSelector(".proof >> text=Maker wins.");
  await said(page, /plays|threat|reply/);
  assert.match(await playOut(page, dice(5)), /You lost/);
  await said(page, /Maker has won, as was proved/);
  await page.reload();
  await page.waitForSelector(".proof >> text=Maker wins.");
  await done(page);
});

for (const [file, ending] of [["connect4/4x4.ludex", /lost|drawn|won/], ["mnk/5,5,4-weak.ludex", /lost|won/], ["hex/4x4.ludex", /lost/], ["nex/3x3.ludex", /lost/], ["collapsi/example.ludex", /lost/], ["positional/tic-tac-toe.ludex", /lost|drawn/]]) {
  test(`any replies against ${file}`, async () => {
    const page = await open("/?game=mnk:3,3,3&players=human,human", { settings: { tab: "position" } });
    await page.locator("input[type=file]").setInputFiles(proofs + file);
    await page.waitForSelector(".proof .words");
    assert.match(await playOut(page, dice(file.length)), ending);
    await done(page);
  });
}

test("a proof speaks the language of the page", async () => {
  const page = await open("/", { locale: "de-DE" });
  await page.waitForSelector("input[type=file]", { state: "attached" });
  await page.locator("input[type=file]").setInputFiles(proofs + "seven/6.ludex");
  await page.waitForSelector(".proof >> text=Maker gewinnt.");
  await said(page, /spielt|droht|Erwiderung/);
  await done(page);
});

test("the cells that a rule is about are marked on the board", async () => {
  const page = await open("/?game=mnk:3,3,3&players=human,human", { settings: { tab: "position" } });
  await page.locator("input[type=file]").setInputFiles(proofs + "seven/7.ludex");
  await page.waitForSelector(".proof >> text=Maker wins.");
  // The proof has spoken of the position that is shown, and it is the reader's turn.
  const spoken = () => page.waitForFunction(() => document.querySelector(".turn.over") || (document.querySelector(".board .target") && document.querySelector(".proof").dataset.about === document.querySelector("textarea").value));
  await spoken();
  for (let n = 0; n < 6 && !(await page.locator(".overlay .about").count()); n++) {
    await clickMove(page);
    await spoken();
  }
  await said(page, /threatens|leaves/);
  await page.waitForSelector(".overlay .about");
  await done(page);
});

test("a certificate is dropped on the page; what is none leaves the page as it was", async () => {
  const page = await open("/?game=mnk:3,3,3&moves=a1&players=human,human");
  await page.waitForSelector(".board .target");
  const url = page.url();
  const drop = (bytes, name) => page.evaluate(([bytes, name]) => {
    const carried = new DataTransfer();
    carried.items.add(new File([new Uint8Array(bytes)], name));
    dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
  }, [[...bytes], name]);
  const file = readFileSync(proofs + "hex/3x3.ludex");
  await drop(file.subarray(0, file.length - 2), "cut.ludex");
  await page.waitForFunction(() => /refused/.test(document.querySelector("#toast.on")?.textContent ?? ""));
  assert.equal(page.url(), url);
  await drop(file, "3x3.ludex");
  await page.waitForSelector(".proof >> text=Black wins.");
  await done(page, "400");
});

test("a record that is pasted on the board is shown", async () => {
  const page = await open("/?game=mnk:3,3,3&players=human,human");
  await page.waitForSelector(".board .target");
  await page.evaluate(() => {
    const carried = new DataTransfer();
    carried.setData("text", "a1 b2 c3");
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: carried, bubbles: true }));
  });
  await page.waitForFunction(() => /moves=a1\+b2\+c3/.test(location.search));
  await done(page);
});

test("Why? leads to a proof of the position, which can be saved, shared and left", async () => {
  const page = await open("/?game=connect4:5x4&moves=3&players=human,human", { settings: { analysis: true, why: true } });
  await page.getByRole("button", { name: "Prove it" }).click();
  await page.waitForSelector(".proof >> text=at least a draw");
  assert.match(page.url(), /proof=1/);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the file" }).click();
  assert.equal((await download).suggestedFilename(), "connect4.ludex");
  // The other half of a draw: the other side's strategy.
  const [first, other] = await page.$$eval(".proof .words, .proof .point", (all) => all.map((e) => e.textContent));
  await page.getByRole("button", { name: other }).click();
  await page.waitForFunction((o) => document.querySelector(".proof .words")?.textContent === o, other);
  assert.notEqual(first, other);
  const link = page.url();
  const elsewhere = await open(link.slice(stage.server.address.length));
  await elsewhere.waitForFunction((o) => document.querySelector(".proof .words")?.textContent === o, other);
  assert.equal(elsewhere.url(), link);
  await done(elsewhere);
  await accessible(page, "a proof");
  await page.getByRole("button", { name: "Leave" }).click();
  await page.waitForFunction(() => !document.querySelector(".proof"));
  await done(page);
});

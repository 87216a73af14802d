// The judge of the browser answers as the server does: the same questions, the same statuses, the same objects.

import assert from "node:assert/strict";
import { test } from "node:test";
import { judges } from "./judges.js";

const both = judges();

const GAMES = ["connect4", "connect4:5x4", "mnk:3,3,3", "mnk:4,3,3", "nex:3x3", "hex:3x3", "seven:6", "heap:21", "positional:tic-tac-toe", "collapsi:A242/2333/34X2/OAAA"];

/** Every question about every small game, and questions that are wrong. */
const QUESTIONS = [
  "GET games", "GET tables",
  ...GAMES.flatMap((game) => ["game", "rules", "position", "analyze", "explain", "review", "random?seed=3", "analyze?limit=2&offset=1&goal=wdl"].map((path) => `GET ${path}${path.includes("?") ? "&" : "?"}game=${game}`)),
  "GET position?game=collapsi&seed=5", "GET position?game=connect4&play=4+4+5", "GET review?game=mnk:3,3,3&play=a1+b1+b2", "GET puzzle?game=mnk:4,3,3&seed=1&plies=3&time=2000", "GET puzzle?game=collapsi&seed=2",
  "GET position", "GET position?game=chess", "GET position?game=connect4&play=9", "GET position?game=connect4&play=4+x", "GET position?game=connect4&offset=x", "GET position?game=connect4&limit=20000",
  "GET position?game=collapsi", "GET analyze?game=mnk:3,3,3&goal=soon", "GET analyze?game=mnk:3,3,3&time=0", "GET game", "GET rules?game=positional:/etc/passwd",
  'POST play {"game":"mnk:3,3,3","move":"b2"}', 'POST play {"game":"mnk:3,3,3","move":"z9"}', 'POST play {"game":"mnk:3,3,3"}', "POST play {", 'POST import {"text":"https://hexworld.org/board/#5c1,c2d1e5"}', 'POST import {"text":"nothing"}',
  'POST analyze {"game":"connect4","positions":["4453","moves:4,4","9"]}', `POST analyze {"game":"connect4","positions":${JSON.stringify(Array(101).fill(""))}}`, 'POST analyze {"game":"connect4","positions":["4"],"limit":20000}',
  'POST choose {"game":"hex:4x4","level":"greedy","seed":1}', 'POST choose {"game":"mnk:3,3,3","level":"perfect","position":"xo./.x./..."}', 'POST choose {"game":"mnk:3,3,3","level":"clever"}', 'POST choose {"game":"mnk:3,3,3","position":"xxx/oo./..."}',
];

/** What takes time, and what a search remembers from before, is not the same twice. */
const plain = (text) => JSON.parse(text, (key, value) => (["seconds", "stats", "rate", "memory"].includes(key) ? undefined : value));

test("every answer is that of the server", async (t) => {
  let late = 0;
  for (const question of QUESTIONS) {
    const [, method, path, body] = /^(\S+) (\S+) ?(.*)$/s.exec(question);
    const url = new URL(`${both.server.api}/api/v1/${path}`);
    const there = await fetch(url, method === "POST" ? { method, body, headers: { "content-type": "application/json" } } : {});
    const here = await both.desk.ask({ method, path: url.pathname.split("/").at(-1), query: Object.fromEntries(url.searchParams), body });
    const said = plain(await there.text()), found = plain(new TextDecoder().decode(here.body));
    assert.equal(here.status, there.status, `${question}: ${JSON.stringify(found)}`);
    // The words for what cannot be read are those of the reader.
    if (["bad_query", "bad_body"].includes(said.code)) assert.equal(found.code, said.code, question);
    // A busy machine may not come to an end in time; then there is nothing to compare.
    else if ([said, found].some((answer) => answer.status === "out_of_time" || answer.code === "no_puzzle")) late++;
    else assert.deepEqual(found, said, question);
  }
  t.diagnostic(`${QUESTIONS.length} questions, ${late} not answered in time`);
  assert.ok(late < QUESTIONS.length / 4, `${late} not answered in time`);
});

test("a certificate of the one is walked through by the other", async () => {
  const { body } = await both.desk.ask({ method: "GET", path: "certificate", query: { game: "mnk:3,3,3", play: "a1" } });
  const there = await fetch(`${both.server.api}/api/v1/certificate?claim=1`, { method: "POST", body });
  const here = await both.desk.ask({ method: "POST", path: "certificate", query: { claim: "1" }, body });
  assert.deepEqual(plain(new TextDecoder().decode(here.body)), await there.json());
  assert.equal((await both.desk.ask({ method: "POST", path: "certificate", body: "no certificate" })).status, 400);
});

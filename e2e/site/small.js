// Every small game is analysed as on the server: the same values, plies, best moves and lines, from the start and from random positions.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { judges } from "./judges.js";

const both = judges();

/** What every game's folder lists as small, for the kit that goes through all their positions. */
function smallBoards() {
  const games = fileURLToPath(new URL("../../crates/games/src/", import.meta.url));
  const files = readdirSync(games, { withFileTypes: true }).filter((d) => d.isDirectory()).map((d) => join(games, d.name, "mod.rs"));
  const lists = files.flatMap((file) => { try { return [...readFileSync(file, "utf8").matchAll(/^ {4}small: &\[(.*?)\]/gms)]; } catch { return []; } });
  return lists.flatMap(([, list]) => [...list.matchAll(/"([^"]+)"/g)].map(([, spec]) => spec));
}

const there = async (path, query) => {
  const answer = await fetch(`${both.server.api}/api/v1/${path}?${new URLSearchParams(query)}`);
  return { status: answer.status, object: JSON.parse(await answer.text()) };
};
const here = async (path, query) => {
  const { status, body } = await both.desk.ask({ method: "GET", path, query: Object.fromEntries(new URLSearchParams(query)) });
  return { status, object: JSON.parse(new TextDecoder().decode(body)) };
};

/** Times are not the same twice, nor is what a search remembers of an earlier one. */
const plain = (object) => JSON.parse(JSON.stringify(object), (key, value) => (["seconds", "stats", "rate", "memory"].includes(key) ? undefined : value));

/** The same numbers every time. */
function chance(seed) {
  let state = seed * 2654435761 >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A position of the middle of a random game, and one near its end. */
async function later(game, seed) {
  const line = [], roll = chance(seed);
  for (;;) {
    const { object } = await there("position", { game, seed, play: line.join(" "), limit: 10000 });
    if (object.over) break;
    line.push(object.moves[roll(object.moves.length)].move);
  }
  return [line.slice(0, line.length >> 1), line.slice(0, Math.max(0, line.length - 4))].map((moves) => moves.join(" "));
}

const SEEDS = Number(process.env.LUDEX_SEEDS ?? 2);

test("every game that is offered, and every small board, is analysed as on the server", async (t) => {
  const { object } = await there("games", {});
  const offered = object.games.flatMap((family) => family.examples.map((example) => example.game));
  const specs = new Set([...offered, ...smallBoards()]);
  assert.ok(object.games.every((family) => [...specs].filter((spec) => spec.split(":")[0] === family.name).length >= 2), "each family has boards");
  const solved = new Map(object.games.map((family) => [family.name, 0]));
  let large = 0;
  for (const game of specs) {
    const began = performance.now();
    const plays = [""];
    for (let seed = 1; seed <= SEEDS; seed++) plays.push(...(await later(game, seed)));
    for (const [n, play] of plays.entries()) {
      const query = { game, seed: n < 3 ? 1 : 2, play, limit: 10000 };
      const said = await there("analyze", { ...query, time: 500 });
      // What takes a server longer than this is no small game; its bounds depend on the machine.
      if (said.object.status === "out_of_time") { large++; continue; }
      const found = await here("analyze", { ...query, time: 10_000 });
      assert.equal(found.status, said.status, `${game} ${play}: ${JSON.stringify(found.object)}`);
      assert.deepEqual(plain(found.object), plain(said.object), `${game} after ${play}`);
      solved.set(game.split(":")[0], solved.get(game.split(":")[0]) + 1);
    }
    if (process.env.LUDEX_TELL) console.log(game, Math.round(performance.now() - began), "ms", large);
  }
  const count = [...solved.values()].reduce((a, b) => a + b, 0);
  t.diagnostic(`${specs.size} boards, ${count} positions compared, ${large} too large: ${JSON.stringify(Object.fromEntries(solved))}`);
  for (const [family, positions] of solved) assert.ok(positions >= 5, `${family}: only ${positions} positions were compared`);
  assert.ok(large < count / 2, `${large} of ${large + count} were too large`);
});

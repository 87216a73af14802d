// How fast the judge of the browser is beside the program, in processor time: the empty board of Connect Four, exact, one thread, no book.
// `node site/speed.js FOLDER [SPEC POSITION]…`, after `scripts/site FOLDER`.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BINARY } from "../browser.js";

const folder = resolve(process.argv[2] ?? "../target/site");
const { Judge } = await import(join(folder, "ludex/judge.js"));
const module = new WebAssembly.Module(readFileSync(join(folder, "ludex/ludex.wasm")));
const MEMORY = 64 << 20;

const asked = process.argv.slice(3);
for (const [game, position, solver] of asked.length ? [asked] : [["connect4", "", "connect4"], ["hex:4x4", "", "alphabeta"]]) {
  const began = process.cpuUsage();
  const { body } = new Judge(module).ask({ method: "POST", path: "solve", body: JSON.stringify({ game, position, solver, goal: "distance", memory: MEMORY, time: 600 }) });
  const here = process.cpuUsage(began).user / 1e6, { result } = JSON.parse(new TextDecoder().decode(body));
  const line = [BINARY, "solve", game, position || "''", "--solver", solver, "--goal", "distance", "--no-db", "--no-book", "--threads", "1", "--memory", "64MiB", "--json", "--progress", "none"];
  const told = execFileSync("bash", ["-c", `TIMEFORMAT=%U; { time ${line.join(" ")}; } 2>&1`], { encoding: "utf8" }).trim().split("\n");
  const there = Number(told.at(-1)), { nodes } = JSON.parse(told.at(-2)).stats;
  console.log(`${game}: ${result.sentence} ${result.stats.nodes} positions here in ${here.toFixed(2)} s, ${nodes} in the program in ${there.toFixed(2)} s: ${(here / there).toFixed(2)} times`);
}

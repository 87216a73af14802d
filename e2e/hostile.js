// Attackers of many kinds against a server of our own, all at once, while an honest client asks: every one of its questions must be
// answered, and soon, and the server's memory must stay under the bound that the book states.
// node hostile.js [seconds]

import { readFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { startServer } from "./browser.js";

const seconds = Number(process.argv[2] ?? 20);
/** MiB of the server at most: see the book, "Memory". */
const BOUND = 1024;
/** Milliseconds within which nearly every honest question, and every one, is answered. */
const SOON = 1000, LATEST = 5000;

const server = await startServer("--warm-memory", "128MiB", "--job-memory", "64MiB", "--solves", "1");
const { port } = new URL(server.address);
const end = performance.now() + seconds * 1000;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const pick = (list) => list[Math.floor(Math.random() * list.length)];
const count = {};
const note = (name) => (count[name] = (count[name] ?? 0) + 1);

/** A connection that nobody minds to lose, from an address of the attackers' own where the system has several. */
function connect() {
  const from = process.platform === "linux" ? { localAddress: `127.0.0.${2 + Math.floor(Math.random() * 3)}` } : {};
  const socket = net.connect({ port: Number(port), host: "127.0.0.1", ...from });
  socket.on("error", () => {});
  return socket;
}

const get = (path) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
const post = (path, body) => `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const closed = (socket, ms) => new Promise((done) => { socket.once("close", done); setTimeout(() => { socket.destroy(); done(); }, ms); });
const GAMES = ["nex:13x13", "nex:10x10", "hex:19x19", "mnk:15,15,5", "seven:12", "connect4:9x9", "mnk:9,9,5", "collapsi"];

const attacks = {
  async slowHeader() {
    const socket = connect();
    socket.write("GET /healthz HTTP/1.1\r\nhost: loc");
    const drip = setInterval(() => socket.write("a"), 1000);
    await closed(socket, 30_000);
    clearInterval(drip);
  },
  async slowBody() {
    const socket = connect();
    socket.write(post("/api/v1/play", " ".repeat(2000)).slice(0, -1900));
    const drip = setInterval(() => socket.write(" "), 500);
    await closed(socket, 15_000);
    clearInterval(drip);
  },
  async readsNothing() {
    const socket = connect();
    socket.pause();
    for (let i = 0; i < 20; i++) socket.write(get(`/api/v1/position?game=${pick(["nex:13x13", "nex:10x10", "hex:19x19"])}`));
    await closed(socket, 5000);
  },
  async asksAndLeaves() {
    const socket = connect();
    const path = pick(["analyze", "explain", "puzzle", "random"]);
    socket.write(get(`/api/v1/${path}?game=${pick(GAMES)}&seed=${Math.floor(Math.random() * 1e9)}&time=2000`));
    await closed(socket, Math.random() * 1000);
  },
  async engine() {
    const socket = connect();
    socket.write(post("/api/v1/choose", JSON.stringify({ game: pick(GAMES.slice(0, -1)), time: 10_000, level: pick(["perfect", "level:5", "greedy"]) })));
    await closed(socket, Math.random() * 3000);
  },
  async job() {
    const socket = connect();
    socket.write(post("/api/v1/solve", JSON.stringify({ game: pick(GAMES.slice(0, -1)), kind: pick(["solve", "analyze"]) })));
    await closed(socket, 200);
    const watcher = connect();
    watcher.write(get(`/api/v1/solve/${Math.floor(Math.random() * 200)}/events`));
    await closed(watcher, Math.random() * 1000);
  },
  async manyQuestions() {
    // Every one new, every answer final: they fill what is kept.
    const socket = connect();
    socket.resume();
    for (let i = 0; i < 100 && !socket.destroyed; i++) {
      socket.write(get(`/api/v1/analyze?game=mnk:4,3,3&seed=${Math.floor(Math.random() * 1e15)}`));
      socket.write(get(`/api/v1/analyze?game=collapsi:3x3&seed=${Math.floor(Math.random() * 1e15)}`));
      await wait(10);
    }
    await closed(socket, 100);
  },
  async garbage() {
    const socket = connect();
    socket.write(pick([
      get(`/${"a".repeat(90_000)}`), get("/api/v1/position?game=%ff"), "\0\0\0\r\n\r\n", `GET / HTTP/1.1\r\nx: ${"a".repeat(300_000)}\r\n\r\n`,
      "POST /api/v1/play HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99999999999\r\n\r\n",
      post("/api/v1/analyze", JSON.stringify({ game: "nex:10x10", positions: Array(100).fill("") })), post("/api/v1/solve", "[[[[["),
    ]));
    await closed(socket, 1000);
  },
};

async function attacker(name) {
  while (performance.now() < end) {
    await attacks[name]();
    note(name);
    await wait(5);
  }
}

const times = [], faults = [];
async function honest() {
  const paths = ["/healthz", "/api/v1/position?game=mnk:3,3,3", "/api/v1/game?game=connect4", "/api/v1/games", "/"];
  for (let i = 0; performance.now() < end; i++) {
    const path = paths[i % paths.length], start = performance.now();
    try {
      await new Promise((resolve, reject) => {
        const request = http.get(server.address + path, { agent: false, timeout: 20_000 }, (answer) => {
          answer.resume();
          answer.on("end", () => (answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`))));
        });
        request.on("timeout", () => request.destroy(new Error("no answer")));
        request.on("error", reject);
      });
    } catch (fault) {
      faults.push(`${path}: ${fault.message}`);
    }
    times.push(performance.now() - start);
    await wait(50);
  }
}

/** MiB of the server, where the system tells. */
function memory() {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))[1]) / 1024;
  } catch {
    return NaN;
  }
}

const samples = [];
const watch = setInterval(() => samples.push(memory()), 500);
const crowd = { slowHeader: 600, slowBody: 50, readsNothing: 40, asksAndLeaves: 20, engine: 6, job: 6, manyQuestions: 4, garbage: 10 };
const all = Object.entries(crowd).flatMap(([name, n]) => Array.from({ length: n }, () => attacker(name)));
await honest();
clearInterval(watch);
void all;

times.sort((a, b) => a - b);
const at = (q) => times[Math.min(times.length - 1, Math.floor(times.length * q))];
const most = Math.max(...samples.filter((m) => !Number.isNaN(m)), 0);
console.log(`${seconds} s of ${Object.values(crowd).reduce((a, b) => a + b)} attackers: ${JSON.stringify(count)}`);
console.log(`honest questions: ${times.length}, ${faults.length} unanswered, median ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, worst ${at(1).toFixed(0)} ms`);
const step = Math.max(1, Math.floor(samples.length / 20));
console.log(`memory of the server: ${most.toFixed(0)} MiB at most; over time: ${samples.filter((_, i) => i % step === 0).map((m) => m.toFixed(0)).join(" ")}`);
for (const fault of faults.slice(0, 10)) console.log(fault);
const bad = faults.length > 0 || at(0.95) > SOON || at(1) > LATEST || most > BOUND;
if (bad) console.log(`too much: every question is to be answered, nearly all within ${SOON} ms, all within ${LATEST} ms, in at most ${BOUND} MiB`);
await server.stop();
process.exit(bad ? 1 : 0);

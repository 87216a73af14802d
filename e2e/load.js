// A bounded load test on loopback: analyze requests for positions that are answered from memory.
// node load.js [seconds] [connections]: half of the time as fast as it goes, then at half that rate for the tail of the
// latencies. The server's memory is looked at all the while.

import { readFileSync } from "node:fs";
import http from "node:http";
import { startServer } from "./browser.js";

const seconds = Number(process.argv[2] ?? 5), connections = Number(process.argv[3] ?? 32);
const server = await startServer();
const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
const paths = ["", "a1", "b2", "a1 b2", "a1 c3", "b2 a1"].map((play) => `/api/v1/analyze?game=mnk:3,3,3&play=${encodeURIComponent(play)}`);

const get = (path) =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    http.get(server.address + path, { agent }, (answer) => {
      answer.resume();
      answer.on("end", () => (answer.statusCode === 200 ? resolve(performance.now() - start) : reject(new Error(`status ${answer.statusCode}`))));
    }).on("error", reject);
  });

/** Memory of the server in MB, where the system tells. */
function memory() {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))[1]) / 1024;
  } catch {
    return NaN;
  }
}

async function run(rate, seconds) {
  const times = [], end = performance.now() + seconds * 1000;
  const each = rate ? (1000 * connections) / rate : 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, c) => {
      let next = performance.now() + (each * c) / connections;
      for (let i = c; performance.now() < end; i++) {
        if (each) {
          const wait = next - performance.now();
          if (wait > 0) await new Promise((done) => setTimeout(done, wait));
          next += each;
        }
        times.push(await get(paths[i % paths.length]));
      }
    }),
  );
  times.sort((a, b) => a - b);
  const at = (q) => times[Math.min(times.length - 1, Math.floor(times.length * q))].toFixed(1);
  return { rate: Math.round(times.length / seconds), text: `${times.length} answers, ${Math.round(times.length / seconds)}/s, median ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms` };
}

for (const path of paths) await get(path);
await run(0, Math.min(seconds / 2, 10));
const before = memory();
let most = before;
const watch = setInterval(() => (most = Math.max(most, memory())), 1000);
const full = await run(0, seconds / 2);
console.log(`full speed: ${full.text}`);
console.log(`half speed: ${(await run(full.rate / 2, seconds / 2)).text}`);
clearInterval(watch);
console.log(`memory of the server: ${before.toFixed(1)} MB before, ${memory().toFixed(1)} MB after ${seconds} s, ${most.toFixed(1)} MB at most`);
agent.destroy();
await server.stop();

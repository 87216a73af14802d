// Judges in the threads of Node.js.

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";

/** @type {import("./desk.js").Start} */
export function start(heard) {
  const worker = new Worker(new URL("./node-worker.js", import.meta.url));
  worker.on("message", (message) => {
    if (!message.news) worker.unref();
    heard(message);
  });
  worker.on("error", (e) => heard({ broken: e.message }));
  return {
    // A program that waits for no answer may end.
    post: (message) => {
      worker.ref();
      worker.postMessage(message);
    },
    end: () => worker.terminate(),
  };
}

/** @param {string | URL} [from] @returns {Promise<WebAssembly.Module>} */
export const load = async (from = new URL("./ludex.wasm", import.meta.url)) => WebAssembly.compile(await readFile(from));

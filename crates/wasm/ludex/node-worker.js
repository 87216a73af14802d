// One judge in a thread of Node.js.

import { parentPort } from "node:worker_threads";
import { answering } from "./answering.js";

const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);
port.on("message", answering((message, moved) => port.postMessage(message, moved)));

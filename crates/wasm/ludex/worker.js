// One judge in a worker of a browser.

import { answering } from "./answering.js";

const answer = answering((message, moved) => postMessage(message, { transfer: moved }));
onmessage = (e) => answer(e.data);

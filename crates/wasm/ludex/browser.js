// Judges in the workers of a browser.

/** @type {import("./desk.js").Start} */
export function start(heard) {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.onmessage = (e) => heard(e.data);
  worker.onerror = (e) => heard({ broken: e.message });
  return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
}

/** The program, compiled while it arrives. @param {string | URL} [from] @returns {Promise<WebAssembly.Module>} */
export async function load(from = new URL("./ludex.wasm", import.meta.url)) {
  const answer = await fetch(from);
  if (!answer.ok) throw new Error(`${from}: ${answer.status}`);
  // Some hosts do not know the type of such a file.
  if (answer.headers.get("content-type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

// A static host, as plain as they come: files of a folder below some path, and nothing else.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** Serve folders, each below its path: `{ "/": "target/site" }`. */
export async function startHost(folders) {
  const paths = Object.keys(folders).sort((a, b) => b.length - a.length);
  const changes = new Map();
  const server = createServer(async (request, answer) => {
    const path = decodeURIComponent(new URL(request.url, "http://here").pathname);
    const below = paths.find((p) => path.startsWith(p));
    const rest = below && normalize(path.slice(below.length) || "index.html");
    try {
      if (!rest || rest.startsWith("..")) throw new Error("nothing there");
      const bytes = (changes.get(rest) ?? ((all) => all))(await readFile(join(folders[below], rest)));
      answer.writeHead(200, { "content-type": TYPES[extname(rest)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      answer.writeHead(404, { "content-type": "text/plain" }).end("nothing there");
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    /** From now on a file has another text. */
    change: (name, how) => changes.set(name, (bytes) => how(bytes.toString())),
    async stop() {
      server.closeAllConnections();
      server.close();
      return 0;
    },
  };
}

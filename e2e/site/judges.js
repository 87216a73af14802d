// The two judges that must say the same: the server's, and the browser's in this process.

import { join } from "node:path";
import { after, before } from "node:test";
import { SITE, startServer } from "../browser.js";

/** Both, from the beginning of the tests of a file to their end. */
export function judges() {
  const both = {};
  before(async () => {
    both.server = await startServer();
    const { load, start } = await import(join(SITE, "ludex/node.js"));
    both.desk = new (await import(join(SITE, "ludex/desk.js"))).Desk(load(), start);
  });
  after(async () => {
    both.desk?.close();
    await both.server?.stop();
  });
  return both;
}

// Judges in threads of their own, one for each kind of question, so that what is short never waits behind what is long.
//
// A search cannot be talked to while it runs: to stop it is to end its thread and start another.

/** @typedef {{method: string, path: string, query?: Record<string, string>, body?: Uint8Array | string}} Request */
/** @typedef {{status: number, type: string, body: Uint8Array}} Reply */
/** @typedef {{post: (message: unknown) => void, end: () => void}} Thread */
/** Starts a thread. @typedef {(heard: (message: any) => void) => Thread} Start */

/** How long a question that nobody waits for may hold up the next one, in milliseconds. */
const GRACE = 200;

/** Which judge answers what. Long searches have one of their own. */
const KINDS = /** @type {Record<string, string>} */ ({
  analyze: "analyze", explain: "analyze", random: "analyze", puzzle: "analyze",
  choose: "think", review: "think", certificate: "think", solve: "search",
});

/** Questions of one kind, answered in turn. */
class Line {
  /** @param {Promise<WebAssembly.Module>} module @param {Start} start */
  constructor(module, start) {
    this.module = module;
    this.start = start;
    /** @type {any[]} */ this.waiting = [];
    /** @type {any} */ this.asked = null;
    /** @type {Promise<Thread> | null} */ this.thread = null;
    /** How many threads there were: one that was ended may still have said something. */
    this.threads = 0;
  }

  /** @param {Request} request @param {AbortSignal | null} [signal] @param {(news: any) => void} [tell] @returns {Promise<Reply>} */
  ask(request, signal, tell = () => {}) {
    return new Promise((done, fail) => {
      const one = { request, tell, done, fail };
      const left = () => new DOMException("nobody waits for the answer", "AbortError");
      if (signal?.aborted) return fail(left());
      signal?.addEventListener("abort", () => {
        this.waiting = this.waiting.filter((other) => other !== one);
        fail(left());
        // What is about to end may end, and keeps what it has learnt.
        if (this.asked === one) setTimeout(() => this.asked === one && this.stop(), request.path === "solve" ? 0 : GRACE);
      }, { once: true });
      this.waiting.push(one);
      this.next();
    });
  }

  async next() {
    if (this.asked || !this.waiting.length) return;
    const one = (this.asked = this.waiting.shift());
    try {
      this.thread ??= this.module.then((module) => {
        const number = ++this.threads;
        const thread = this.start((message) => number === this.threads && this.hear(message));
        thread.post(module);
        return thread;
      });
      (await this.thread).post(one.request);
    } catch (e) {
      this.thread = null;
      this.asked = null;
      one.fail(e);
      this.next();
    }
  }

  /** @param {any} message */
  hear({ news, reply, broken }) {
    const one = this.asked;
    if (news) return one?.tell(news);
    if (broken) {
      this.stop();
      const error = { type: "error", version: 1, code: "internal", message: `the judge broke off: ${broken}`, hint: "ask again with less memory, or report what you asked" };
      return one?.done({ status: 500, type: "application/json", body: new TextEncoder().encode(JSON.stringify(error)) });
    }
    this.asked = null;
    one?.done(reply);
    this.next();
  }

  /** End the thread; the next question starts another. */
  stop() {
    this.thread?.then((thread) => thread.end(), () => {});
    this.threads++;
    this.thread = null;
    this.asked = null;
    this.next();
  }
}

/** Where questions are taken. */
export class Desk {
  /** @param {Promise<WebAssembly.Module>} module @param {Start} start */
  constructor(module, start) {
    const line = () => new Line(module, start);
    this.lines = /** @type {Record<string, Line>} */ ({ look: line(), analyze: line(), think: line(), search: line() });
  }

  /** @param {Request} request @param {AbortSignal | null} [signal] @param {(news: any) => void} [tell] */
  ask(request, signal, tell) {
    return this.lines[KINDS[request.path] ?? "look"].ask(request, signal, tell);
  }

  close() {
    for (const line of Object.values(this.lines)) line.stop();
  }
}

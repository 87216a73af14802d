// The way to the judge where there is no server: workers of this browser. In the place of the page's own wire.js.

import { load, start } from "../ludex/browser.js";
import { Desk } from "../ludex/desk.js";

const desk = new Desk(load(), start);

/** Milliseconds to say again what is known, after a search was ended. */
const AGAIN = 300;

/** A long search, and who watches it. */
class Job {
  /** @param {string} id @param {{game: string, position?: string, kind?: string}} body */
  constructor(id, body) {
    this.body = body;
    this.ending = new AbortController();
    /** @type {Set<Source>} */ this.watchers = new Set();
    this.now = { type: "job", version: 1, id, state: "running", game: body.game, position: body.position ?? "", kind: body.kind ?? "solve", progress: /** @type {any} */ (null), result: /** @type {any} */ (null) };
    const request = { method: "POST", path: "solve", body: JSON.stringify(body) };
    this.done = desk.ask(request, this.ending.signal, (news) => this.tell({ progress: news.progress }))
      .then((reply) => JSON.parse(new TextDecoder().decode(reply.body)), () => this.known())
      .then((answer) => this.tell({ state: "done", result: answer.type === "job" ? answer.result : answer }));
  }

  /** What can be said in a moment. What the search had learnt is gone with its worker. */
  async known() {
    const { game, position } = this.body;
    const reply = await desk.ask({ method: "GET", path: "analyze", query: { game, ...(position ? { position } : {}), time: String(AGAIN) } });
    const analysis = JSON.parse(new TextDecoder().decode(reply.body));
    return analysis.status === "solved" ? analysis : { ...analysis, status: "cancelled" };
  }

  /** @param {object} news */
  tell(news) {
    this.now = { ...this.now, ...news };
    for (const source of this.watchers) source.tell(this.now);
  }

  cancel() {
    this.ending.abort();
    return this.done;
  }
}

/** @type {Map<string, Job>} */ const jobs = new Map();

/** The events of a job: as much of an EventSource as the page uses. */
class Source extends EventTarget {
  /** @param {string} id */
  constructor(id) {
    super();
    this.job = jobs.get(id);
    /** @type {number} */ this.readyState = EventSource.OPEN;
    this.job?.watchers.add(this);
    // Whoever comes late is told what is known; listeners are added first.
    setTimeout(() => this.job && this.tell(this.job.now));
  }

  /** @param {{state: string}} job */
  tell(job) {
    if (this.readyState === EventSource.OPEN) this.dispatchEvent(new MessageEvent(job.state === "done" ? "done" : "progress", { data: JSON.stringify(job) }));
  }

  close() {
    this.readyState = EventSource.CLOSED;
    this.job?.watchers.delete(this);
    // A search that nobody watches any more ends.
    if (this.job?.now.state !== "done" && !this.job?.watchers.size) this.job?.cancel();
  }
}

/** @param {unknown} object @param {number} [status] */
const answer = (object, status = 200) => new Response(JSON.stringify(object), { status, headers: { "content-type": "application/json" } });

/** @param {string} path @param {RequestInit} init @returns {Promise<Response>} */
export async function send(path, init) {
  const url = new URL(path, "http://here/"), what = url.pathname.slice(1), method = init.method ?? "GET";
  const body = init.body == null ? "" : typeof init.body === "string" ? init.body : new Uint8Array(await new Response(init.body).arrayBuffer());
  if (method === "POST" && what === "solve") {
    const job = new Job(String(jobs.size + 1), JSON.parse(String(body)));
    jobs.set(job.now.id, job);
    return answer(job.now, 202);
  }
  const job = jobs.get(what.split("/")[1]);
  if (job) {
    if (method === "DELETE") await job.cancel();
    return answer(job.now);
  }
  const reply = await desk.ask({ method, path: what, query: Object.fromEntries(url.searchParams), body }, init.signal);
  return new Response(/** @type {Uint8Array<ArrayBuffer>} */ (reply.body), { status: reply.status, headers: { "content-type": reply.type } });
}

/** @param {string} id */
export const watch = (id) => /** @type {EventSource} */ (/** @type {unknown} */ (new Source(id)));

/** Other programs cannot ask this page. */
export const API = "";

export const EMBED = "embed.html";

// From the second visit on no network is needed.
if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});

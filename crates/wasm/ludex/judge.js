// The judge as WebAssembly: a request goes in as bytes, its answer comes out as bytes.

/** Answers requests one after the other, on the thread that asks. */
export class Judge {
  /** @param {WebAssembly.Module} module @param {(news: object) => void} tell hears how far a long search is */
  constructor(module, tell = () => {}) {
    const host = {
      now: () => performance.now(),
      random: () => Math.random(),
      tell: (/** @type {number} */ at, /** @type {number} */ length) => tell(JSON.parse(new TextDecoder().decode(this.#bytes(at, length)))),
    };
    this.exports = /** @type {any} */ (new WebAssembly.Instance(module, { host }).exports);
  }

  /** @param {number} at @param {number} length */
  #bytes(at, length) {
    return new Uint8Array(this.exports.memory.buffer, at, length);
  }

  /** @param {{method: string, path: string, query?: Record<string, string>, body?: Uint8Array | string}} request @returns {{status: number, type: string, body: Uint8Array}} */
  ask({ method, path, query = {}, body = "" }) {
    const text = new TextEncoder(), heading = text.encode(JSON.stringify({ method, path, query }) + "\n");
    const rest = typeof body === "string" ? text.encode(body) : body;
    const at = this.exports.room(heading.length + rest.length);
    this.#bytes(at, heading.length).set(heading);
    this.#bytes(at + heading.length, rest.length).set(rest);
    // The memory may have grown meanwhile, so that its bytes are looked up anew.
    const length = this.exports.answer();
    const all = this.#bytes(this.exports.at(), length), end = all.indexOf(10);
    const [status, type] = new TextDecoder().decode(all.subarray(0, end)).split(" ");
    return { status: Number(status), type, body: all.slice(end + 1) };
  }
}

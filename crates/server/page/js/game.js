// A game being played: who is to move, what is known, what comes next. Knows no game, only positions and moves.

import { Board } from "./board.js";
import { Panels } from "./panels.js";
import { Step } from "./tree.js";
import { address, ask, el, memory, post, report, say, toast } from "./api.js";
import { index, progressWords, turnWords } from "./words.js";

/** @typedef {import("./types").Analysis} Analysis */
/** @typedef {import("./types").Job} Job */

/** How long the server may think before the page makes a job of it, in milliseconds. */
const QUICK = 700;
/** How long such a job may take, in seconds, unless it is told to go on. */
const PATIENT = 30;

export class Game {
  /** @param {HTMLElement} place @param {import("./types").Game} info @param {URLSearchParams} url */
  constructor(place, info, url) {
    this.info = info;
    this.root = new Step(null, "");
    this.here = this.root;
    this.analysis = memory.get("analysis", false);
    /** Each side is "human" or the name of a level. @type {string[]} */
    this.players = memory.get("players." + info.name) ?? ["human", info.levels[0]?.name ?? "human"];
    /** How long the engines may think about a move, in milliseconds. @type {number[]} */
    this.times = memory.get("times", [2000, 2000]);
    this.why = memory.get("why", false);
    this.seed = info.start == null && !url.has("position") ? url.get("seed") : null;
    if (url.has("players")) this.players = (url.get("players") ?? "").split(",").slice(0, 2);
    /** Whether engines move by themselves: not while the user looks back. */
    this.live = true;
    this.busy = new AbortController();
    /** @type {{id: string, source: EventSource, step: Step} | null} */ this.job = null;
    this.panels = new Panels(place, this);
    this.board = new Board(this.panels.board, (m) => this.play(m), (p, l) => this.picking(p, l));
    document.title = `${info.title} · Ludex`;
  }

  /** Load what the address says. @param {URLSearchParams} url */
  async open(url) {
    const moves = (url.get("moves") ?? "").split(" ").filter(Boolean);
    const seed = url.get("seed");
    const start = { game: this.info.game, position: url.get("position"), seed: url.get("position") ? null : seed };
    this.root.view = await ask("position", start);
    let s = this.root;
    for (const m of moves) {
      const view = await ask("position", { game: this.info.game, position: s.view?.position, play: m });
      s = s.child(m);
      s.view = view;
    }
    const at = url.has("at") ? Math.min(Number(url.get("at")) || 0, moves.length) : moves.length;
    while (s.depth > at && s.parent) s = s.parent;
    this.live = !url.has("at");
    await this.go(s);
  }

  /** The step's view, asked for once. @param {Step} s */
  async view(s) {
    if (!s.view && s.parent) {
      const before = await this.view(s.parent);
      s.view = await ask("position", { game: this.info.game, position: before.position, play: s.move });
    }
    return /** @type {import("./types").Position} */ (s.view);
  }

  /** @param {number} side */
  isEngine(side) {
    return this.players[side] !== "human";
  }

  /** Walk to a step. @param {Step} s */
  async go(s) {
    this.stop();
    const busy = (this.busy = new AbortController());
    try {
      const view = await this.view(s);
      if (busy.signal.aborted) return;
      this.here = s;
      s.choose();
      this.address();
      const engine = this.isEngine(index(view.to_move)) && this.live && !view.over;
      this.board.show(view, !engine);
      this.panels.all();
      if (this.analysis && !view.over) this.analyze(s, busy.signal);
      if (engine) this.engine(s, busy.signal);
      else if (view.over) say(turnWords(view));
    } catch (e) {
      report(e);
    }
  }

  /** Stop whatever is being computed for where we are. */
  stop() {
    this.busy.abort();
    if (this.job) {
      this.job.source.close();
      ask(`solve/${this.job.id}`, {}, { method: "DELETE", keepalive: true }).catch(() => {});
      this.job = null;
    }
    this.panels.progress("");
  }

  /** @param {string} move @param {boolean} [guess] whether a perfect engine could not be sure of it */
  async play(move, guess = false) {
    this.live = true;
    const mover = this.here.view?.sides[index(this.here.view.to_move)];
    const s = this.here.child(move);
    try {
      await this.view(s);
    } catch (e) {
      this.here.children.pop();
      this.here.next = null;
      return report(e);
    }
    s.guess = guess;
    say(`${mover} plays ${move}.`);
    await this.go(s);
  }

  /** A move of several clicks is under way. @param {string[]} picked @param {import("./types").MoveView[]} left */
  picking(picked, left) {
    if (!left.length) return this.panels.prompt("That cell is no legal move: choose a marked one.");
    if (!picked.length) return this.panels.prompt("");
    const more = new Set(left.map((m) => m.clicks[picked.length])).size;
    this.panels.prompt(`${picked.join(", ")} chosen; ${more} cells to go on with. Esc starts over.`);
    say(`${picked.join(", ")} chosen, ${more} cells to go on with`);
  }

  undo() {
    let s = this.here.parent;
    // Against an engine one takes back one's own move, not the answer to it.
    const both = this.isEngine(0) && this.isEngine(1);
    while (s?.parent && !both && s.view && this.isEngine(index(s.view.to_move))) s = s.parent;
    if (s) this.jump(s);
  }

  redo() {
    if (this.here.next) this.jump(this.here.next);
  }

  /** Look at a step, without engines moving. @param {Step} s */
  async jump(s) {
    this.live = false;
    await this.go(s);
    if (this.here.view) say(s.parent ? `After ${s.move}. ${turnWords(this.here.view)}` : "Start of the game.");
  }

  /** Let the engines go on from here. */
  resume() {
    this.live = true;
    this.go(this.here);
  }

  toggleAnalysis() {
    this.analysis = !this.analysis;
    memory.set("analysis", this.analysis);
    say(this.analysis ? "Analysis on" : "Analysis off");
    this.go(this.here);
  }

  toggleWhy() {
    this.why = !this.why;
    memory.set("why", this.why);
    this.panels.verdict();
    this.explain();
  }

  /** Ask why, if that is wanted and there is an answer. */
  async explain() {
    const s = this.here;
    if (!this.why || !this.analysis || s.reason || s.view?.over || !s.verdict) return;
    try {
      s.reason = await ask("explain", { game: this.info.game, position: s.view?.position, time: s.verdict.status === "solved" ? null : QUICK });
      if (s !== this.here) return;
      this.panels.verdict();
      say(s.reason?.reasons.map((r) => r.text).join(" ") ?? "");
    } catch (e) {
      report(e);
    }
  }

  /** @param {number} side @param {number} time */
  setTime(side, time) {
    this.times[side] = time;
    memory.set("times", this.times);
  }

  /** @param {number} side @param {string} who */
  setPlayer(side, who) {
    this.players[side] = who;
    memory.set("players." + this.info.name, this.players);
    this.resume();
  }

  /** What every move is worth; soon if possible, else by a job that tells how far it is. @param {Step} s @param {AbortSignal} signal */
  async analyze(s, signal) {
    try {
      const a = s.verdict ?? (await this.quick(s, signal));
      if (signal.aborted) return;
      this.learn(s, a);
      if (a.status === "out_of_time") this.search(s, signal);
    } catch (e) {
      report(e);
    }
  }

  /** @param {Step} s @param {AbortSignal} [signal] @returns {Promise<Analysis>} */
  quick(s, signal) {
    return ask("analyze", { game: this.info.game, position: s.view?.position, time: QUICK }, { signal });
  }

  /** @param {Step} s @param {AbortSignal} signal @param {number} [time] */
  async search(s, signal, time = PATIENT) {
    this.panels.progress("Searching…");
    const body = { game: this.info.game, position: s.view?.position, kind: "analyze", time };
    const job = /** @type {Job} */ (await post("solve", body));
    if (signal.aborted) return void ask(`solve/${job.id}`, {}, { method: "DELETE" });
    const source = new EventSource(`/api/v1/solve/${job.id}/events`);
    this.job = { id: job.id, source, step: s };
    source.addEventListener("progress", (e) => {
      const now = /** @type {Job} */ (JSON.parse(e.data));
      if (this.job?.id === job.id) this.panels.progress(progressWords(now));
    });
    source.addEventListener("done", (e) => {
      source.close();
      if (this.job?.id !== job.id) return;
      this.job = null;
      this.panels.progress("");
      const result = JSON.parse(e.data).result;
      if (result.type === "error") return toast(result.message, result.hint);
      this.learn(s, result);
    });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) this.panels.progress("");
    });
  }

  /** Stop the search, keep what it has learnt. */
  cancelSearch() {
    if (this.job) ask(`solve/${this.job.id}`, {}, { method: "DELETE" }).catch(report);
  }

  searchOn() {
    if (!this.job) this.search(this.here, this.busy.signal, 3600).catch(report);
  }

  /** @param {Step} s @param {Analysis} a */
  learn(s, a) {
    if (s.verdict?.status !== a.status) s.reason = null;
    s.verdict = a;
    if (s !== this.here || !this.analysis || !s.view) return;
    const known = a.moves.filter((m) => m.outcome !== "unknown");
    this.board.mark(new Map(known.map((m) => [m.move, { ...m, best: a.status === "solved" && a.best.includes(m.move) }])));
    this.panels.all();
    say(a.sentence);
    this.explain();
  }

  /** Let the engine choose a move. @param {Step} s @param {AbortSignal} signal */
  async engine(s, signal) {
    const side = index(s.view?.to_move ?? "first");
    const level = this.players[side];
    this.panels.prompt(`${s.view?.sides[side]} is thinking…`);
    const pause = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : this.isEngine(1 - side) ? 500 : 200;
    try {
      const [choice] = await Promise.all([
        post("choose", { game: this.info.game, position: s.view?.position, level, time: this.times[side] }, signal),
        new Promise((done) => setTimeout(done, pause)),
      ]);
      if (!signal.aborted) await this.play(choice.move, level === this.info.levels[0].name && !choice.certain);
    } catch (e) {
      if (!signal.aborted) this.live = false;
      this.panels.all();
      report(e);
    }
  }

  /** Show the best move. */
  async hint() {
    const s = this.here, view = s.view;
    if (!view || view.over) return;
    try {
      this.panels.prompt("Looking for the best move…");
      const choice = await post("choose", { game: this.info.game, position: view.position });
      if (s !== this.here) return;
      const move = view.moves.find((m) => m.move === choice.move);
      this.board.show_cells(move?.clicks ?? [], "hint");
      this.panels.prompt(`Hint: ${choice.move}${choice.certain ? "" : " (a guess: it is not solved in time)"}.`);
      say(`Hint: ${choice.move}`);
    } catch (e) {
      report(e);
    }
  }

  /** What every position of the line is worth, for the chart. */
  async reviewAll() {
    const line = this.here.line();
    try {
      for (const s of line) {
        await this.view(s);
        if (!s.verdict && !s.view?.over) s.verdict = await this.quick(s);
        this.panels.chart();
      }
      this.panels.all();
    } catch (e) {
      report(e);
    }
  }

  /** @param {Record<string, string | number | null>} [at] */
  restart(at = {}) {
    const url = new URLSearchParams({ game: this.info.game });
    for (const [k, v] of Object.entries(at)) if (v != null) url.set(k, String(v));
    if (!at.position && this.info.start == null && at.seed == null) url.set("seed", String(Math.floor(Math.random() * 2 ** 32)));
    this.stop();
    history.pushState(null, "", "/?" + url);
    dispatchEvent(new PopStateEvent("popstate"));
  }

  async random() {
    const view = await ask("random", { game: this.info.game }).catch(report);
    if (view) this.restart({ position: view.position });
  }

  async puzzle() {
    this.panels.prompt("Looking for a puzzle…");
    const p = await ask("puzzle", { game: this.info.game }).catch(report);
    this.panels.prompt("");
    if (!p) return;
    const me = index(p.to_move);
    const rest = [...this.info.levels.map((l) => l.name), "human"][0];
    this.restart({ position: p.position, players: me ? `${rest},human` : `human,${rest}` });
    toast(`Puzzle: ${this.info.sides[me]} to move wins in ${p.plies}. Only one move does it.`);
  }

  /** The address of what is shown. */
  link() {
    const url = new URLSearchParams({ game: this.info.game });
    const start = this.root.view?.start;
    if (this.seed) url.set("seed", this.seed);
    else if (start != null && start !== this.info.start) url.set("position", start);
    const line = this.here.line();
    if (line.length > 1) url.set("moves", line.slice(1).map((s) => s.move).join(" "));
    if (this.here.depth < line.length - 1) url.set("at", String(this.here.depth));
    return address(url);
  }

  address() {
    history.replaceState(null, "", this.link());
    memory.set("last", { link: this.link(), title: this.info.title, plies: this.here.depth, svg: this.here.view?.svg, sides: this.info.sides });
  }

  /** The game as a record that `ludex replay` reads. */
  record() {
    const line = this.here.line(), over = line.at(-1)?.view?.over, start = this.root.view?.start;
    const rows = ["ludex-game: 1", `spec: ${this.info.game}`, `first: ${this.players[0]}`, `second: ${this.players[1]}`];
    if (start !== this.info.start) rows.push(`start: ${start}`);
    rows.push(`moves: ${line.slice(1).map((s) => s.move).join(" ")}`, `result: ${!over ? "unfinished" : over.winner ? over.winner + " wins" : "draw"}`);
    if (over?.why) rows.push(`reason: ${over.why}`);
    return rows.join("\n") + "\n";
  }

  download() {
    const file = new Blob([this.record()], { type: "text/plain" });
    const a = el("a", { href: URL.createObjectURL(file), download: `${this.info.name}.txt` });
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.here.parent && this.jump(this.here.parent),
      ArrowRight: () => this.redo(),
      Home: () => this.jump(this.root),
      End: () => this.jump(/** @type {Step} */ (this.here.line().at(-1))),
      Escape: () => this.board.reset(),
      u: () => this.undo(),
      r: () => this.redo(),
      h: () => this.hint(),
      a: () => this.toggleAnalysis(),
      w: () => this.toggleWhy(),
      n: () => this.restart(),
      b: () => this.board.focus(),
    });
    if (!keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  }
}

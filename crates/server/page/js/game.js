// A game being played: who is to move, what is known, what comes next. Knows no game, only positions and moves.

import { Bar, usualPlayers } from "./bar.js";
import { Board, colour } from "./board.js";
import { Panels } from "./panels.js";
import { Step } from "./tree.js";
import { address, ask, Fault, memory, post, report, say, still } from "./api.js";
import { watch } from "./wire.js";
import { index, listen, progressWords, sentence, t, verdictWords } from "./words.js";

/** @typedef {import("./types").Analysis} Analysis */
/** @typedef {import("./types").Job} Job */

/** How long the server may think before the page makes a job of it, in milliseconds. */
const QUICK = 700;
/** How long such a job may take, in seconds, unless it is told to go on. */
const PATIENT = 30;
/** How long a game may be looked back on, in milliseconds. */
const BACK = 8000;

/** Games of which no short search has found the value. @type {Set<string>} */ const unsolved = new Set();

/** Where the address says to begin. @param {string} game @param {URLSearchParams} url */
export function begin(game, url) {
  const moves = (url.get("moves") ?? "").split(" ").filter(Boolean);
  const at = url.has("at") ? Math.min(Number(url.get("at")) || 0, moves.length) : moves.length;
  const position = url.get("position");
  return { moves, at, start: { game, position, seed: position ? null : url.get("seed") } };
}

export class Game {
  /** @param {HTMLElement} main @param {import("./types").Game} info @param {URLSearchParams} url @param {typeof import("./puzzle") | null} puzzles @param {import("./proof").Proof | null} proof */
  constructor(main, info, url, puzzles, proof) {
    this.info = info;
    this.root = new Step(null, "");
    this.here = this.root;
    this.analysis = memory.get("analysis", false);
    /** Each side is "human" or the name of a level. @type {string[]} */
    this.players = proof ? proof.players() : url.has("puzzle") ? ["human", "human"] : url.has("players") ? (url.get("players") ?? "").split(",").slice(0, 2) : [...usualPlayers(info)];
    /** How long the engines may think about a move, in milliseconds. */
    this.time = memory.get("time", 2000);
    /** Whether the start is solved, so that an engine may be called perfect. */
    this.solved = memory.get("solved." + info.game, false);
    this.why = memory.get("why", false);
    this.seed = info.start == null && !url.has("position") ? url.get("seed") : null;
    /** Whether engines move by themselves: not while the user looks back, nor when a link was opened. */
    this.live = false;
    this.busy = new AbortController();
    /** Whether the address stays as it is: what was opened is what is shared. */
    this.quiet = false;
    /** Where the game begins. @type {{game: string, position: string | null, seed: string | null, text: string} | null} */ this.start = null;
    /** The level of the last opponent. @type {string | null} */ this.lastLevel = null;
    this.showTimer = 0;
    /** @type {{id: string, source: ReturnType<typeof watch>, step: Step} | null} */ this.job = null;
    this.puzzle = puzzles ? new puzzles.Puzzle(this, Number(url.get("puzzle")) || 3) : null;
    this.proof = proof;
    if (proof) proof.game = this;
    this.bar = new Bar(this);
    this.panels = new Panels(main, this);
    colour(this.panels.whole, info.colours);
    this.board = new Board(this.panels.board, (m) => this.play(m), (p, l, w) => this.picking(p, l, w));
    document.title = `${info.title} · Ludex`;
  }

  /** Show what the address says. @param {URLSearchParams} url @param {import("./types").Position} view what is shown first @param {boolean} live whether engines may begin */
  async open(url, view, live) {
    const { moves, at, start } = begin(this.info.game, url);
    this.root.view = at === 0 ? view : null;
    this.start = { ...start, text: view.start };
    let s = this.root;
    for (const m of moves) s = s.child(m);
    while (s.depth > at && s.parent) s = s.parent;
    s.view = view;
    this.live = live;
    this.quiet = true;
    await this.go(s);
    performance.mark("first-board");
    this.quiet = false;
    for (const step of s.line()) this.view(step).then(() => step.depth === s.line().length - 1 && this.here === s && this.panels.history(), report);
    if (this.puzzle) this.view(this.root).then(() => this.puzzle?.start());
    if (!this.solved) this.learnSolved();
  }

  /** Whether the whole game is solved: asked by a short job that holds nobody up. A yes is kept; a no only until the page is left, since the next machine or the next hour may have more time. */
  async learnSolved() {
    const { game, start } = this.info;
    if (unsolved.has(game)) return;
    try {
      const position = start ?? (await ask("position", { game, seed: 1 })).position;
      const job = await post("solve", { game, position, goal: "wdl", time: QUICK / 1000, memory: 1 << 24 });
      const source = watch(job.id);
      source.addEventListener("done", (e) => {
        source.close();
        this.solved = JSON.parse(e.data).result.status === "solved";
        if (!this.solved) return void unsolved.add(game);
        memory.set("solved." + game, true);
        this.bar.players();
      });
    } catch {
      // Then it is not called perfect.
    }
  }

  /** The step's view, asked for once. @param {Step} s @returns {Promise<import("./types").Position>} */
  async view(s) {
    if (!s.view) {
      const before = s.parent?.view;
      s.view = await ask("position", before ? { game: this.info.game, position: before.position, play: s.move } : { ...this.start, text: null, play: s.moves().join(" ") });
    }
    return /** @type {import("./types").Position} */ (s.view);
  }

  /** @param {number} side */
  isEngine(side) {
    return this.players[side] !== "human";
  }

  /** Whether values would give a puzzle away. */
  get hiding() {
    return !!this.puzzle && !this.puzzle.solved;
  }

  get showing() {
    return this.analysis && !this.hiding;
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
      if (!this.quiet) history.replaceState(null, "", this.link());
      memory.set("last", { link: this.link(), title: this.info.title, plies: s.depth, svg: view.svg });
      const engine = this.isEngine(index(view.to_move)) && this.live && !view.over;
      this.board.show(view, !engine);
      this.bar.zoom.hidden = this.board.cellSize() > 34 && !this.panels.board.classList.contains("zoomed");
      this.panels.all();
      this.proof?.show(s);
      if (this.showing && !view.over) this.analyze(s, busy.signal);
      if (engine) this.engine(s, busy.signal);
      else if (view.over) {
        say(this.bar.turn());
        if (this.live && !this.puzzle) this.review();
      }
    } catch (e) {
      report(e);
    }
  }

  /** Stop whatever is being computed for where we are. */
  stop() {
    this.busy.abort();
    clearTimeout(this.showTimer);
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
    const from = this.here, side = from.view ? index(from.view.to_move) : 0;
    const known = from.children.length, s = from.child(move);
    try {
      await this.view(s);
    } catch (e) {
      if (from.children.length > known) from.children.pop();
      from.next = null;
      this.board.show(/** @type {import("./types").Position} */ (from.view), true);
      return report(e);
    }
    s.guess = guess;
    say(t("plays", { side: this.info.sides[side], move }));
    await this.go(s);
    if (this.puzzle && side === this.puzzle.side) this.puzzle.judge(s);
  }

  /** A move of several clicks is under way, or a click was no move. @param {string[]} picked @param {import("./types").MoveView[]} left @param {string} [wrong] */
  picking(picked, left, wrong) {
    const view = this.here.view;
    if (wrong === "again") return this.bar.say(t("again", { cell: picked[0] }));
    if (wrong && view && !view.over) {
      const text = this.isEngine(index(view.to_move)) && this.live ? t("waiting", { side: view.sides[index(view.to_move)] }) : t("notLegal", { cell: wrong });
      say(text);
      return this.bar.say(text);
    }
    if (!picked.length) return this.bar.say("");
    const text = t("chosen", { cells: picked.join(", "), n: new Set(left.map((m) => m.clicks[picked.length])).size });
    this.bar.say(text);
    say(text);
  }

  /** One position back. */
  back() {
    if (this.here.parent) this.jump(this.here.parent);
  }

  /** Take back one's own move: against an engine the answer to it as well, and go on from there. */
  undo() {
    let s = this.here.parent;
    const both = this.isEngine(0) && this.isEngine(1);
    while (s?.parent && !both && this.isEngine(s.view ? index(s.view.to_move) : s.depth % 2)) s = s.parent;
    if (s) this.jump(s);
  }

  redo() {
    if (this.here.next) this.jump(this.here.next);
  }

  /** Look at a step, without engines moving. @param {Step} s */
  async jump(s) {
    this.live = false;
    await this.go(s);
    if (this.here === s) say(`${s.parent ? t("after", { move: s.move }) : t("start") + "."} ${this.bar.turn()}`);
  }

  /** Walk down a line of play; slowly, if it is to be watched. @param {string[]} moves @param {boolean} [watch] */
  async follow(moves, watch = false) {
    let s = this.here;
    if (!watch || still()) {
      for (const m of moves) s = s.child(m);
      return this.jump(s);
    }
    const [first, ...rest] = moves;
    if (first == null) return;
    await this.jump(s.child(first));
    this.showTimer = setTimeout(() => this.follow(rest, true), 700);
  }

  /** Let the engines go on from here. */
  resume() {
    this.live = true;
    this.go(this.here);
  }

  toggleAnalysis() {
    this.analysis = !this.analysis;
    memory.set("analysis", this.analysis);
    say(t(this.analysis ? "analysisOn" : "analysisOff"));
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
    if (!this.why || !this.showing || s.reason || s.view?.over || !s.verdict) return;
    try {
      s.reason = await ask("explain", { game: this.info.game, position: s.view?.position, time: s.verdict.status === "solved" ? null : QUICK });
      if (s !== this.here) return;
      this.panels.verdict();
      say(s.reason?.reasons.map(sentence).join(" ") ?? "");
    } catch (e) {
      report(e);
    }
  }

  /** @param {number} side @param {string} who */
  setPlayer(side, who) {
    this.players[side] = who;
    memory.set("players." + this.info.name, this.players);
    this.bar.players();
    if (this.live || !this.here.depth) this.resume();
    else this.go(this.here);
  }

  /** Which sides you play; the others go to the opponent there was. @param {string} you */
  setYou(you) {
    const level = /** @type {string} */ (this.players.find((p) => p !== "human") ?? this.lastLevel ?? usualPlayers(this.info).find((/** @type {string} */ p) => p !== "human") ?? this.info.levels.at(-1)?.name ?? "human");
    this.lastLevel = level;
    this.players = [you === "first" || you === "both" ? "human" : level, you === "second" || you === "both" ? "human" : level];
    memory.set("players." + this.info.name, this.players);
    this.bar.players();
    this.resume();
  }

  /** What every move is worth; soon if possible, else by a job that tells how far it is. @param {Step} s @param {AbortSignal} signal */
  async analyze(s, signal) {
    try {
      const a = s.verdict ?? (await this.quick(s, signal));
      if (signal.aborted) return;
      this.learn(s, a);
      if (a.status === "out_of_time") await this.search(s, signal);
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
    this.panels.progress(t("searching"));
    const body = { game: this.info.game, position: s.view?.position, kind: "analyze", time };
    const job = /** @type {Job} */ (await post("solve", body));
    if (signal.aborted) return void ask(`solve/${job.id}`, {}, { method: "DELETE" });
    const source = watch(job.id);
    this.job = { id: job.id, source, step: s };
    source.addEventListener("progress", (e) => {
      const now = /** @type {Job} */ (JSON.parse(e.data));
      if (this.job?.id === job.id) this.panels.progress(progressWords(now, this.info.sides, s.view?.to_move ?? "first"));
    });
    source.addEventListener("done", (e) => {
      source.close();
      if (this.job?.id !== job.id) return;
      this.job = null;
      this.panels.progress("");
      const result = JSON.parse(e.data).result;
      if (result.type === "error") return void listen().then(() => report(new Fault(result)));
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
    if (s !== this.here || !this.showing || !s.view) return;
    const known = a.moves.filter((m) => m.outcome !== "unknown");
    const rank = /** @type {Record<string, number>} */ ({ loss: 0, draw: 1, win: 2 });
    this.board.mark(new Map(known.map((m) => [m.move, { ...m, best: a.status === "solved" && a.best.includes(m.move), bad: rank[m.outcome] < (rank[a.outcome] ?? 0) }])));
    this.panels.all();
    say(verdictWords(a, this.info.sides));
    this.explain();
  }

  /** Let the engine choose a move. @param {Step} s @param {AbortSignal} signal */
  async engine(s, signal) {
    const side = index(s.view?.to_move ?? "first");
    const level = this.players[side];
    const pause = still() ? 0 : this.isEngine(1 - side) ? 500 : 250;
    try {
      const [choice] = await Promise.all([
        this.proof ? this.proof.choice(s) : post("choose", { game: this.info.game, position: s.view?.position, level, time: this.time }, signal),
        new Promise((done) => setTimeout(done, pause)),
      ]);
      if (!signal.aborted && choice.move) await this.play(choice.move, level === "perfect" && !choice.certain);
    } catch (e) {
      if (signal.aborted) return;
      this.live = false;
      this.go(s);
      report(e);
    }
  }

  /** Show the best move. */
  async hint() {
    const s = this.here, view = s.view;
    if (!view || view.over) return;
    this.puzzle?.helped();
    try {
      this.bar.say(t("looking"));
      const choice = await post("choose", { game: this.info.game, position: view.position });
      if (s !== this.here) return;
      const move = view.moves.find((m) => m.move === choice.move);
      this.board.point(move?.clicks ?? [], "hint");
      const text = t(choice.certain ? "hintIs" : "hintGuess", { move: choice.move });
      this.bar.say(text);
      say(text);
    } catch (e) {
      this.bar.say("");
      report(e);
    }
  }

  /** What every move of the line kept or gave away. */
  async review() {
    const line = this.here.line(), end = line.at(-1);
    if (!end?.depth) return;
    this.panels.reviewing(true);
    try {
      const found = /** @type {import("./types").Review} */ (await ask("review", { ...this.start, text: null, play: end.moves().join(" "), time: BACK }));
      found.moves.forEach((m, i) => (line[i + 1].reviewed = m));
    } catch (e) {
      report(e);
    }
    this.panels.reviewing(false);
    this.panels.history();
    if (this.here.view?.over) this.bar.ended();
  }

  /** Where the game turned: for you if you lost something, else for the one who did. */
  lesson() {
    const line = this.here.path(), over = this.here.view?.over;
    if (!over || !line.at(-1)?.reviewed) return null;
    const lost = line.filter((s) => s.reviewed?.mark.startsWith("lost"));
    const alone = this.isEngine(0) !== this.isEngine(1);
    const mine = lost.filter((s) => !alone || !this.isEngine(s.mover())).at(-1);
    const won = over.winner && alone && !this.isEngine(index(over.winner));
    const known = line.slice(1).every((s) => s.reviewed?.mark !== "unknown");
    const what = (/** @type {Step} */ s) => (s.reviewed?.mark === "lost_win" ? "Win" : "Draw");
    if (mine && !won) return { text: t("gone" + what(mine), { n: mine.depth, move: mine.move }), step: mine.parent };
    const theirs = lost.at(-1);
    if (theirs) return { text: t("theyErred", { side: this.info.sides[theirs.mover()], what: t("the" + what(theirs)), n: theirs.depth, move: theirs.move }), step: null };
    return { text: t(known ? "flawless" : "unclear"), step: null };
  }

  /** Go back to where the game turned, and play on from there. */
  async tryAgain() {
    const step = this.lesson()?.step;
    if (!step) return;
    await this.jump(step);
    this.live = true;
    this.board.focus();
  }

  /** @param {Record<string, string | number | null>} [at] */
  restart(at = {}) {
    const url = new URLSearchParams({ game: this.info.game });
    for (const [k, v] of Object.entries(at)) if (v != null) url.set(k, String(v));
    if (!this.puzzle && !this.proof && !at.puzzle && !at.proof && !at.players) url.set("players", this.players.join(","));
    if (!at.position && this.info.start == null && at.seed == null) url.set("seed", String(Math.floor(Math.random() * 2 ** 32)));
    this.stop();
    history.pushState(null, "", address(url));
    dispatchEvent(new CustomEvent("route"));
  }

  /** Go to a line from the start. @param {string[]} moves */
  walk(moves) {
    let s = this.root;
    for (const m of moves) s = s.child(m);
    return this.jump(s);
  }

  async random() {
    const view = await ask("random", { game: this.info.game }).catch(report);
    if (view) this.restart({ position: view.position });
  }

  /** Go to a position if it is one; the page stays as it is if not. @param {string} position */
  async tryPosition(position) {
    const view = await ask("position", { game: this.info.game, position }).catch(report);
    if (view) this.restart({ position });
  }

  /** Prove what the position is worth, and play against the proof. */
  async prove() {
    (await import("./proof.js")).proveHere(this);
  }

  async rules() {
    (await import("./rules.js")).showRules(this.info);
  }

  leavePuzzle() {
    this.restart({ position: this.root.view?.position ?? null });
  }

  /** The address of what is shown. */
  link() {
    const url = new URLSearchParams({ game: this.info.game });
    const start = this.start?.text;
    if (this.seed) url.set("seed", this.seed);
    else if (start != null && start !== this.info.start) url.set("position", start);
    const line = this.here.line();
    if (line.length > 1) url.set("moves", line.slice(1).map((s) => s.move).join(" "));
    if (this.here.depth < line.length - 1) url.set("at", String(this.here.depth));
    if (this.puzzle) url.set("puzzle", String(this.puzzle.plies));
    else if (this.proof) url.set("proof", String(this.proof.first.claim));
    else url.set("players", this.players.join(","));
    return address(url);
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.back(),
      ArrowRight: () => this.redo(),
      Home: () => this.jump(this.root),
      End: () => this.jump(/** @type {Step} */ (this.here.line().at(-1))),
      Escape: () => this.board.reset(),
      u: () => this.undo(),
      h: () => this.hint(),
      a: () => this.toggleAnalysis(),
      w: () => this.toggleWhy(),
      r: () => this.rules(),
      n: () => this.restart(),
      b: () => this.board.focus(),
    });
    if (!keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  }
}

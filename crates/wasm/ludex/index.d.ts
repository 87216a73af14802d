import type { Analysis, Choice, Explanation, Family, Game, JobProgress, Position, Puzzle, Rules, Verdict, Walk } from "./types";

export type { Analysis, Choice, Explanation, Family, Game, JobProgress, Position, Puzzle, Rules, Verdict, Walk };

/** Which position of a game: a text, and moves played from there. Nothing: the start. */
export interface Where {
  /** A position text, or `moves:m1,m2,…` from the start. */
  position?: string;
  /** Moves from there: a list, or one text with spaces between them. */
  moves?: string[] | string;
  /** A deal, for games that begin with one. */
  seed?: number;
}

export interface Limits {
  /** Seconds. */
  time?: number;
  /** Ends the search; the promise is rejected with an `AbortError`. */
  signal?: AbortSignal;
}

export interface Search extends Where, Limits {
  /** Who wins, or how soon. */
  goal?: "wdl" | "distance";
  /** Bytes that the search may remember. */
  memory?: number;
  /** Positions to search at most. */
  nodes?: number;
  /** The search to use. */
  solver?: string;
  /** Rules to leave out. */
  without?: string[];
  /** Told several times a second how far the search is. */
  onProgress?: (news: JobProgress) => void;
}

/** An error that the judge explained: what was wrong, and what would be right. */
export class LudexError extends Error {
  code: string;
  hint: string;
}

/** The judge, in threads of its own. */
export class Ludex {
  constructor(options?: { wasm?: string | URL });
  /** The games, each with specs to offer. */
  games(): Promise<Family[]>;
  /** What a game is: title, sides, start, levels of its engines. */
  game(game: string): Promise<Game>;
  /** The rules for people, with every step drawn. */
  rules(game: string): Promise<Rules>;
  /** A position: who is to move, legal moves, SVG, text. */
  position(game: string, where?: Where): Promise<Position>;
  legalMoves(game: string, where?: Where): Promise<string[]>;
  svg(game: string, where?: Where): Promise<string>;
  /** What a position is worth. */
  solve(game: string, how?: Search): Promise<Verdict>;
  /** Every legal move with its value, best first. */
  analyze(game: string, how?: Search): Promise<Analysis>;
  /** Why a position is worth what it is, in words. */
  explain(game: string, how?: Where & Limits & { goal?: "wdl" | "distance" }): Promise<Explanation>;
  /** The move of an engine. */
  choose(game: string, how?: Omit<Where, "seed"> & Limits & { level?: string; seed?: number }): Promise<Choice>;
  /** A position in which exactly one move wins. */
  puzzle(game: string, how?: Where & Limits & { plies?: number }): Promise<Puzzle>;
  /** A certificate of what a position is worth, as the bytes of a file. */
  prove(game: string, how?: Where & Limits): Promise<Uint8Array>;
  /** Check a certificate, and walk along moves of both sides. */
  check(file: Uint8Array, how?: { claim?: number; moves?: string[] | string; signal?: AbortSignal }): Promise<Walk>;
  /** One request of the API, as `ludex serve` answers it below `/api/v1/`. */
  request(method: "GET" | "POST", path: string, query?: Record<string, unknown>, body?: unknown, how?: { signal?: AbortSignal; onProgress?: (job: any) => void }): Promise<any>;
  /** End all searches. */
  close(): void;
}

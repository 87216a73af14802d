// The objects of the API, for the type checker only: nothing of this is served.
// Made from the types of the server: UPDATE=1 cargo test -p ludex-server --test document
export interface Analyses {
  type: "analyses";
  version: number;
  game: string;
  results: AnalysisOrError[];
}
export interface Analysis {
  type: "verdict" | "analysis";
  version: number;
  game: string;
  position: string;
  to_move: Side;
  status: Status;
  outcome: KnownOutcome;
  plies: number | null;
  lower: Value;
  upper: Value;
  score?: number | null;
  sentence: string;
  best: string[];
  pv: string[];
  solver: SolverName;
  from: Source;
  stats: Stats;
  warnings?: Error[];
  moves: MoveValue[];
  total_moves: number;
}
export type AnalysisOrError = Analysis | ErrorLine;
export interface AnalyzeBody {
  game: string;
  positions: string[];
  goal?: GoalName | null;
  time?: number | null;
  limit?: number | null;
}
export interface Choice {
  type: "choice";
  version: number;
  game: string;
  position: string;
  to_move: Side;
  level: string;
  move: string;
  certain: boolean;
}
export interface ChooseBody {
  game: string;
  position?: string | null;
  level?: "perfect" | "level:5" | "level:4" | "level:3" | "level:2" | "level:1" | "greedy" | "random" | null;
  seed?: number | null;
  time?: number | null;
}
export interface End {
  winner: Side | null;
  why: string | null;
  said?: Said | null;
}
export interface Error {
  code: ErrorCode;
  message: string;
  hint: string;
}
export type ErrorCode = "bad_arguments" | "bad_body" | "bad_certificate" | "bad_checkpoint" | "bad_claim" | "bad_config" | "bad_database" | "bad_date" | "bad_depth" | "bad_dialect" | "bad_file" | "bad_goal" | "bad_kind" | "bad_layout" | "bad_level" | "bad_memory" | "bad_method" | "bad_move" | "bad_nodes" | "bad_peer" | "bad_player" | "bad_plies" | "bad_position" | "bad_program" | "bad_protocol" | "bad_query" | "bad_record" | "bad_records" | "bad_side" | "bad_spec" | "bad_table" | "bad_threads" | "bad_time" | "bad_tournament" | "busy" | "cancelled" | "cannot_write" | "contradiction" | "damaged" | "engine_failed" | "failed" | "foreign_origin" | "game_over" | "internal" | "no_book" | "no_checkpoint" | "no_database" | "no_game" | "no_ply" | "no_puzzle" | "no_start" | "not_found" | "not_in_table" | "nothing_named" | "out_of_memory" | "overrun" | "peer_lost" | "stopped" | "table_busy" | "table_damaged" | "table_in_the_way" | "table_io" | "table_version" | "too_large" | "too_many" | "too_many_positions" | "too_slow" | "unknown_host" | "unknown_level" | "unknown_player" | "unknown_rule" | "unknown_solver" | "url_too_long" | "wrong_solver" | "wrong_table";
export interface ErrorLine {
  type: "error";
  code: ErrorCode;
  message: string;
  hint: string;
}
export interface Example {
  game: string;
  title: string;
  deal: boolean;
}
export interface Explanation {
  type: "explanation";
  version: number;
  game: string;
  position: string;
  to_move: Side;
  status: Status;
  verdict: string;
  reasons: Reason[];
  line: Ply[];
  warnings?: Error[];
}
export interface Fact {
  name: string;
  value: string;
  cells: string[];
  said?: [Said, Said] | null;
}
export interface Family {
  name: string;
  title: string;
  about: string;
  usage: string;
  for_newcomers: boolean;
  examples: Example[];
}
export type Filling = number | string | Said;
export interface Game {
  type: "game";
  version: number;
  game: string;
  name: string;
  title: string;
  about: string;
  usage: string;
  sides: [string, string];
  colours: [string, string];
  start: string | null;
  draws: boolean;
  switches: Rule[];
  levels: Level[];
  layout: Layout | null;
}
export interface Games {
  type: "games";
  version: number;
  games: Family[];
}
export type GoalName = "wdl" | "distance";
export interface Health {
  type: "health";
  status: string;
  program: string;
}
export interface ImportBody {
  text: string;
}
export interface Imported {
  type: "imported";
  version: number;
  game: string;
  moves: string[];
}
export interface Iteration {
  question: string;
  nodes: number;
  seconds: number;
}
export interface Job {
  type: "job";
  version: number;
  id: string;
  state: JobState;
  game: string;
  position: string;
  kind: JobKind;
  progress: JobProgress | null;
  result: JobResult | null;
}
export type JobKind = "solve" | "analyze";
export interface JobProgress {
  type: "progress";
  nodes: number;
  seconds: number;
  rate: number;
  lower: Value;
  upper: Value;
  moves?: Share | null;
  proof?: number | null;
  disproof?: number | null;
  sentence: string | null;
}
export type JobResult = Analysis | Verdict | ErrorLine;
export type JobState = "queued" | "running" | "done";
export type KnownOutcome = "win" | "draw" | "loss" | "unknown";
export interface Layout {
  rows: string[][];
  symbols: Symbol[];
}
export interface Level {
  name: string;
  title: string;
  what: string;
}
export type MoveMark = "best" | "good" | "lost_win" | "lost_draw" | "unknown";
export interface MoveValue {
  move: string;
  outcome: KnownOutcome;
  plies: number | null;
  lower: Value;
  upper: Value;
  score?: number | null;
}
export interface MoveView {
  move: string;
  clicks: string[];
  path?: string[];
}
export type Outcome = "loss" | "draw" | "win";
export interface PlayBody {
  game: string;
  position?: string | null;
  move: string;
}
export interface Ply {
  move: string;
  by: Side;
  note?: string | null;
  said?: Said | null;
}
export interface Position {
  type: "position";
  version: number;
  game: string;
  title: string;
  start: string;
  position: string;
  to_move: Side;
  sides: [string, string];
  colours: [string, string];
  last: string | null;
  over: End | null;
  moves: MoveView[];
  total_moves: number;
  facts: Fact[];
  svg: string;
  picture: string;
}
export interface Present {
  game: string;
  kind: Source;
  goal: string;
  positions: number;
  bytes: number | null;
  file: string | null;
  digest: string | null;
  about: string;
}
export interface Puzzle {
  type: "puzzle";
  version: number;
  game: string;
  position: string;
  to_move: Side;
  seed: number;
  plies: number;
  solution: string[];
  best: string[];
}
export interface Reason {
  code?: string;
  text: string;
  with?: Record<string, Filling>;
  cells: string[];
  pairs: [string, string][];
}
export interface Review {
  type: "review";
  version: number;
  game: string;
  start: string;
  position: string;
  sides: [string, string];
  over: boolean;
  winner: Side | null;
  sentence: string;
  moves: Reviewed[];
}
export interface Reviewed {
  move: string;
  by: Side;
  mark: MoveMark;
  before: Worth;
  after: Worth;
  better?: string | null;
}
export interface Rule {
  name: string;
  what: string;
}
export interface RuleStep {
  text: string;
  game: string;
  position: string;
  svg: string;
  picture: string;
}
export interface Rules {
  type: "rules";
  version: number;
  game: string;
  title: string;
  goal: string;
  steps: RuleStep[];
  end: string;
  notation: string;
}
export interface Said {
  code?: string;
  text: string;
  with?: Record<string, Filling>;
}
export interface Share {
  done: number;
  of: number;
}
export type Side = "first" | "second";
export interface SolveBody {
  game: string;
  position?: string | null;
  kind?: JobKind | null;
  goal?: GoalName | null;
  time?: number | null;
  memory?: number | null;
  nodes?: number | null;
  threads?: number | null;
  without?: string[];
  solver?: string | null;
}
export type SolverName = string;
export type Source = "search" | "cache" | "table" | "book";
export interface Stats {
  nodes: number;
  leaves: number;
  pruned: number;
  cutoffs: number;
  table_hits: number;
  table_fill: number;
  depth: number;
  memory: number;
  created?: number | null;
  support?: number | null;
  cache_hits?: number | null;
  earlier_nodes?: number | null;
  earlier_seconds?: number | null;
  seconds: number;
  iterations: Iteration[];
}
export type Status = "solved" | "out_of_time" | "out_of_memory" | "out_of_nodes" | "cancelled";
export interface Symbol {
  symbol: string;
  what: string;
}
export interface Tables {
  type: "tables";
  version: number;
  tables: Present[];
}
export interface Value {
  outcome: Outcome;
  plies: number | null;
}
export interface Verdict {
  type: "verdict" | "analysis";
  version: number;
  game: string;
  position: string;
  to_move: Side;
  status: Status;
  outcome: KnownOutcome;
  plies: number | null;
  lower: Value;
  upper: Value;
  score?: number | null;
  sentence: string;
  best: string[];
  pv: string[];
  solver: SolverName;
  from: Source;
  stats: Stats;
  warnings?: Error[];
}
export interface Walk {
  type: "walk";
  version: number;
  game: string;
  start: string;
  claims: string[];
  said: Said[];
  claim: number;
  claimant: Side;
  level: string;
  rules: string[];
  moves: number;
  leaves: number;
  positions: number;
  bytes: number;
  sha256: string;
  position: string;
  to_move: Side;
  reply: string | null;
  rule: string | null;
  settled: boolean;
  reason: Reason;
}
export interface Worth {
  outcome: KnownOutcome;
  plies: number | null;
}

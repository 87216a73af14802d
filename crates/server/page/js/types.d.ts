// The objects of the API, for the type checker only: nothing of this is served.
export interface Worth { outcome: string; plies: number | null }
export interface Move { move: string; clicks: string[]; path?: string[] }
export interface Fact { name: string; value: string; cells: string[] }
export interface View {
  game: string; title: string; start: string; position: string; to_move: string; sides: string[]; last: string | null;
  over: { winner: string | null; why: string | null } | null; moves: Move[]; facts: Fact[]; svg: string; picture: string;
}
export interface Analysis {
  type: string; game: string; position: string; to_move: string; status: string; outcome: string; plies: number | null;
  lower: Worth; upper: Worth; best: string[]; pv: string[]; solver: string; from: string; score?: number | null;
  moves: (Worth & { move: string })[]; stats: { nodes?: number; seconds?: number };
}
export interface Job {
  id: string; state: string; kind: string; result: Analysis | ApiFault | null;
  progress: { nodes: number; seconds: number; lower: Worth; upper: Worth; moves?: { done: number; of: number } } | null;
}
export interface ApiFault { type: "error"; code: string; message: string; hint: string }
export interface Level { name: string; title: string; what: string }
export interface Reason { text: string; cells: string[]; pairs: [string, string][] }
export interface Explanation { verdict: string; reasons: Reason[]; line: { move: string; by: string; note?: string }[] }
export interface Game {
  game: string; name: string; title: string; about: string; usage: string; sides: string[]; start: string | null; draws: boolean;
  levels: Level[];
  layout: { rows: string[][]; symbols: { symbol: string; what: string }[] } | null;
}
export interface Family {
  name: string; title: string; about: string; usage: string;
  examples: { game: string; title: string; deal: boolean }[];
}

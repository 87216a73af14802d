import type { Position } from "./types";

/** `<ludex-board game="connect4" moves="4453" verdict playable>`; tells of moves made by clicks with the event `move`. */
export class LudexBoard extends HTMLElement {
  /** What is shown; nothing before it is, or if an attribute is wrong. */
  readonly view: Position | null;
  /** The moves, as a list. */
  readonly moves: string[];
  /** Once what the attributes say is shown. */
  readonly ready: Promise<void>;
}

declare global {
  interface HTMLElementTagNameMap {
    "ludex-board": LudexBoard;
  }
}

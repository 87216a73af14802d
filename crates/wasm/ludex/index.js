// Ludex in the workers of a browser.

import { load, start } from "./browser.js";
import { Asking } from "./ludex.js";

export { LudexError } from "./ludex.js";

export class Ludex extends Asking {
  /** @param {{wasm?: string | URL}} [options] where the program lies, if it is not beside this file */
  constructor({ wasm } = {}) {
    super(load(wasm), start);
  }
}

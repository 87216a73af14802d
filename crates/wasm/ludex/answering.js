// What a thread with a judge does: the first message is the program, every other one a request.

import { Judge } from "./judge.js";

/** @param {(message: object, moved: ArrayBuffer[]) => void} say @returns {(message: any) => void} */
export function answering(say) {
  /** @type {Judge | null} */ let judge = null;
  return (message) => {
    if (!judge) {
      judge = new Judge(message, (news) => say({ news }, []));
      return;
    }
    try {
      const reply = judge.ask(message);
      say({ reply }, [/** @type {ArrayBuffer} */ (reply.body.buffer)]);
    } catch (e) {
      // Memory that has run out, or a mistake of the program: this judge cannot be asked again.
      say({ broken: String(e) }, []);
    }
  };
}

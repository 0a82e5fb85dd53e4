// @ts-check
/** Says counts and changes to screen readers, at most once a second, the newest last. */

import { byId, setText } from "./dom.js";

const pause = 1000;

export class Announcer {
  #place = byId("announcer");
  #last = "";
  #saidAt = -Infinity;
  #timer = 0;

  /** @param {string} text */
  say(text) {
    if (!text || text === this.#last) return;
    this.#last = text;
    clearTimeout(this.#timer);
    const wait = Math.max(0, this.#saidAt + pause - performance.now());
    this.#timer = setTimeout(() => {
      this.#saidAt = performance.now();
      setText(this.#place, text);
    }, wait);
  }

  /** @param {import("./protocol.js").Frame} frame */
  frame({ action, count = 0 }) {
    const name = action?.text ?? "";
    const hasCount = count >= 1 && (!action || action.status === "action");
    this.say(hasCount ? `${Math.floor(count)} ${name}`.trim() : name);
  }
}

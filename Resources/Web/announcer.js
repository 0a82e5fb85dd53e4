// @ts-check
/** Announces counts and changes to screen readers: at most once a second, always the latest. */

import { byId, setText } from "./dom.js";

const interval = 1000;

export class Announcer {
  #place = byId("announcer");
  #last = "";
  #announcedAt = -Infinity;
  #timer = 0;

  /** @param {string} text */
  announce(text) {
    if (!text || text === this.#last) return;
    this.#last = text;
    clearTimeout(this.#timer);
    const wait = Math.max(0, this.#announcedAt + interval - performance.now());
    this.#timer = setTimeout(() => {
      this.#announcedAt = performance.now();
      setText(this.#place, text);
    }, wait);
  }

  /** @param {import("./protocol.js").Frame} frame */
  frame({ action, count }) {
    const name = action?.text ?? "";
    const hasCount = count >= 1 && (!action || action.status === "action");
    this.announce(hasCount ? `${Math.floor(count)} ${name}`.trim() : name);
  }
}

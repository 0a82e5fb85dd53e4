// @ts-check
/** Announces counts and changes to screen readers: at most once a second, always the latest. */

import { byId, setText } from "../shared/dom.js";

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

  /** @param {import("./course.js").View} view */
  view({ spoken }) {
    this.announce(spoken);
  }
}

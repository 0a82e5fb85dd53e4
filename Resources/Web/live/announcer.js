// @ts-check
/** Announces counts and changes to screen readers: at most once a second, always the latest. */

import { byId, setText } from "../shared/dom.js";
import { occupation } from "./occupation.js";
import { t } from "./texts.js";

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

  /** @param {import("types/live").Frame} frame */
  frame(frame) {
    const { action, count, countedLabel } = frame;
    const { text, label } = occupation(frame);
    const isOfAction = !action || (label !== null && label === countedLabel);
    const number = isOfAction && count >= 1 ? t("repetitions", { n: Math.floor(count) }) : "";
    this.announce([text, number].filter(Boolean).join(", "));
  }
}

// @ts-check
/** Announces counts and changes to screen readers: at most once a second, always the latest. */

import { byId, setText } from "../shared/dom.js";
import { actionText, t } from "./texts.js";

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
  frame({ action, count, countedLabel }) {
    const isOfAction = !action || (action.status === "action" && action.label === countedLabel);
    const number = isOfAction && count >= 1 ? t("repetitions", { n: Math.floor(count) }) : "";
    this.announce([actionText(action), number].filter(Boolean).join(", "));
  }
}

// @ts-check
/** The one line that says what is wrong and what is being done about it. */

import { byId, setText } from "./dom.js";

/**
 * @typedef {{text: string, tone?: "calm" | "warn" | "bad", retryAt?: number | null,
 *   action?: {name: string, run: () => void} | null}} Notice
 */

/** The more important kinds first; one is shown at a time. */
const kinds = ["connection", "camera", "source", "pause", "note"];

export class Banner {
  #banner = byId("banner");
  #text = byId("banner-text");
  #wait = byId("banner-wait");
  #button = /** @type {HTMLButtonElement} */ (byId("banner-action"));
  /** @type {Map<string, Notice>} */
  #notices = new Map();
  #timer = 0;
  #noteTimer = 0;

  constructor() {
    this.#button.addEventListener("click", () => this.#current()?.action?.run());
  }

  /**
   * @param {"connection" | "camera" | "source" | "pause" | "note"} kind
   * @param {Notice | null} notice null takes it away
   */
  set(kind, notice) {
    if (notice) this.#notices.set(kind, notice);
    else this.#notices.delete(kind);
    this.#render();
  }

  /**
   * Says something for some seconds.
   *
   * @param {string} text
   * @param {"calm" | "warn" | "bad"} [tone]
   */
  note(text, tone = "calm") {
    clearTimeout(this.#noteTimer);
    this.set("note", { text, tone });
    this.#noteTimer = setTimeout(() => this.set("note", null), 6000);
  }

  #current() {
    const kind = kinds.find((name) => this.#notices.has(name));
    return kind ? this.#notices.get(kind) : undefined;
  }

  #render() {
    clearTimeout(this.#timer);
    const notice = this.#current();
    this.#banner.hidden = !notice;
    if (!notice) return;
    const { text, tone = "calm", retryAt, action } = notice;
    this.#banner.dataset.tone = tone;
    const left = retryAt ? Math.max(0, Math.ceil((retryAt - performance.now()) / 1000)) : 0;
    setText(this.#text, text);
    // Not read out: it changes every second.
    setText(this.#wait,
      !retryAt ? "" : left > 0 ? `Trying again in ${left} s …` : "Trying again …");
    this.#button.hidden = !action;
    setText(this.#button, action?.name ?? "");
    if (left > 0) this.#timer = setTimeout(() => this.#render(), 500);
  }
}

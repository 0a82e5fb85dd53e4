// @ts-check
/** One line that reports a problem and how to solve it. */

import { byId, setText } from "../shared/dom.js";
import { t } from "./texts.js";

/**
 * @typedef {{text: string, tone?: "calm" | "warn" | "bad", retryAt?: number | null,
 *   action?: {name: string, run: () => void}}} Notice `retryAt` in milliseconds of the page's clock
 */

/** The kinds of notices, the most important first; one is shown at a time. */
const kinds = /** @type {const} */ (["connection", "camera", "source", "pause", "note"]);
/** @typedef {typeof kinds[number]} Kind */

export class Banner {
  #banner = byId("banner");
  #text = byId("banner-text");
  #wait = byId("banner-wait");
  #button = byId("banner-action");
  /** @type {Map<Kind, Notice>} */
  #notices = new Map();
  #timer = 0;
  #noteTimer = 0;

  constructor() {
    this.#button.addEventListener("click", () => this.#current()?.action?.run());
    // What is at the top makes room for it.
    new ResizeObserver(() => {
      const height = this.#banner.offsetHeight;
      document.body.style.setProperty("--banner", height > 0 ? `calc(${height}px + 0.5rem)` : "0px");
    }).observe(this.#banner);
  }

  /**
   * @param {Kind} kind
   * @param {Notice | null} notice null removes it
   */
  set(kind, notice) {
    if (notice) this.#notices.set(kind, notice);
    else this.#notices.delete(kind);
    this.#render();
  }

  /** Removes all notices. */
  clear() {
    this.#notices.clear();
    this.#render();
  }

  /**
   * Shows a text for some seconds.
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
    // Not announced: it changes every second.
    setText(this.#wait, !retryAt ? "" : left > 0 ? t("notice.retryIn", { s: left })
      : t("notice.retrying"));
    this.#button.hidden = !action;
    setText(this.#button, action?.name ?? "");
    if (left > 0) this.#timer = setTimeout(() => this.#render(), 500);
  }
}

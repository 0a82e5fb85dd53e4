// @ts-check
/** The events of named sources as they happen. */

import { backOff } from "../shared/connection.js";
import { kinds } from "./happened.js";

/** @typedef {import("types/watch").Event} WatchEvent */

export class EventStream {
  /** @type {EventSource | null} */
  #source = null;
  #attempt = 0;
  #timer = 0;

  /**
   * @param {(event: WatchEvent) => void} happened
   * @param {(isOpen: boolean) => void} changed is called where the stream opens, and where it breaks
   */
  constructor(happened, changed) {
    this.happened = happened;
    this.changed = changed;
  }

  open() {
    const source = new EventSource("/api/v1/events");
    this.#source = source;
    for (const kind of kinds) {
      source.addEventListener(kind, ({ data }) => this.happened(JSON.parse(data)));
    }
    source.addEventListener("open", () => {
      this.#attempt = 0;
      this.changed(true);
    });
    source.addEventListener("error", () => {
      if (source !== this.#source) return;
      this.changed(false);
      // Browsers reconnect by themselves, but not after an answer that is no stream.
      if (source.readyState !== EventSource.CLOSED) return;
      this.#attempt += 1;
      this.#timer = setTimeout(() => this.open(), backOff(this.#attempt, false) * 1000);
    });
  }

  close() {
    clearTimeout(this.#timer);
    this.#attempt = 0;
    this.#source?.close();
    this.#source = null;
  }
}

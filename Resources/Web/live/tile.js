// @ts-check
/** One named source on the wall: its picture, the people in view and the last event. */

import { icon, make, setText } from "../shared/dom.js";
import { timeOfDay } from "../shared/format.js";
import { alarms, people, sentence } from "./happened.js";
import { reported, t } from "./texts.js";

/** @typedef {import("types/watch").Source} WatchedSource */
/** @typedef {import("types/watch").Event} WatchEvent */

/** How long an alarm is marked that is not in the log, in ms. */
const alarmTime = 60000;

export class Tile {
  #picture = make("img", { alt: "", decoding: "async" });
  #name = make("h2");
  #state = make("span", { className: "tile-state" });
  #now = make("p", { className: "tile-now" });
  #time = make("time");
  #event = make("span");
  #enlarge = make("button", { className: "tile-picture", type: "button", "aria-pressed": "false" },
    this.#picture);
  #edit = make("button", { className: "tool tile-edit", type: "button" }, icon("pencil"));
  element = make("li", { className: "tile" }, this.#enlarge,
    make("div", { className: "tile-head" }, this.#name, this.#state, this.#edit), this.#now,
    make("p", { className: "tile-event" }, this.#time, " ", this.#event));
  isVisible = false;
  #isLoading = false;
  /** @type {{event: WatchEvent, until: number} | null} */
  #alarm = null;
  /** Whether an alarm of the log waits for somebody. */
  #isUnacknowledged = false;
  /** The time of the frame that is shown. */
  #shown = /** @type {string | null} */ (null);

  /**
   * @param {(name: string) => void} enlarge is called with the name of the source
   * @param {(name: string) => void} edit opens its areas
   */
  constructor(enlarge, edit) {
    this.#enlarge.addEventListener("click", () => enlarge(this.#name.textContent ?? ""));
    this.#edit.addEventListener("click", () => edit(this.#name.textContent ?? ""));
  }

  /** The address of the picture that is shown. */
  get picture() {
    return this.#picture.src;
  }

  /** @param {boolean} isLarge */
  set isLarge(isLarge) {
    this.element.classList.toggle("large", isLarge);
    this.#enlarge.setAttribute("aria-pressed", String(isLarge));
  }

  /** @param {boolean} isUnacknowledged */
  set isUnacknowledged(isUnacknowledged) {
    this.#isUnacknowledged = isUnacknowledged;
    this.#mark();
  }

  /**
   * @param {WatchedSource} source
   * @param {string} now the server's time
   */
  update(source, now) {
    const { name, state, message, text, persons, lastEvent } = source;
    this.element.dataset.source = name;
    this.element.dataset.state = state;
    setText(this.#name, name);
    setText(this.#state, t(`tile.${state}`));
    this.#enlarge.setAttribute("aria-label", t("sources.enlarge", { name }));
    this.#edit.setAttribute("aria-label", t("areas.edit", { name }));
    this.#edit.title = t("areas.edit", { name });
    setText(this.#now, state === "stale" && message ? reported("error", text, message)
      : state === "connecting" || state === "paused" ? "" : people(persons));
    this.element.classList.toggle("fallen", source.fallen);
    if (lastEvent) this.show(lastEvent, Date.parse(now) - Date.parse(lastEvent.time));
    if (this.isVisible && source.frameTime !== this.#shown) this.#load(name, source.frameTime);
  }

  /**
   * Shows an event; an alarm stays for a minute, whatever happens then.
   *
   * @param {WatchEvent} event
   * @param {number} age in ms
   */
  show(event, age) {
    const now = performance.now();
    if (alarms.includes(event.event)) this.#alarm = { event, until: now + alarmTime - age };
    if (this.#alarm && this.#alarm.until < now) this.#alarm = null;
    this.#mark();
    const shown = this.#alarm?.event ?? event;
    setText(this.#time, timeOfDay(new Date(shown.time)));
    this.#time.dateTime = shown.time;
    setText(this.#event, sentence(shown));
  }

  #mark() {
    this.element.classList.toggle("alarm", this.#alarm !== null || this.#isUnacknowledged);
  }

  /**
   * @param {string} name
   * @param {string | null} time
   */
  async #load(name, time) {
    if (this.#isLoading || !time) return;
    this.#isLoading = true;
    try {
      const response = await fetch(`/api/v1/sources/${encodeURIComponent(name)}/picture`);
      if (!response.ok) return;
      const address = URL.createObjectURL(await response.blob());
      URL.revokeObjectURL(this.#picture.src);
      this.#picture.src = address;
      this.#shown = time;
    } catch {
      // The last picture stays until the next one arrives.
    } finally {
      this.#isLoading = false;
    }
  }
}

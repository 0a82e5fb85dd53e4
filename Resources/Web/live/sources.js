// @ts-check
/** Named sources side by side: a picture, what is done and the last event of each. */

import { request } from "../shared/api.js";
import { byId, make, setText } from "../shared/dom.js";
import { timeOfDay, words } from "../shared/format.js";
import { messageOf, reported, t } from "./texts.js";

/** @typedef {import("types/watch").Source} WatchedSource */
/** @typedef {import("types/watch").Event} WatchEvent */

/** How often states and pictures are loaded, in ms. */
const interval = 1000;
/** How long an alarm is marked, in ms. */
const alarmTime = 60000;
/** The part of the address that opens the view, also for screens that show nothing else. */
const fragment = "#sources";

/** The events that are shown; each has a text. */
const kinds = ["personEnters", "personLeaves", "nobody", "actionBegins", "actionLasts", "actionEnds",
  "countReached", "setFinished", "setRevised", "fall", "lying", "sourceStale", "sourceBack"];
/** Events that are read aloud, and marked. */
const alarms = ["fall", "lying", "sourceStale"];

/** @param {WatchEvent} event */
function sentence({ event, action = "", from = "", seconds = 0, count = 0 }) {
  if (!kinds.includes(event)) return words(event);
  return t(/** @type {import("./texts.js").Key} */ (`event.${event}`),
    { action: words(action), from: words(from), seconds: Math.round(seconds), count });
}

/** One source. */
class Tile {
  #picture = make("img", { alt: "", decoding: "async" });
  #name = make("h2");
  #state = make("span", { className: "tile-state" });
  #now = make("p", { className: "tile-now" });
  #time = make("time");
  #event = make("span");
  #enlarge = make("button", { className: "tile-picture", type: "button", "aria-pressed": "false" },
    this.#picture);
  element = make("li", { className: "tile" }, this.#enlarge,
    make("div", { className: "tile-head" }, this.#name, this.#state), this.#now,
    make("p", { className: "tile-event" }, this.#time, " ", this.#event));
  isVisible = false;
  #isLoading = false;
  /** @type {{event: WatchEvent, until: number} | null} */
  #alarm = null;
  /** The time of the frame that is shown. */
  #shown = /** @type {string | null} */ (null);

  constructor() {
    this.#enlarge.addEventListener("click", () => {
      const isLarge = this.element.classList.toggle("large");
      this.#enlarge.setAttribute("aria-pressed", String(isLarge));
      if (isLarge) this.element.scrollIntoView({ block: "nearest" });
    });
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
    const done = persons.map((person) => {
      const what = person.lying ? t("sources.lying") : person.action ? words(person.action) : "";
      return person.count > 0 ? `${what || t("sources.repetitions")} · ${person.count}` : what;
    }).filter(Boolean);
    const people = t("sources.people", { n: persons.length });
    setText(this.#now, state === "stale" && message ? reported("error", text, message)
      : persons.length === 0 ? t("sources.nobody") : [people, ...done].join(" · "));
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
    this.element.classList.toggle("alarm", this.#alarm !== null);
    const shown = this.#alarm?.event ?? event;
    setText(this.#time, timeOfDay(new Date(shown.time)));
    this.#time.dateTime = shown.time;
    setText(this.#event, sentence(shown));
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

export class SourcesView {
  #view = byId("sources");
  #grid = byId("sources-grid");
  #problem = byId("sources-problem");
  /** @type {Map<string, Tile>} */
  #tiles = new Map();
  /** @type {number | undefined} */
  #timer;
  /** @type {EventSource | null} */
  #events = null;
  #isLoading = false;
  #observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const name = /** @type {HTMLElement} */ (target).dataset.source ?? "";
      const tile = this.#tiles.get(name);
      if (tile) tile.isVisible = isIntersecting;
    }
  });

  /** @param {(text: string) => void} announce reads a text aloud */
  constructor(announce) {
    this.announce = announce;
    document.addEventListener("visibilitychange", () => this.#run());
    addEventListener("hashchange", () => this.#follow());
  }

  /** Offers the view where there are named sources. */
  async prepare() {
    /** @type {import("types/watch").State | null} */
    const state = await request("state").catch(() => null);
    byId("start-watch").hidden = !state || state.sources.length === 0;
    this.#follow();
  }

  get isOpen() {
    return !this.#view.hidden;
  }

  /** Opens and closes the view by the address. */
  #follow() {
    const opens = location.hash === fragment;
    if (opens === this.isOpen || document.body.dataset.view === "live") return;
    this.#view.hidden = !opens;
    byId("start").hidden = opens;
    document.body.dataset.view = opens ? "sources" : "start";
    this.#run();
    byId(opens ? "sources-title" : "start-watch").focus();
  }

  /** Loads while the view can be seen. */
  #run() {
    const isSeen = this.isOpen && !document.hidden;
    if (isSeen === (this.#timer !== undefined)) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#events?.close();
    this.#events = null;
    if (!isSeen) return;
    this.#timer = setInterval(() => this.#load(), interval);
    this.#load();
    this.#events = new EventSource("/api/v1/events");
    for (const kind of kinds) {
      this.#events.addEventListener(kind, ({ data }) => this.#happened(JSON.parse(data)));
    }
  }

  /** @param {WatchEvent} event */
  #happened(event) {
    this.#tiles.get(event.source)?.show(event, 0);
    if (!alarms.includes(event.event)) return;
    const time = timeOfDay(new Date(event.time));
    this.announce(t("sources.alarm", { source: event.source, time, what: sentence(event) }));
  }

  async #load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      /** @type {import("types/watch").State} */
      const { sources, time } = await request("state");
      this.#show(sources, time);
      this.#report(sources.length === 0 ? t("sources.none") : "");
    } catch (error) {
      this.#report(messageOf(error));
    } finally {
      this.#isLoading = false;
    }
  }

  /** @param {string} problem */
  #report(problem) {
    setText(this.#problem, problem);
    this.#problem.hidden = problem === "";
    this.#grid.classList.toggle("old", problem !== "");
  }

  /**
   * @param {WatchedSource[]} sources
   * @param {string} now the server's time
   */
  #show(sources, now) {
    const names = sources.map(({ name }) => name);
    for (const [name, tile] of this.#tiles) {
      if (names.includes(name)) continue;
      this.#observer.unobserve(tile.element);
      tile.element.remove();
      this.#tiles.delete(name);
    }
    for (const source of sources) {
      const tile = this.#tiles.get(source.name) ?? new Tile();
      tile.update(source, now);
      if (this.#tiles.has(source.name)) continue;
      this.#tiles.set(source.name, tile);
      this.#grid.append(tile.element);
      this.#observer.observe(tile.element);
    }
  }
}

// @ts-check
/** Named sources on a wall: they fill the screen, beside the last events. */

import { request } from "../shared/api.js";
import { byId, setText } from "../shared/dom.js";
import { timeOfDay } from "../shared/format.js";
import { AlarmSound } from "./alarms.js";
import { AreasEditor } from "./areas.js";
import { CameraFinder } from "./cameras.js";
import { EventLog } from "./eventlog.js";
import { EventStream } from "./events.js";
import { alarms, sentence } from "./happened.js";
import { messageOf, t } from "./texts.js";
import { Tile } from "./tile.js";

/** @typedef {import("types/watch").Source} WatchedSource */
/** @typedef {import("types/watch").Event} WatchEvent */

/** How often states and pictures are loaded, in ms. */
const interval = 1000;
/** How often the log is loaded without an event: what is old goes. */
const logInterval = 60000;
/** How long after an event the log has it, in ms. */
const logDelay = 300;
/** The part of the address that opens the view, also for screens that show nothing else. */
const fragment = "#sources";
/** Width by height of most pictures. */
const shape = 16 / 9;
/** Up to how many tiles there is room for all texts, and what texts need below a picture, in ems. */
const roomyCount = 4;
const textHeight = { roomy: 5.2, dense: 3.6 };

/**
 * The number of columns with which pictures are largest.
 *
 * @param {number} count of tiles
 * @param {number} width of the grid, in pixels
 * @param {number} height
 * @param {number} text the height of the texts of a tile
 */
export function bestColumns(count, width, height, text) {
  let best = 1;
  let largest = 0;
  for (let columns = 1; columns <= count; columns += 1) {
    const room = height / Math.ceil(count / columns) - text;
    const size = Math.min(width / columns, room * shape);
    if (size > largest) [best, largest] = [columns, size];
  }
  return best;
}

export class SourcesView {
  #view = byId("sources");
  #grid = byId("sources-grid");
  #problem = byId("sources-problem");
  /** What is wrong with the states and with the events; empty for nothing. */
  #problems = { states: "", events: "" };
  #sound = new AlarmSound();
  #log = new EventLog(() => this.#markAlarms());
  #areas = new AreasEditor();
  #cameras = new CameraFinder(() => [...this.#tiles.keys()]);
  #find = byId("sources-find");
  /** @type {Map<string, Tile>} */
  #tiles = new Map();
  /** @type {string | null} */
  #large = null;
  /** @type {number | undefined} */
  #timer;
  #logTime = -Infinity;
  #events = new EventStream((event) => this.#happened(event), (isOpen) => this.#listened(isOpen));
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
    new ResizeObserver(() => this.#arrange()).observe(this.#grid);
    this.#find.addEventListener("click", () => this.#cameras.open());
    // Any press will do for the sound.
    this.#view.addEventListener("click", () => this.#sound.wake());
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
    this.#events.close();
    if (!isSeen) return;
    this.#sound.wake();
    this.#timer = setInterval(() => this.#load(), interval);
    this.#logTime = -Infinity;
    this.#load();
    this.#events.open();
  }

  /** @param {WatchEvent} event */
  #happened(event) {
    this.#tiles.get(event.source)?.show(event, 0);
    setTimeout(() => this.#log.load(), logDelay);
    if (!alarms.includes(event.event)) return;
    if (event.event === "fall") this.#sound.play();
    const time = timeOfDay(new Date(event.time));
    this.announce(t("sources.alarm", { source: event.source, time, what: sentence(event) }));
  }

  /** @param {boolean} isOpen whether events arrive */
  #listened(isOpen) {
    this.#report("events", isOpen ? "" : t("sources.unheard"));
    // The log has what happened meanwhile.
    if (isOpen) this.#logTime = -Infinity;
  }

  #markAlarms() {
    for (const [name, tile] of this.#tiles) {
      tile.isUnacknowledged = this.#log.unacknowledged.has(name);
    }
    this.#arrange();
  }

  async #load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      /** @type {import("types/watch").State} */
      const { sources, time } = await request("state");
      this.#show(sources, time);
      // Cameras are added to a file of sources, which is never empty.
      this.#find.hidden = sources.length === 0;
      this.#report("states", sources.length === 0 ? t("sources.none") : "");
      if (performance.now() - this.#logTime > logInterval) {
        this.#logTime = performance.now();
        this.#log.load();
      }
    } catch (error) {
      this.#report("states", messageOf(error));
    } finally {
      this.#isLoading = false;
    }
  }

  /**
   * @param {"states" | "events"} part
   * @param {string} problem
   */
  #report(part, problem) {
    this.#problems[part] = problem;
    const { states, events } = this.#problems;
    const shown = states || events;
    setText(this.#problem, shown);
    this.#problem.hidden = shown === "";
    this.#grid.classList.toggle("old", states !== "");
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
      if (this.#large === name) this.#enlarge(name);
    }
    for (const source of sources) {
      const tile = this.#tiles.get(source.name) ?? new Tile(
        (name) => this.#enlarge(name),
        (name) => this.#areas.open(name, this.#tiles.get(name)?.picture ?? ""));
      tile.update(source, now);
      if (this.#tiles.has(source.name)) continue;
      this.#tiles.set(source.name, tile);
      tile.isUnacknowledged = this.#log.unacknowledged.has(source.name);
      this.#grid.append(tile.element);
      this.#observer.observe(tile.element);
      this.#arrange();
    }
  }

  /**
   * Shows one source alone, or all again.
   *
   * @param {string} name
   */
  #enlarge(name) {
    this.#large = this.#large === name ? null : name;
    for (const [other, tile] of this.#tiles) tile.isLarge = other === this.#large;
    this.#grid.classList.toggle("one", this.#large !== null);
    this.#arrange();
  }

  /** Fills the screen; on a narrow one, tiles are below each other, and it scrolls. */
  #arrange() {
    const { width, height } = this.#grid.getBoundingClientRect();
    if (width === 0) return;
    const count = this.#large === null ? this.#tiles.size : 1;
    const em = parseFloat(getComputedStyle(this.#grid).fontSize);
    const density = count > roomyCount ? "dense" : "roomy";
    this.#grid.classList.toggle("dense", density === "dense");
    const columns = bestColumns(count, width, height, textHeight[density] * em);
    this.#grid.style.setProperty("--columns", String(columns));
    this.#grid.style.setProperty("--rows", String(Math.ceil(count / columns)));
  }
}

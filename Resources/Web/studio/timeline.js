// @ts-check
/**
 * A timeline for the mouse: lanes with blocks, a ruler, a playhead, zoom. Hidden from screen
 * readers: pages offer the same in a slider and a list.
 */

import { button, make } from "../shared/dom.js";
import { moment, t } from "./texts.js";

/**
 * @typedef {{start: number, end: number, className: string, text?: string, title?: string,
 *   id?: string}} Block
 * @typedef {{name: string, blocks: Block[], isSlim?: boolean}} Lane
 */

const steps = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600];

export class Timeline {
  #track = make("div", { className: "timeline-track" });
  #ruler = make("div", { className: "timeline-ruler" });
  #lanes = make("div", { className: "timeline-lanes" });
  #head = make("div", { className: "timeline-head" });
  #scroll = make("div", { className: "timeline-scroll" }, this.#track);
  #zoom = 1;
  #time = 0;
  duration = 1;
  /** @param {number} _time */
  onSeek = (_time) => {};
  /** @param {string} _id */
  onChoose = (_id) => {};
  element = make("div", { className: "timeline", "aria-hidden": "true" }, this.#scroll);
  zoomButtons = make("span", { className: "segmented", role: "group",
    "aria-label": t("timeline.zoom") },
  button("", { id: "zoom-out" }, "−", () => this.zoom(0.5)),
  button("", { id: "zoom-in" }, "+", () => this.zoom(2)));

  constructor() {
    this.#track.append(this.#ruler, this.#lanes, this.#head);
    const [out, into] = this.zoomButtons.children;
    out.setAttribute("aria-label", t("timeline.out"));
    into.setAttribute("aria-label", t("timeline.in"));
    const seek = (/** @type {PointerEvent} */ event) => {
      const box = this.#track.getBoundingClientRect();
      this.onSeek((event.clientX - box.left) / box.width * this.duration);
    };
    this.#track.addEventListener("pointerdown", (event) => {
      const block = /** @type {HTMLElement} */ (event.target).closest("[data-block]");
      if (block) this.onChoose(/** @type {HTMLElement} */ (block).dataset.block ?? "");
      seek(event);
      this.#track.setPointerCapture(event.pointerId);
    });
    this.#track.addEventListener("pointermove", (event) => {
      if (event.buttons === 1) seek(event);
    });
    new ResizeObserver(() => this.#drawRuler()).observe(this.#scroll);
  }

  /** @param {Lane[]} lanes */
  show(lanes) {
    this.#drawRuler();
    this.#lanes.replaceChildren(...lanes.map(({ name, blocks, isSlim }) => {
      const lane = make("div", { className: isSlim ? "lane slim" : "lane", title: name });
      lane.append(...blocks.map((block) => {
        const made = make("span", { className: `block ${block.className}`,
          title: block.title ?? block.text ?? "", ...(block.id ? { "data-block": block.id } : {}) },
        make("span", {}, block.text ?? ""));
        this.#place(made, block.start, block.end);
        return made;
      }));
      return lane;
    }));
  }

  /** @param {number} time */
  set time(time) {
    this.#time = time;
    this.#head.style.left = `${time / this.duration * 100}%`;
    const x = time / this.duration * this.#track.clientWidth;
    const { scrollLeft, clientWidth } = this.#scroll;
    if (x < scrollLeft || x > scrollLeft + clientWidth - 20) {
      this.#scroll.scrollLeft = x - clientWidth * 0.2;
    }
  }

  /** @param {number} factor */
  zoom(factor) {
    const most = Math.max(1, this.duration / 2);
    this.#zoom = Math.min(most, Math.max(1, this.#zoom * factor));
    this.#track.style.width = `${this.#zoom * 100}%`;
    this.#drawRuler();
    this.#scroll.scrollLeft = this.#time / this.duration * this.#track.clientWidth
      - this.#scroll.clientWidth / 2;
  }

  /**
   * @param {HTMLElement} element
   * @param {number} start
   * @param {number} end
   */
  #place(element, start, end) {
    element.style.left = `${start / this.duration * 100}%`;
    element.style.width = `${Math.max(0, end - start) / this.duration * 100}%`;
  }

  #drawRuler() {
    const pixels = this.#track.clientWidth || 600;
    const letter = parseFloat(getComputedStyle(this.element).fontSize) || 16;
    const least = this.duration / pixels * 4.5 * letter;
    const step = steps.find((value) => value >= least) ?? 1800;
    const marks = [];
    for (let at = 0; at < this.duration; at += step) {
      const mark = make("span", {}, moment(at).replace(/\.0$/, ""));
      mark.style.left = `${at / this.duration * 100}%`;
      marks.push(mark);
    }
    this.#ruler.replaceChildren(...marks);
  }
}

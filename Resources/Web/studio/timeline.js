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

/** How near to an end of a block a press takes its edge, in pixels: half a touch target. */
const edgeReach = 22;

/**
 * The edge of a block at a place of the window; the middle third is none.
 *
 * @param {HTMLElement} block
 * @param {number} x
 * @returns {"start" | "end" | null}
 */
function edgeAt(block, x) {
  const { left, right, width } = block.getBoundingClientRect();
  const reach = Math.min(edgeReach, width / 3);
  return x - left <= reach ? "start" : right - x <= reach ? "end" : null;
}

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
  /** Called when an edge of a block was dragged. */
  onTrim = (/** @type {string} */ _id, /** @type {"start" | "end"} */ _side,
    /** @type {number} */ _time) => {};
  /** The edge that is dragged. */
  #edge = /** @type {{block: HTMLElement, side: "start" | "end"} | null} */ (null);
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
    const timeOf = (/** @type {PointerEvent} */ event) => {
      const box = this.#track.getBoundingClientRect();
      return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * this.duration;
    };
    this.#track.addEventListener("pointerdown", (event) => {
      const block = /** @type {HTMLElement | null} */ (
        /** @type {HTMLElement} */ (event.target).closest("[data-block]"));
      const side = block && edgeAt(block, event.clientX);
      const id = block?.dataset.block;
      if (id !== undefined) this.onChoose(id);
      // Choosing fills the lanes again.
      const again = [.../** @type {NodeListOf<HTMLElement>} */ (
        this.#lanes.querySelectorAll("[data-block]"))].find(({ dataset }) => dataset.block === id);
      this.#edge = side && again ? { block: again, side } : null;
      this.onSeek(timeOf(event));
      this.#track.setPointerCapture(event.pointerId);
    });
    this.#track.addEventListener("pointermove", (event) => {
      if (event.buttons !== 1) return;
      const time = timeOf(event);
      if (this.#edge) this.#drag(this.#edge, time);
      this.onSeek(time);
    });
    this.#track.addEventListener("pointerup", (event) => {
      const edge = this.#edge;
      this.#edge = null;
      if (edge?.block.dataset.isDragged) {
        this.onTrim(edge.block.dataset.block ?? "", edge.side, timeOf(event));
      }
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
        make("span", { "data-user": "" }, block.text ?? ""));
        Object.assign(made.dataset, { start: String(block.start), end: String(block.end) });
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

  /**
   * Shows a block with an edge at another time; it keeps some length.
   *
   * @param {{block: HTMLElement, side: "start" | "end"}} edge
   * @param {number} time
   */
  #drag({ block, side }, time) {
    const [start, end] = [Number(block.dataset.start), Number(block.dataset.end)];
    block.dataset.isDragged = "true";
    if (side === "start") this.#place(block, Math.min(time, end), end);
    else this.#place(block, start, Math.max(start, time));
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

// @ts-check
/** The figure on the start screen: a person who does one exercise of the model after the other. */

import { byId, setText } from "../shared/dom.js";
import { words } from "../shared/format.js";
import { Demonstration } from "./demonstration.js";
import { drawFigure } from "./figure.js";

/** For how long each exercise is shown, milliseconds. */
const interval = 6000;

export class Showcase {
  #canvas = /** @type {HTMLCanvasElement} */ (byId("figure"));
  #name = byId("figure-name");
  #demonstration = new Demonstration(this.#canvas);
  #isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  #timer = 0;
  #place = -1;
  /** @type {string[]} */
  #labels = [];

  constructor() {
    new ResizeObserver(() => {
      if (this.#isStill) this.#drawStill();
    }).observe(this.#canvas);
  }

  /** @type {import("types/live").Wireframe | null} */
  #wireframe = null;

  /** Whether nothing moves: as its user wishes, or because no exercise is known. */
  get #isStill() {
    return this.#isCalm.matches || this.#labels.length === 0;
  }

  #drawStill() {
    if (this.#wireframe) drawFigure(this.#canvas, this.#wireframe);
  }

  /**
   * Begins, with the exercises of a model.
   *
   * @param {import("types/live").Wireframe} wireframe
   * @param {string[]} labels
   */
  start(wireframe, labels) {
    this.#demonstration.wireframe = this.#wireframe = wireframe;
    this.#labels = labels;
    this.stop();
    if (this.#isStill) return this.#drawStill();
    this.#next();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#demonstration.show(null);
    setText(this.#name, "");
  }

  async #next() {
    this.#place = (this.#place + 1) % this.#labels.length;
    const label = this.#labels[this.#place];
    const isKnown = await this.#demonstration.show(label);
    setText(this.#name, isKnown ? words(label) : "");
    if (!isKnown) this.#labels = this.#labels.filter((other) => other !== label);
    if (this.#isStill) return this.#drawStill();
    this.#timer = setTimeout(() => this.#next(), isKnown ? interval : 0);
  }
}

// @ts-check
/**
 * The outline at the start of a session, which shows where to stand until all that an exercise needs is in view.
 */

import { byId } from "../shared/dom.js";

/** For how long it says that it is good, milliseconds. */
const goodFor = 1500;
/** For how long something has to be wrong until the outline appears, and right until it goes, milliseconds. */
const patience = 700;

export class Guide {
  #outline = /** @type {SVGElement} */ (/** @type {unknown} */ (byId("guide")));
  /** Whether somebody has exercised: then they know where to stand. */
  #isKnown = false;
  /** @type {{isWrong: boolean, since: number}} */
  #now = { isWrong: false, since: 0 };
  #timer = 0;

  reset() {
    this.#isKnown = false;
    this.#now = { isWrong: false, since: performance.now() };
    this.#show("none");
  }

  /**
   * @param {import("./course.js").View} view
   * @param {import("types/live").Frame} frame
   */
  follow({ state }, { hint, prominent }) {
    if (state === "working") this.#isKnown = true;
    if (this.#isKnown) return this.#show("none");
    const isWrong = prominent === null || hint === "stepBack" || hint === "moveIntoView";
    if (isWrong !== this.#now.isWrong) this.#now = { isWrong, since: performance.now() };
    if (performance.now() - this.#now.since < patience) return;
    const { state: shown } = this.#outline.dataset;
    if (isWrong) this.#show("wanted");
    else if (shown === "wanted") {
      this.#show("good");
      this.#timer = setTimeout(() => this.#show("none"), goodFor);
    }
  }

  /** @param {"none" | "wanted" | "good"} state */
  #show(state) {
    if (this.#outline.dataset.state === state) return;
    clearTimeout(this.#timer);
    this.#outline.dataset.state = state;
  }
}

// @ts-check
/** Says that so few frames are processed that quick movements are missed. */

import { byId, setText } from "../shared/dom.js";
import { t } from "./texts.js";

/** Below this many frames a second, and this share of the camera's, recognition suffers (docs/benchmarks.md). */
const least = { fps: 15, share: 0.7 };
/** For so many seconds it is low, or enough again, until the note changes. */
const patience = 3;

export class RateNote {
  #note = byId("rate-note");
  #seconds = 0;

  reset() {
    this.#note.hidden = true;
    this.#seconds = 0;
  }

  /**
   * Once a second.
   *
   * @param {number} processed frames a second
   * @param {number} camera frames a second that the camera gives
   */
  update(processed, camera) {
    const isLow = processed > 0 && processed < least.fps && processed < least.share * camera;
    this.#seconds = isLow === this.#note.hidden ? this.#seconds + 1 : 0;
    if (this.#seconds < patience) return;
    [this.#note.hidden, this.#seconds] = [!isLow, 0];
    setText(this.#note, t("rate.low", { n: Math.round(processed), all: Math.round(camera) }));
  }
}

// @ts-check
/** The speed of a player: a field for any, and steps through the usual ones. */

import { make } from "../shared/dom.js";
import { t } from "./texts.js";

const usual = [0.25, 0.5, 1, 1.5, 2, 4];
/** What is offered, as a factor: browsers play from 0.0625 to 16, and decode hardly faster than 8. */
const [slowest, fastest] = [0.1, 8];

export class Speed {
  element = make("input", { type: "number", id: "speed", min: String(slowest), max: String(fastest),
    step: "0.05", "aria-label": t("tools.speed") });

  /** @param {import("./player.js").Player} player */
  constructor(player) {
    this.player = player;
    this.element.addEventListener("change", () => {
      if (this.element.reportValidity()) this.set(Number(this.element.value));
    });
    this.set(1);
  }

  /** @param {number} rate */
  set(rate) {
    this.player.rate = Math.max(slowest, Math.min(fastest, rate));
    this.element.value = String(this.player.rate);
  }

  /**
   * The next of the usual speeds, if there is one.
   *
   * @param {1 | -1} by faster or slower
   */
  step(by) {
    const { rate } = this.player;
    const next = by > 0 ? usual.find((speed) => speed > rate)
      : [...usual].reverse().find((speed) => speed < rate);
    if (next !== undefined) this.set(next);
  }
}

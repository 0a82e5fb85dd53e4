// @ts-check
/**
 * Marks picture, label and count as old while no new ones come: until a chosen source opens, while
 * it is stale, without a connection, and where results fail to appear.
 */

import { byId, setText } from "../shared/dom.js";
import { timeOfDay } from "../shared/format.js";
import { t } from "./texts.js";

/** After this long without a result the last one is old, ms; or after so many intervals. */
const patience = 2000;
const patientIntervals = 3;
const checkedEvery = 250;

export class Freshness {
  #note = byId("as-of");
  /** When the last result was displayed; null before the first of the session. */
  /** @type {{date: Date, at: number} | null} */
  #last = null;
  /** Between the last two results, ms. */
  #interval = 0;
  /** Whether the last result is of the present source and connection. */
  #isCurrent = false;

  /** @param {import("./session.js").LiveSession} session */
  constructor(session) {
    this.session = session;
    const { connection } = session;
    session.on("frame", () => this.#receive());
    session.on("active", () => this.#expire());
    session.on("paused", () => this.#update());
    connection.on("source", ({ state }) => {
      if (state !== "live" && !session.isOwnCamera) this.#expire();
    });
    connection.on("state", ({ state }) => {
      if (state !== "open") this.#expire();
    });
    setInterval(() => this.#update(), checkedEvery);
  }

  #receive() {
    const at = performance.now();
    this.#interval = this.#last && this.#isCurrent ? at - this.#last.at : 0;
    this.#last = { date: new Date(), at };
    this.#isCurrent = true;
    this.#update();
  }

  #expire() {
    this.#isCurrent = false;
    if (!this.session.isActive) this.#last = null;
    this.#update();
  }

  #update() {
    const { isActive, isPaused, isOwnCamera, camera } = this.session;
    const last = this.#last;
    const limit = Math.max(patience, patientIntervals * this.#interval);
    const isOld = isActive && !isPaused && !document.hidden && last !== null
      && (!this.#isCurrent || performance.now() - last.at > limit);
    const { dataset } = document.body;
    dataset.results = isOld ? "stale" : "fresh";
    // The own camera's picture is live without results.
    dataset.picture = isOld && !(isOwnCamera && camera.isOpen) ? "stale" : "fresh";
    this.#note.hidden = !isOld;
    if (isOld) setText(this.#note, t("panel.asOf", { time: timeOfDay(last.date) }));
  }
}

// @ts-check
/** What a model predicts: at a moment, and along a timeline. */

import { make, setText } from "../shared/dom.js";
import { percent, words } from "../shared/format.js";
import { colors } from "./labels.js";
import { t } from "./texts.js";

/**
 * A window of a file, or of a camera.
 *
 * @typedef {import("types/studio").TimedWindow
 *   | Omit<import("types/studio").TimedWindow, "status">
 *     & {status: import("types/live").Action["status"]}} TimedWindow
 */

/** @param {TimedWindow["status"] | undefined} status of a window without a label */
export function unnamed(status) {
  return t(status === "lowConfidence" ? "preview.low" : status === "startingUp"
    ? "preview.starting" : "preview.nobody");
}

/**
 * The labels of a window with their probabilities, the most probable first.
 *
 * @param {TimedWindow | undefined} window
 */
export function ranked(window) {
  return Object.entries(window?.probabilities ?? {}).sort((a, b) => b[1] - a[1]);
}

/** The prediction of a moment: the best label, the repetitions so far, and a bar for each label. */
export class PredictionPanel {
  #now = make("p", { className: "prediction", id: "prediction" });
  #list = make("ol", { className: "predictions", id: "predictions" });
  #key = "";
  element = make("div", { className: "stack" }, this.#now, this.#list);

  /**
   * @param {TimedWindow | undefined} window
   * @param {number} count of repetitions
   */
  show(window, count) {
    const name = window?.status === "action" ? words(window.label ?? "") : unnamed(window?.status);
    setText(this.#now, `${name} · ${t("preview.count", { n: count })}`);
    const shares = ranked(window);
    const key = shares.join();
    if (key === this.#key) return;
    this.#key = key;
    this.#list.replaceChildren(...shares.map(([label, share]) => {
      const bar = make("i", { className: colors.className(label, true) });
      bar.style.width = `${share * 100}%`;
      return make("li", {}, make("span", {}, words(label)), make("b", {}, percent(share)),
        make("span", { className: "bars" }, bar));
    }));
  }
}

/**
 * The best predictions, the second ones, and the repetitions.
 *
 * @param {{windows: TimedWindow[], repetitions: import("types/studio").Stretch[]}} timed
 * @returns {import("./timeline.js").Lane[]}
 */
export function lanes({ windows, repetitions }) {
  const lane = (/** @type {number} */ rank) => windows.flatMap((window, index) => {
    const [label, share] = ranked(window)[rank] ?? [];
    const before = windows[index - 1] && ranked(windows[index - 1])[rank]?.[0];
    if (label === undefined || share === undefined || window.status === "noPerson") return [];
    const isFaint = window.status === "lowConfidence" || rank > 0;
    // The lower lane has its probability in each window, the upper one its label where it changes.
    const text = rank > 0 ? `${words(label)} ${percent(share)}` : label === before ? ""
      : words(label);
    return [{ start: window.start, end: window.end, text,
      className: `${colors.className(label, true)}${isFaint ? " faint" : ""}`,
      title: `${words(label)} ${percent(share)}` }];
  });
  return [{ name: t("preview.best"), blocks: lane(0) },
    { name: t("preview.second"), blocks: lane(1) },
    { name: t("preview.repetitions"), isSlim: true,
      blocks: repetitions.map(({ start, end }) => ({ start, end, className: "tick-block" })) }];
}

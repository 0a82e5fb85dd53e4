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

/** Windows at most this far from each other stand in one block, in seconds: a rounding. */
const adjacency = 0.05;

/**
 * Windows one after the other whose label of a rank is the same, so that a label is written once.
 *
 * @param {TimedWindow[]} windows
 * @param {number} rank 0 for the best label
 */
function runs(windows, rank) {
  /** @type {{start: number, end: number, label: string, isFaint: boolean, shares: number[]}[]} */
  const found = [];
  for (const window of windows) {
    const [label, share] = ranked(window)[rank] ?? [];
    if (label === undefined || share === undefined || window.status === "noPerson") continue;
    const isFaint = window.status === "lowConfidence" || rank > 0;
    const last = found.at(-1);
    if (last && last.label === label && last.isFaint === isFaint
      && window.start <= last.end + adjacency) {
      last.end = window.end;
      last.shares.push(share);
    } else {
      found.push({ start: last ? Math.max(window.start, Math.min(last.end, window.end)) : window.start,
        end: window.end, label, isFaint, shares: [share] });
    }
  }
  return found;
}

/**
 * The best predictions, the second ones, and the repetitions.
 *
 * @param {{windows: TimedWindow[], repetitions: import("types/studio").Stretch[]}} timed
 * @returns {import("./timeline.js").Lane[]}
 */
export function lanes({ windows, repetitions }) {
  const lane = (/** @type {number} */ rank) => runs(windows, rank).map(
    ({ start, end, label, isFaint, shares }) => {
      const text = words(label);
      const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
      return { start, end, text, title: `${text} ${percent(mean)}`,
        className: `${colors.className(label, true)}${isFaint ? " faint" : ""}` };
    });
  return [{ name: t("preview.best"), blocks: lane(0) },
    { name: t("preview.second"), blocks: lane(1) },
    { name: t("preview.repetitions"), isSlim: true,
      blocks: repetitions.map(({ start, end }) => ({ start, end, className: "tick-block" })) }];
}

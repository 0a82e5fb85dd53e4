// @ts-check
/** A session's results: the list of actions and the timeline, for the summary and the history. */

import { make } from "../shared/dom.js";
import { clock, LabelColors } from "../shared/format.js";
import { resultText, spokenTime, t } from "./texts.js";

/** One instance, so that labels have the same colours in every view. */
export const colors = new LabelColors();

/**
 * The actions with time and repetitions, longest first, and the time in between, in which nothing in particular was
 * done.
 *
 * @param {import("types/live").Entry[]} entries
 */
export function entryTable(entries) {
  const isAction = (/** @type {import("types/live").Entry} */ { label, isModelLabel, repetitions }) =>
    repetitions > 0 || isModelLabel && !colors.isNone(label);
  const sorted = entries.filter(isAction).sort((a, b) => b.seconds - a.seconds);
  const between = entries.filter((entry) => !isAction(entry)).reduce((sum, { seconds }) => sum + seconds, 0);
  if (between >= 1) {
    sorted.push({ label: "", text: t("result.between"), isModelLabel: false, seconds: between, repetitions: 0 });
  }
  const longest = Math.max(1e-9, ...sorted.map((entry) => entry.seconds));
  const rows = sorted.map((entry) => {
    const { label, isModelLabel, seconds, repetitions } = entry;
    const hue = colors.className(label, isModelLabel);
    const bar = make("span", { className: `bar ${hue}`, "aria-hidden": "true" });
    bar.style.width = `${Math.max(1.5, (seconds / longest) * 100)}%`;
    const name = make("th", { scope: "row" }, make("span", { className: "name" }, resultText(entry)), bar);
    const time = make("td", { "aria-label": spokenTime(seconds) }, clock(seconds));
    const count = make("td", {}, repetitions > 0 ? String(Math.floor(repetitions)) : t("none"));
    return make("tr", { className: isModelLabel ? "" : "quiet" }, name, time, count);
  });
  const head = make("tr", {},
    make("th", { scope: "col" }, t("action")), make("th", { scope: "col" }, t("result.time")),
    make("th", { scope: "col" }, t("result.repetitions")));
  return make("table", { className: "entries" },
    make("thead", {}, head), make("tbody", {}, ...rows));
}

/**
 * Actions over time, as a strip with a tooltip for each stretch, and as a list for screen readers.
 *
 * @param {import("types/live").Stretch[]} stretches
 * @param {number} duration
 */
export function timeline(stretches, duration) {
  const end = Math.max(duration, ...stretches.map((stretch) => stretch.end), 1);
  const strip = make("div", { className: "strip", "aria-hidden": "true" });
  const list = make("ol", { className: "visually-hidden" });
  for (const stretch of stretches) {
    const { start, end: until, label, isModelLabel, repetitions } = stretch;
    const values = { start: clock(start), end: clock(until), text: resultText(stretch) };
    const words = repetitions > 0 ? t("result.counted",
      { ...values, count: t("repetitions", { n: Math.floor(repetitions) }) })
      : t("result.stretch", values);
    const piece = make("span", { className: colors.className(label, isModelLabel), title: words });
    piece.style.left = `${(start / end) * 100}%`;
    piece.style.width = `${Math.max(0.15, ((until - start) / end) * 100)}%`;
    strip.append(piece);
    if (isModelLabel) list.append(make("li", {}, words));
  }
  const marks = make("div", { className: "marks", "aria-hidden": "true" },
    make("span", {}, "0:00"), make("span", {}, clock(end / 2)), make("span", {}, clock(end)));
  return make("div", { className: "timeline" }, strip, marks, list);
}

/**
 * The figures above a session: its duration, the time in sets, held exercises among them, and all repetitions.
 *
 * @param {{duration: number, entries: import("types/live").Entry[], sets: import("types/live").TrainedSet[]}} session
 */
export function figures({ duration, entries, sets }) {
  const total = entries.reduce((sum, entry) => sum + Math.floor(entry.repetitions), 0);
  const active = sets.length > 0 ? sets.reduce((sum, set) => sum + set.seconds, 0)
    : entries.filter((entry) => entry.repetitions > 0).reduce((sum, entry) => sum + entry.seconds, 0);
  const figure = (/** @type {string} */ value, /** @type {string} */ name) =>
    make("div", {}, make("dd", {}, value), make("dt", {}, name));
  return make("dl", { className: "figures" },
    figure(clock(duration), t("result.total")), figure(clock(active), t("result.active")),
    figure(String(total), t("result.all")));
}

/**
 * Links that save a session as a file.
 *
 * @param {number} id
 */
export function exportLinks(id) {
  const link = (/** @type {string} */ format) => make("a", {
    className: "secondary small", href: `/api/v1/history/${id}/export?format=${format}`,
    download: "",
  }, t("result.save", { format: format.toUpperCase() }));
  return make("div", { className: "row" }, link("csv"), link("json"));
}

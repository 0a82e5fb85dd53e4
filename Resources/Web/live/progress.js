// @ts-check
/**
 * Repetitions, range and tempo over days and weeks, and personal records, from the sessions of the
 * history.
 */

import { make } from "../shared/dom.js";
import { clock, degrees, number, shortDay } from "../shared/format.js";
import { colors } from "./results.js";
import { named, pieces, t, resultText } from "./texts.js";
import { bars, line } from "./trends.js";

/** How many days and weeks are shown, the present one last. */
const shown = { day: 14, week: 12 };
const dayLength = 86_400_000;
const units = /** @type {const} */ (["day", "week"]);
const measures = /** @type {const} */ (["repetitions", "range", "tempo"]);
/** The measured repetitions that a set needs for a record of range. */
const recordLength = 3;

/**
 * @typedef {import("types/live").SessionRecord} SessionRecord
 * @typedef {import("types/live").TrainedSet} TrainedSet
 * @typedef {keyof typeof shown} Unit
 * @typedef {typeof measures[number]} Measure
 * @typedef {{start: Date, repetitions: number, seconds: number, range: number | null,
 *   tempo: number | null}} Period range in degrees, tempo in seconds down and up; null without
 * @typedef {{label: string, text: string, total: number, best: number, bestAt: string,
 *   range: number | null, rangeAt: string, joint: string}} Best
 */

/**
 * The first moment of the local day, or of the week from Monday, of a date.
 *
 * @param {Date} date
 * @param {Unit} unit
 */
function startOf(date, unit) {
  const start = new Date(date.getFullYear(), date.getMonth(), date.getDate());
  if (unit === "week") start.setDate(start.getDate() - ((start.getDay() + 6) % 7));
  return start;
}

/**
 * An action by its name: models may write the same label in different ways.
 *
 * @param {{text: string}} named
 */
function actionOf({ text }) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * The mean of a value of sets, by the number of their measured repetitions; null without any.
 *
 * @param {TrainedSet[]} sets
 * @param {(form: import("types/live").SetForm) => number | null | undefined} value
 */
function mean(sets, value) {
  let [sum, count] = [0, 0];
  for (const { form } of sets) {
    const found = form && value(form);
    if (!form || found === null || found === undefined) continue;
    sum += found * form.count;
    count += form.count;
  }
  return count > 0 ? sum / count : null;
}

/**
 * What was done of an action in each of the latest days or weeks, the present one last.
 *
 * @param {SessionRecord[]} sessions
 * @param {string} action as actionOf gives it
 * @param {Unit} unit
 * @param {Date} now
 * @returns {Period[]}
 */
export function periods(sessions, action, unit, now = new Date()) {
  const last = startOf(now, unit);
  const step = unit === "week" ? 7 : 1;
  /** @type {(Period & {sets: TrainedSet[]})[]} */
  const found = Array.from({ length: shown[unit] }, (_, index) => {
    const start = new Date(last);
    start.setDate(start.getDate() - step * (shown[unit] - 1 - index));
    return { start, repetitions: 0, seconds: 0, range: null, tempo: null, sets: [] };
  });
  for (const { startedAt, entries, sets } of sessions) {
    const start = startOf(new Date(startedAt), unit);
    // Rounded: a day of the change to summer time has 23 hours.
    const age = Math.round((last.getTime() - start.getTime()) / dayLength / step);
    const period = found[shown[unit] - 1 - age];
    if (!period) continue;
    for (const entry of entries) {
      if (actionOf(entry) !== action) continue;
      period.repetitions += Math.floor(entry.repetitions);
      period.seconds += entry.seconds;
    }
    period.sets.push(...sets.filter((set) => actionOf(set) === action));
  }
  return found.map(({ sets, ...period }) => ({
    ...period, range: mean(sets, ({ range }) => range),
    tempo: mean(sets, ({ down, up }) => (down == null || up == null ? null : down + up)),
  }));
}

/**
 * The actions of all sessions with repetitions, most first: the best session of each, and the set with
 * the largest range.
 *
 * @param {SessionRecord[]} sessions
 * @returns {Best[]}
 */
export function records(sessions) {
  /** @type {Map<string, Best>} */
  const found = new Map();
  for (const { startedAt, entries, sets } of sessions) {
    for (const { label, text, isModelLabel, repetitions } of entries) {
      const count = Math.floor(repetitions);
      if (!isModelLabel || count < 1) continue;
      const record = found.get(actionOf({ text })) ?? {
        label, text, total: 0, best: 0, bestAt: startedAt, range: null, rangeAt: startedAt,
        joint: "",
      };
      record.total += count;
      if (count > record.best) Object.assign(record, { best: count, bestAt: startedAt });
      found.set(actionOf({ text }), record);
    }
    for (const set of sets) {
      const { form } = set;
      const record = found.get(actionOf(set));
      const range = form && form.count >= recordLength ? form.range : null;
      if (!record || range == null || range <= (record.range ?? 0)) continue;
      Object.assign(record, { range, rangeAt: startedAt, joint: form?.joint ?? "" });
    }
  }
  return [...found.values()].sort((a, b) => b.total - a.total);
}

/** @param {Best} best */
function recordText({ best, bestAt, total, range, rangeAt, joint }) {
  const sentences = [make("span", {}, ...pieces("progress.record", { day: shortDay(bestAt),
    best: make("b", {}, t("repetitions", { n: best })), total: t("repetitions", { n: total }) }))];
  if (range !== null) {
    sentences.push(make("span", {}, ...pieces("progress.largest", { day: shortDay(rangeAt),
      range: make("b", {}, degrees(range)), joint: named("angle", joint) })));
  }
  return make("p", { id: "progress-record" }, ...sentences);
}

/**
 * The progress of an action that its user chooses; null without sessions with repetitions.
 *
 * @param {SessionRecord[]} sessions
 */
export function progress(sessions) {
  const actions = records(sessions);
  if (actions.length === 0) return null;
  const action = make("select", { id: "progress-action", "aria-label": t("action") },
    ...actions.map(({ label, text }) => make("option", { value: label }, resultText({ label, text }))));
  const measure = make("select", { id: "progress-measure", "aria-label": t("progress.measure") },
    ...measures.map((value) => make("option", { value }, t(`measure.${value}`))));
  const unit = make("select", { id: "progress-unit", "aria-label": t("progress.period") },
    ...units.map((value) => make("option", { value }, t(`period.${value}`))));
  const place = make("div", { className: "progress" });
  const update = () => {
    const chosen = actions.find(({ label }) => label === action.value) ?? actions[0];
    const name = unit.value === "week" ? "week" : "day";
    const found = periods(sessions, actionOf(chosen), name);
    place.replaceChildren(
      chart(found, colors.className(chosen.label, true), name,
        /** @type {Measure} */ (measure.value)), recordText(chosen));
  };
  for (const control of [action, measure, unit]) control.addEventListener("change", update);
  update();
  return make("section", { id: "progress", "aria-label": t("progress.title") },
    make("div", { className: "row" }, make("h3", {}, t("progress.title")), action, measure, unit), place);
}

/**
 * The chart of a measure.
 *
 * @param {Period[]} found
 * @param {string} hue
 * @param {Unit} unit
 * @param {Measure} measure
 */
function chart(found, hue, unit, measure) {
  const values = found.map((period) => period[measure]);
  if (measure !== "repetitions" && values.every((value) => value === null)) {
    return make("p", { className: "empty" }, t("progress.nothing"));
  }
  const show = (/** @type {number} */ value) => (measure === "range" ? degrees(value)
    : measure === "tempo" ? t("progress.seconds", { n: number(value, 1) }) : String(value));
  const points = found.map(({ start, seconds }, index) => {
    const value = values[index];
    const day = unit === "week" ? t("progress.week", { day: shortDay(start) }) : shortDay(start);
    return {
      value, text: value === null ? "" : show(value), foot: String(start.getDate()),
      title: value === null ? "" : measure === "repetitions"
        ? t("progress.pointTime", { day, value: t("repetitions", { n: value }), time: clock(seconds) })
        : t("progress.point", { day, value: show(value) }),
    };
  });
  const text = found.flatMap(({ start }, index) =>
    (values[index] ? [`${shortDay(start)}: ${points[index].text}`] : [])).join("; ");
  const name = t(`progress.chart.${unit}`,
    { measure: t(`measure.${measure}`), values: text || t("progress.none") });
  return measure === "repetitions" ? bars(points, hue, name) : line(points, hue, name);
}

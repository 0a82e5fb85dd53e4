// @ts-check
/** Repetitions over days and weeks, and personal records, from the sessions of the history. */

import { draw, make } from "./dom.js";
import { clock, counted } from "./format.js";
import { colors } from "./results.js";

/** How many days and weeks are shown, the present one last. */
const shown = { day: 14, week: 12 };
const size = { width: 420, height: 130, foot: 20, gap: 5 };
const dayLength = 86_400_000;

/**
 * @typedef {import("./protocol.js").SessionRecord} SessionRecord
 * @typedef {keyof typeof shown} Unit
 * @typedef {{start: Date, repetitions: number, seconds: number}} Period
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
 * What was done of an action in each of the latest days or weeks, the present one last.
 *
 * @param {SessionRecord[]} sessions
 * @param {string} label
 * @param {Unit} unit
 * @param {Date} now
 * @returns {Period[]}
 */
export function periods(sessions, label, unit, now = new Date()) {
  const last = startOf(now, unit);
  const step = unit === "week" ? 7 : 1;
  const found = Array.from({ length: shown[unit] }, (_, index) => {
    const start = new Date(last);
    start.setDate(start.getDate() - step * (shown[unit] - 1 - index));
    return { start, repetitions: 0, seconds: 0 };
  });
  for (const { startedAt, entries } of sessions) {
    const start = startOf(new Date(startedAt), unit);
    // Rounded: a day of the change to summer time has 23 hours.
    const age = Math.round((last.getTime() - start.getTime()) / dayLength / step);
    const period = found[shown[unit] - 1 - age];
    if (!period) continue;
    for (const entry of entries) {
      if (entry.label !== label) continue;
      period.repetitions += Math.floor(entry.repetitions);
      period.seconds += entry.seconds;
    }
  }
  return found;
}

/**
 * The actions of all sessions with repetitions, most first, and the best session of each.
 *
 * @param {SessionRecord[]} sessions
 */
export function records(sessions) {
  /** @type {Map<string, {label: string, text: string, total: number, best: number,
   *   bestAt: string}>} */
  const found = new Map();
  for (const { startedAt, entries } of sessions) {
    for (const { label, text, isModelLabel, repetitions } of entries) {
      const count = Math.floor(repetitions);
      if (!isModelLabel || count < 1) continue;
      const record = found.get(label) ?? { label, text, total: 0, best: 0, bestAt: startedAt };
      record.total += count;
      if (count > record.best) Object.assign(record, { best: count, bestAt: startedAt });
      found.set(label, record);
    }
  }
  return [...found.values()].sort((a, b) => b.total - a.total);
}

/** @param {Date | string} date */
function shortDay(date) {
  return new Date(date).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}

/**
 * The progress of an action that its user chooses; null without sessions with repetitions.
 *
 * @param {SessionRecord[]} sessions
 */
export function progress(sessions) {
  const actions = records(sessions);
  if (actions.length === 0) return null;
  const action = make("select", { id: "progress-action", "aria-label": "Action" },
    ...actions.map(({ label, text }) => make("option", { value: label }, text)));
  const unit = make("select", { id: "progress-unit", "aria-label": "Period" },
    make("option", { value: "day" }, "per day"), make("option", { value: "week" }, "per week"));
  const place = make("div", { className: "progress" });
  const update = () => {
    const chosen = actions.find(({ label }) => label === action.value) ?? actions[0];
    const name = unit.value === "week" ? "week" : "day";
    const found = periods(sessions, chosen.label, name);
    place.replaceChildren(chart(found, colors.className(chosen.label, true), name),
      make("p", { id: "progress-record" }, "Record: ",
        make("b", {}, counted(chosen.best, "repetition")), ` in one session, ${
          shortDay(chosen.bestAt)}. In all ${counted(chosen.total, "repetition")}.`));
  };
  action.addEventListener("change", update);
  unit.addEventListener("change", update);
  update();
  return make("section", { id: "progress", "aria-label": "Progress" },
    make("div", { className: "row" }, make("h3", {}, "Progress"), action, unit), place);
}

/**
 * A bar for each period.
 *
 * @param {Period[]} found
 * @param {string} hue
 * @param {Unit} unit
 */
function chart(found, hue, unit) {
  const most = Math.max(1, ...found.map(({ repetitions }) => repetitions));
  const width = size.width / found.length;
  const level = size.height - size.foot;
  const pieces = found.flatMap(({ start, repetitions, seconds }, index) => {
    const height = (repetitions / most) * (level - size.foot);
    const x = index * width + size.gap / 2;
    const title = draw("title", {}, `${unit === "week" ? "Week of " : ""}${shortDay(start)}: ${
      counted(repetitions, "repetition")}, ${clock(seconds)}`);
    const bar = draw("rect", {
      x, y: level - height, width: width - size.gap, height: Math.max(height, 2), rx: 4,
      class: repetitions > 0 ? hue : "hue-none",
    }, title);
    const middle = index * width + width / 2;
    const value = draw("text", { x: middle, y: level - height - 6 }, String(repetitions));
    const day = draw("text", { x: middle, y: size.height - 5, class: "quiet" },
      String(start.getDate()));
    return repetitions > 0 ? [bar, value, day] : [bar, day];
  });
  const text = found.filter(({ repetitions }) => repetitions > 0).map(({ start, repetitions }) =>
    `${shortDay(start)}: ${repetitions}`).join("; ");
  return draw("svg", {
    viewBox: `0 0 ${size.width} ${size.height}`, class: "bars", role: "img",
    "aria-label": `Repetitions per ${unit}: ${text || "none"}`,
  }, ...pieces);
}

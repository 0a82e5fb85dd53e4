// @ts-check
/** The sets of a session with their results and form, for the summary and the history. */

import { make } from "../shared/dom.js";
import { resultOf } from "./course.js";
import { formValues } from "./form.js";
import { clock } from "../shared/format.js";
import { cueText } from "../shared/language.js";
import { colors } from "./results.js";
import { resultText, t } from "./texts.js";

/** @typedef {import("types/live").TrainedSet} TrainedSet */

/** @param {TrainedSet} set */
function result({ repetitions, seconds, target }) {
  if (target?.seconds) return t("set.reached",
    { done: clock(seconds), wanted: clock(target.seconds) });
  if (target?.repetitions) return t("set.reached",
    { done: repetitions, wanted: target.repetitions });
  return resultOf({ repetitions, seconds });
}

/** @param {TrainedSet} set */
function row(set) {
  const { label, text, target, weight, form, start } = set;
  const details = [t("set.at", { time: clock(start) }), target && target.sets > 1
    && t("set.place", { set: target.set, sets: target.sets }), weight && t("set.weight", { weight })];
  const values = form ? formValues(form, () => t("set.unmeasured")) : [];
  const rows = values.map(({ name, value, detail }) => make("div", {},
    make("dt", {}, name), make("dd", {}, value, " ", make("small", {}, detail))));
  const cues = (form?.cues ?? []).map(({ count, text }) =>
    make("li", { className: "chip" }, t("set.cue", { n: count, cue: cueText(text) })));
  return make("li", {},
    make("p", { className: "set-head" },
      make("i", { className: colors.className(label, true), "aria-hidden": "true" }),
      make("b", {}, text === null || label === null ? text : resultText({ label, text })), make("span", {}, result(set)),
      make("small", { className: "quiet" }, details.filter(Boolean).join(" · "))),
    rows.length > 0 && make("dl", { className: "set-form" }, ...rows),
    cues.length > 0 && make("ul", { className: "chips" }, ...cues));
}

/**
 * The list of sets, or nothing without any.
 *
 * @param {TrainedSet[]} sets
 */
export function setList(sets) {
  if (sets.length === 0) return [];
  return [make("section", { className: "sets", "aria-label": t("set.title") },
    make("h3", {}, t("set.title")), make("ol", {}, ...sets.map(row)))];
}

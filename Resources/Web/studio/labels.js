// @ts-check
/** Labels: one colour each on all pages, and a list of those that are known. */

import { make } from "../shared/dom.js";
import { LabelColors, words } from "../shared/format.js";
import { t } from "./texts.js";

/** The colours of hues.css and base.css together. */
const hueCount = 48;

export const colors = new LabelColors(hueCount);

/**
 * The labels of a project in their order; gives each its colour.
 *
 * @param {import("types/studio").ProjectDetail} detail
 */
export function labelsOf({ wells }) {
  const all = Object.values(wells).flatMap(({ classes }) => classes);
  colors.learn(Object.fromEntries(all.map(({ label, kind }) => [label, kind])));
  const labels = [...new Set(all.map(({ label }) => label))].filter((label) => label !== "").sort();
  for (const label of labels) colors.className(label, true);
  return labels;
}

/**
 * A coloured dot and the label in words.
 *
 * @param {string} label
 */
export function labelChip(label) {
  return make("span", { className: "chip" },
    make("i", { className: colors.className(label, true), "aria-hidden": "true" }),
    words(label) || t("unlabelled"));
}

/**
 * The list from which a text field suggests labels.
 *
 * @param {string[]} labels
 * @param {string} [id]
 */
export function labelList(labels, id = "labels") {
  return make("datalist", { id }, ...labels.map((value) => make("option", { value })));
}

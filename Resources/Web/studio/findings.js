// @ts-check
/** What the data check found: one line a kind, errors and what weighs most first, the rest folded. */

import { make } from "../shared/dom.js";
import { reported, t } from "./texts.js";

/** @typedef {import("types/studio").Finding} Finding */

/** The kinds, heaviest first: what stops a training, misleads it, weakens it. */
const kinds = /** @type {const} */ (["missingFile", "unreadableFile", "badAnnotation", "badTimes",
  "mixedJoints", "oneClass", "leak", "nobody", "duplicate", "unmatchedClass", "likeLabels",
  "smallClass", "noNegativeClass", "imbalance", "overlap", "severalPeople", "cutOff", "movingCamera",
  "shortClip", "lowFrameRate", "pastEnd", "ignoredFile"]);

const shownCount = 3;

/**
 * Findings in groups of one severity and kind; those of no kind by their message.
 *
 * @param {Finding[]} findings
 */
export function grouped(findings) {
  /** @type {Map<string, Finding[]>} */
  const groups = new Map();
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.kind ?? finding.message}`;
    groups.set(key, [...groups.get(key) ?? [], finding]);
  }
  const weight = (/** @type {Finding[]} */ [{ severity, kind }]) => (severity === "error" ? 0 : 100)
    + (kindOf(kind) ? kinds.indexOf(/** @type {Kind} */ (kind)) : kinds.length);
  return [...groups.values()].sort((a, b) => weight(a) - weight(b) || b.length - a.length);
}

/** @param {Finding[]} findings */
export function findingList(findings) {
  const lines = grouped(findings).map(line);
  if (lines.length === 0) return [];
  const list = (/** @type {HTMLElement[]} */ some) =>
    make("ul", { className: "rows findings" }, ...some);
  if (lines.length <= shownCount) return [list(lines)];
  return [list(lines.slice(0, shownCount - 1)), make("details", {},
    make("summary", {}, t("findings.more", { n: lines.length - shownCount + 1 })),
    list(lines.slice(shownCount - 1)))];
}

/** @typedef {typeof kinds[number]} Kind */

/**
 * @param {string | null | undefined} kind
 * @returns {Kind | undefined}
 */
function kindOf(kind) {
  return kinds.find((known) => known === kind);
}

/**
 * One group: its message with the files, or their number and the messages folded.
 *
 * @param {Finding[]} group
 */
function line(group) {
  const [{ severity, kind }] = group;
  const number = group.reduce((sum, { count }) => sum + (count ?? 1), 0);
  const known = kindOf(kind);
  const messages = [...new Set(group.map(({ text, message }) => reported("error", text, message)))];
  const names = group.flatMap(({ file }) => (file ? [file.split("/").at(-1) ?? file] : []));
  const name = make("b", {}, t(`severity.${severity}`));
  const className = severity === "error" ? "problem" : "warning";
  if (messages.length > 1 && known) {
    return make("li", { className }, make("details", {},
      make("summary", {}, make("span", {}, name, ` ${t(`finding.${known}`, { n: number })}`)),
      make("ul", { className: "messages" }, ...messages.map((text) => make("li", {}, text)))));
  }
  return make("li", { className }, name, ` ${messages[0]}`,
    names.length > 0 && make("small", { className: "quiet" },
      ` ${names.slice(0, 3).join(", ")}${names.length > 3 ? ` +${names.length - 3}` : ""}`));
}

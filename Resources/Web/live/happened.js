// @ts-check
/** Events of named sources, and what people do there, in words. */

import { words } from "../shared/format.js";
import { t } from "./texts.js";

/** @typedef {import("types/watch").Event} WatchEvent */
/** @typedef {import("types/watch").Person} Person */

/** The events that are shown; each has a text. */
export const kinds = ["personEnters", "personLeaves", "nobody", "actionBegins", "actionLasts",
  "actionEnds", "countReached", "setFinished", "setRevised", "postureBegins", "postureLasts",
  "postureEnds", "fall", "lying", "entersZone", "leavesZone", "staysInZone", "crossesLine",
  "sourceStale", "sourceBack", "sourcePaused", "sourceResumed"];
/** Events that are read aloud, and marked. */
export const alarms = ["fall", "lying", "sourceStale"];

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 120) return t("watch.seconds", { n: Math.round(seconds) });
  if (seconds < 7200) return t("watch.minutes", { n: Math.round(seconds / 60) });
  return t("watch.hours", { n: Math.round(seconds / 360) / 10 });
}

/** @param {string} posture */
export const postureWords = (posture) =>
  t(/** @type {import("./texts.js").Key} */ (`watched.${posture}`));

/** @param {WatchEvent} event */
export function sentence(event) {
  const { action = "", from = "", seconds = 0, count = 0, zone = "", line = "", posture } = event;
  const kind = event.event;
  if (!kinds.includes(kind)) return words(kind);
  const name = kind === "crossesLine" ? `event.crossesLine.${event.direction ?? "in"}`
    : kind === "nobody" && zone ? "event.nobodyIn" : `event.${kind}`;
  const text = t(/** @type {import("./texts.js").Key} */ (name), {
    action: words(action), from: words(from), time: duration(seconds), count, zone, line,
    posture: posture ? postureWords(posture) : "",
  });
  const zones = zone ? [] : event.zones ?? [];
  return zones.length > 0 ? t("watch.in", { what: text, zones: zones.join(", ") }) : text;
}

/**
 * Why an event is a fall; empty for others.
 *
 * @param {WatchEvent} event
 */
export function reason({ why }) {
  return why ? t("watch.why", {
    speed: why.speed.toFixed(1), angle: Math.round(why.angle), down: duration(why.down),
  }) : "";
}

/** @param {Person} person */
function doing({ action, count, posture, zones }) {
  const what = action ? words(action) : posture ? postureWords(posture) : "";
  const counted = action && count > 0 ? t("watch.counted", { what, n: count }) : what;
  return counted && zones.length > 0 ? t("watch.in", { what: counted, zones: zones.join(", ") })
    : counted;
}

/**
 * How many people there are, and what they do: “3 people: 2 standing, 1 lying”.
 *
 * @param {Person[]} persons
 */
export function people(persons) {
  if (persons.length === 0) return t("sources.nobody");
  const number = t("sources.people", { n: persons.length });
  /** @type {Map<string, number>} */
  const groups = new Map();
  for (const person of persons) {
    const what = doing(person);
    if (what) groups.set(what, (groups.get(what) ?? 0) + 1);
  }
  const parts = [...groups].map(([what, n]) => persons.length > 1 ? `${n} ${what}` : what);
  return parts.length > 0 ? t("watch.doing", { number, what: parts.join(", ") }) : number;
}

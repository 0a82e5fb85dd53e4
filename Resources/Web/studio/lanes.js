// @ts-check
/** The lanes of the montage's timeline: segments, suggestions, gaps and overlaps. */

import { percent, words } from "../format.js";
import { colors } from "./labels.js";
import { t } from "./texts.js";

/**
 * @param {import("./segments.js").SegmentList} segments
 * @param {import("./types.js").Suggestion[]} suggestions
 * @param {{chosen: object | null, open: import("./types.js").Stretch | null, duration: number}} now
 *   `open` is the segment that has no end yet
 * @returns {import("./timeline.js").Lane[]}
 */
export function montageLanes(segments, suggestions, { chosen, open, duration }) {
  const chosenID = JSON.stringify(chosen);
  const mark = (/** @type {string} */ id) => (id === chosenID ? " chosen" : "");
  const marked = segments.all.map(({ key, label, start, end }) => {
    const id = JSON.stringify({ kind: "segment", key });
    return { start, end, id, text: words(label) || "?",
      className: colors.className(label, label !== "") + mark(id) };
  });
  const guesses = suggestions.map(({ label, start, end, count, confidence }, index) => {
    const id = JSON.stringify({ kind: "suggestion", index });
    const text = `${words(label ?? "") || "?"}${count ? ` ×${count}` : ""}`;
    return { start, end, id, text, title: `${text} ${percent(confidence)}`,
      className: `guess ${colors.className(label ?? "", label !== null)}${mark(id)}` };
  });
  const problems = [
    ...segments.gaps(duration).map((gap) =>
      ({ ...gap, className: "gap", title: t("montage.gap") })),
    ...segments.overlaps.map((overlap) =>
      ({ ...overlap, className: "clash", title: t("montage.overlap") })),
  ];
  return [
    { name: t("montage.segments"),
      blocks: [...marked, ...(open ? [{ ...open, className: "open" }] : [])] },
    ...(guesses.length > 0 ? [{ name: t("montage.suggest"), blocks: guesses }] : []),
    { name: t("montage.problems"), isSlim: true, blocks: problems },
  ];
}

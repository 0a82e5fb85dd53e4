// @ts-check
/**
 * The segments and suggestions of a montage, as lanes of the timeline and as a list.
 *
 * @typedef {{kind: "segment", key: number} | {kind: "suggestion", index: number}} MarkID
 */

import { button, make } from "../shared/dom.js";
import { percent, words } from "../shared/format.js";
import { colors } from "./labels.js";
import { moment, t } from "./texts.js";

/**
 * @param {import("./segments.js").SegmentList} segments
 * @param {import("types/studio").Suggestion[]} suggestions
 * @param {{chosen: object | null, open: import("types/studio").Stretch | null, duration: number}} now
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

/**
 * The rows of the list, with the gaps between segments.
 *
 * @param {import("./segments.js").SegmentList} segments
 * @param {import("types/studio").Suggestion[]} suggestions
 * @param {{chosen: MarkID | null, duration: number}} now
 * @param {(id: MarkID) => void} choose
 */
export function segmentRows(segments, suggestions, { chosen, duration }, choose) {
  const { overlaps } = segments;
  /** @type {{id: MarkID, label: string | null, start: number, end: number}[]} */
  const rows = [
    ...segments.all.map(({ key, label, start, end }) =>
      ({ label, start, end, id: /** @type {const} */ ({ kind: "segment", key }) })),
    ...suggestions.map(({ label, start, end }, index) =>
      ({ label, start, end, id: /** @type {const} */ ({ kind: "suggestion", index }) })),
  ];
  const made = rows.map(({ id, label, start, end }) => {
    const isGuess = id.kind === "suggestion";
    const clashes = !isGuess && overlaps.some((overlap) =>
      overlap.start < end && overlap.end > start);
    const row = button(isGuess ? "example guess-row" : "example", {}, "", () => choose(id));
    const name = colors.className(label ?? "", label !== null && label !== "");
    row.append(make("b", {}, make("i", { className: `dot ${name}`, "aria-hidden": "true" }),
      words(label ?? "") || t("unlabelled")),
    make("span", { className: "quiet" }, [`${moment(start)} – ${moment(end)}`,
      isGuess ? t("montage.suggestion") : "", clashes ? t("montage.overlap") : ""]
      .filter(Boolean).join(" · ")));
    row.setAttribute("aria-pressed", String(JSON.stringify(id) === JSON.stringify(chosen)));
    return { start, row: make("li", {}, row) };
  });
  const gaps = segments.all.length === 0 ? [] : segments.gaps(duration).map(({ start, end }) =>
    ({ start, row: make("li", { className: "gap-row quiet" },
      t("montage.gapRow", { start: moment(start), end: moment(end) })) }));
  return [...made, ...gaps].sort((a, b) => a.start - b.start).map(({ row }) => row);
}

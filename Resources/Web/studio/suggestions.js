// @ts-check
/** Puts suggestions beside each other: no moment is suggested twice. */

/** @typedef {import("types/studio").Suggestion} Suggestion */

/** What is left of a suggestion under others is kept from this length on, in seconds: a repetition. */
const leastSeconds = 1;

/**
 * Suggestions that do not overlap, in the order of their times. Where two do, one with a label keeps its
 * times before one without, and then the more confident; of the other, its longest free part is left.
 *
 * @param {Suggestion[]} suggestions
 * @returns {Suggestion[]}
 */
export function withoutOverlaps(suggestions) {
  const order = [...suggestions].sort((a, b) =>
    Number(a.label === null) - Number(b.label === null) || b.confidence - a.confidence);
  /** @type {Suggestion[]} */
  const kept = [];
  for (const suggestion of order) {
    const part = freePart(suggestion, kept);
    if (part === null) continue;
    const isWhole = part.start === suggestion.start && part.end === suggestion.end;
    // The repetitions of a part are not known.
    kept.push(isWhole ? suggestion : { ...suggestion, ...part, count: 0 });
  }
  return kept.sort((a, b) => a.start - b.start);
}

/**
 * @param {Suggestion} suggestion
 * @param {Suggestion[]} others that do not overlap each other
 */
function freePart({ start, end }, others) {
  let [from, best] = [start, /** @type {{start: number, end: number} | null} */ (null)];
  const inside = others.filter((other) => other.start < end && other.end > start)
    .sort((a, b) => a.start - b.start);
  if (inside.length === 0) return { start, end };
  for (const other of [...inside, { start: end, end }]) {
    const length = other.start - from;
    if (length >= leastSeconds && (!best || length > best.end - best.start)) {
      best = { start: from, end: other.start };
    }
    from = Math.max(from, other.end);
  }
  return best;
}

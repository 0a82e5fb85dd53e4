// @ts-check
/**
 * How a move that was taught is done: the newest take of it, whose poses the server lifts into space
 * (docs/studio-api.md), as a demonstration like those of built-in exercises.
 */

import { request } from "../shared/api.js";
import { preferences } from "../shared/preferences.js";

/** @typedef {import("types/live").Demonstration} Shown */
/** @typedef {import("types/studio").PosedFrame} PosedFrame */

/** Frames a second: those of a moment are averaged, which calms what each estimates by itself. */
const frameRate = 15;
/** So much of a take is shown, seconds. */
const longestShown = 10;
/** A take in which a body is seen at fewer moments shows no movement. */
const leastMoments = 4;

/**
 * A move of the project that *Teach* keeps; null where it has no take of it, or too little of the body is seen in it.
 *
 * @param {string} label
 * @returns {Promise<Shown | null>}
 */
export async function taughtMove(label) {
  const { teachProject } = preferences;
  if (teachProject === null) return null;
  const project = `studio/projects/${encodeURIComponent(teachProject)}`;
  /** @type {{items: import("types/studio").Item[]}} */
  const { items } = await request(`${project}/items?${new URLSearchParams({ label, limit: "1000" })}`);
  // A take may be several items, one for each time that the move was done.
  const file = items[items.length - 1]?.file;
  if (file === undefined) return null;
  const take = items.filter((item) => item.file === file);
  const start = Math.min(...take.map((item) => item.start ?? 0));
  const end = Math.min(start + longestShown, Math.max(...take.map((item) => item.end ?? Infinity)));
  const query = new URLSearchParams({ file, bodies: "1", start: String(start), end: String(end) });
  /** @type {{frames: PosedFrame[]}} */
  const { frames } = await request(`${project}/poses?${query}`);
  const shown = moments(frames);
  return shown.length === 0 ? null : { label, frameRate, frames: shown };
}

/**
 * The places of the joints above the floor at equal distances of time: the mean of what was seen at a moment, or what is
 * between the moments before and after, as where a slow machine has processed few frames.
 *
 * @param {PosedFrame[]} frames
 * @returns {number[][][]} empty where a joint is never seen, or a body hardly ever
 */
export function moments(frames) {
  const seen = frames.flatMap(({ time, body }) => (body ? [{ time, body }] : []));
  const [first] = seen;
  if (!first) return [];
  /** @type {Map<number, import("types/live").Body[]>} */
  const parts = new Map();
  for (const { time, body } of seen) {
    const part = Math.round((time - first.time) * frameRate);
    parts.set(part, [...parts.get(part) ?? [], body]);
  }
  if (parts.size < leastMoments) return [];
  const tracks = first.body.joints.map((_, joint) => track([...parts].flatMap(([at, bodies]) => {
    const places = bodies.flatMap(({ joints, floor }) => {
      const [x, y, z] = joints[joint] ?? [];
      return x === undefined || y === undefined || z === undefined ? [] : [[x, y - floor, z]];
    });
    return places.length === 0 ? [] : [{ at, place: [0, 1, 2].map((axis) =>
      places.reduce((sum, place) => sum + place[axis], 0) / places.length) }];
  }), Math.max(...parts.keys()) + 1));
  if (tracks.some((places) => places.length === 0)) return [];
  return tracks[0].map((_, moment) => tracks.map((places) => places[moment]));
}

/**
 * The place of one joint at each moment.
 *
 * @param {{at: number, place: number[]}[]} known in the order of the moments
 * @param {number} count
 * @returns {number[][]} empty where no place is known
 */
function track(known, count) {
  if (known.length === 0) return [];
  return Array.from({ length: count }, (_, moment) => {
    const after = known.find(({ at }) => at >= moment) ?? known[known.length - 1];
    const before = known[Math.max(0, known.indexOf(after) - 1)];
    const share = after.at > before.at ? Math.min(1, Math.max(0, (moment - before.at) / (after.at - before.at))) : 1;
    return before.place.map((value, axis) => value + share * (after.place[axis] - value));
  });
}

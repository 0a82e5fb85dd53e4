// @ts-check
/** Charts of a value over periods: bars from zero, or a line between the least and the largest. */

import { draw } from "../shared/dom.js";

const size = { width: 420, height: 130, foot: 20, gap: 5 };
const level = size.height - size.foot;
/** The room above and below a line, and the radius of its points. */
const room = { above: 26, below: 16, point: 5 };
/** The least span of a line, as a share of its largest value, so that little looks little. */
const leastSpan = 0.2;

/** @typedef {{value: number | null, text: string, foot: string, title: string}} Point */

/**
 * @param {string} name
 * @param {SVGElement[]} pieces
 */
function chart(name, pieces) {
  return draw("svg", {
    viewBox: `0 0 ${size.width} ${size.height}`, class: "bars", role: "img", "aria-label": name,
  }, ...pieces);
}

/**
 * The middle of a period's column.
 *
 * @param {number} index
 * @param {number} count
 */
function middle(index, count) {
  return ((index + 0.5) * size.width) / count;
}

/** @param {Point[]} points */
function feet(points) {
  return points.map(({ foot }, index) => draw("text",
    { x: middle(index, points.length), y: size.height - 5, class: "quiet" }, foot));
}

/**
 * A bar for each period.
 *
 * @param {Point[]} points
 * @param {string} hue
 * @param {string} name
 */
export function bars(points, hue, name) {
  const most = Math.max(1, ...points.map(({ value }) => value ?? 0));
  const width = size.width / points.length;
  const pieces = points.flatMap(({ value, text, title }, index) => {
    const height = ((value ?? 0) / most) * (level - size.foot);
    const bar = draw("rect", {
      x: index * width + size.gap / 2, y: level - height, width: width - size.gap,
      height: Math.max(height, 2), rx: 4, class: value ? hue : "hue-none",
    }, draw("title", {}, title));
    return value ? [bar, draw("text", { x: middle(index, points.length), y: level - height - 6 },
      text)] : [bar];
  });
  return chart(name, [...pieces, ...feet(points)]);
}

/**
 * A point for each period with a value, joined by a line.
 *
 * @param {Point[]} points
 * @param {string} hue
 * @param {string} name
 */
export function line(points, hue, name) {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const middleValue = (Math.min(...values) + Math.max(...values)) / 2;
  const span = Math.max(Math.max(...values) - Math.min(...values), leastSpan * Math.max(...values));
  const [top, bottom] = [room.above, level - room.below];
  const height = (/** @type {number} */ value) => (top + bottom) / 2
    - (span > 0 ? ((value - middleValue) / span) * (bottom - top) : 0);
  const places = points.flatMap((point, index) => (point.value === null ? []
    : [{ ...point, x: middle(index, points.length), y: height(point.value) }]));
  const path = draw("polyline", {
    points: places.map(({ x, y }) => `${x},${y}`).join(" "), class: `${hue} trend`,
  });
  const marks = places.flatMap(({ x, y, text, title }) => [
    draw("circle", { cx: x, cy: y, r: room.point, class: hue }, draw("title", {}, title)),
    draw("text", { x, y: y - room.point - 5 }, text)]);
  return chart(name, [path, ...marks, ...feet(points)]);
}

// @ts-check
/** Line charts with a table for screen readers. */

import { draw, make } from "../shared/dom.js";
import { percent } from "../shared/format.js";
import { t } from "./texts.js";

const height = 260;
const margin = { left: 54, right: 26, top: 12, bottom: 30 };

/**
 * @typedef {{name: string, className: string, points: [number, number][]}} Line
 * @typedef {{title: string, xName: string, lines: Line[], xRange?: [number, number],
 *   yRange?: [number, number], isShare?: boolean, mark?: number | null,
 *   extra?: (x: (value: number) => number, y: (value: number) => number) => Node[]}} Chart `mark`
 *   is an x to point out
 */

/** @param {Chart} chart */
export function lineChart({ title, xName, lines, xRange, yRange, isShare = false, mark = null,
  extra }) {
  // Narrow windows get narrow drawings, so that the texts stay readable.
  const width = innerWidth < 740 ? 360 : 640;
  const points = lines.flatMap((line) => line.points);
  const [x0, x1] = xRange ?? [0, Math.max(1, ...points.map(([x]) => x))];
  const [y0, y1] = yRange ?? [0, Math.max(0.1, ...points.map(([, y]) => y)) * 1.05];
  const x = (/** @type {number} */ value) =>
    margin.left + (value - x0) / (x1 - x0) * (width - margin.left - margin.right);
  const y = (/** @type {number} */ value) =>
    height - margin.bottom - (value - y0) / (y1 - y0) * (height - margin.top - margin.bottom);
  const text = (/** @type {number} */ value) =>
    (isShare ? percent(value) : String(Math.round(value * 100) / 100));
  const grid = steps(y0, y1, 5).flatMap((value) => [
    draw("line", { x1: margin.left, x2: width - margin.right, y1: y(value), y2: y(value),
      class: "grid" }),
    draw("text", { x: margin.left - 7, y: y(value) + 4, class: "tick end" }, text(value)),
  ]);
  const ticks = steps(x0, x1, 6).map((value) =>
    draw("text", { x: x(value), y: height - 10, class: "tick middle" }, x1 <= 1 ? text(value)
      : String(value)));
  const paths = lines.map((line) => draw("polyline", { class: `line ${line.className}`,
    points: line.points.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" ") }));
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true",
    class: "chart" }, ...grid, ...ticks,
  mark !== null && draw("line", { x1: x(mark), x2: x(mark), y1: margin.top,
    y2: height - margin.bottom, class: "mark" }),
  ...(extra?.(x, y) ?? []), ...paths);
  const legend = make("p", { className: "legend" }, ...lines.map((line) =>
    make("span", { className: line.className }, make("i", { "aria-hidden": "true" }), line.name)));
  return make("figure", { className: "chart-figure" },
    make("figcaption", {}, make("b", {}, title), legend), svg, table(title, xName, lines, text));
}

/**
 * @param {string} title
 * @param {string} xName
 * @param {Line[]} lines
 * @param {(value: number) => string} text
 */
function table(title, xName, lines, text) {
  const all = [...new Set(lines.flatMap(({ points }) => points.map(([x]) => x)))]
    .sort((a, b) => a - b);
  // At most some twenty rows: the first, the last, and some between.
  const step = Math.max(1, Math.ceil(all.length / 20));
  const shown = all.filter((_, index) => index % step === 0 || index === all.length - 1);
  return make("div", { className: "visually-hidden" }, make("table", {},
    make("caption", {}, title),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, xName),
      ...lines.map(({ name }) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...shown.map((x) => make("tr", {},
      make("th", { scope: "row" }, String(Math.round(x * 100) / 100)),
      ...lines.map(({ points }) => {
        const value = points.find(([at]) => at === x)?.[1];
        return make("td", {}, value === undefined ? t("none") : text(value));
      }))))));
}

/**
 * Round values from one to the other.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} count
 */
function steps(from, to, count) {
  const raw = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10);
  const values = [];
  for (let value = Math.ceil(from / step) * step; value <= to + step / 1e6; value += step) {
    values.push(Math.round(value * 1e6) / 1e6);
  }
  return values;
}

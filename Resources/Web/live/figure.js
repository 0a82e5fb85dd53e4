// @ts-check
/** The figure on the start screen: three moments of a jumping jack, drawn like people. */

import { drawPerson } from "../shared/skeleton.js";

/** @typedef {import("../shared/skeleton.js").Point} Point */

/**
 * A pose in units of body height, x to the right, y up from the ground, by the joints' names.
 *
 * @param {number} arm degrees from hanging down
 * @param {number} leg degrees from straight down
 * @param {number} lift of the whole body
 * @returns {Record<string, Point>}
 */
function pose(arm, leg, lift) {
  const ray = (/** @type {Point} */ [x, y], /** @type {number} */ degrees,
    /** @type {number} */ length) => {
    const angle = (degrees * Math.PI) / 180;
    return /** @type {Point} */ ([x + Math.sin(angle) * length, y - Math.cos(angle) * length]);
  };
  const hipHeight = 0.5 * Math.cos((leg * Math.PI) / 180) + 0.02 + lift;
  const shoulderHeight = hipHeight + 0.29;
  const head = shoulderHeight + 0.125;
  const side = (/** @type {"left" | "right"} */ name) => {
    const sign = name === "left" ? 1 : -1;
    /** @type {Point} */
    const shoulder = [sign * 0.105, shoulderHeight];
    const elbow = ray(shoulder, sign * arm, 0.165);
    /** @type {Point} */
    const hip = [sign * 0.062, hipHeight];
    const knee = ray(hip, sign * (leg + 2), 0.25);
    return {
      [`${name}Eye`]: [sign * 0.022, head + 0.02], [`${name}Ear`]: [sign * 0.05, head + 0.006],
      [`${name}Shoulder`]: shoulder, [`${name}Elbow`]: elbow,
      [`${name}Wrist`]: ray(elbow, sign * (arm + 14), 0.155),
      [`${name}Hip`]: hip, [`${name}Knee`]: knee,
      [`${name}Ankle`]: ray(knee, sign * (leg - 2), 0.25),
    };
  };
  return /** @type {Record<string, Point>} */ (
    { nose: [0, head], neck: [0, shoulderHeight], ...side("right"), ...side("left") });
}

const moments = [
  { arm: 18, leg: 3, lift: 0, at: -0.56, alpha: 0.5 },
  { arm: 152, leg: 24, lift: 0.05, at: 0.58, alpha: 0.5 },
  { arm: 88, leg: 14, lift: 0.02, at: 0, alpha: 1 },
];

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import("types/live").Wireframe} body
 */
export function drawFigure(canvas, body) {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  const context = canvas.getContext("2d");
  if (!context || !canvas.width) return;
  const size = Math.min(canvas.height / 1.3, canvas.width / 1.95);
  const ground = canvas.height / 2 + size * 0.52;
  for (const { arm, leg, lift, at, alpha } of moments) {
    context.globalAlpha = alpha;
    const places = pose(arm, leg, lift);
    const onCanvas = (/** @type {Point} */ [x, y]) =>
      /** @type {Point} */ ([canvas.width / 2 + (at + x) * size, ground - y * size]);
    const [x, y] = onCanvas(places.nose);
    context.strokeStyle = "rgb(150 175 200 / 55%)";
    context.lineWidth = size * 0.011;
    context.beginPath();
    context.ellipse(x, y - size * 0.008, size * 0.056, size * 0.072, 0, 0, 2 * Math.PI);
    context.stroke();
    const points = body.joints.map(({ name }) => (places[name] ? onCanvas(places[name]) : null));
    drawPerson(context, body, points, { isHighlighted: true, hasCorners: false, side: size });
  }
}

// @ts-check
/**
 * The figure on the start screen: three moments of a jumping jack, drawn like people in the
 * picture.
 */

import { drawPerson } from "./skeleton.js";

/**
 * A pose of 18 joints in units of body height, x to the right, y up from the ground.
 *
 * @param {number} arm degrees from hanging down
 * @param {number} leg degrees from straight down
 * @param {number} lift of the whole body
 * @returns {[number, number][]}
 */
function pose(arm, leg, lift) {
  const ray = (/** @type {number[]} */ [x, y], /** @type {number} */ degrees,
    /** @type {number} */ length) => {
    const angle = (degrees * Math.PI) / 180;
    const end = [x + Math.sin(angle) * length, y - Math.cos(angle) * length];
    return /** @type {[number, number]} */ (end);
  };
  const hipHeight = 0.5 * Math.cos((leg * Math.PI) / 180) + 0.02 + lift;
  const shoulderHeight = hipHeight + 0.29;
  const side = (/** @type {1 | -1} */ sign) => {
    const shoulder = [sign * 0.105, shoulderHeight];
    const elbow = ray(shoulder, sign * arm, 0.165);
    const wrist = ray(elbow, sign * (arm + 14), 0.155);
    const hip = [sign * 0.062, hipHeight];
    const knee = ray(hip, sign * (leg + 2), 0.25);
    const ankle = ray(knee, sign * (leg - 2), 0.25);
    return { shoulder, elbow, wrist, hip, knee, ankle };
  };
  const [right, left] = [side(-1), side(1)];
  const head = shoulderHeight + 0.125;
  return /** @type {[number, number][]} */ ([
    [0, head], [0, shoulderHeight], right.shoulder, right.elbow, right.wrist, left.shoulder,
    left.elbow, left.wrist, right.hip, right.knee, right.ankle, left.hip, left.knee, left.ankle,
    [-0.022, head + 0.02], [0.022, head + 0.02], [-0.05, head + 0.006], [0.05, head + 0.006],
  ]);
}

const moments = [
  { arm: 18, leg: 3, lift: 0, at: -0.56, alpha: 0.5 },
  { arm: 152, leg: 24, lift: 0.05, at: 0.58, alpha: 0.5 },
  { arm: 88, leg: 14, lift: 0.02, at: 0, alpha: 1 },
];

/** @param {HTMLCanvasElement} canvas */
export function drawFigure(canvas) {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  const context = canvas.getContext("2d");
  if (!context || !canvas.width) return;
  const size = Math.min(canvas.height / 1.3, canvas.width / 1.95);
  const ground = canvas.height / 2 + size * 0.52;
  for (const { arm, leg, lift, at, alpha } of moments) {
    context.globalAlpha = alpha;
    const points = pose(arm, leg, lift).map(([x, y]) =>
      /** @type {[number, number]} */ ([canvas.width / 2 + (at + x) * size, ground - y * size]));
    context.strokeStyle = "rgb(150 175 200 / 55%)";
    context.lineWidth = size * 0.011;
    context.beginPath();
    context.ellipse(points[0][0], points[0][1] - size * 0.008, size * 0.056, size * 0.072, 0, 0,
      2 * Math.PI);
    context.stroke();
    drawPerson(context, points, { isHighlighted: true, hasCorners: false, side: size });
  }
}

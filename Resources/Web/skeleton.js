// @ts-check
/**
 * Draws one person's wireframe, as the annotated videos show it: a dark halo, limbs with a
 * gradient,
 * dots at the joints. The person's left is warm and the right is cold, orange against blue, which
 * people with the common kinds of colour blindness tell apart as well.
 */

import { joints } from "./protocol.js";

/** Joints below this confidence are not drawn. */
export const drawnConfidence = 0.2;

const colors = [
  "#ffffff", "#f4f1ff", "#4cf0a8", "#22cdeb", "#2f7bff", "#ffd60a", "#ff8a1f", "#ff2d6b", "#2edcc4",
  "#2ba8ff", "#6c5cff", "#ffa424", "#ff6b35", "#ff2d9b", "#b8f5e6", "#ffe9a8", "#45e0c8", "#ffc53d",
];
const subdued = colors.map((color) => mixed(color, "#d5dce8", 0.6));

const limbs = [
  ["leftShoulder", "leftHip"], ["rightShoulder", "rightHip"], ["leftHip", "rightHip"],
  ["neck", "leftShoulder"], ["neck", "rightShoulder"],
  ["leftHip", "leftKnee"], ["leftKnee", "leftAnkle"],
  ["rightHip", "rightKnee"], ["rightKnee", "rightAnkle"],
  ["neck", "nose"],
  ["nose", "leftEye"], ["leftEye", "leftEar"], ["nose", "rightEye"], ["rightEye", "rightEar"],
  ["leftShoulder", "leftElbow"], ["leftElbow", "leftWrist"],
  ["rightShoulder", "rightElbow"], ["rightElbow", "rightWrist"],
].map(([start, end]) => [joints.indexOf(start), joints.indexOf(end)]);

const face = new Set([0, 14, 15, 16, 17]);
const faceShare = 0.5;

/**
 * @param {string} color
 * @param {string} other
 * @param {number} share of the other
 */
function mixed(color, other, share) {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [color, other].map((hex) => parseInt(hex.slice(at, at + 2), 16));
    return Math.round(a + (b - a) * share).toString(16).padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {([number, number] | null)[]} points the joints in pixels; null where one isn't drawn
 * @param {{isHighlighted: boolean, hasCorners: boolean, side: number}} look `side` is the shorter
 *   one
 *   of the picture on show, in pixels
 */
export function drawPerson(context, points, { isHighlighted, hasCorners, side }) {
  const known = points.flatMap((point) => (point ? [point] : []));
  if (known.length === 0) return;
  const palette = isHighlighted ? colors : subdued;
  const box = bounds(known);
  const diagonal = Math.hypot(box.width, box.height);
  const usual = Math.min(Math.max(diagonal * 0.017, side * 0.005), side * 0.02);
  const width = Math.max(1.5, usual * (isHighlighted ? 1 : 0.62));
  const halo = Math.max(1, width * 0.3);
  const alpha = context.globalAlpha;
  if (!isHighlighted) context.globalAlpha = alpha * 0.85;
  if (hasCorners) drawCorners(context, box, width);

  context.lineCap = "round";
  context.lineJoin = "round";
  /** @type {{start: [number, number], end: [number, number], from: number, to: number,
   *   share: number}[]} */
  const drawn = [];
  for (const [from, to] of limbs) {
    const [start, end] = [points[from], points[to]];
    if (start && end) drawn.push({ start, end, from, to, share: face.has(to) ? faceShare : 1 });
  }
  // One path a thickness, so that halos don't darken each other where limbs meet.
  context.strokeStyle = "rgba(0, 0, 0, 0.5)";
  for (const share of [1, faceShare]) {
    context.beginPath();
    for (const limb of drawn) {
      if (limb.share !== share) continue;
      context.moveTo(...limb.start);
      context.lineTo(...limb.end);
    }
    context.lineWidth = width * share + 2 * halo;
    context.stroke();
  }
  for (const { start, end, from, to, share } of drawn) {
    const gradient = context.createLinearGradient(...start, ...end);
    gradient.addColorStop(0, palette[from]);
    gradient.addColorStop(1, palette[to]);
    context.strokeStyle = gradient;
    context.lineWidth = width * share;
    context.beginPath();
    context.moveTo(...start);
    context.lineTo(...end);
    context.stroke();
  }
  points.forEach((point, joint) => {
    if (!point) return;
    const radius = width * 0.72 * (face.has(joint) ? faceShare : 1);
    dot(context, point, radius + halo * 0.6, "rgba(0, 0, 0, 0.55)");
    dot(context, point, radius, palette[joint]);
    dot(context, point, radius * 0.55, "#fff");
  });
  context.globalAlpha = alpha;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {[number, number]} center
 * @param {number} radius
 * @param {string} color
 */
function dot(context, [x, y], radius, color) {
  context.fillStyle = color;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** @param {[number, number][]} points */
export function bounds(points) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/**
 * Brackets at the corners of a person's box.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {{x: number, y: number, width: number, height: number}} box
 * @param {number} width of the limbs
 */
function drawCorners(context, box, width) {
  const margin = 4 * width;
  const [left, top] = [box.x - margin, box.y - margin];
  const [right, bottom] = [box.x + box.width + margin, box.y + box.height + margin];
  const arm = Math.min(right - left, bottom - top, 10 * width) * 0.3;
  context.beginPath();
  for (const [x, inX] of [[left, arm], [right, -arm]]) {
    for (const [y, inY] of [[top, arm], [bottom, -arm]]) {
      context.moveTo(x + inX, y);
      context.lineTo(x, y);
      context.lineTo(x, y + inY);
    }
  }
  const line = Math.max(1, width * 0.35);
  for (const [thickness, color] of /** @type {[number, string][]} */ ([
    [line * 2.4, "rgba(0, 0, 0, 0.4)"], [line, "rgba(255, 255, 255, 0.95)"],
  ])) {
    context.lineWidth = thickness;
    context.strokeStyle = color;
    context.stroke();
  }
}

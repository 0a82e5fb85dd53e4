// @ts-check
/**
 * Draws a wireframe as annotated videos show it: a dark halo, limbs with a gradient, dots at the
 * joints. Joints, limbs, colours, least width and confidence come from the server.
 *
 * @typedef {import("types/live").Wireframe} Wireframe
 * @typedef {[number, number]} Point in pixels
 */

/**
 * Gives a canvas the pixels of the place where it is shown, at most two by two for one of the page.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLElement} place
 * @returns {[number, number]} its width and height
 */
export function fitCanvas(canvas, { clientWidth, clientHeight } = canvas) {
  const scale = Math.min(2, devicePixelRatio);
  const [width, height] = [Math.round(clientWidth * scale), Math.round(clientHeight * scale)];
  // Setting the size clears it.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  return [width, height];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Wireframe} wireframe
 * @param {(Point | null)[]} points of the wireframe's joints; null where one is not drawn
 * @param {{isHighlighted: boolean, hasCorners: boolean, side: number}} look `side` is the shorter
 *   side of the displayed picture, in pixels
 */
export function drawPerson(context, { joints, limbs, leastWidth }, points, look) {
  const { isHighlighted, hasCorners, side } = look;
  const known = points.flatMap((point) => (point ? [point] : []));
  if (known.length === 0) return;
  const palette = joints.map(({ color, subdued }) => (isHighlighted ? color : subdued));
  const box = bounds(known);
  const diagonal = Math.hypot(box.width, box.height);
  const usual = Math.min(Math.max(diagonal * 0.017, side * leastWidth), side * 0.02);
  const width = Math.max(1.5, usual * (isHighlighted ? 1 : 0.62));
  const halo = Math.max(1, width * 0.3);
  const alpha = context.globalAlpha;
  if (!isHighlighted) context.globalAlpha = alpha * 0.85;
  if (hasCorners) drawCorners(context, box, width);

  context.lineCap = "round";
  context.lineJoin = "round";
  const drawn = limbs.flatMap(([from, to]) => {
    const [start, end] = [points[from], points[to]];
    return start && end ? [{ start, end, from, to, size: joints[to].size }] : [];
  });
  // One path per line width, so that halos don't darken each other where limbs meet.
  context.strokeStyle = "rgba(0, 0, 0, 0.5)";
  for (const size of new Set(drawn.map((limb) => limb.size))) {
    context.beginPath();
    for (const limb of drawn) {
      if (limb.size !== size) continue;
      context.moveTo(...limb.start);
      context.lineTo(...limb.end);
    }
    context.lineWidth = width * size + 2 * halo;
    context.stroke();
  }
  for (const { start, end, from, to, size } of drawn) {
    const gradient = context.createLinearGradient(...start, ...end);
    gradient.addColorStop(0, palette[from]);
    gradient.addColorStop(1, palette[to]);
    context.strokeStyle = gradient;
    context.lineWidth = width * size;
    context.beginPath();
    context.moveTo(...start);
    context.lineTo(...end);
    context.stroke();
  }
  points.forEach((point, joint) => {
    if (!point) return;
    const radius = width * 0.72 * joints[joint].size;
    dot(context, point, radius + halo * 0.6, "rgba(0, 0, 0, 0.55)");
    dot(context, point, radius, palette[joint]);
    dot(context, point, radius * 0.55, "#fff");
  });
  context.globalAlpha = alpha;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Point} center
 * @param {number} radius
 * @param {string} color
 */
function dot(context, [x, y], radius, color) {
  context.fillStyle = color;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** @param {Point[]} points */
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

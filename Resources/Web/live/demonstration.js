// @ts-check
/** A synthetic person who shows an exercise, turning slowly. */

import { request } from "../shared/api.js";
import { drawPerson, fitCanvas } from "../shared/skeleton.js";

/** @typedef {import("types/live").Demonstration} Shown */
/** @typedef {import("../shared/skeleton.js").Point} Point */

/** How quickly the person turns, radians a second, and from where they are seen at first. */
const turning = { speed: 0.35, start: 0.5, pitch: 0.14 };
/** What is shown across, metres: room for raised arms, and for someone who lies. */
const extent = 2.5;
const floorRadius = 0.95;
/** How often it is drawn, times a second: each time the browser blends all that lies over the picture. */
const drawnRate = 12;

/** @type {Map<string, Promise<Shown | null>>} */
const loaded = new Map();

/**
 * How an exercise is done; null where no synthetic person knows it, such as one that was taught.
 *
 * @param {string} label
 */
function load(label) {
  let found = loaded.get(label);
  if (!found) {
    found = request(`demonstrations/${encodeURIComponent(label)}`).catch(() => null);
    loaded.set(label, found);
  }
  return found;
}

export class Demonstration {
  /** @type {Shown | null} */
  #shown = null;
  /** @type {string | null} */
  #label = null;
  #begun = 0;
  #frame = 0;
  #timer = 0;
  #isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {import("types/live").Wireframe | null} */
  wireframe = null;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
  }

  /**
   * Shows an exercise until another one, or none, is to be shown.
   *
   * @param {string | null} label
   * @returns {Promise<boolean>} whether a synthetic person knows it
   */
  async show(label) {
    if (label === this.#label) return this.#shown !== null;
    this.#label = label;
    const shown = label === null ? null : await load(label);
    if (label !== this.#label) return false;
    this.#shown = shown;
    this.#begun = performance.now();
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#draw();
    return shown !== null;
  }

  #draw() {
    const [width, height] = fitCanvas(this.canvas);
    const context = this.canvas.getContext("2d");
    if (context && width) {
      context.clearRect(0, 0, width, height);
      if (this.#shown && this.wireframe) this.#drawBody(context, this.#shown, width, height);
    }
    if (!this.#shown) return;
    this.#timer = setTimeout(() => {
      this.#frame = requestAnimationFrame(() => this.#draw());
    }, 1000 / drawnRate);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Shown} shown
   * @param {number} width
   * @param {number} height
   */
  #drawBody(context, { frames, frameRate }, width, height) {
    const seconds = (performance.now() - this.#begun) / 1000;
    const yaw = turning.start + (this.#isCalm.matches ? 0 : turning.speed * seconds);
    const place = (seconds * frameRate) % frames.length;
    const index = Math.floor(place);
    const [before, after] = [frames[index], frames[(index + 1) % frames.length]];
    const share = index + 1 < frames.length ? place - index : 0;
    const scale = Math.min(width, height) / extent;
    /** @returns {Point} */
    const onCanvas = (/** @type {number[]} */ [x, y, z]) => {
      const across = x * Math.cos(yaw) + z * Math.sin(yaw);
      const deep = z * Math.cos(yaw) - x * Math.sin(yaw);
      const up = (y - 0.95) * Math.cos(turning.pitch) - deep * Math.sin(turning.pitch);
      return [width / 2 + across * scale, height / 2 - up * scale];
    };
    context.beginPath();
    for (let step = 0; step <= 48; step += 1) {
      const angle = step / 24 * Math.PI;
      const point = onCanvas([floorRadius * Math.cos(angle), 0, floorRadius * Math.sin(angle)]);
      if (step === 0) context.moveTo(...point);
      else context.lineTo(...point);
    }
    context.fillStyle = "rgb(150 175 200 / 14%)";
    context.fill();
    const points = before.map((joint, number) => onCanvas(joint.map((value, axis) =>
      value + share * (after[number][axis] - value))));
    if (this.wireframe) {
      drawPerson(context, this.wireframe, points,
        { isHighlighted: true, hasCorners: false, side: Math.min(width, height) * 0.8 });
    }
  }
}

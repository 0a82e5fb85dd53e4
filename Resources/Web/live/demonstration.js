// @ts-check
/** A person who shows an exercise, turning slowly: a synthetic one, or whoever taught it. */

import { request } from "../shared/api.js";
import { BodyView } from "../shared/body.js";
import { taughtMove } from "./taught.js";

/** @typedef {import("types/live").Demonstration} Shown */

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
 * How an exercise is done; null where nobody knows it.
 *
 * @param {string} label
 */
function load(label) {
  let found = loaded.get(label);
  if (!found) {
    found = request(`demonstrations/${encodeURIComponent(label)}`).catch(() => taughtMove(label)).catch(() => null);
    loaded.set(label, found);
  }
  return found;
}

/**
 * Forgets how a move is done, which is taught again.
 *
 * @param {string} label
 */
export function forget(label) {
  loaded.delete(label);
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
  #view;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#view = new BodyView(canvas);
  }

  get canvas() {
    return this.#view.canvas;
  }

  /** @param {import("types/live").Wireframe | null} wireframe */
  set wireframe(wireframe) {
    this.#view.wireframe = wireframe;
  }

  /**
   * Shows an exercise until another one, or none, is to be shown.
   *
   * @param {string | null} label
   * @returns {Promise<boolean>} whether somebody knows it
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
    const context = this.#view.begin();
    if (context && this.#shown) this.#drawBody(context, this.#shown);
    if (!this.#shown) return;
    this.#timer = setTimeout(() => {
      this.#frame = requestAnimationFrame(() => this.#draw());
    }, 1000 / drawnRate);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Shown} shown
   */
  #drawBody(context, { frames, frameRate }) {
    const seconds = (performance.now() - this.#begun) / 1000;
    const yaw = turning.start + (this.#isCalm.matches ? 0 : turning.speed * seconds);
    const place = (seconds * frameRate) % frames.length;
    const index = Math.floor(place);
    const [before, after] = [frames[index], frames[(index + 1) % frames.length]];
    const share = index + 1 < frames.length ? place - index : 0;
    this.#view.look = { scale: this.#view.side / extent, middle: 0.95, yaw, pitch: turning.pitch };
    context.beginPath();
    this.#view.trace(Array.from({ length: 49 }, (_, step) => {
      const angle = step / 24 * Math.PI;
      return [floorRadius * Math.cos(angle), 0, floorRadius * Math.sin(angle)];
    }));
    context.fillStyle = "rgb(150 175 200 / 14%)";
    context.fill();
    this.#view.draw(before.map((joint, number) => joint.map((value, axis) =>
      value + share * (after[number][axis] - value))), 0.8 * this.#view.side);
  }
}

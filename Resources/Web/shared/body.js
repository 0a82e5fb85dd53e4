// @ts-check
/**
 * A view of bodies on a canvas: what turns, scales and mirrors joints, in metres or other lengths, y up, before
 * skeleton.js draws them. Every canvas with a body that is not over a picture is one.
 *
 * @typedef {import("./skeleton.js").Point} Point
 * @typedef {import("types/live").Wireframe} Wireframe
 * @typedef {{scale: number, middle: number, across?: number, yaw?: number, pitch?: number}} Look `scale` is pixels for
 *   one of the joints' lengths, `middle` the height at the middle of the canvas, `across` where the origin is, as a share
 *   of the width; `yaw` turns about the vertical and `pitch` down, radians
 */

import { drawPerson, fitCanvas } from "./skeleton.js";

export class BodyView {
  /** @type {CanvasRenderingContext2D | null} */
  #context;
  /** @type {Required<Look>} */
  #look = { scale: 1, middle: 0, across: 0.5, yaw: 0, pitch: 0 };
  /** @type {Wireframe | null} */
  wireframe = null;
  /** Whether bodies are as in a mirror. */
  isMirrored = false;
  width = 0;
  height = 0;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.#context = canvas.getContext("2d");
  }

  /**
   * The empty canvas, as large as its place; null where it has none.
   *
   * @returns {CanvasRenderingContext2D | null}
   */
  begin() {
    [this.width, this.height] = fitCanvas(this.canvas);
    if (!this.#context || !this.width) return null;
    this.#context.clearRect(0, 0, this.width, this.height);
    return this.#context;
  }

  /** The shorter side, pixels. */
  get side() {
    return Math.min(this.width, this.height);
  }

  /** From where what follows is seen. */
  set look(/** @type {Look} */ look) {
    this.#look = { across: 0.5, yaw: 0, pitch: 0, ...look };
  }

  /**
   * Where a place is on the canvas.
   *
   * @param {number[]} place x, y and, unless it is flat, z
   * @returns {Point}
   */
  point([x, y, z = 0]) {
    const { scale, middle, across, yaw, pitch } = this.#look;
    const beside = this.isMirrored ? -x : x;
    const right = beside * Math.cos(yaw) + z * Math.sin(yaw);
    const deep = z * Math.cos(yaw) - beside * Math.sin(yaw);
    const up = (y - middle) * Math.cos(pitch) - deep * Math.sin(pitch);
    return [this.width * across + right * scale, this.height / 2 - up * scale];
  }

  /**
   * Adds a line through places to the path.
   *
   * @param {number[][]} places
   */
  trace(places) {
    places.forEach((place, index) => {
      if (index === 0) this.#context?.moveTo(...this.point(place));
      else this.#context?.lineTo(...this.point(place));
    });
  }

  /**
   * Draws a body; returns where its joints are.
   *
   * @param {(number[] | null)[]} joints those of the wireframe; null where one is not drawn
   * @param {number} [side] from which the limbs have their width (skeleton.js), pixels
   */
  draw(joints, side = this.side) {
    const points = joints.map((place) => (place ? this.point(place) : null));
    if (this.#context && this.wireframe) {
      drawPerson(this.#context, this.wireframe, points,
        { isHighlighted: true, hasCorners: false, side });
    }
    return points;
  }
}

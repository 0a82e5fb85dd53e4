// @ts-check
/**
 * The displayed picture: each captured picture with its own overlay. If no result arrives for a
 * while, the live video is shown and the overlay fades; with a slow server only after longer.
 *
 * @typedef {{image: CanvasImageSource, width: number, height: number,
 *   frame: import("types/live").Frame | null, isMirrored: boolean, time: number,
 *   release: () => void}} Shown
 */

import { bounds, drawPerson } from "../shared/skeleton.js";
import { actionText } from "./texts.js";

/** How long a picture with its overlay is shown, and how long the overlay then fades, in ms. */
const gluedFor = 300;
const slowlyGluedFor = 3000;
const fadesFor = 400;
/** A picture fills the screen if less than this share of it is cut off. */
const mostCut = 0.13;
/** The height of the controls above an upright picture, rem. */
const headRoom = 4.8;
const backdropEvery = 200;

export class Stage {
  /** @type {Shown | null} */
  #shown = null;
  #shownAt = 0;
  #isFresh = false;
  #isRunning = false;
  #backdropAt = 0;
  #area = { x: 0, y: 0, width: 1, height: 1 };
  /** @type {{video: HTMLVideoElement, isMirrored: boolean} | null} */
  live = null;
  isPaused = false;
  /** @type {import("types/live").Wireframe[]} of bodies and hands */
  wireframes = [];
  /** Whether results are late. */
  isSlow = false;
  /** @type {(shown: Shown, now: number) => void} */
  onDrawn = () => {};

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLCanvasElement} backdrop
   */
  constructor(canvas, backdrop) {
    this.canvas = canvas;
    const context = canvas.getContext("2d", { alpha: true });
    const behind = backdrop.getContext("2d", { alpha: false });
    if (!context || !behind) throw new Error("This browser cannot draw.");
    this.context = context;
    this.behind = behind;
    new ResizeObserver(() => this.#resize()).observe(canvas);
  }

  start() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const step = (/** @type {number} */ now) => {
      if (!this.#isRunning) return;
      this.#tick(now);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  stop() {
    this.#isRunning = false;
    this.clear();
  }

  clear() {
    this.#shown?.release();
    this.#shown = null;
    this.live = null;
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.behind.clearRect(0, 0, this.behind.canvas.width, this.behind.canvas.height);
    this.canvas.dataset.overlay = "none";
  }

  /** @param {Shown} shown */
  show(shown) {
    this.#shown?.release();
    this.#shown = shown;
    this.#isFresh = true;
  }

  /** The people in the displayed picture. */
  get people() {
    return this.#shown?.frame?.persons ?? [];
  }

  /** Applies mirroring to the displayed picture, also while it is still. */
  mirror(/** @type {boolean} */ isMirrored) {
    if (this.live) this.live.isMirrored = isMirrored;
    if (!this.#shown) return;
    this.#shown.isMirrored = isMirrored;
    this.#isFresh = true;
  }

  /**
   * The person at a position on the screen: the smallest box that contains it.
   *
   * @param {number} clientX
   * @param {number} clientY
   */
  personAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.canvas.width / box.width;
    const [x, y] = [(clientX - box.left) * scale, (clientY - box.top) * scale];
    const slack = 24 * scale;
    let best = null;
    let bestSize = Infinity;
    for (const person of this.people) {
      if (!person.box) continue;
      const [left, low, width, height] = person.box;
      const [a, b] = [this.#place(left, low + height), this.#place(left + width, low)];
      const isInside =
        x > Math.min(a[0], b[0]) - slack && x < Math.max(a[0], b[0]) + slack &&
        y > Math.min(a[1], b[1]) - slack && y < Math.max(a[1], b[1]) + slack;
      if (isInside && width * height < bestSize) [best, bestSize] = [person, width * height];
    }
    return best;
  }

  /** @param {number} now */
  #tick(now) {
    const shown = this.#shown;
    if (this.#isFresh && shown) {
      this.#isFresh = false;
      this.#shownAt = now;
      this.#draw(shown.image, shown.width, shown.height, shown.isMirrored, now);
      this.#drawPeople(1);
      this.canvas.dataset.overlay = "glued";
      this.canvas.dataset.sequence = String(shown.frame?.sequence ?? "");
      this.onDrawn(shown, performance.now());
      return;
    }
    const age = now - this.#shownAt - (this.isSlow ? slowlyGluedFor : gluedFor);
    if (this.isPaused || !this.live?.video.videoWidth || age < 0) return;
    const { video, isMirrored } = this.live;
    const alpha = Math.max(0, 1 - age / fadesFor);
    this.#draw(video, video.videoWidth, video.videoHeight, isMirrored, now);
    if (alpha > 0) this.#drawPeople(alpha);
    this.canvas.dataset.overlay = alpha > 0 ? "fading" : "none";
  }

  #resize() {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const { canvas } = this;
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (!width || !height || (canvas.width === width && canvas.height === height)) return;
    canvas.width = width;
    canvas.height = height;
    this.#headRoom = ratio * headRoom * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#isFresh = true;
  }
  /** The height of the controls above the picture, in pixels of the canvas. */
  #headRoom = 0;

  /**
   * @param {CanvasImageSource} image
   * @param {number} width
   * @param {number} height
   * @param {boolean} isMirrored
   * @param {number} now
   */
  #draw(image, width, height, isMirrored, now) {
    const { canvas, context } = this;
    const [fit, fill] = [Math.min, Math.max].map((choose) =>
      choose(canvas.width / width, canvas.height / height));
    const cut = 1 - (canvas.width * canvas.height) / (width * height * fill * fill);
    const scale = cut < mostCut ? fill : fit;
    const area = { width: width * scale, height: height * scale, x: 0, y: 0 };
    area.x = (canvas.width - area.width) / 2;
    // On an upright screen the cards are below: the picture is as high as the controls leave room.
    area.y = (canvas.height - area.height) / 2;
    if (canvas.height > canvas.width && scale === fit) area.y = Math.min(area.y, this.#headRoom);
    this.#area = area;
    const hasMargin = scale === fit && cut > 0.001;
    if (hasMargin) context.clearRect(0, 0, canvas.width, canvas.height);
    context.save();
    if (isMirrored) context.setTransform(-1, 0, 0, 1, canvas.width, 0);
    context.drawImage(image, area.x, area.y, area.width, area.height);
    context.restore();
    this.#isMirrored = isMirrored;
    if (hasMargin && now - this.#backdropAt > backdropEvery) {
      this.#backdropAt = now;
      this.behind.drawImage(image, 0, 0, this.behind.canvas.width, this.behind.canvas.height);
    }
  }
  #isMirrored = false;

  /**
   * The position on the canvas of a position in the picture.
   *
   * @param {number} x from 0 to 1
   * @param {number} y from 0 to 1, upwards
   * @returns {[number, number]}
   */
  #place(x, y) {
    const { x: left, y: top, width, height } = this.#area;
    return [left + (this.#isMirrored ? 1 - x : x) * width, top + (1 - y) * height];
  }

  /** @param {number} alpha */
  #drawPeople(alpha) {
    const frame = this.#shown?.frame;
    if (!frame) return;
    const { context } = this;
    const side = Math.min(this.#area.width, this.#area.height);
    context.globalAlpha = alpha;
    const isSeveral = frame.persons.length > 1;
    // The prominent person last, so that they are on top.
    const order = [...frame.persons].sort((a, b) =>
      Number(a.id === frame.prominent) - Number(b.id === frame.prominent));
    for (const person of order) {
      const { length } = person.joints;
      const wireframe = this.wireframes.find(({ joints }) => joints.length === length);
      if (!wireframe) continue;
      const isHighlighted = person.id === frame.prominent;
      const points = person.joints.map(([x, y, confidence]) =>
        confidence >= wireframe.leastConfidence && Number.isFinite(x) && Number.isFinite(y)
          ? this.#place(x, y) : null);
      const hasCorners = isHighlighted && (isSeveral || frame.isPinned);
      drawPerson(context, wireframe, points, { isHighlighted, hasCorners, side });
      const known = points.flatMap((point) => (point ? [point] : []));
      if (isSeveral && !isHighlighted && known.length > 0) this.#drawChip(person, bounds(known));
    }
    context.globalAlpha = 1;
  }

  /**
   * Action and count above a person who is not prominent.
   *
   * @param {import("types/live").Person} person
   * @param {{x: number, y: number, width: number, height: number}} box
   */
  #drawChip(person, box) {
    const { context, canvas } = this;
    const words = actionText(person.action);
    const text = person.count ? [words, String(person.count)].filter(Boolean).join(" · ") : words;
    if (!text) return;
    const ratio = canvas.width / Math.max(1, canvas.clientWidth);
    const size = Math.max(13 * ratio, Math.min(canvas.width, canvas.height) * 0.021);
    context.font = `600 ${size}px system-ui, sans-serif`;
    const width = context.measureText(text).width + size * 1.4;
    const height = size * 1.9;
    const x = Math.min(Math.max(box.x + box.width / 2 - width / 2, 4), canvas.width - width - 4);
    const y = Math.max(box.y - height - size * 0.9, 4);
    // A thick line with round caps.
    context.strokeStyle = "rgba(12, 14, 20, 0.78)";
    context.lineCap = "round";
    context.lineWidth = height;
    context.beginPath();
    context.moveTo(x + height / 2, y + height / 2);
    context.lineTo(x + width - height / 2, y + height / 2);
    context.stroke();
    context.fillStyle = "#fff";
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.fillText(text, x + width / 2, y + height / 2 + size * 0.05);
  }
}

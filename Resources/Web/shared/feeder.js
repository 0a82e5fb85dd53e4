// @ts-check
/**
 * Captures pictures of a <video> and sends them as JPEG: at most two in flight, one if the server
 * is slow, none that would queue. Keeps each until its result arrives, to show both together.
 *
 * @typedef {{image: HTMLCanvasElement, time: number, takenAt: number, sentAt: number}} Kept
 */

import { packPicture } from "./protocol.js";

const sentSide = 640;
const shownSide = 1280;
const quality = 0.8;
/** After this long without a result a picture counts as lost, milliseconds. */
const patience = 5000;

export class Feeder {
  /** @type {Map<number, Kept>} */
  #kept = new Map();
  /** @type {HTMLCanvasElement[]} */
  #spare = [];
  #sent = document.createElement("canvas");
  #sequence = 0;
  #isRunning = false;
  #isEncoding = false;
  #run = 0;
  #lastTakenAt = -Infinity;
  /** The most pictures per second that the model needs. */
  frameRate = 30;
  /** Whether one picture is in flight at a time, as two would wait for each other. */
  isSlow = false;
  /** Pictures that the camera gave. */
  seen = 0;
  /** Pictures that were not sent because others were in flight. */
  skipped = 0;
  bytes = 0;
  encoding = 0;

  /**
   * @param {HTMLVideoElement} video
   * @param {import("./connection.js").Connection} connection
   */
  constructor(video, connection) {
    this.video = video;
    this.connection = connection;
  }

  start() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#next(++this.#run);
  }

  stop() {
    this.#isRunning = false;
    this.#run += 1;
    this.clear();
  }

  /** Drops the pictures in flight. */
  clear() {
    for (const { image } of this.#kept.values()) this.release(image);
    this.#kept.clear();
  }

  /**
   * The picture that a result belongs to; older ones get no result any more.
   *
   * @param {number} sequence
   * @returns {Kept | null}
   */
  take(sequence) {
    const found = this.#kept.get(sequence) ?? null;
    for (const [number, kept] of this.#kept) {
      if (number > sequence) continue;
      this.#kept.delete(number);
      if (number < sequence) this.release(kept.image);
    }
    return found;
  }

  /** Takes back a picture that is no longer displayed. */
  release(/** @type {HTMLCanvasElement} */ image) {
    if (this.#spare.length < 4) this.#spare.push(image);
  }

  /** @param {number} run */
  #next(run) {
    const { video } = this;
    const step = (/** @type {number} */ now, /** @type {any} */ metadata) => {
      if (run !== this.#run) return;
      this.seen += 1;
      this.#consider(now, metadata);
      this.#next(run);
    };
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(step);
    else requestAnimationFrame((now) => step(now, null));
  }

  /**
   * @param {number} now
   * @param {any} metadata of the video's picture
   */
  #consider(now, metadata) {
    const { video, connection } = this;
    // 25 % tolerance: the interval between a camera's pictures varies.
    if (now - this.#lastTakenAt < 750 / this.frameRate) return;
    if (document.hidden || !connection.isOpen || !video.videoWidth) return;
    for (const [number, kept] of this.#kept) {
      if (now - kept.takenAt < patience) continue;
      this.#kept.delete(number);
      this.release(kept.image);
    }
    const most = this.isSlow ? 1 : 2;
    if (this.#isEncoding || this.#kept.size >= most || !connection.isFlowing) {
      this.skipped += 1;
      return;
    }
    this.#lastTakenAt = now;
    const { captureTime } = metadata ?? {};
    this.#send(captureTime > now - 1000 && captureTime <= performance.now() ? captureTime : now);
  }

  /** @param {number} time */
  async #send(time) {
    const { video, connection } = this;
    const run = this.#run;
    const sequence = (this.#sequence = (this.#sequence + 1) >>> 0);
    const image = this.#spare.pop() ?? document.createElement("canvas");
    const takenAt = performance.now();
    draw(video, video.videoWidth, video.videoHeight, image, shownSide);
    const kept = { image, time, takenAt, sentAt: Infinity };
    this.#kept.set(sequence, kept);
    const isSmall = Math.max(image.width, image.height) <= sentSide;
    if (!isSmall) draw(image, image.width, image.height, this.#sent, sentSide);
    const sent = isSmall ? image : this.#sent;
    this.#isEncoding = true;
    const began = performance.now();
    /** @type {Blob | null} */
    const blob = await new Promise((done) => sent.toBlob(done, "image/jpeg", quality));
    const jpeg = await blob?.arrayBuffer();
    this.#isEncoding = false;
    this.encoding = performance.now() - began;
    if (run !== this.#run) return;
    if (!jpeg || !connection.isOpen) {
      this.take(sequence);
      this.release(image);
      return;
    }
    this.bytes = jpeg.byteLength;
    kept.sentAt = performance.now();
    connection.sendPicture(packPicture(sequence, time, jpeg));
  }
}

/**
 * Draws a picture into a canvas, scaled down so that its longer side is within a limit.
 *
 * @param {CanvasImageSource} source
 * @param {number} width
 * @param {number} height
 * @param {HTMLCanvasElement} target
 * @param {number} limit
 */
function draw(source, width, height, target, limit) {
  const scale = Math.min(1, limit / Math.max(width, height));
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (target.width !== w || target.height !== h) {
    target.width = w;
    target.height = h;
  }
  const context = target.getContext("2d", { alpha: false, willReadFrequently: true });
  context?.drawImage(source, 0, 0, w, h);
}

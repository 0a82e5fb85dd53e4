// @ts-check
/** The poses of a video: loaded in stretches when they are needed, found by time, drawn. */

import { ServerError } from "../shared/api.js";
import { drawPerson } from "../shared/skeleton.js";
import { pause } from "./shell.js";
import { reported, t } from "./texts.js";

/** @typedef {import("types/live").Wireframe} Wireframe */
/** @typedef {import("types/studio").PosedFrame} PosedFrame */

/** Seconds of a request. */
const stretch = 30;
/** How soon what could not be loaded is asked for again, in milliseconds. */
export const retryAfter = 3000;
/** Poses farther from the moment than this are not shown, in seconds. */
const tolerance = 0.12;

/**
 * Whether an answer lacks because the poses are not known yet.
 *
 * @param {unknown} error
 */
export function isNotExtracted(error) {
  return error instanceof ServerError && error.detail.code === "notExtracted";
}

/**
 * Whether the same request may succeed later: the server has not refused it, but was away or failed.
 *
 * @param {unknown} error
 */
function isTemporary(error) {
  return !(error instanceof ServerError && error.status >= 400 && error.status < 500);
}

/**
 * Extracts the poses of all files that have none.
 *
 * @param {import("./project.js").Project} project
 * @param {AbortSignal} signal
 * @param {(fraction: number) => void} progress
 */
export async function extractPoses(project, signal, progress) {
  await project.send("POST", "extract");
  while (!signal.aborted) {
    /** @type {import("types/studio").Jobs} */
    const { extraction: { state, fraction, message, text } } = await project.get("jobs");
    if (state === "failed") throw new Error(reported("error", text, message ?? t("state.failed")));
    if (state === "idle") return;
    progress(fraction);
    await pause(0.5);
  }
}

export class PoseTrack {
  /** @type {Map<number, PosedFrame[]>} */
  #stretches = new Map();
  /** @type {Map<number, Promise<boolean>>} */
  #requests = new Map();
  /** @type {string[]} */
  #joints = [];
  isMissing = false;
  /** Called when poses have arrived, or can be asked for again. */
  onLoad = () => {};

  /**
   * @param {import("./project.js").Project} project
   * @param {string} file
   * @param {boolean} hasBodies whether people are estimated in three dimensions as well
   */
  constructor(project, file, hasBodies = false) {
    this.project = project;
    this.file = file;
    this.hasBodies = hasBodies;
  }

  /**
   * The people at a moment; empty while they are loaded or where nobody is.
   *
   * @param {number} time
   */
  at(time) {
    return this.frame(time)?.people ?? [];
  }

  /**
   * The frame at a moment; none while it is loaded or where nothing is near.
   *
   * @param {number} time
   */
  frame(time) {
    const index = Math.max(0, Math.floor(time / stretch));
    this.#need(index);
    if (time % stretch > stretch * 0.7) this.#need(index + 1);
    const frames = this.#stretches.get(index) ?? [];
    if (frames.length === 0) return null;
    let [low, high] = [0, frames.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (frames[middle].time <= time + 1e-4) low = middle;
      else high = middle - 1;
    }
    const after = frames[Math.min(low + 1, frames.length - 1)];
    const near = after.time - time < time - frames[low].time ? after : frames[low];
    return Math.abs(near.time - time) <= tolerance ? near : null;
  }

  /**
   * Waits for the poses of a moment; false where they could not be loaded, and can be asked for again.
   *
   * @param {number} time
   */
  ready(time) {
    return this.#need(Math.max(0, Math.floor(time / stretch)));
  }

  /** @param {number} index */
  #need(index) {
    const request = this.#requests.get(index) ?? this.#load(index);
    this.#requests.set(index, request);
    return request;
  }

  /**
   * Loads a stretch; false where it can be asked for again.
   *
   * @param {number} index
   */
  async #load(index) {
    try {
      /** @type {import("types/studio").Poses} */
      const { joints, frames } = await this.project.get("poses",
        { file: this.file, start: index * stretch, end: (index + 1) * stretch,
          ...(this.hasBodies ? { bodies: 1 } : {}) });
      this.#joints = joints;
      this.#stretches.set(index, frames);
    } catch (error) {
      if (isTemporary(error)) {
        setTimeout(() => {
          this.#requests.delete(index);
          this.onLoad();
        }, retryAfter);
        return false;
      }
      this.isMissing ||= isNotExtracted(error);
    }
    this.onLoad();
    return true;
  }

  /**
   * Draws the people at a moment into a box of a canvas.
   *
   * @param {CanvasRenderingContext2D} context
   * @param {Wireframe} wireframe
   * @param {number} time
   * @param {{x: number, y: number, width: number, height: number}} box in pixels
   */
  draw(context, wireframe, time, box) {
    const people = this.at(time);
    const order = wireframe.joints.map(({ name }) => this.#joints.indexOf(name));
    const side = Math.min(box.width, box.height);
    for (const { points } of people) {
      const places = order.map((joint) => {
        const [x, y, confidence] = points.slice(3 * joint, 3 * joint + 3);
        return joint >= 0 && x != null && y != null
          && (confidence ?? 0) >= wireframe.leastConfidence
          ? /** @type {[number, number]} */ ([box.x + x * box.width, box.y + (1 - y) * box.height])
          : null;
      });
      drawPerson(context, wireframe, places, { isHighlighted: true, hasCorners: false, side });
    }
  }
}

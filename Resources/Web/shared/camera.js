// @ts-check
/**
 * This browser's camera in a <video>: opens it, names problems, and reopens it when it was
 * disconnected.
 *
 * @typedef {{state: "live" | "lost" | "off", problem: CameraProblem | null, retryAt: number | null}}
 *   CameraState
 * @typedef {{facing: string, device: string | null, frameRate: number}} CameraChoice
 */

import { backOff } from "./connection.js";
import { Emitter } from "./emitter.js";

const stallSeconds = 4;

/** Why the camera could not be opened; pages put it into words (wording.js). */
export class CameraProblem extends Error {
  /** @param {string} name the browser's name of the error, or "lost" */
  constructor(name) {
    super(name);
    this.name = name;
  }

  /** Whether a later attempt may succeed. */
  get isTemporary() {
    return ["NotFoundError", "NotReadableError", "AbortError"].includes(this.name);
  }
}

/** @extends {Emitter<{state: CameraState}>} */
export class Camera extends Emitter {
  /** @type {MediaStream | null} */
  #stream = null;
  /** @type {CameraChoice} */
  #choice = { facing: "user", device: null, frameRate: 30 };
  #attempt = 0;
  #timer = 0;
  #watcher = 0;
  #generation = 0;
  #lastTime = -1;
  #movedAt = 0;

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    super();
    this.video = video;
    navigator.mediaDevices?.addEventListener?.("devicechange", () => {
      if (this.#timer) this.#reopen();
    });
  }

  get isOpen() {
    return this.#stream !== null;
  }

  get #track() {
    return this.#stream?.getVideoTracks()[0] ?? null;
  }

  /** "user", "environment", or "desk" if the camera does not report it. */
  get facing() {
    return this.#track?.getSettings().facingMode ?? "desk";
  }

  get device() {
    return this.#track?.getSettings().deviceId ?? null;
  }

  /**
   * Opens the camera; throws a CameraProblem.
   *
   * @param {CameraChoice} choice
   * @returns {Promise<void>}
   */
  async open(choice) {
    this.close();
    this.#choice = { ...choice };
    if (!isSecureContext || !navigator.mediaDevices?.getUserMedia) {
      throw new CameraProblem("InsecureContext");
    }
    const generation = ++this.#generation;
    const { facing, device, frameRate } = choice;
    /** @type {MediaTrackConstraints} */
    const video = {
      width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: frameRate },
      ...(device ? { deviceId: { exact: device } } : { facingMode: { ideal: facing } }),
    };
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video });
      if (generation !== this.#generation) return stop(stream);
      this.#stream = stream;
      this.video.srcObject = stream;
      for (const track of stream.getVideoTracks()) {
        track.addEventListener("ended", () => this.#lose(stream));
      }
      await this.video.play();
    } catch (error) {
      if (generation !== this.#generation) return;
      this.close();
      // The remembered camera may be gone: use any other.
      const isGone = nameOf(error) === "OverconstrainedError";
      if (device && isGone) return this.open({ ...choice, device: null });
      throw new CameraProblem(nameOf(error));
    }
    this.#attempt = 0;
    this.#guard();
    this.emit("state", { state: "live", problem: null, retryAt: null });
  }

  /** Requests another frame rate from the open camera. */
  async setFrameRate(/** @type {number} */ frameRate) {
    this.#choice.frameRate = frameRate;
    try {
      await this.#track?.applyConstraints({
        width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: frameRate },
      });
    } catch {
      // The camera keeps its rate; the server resamples by time.
    }
  }

  /** The next camera: rear instead of front, or the next of several. */
  async next() {
    const devices = await navigator.mediaDevices.enumerateDevices();
    const cameras = devices.filter((device) => device.kind === "videoinput");
    const { device, facing } = this;
    if (cameras.length < 2) return false;
    if (facing === "user" || facing === "environment") {
      const other = facing === "user" ? "environment" : "user";
      await this.open({ ...this.#choice, device: null, facing: other });
      // Some devices have several cameras that report the same direction.
      if (this.device !== device) return true;
    }
    const index = cameras.findIndex((camera) => camera.deviceId === device);
    const next = cameras[(index + 1) % cameras.length].deviceId;
    await this.open({ ...this.#choice, device: next });
    return this.device !== device;
  }

  close() {
    this.#generation += 1;
    clearTimeout(this.#timer);
    this.#timer = 0;
    clearInterval(this.#watcher);
    if (this.#stream) stop(this.#stream);
    this.#stream = null;
    this.video.srcObject = null;
  }

  /** @param {MediaStream} stream */
  #lose(stream) {
    if (stream !== this.#stream) return;
    this.close();
    this.#wait();
  }

  /** Reports the loss and reopens the camera after a while. */
  #wait() {
    this.#attempt += 1;
    const seconds = backOff(this.#attempt, false);
    this.#timer = setTimeout(() => this.#reopen(), seconds * 1000);
    const retryAt = performance.now() + seconds * 1000;
    this.emit("state", { state: "lost", problem: new CameraProblem("lost"), retryAt });
  }

  async #reopen() {
    const attempt = this.#attempt;
    try {
      await this.open(this.#choice);
    } catch (error) {
      this.#attempt = attempt;
      const problem = /** @type {CameraProblem} */ (error);
      if (problem.isTemporary) this.#wait();
      else this.emit("state", { state: "off", problem, retryAt: null });
    }
  }

  /** Detects a camera that is open but gives no pictures. */
  #guard() {
    this.#movedAt = performance.now();
    clearInterval(this.#watcher);
    this.#watcher = setInterval(() => {
      const now = performance.now();
      if (document.hidden || this.video.currentTime !== this.#lastTime) this.#movedAt = now;
      this.#lastTime = this.video.currentTime;
      if (this.video.paused && !document.hidden) this.video.play().catch(() => {});
      if (now - this.#movedAt > stallSeconds * 1000 && this.#stream) this.#lose(this.#stream);
    }, 500);
  }
}

/** @param {MediaStream} stream */
function stop(stream) {
  for (const track of stream.getTracks()) track.stop();
}

/** @param {unknown} error in older browsers not an Error */
function nameOf(error) {
  const { name } = /** @type {{name?: unknown}} */ (error ?? {});
  return typeof name === "string" ? name : "Error";
}

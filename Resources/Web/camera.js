// @ts-check
/**
 * This browser's camera in a <video>: opens it, tells what is wrong in a sentence, and comes back
 * by
 * itself when it disappears.
 *
 * Events: `state` with detail { state: "live" | "lost" | "off", message, retryAt }.
 */

import { backOff } from "./connection.js";

const stallSeconds = 4;

/** Why there is no camera, in words for its user. */
export class CameraProblem extends Error {
  /**
   * @param {string} name the browser's name of the error
   * @param {string} message
   */
  constructor(name, message) {
    super(message);
    this.name = name;
  }

  /** Whether waiting can help. */
  get isPassing() {
    return ["NotFoundError", "NotReadableError", "AbortError"].includes(this.name);
  }
}

/** @param {unknown} error */
function explain(error) {
  const name = nameOf(error);
  const sentences = {
    NotAllowedError: "The browser does not let this page use the camera. Allow it beside the "
      + "address at the top (or in the system's settings), then start again.",
    NotFoundError: "No camera was found on this device. Plug one in, or watch another source.",
    NotReadableError: "The camera is used by another program. Close that one, then start again.",
    OverconstrainedError: "That camera is not here any more. Start again to use another.",
    SecurityError: "This browser's settings forbid the camera.",
  };
  const known = /** @type {Record<string, string>} */ (sentences)[name];
  return new CameraProblem(name, known ?? `The camera could not be opened (${name}).`);
}

export class Camera extends EventTarget {
  /** @type {MediaStream | null} */
  #stream = null;
  #wish = { facing: "user", device: /** @type {string | null} */ (null), frameRate: 30 };
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

  /** "user", "environment", or "desk" where the camera doesn't say. */
  get facing() {
    return this.#track?.getSettings().facingMode ?? "desk";
  }

  get device() {
    return this.#track?.getSettings().deviceId ?? null;
  }

  /**
   * Opens the camera; throws a CameraProblem.
   *
   * @param {{facing: string, device: string | null, frameRate: number}} wish
   * @returns {Promise<void>}
   */
  async open(wish) {
    this.close();
    this.#wish = { ...wish };
    if (!isSecureContext || !navigator.mediaDevices?.getUserMedia) {
      throw new CameraProblem("InsecureContext", "Browsers give the camera only to pages that were "
        + "opened over https or on this computer itself. Open Kinema's https address, or watch "
        + "another source.");
    }
    const generation = ++this.#generation;
    const { facing, device, frameRate } = wish;
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
      // The remembered camera may be gone; any other will do.
      const isGone = nameOf(error) === "OverconstrainedError";
      if (device && isGone) return this.open({ ...wish, device: null });
      throw explain(error);
    }
    this.#attempt = 0;
    this.#guard();
    this.#tell("live", "");
  }

  /** Asks the open camera for another rate. */
  async setFrameRate(/** @type {number} */ frameRate) {
    this.#wish.frameRate = frameRate;
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
      await this.open({ ...this.#wish, device: null, facing: other });
      // Some have several that all say they look the same way.
      if (this.device !== device) return true;
    }
    const index = cameras.findIndex((camera) => camera.deviceId === device);
    const next = cameras[(index + 1) % cameras.length].deviceId;
    await this.open({ ...this.#wish, device: next });
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
    const wish = this.#wish;
    this.close();
    this.#wish = wish;
    this.#wait("The camera has gone.");
  }

  /** @param {string} message */
  #wait(message) {
    this.#attempt += 1;
    const seconds = backOff(this.#attempt, false);
    this.#timer = setTimeout(() => this.#reopen(), seconds * 1000);
    this.#tell("lost", message, performance.now() + seconds * 1000);
  }

  async #reopen() {
    const attempt = this.#attempt;
    try {
      await this.open(this.#wish);
    } catch (error) {
      this.#attempt = attempt;
      const problem = /** @type {CameraProblem} */ (error);
      if (problem.isPassing) this.#wait("The camera has gone.");
      else this.#tell("off", problem.message);
    }
  }

  /** Notices a camera that is open but gives no pictures. */
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

  /**
   * @param {"live" | "lost" | "off"} state
   * @param {string} message
   * @param {number | null} [retryAt]
   */
  #tell(state, message, retryAt = null) {
    this.dispatchEvent(new CustomEvent("state", { detail: { state, message, retryAt } }));
  }
}

/** @param {MediaStream} stream */
function stop(stream) {
  for (const track of stream.getTracks()) track.stop();
}

/** @param {unknown} error also those of older browsers that are no Error */
function nameOf(error) {
  const { name } = /** @type {{name?: unknown}} */ (error ?? {});
  return typeof name === "string" ? name : "Error";
}

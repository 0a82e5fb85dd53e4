// @ts-check
/**
 * The live session: where pictures come from, what is answered, and what is shown of it.
 *
 * Events: `frame` (detail: the server's frame, as it is shown), `active` when it begins or ends,
 * `paused` when it pauses or goes on, `late` when answers begin to come late (detail: by how many
 * milliseconds) or no longer do (null).
 * The connection's own events are on `connection`, the camera's on `camera`.
 */

import { Camera } from "./camera.js";
import { Connection } from "./connection.js";
import { Feeder } from "./feeder.js";
import { preferences, remember } from "./preferences.js";
import { ReceivedPictures } from "./received.js";

/** @typedef {import("./protocol.js").Source} Source */

/** A picture older than this is late, milliseconds. */
const latest = 700;
/** With one under way at a time they come about twice as soon. */
const timely = latest / 2;
const manyLate = 3;

export class LiveSession extends EventTarget {
  connection = new Connection();
  camera;
  feeder;
  received = new ReceivedPictures();
  /** @type {Source | null} */
  source = null;
  isPaused = false;
  #frameRate = 30;
  #shownSequence = -1;
  #awake = /** @type {any} */ (null);

  /**
   * @param {HTMLVideoElement} video
   * @param {import("./stage.js").Stage} stage
   */
  constructor(video, stage) {
    super();
    this.stage = stage;
    this.camera = new Camera(video);
    this.feeder = new Feeder(video, this.connection);
    const { connection } = this;
    const on = (/** @type {string} */ type, /** @type {(detail: any) => void} */ handle) =>
      connection.addEventListener(type, (event) =>
        handle(/** @type {CustomEvent} */ (event).detail));
    on("picture", (picture) => {
      if (!this.isPaused && !document.hidden) this.received.add(picture);
    });
    on("frame", (frame) => this.#answered(frame));
    on("ready", (ready) => this.#ready(ready));
    on("state", ({ state }) => {
      if (state !== "open") this.#forget();
    });
    this.camera.addEventListener("state", () => this.#feed());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#stayAwake();
    });
  }

  get isActive() {
    return this.source !== null;
  }

  get isOwnCamera() {
    return this.source?.kind === "browser";
  }

  /**
   * Whether the picture is mirrored: front cameras and those on a desk, unless wished otherwise.
   */
  get isMirrored() {
    if (!this.isOwnCamera) return preferences.mirrors.server ?? false;
    const { facing } = this.camera;
    return preferences.mirrors[facing] ?? facing !== "environment";
  }

  /** Mirrors the picture, or stops that, for cameras of this kind. */
  toggleMirror() {
    const kind = this.isOwnCamera ? this.camera.facing : "server";
    remember({ mirrors: { ...preferences.mirrors, [kind]: !this.isMirrored } });
    this.stage.mirror(this.isMirrored);
  }

  /**
   * Begins, or goes over to another source of the same session. Throws a CameraProblem.
   *
   * @param {Source} source
   * @param {{settings: object, frameRate: number}} wishes
   */
  async begin(source, { settings, frameRate }) {
    if (source.kind === "browser") {
      const { facing, device } = preferences;
      await this.camera.open({ facing, device, frameRate });
    } else {
      this.camera.close();
    }
    const wasActive = this.isActive;
    this.pause(false);
    this.source = source;
    this.#forget();
    this.#tellSlow(false, 0);
    this.#feed();
    this.stage.start();
    this.#stayAwake();
    if (wasActive) this.connection.send({ type: "source", source });
    else this.connection.start(source, settings);
    this.dispatchEvent(new Event("active"));
  }

  /** Ends; the server keeps the results. */
  end() {
    this.pause(false);
    this.source = null;
    this.connection.stop();
    this.camera.close();
    this.feeder.stop();
    this.received.forget();
    this.stage.stop();
    this.#awake?.release().catch(() => {});
    this.#awake = null;
    this.dispatchEvent(new Event("active"));
  }

  /**
   * Stops looking, or goes on. A source of the server is left meanwhile, so that nothing is
   * counted.
   *
   * @param {boolean} isPaused
   */
  pause(isPaused) {
    if (this.isPaused === isPaused) return;
    this.isPaused = isPaused;
    this.stage.isPaused = isPaused;
    if (this.source?.kind === "server") {
      this.received.forget();
      const source = isPaused ? { kind: "browser" } : this.source;
      this.connection.send({ type: "source", source });
    }
    if (isPaused) this.camera.video.pause();
    else this.camera.video.play().catch(() => {});
    this.#feed();
    this.dispatchEvent(new Event("paused"));
  }

  /** The rear camera instead of the front one, or the next of several; false where there is one. */
  async nextCamera() {
    const didChange = await this.camera.next();
    if (!didChange) return false;
    const { facing, device } = this.camera;
    remember({ device, facing: facing === "environment" ? facing : "user" });
    this.#feed();
    return true;
  }

  #feed() {
    const isFed = this.isOwnCamera && this.camera.isOpen;
    this.stage.live = isFed ? { video: this.camera.video, isMirrored: this.isMirrored } : null;
    if (isFed && !this.isPaused) this.feeder.start();
    else this.feeder.stop();
  }

  /** @param {import("./protocol.js").Ready} ready */
  #ready({ frameRate }) {
    if (!(frameRate > 0)) return;
    this.feeder.frameRate = frameRate;
    if (frameRate === this.#frameRate) return;
    this.#frameRate = frameRate;
    if (this.isOwnCamera) this.camera.setFrameRate(frameRate);
  }

  /** @param {import("./protocol.js").Frame} frame */
  #answered(frame) {
    if (this.isPaused || !this.isActive) return;
    if (!this.isOwnCamera) return this.#showReceived(frame);
    const kept = this.feeder.take(frame.sequence);
    if (!kept) return;
    const { image, time, takenAt } = kept;
    this.dispatchEvent(new CustomEvent("frame", { detail: frame }));
    const age = performance.now() - takenAt;
    this.#judge(age);
    // One late picture alone would jump back: the video has long gone on.
    if (age > latest && !this.#isSlow) return this.feeder.release(image);
    this.stage.show({
      image, width: image.width, height: image.height, frame, isMirrored: this.isMirrored, time,
      release: () => this.feeder.release(image),
    });
  }

  /**
   * Judges by when answers come whether the server is slow. Then one picture is under way at a time,
   * and each is shown however late it comes, until the next.
   *
   * @param {number} age of the picture that is answered, milliseconds
   */
  #judge(age) {
    this.#lateCount = age > latest ? this.#lateCount + 1 : 0;
    this.#tellSlow(this.#isSlow ? age > timely : this.#lateCount >= manyLate, age);
  }
  #lateCount = 0;

  get #isSlow() {
    return this.feeder.isServerSlow;
  }

  /**
   * @param {boolean} isSlow
   * @param {number} age of the picture that tells so, milliseconds
   */
  #tellSlow(isSlow, age) {
    if (isSlow === this.#isSlow) return;
    this.stage.isSlow = isSlow;
    this.feeder.isServerSlow = isSlow;
    this.dispatchEvent(new CustomEvent("late", { detail: isSlow ? age : null }));
  }

  /** @param {import("./protocol.js").Frame} frame */
  async #showReceived(frame) {
    const found = await this.received.take(frame.sequence);
    const isLate = !this.isActive || this.isOwnCamera || frame.sequence < this.#shownSequence;
    if (!found || isLate || this.isPaused) return found?.image.close();
    this.#shownSequence = frame.sequence;
    const { image, arrivedAt } = found;
    // The server's clock is another one: the time that it took is added to ours.
    const time = Math.min(arrivedAt, performance.now() - frame.serverTime);
    this.stage.show({
      image, width: image.width, height: image.height, frame, isMirrored: this.isMirrored, time,
      release: () => image.close(),
    });
    this.dispatchEvent(new CustomEvent("frame", { detail: frame }));
  }

  #forget() {
    this.feeder.forget();
    this.received.forget();
    this.#shownSequence = -1;
  }

  /** Keeps the screen on while somebody exercises in front of it. */
  async #stayAwake() {
    if (!this.isActive || (this.#awake && !this.#awake.released)) return;
    try {
      this.#awake = (await /** @type {any} */ (navigator).wakeLock?.request("screen")) ?? null;
    } catch {
      this.#awake = null;
    }
  }
}

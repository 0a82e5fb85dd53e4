// @ts-check
/**
 * The live session: sends pictures of a source, receives results and shows both on the stage.
 *
 * Events: `frame` when a frame is displayed, `active` when the session starts, ends or has another
 * source, `paused` when it pauses or resumes, `late` when results become late or no longer are
 * (null).
 *
 * @typedef {import("types/live").Frame} Frame
 * @typedef {import("types/live").Source} Source
 * @typedef {{age: number, cause: typeof causes[number]}} Lateness age of the latest
 *   result's picture in milliseconds, and what took most of it
 * @typedef {{frame: Frame, active: null, paused: null, late: Lateness | null}} SessionEvents
 */

import { Camera } from "../shared/camera.js";
import { Connection } from "../shared/connection.js";
import { Emitter } from "../shared/emitter.js";
import { Feeder } from "../shared/feeder.js";
import { preferences, remember } from "../shared/preferences.js";
import { ReceivedPictures } from "./received.js";

/** A result that arrives later than this after its picture is late, milliseconds. */
const lateAfter = 700;
/** With one picture in flight at a time, results arrive about twice as soon. */
const timelyBefore = lateAfter / 2;
/** So many late results in a row are reported. */
const manyLate = 3;
/** What can make them late. */
const causes = /** @type {const} */ (["server", "browser", "network"]);
/** The share of the latest measurement in the mean of the recent ones. */
const lastShare = 0.3;
/** How often the browser's lag is measured, milliseconds. */
const lagInterval = 250;
/** One delay counts as this long at most, so that a single one, as after a computer's sleep, is no report. */
const longestLag = 2000;

/** @extends {Emitter<SessionEvents>} */
export class LiveSession extends Emitter {
  connection = new Connection();
  camera;
  feeder;
  received = new ReceivedPictures();
  /** @type {Source | null} */
  source = null;
  isPaused = false;
  #frameRate = 30;
  #shownSequence = -1;
  /** @type {any} tsc 4.8 does not know wake locks */
  #awake = null;

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
    connection.on("picture", (picture) => {
      if (!this.isPaused && !document.hidden) this.received.add(picture);
    });
    connection.on("frame", (frame) => this.#receive(frame));
    connection.on("ready", (ready) => this.#ready(ready));
    connection.on("state", ({ state }) => {
      if (state !== "open") this.#clear();
    });
    this.camera.on("state", () => this.#feed());
    this.#watchLag();
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

  /** Whether the picture is mirrored: by default, for front cameras and those on a desk. */
  get isMirrored() {
    if (!this.isOwnCamera) return preferences.mirrors.server ?? false;
    const { facing } = this.camera;
    return preferences.mirrors[facing] ?? facing !== "environment";
  }

  /** Turns mirroring on or off for cameras of this kind. */
  toggleMirror() {
    const kind = this.isOwnCamera ? this.camera.facing : "server";
    remember({ mirrors: { ...preferences.mirrors, [kind]: !this.isMirrored } });
    this.stage.mirror(this.isMirrored);
  }

  /**
   * Starts the session, or changes its source. Throws a CameraProblem.
   *
   * @param {Source} source
   * @param {{settings: Partial<import("types/live").Settings>, frameRate: number}} options
   */
  async start(source, { settings, frameRate }) {
    if (source.kind === "browser") {
      const { facing, device } = preferences;
      await this.camera.open({ facing, device, frameRate });
    } else {
      this.camera.close();
    }
    const wasActive = this.isActive;
    this.pause(false);
    this.source = source;
    this.connection.chosenSource = source;
    this.#clear();
    this.#setSlow(null);
    this.#feed();
    this.stage.start();
    this.#stayAwake();
    if (wasActive) this.connection.send({ type: "source", source });
    else this.connection.start(source, settings);
    this.emit("active", null);
  }

  /** Ends the session; the server keeps the results. */
  end() {
    this.pause(false);
    this.source = null;
    this.connection.stop();
    this.camera.close();
    this.feeder.stop();
    this.received.clear();
    this.stage.stop();
    this.#awake?.release().catch(() => {});
    this.#awake = null;
    this.emit("active", null);
  }

  /**
   * Pauses or resumes. While paused, the session has no source of the server, so that nothing is
   * counted.
   *
   * @param {boolean} isPaused
   */
  pause(isPaused) {
    if (this.isPaused === isPaused) return;
    this.isPaused = isPaused;
    this.stage.isPaused = isPaused;
    if (this.source?.kind === "server") {
      this.received.clear();
      this.connection.send({
        type: "source", source: isPaused ? { kind: "browser" } : this.source,
      });
    }
    if (isPaused) this.camera.video.pause();
    else this.camera.video.play().catch(() => {});
    this.#feed();
    this.emit("paused", null);
  }

  /** Changes to the rear or front camera, or the next of several; false if there is only one. */
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

  /** @param {import("types/live").Ready} ready */
  #ready({ frameRate }) {
    if (!(frameRate > 0)) return;
    this.feeder.frameRate = frameRate;
    if (frameRate === this.#frameRate) return;
    this.#frameRate = frameRate;
    if (this.isOwnCamera) this.camera.setFrameRate(frameRate);
  }

  /** @param {Frame} frame */
  #receive(frame) {
    if (this.isPaused || !this.isActive) return;
    if (!this.isOwnCamera) return this.#showReceived(frame);
    const kept = this.feeder.take(frame.sequence);
    if (!kept) return;
    const { image, time, takenAt, sentAt } = kept;
    this.emit("frame", frame);
    const age = performance.now() - takenAt;
    this.#updateSlow(age, { server: frame.serverTime, browser: sentAt - takenAt + this.#lag });
    // A single late picture would jump back behind the live video.
    if (age > lateAfter && !this.#isSlow) return this.feeder.release(image);
    this.stage.show({
      image, width: image.width, height: image.height, frame, isMirrored: this.isMirrored, time,
      release: () => this.feeder.release(image),
    });
  }

  /**
   * Detects late results from the age of their pictures. Then one picture is in flight at a time,
   * and each is shown until the next, however late it is.
   *
   * @param {number} age of the result's picture, milliseconds
   * @param {{server: number, browser: number}} parts what the server and the browser took of it
   */
  #updateSlow(age, { server, browser }) {
    this.#lateCount = age > lateAfter ? this.#lateCount + 1 : 0;
    const parts = { server, browser, network: age - server - browser };
    for (const cause of causes) {
      this.#parts[cause] += lastShare * (parts[cause] - this.#parts[cause]);
    }
    const isSlow = this.#isSlow ? age > timelyBefore : this.#lateCount >= manyLate;
    const [cause] = [...causes].sort((a, b) => this.#parts[b] - this.#parts[a]);
    this.#setSlow(isSlow ? { age, cause } : null);
  }
  #lateCount = 0;
  /** What the latest results took of the server, the browser and the network, milliseconds. */
  #parts = { server: 0, browser: 0, network: 0 };
  /** @type {Lateness["cause"] | null} */
  #cause = null;

  /** Measures how late the browser runs a timer: so late it handles messages as well. */
  #watchLag() {
    let due = performance.now() + lagInterval;
    setInterval(() => {
      const now = performance.now();
      const late = document.hidden ? 0 : Math.min(Math.max(0, now - due), longestLag);
      this.#lag += lastShare * (late - this.#lag);
      due = now + lagInterval;
      // One that is too busy to take pictures has no results that could be late.
      if (this.#lag > lateAfter && this.isOwnCamera && this.isActive && !this.isPaused) {
        this.#setSlow({ age: this.#lag, cause: "browser" });
      }
    }, lagInterval);
  }
  /** How late the browser is of late, milliseconds. */
  #lag = 0;

  get #isSlow() {
    return this.feeder.isSlow;
  }

  /** @param {Lateness | null} lateness */
  #setSlow(lateness) {
    const cause = lateness?.cause ?? null;
    if (cause === this.#cause) return;
    this.#cause = cause;
    this.stage.isSlow = cause !== null;
    this.feeder.isSlow = cause !== null;
    this.emit("late", lateness);
  }

  /** @param {Frame} frame */
  async #showReceived(frame) {
    const found = await this.received.take(frame.sequence);
    const isLate = !this.isActive || this.isOwnCamera || frame.sequence < this.#shownSequence;
    if (!found || isLate || this.isPaused) return found?.image.close();
    this.#shownSequence = frame.sequence;
    const { image, arrivedAt } = found;
    // The server's clock differs: its processing time is subtracted from the page's time.
    const time = Math.min(arrivedAt, performance.now() - frame.serverTime);
    this.stage.show({
      image, width: image.width, height: image.height, frame, isMirrored: this.isMirrored, time,
      release: () => image.close(),
    });
    this.emit("frame", frame);
  }

  #clear() {
    this.feeder.clear();
    this.received.clear();
    this.#shownSequence = -1;
  }

  /** Keeps the screen on during the session. */
  async #stayAwake() {
    if (!this.isActive || (this.#awake && !this.#awake.released)) return;
    try {
      this.#awake = (await /** @type {any} */ (navigator).wakeLock?.request("screen")) ?? null;
    } catch {
      this.#awake = null;
    }
  }
}

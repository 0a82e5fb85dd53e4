// @ts-check
/**
 * The preview of the camera: a live session with a run's model, whose pictures, skeletons and
 * predictions are shown as those of a video are.
 */

import { Camera } from "../shared/camera.js";
import { Connection } from "../shared/connection.js";
import { make, setText } from "../shared/dom.js";
import { Feeder } from "../shared/feeder.js";
import { preferences } from "../shared/preferences.js";
import { drawPerson, fitCanvas } from "../shared/skeleton.js";
import { skeletonChoice } from "./controls.js";
import { skeleton } from "./player.js";
import { lanes, PredictionPanel } from "./prediction.js";
import { messageOf, reported, t } from "./texts.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("types/live").Frame} Frame */
/** @typedef {import("./prediction.js").TimedWindow} TimedWindow */

/** How much the timeline shows, in seconds. */
const shownSeconds = 60;
/** The timeline is drawn at most this often, in milliseconds. */
const drawInterval = 250;
/** How wide the tick of a repetition is, in seconds. */
const tickSeconds = 0.2;

/** What a frame without a prediction stands for. */
const nothing = { status: /** @type {const} */ ("noPerson"), label: null, confidence: 0,
  top: /** @type {[string, number][]} */ ([]) };

export class CameraPreview {
  #video = make("video", { muted: true, playsInline: true, hidden: true });
  #canvas = make("canvas", { "aria-hidden": "true" });
  #state = make("p", { className: "quiet", role: "status", id: "preview-state" },
    t("preview.camera.opening"));
  #panel = new PredictionPanel();
  #timeline = new Timeline();
  #camera = new Camera(this.#video);
  #connection = new Connection({ resumes: false });
  #feeder = new Feeder(this.#video, this.#connection);
  /** The latest picture with its result. */
  #shown = /** @type {{image: HTMLCanvasElement, frame: Frame} | null} */ (null);
  /** The time of the first picture in milliseconds. */
  #began = /** @type {number | null} */ (null);
  /** @type {TimedWindow[]} */
  #windows = [];
  /** @type {{start: number, end: number}[]} */
  #repetitions = [];
  #count = 0;
  element;

  /**
   * @param {import("./types.js").Context} context
   * @param {string} model its id in the live app
   */
  constructor({ wireframe, signal }, model) {
    this.wireframe = wireframe;
    const place = make("div", { className: "player", role: "img",
      "aria-label": t("record.camera") }, this.#video, this.#canvas);
    this.element = make("section", { className: "card preview", id: "camera-preview",
      "aria-label": t("page.preview") },
    make("div", { className: "preview-grid" }, place, this.#panel.element),
    make("div", { className: "row plain" },
      skeletonChoice({ onChange: () => this.#draw() })),
    this.#timeline.element, this.#state);
    new ResizeObserver(() => this.#draw()).observe(place);
    this.#connection.on("frame", (frame) => this.#receive(frame));
    this.#connection.on("error", ({ message, text }) =>
      setText(this.#state, reported("error", text, message)));
    this.#connection.on("state", ({ state, problem, place: line }) => {
      if (state === "open") setText(this.#state, t("preview.camera.on"));
      else if (state === "queued") setText(this.#state, t("preview.camera.waiting", { n: line ?? 1 }));
      else if (problem) setText(this.#state, messageOf(problem));
    });
    this.#connection.on("ready", ({ frameRate }) => {
      if (frameRate > 0) this.#feeder.frameRate = frameRate;
    });
    this.#camera.on("state", ({ problem }) => {
      if (problem) setText(this.#state, messageOf(problem));
    });
    const timer = setInterval(() => this.#drawTimeline(), drawInterval);
    signal.addEventListener("abort", () => {
      clearInterval(timer);
      this.#feeder.stop();
      this.#connection.stop();
      this.#camera.close();
    });
    this.#open(model, signal);
  }

  /**
   * @param {string} model
   * @param {AbortSignal} signal
   */
  async #open(model, signal) {
    const { facing, device } = preferences;
    try {
      await this.#camera.open({ facing, device, frameRate: 30 });
    } catch (error) {
      setText(this.#state, messageOf(error));
      return;
    }
    if (signal.aborted) return this.#camera.close();
    this.#canvas.classList.toggle("mirrored", this.#camera.facing !== "environment");
    this.#connection.start({ kind: "browser" },
      { model, isClassifying: true, isCounting: true, isRecording: false });
    this.#feeder.start();
  }

  /** @param {Frame} frame */
  #receive(frame) {
    const kept = this.#feeder.take(frame.sequence);
    if (!kept) return;
    if (this.#shown) this.#feeder.release(this.#shown.image);
    this.#shown = { image: kept.image, frame };
    this.#draw();
    this.#began ??= kept.time;
    const time = (kept.time - this.#began) / 1000;
    this.#note(time, frame);
    this.#panel.show(this.#windows.at(-1), this.#count);
  }

  /**
   * Adds a result to what is known: to the last window where it has the same labels.
   *
   * @param {number} time in seconds
   * @param {Frame} frame
   */
  #note(time, { action, counts }) {
    const { status, label, confidence, top } = action ?? nothing;
    const last = this.#windows.at(-1);
    const names = (/** @type {TimedWindow | undefined} */ window) =>
      Object.keys(window?.probabilities ?? {}).join();
    const window = { start: last?.end ?? 0, end: time, status, label, confidence,
      probabilities: Object.fromEntries(top) };
    if (last && last.status === status && last.label === label && names(last) === names(window)) {
      Object.assign(last, window, { start: last.start });
    } else this.#windows.push(window);
    const count = Object.values(counts ?? {}).reduce((sum, number) => sum + number, 0);
    if (count > this.#count) this.#repetitions.push({ start: time, end: time + tickSeconds });
    this.#count = Math.max(count, this.#count);
    const first = time - shownSeconds;
    this.#windows = this.#windows.filter(({ end }) => end > first);
    this.#repetitions = this.#repetitions.filter(({ end }) => end > first);
  }

  #drawTimeline() {
    const time = this.#windows.at(-1)?.end ?? 0;
    const origin = Math.max(0, time - shownSeconds);
    const moved = (/** @type {{start: number, end: number}} */ { start, end }) =>
      ({ start: Math.max(0, start - origin), end: end - origin });
    this.#timeline.duration = shownSeconds;
    this.#timeline.show(lanes({
      windows: this.#windows.map((window) => ({ ...window, ...moved(window) })),
      repetitions: this.#repetitions.map(moved),
    }));
    this.#timeline.time = time - origin;
  }

  #draw() {
    const [w, h] = fitCanvas(this.#canvas);
    const context = this.#canvas.getContext("2d");
    if (!context || !this.#shown || w === 0) return;
    const { image, frame } = this.#shown;
    const ratio = image.width / image.height;
    const [fullWidth, fullHeight] = w / h > ratio ? [h * ratio, h] : [w, w / ratio];
    const [x, y] = [(w - fullWidth) / 2, (h - fullHeight) / 2];
    context.fillStyle = "#000";
    context.fillRect(0, 0, w, h);
    if (skeleton.mode !== "alone") context.drawImage(image, x, y, fullWidth, fullHeight);
    if (skeleton.mode === "off") return;
    for (const { id, joints } of frame.persons) {
      const places = joints.map(([left, up, confidence]) => (
        confidence >= this.wireframe.leastConfidence
          ? /** @type {[number, number]} */ ([x + left * fullWidth, y + (1 - up) * fullHeight])
          : null));
      drawPerson(context, this.wireframe, places, { isHighlighted: id === frame.prominent,
        hasCorners: false, side: Math.min(fullWidth, fullHeight) });
    }
  }
}

// @ts-check
/** Pictures of moments in videos with the skeletons on them, made one after the other. */

import { make } from "../shared/dom.js";
import { PoseTrack, retryAfter } from "./poses.js";
import { pause } from "./shell.js";

/** The width of a picture in pixels, and that of a small one in a list. */
const widths = { large: 384, small: 160 };

/** @typedef {{file: string, time: number, canvas: HTMLCanvasElement}} Picture */

export class PictureMaker {
  #video = make("video", { muted: true, preload: "auto", playsInline: true });
  /** @type {Picture[]} */
  #wanted = [];
  /** @type {Map<string, PoseTrack>} */
  #tracks = new Map();
  #isBusy = false;
  #observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const picture = this.#pending.get(target);
      if (!isIntersecting || !picture) continue;
      this.#pending.delete(target);
      this.#observer.unobserve(target);
      this.#want(picture);
    }
  }, { rootMargin: "200px" });
  /** @type {Map<Element, Picture>} */
  #pending = new Map();

  /** @param {import("./types.js").Context} context */
  constructor({ project, wireframe, signal }) {
    this.project = project;
    this.wireframe = wireframe;
    this.signal = signal;
    signal.addEventListener("abort", () => {
      this.#observer.disconnect();
      this.#video.removeAttribute("src");
    });
  }

  /**
   * A canvas that gets its picture when it comes into view.
   *
   * @param {string} file
   * @param {number} time
   * @param {"large" | "small"} [size]
   */
  picture(file, time, size = "large") {
    const width = widths[size];
    const canvas = make("canvas", { className: "picture", width, height: width * 9 / 16,
      "aria-hidden": "true" });
    this.#pending.set(canvas, { file, time, canvas });
    this.#observer.observe(canvas);
    return canvas;
  }

  /** @param {Picture} picture */
  #want(picture) {
    this.#wanted.push(picture);
    this.#work();
  }

  async #work() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let next = this.#wanted.shift(); next && !this.signal.aborted;
      next = this.#wanted.shift()) {
      await this.#make(next);
    }
    this.#isBusy = false;
  }

  /** @param {Picture} picture */
  async #make(picture) {
    const { file, time, canvas } = picture;
    const context = canvas.getContext("2d");
    const { width } = canvas;
    if (!context) return;
    const hasVideo = await this.#seek(file, time);
    const { videoWidth, videoHeight } = this.#video;
    const ratio = hasVideo ? videoWidth / videoHeight : 16 / 9;
    const [w, h] = ratio > 16 / 9 ? [width, width / ratio]
      : [canvas.height * ratio, canvas.height];
    const box = { x: (width - w) / 2, y: (canvas.height - h) / 2, width: w, height: h };
    context.fillStyle = "#000";
    context.fillRect(0, 0, canvas.width, canvas.height);
    if (hasVideo) context.drawImage(this.#video, box.x, box.y, box.width, box.height);
    const track = this.#tracks.get(file) ?? new PoseTrack(this.project, file);
    this.#tracks.set(file, track);
    const isComplete = await track.ready(time);
    track.draw(context, this.wireframe, time, box);
    if (isComplete) return;
    setTimeout(() => {
      if (canvas.isConnected) this.#want(picture);
    }, retryAfter);
  }

  /**
   * Whether the video shows the moment.
   *
   * @param {string} file
   * @param {number} time
   */
  async #seek(file, time) {
    const address = new URL(this.project.mediaAddress(file), location.href).href;
    const event = (/** @type {string} */ name) => new Promise((done) =>
      this.#video.addEventListener(name, () => done(true), { once: true }));
    const failed = event("error").then(() => false);
    if (this.#video.src !== address) {
      this.#video.src = address;
      if (!await Promise.race([event("loadeddata"), failed, pause(8).then(() => false)])) return false;
    }
    const seeked = event("seeked");
    this.#video.currentTime = time + 0.001;
    return Promise.race([seeked, failed, pause(4).then(() => false)]);
  }
}

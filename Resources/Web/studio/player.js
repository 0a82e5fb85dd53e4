// @ts-check
/**
 * Plays a stretch of a video with the skeletons on it, or the skeletons alone on black; pose files
 * and videos that the browser cannot play are played as skeletons.
 */

import { make } from "../shared/dom.js";
import { Emitter } from "../shared/emitter.js";
import { fitCanvas } from "../shared/skeleton.js";
import { PoseTrack } from "./poses.js";
import { t } from "./texts.js";

/**
 * @typedef {"on" | "off" | "alone"} SkeletonMode
 * @typedef {{file: string, start?: number | null, end?: number | null, seconds?: number | null,
 *   kind?: string, playable?: boolean}} Source
 */

/** Files of poses: there is nothing to see but skeletons. */
const poseFile = /\.(npz|jsonl)$/i;

/** How soon missing poses are asked for again, in milliseconds. */
const retryAfter = 1500;

const modeKey = "kinema.studio.skeleton";

/** How skeletons are shown, on all pages. */
export const skeleton = {
  mode: /** @type {SkeletonMode} */ (sessionStorage.getItem(modeKey) ?? "on"),
};

/** @param {SkeletonMode} mode */
export function setSkeleton(mode) {
  skeleton.mode = mode;
  sessionStorage.setItem(modeKey, mode);
}

/** @extends {Emitter<{time: number, state: boolean, load: Source}>} */
export class Player extends Emitter {
  #video = make("video", { playsInline: true, muted: true, preload: "auto", tabIndex: -1 });
  #canvas = make("canvas", { "aria-hidden": "true" });
  #message = make("p", { className: "player-message", role: "status", hidden: true });
  /** @type {PoseTrack | null} */
  #poses = null;
  /** @type {Source | null} */
  source = null;
  #hasVideo = true;
  /** The moment where there is no video, and the time of the page when it was set. */
  #clock = { time: 0, at: 0, isPlaying: false };
  #rate = 1;
  #frame = 0;
  repeats = false;
  /** The part that is played again and again; `null` for none. */
  loop = /** @type {{start: number, end: number} | null} */ (null);
  /** Asks for missing poses until they are there. */
  awaitsPoses = false;
  #retry = 0;
  /** Whether the people are estimated in three dimensions as well. */
  hasBodies = false;
  element = make("div", { className: "player" }, this.#video, this.#canvas, this.#message);

  /**
   * @param {import("./types.js").Context} context
   * @param {string} name for screen readers
   */
  constructor({ project, wireframe, signal }, name) {
    super();
    this.project = project;
    this.wireframe = wireframe;
    this.#video.setAttribute("aria-label", name);
    for (const kind of ["play", "pause", "ended", "seeked", "loadeddata", "timeupdate"]) {
      this.#video.addEventListener(kind, () => this.#changed());
    }
    // A video may end between two frames of the page.
    this.#video.addEventListener("ended", () => {
      if (!this.source || !(this.loop || this.repeats)) return;
      this.seek(this.loop?.start ?? this.start);
      this.play();
    });
    this.#video.addEventListener("error", () => {
      if (!this.source || !this.#hasVideo) return;
      this.#hasVideo = false;
      this.#video.hidden = true;
      this.#clock = { time: this.start, at: performance.now(), isPlaying: false };
      this.#changed();
    });
    new ResizeObserver(() => this.#draw()).observe(this.element);
    signal.addEventListener("abort", () => this.unload());
  }

  /** @param {Source} source */
  load(source) {
    const isSame = this.source?.file === source.file;
    this.source = source;
    if (!isSame || this.#poses?.isMissing) this.reloadPoses();
    if (!isSame) {
      this.#hasVideo = source.kind !== "poses" && source.playable !== false
        && !poseFile.test(source.file);
      this.#video.hidden = !this.#hasVideo;
      if (this.#hasVideo) this.#video.src = this.project.mediaAddress(source.file);
      else this.#video.removeAttribute("src");
    }
    this.pause();
    this.seek(this.start);
    this.#video.playbackRate = this.#rate;
    this.emit("load", source);
  }

  /** Asks for the poses again, after they were extracted. */
  reloadPoses() {
    if (!this.source) return;
    this.#poses = new PoseTrack(this.project, this.source.file, this.hasBodies);
    this.#poses.onLoad = () => this.#received();
    this.#draw();
  }

  #received() {
    this.#draw();
    clearTimeout(this.#retry);
    if (this.awaitsPoses && this.hasMissingPoses) {
      this.#retry = setTimeout(() => this.reloadPoses(), retryAfter);
    }
  }

  /** Waits for the poses of the start, or for the answer that there are none. */
  async posesArrived() {
    await this.#poses?.ready(this.start);
  }

  /** Whether the poses of the video are not extracted yet. */
  get hasMissingPoses() {
    return this.#poses?.isMissing ?? false;
  }

  /** The largest person in three dimensions at the moment that is shown, with its time. */
  get body() {
    const frame = this.#poses?.frame(this.time);
    return frame ? { time: frame.time, body: frame.body } : null;
  }

  unload() {
    this.source = null;
    this.#poses = null;
    clearTimeout(this.#retry);
    cancelAnimationFrame(this.#frame);
    this.#video.pause();
    this.#video.removeAttribute("src");
    this.#video.load();
  }

  get start() {
    return this.source?.start ?? 0;
  }

  /** The end of the stretch in seconds. */
  get end() {
    const { start, end, seconds } = this.source ?? {};
    if (end != null) return end;
    if (this.#hasVideo && Number.isFinite(this.#video.duration)) return this.#video.duration;
    return (start ?? 0) + (seconds ?? 0);
  }

  get time() {
    if (this.#hasVideo) return this.#video.currentTime;
    const { time, at, isPlaying } = this.#clock;
    return isPlaying
      ? Math.min(this.end, time + (performance.now() - at) / 1000 * this.#rate) : time;
  }

  get isPlaying() {
    return this.#hasVideo ? !this.#video.paused : this.#clock.isPlaying;
  }

  /** @param {number} rate */
  set rate(rate) {
    if (!this.#hasVideo) this.#clock = { ...this.#clock, time: this.time, at: performance.now() };
    this.#rate = rate;
    this.#video.playbackRate = rate;
  }

  get rate() {
    return this.#rate;
  }

  /** Draws the skeletons again, after their mode has changed. */
  redraw() {
    this.#draw();
  }

  /** @param {number} time in seconds, kept within the stretch */
  seek(time) {
    const last = this.end > this.start ? this.end : Infinity;
    const moment = Math.min(last, Math.max(this.start, time));
    if (this.#hasVideo) this.#video.currentTime = moment;
    else this.#clock = { ...this.#clock, time: moment, at: performance.now() };
    this.#changed();
  }

  play() {
    if (this.time >= this.end - 0.03) this.seek(this.start);
    if (this.#hasVideo) this.#video.play().catch(() => {});
    else this.#clock = { time: this.time, at: performance.now(), isPlaying: true };
    this.#changed();
  }

  pause() {
    if (this.#hasVideo) this.#video.pause();
    else this.#clock = { time: this.time, at: performance.now(), isPlaying: false };
    this.#changed();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  #changed() {
    this.#draw();
    this.emit("state", this.isPlaying);
    this.emit("time", this.time);
    cancelAnimationFrame(this.#frame);
    if (this.isPlaying) this.#frame = requestAnimationFrame(() => this.#advance());
  }

  #advance() {
    if (!this.source) return;
    if (this.loop && (this.time >= this.loop.end || this.time < this.loop.start - 0.5)) {
      this.seek(this.loop.start);
      return this.play();
    }
    if (this.time >= this.end - 0.01) {
      if (this.repeats) {
        this.seek(this.start);
        return this.play();
      }
      this.pause();
      return;
    }
    this.#draw();
    this.emit("time", this.time);
    if (this.isPlaying) this.#frame = requestAnimationFrame(() => this.#advance());
  }

  #draw() {
    const [w, h] = fitCanvas(this.#canvas, this.element);
    const context = this.#canvas.getContext("2d");
    if (!context || !this.#poses || w === 0) return;
    // Nothing is hidden for skeletons that are not there yet.
    const isAlone = skeleton.mode === "alone" && !this.#poses.isMissing || !this.#hasVideo;
    context.clearRect(0, 0, w, h);
    if (isAlone) {
      context.fillStyle = "#000";
      context.fillRect(0, 0, w, h);
    }
    const { videoWidth, videoHeight } = this.#video;
    const ratio = this.#hasVideo && videoWidth > 0 ? videoWidth / videoHeight : 16 / 9;
    const [fullWidth, fullHeight] = w / h > ratio ? [h * ratio, h] : [w, w / ratio];
    if (skeleton.mode !== "off" || !this.#hasVideo) {
      this.#poses.draw(context, this.wireframe, this.time,
        { x: (w - fullWidth) / 2, y: (h - fullHeight) / 2, width: fullWidth, height: fullHeight });
    }
    this.#message.hidden = !this.#poses.isMissing || skeleton.mode === "off";
    if (!this.#message.hidden) {
      this.#message.textContent = t(this.awaitsPoses ? "player.extracting" : "player.missing");
    }
  }
}

// @ts-check
/**
 * Records how a move is done, as a take for Studio: the poses of the person who is followed, as a pose file
 * (docs/pose.md), how often it was done, and a small picture. No picture leaves the page.
 */

import { byId, make } from "../shared/dom.js";

/** What is drawn of a take, pixels. */
const thumbnail = { width: 160, height: 120 };

/**
 * @typedef {import("types/live").Frame} Frame
 * @typedef {{label: string, file: File, picture: HTMLCanvasElement}} Recorded
 */

export class TakeRecorder {
  /** How often the move was done since the recording began: what each set had then, and has now. */
  /** @type {Map<number, {first: number, now: number}> | null} */
  #sets = null;
  /** The set under way in the newest frame. */
  /** @type {Frame["set"] | null} */
  #set = null;
  /** The lines of the pose file. */
  /** @type {string[]} */
  #lines = [];
  /** @type {HTMLCanvasElement} */
  #picture = make("canvas");
  /** The names of a body's joints, in the order of the server's poses. */
  /** @type {string[]} */
  joints = [];

  /** Begins with what is done from now on. */
  begin() {
    const before = Math.floor(this.#set?.repetitions ?? 0);
    this.#sets = new Map(this.#set ? [[this.#set.id, { first: before, now: before }]] : []);
    this.#lines = [];
    this.keepPicture();
  }

  /**
   * Ends it; what was recorded since it began.
   *
   * @param {string} label
   * @returns {Recorded}
   */
  end(label) {
    this.#sets = null;
    const stamp = new Date().toISOString().slice(0, 19).replace(/[-:T]/g, "");
    const name = `${label.replace(/[^\p{L}\p{N}_-]+/gu, "-")}-${stamp}.jsonl`;
    return { label, picture: this.#picture, file: new File(this.#lines, name, { type: "application/jsonl" }) };
  }

  /** Ends it without a take. */
  cancel() {
    this.#sets = null;
  }

  /**
   * Keeps the poses of the person who is followed, as a line of the file, and counts.
   *
   * @param {Frame} frame
   */
  take({ time, width, height, persons, prominent, set }) {
    this.#set = set ?? null;
    if (!this.#sets) return;
    const person = persons.find(({ id }) => id === prominent);
    const joints = person?.joints.map((joint, index) => [this.joints[index], joint])
      .filter(([, joint]) => Number(joint?.[2]) > 0);
    this.#lines.push(`${JSON.stringify({
      frame: this.#lines.length, time: time / 1000, size: [width, height],
      persons: person && joints
        ? [{ id: person.id, confidence: person.confidence, joints: Object.fromEntries(joints) }] : [],
    })}\n`);
    if (!set) return;
    const { first = 0, now = 0 } = this.#sets.get(set.id) ?? {};
    this.#sets.set(set.id, { first, now: Math.max(now, Math.floor(set.repetitions)) });
  }

  /** How often the move was done since the recording began. */
  get done() {
    return [...this.#sets?.values() ?? []].reduce((sum, { first, now }) => sum + Math.max(0, now - first), 0);
  }

  /** Has the take show the stage as it is now. */
  keepPicture() {
    const stage = /** @type {HTMLCanvasElement} */ (byId("stage"));
    const canvas = make("canvas", { width: thumbnail.width, height: thumbnail.height });
    const scale = Math.max(canvas.width / (stage.width || 1), canvas.height / (stage.height || 1));
    const [width, height] = [stage.width * scale, stage.height * scale];
    canvas.getContext("2d")?.drawImage(stage, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
    this.#picture = canvas;
  }
}

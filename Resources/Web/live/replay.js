// @ts-check
/**
 * On a cue, the last repetition is shown once more beside the best one of the exercise, with the joint in question
 * glowing; then it is gone.
 */

import { BodyView } from "../shared/body.js";
import { byId, make, setText } from "../shared/dom.js";
import { t } from "./texts.js";

/** @typedef {import("types/live").Frame} Frame */
/** @typedef {import("types/live").Form} Form */
/** @typedef {{time: number, joints: [number, number][], known: boolean[]}} Moment in body coordinates: the middle of the
 *   hips is the origin, one is the length of the trunk, y up */
/** @typedef {{label: string, moments: Moment[], score: number}} Repetition */

/** How long a repetition is shown, and until how long after it that is of use, seconds. */
const times = { shown: 2, repeats: 2, memory: 25 };
/** How often it is drawn, times a second: each time the browser blends all that lies over the picture. */
const drawnRate = 15;
/** The least confidence of a joint that is drawn. */
const leastConfidence = 0.2;
/** How much is seen from top to bottom, and what is at the middle of that, in lengths of the trunk above the hips. */
const [extent, middle] = [4.4, 0.088];
const colors = { last: "#ffb347", best: "#57e2a5" };

export class Replay {
  #card = byId("replay-card");
  #canvas = make("canvas", { id: "replay-view", role: "img" });
  #last = make("span", { className: "replay-last" });
  #best = make("span", { className: "replay-best" });
  /** @type {{person: number, moment: Moment}[]} */
  #recent = [];
  /** @type {Repetition | null} */
  #top = null;
  #timer = 0;
  #isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  #view = new BodyView(this.#canvas);
  /** Whether it is shown on a cue. */
  isOn = true;

  constructor() {
    this.#card.append(this.#canvas, make("p", {}, this.#last, this.#best));
    this.#canvas.setAttribute("aria-label", t("replay.view"));
  }

  /** @param {import("types/live").Wireframe} wireframe */
  set wireframe(wireframe) {
    this.#view.wireframe = wireframe;
  }

  /** @param {boolean} isMirrored */
  set isMirrored(isMirrored) {
    this.#view.isMirrored = isMirrored;
  }

  /**
   * Remembers the person who is followed.
   *
   * @param {Frame} frame
   */
  take({ time, persons, prominent, width, height }) {
    const now = time / 1000;
    const person = persons.find(({ id }) => id === prominent);
    const joints = this.#view.wireframe?.joints;
    if (this.#recent.length > 0 && this.#recent[this.#recent.length - 1].moment.time >= now) this.#recent = [];
    this.#recent = this.#recent.filter(({ moment }) => now - moment.time <= times.memory);
    if (!person || !joints || person.joints.length !== joints.length) return;
    const at = (/** @type {string} */ name) => {
      const [x, y] = person.joints[joints.findIndex((joint) => joint.name === name)];
      return [x * width / height, y];
    };
    const right = at("rightHip");
    const hips = at("leftHip").map((value, axis) => (value + right[axis]) / 2);
    const trunk = Math.hypot(...at("neck").map((value, axis) => value - hips[axis]));
    if (!(trunk > 0.01)) return;
    this.#recent.push({ person: person.id, moment: {
      time: now, known: person.joints.map(([, , confidence]) => confidence >= leastConfidence),
      joints: person.joints.map(([x, y]) => [(x * width / height - hips[0]) / trunk, (y - hips[1]) / trunk]),
    } });
  }

  /**
   * Takes the form of a repetition; one with a cue is shown, one without a fault may be the best.
   *
   * @param {Form} form
   */
  measure({ label, verdict, range, ago, cue, focus }) {
    const newest = this.#recent[this.#recent.length - 1];
    if (!newest) return;
    const [from, to] = ago.map((seconds) => newest.moment.time - seconds);
    const moments = this.#recent.filter(({ person, moment }) => person === newest.person
      && moment.time >= from && moment.time <= to).map(({ moment }) => moment);
    if (moments.length < 4) return;
    if (this.#top?.label !== label) this.#top = null;
    const repetition = { label, moments, score: range ?? 0 };
    if (verdict === "good" && repetition.score >= (this.#top?.score ?? 0)) this.#top = repetition;
    if (cue && this.isOn && !this.#isCalm.matches) this.#show(repetition, focus ?? null);
  }

  /** Ends what is shown. */
  end() {
    clearTimeout(this.#timer);
    this.#card.hidden = true;
  }

  /** Forgets everything, for another source. */
  reset() {
    this.end();
    [this.#recent, this.#top] = [[], null];
  }

  /**
   * @param {Repetition} last
   * @param {string | null} focus
   */
  #show(last, focus) {
    const best = this.#top;
    this.#card.hidden = false;
    setText(this.#last, t("replay.last"));
    setText(this.#best, best ? t("replay.best") : "");
    const begun = performance.now();
    const draw = () => {
      const seconds = (performance.now() - begun) / 1000;
      if (seconds >= times.shown * times.repeats) return this.end();
      const share = (seconds / times.shown) % 1;
      const context = this.#view.begin();
      if (context) {
        this.#person(context, last, share, { across: best ? 0.25 : 0.5, focus, color: colors.last });
        if (best) this.#person(context, best, share, { across: 0.75, focus, color: colors.best });
      }
      this.#timer = setTimeout(draw, 1000 / drawnRate);
    };
    clearTimeout(this.#timer);
    draw();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Repetition} repetition
   * @param {number} share of the repetition, from 0 to 1
   * @param {{across: number, focus: string | null, color: string}} shown where the person is, across, and the joint in
   *   question with its colour
   */
  #person(context, { moments }, share, { across, focus, color }) {
    const { height, wireframe } = this.#view;
    const start = moments[0].time;
    const time = start + share * (moments[moments.length - 1].time - start);
    const moment = moments.find((other) => other.time >= time) ?? moments[moments.length - 1];
    this.#view.look = { scale: height / extent, middle, across };
    const points = this.#view.draw(moment.joints.map((place, index) => (moment.known[index] ? place : null)),
      0.8 * height);
    if (!focus) return;
    wireframe?.joints.forEach(({ name }, index) => {
      const point = points[index];
      if (!point || !name.toLowerCase().endsWith(focus)) return;
      context.beginPath();
      context.arc(...point, height * 0.05, 0, 2 * Math.PI);
      context.strokeStyle = color;
      context.lineWidth = height * 0.014;
      context.shadowColor = color;
      context.shadowBlur = height * 0.06;
      context.stroke();
      context.shadowBlur = 0;
    });
  }
}

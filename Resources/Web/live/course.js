// @ts-check
/**
 * What the page shows of the prominent person, in three states: ready, at work, and at rest between sets.
 *
 * A set is shown by the name that the evidence of all of it gives, with repetitions or a time that never fall; what
 * single windows say is a detail.
 *
 * @typedef {import("types/live").Frame} Frame
 * @typedef {import("types/live").TrainedSet} TrainedSet
 * @typedef {"ready" | "working" | "rest"} CourseState
 * @typedef {{state: CourseState, title: string, status: string, label: string | null, set: number | null,
 *   count: number | null, number: string, unit: string, line: string, spoken: string}} View
 *   `label` is that of the exercise, `count` its repetitions, null where it has none; `number` is what is shown
 *   large, `line` what is below the title, and `spoken` what screen readers announce
 */

import { clock, words } from "../shared/format.js";
import { actionText, named, t } from "./texts.js";

/** For how long somebody who works may be out of sight, seconds: as long as the server still takes it for a set. */
const absence = 1.5;
/** So many repetitions without a name are shown: a single movement is rather no exercise. */
const leastUnnamed = 2;
/** For how long a rest is shown, seconds. */
const longestRest = 600;
/** For how long another name of a set is said, seconds. */
const revisionShown = 6;
/** For how long a posture lasts that is shown, seconds. */
const steadyFor = 1;

export class Course {
  /** @type {{id: number, at: number} | null} the set that is shown, and when it was last there */
  #set = null;
  /** @type {View | null} */
  #working = null;
  /** @type {{duration: number, sets: TrainedSet[]}} */
  #summary = { duration: 0, sets: [] };
  /** @type {{text: string, set: number, until: number} | null} */
  #revision = null;
  #now = 0;
  #posture = { kind: "", since: 0, shown: "" };
  /** Whether the model is of hands. */
  isOfHands = false;
  /** Whether the model knows exercises, which have sets. */
  hasExercises = true;

  /** The state before the first frame of a source. */
  reset() {
    this.#set = this.#working = this.#revision = null;
    this.#posture = { kind: "", since: 0, shown: "" };
  }

  /** @param {import("types/live").Summary} summary */
  take({ duration, sets }) {
    this.#summary = { duration, sets };
  }

  /**
   * Takes that a set has another name; returns what is said of it.
   *
   * @param {import("types/live").SetRevised} revision
   */
  revise({ set, joined, text, repetitions }) {
    if (repetitions < 1) return "";
    const said = t("set.revised", { n: repetitions, text });
    this.#revision = { text: said, set: joined ?? set, until: this.#now + revisionShown };
    return said;
  }

  /**
   * @param {Frame} frame
   * @returns {View}
   */
  view(frame) {
    this.#tick(frame);
    const { action, activity, set, prominent } = frame;
    if (!action && !set && !activity) return this.#counting(frame);
    const isSet = set && (activity ?? "set") === "set"
      && (set.label !== null || set.kind === "timed" || set.repetitions >= leastUnnamed);
    if (isSet) return this.#work(set, frame);
    if (this.#working && this.#set && prominent === null && this.#now - this.#set.at <= absence) {
      return this.#working;
    }
    this.#working = null;
    if (!this.hasExercises && (action?.status === "action" || action?.status === "lowConfidence")) {
      return this.#window(frame);
    }
    return this.#rest() ?? this.#ready(frame);
  }

  /** @param {Frame} frame */
  #tick({ time, persons, prominent }) {
    const now = time / 1000;
    if (now < this.#now) this.reset();
    this.#now = now;
    const kind = persons.find(({ id }) => id === prominent)?.posture?.kind ?? "";
    if (kind !== this.#posture.kind) Object.assign(this.#posture, { kind, since: now });
    if (now - this.#posture.since >= steadyFor) this.#posture.shown = kind;
  }

  /**
   * @param {import("types/live").CurrentSet} set
   * @param {Frame} frame
   */
  #work({ id, label, kind, repetitions, seconds }, { tempo }) {
    this.#set = { id, at: this.#now };
    // Without a name repetitions belong to nothing yet: they appear with it.
    if (label === null) {
      const title = t("activity.unnamed");
      this.#working = {
        state: "working", title, status: "unnamed", label, set: null, count: null, number: "", unit: "", line: "",
        spoken: title,
      };
      return this.#working;
    }
    const isTimed = kind === "timed";
    const count = Math.floor(repetitions);
    const title = words(label);
    const place = this.#summary.sets.filter((other) => !other.target && other.label === label).length;
    const line = this.#revision?.set === id && this.#now <= this.#revision.until ? this.#revision.text
      : [place > 1 && t("set.number", { set: place }),
        tempo && count > 1 && !isTimed && t("panel.tempo", { n: Math.round(tempo) })].filter(Boolean).join(" · ");
    this.#working = {
      state: "working", title, status: "action", label, set: id,
      count: isTimed ? null : count, number: isTimed ? clock(seconds) : String(count),
      unit: isTimed ? t("panel.held") : t("panel.unit", { n: count }), line,
      spoken: isTimed || count < 1 ? title : `${title}, ${t("repetitions", { n: count })}`,
    };
    return this.#working;
  }

  /** The rest since the last set and what that was, unless a challenge shows it; null without one. */
  #rest() {
    const { duration, sets } = this.#summary;
    const last = sets.reduce((/** @type {TrainedSet | null} */ latest, set) =>
      (latest && latest.end > set.end ? latest : set), null);
    if (!last || last.target) return null;
    const since = duration - last.end;
    if (since > longestRest) return null;
    const number = sets.filter(({ label, target }) => !target && label === last.label).length;
    const result = t("set.result", { set: number, result: resultOf(last), text: words(last.label) });
    return {
      state: /** @type {const} */ ("rest"), title: t("activity.rest"), status: "ready", label: null, set: null,
      count: null, number: clock(since), unit: t("panel.rest"), line: result,
      spoken: `${t("activity.rest")}. ${result}`,
    };
  }

  /** @param {Frame} frame */
  #ready({ action, prominent }) {
    const isAlone = prominent === null;
    const title = action?.status === "startingUp" ? t("action.startingUp") : t("activity.ready");
    const line = isAlone ? t(this.isOfHands ? "seen.noHand" : "seen.nobody")
      : this.#posture.shown ? named("posture", this.#posture.shown) : "";
    return {
      state: /** @type {const} */ ("ready"), title, status: action?.status === "startingUp" ? "startingUp" : "ready",
      label: null, set: null, count: null, number: "", unit: "", line,
      spoken: isAlone ? line : title,
    };
  }

  /**
   * What the newest window says, for models without exercises.
   *
   * @param {Frame} frame
   */
  #window({ action, count, countedLabel }) {
    const label = action?.label ?? null;
    const isCounted = label !== null && label === countedLabel && count >= 1;
    const title = actionText(action);
    const number = isCounted ? Math.floor(count) : null;
    return {
      state: /** @type {CourseState} */ (label === null ? "ready" : "working"), title, status: action?.status ?? "none",
      label, set: null, count: number, number: number === null ? "" : String(number),
      unit: number === null ? "" : t("panel.unit", { n: number }), line: "",
      spoken: number === null ? title : `${title}, ${t("repetitions", { n: number })}`,
    };
  }

  /**
   * Repetitions of everything, without a model.
   *
   * @param {Frame} frame
   */
  #counting({ count, tempo }) {
    const number = Math.floor(count);
    return {
      state: /** @type {const} */ ("working"), title: t("panel.counting"), status: "action", label: null, set: null,
      count: number, number: String(number), unit: t("panel.unit", { n: number }),
      line: tempo ? t("panel.tempo", { n: Math.round(tempo) }) : "",
      spoken: number < 1 ? t("panel.counting") : t("repetitions", { n: number }),
    };
  }
}

/**
 * What was reached in a set: repetitions, or a time.
 *
 * @param {Pick<TrainedSet, "repetitions" | "seconds">} set
 */
export function resultOf({ repetitions, seconds }) {
  return repetitions > 0 ? t("repetitions", { n: repetitions }) : clock(seconds);
}

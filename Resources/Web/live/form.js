// @ts-check
/**
 * The form of the last repetition: range, tempo and symmetry, large, and one cue at a time, shown and
 * spoken.
 */

import { byId, make, setText } from "../shared/dom.js";
import { degrees, number } from "../shared/format.js";
import { cueText, labelText } from "../shared/language.js";
import { named, t } from "./texts.js";

/** For how long a cue is shown, and how long it waits for the set that it is of to be shown, milliseconds. */
const cueTimes = { shown: 6_000, waits: 3_000 };

/** @param {number | null | undefined} value seconds */
const seconds = (value) => value == null ? t("none") : number(value, 1);

/** @typedef {import("types/live").Form} Form */
/**
 * Angles in degrees, times in seconds.
 *
 * @typedef {Partial<Pick<Form, "joint" | "bottom" | "top" | "range" | "down" | "hold" | "up"
 *   | "difference" | "isOneSided">>} FormValues
 */

/** @typedef {"range" | "tempo" | "symmetry"} FormKey */

/** The values of each part of the form. */
const parts = /** @type {const} */ ({
  range: ["joint", "bottom", "top", "range"], tempo: ["down", "hold", "up"],
  symmetry: ["difference", "isOneSided"],
});

/** @param {FormValues} values */
function measured({ joint, bottom, top, range, down, up, difference, isOneSided }) {
  return {
    range: Boolean(joint && range != null && bottom != null && top != null),
    tempo: down != null || up != null, symmetry: difference != null || Boolean(isOneSided),
  };
}

/**
 * Range, tempo and symmetry with their details, as far as they are measured.
 *
 * @param {FormValues} values
 * @param {(key: FormKey) => string} missing what stands beside a value that is not known
 * @returns {{name: string, value: string, detail: string}[]}
 */
export function formValues(values, missing) {
  const { joint, bottom, top, range, down, hold, up, difference } = values;
  const has = measured(values);
  const unknown = (/** @type {FormKey} */ key) => ({ value: t("none"), detail: missing(key) });
  return [
    { name: t("form.range"), ...(has.range ? { value: degrees(range ?? 0), detail: t("form.joint",
      { joint: named("angle", joint ?? ""), bottom: degrees(bottom ?? 0), top: degrees(top ?? 0) }) }
      : unknown("range")) },
    { name: t("form.tempo"), ...(has.tempo
      ? { value: [down, hold, up].map(seconds).join("\u2009·\u2009"), detail: t("form.times") }
      : unknown("tempo")) },
    { name: t("form.symmetry"), ...(difference != null
      ? { value: degrees(difference), detail: t("form.sides") }
      : has.symmetry ? { value: t("none"), detail: t("form.oneSided") } : unknown("symmetry")) },
  ];
}

/**
 * What to do for a value to be seen from the camera's place.
 *
 * @param {FormKey} key
 * @param {Form["view"]} view
 */
function advice(key, view) {
  if (key === "range" && view === "front") return t("form.turn");
  if (key === "symmetry" && (view === "side" || view === "oblique")) return t("form.face");
  return t("set.unmeasured");
}

/** Shows the form of the set under way, and vanishes with it. */
export class FormCard {
  #card = byId("form-card");
  #title = make("h2");
  #cue = make("p", { id: "form-cue", role: "status" });
  #values = make("dl", { className: "form-values" });
  #number = 0;
  #timer = 0;
  /** The newest form, with the last measured values of its exercise. */
  /** @type {Form | null} */
  #form = null;
  /** A cue that has not been given. */
  /** @type {{text: string, label: string, until: number} | null} */
  #waiting = null;
  /** The exercise that the page shows. */
  /** @type {string | null} */
  #label = null;
  /** Whether cues are spoken, or sounded where there is no voice. */
  speaks = true;

  /**
   * @param {import("./voice.js").Voice} voice
   * @param {import("../shared/sounds.js").Sounds} sounds
   */
  constructor(voice, sounds) {
    this.voice = voice;
    this.sounds = sounds;
    this.#card.append(this.#title, this.#cue, this.#values);
  }

  /**
   * Takes the form of a repetition. A value that is not measured in it stays as it was.
   *
   * @param {Form} form
   */
  update(form) {
    const last = this.#form?.label === form.label ? this.#form : null;
    const has = measured(form);
    const kept = { ...form };
    for (const key of /** @type {FormKey[]} */ (Object.keys(parts))) {
      if (last && !has[key]) Object.assign(kept, pick(last, parts[key]));
    }
    this.#form = kept;
    if (form.number !== this.#number && form.cue) {
      this.#waiting = { text: form.cue, label: form.label, until: performance.now() + cueTimes.waits };
    }
    this.#number = form.number;
    this.#show();
  }

  /**
   * Follows the set that the page shows.
   *
   * @param {import("./course.js").View} view
   */
  follow({ state, label }) {
    const shown = state === "working" ? label : null;
    if (shown === this.#label && !this.#waiting) return;
    if (shown !== this.#label) this.#endCue();
    this.#label = shown;
    this.#show();
  }

  /** Hides the card, for another source or session. */
  reset() {
    this.#number = 0;
    this.#form = this.#waiting = this.#label = null;
    this.#endCue();
    this.#show();
  }

  #show() {
    const form = this.#form?.label === this.#label ? this.#form : null;
    this.#card.hidden = !form;
    document.body.classList.toggle("has-form", form !== null);
    if (!form) return;
    setText(this.#title, t("form.title",
      { action: labelText(form.label, form.text) ?? form.text }));
    this.#values.replaceChildren(...formValues(form, (key) => advice(key, form.view))
      .map(({ name, value, detail }) =>
        make("div", { className: value === t("none") ? "unseen" : "" }, make("dt", {}, name),
          make("dd", {}, value), make("dd", { className: "detail" }, detail))));
    const waiting = this.#waiting;
    if (waiting?.label !== form.label) return;
    this.#waiting = null;
    if (performance.now() <= waiting.until) this.#give(cueText(waiting.text));
  }

  /** @param {string} cue */
  #give(cue) {
    setText(this.#cue, cue);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#endCue(), cueTimes.shown);
    if (this.speaks && !this.voice.add(cue)) this.sounds.play("cue");
  }

  #endCue() {
    clearTimeout(this.#timer);
    setText(this.#cue, "");
  }
}

/**
 * @template {object} Values
 * @template {keyof Values} Key
 * @param {Values} values
 * @param {readonly Key[]} keys
 */
function pick(values, keys) {
  return Object.fromEntries(keys.map((key) => [key, values[key]]));
}

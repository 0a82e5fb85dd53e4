// @ts-check
/**
 * The form of the last repetition: range, tempo and symmetry, large, and one cue at a time, shown and
 * spoken.
 */

import { byId, make, setText } from "../shared/dom.js";
import { degrees } from "../shared/format.js";
import { named, t } from "./texts.js";

/** For how long a repetition and a cue are shown, milliseconds. */
const shownFor = { form: 20_000, cue: 6_000 };

/** @param {number | null | undefined} value seconds */
const seconds = (value) => value?.toFixed(1) ?? t("none");

/** @typedef {import("types/live").Form} Form */
/**
 * Angles in degrees, times in seconds.
 *
 * @typedef {Partial<Pick<Form, "joint" | "bottom" | "top" | "range" | "down" | "hold" | "up"
 *   | "difference" | "isOneSided">>} FormValues
 */

/**
 * Range, tempo and symmetry with their details, as far as they can be seen.
 *
 * @param {FormValues} values
 * @param {string} missing what stands for a value that is not known
 * @returns {{name: string, value: string, detail: string}[]}
 */
export function formValues(values, missing = t("form.unseen")) {
  const { joint, bottom, top, range, down, hold, up, difference, isOneSided } = values;
  const unknown = { value: t("none"), detail: missing };
  const isBent = joint && range != null && bottom != null && top != null;
  const isTimed = down != null || up != null;
  return [
    { name: t("form.range"), ...(isBent ? { value: degrees(range), detail: t("form.joint",
      { joint: named("angle", joint), bottom: degrees(bottom), top: degrees(top) }) } : unknown) },
    { name: t("form.tempo"), ...(isTimed
      ? { value: [down, hold, up].map(seconds).join("\u2009·\u2009"), detail: t("form.times") }
      : unknown) },
    { name: t("form.symmetry"), ...(difference != null
      ? { value: degrees(difference), detail: t("form.sides") }
      : isOneSided ? { value: t("none"), detail: t("form.oneSided") } : unknown) },
  ];
}

export class FormCard {
  #card = byId("form-card");
  #title = make("h2");
  #cue = make("p", { id: "form-cue", role: "status" });
  #values = make("dl", { className: "form-values" });
  #number = 0;
  #timers = { form: 0, cue: 0 };
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

  /** @param {Form} form */
  update(form) {
    const isNew = form.number !== this.#number;
    this.#number = form.number;
    setText(this.#title, t("form.title", { action: form.text }));
    this.#values.replaceChildren(...formValues(form).map(({ name, value, detail }) =>
      make("div", { className: value === t("none") ? "unseen" : "" }, make("dt", {}, name),
        make("dd", {}, value),
        make("dd", { className: "detail" }, detail))));
    this.#show(true);
    if (isNew && form.cue) this.#give(form.cue);
  }

  /** @param {string} cue */
  #give(cue) {
    setText(this.#cue, cue);
    clearTimeout(this.#timers.cue);
    this.#timers.cue = setTimeout(() => setText(this.#cue, ""), shownFor.cue);
    if (this.speaks && !this.voice.add(cue)) this.sounds.play("cue");
  }

  /** Hides the card, for another source or session. */
  reset() {
    this.#number = 0;
    setText(this.#cue, "");
    this.#show(false);
  }

  /** @param {boolean} isShown */
  #show(isShown) {
    this.#card.hidden = !isShown;
    document.body.classList.toggle("has-form", isShown);
    clearTimeout(this.#timers.form);
    if (isShown) this.#timers.form = setTimeout(() => this.#show(false), shownFor.form);
  }
}

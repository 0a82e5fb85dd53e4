// @ts-check
/**
 * The form of the last repetition: range, tempo and symmetry, large, and one cue at a time, shown and
 * spoken.
 */

import { byId, make, setText } from "./dom.js";
import { texts } from "./texts.js";

/** For how long a repetition and a cue are shown, milliseconds. */
const shownFor = { form: 20_000, cue: 6_000 };

/** @typedef {import("./protocol.js").Form} Form */
/** @typedef {import("./protocol.js").FormValues} FormValues */

/**
 * Range, tempo and symmetry with their details, as far as they can be seen.
 *
 * @param {FormValues} values
 * @param {string} missing what stands for a value that is not known
 * @returns {{name: string, value: string, detail: string}[]}
 */
export function formValues(values, missing = texts.unseen) {
  const { joint, bottom, top, range, down, hold, up, difference, isOneSided } = values;
  const { form, none } = texts;
  const unknown = { value: none, detail: missing };
  const isBent = joint && range != null && bottom != null && top != null;
  const isTimed = down != null || up != null;
  return [
    { name: form.range, ...(isBent
      ? { value: form.degrees(range), detail: form.joint(joint, bottom, top) } : unknown) },
    { name: form.tempo, ...(isTimed
      ? { value: form.times(down, hold, up), detail: form.timesDetail } : unknown) },
    { name: form.symmetry, ...(difference != null
      ? { value: form.degrees(difference), detail: form.sides }
      : isOneSided ? { value: none, detail: form.oneSided } : unknown) },
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
   * @param {import("./sounds.js").Sounds} sounds
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
    setText(this.#title, texts.form.title(form.text));
    this.#values.replaceChildren(...formValues(form).map(({ name, value, detail }) =>
      make("div", { className: value === texts.none ? "unseen" : "" }, make("dt", {}, name),
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

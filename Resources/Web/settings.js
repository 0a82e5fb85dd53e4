// @ts-check
/** The settings: each change takes effect at once and is remembered. */

import { byId, make, openDialog } from "./dom.js";
import { percent } from "./format.js";
import { ModelChooser } from "./models.js";
import { preferences, remember, rememberSettings } from "./preferences.js";

/** @typedef {import("./protocol.js").Settings} Settings */

/** What the server does where nothing is said. */
export const defaults = Object.freeze(/** @type {Settings} */ ({
  model: "Exercise", isClassifying: true, isCounting: true, countsPairs: false, ignoredJoints: [],
  confidenceThreshold: null, stride: null, maximumPersonCount: 2, isRecording: false,
}));

const jointGroups = {
  Head: ["nose", "rightEye", "leftEye", "rightEar", "leftEar"],
  Trunk: ["neck", "rightHip", "leftHip"],
  "Right arm": ["rightShoulder", "rightElbow", "rightWrist"],
  "Left arm": ["leftShoulder", "leftElbow", "leftWrist"],
  "Right leg": ["rightKnee", "rightAnkle"],
  "Left leg": ["leftKnee", "leftAnkle"],
};

export class SettingsView {
  #dialog = /** @type {HTMLDialogElement} */ (byId("settings-dialog"));
  /** @type {Settings} */
  #settings = { ...defaults, ...preferences.settings, isRecording: false };
  /** Each puts a control in the state of the settings. */
  /** @type {(() => void)[]} */
  #refreshers = [];
  models = new ModelChooser((model) => this.#change({ model }));
  /** Whether the server lets sessions be recorded. */
  isRecordingAllowed = false;
  #recording = make("fieldset", { hidden: true });

  /** @param {(changes: Partial<Settings>) => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.#build();
  }

  /** What differs from the server's defaults, for `start`. */
  get wishes() {
    const { isRecording, ...remembered } = this.#settings;
    const wishes = { ...preferences.settings, isRecording };
    const isKnown = this.models.models.some(({ id }) => id === remembered.model);
    if ("model" in wishes && remembered.model !== null && !isKnown) delete wishes.model;
    return wishes;
  }

  get current() {
    return this.#settings;
  }

  /** @param {Settings} settings as the server has them */
  update(settings) {
    this.#settings = { ...this.#settings, ...settings };
    this.models.choose(this.#settings.model);
    for (const refresh of this.#refreshers) refresh();
  }

  open() {
    this.#recording.hidden = !this.isRecordingAllowed;
    this.models.choose(this.#settings.model);
    for (const refresh of this.#refreshers) refresh();
    openDialog(this.#dialog);
  }

  /** @param {Partial<Settings>} changes */
  #change(changes) {
    Object.assign(this.#settings, changes);
    rememberSettings(changes);
    this.onChange(changes);
    for (const refresh of this.#refreshers) refresh();
  }

  #build() {
    this.models.choose(this.#settings.model);
    const what = make("fieldset", {}, make("legend", {}, "What is done"),
      this.#switch("isClassifying", "Name the action"),
      this.#switch("isCounting", "Count repetitions"),
      this.#switch("countsPairs", "Left and right together count as one"));
    const confidence = this.#optional("confidenceThreshold", "Confidence needed",
      { min: 0.3, max: 0.95, step: 0.05, usual: 0.6, show: percent });
    const stride = this.#optional("stride", "New result every",
      { min: 1, max: 60, step: 1, usual: 10, show: (value) =>
        value === 1 ? "frame" : `${value} frames` });
    const how = make("fieldset", {}, make("legend", {}, "How it is done"), confidence, stride,
      this.#number("maximumPersonCount", "People followed at most", 1, 6));
    this.#recording.append(make("legend", {}, "Recording"),
      this.#switch("isRecording", "Record the pictures of this session"),
      make("p", { className: "quiet" }, "Off by default and at each new visit. While it is on, a "
        + "red REC is shown, and the video is found in the history."));
    const keys = toggle("uses-keys", "Single keys, such as S for the summary", (isOn) =>
      remember({ usesKeys: isOn }));
    keys.input.checked = preferences.usesKeys;
    const page = make("fieldset", {}, make("legend", {}, "This page"), keys.row);
    const reset = make("button", { id: "settings-reset", className: "secondary small",
      type: "button" }, "Back to the usual settings");
    reset.addEventListener("click", () => {
      const { isRecording: _, ...usual } = defaults;
      const model = this.models.models[0]?.id ?? usual.model;
      this.#change({ ...usual, ignoredJoints: [], model });
      this.models.choose(model);
      remember({ settings: {} });
    });
    byId("settings-content").append(this.models.element, what, how, this.#joints(),
      this.#recording, page, reset);
  }

  /**
   * @param {"isClassifying" | "isCounting" | "countsPairs" | "isRecording"} key
   * @param {string} name
   */
  #switch(key, name) {
    const { row, input } = toggle(`setting-${key}`, name, (isOn) => this.#change({ [key]: isOn }));
    this.#refreshers.push(() => { input.checked = this.#settings[key]; });
    return row;
  }

  /**
   * A slider that may also leave the choice to the model.
   *
   * @param {"confidenceThreshold" | "stride"} key
   * @param {string} name
   * @param {{min: number, max: number, step: number, usual: number,
   *   show: (value: number) => string}} range
   */
  #optional(key, name, { min, max, step, usual, show }) {
    const id = `setting-${key}`;
    const slider = make("input", { id, type: "range", min, max, step });
    const reading = make("output", { for: id });
    const own = toggle(`${id}-own`, "As the model asks", (isOn) =>
      this.#change({ [key]: isOn ? null : Number(slider.value) }));
    slider.addEventListener("input", () => { reading.textContent = show(Number(slider.value)); });
    slider.addEventListener("change", () => this.#change({ [key]: Number(slider.value) }));
    this.#refreshers.push(() => {
      const value = this.#settings[key];
      own.input.checked = value === null;
      slider.disabled = value === null;
      slider.value = String(value ?? usual);
      reading.textContent = value === null ? "" : show(value);
    });
    const sliding = make("div", { className: "slide" }, slider, reading);
    this.#refreshers.push(() => { sliding.hidden = this.#settings[key] === null; });
    return make("div", { className: "field" }, make("label", { for: id }, name), own.row, sliding);
  }

  /**
   * @param {"maximumPersonCount"} key
   * @param {string} name
   * @param {number} min
   * @param {number} max
   */
  #number(key, name, min, max) {
    const id = `setting-${key}`;
    const select = make("select", { id });
    for (let number = min; number <= max; number += 1) {
      select.append(make("option", { value: String(number) }, String(number)));
    }
    select.addEventListener("change", () => this.#change({ [key]: Number(select.value) }));
    this.#refreshers.push(() => { select.value = String(this.#settings[key]); });
    return make("div", { className: "field across" }, make("label", { for: id }, name), select);
  }

  #joints() {
    const groups = Object.entries(jointGroups).map(([name, joints]) => {
      const chips = joints.map((joint) => {
        const className = "visually-hidden";
        const input = make("input", { type: "checkbox", className, name: joint });
        input.addEventListener("change", () => {
          const ignored = this.#settings.ignoredJoints.filter((other) => other !== joint);
          this.#change({ ignoredJoints: input.checked ? [...ignored, joint] : ignored });
        });
        this.#refreshers.push(() => {
          input.checked = this.#settings.ignoredJoints.includes(joint);
        });
        const words = joint.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);
        return make("label", { className: "toggle-chip" }, input, make("span", {}, words));
      });
      return make("div", { role: "group", "aria-label": name, className: "joint-group" },
        make("span", { className: "quiet" }, name), make("div", { className: "chips" }, ...chips));
    });
    return make("details", { id: "setting-joints" },
      make("summary", {}, "Joints to ignore"),
      make("p", { className: "quiet" }, "What is chosen here the model doesn't get to see, such as "
        + "legs that a desk hides."), ...groups);
  }
}

/**
 * A switch with its name.
 *
 * @param {string} id
 * @param {string} name
 * @param {(isOn: boolean) => void} onChange
 */
function toggle(id, name, onChange) {
  const input = make("input", { id, type: "checkbox", role: "switch" });
  input.addEventListener("change", () => onChange(input.checked));
  const row = make("label", { className: "switch", for: id }, make("span", {}, name), input);
  return { row, input };
}

// @ts-check
/** The settings: each change takes effect at once and is remembered. */

import { button, byId, make, openDialog } from "../shared/dom.js";
import { percent } from "../shared/format.js";
import { languageChoice } from "../shared/languageChoice.js";
import { ModelChooser } from "./models.js";
import { preferences, remember, rememberSettings } from "../shared/preferences.js";
import { Profiles } from "./profiles.js";
import { named, t } from "./texts.js";

/** @typedef {import("types/live").Settings} Settings */

/** The server's defaults. */
export const defaults = Object.freeze(/** @type {Settings} */ ({
  model: "Exercise", isClassifying: true, isCounting: true, countsPairs: false, isLifting: false, ignoredJoints: [],
  confidenceThreshold: null, stride: null, maximumPersonCount: 2, isRecording: false,
  profile: null,
}));

/** Headings of the joints that can be ignored. */
const jointGroups = {
  head: /nose|Eye|Ear/, trunk: /neck|Hip/,
  rightArm: /right(Shoulder|Elbow|Wrist)/, leftArm: /left(Shoulder|Elbow|Wrist)/,
  rightLeg: /right(Knee|Ankle)/, leftLeg: /left(Knee|Ankle)/,
};

export class SettingsView {
  /** @type {HTMLDialogElement} */
  #dialog = byId("settings-dialog");
  /** @type {Settings} */
  #settings = { ...defaults, ...preferences.settings, isRecording: false };
  /** @type {(() => void)[]} each shows a setting in its control */
  #refreshers = [];
  models = new ModelChooser((model) => this.#change({ model }));
  profiles = new Profiles((profile) => this.#change({ profile }));
  /** Whether the server allows recording. */
  isRecordingAllowed = false;
  #recording = make("fieldset", { hidden: true });
  #joints = make("details", { id: "setting-joints" },
    make("summary", {}, t("setting.joints")),
    make("p", { className: "quiet" }, t("setting.joints.about")));

  /** @param {(changes: Partial<Settings>) => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.#build();
  }

  /** The settings that the user has changed, for `start`. */
  get changed() {
    const { isRecording, ...remembered } = this.#settings;
    const changed = { ...preferences.settings, isRecording };
    const isKnown = this.models.models.some(({ id }) => id === remembered.model);
    if ("model" in changed && remembered.model !== null && !isKnown) delete changed.model;
    const { profile = null } = changed;
    if (profile !== null && this.profiles.isLoaded && !this.profiles.has(profile)) {
      changed.profile = null;
    }
    return changed;
  }

  get current() {
    return this.#settings;
  }

  /** @param {Settings} settings as the server has them */
  update(settings) {
    this.#settings = { ...this.#settings, ...settings };
    this.models.choose(this.#settings.model);
    this.profiles.choose(this.#settings.profile);
    this.#refresh();
  }

  open() {
    this.#recording.hidden = !this.isRecordingAllowed;
    this.profiles.load();
    this.models.choose(this.#settings.model);
    this.#refresh();
    openDialog(this.#dialog);
  }

  #refresh() {
    for (const refresh of this.#refreshers) refresh();
  }

  /**
   * Changes settings from elsewhere on the page.
   *
   * @param {Partial<Settings>} changes
   */
  set(changes) {
    this.#change(changes);
  }

  /** @param {Partial<Settings>} changes */
  #change(changes) {
    Object.assign(this.#settings, changes);
    rememberSettings(changes);
    this.onChange(changes);
    this.#refresh();
  }

  #build() {
    this.models.choose(this.#settings.model);
    this.profiles.choose(this.#settings.profile);
    const recognition = make("fieldset", {}, make("legend", {}, t("setting.recognition")),
      this.#switch("isClassifying"), this.#switch("isCounting"), this.#switch("countsPairs"));
    const confidence = this.#optional("confidenceThreshold",
      { min: 0.3, max: 0.95, step: 0.05, start: 0.6, show: percent });
    const stride = this.#optional("stride",
      { min: 1, max: 60, step: 1, start: 10, show: (value) =>
        value === 1 ? t("setting.stride.one") : t("setting.stride.many", { n: value }) });
    const advanced = make("fieldset", {}, make("legend", {}, t("setting.advanced")), confidence, stride,
      this.#number("maximumPersonCount", 1, 6));
    this.#recording.append(make("legend", {}, t("setting.recording")),
      this.#switch("isRecording"),
      make("p", { className: "quiet" }, t("setting.isRecording.about")));
    const keys = toggle("uses-keys", t("setting.keys"), (usesKeys) => remember({ usesKeys }));
    keys.input.checked = preferences.usesKeys;
    const replay = toggle("shows-replay", t("setting.showsReplay"), (showsReplay) => remember({ showsReplay }));
    replay.input.checked = preferences.showsReplay;
    const page = make("fieldset", {}, make("legend", {}, t("setting.page")),
      languageChoice("setting-language", t), replay.row, keys.row);
    const reset = button("secondary small", { id: "settings-reset" }, t("setting.reset"), () => {
      const { isRecording: _, profile: __, ...initial } = defaults;
      const model = this.models.models[0]?.id ?? initial.model;
      this.#change({ ...initial, ignoredJoints: [], model });
      this.models.choose(model);
      remember({ settings: { profile: this.#settings.profile } });
    });
    byId("settings-content").append(this.models.element, this.profiles.manager(), recognition,
      advanced, this.#joints, this.#recording, page, reset);
  }

  /**
   * @param {"isClassifying" | "isCounting" | "countsPairs" | "isRecording"} key
   */
  #switch(key) {
    const { row, input } = toggle(`setting-${key}`, t(`setting.${key}`),
      (isOn) => this.#change({ [key]: isOn }));
    this.#refreshers.push(() => { input.checked = this.#settings[key]; });
    return row;
  }

  /**
   * A slider with a switch that leaves the value to the model.
   *
   * @param {"confidenceThreshold" | "stride"} key
   * @param {{min: number, max: number, step: number, start: number,
   *   show: (value: number) => string}} range `start` is the first value instead of the model's
   */
  #optional(key, { min, max, step, start, show }) {
    const id = `setting-${key}`;
    const slider = make("input", { id, type: "range", min, max, step });
    const reading = make("output", { for: id });
    const own = toggle(`${id}-own`, t("setting.own"), (isOn) =>
      this.#change({ [key]: isOn ? null : Number(slider.value) }));
    slider.addEventListener("input", () => { reading.textContent = show(Number(slider.value)); });
    slider.addEventListener("change", () => this.#change({ [key]: Number(slider.value) }));
    this.#refreshers.push(() => {
      const value = this.#settings[key];
      own.input.checked = value === null;
      slider.disabled = value === null;
      slider.value = String(value ?? start);
      reading.textContent = value === null ? "" : show(value);
    });
    const sliding = make("div", { className: "slide" }, slider, reading);
    this.#refreshers.push(() => { sliding.hidden = this.#settings[key] === null; });
    return make("div", { className: "field" }, make("label", { for: id }, t(`setting.${key}`)), own.row,
      sliding);
  }

  /**
   * @param {"maximumPersonCount"} key
   * @param {number} min
   * @param {number} max
   */
  #number(key, min, max) {
    const id = `setting-${key}`;
    const select = make("select", { id });
    for (let number = min; number <= max; number += 1) {
      select.append(make("option", { value: String(number) }, String(number)));
    }
    select.addEventListener("change", () => this.#change({ [key]: Number(select.value) }));
    this.#refreshers.push(() => { select.value = String(this.#settings[key]); });
    return make("div", { className: "field across" }, make("label", { for: id }, t(`setting.${key}`)),
      select);
  }

  /** @param {string[]} joints the names of those that can be ignored */
  set joints(joints) {
    this.#joints.append(...Object.entries(jointGroups).map(([group, pattern]) => {
      const chips = joints.filter((joint) => pattern.test(joint)).map((joint) => {
        const className = "visually-hidden";
        const input = make("input", { type: "checkbox", className, name: joint });
        input.addEventListener("change", () => {
          const ignored = this.#settings.ignoredJoints.filter((other) => other !== joint);
          this.#change({ ignoredJoints: input.checked ? [...ignored, joint] : ignored });
        });
        this.#refreshers.push(() => {
          input.checked = this.#settings.ignoredJoints.includes(joint);
        });
        return make("label", { className: "toggle-chip" }, input,
          make("span", {}, named("joint", joint)));
      });
      const name = named("joints", group);
      return make("div", { role: "group", "aria-label": name, className: "joint-group" },
        make("span", { className: "quiet" }, name), make("div", { className: "chips" }, ...chips));
    }));
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

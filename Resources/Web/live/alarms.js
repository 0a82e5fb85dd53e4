// @ts-check
/** The sound of falls, and its button, which is on only while the sound can be heard. */

import { byId, setIcon, setText } from "../shared/dom.js";
import { preferences, remember } from "../shared/preferences.js";
import { Sounds } from "../shared/sounds.js";
import { t } from "./texts.js";

export class AlarmSound {
  #button = byId("sources-sound");
  #name = /** @type {HTMLElement} */ (this.#button.querySelector(".tool-name"));
  /** Its own: muting the other sounds mutes no alarm. */
  #sounds = new Sounds();

  constructor() {
    this.#sounds.onChange = () => this.#show();
    this.#button.addEventListener("click", () => this.#press());
    this.#show();
  }

  get #isOn() {
    return preferences.soundsAlarms && this.#sounds.isReady;
  }

  /** Enables the sound where it is chosen, which many browsers allow only while they handle a press. */
  wake() {
    if (preferences.soundsAlarms) this.#sounds.wake();
  }

  play() {
    this.wake();
    if (this.#isOn) this.#sounds.play("alarm");
  }

  async #press() {
    const isOn = !this.#isOn;
    remember({ soundsAlarms: isOn });
    if (isOn) await this.#sounds.wake();
    this.#show();
    if (isOn) this.play();
  }

  #show() {
    const isWaiting = preferences.soundsAlarms && !this.#isOn;
    const name = t(isWaiting ? "sources.press" : "sources.sound");
    this.#button.setAttribute("aria-pressed", String(this.#isOn));
    this.#button.setAttribute("aria-label", name);
    this.#button.title = name;
    // It is read from afar that a press is missing.
    this.#button.classList.toggle("waiting", isWaiting);
    setText(this.#name, isWaiting ? name : "");
    setIcon(this.#button, this.#isOn ? "sound" : "mute");
  }
}

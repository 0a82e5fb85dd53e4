// @ts-check
/** Speaks counts and cues where the browser has a voice; the sounds remain where it has none. */

import { bestVoice } from "../shared/language.js";

export class Voice {
  isMuted = false;
  /** Whether the last text is a cue. */
  #isCue = false;

  /** Whether the browser has a voice of the page's language. */
  get isAvailable() {
    return "speechSynthesis" in globalThis
      && bestVoice(speechSynthesis.getVoices()) !== null;
  }

  /**
   * Speaks a text instead of what is being spoken: a late count is worse than none.
   *
   * @param {string} text
   * @returns {boolean} whether it is spoken
   */
  say(text) {
    if (this.isMuted || !this.isAvailable) return false;
    speechSynthesis.cancel();
    this.#isCue = false;
    this.#speak(text);
    return true;
  }

  /**
   * Speaks a count, unless a cue is being spoken.
   *
   * @param {number} count
   * @returns {boolean} whether there is a voice
   */
  count(count) {
    if (this.#isCue && this.isAvailable && speechSynthesis.speaking) return !this.isMuted;
    return this.say(String(count));
  }

  /**
   * Speaks a cue after what is being spoken.
   *
   * @param {string} text
   * @returns {boolean} whether it is spoken
   */
  add(text) {
    if (this.isMuted || !this.isAvailable) return false;
    this.#isCue = true;
    this.#speak(text);
    return true;
  }

  /** @param {string} text */
  #speak(text) {
    const utterance = new SpeechSynthesisUtterance(text);
    const voice = bestVoice(speechSynthesis.getVoices());
    if (voice instanceof SpeechSynthesisVoice) utterance.voice = voice;
    utterance.lang = voice?.lang ?? document.documentElement.lang;
    utterance.rate = 1.15;
    speechSynthesis.speak(utterance);
  }
}

// @ts-check
/** Speaks counts and cues where the browser has a voice; the sounds remain where it has none. */

export class Voice {
  isMuted = false;

  /** Whether the browser has a voice of the page's language. */
  get isAvailable() {
    return "speechSynthesis" in globalThis
      && speechSynthesis.getVoices().some(({ lang }) => lang.startsWith("en"));
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
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = "en";
    utterance.rate = 1.15;
    speechSynthesis.speak(utterance);
    return true;
  }
}

// @ts-check
/** Short sounds for counts and challenges, from oscillators. */

/** Notes: frequency in hertz, start and length in seconds, loudness from 0 to 1. */
const tunes = {
  count: [[880, 0, 0.07, 0.25]],
  begun: [[523, 0, 0.1, 0.4], [784, 0.1, 0.18, 0.4]],
  paused: [[440, 0, 0.12, 0.3], [330, 0.12, 0.18, 0.3]],
  done: [[659, 0, 0.12, 0.45], [784, 0.12, 0.12, 0.45], [1047, 0.24, 0.3, 0.45]],
  finished: [
    [523, 0, 0.15, 0.5], [659, 0.15, 0.15, 0.5], [784, 0.3, 0.15, 0.5], [1047, 0.45, 0.55, 0.5],
    [659, 0.45, 0.55, 0.3],
  ],
  cue: [[587, 0, 0.12, 0.35], [494, 0.12, 0.18, 0.35]],
  alarm: [
    [880, 0, 0.25, 0.6], [660, 0.3, 0.25, 0.6], [880, 0.6, 0.25, 0.6], [660, 0.9, 0.4, 0.6],
  ],
  soon: [[660, 0, 0.09, 0.35]],
};

export class Sounds {
  /** @type {AudioContext | null} */
  #context = null;
  isMuted = false;
  /** Called where sounds become possible, and where they cease to be. */
  onChange = () => {};

  /** Whether sounds can be heard now, where they are not muted. */
  get isReady() {
    return this.#context?.state === "running";
  }

  /** Enables sound; browsers allow that only while they handle a press, and wait for one otherwise. */
  async wake() {
    try {
      this.#context ??= this.#open();
      if (!this.isReady) await this.#context.resume();
    } catch {
      // There is no sound here.
    }
  }

  #open() {
    const context = new AudioContext();
    context.addEventListener("statechange", () => this.onChange());
    return context;
  }

  /** @param {keyof typeof tunes} name */
  play(name) {
    const context = this.#context;
    if (this.isMuted || !context || !this.isReady) return;
    for (const [frequency, start, length, loudness] of tunes[name]) {
      const at = context.currentTime + start;
      const oscillator = context.createOscillator();
      const gain = context.createGain();
      oscillator.type = "triangle";
      oscillator.frequency.value = frequency;
      gain.gain.setValueAtTime(0, at);
      gain.gain.linearRampToValueAtTime(loudness, at + 0.008);
      gain.gain.exponentialRampToValueAtTime(0.001, at + length);
      oscillator.connect(gain).connect(context.destination);
      oscillator.start(at);
      oscillator.stop(at + length + 0.02);
    }
  }
}

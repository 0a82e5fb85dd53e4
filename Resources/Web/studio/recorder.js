// @ts-check
/** Records the camera after a count-down that is spoken, or sounded where nothing can speak. */

import { bestVoice } from "../shared/language.js";
import { pause } from "./shell.js";
import { t } from "./texts.js";

const types = ["video/webm;codecs=vp8", "video/webm", "video/mp4"];

/**
 * Records a stream until it is stopped, or until it ends because its camera is gone.
 *
 * @param {MediaStream} stream
 */
export function startRecorder(stream) {
  const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type)) ?? "";
  const recorder = new MediaRecorder(stream,
    { ...(mimeType ? { mimeType } : {}), videoBitsPerSecond: 4_000_000 });
  /** @type {Blob[]} */
  const parts = [];
  recorder.addEventListener("dataavailable", ({ data }) => {
    if (data.size > 0) parts.push(data);
  });
  const stopped = new Promise((done) => recorder.addEventListener("stop", done, { once: true }));
  recorder.start(1000);
  return {
    get isRecording() {
      return recorder.state === "recording";
    },
    /**
     * @param {string} name without its extension
     * @returns {Promise<File>}
     */
    stop: async (name) => {
      if (recorder.state !== "inactive") recorder.stop();
      await stopped;
      const type = recorder.mimeType || "video/webm";
      const extension = type.includes("mp4") ? "mp4" : "webm";
      return new File(parts, `${name}.${extension}`, { type: type.split(";")[0] });
    },
  };
}

/**
 * Counts down, unless it is cancelled or the stream ends.
 *
 * @param {number} seconds
 * @param {{signal: AbortSignal, stream: MediaStream, sounds: import("../shared/sounds.js").Sounds,
 *   show: (text: string) => void}} options
 */
export async function countDown(seconds, { signal, stream, sounds, show }) {
  for (let left = seconds; left > 0; left -= 1) {
    show(String(left));
    if (left <= 3) say(String(left), () => sounds.play("soon"));
    await pause(1);
    if (signal.aborted || !stream.active) return;
  }
  say(t("record.go"), () => sounds.play("begun"));
}

/**
 * Speaks a text, or does something else where there is no voice.
 *
 * @param {string} text
 * @param {() => void} instead
 */
export function say(text, instead) {
  const voice = "speechSynthesis" in window ? bestVoice(speechSynthesis.getVoices()) : null;
  if (voice === null) return instead();
  const words = new SpeechSynthesisUtterance(text);
  words.voice = voice;
  words.lang = voice.lang;
  words.rate = 1.2;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}

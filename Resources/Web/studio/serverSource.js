// @ts-check
/** A camera, stream or file of the server as a stream of this page, in the place of its camera. */

import { Connection } from "../shared/connection.js";
import { make } from "../shared/dom.js";
import { messageOf, reported } from "./texts.js";

const frameRate = 30;

export class ServerSource {
  #canvas = make("canvas", {});
  #connection = new Connection({ resumes: false });
  #shown = 0;
  isOpen = false;
  /** Called where the source changes its state, and where the connection breaks. */
  onMessage = (/** @type {string} */ _text) => {};

  /** @param {HTMLVideoElement} video */
  constructor(video) {
    this.video = video;
    this.#connection.on("picture", ({ sequence, jpeg }) => this.#draw(sequence, jpeg));
    this.#connection.on("source", ({ state, message, text }) => {
      if (state !== "live") this.onMessage(reported("error", text, message));
    });
    this.#connection.on("error", ({ message, text }) =>
      this.onMessage(reported("error", text, message)));
    this.#connection.on("state", ({ problem }) => {
      if (problem) this.onMessage(messageOf(problem));
    });
  }

  /**
   * Opens a source and waits for its first picture.
   *
   * @param {string} id
   */
  async open(id) {
    this.close();
    this.isOpen = true;
    const first = new Promise((done) =>
      this.#canvas.addEventListener("drawn", done, { once: true }));
    this.#connection.start({ kind: "server", id },
      { model: null, isClassifying: false, isCounting: false });
    await first;
    this.video.srcObject = this.#canvas.captureStream(frameRate);
    await this.video.play();
  }

  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#connection.stop();
    this.#shown = 0;
    this.video.srcObject = null;
  }

  /**
   * @param {number} sequence
   * @param {Blob} jpeg
   */
  async #draw(sequence, jpeg) {
    const image = await createImageBitmap(jpeg);
    const { width, height } = image;
    // A picture that was decoded late is left out.
    if (this.isOpen && sequence >= this.#shown) {
      this.#shown = sequence;
      if (this.#canvas.width !== width || this.#canvas.height !== height) {
        Object.assign(this.#canvas, { width, height });
      }
      this.#canvas.getContext("2d")?.drawImage(image, 0, 0);
      this.#canvas.dispatchEvent(new Event("drawn"));
    }
    image.close();
  }
}

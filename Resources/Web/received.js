// @ts-check
/**
 * Pictures that the server sends: decoded as they arrive, held until their `frame` asks for them.
 */

const most = 4;

export class ReceivedPictures {
  /** @type {Map<number, {image: Promise<ImageBitmap>, time: number, arrivedAt: number}>} */
  #held = new Map();
  /** Pictures that arrived. */
  seen = 0;
  bytes = 0;

  /** @param {{sequence: number, time: number, jpeg: Blob}} picture */
  add({ sequence, time, jpeg }) {
    this.seen += 1;
    this.bytes = jpeg.size;
    const image = createImageBitmap(jpeg);
    image.catch(() => {});
    this.#held.set(sequence, { image, time, arrivedAt: performance.now() });
    for (const number of this.#held.keys()) {
      if (this.#held.size <= most) break;
      this.#discard(number);
    }
  }

  /**
   * The picture of a `frame`; older ones are let go. Null where there is none or it isn't readable.
   *
   * @param {number} sequence
   */
  async take(sequence) {
    const found = this.#held.get(sequence);
    this.#held.delete(sequence);
    for (const number of this.#held.keys()) if (number < sequence) this.#discard(number);
    if (!found) return null;
    try {
      return { image: await found.image, time: found.time, arrivedAt: found.arrivedAt };
    } catch {
      return null;
    }
  }

  forget() {
    for (const number of [...this.#held.keys()]) this.#discard(number);
  }

  /** @param {number} sequence */
  #discard(sequence) {
    const held = this.#held.get(sequence);
    this.#held.delete(sequence);
    held?.image.then((image) => image.close(), () => {});
  }
}

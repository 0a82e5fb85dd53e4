// @ts-check
/**
 * Pictures from the server: decoded on arrival, kept until the `frame` with the same number.
 */

const most = 4;

export class ReceivedPictures {
  /** @type {Map<number, {image: Promise<ImageBitmap>, arrivedAt: number}>} */
  #held = new Map();
  /** Pictures that arrived. */
  seen = 0;
  bytes = 0;

  /** @param {import("../shared/protocol.js").Picture} picture */
  add({ sequence, jpeg }) {
    this.seen += 1;
    this.bytes = jpeg.size;
    const image = createImageBitmap(jpeg);
    image.catch(() => {});
    this.#held.set(sequence, { image, arrivedAt: performance.now() });
    for (const number of this.#held.keys()) {
      if (this.#held.size <= most) break;
      this.#discard(number);
    }
  }

  /**
   * The picture of a `frame`; null if it is missing or unreadable. Older ones are discarded.
   *
   * @param {number} sequence
   */
  async take(sequence) {
    const found = this.#held.get(sequence);
    this.#held.delete(sequence);
    for (const number of this.#held.keys()) if (number < sequence) this.#discard(number);
    if (!found) return null;
    try {
      return { image: await found.image, arrivedAt: found.arrivedAt };
    } catch {
      return null;
    }
  }

  clear() {
    for (const number of [...this.#held.keys()]) this.#discard(number);
  }

  /** @param {number} sequence */
  #discard(sequence) {
    const held = this.#held.get(sequence);
    this.#held.delete(sequence);
    held?.image.then((image) => image.close(), () => {});
  }
}

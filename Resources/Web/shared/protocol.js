// @ts-check
/**
 * The format of pictures in the live protocol (docs/live-protocol.md), and its messages by their type.
 *
 * @typedef {import("types/live").ServerMessage} ServerMessage
 * @typedef {{[Type in ServerMessage["type"]]: Extract<ServerMessage, {type: Type}>}} ServerMessages
 * @typedef {{sequence: number, time: number, jpeg: Blob}} Picture
 */

const headerSize = 16;
const signature = 0x3152464b; // "KFR1", little-endian

/**
 * The message that carries a picture.
 *
 * @param {number} sequence
 * @param {number} time milliseconds of the page's clock
 * @param {ArrayBuffer} jpeg
 */
export function packPicture(sequence, time, jpeg) {
  const message = new ArrayBuffer(headerSize + jpeg.byteLength);
  const view = new DataView(message);
  view.setUint32(0, signature, true);
  view.setUint32(4, sequence, true);
  view.setFloat64(8, time, true);
  new Uint8Array(message).set(new Uint8Array(jpeg), headerSize);
  return message;
}

/**
 * The picture in a message of the server; null if it is not one.
 *
 * @param {ArrayBuffer} message
 * @returns {Picture | null}
 */
export function unpackPicture(message) {
  if (message.byteLength <= headerSize) return null;
  const view = new DataView(message);
  if (view.getUint32(0, true) !== signature) return null;
  return {
    sequence: view.getUint32(4, true),
    time: view.getFloat64(8, true),
    jpeg: new Blob([new Uint8Array(message, headerSize)], { type: "image/jpeg" }),
  };
}

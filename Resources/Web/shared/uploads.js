// @ts-check
/** Sends a file to a project of Studio in parts, as docs/studio-api.md describes. */

import { request, send, ServerError } from "./api.js";

/** What the server takes at a time where it has not said so, bytes. */
const usualChunk = 4 << 20;

/**
 * @typedef {{id: string, offset: number, chunk: number}} Begun
 * @typedef {{offset: number, done?: boolean, file?: string, take?: string | null}} Part what the server has after one
 */

/**
 * Begins an upload.
 *
 * @param {string} project its address
 * @param {{name: string, size: number, well?: string | null, label?: string | null,
 *   person?: string | null, take?: {keepVideo?: boolean} | null}} about the file
 * @returns {Promise<Begun>}
 */
export const beginUpload = (project, about) => send("POST", `${project}/uploads`, about);

/**
 * Sends what the server lacks of a file; each part is one step, after which the caller may end it.
 *
 * @param {string} project its address
 * @param {{id: string, offset: number, chunk?: number | undefined}} upload
 * @param {File} file
 * @returns {AsyncGenerator<Part>}
 */
export async function* sendParts(project, { id, offset, chunk = usualChunk }, file) {
  // Where the server has all of it, an empty part finishes it.
  for (;;) {
    /** @type {Part} */
    let part;
    try {
      part = await request(`${project}/uploads/${id}?offset=${offset}`, {
        method: "PUT", headers: { "Content-Type": "application/octet-stream" },
        body: file.slice(offset, offset + chunk),
      });
    } catch (error) {
      // An answer that was lost: the server has more than was known here.
      const known = error instanceof ServerError && error.status === 409 ? error.detail.offset : undefined;
      if (typeof known !== "number" || known === offset) throw error;
      part = { offset: known };
    }
    ({ offset } = part);
    yield part;
    if (part.done) return;
  }
}

// @ts-check
/** The server's HTTP interface. */

/** An error that the server reports, or its absence; pages put it into words (wording.js). */
export class ServerError extends Error {
  /**
   * @param {number} status
   * @param {string} message the server's sentence
   * @param {Record<string, any>} [detail] its error object, with the `text` of the sentence
   */
  constructor(status, message, detail = {}) {
    super(message);
    this.status = status;
    this.detail = detail;
  }
}

/**
 * Sends a request; returns the JSON of the response, or null if it has no content.
 *
 * @param {string} path below /api/v1/
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
export async function request(path, options = {}) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(`/api/v1/${path}`, { credentials: "same-origin", ...options });
  } catch {
    throw new ServerError(0, "", { text: { unreachable: {} } });
  }
  if (response.ok) return response.status === 204 ? null : response.json();
  const { status } = response;
  /** @type {Record<string, any>} */
  let detail = { text: status === 401 ? { token: {} } : { badStatus: { status } } };
  try {
    detail = (await response.json()).error ?? detail;
  } catch {
    // Not JSON, as from another server in between: there is only the status.
  }
  throw new ServerError(status, detail.message ?? "", detail);
}

/**
 * Sends JSON.
 *
 * @param {string} method
 * @param {string} path below /api/v1/
 * @param {unknown} [body]
 */
export function send(method, path, body) {
  return request(path, body === undefined ? { method } : {
    method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
}

/** @returns {Promise<import("types/live").Info>} */
export const information = () => request("info");

/** Milliseconds between two questions to a server that is away. */
const returnInterval = 1000;

/**
 * Whether a request failed for want of a server, and there is one again.
 *
 * @param {unknown} error of the request
 * @param {() => boolean} isWaiting whether somebody still waits for the answer
 */
export async function isBack(error, isWaiting) {
  if (!(error instanceof ServerError) || error.status !== 0) return false;
  for (;;) {
    await new Promise((done) => setTimeout(done, returnInterval));
    if (!isWaiting()) return false;
    try {
      await information();
      return isWaiting();
    } catch {
      // Still away.
    }
  }
}

// @ts-check
/** The server's HTTP interface. */

/** An error response of the server. */
export class ServerError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {Record<string, any>} [detail] the error object of the response
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
    throw new ServerError(0, "The computer that runs Kinema cannot be reached.",
      { code: "unreachable" });
  }
  if (response.ok) return response.status === 204 ? null : response.json();
  let message = response.status === 401
    ? "This page needs the server's token: open the address that `kinema live` printed."
    : `The server answered with status ${response.status}.`;
  let detail = response.status === 401 ? { code: "token" } : {};
  try {
    const { error } = await response.json();
    if (typeof error?.message === "string") message = error.message;
    detail = error ?? {};
  } catch {
    // Not JSON: the message above is used.
  }
  throw new ServerError(response.status, message, detail);
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

/** @returns {Promise<import("./protocol.js").Info>} */
export const information = () => request("info");

/** @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

// @ts-check
/** The server's HTTP interface. */

/** What the server refused, in its own words. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Asks the server; the answer's JSON, or null where it has no content.
 *
 * @param {string} path below /api/v1/
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
export async function ask(path, options = {}) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(`/api/v1/${path}`, { credentials: "same-origin", ...options });
  } catch {
    throw new Refusal(0, "unreachable", "The computer that runs Kinema cannot be reached.");
  }
  if (response.ok) return response.status === 204 ? null : response.json();
  let code = "refused";
  let message = response.status === 401
    ? "This page needs the server's token: open the address that `kinema live` printed."
    : `The server answered with status ${response.status}.`;
  try {
    const { error } = await response.json();
    if (typeof error?.message === "string") ({ code, message } = error);
  } catch {
    // Not JSON: the sentence above serves.
  }
  throw new Refusal(response.status, code, message);
}

/** @returns {Promise<import("./protocol.js").Info>} */
export const information = () => ask("info");

/**
 * A request with a JSON body.
 *
 * @param {string} path
 * @param {string} method
 * @param {unknown} body
 */
export function tell(path, method, body) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method, headers, body: JSON.stringify(body) });
}

/** @param {unknown} error */
export function sentence(error) {
  return error instanceof Error ? error.message : String(error);
}

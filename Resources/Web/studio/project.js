// @ts-check
/** The interface of Studio on the server. */

import { request, send } from "../shared/api.js";

/** @typedef {Record<string, string | number | null | undefined>} Query */

/**
 * A path with a query; empty values are left out.
 *
 * @param {string} path
 * @param {Query} query
 */
function withQuery(path, query) {
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [[key, String(value)]]);
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/** The projects as a whole. */
export const library = {
  /** @returns {Promise<import("types/studio").ProjectList>} */
  list: () => send("GET", "studio/projects"),
  /**
   * @param {string} name
   * @returns {Promise<import("types/studio").ProjectDetail>}
   */
  create: (name) => send("POST", "studio/projects", { name }),
  /**
   * @param {string} [path] without, the first of the offered folders
   * @returns {Promise<import("types/studio").Folder>}
   */
  folder: (path) => send("GET", withQuery("studio/folders", { path })),
};

/** One project. */
export class Project {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.path = `studio/projects/${encodeURIComponent(id)}`;
  }

  /** @returns {Promise<import("types/studio").ProjectDetail>} */
  detail() {
    return send("GET", this.path);
  }

  /**
   * @param {string} path below the project
   * @param {Query} [query]
   * @returns {Promise<any>}
   */
  get(path, query = {}) {
    return send("GET", withQuery(`${this.path}/${path}`, query));
  }

  /**
   * @param {"POST" | "PUT" | "PATCH" | "DELETE"} method
   * @param {string} path below the project; empty for the project itself
   * @param {unknown} [body]
   * @param {Query} [query]
   * @returns {Promise<any>}
   */
  send(method, path, body, query = {}) {
    return send(method, withQuery(path ? `${this.path}/${path}` : this.path, query), body);
  }

  /**
   * Sends bytes.
   *
   * @param {string} path below the project
   * @param {Blob} body
   * @param {Query} query
   * @returns {Promise<any>}
   */
  upload(path, body, query) {
    return request(withQuery(`${this.path}/${path}`, query),
      { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body });
  }

  /**
   * The address of a download.
   *
   * @param {string} path below the project
   * @param {Query} [query]
   */
  address(path, query = {}) {
    return `/api/v1/${withQuery(`${this.path}/${path}`, query)}`;
  }

  /**
   * The address of a video; files outside the project's folder have absolute names.
   *
   * @param {string} file
   */
  mediaAddress(file) {
    return file.startsWith("/")
      ? this.address("media", { file }) : this.address(`media/${encodeURIComponent(file)}`);
  }
}

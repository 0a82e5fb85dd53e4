// @ts-check
/**
 * What a page is made with; `signal` is aborted when it is left.
 * @typedef {{project: import("./project.js").Project, detail: import("types/studio").ProjectDetail,
 *   wireframe: import("types/live").Wireframe, argument: string | null,
 *   query: URLSearchParams, signal: AbortSignal,
 *   shell: import("./shell.js").Shell}} Context
 */

/** @type {import("types/studio").Well[]} */
export const wells = ["training", "validation", "testing", "leftOut"];

/** The parameters that a run has where the project sets none and starts from no model. */
export const defaults = {
  duration: 2, frameRate: 30, iterations: 80, batchSize: null, augmentation: "default",
  algorithm: "tcn", validation: "auto", from: null, other: true, seed: 1,
};

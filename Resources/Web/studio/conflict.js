// @ts-check
/** Asks which of two versions of a video's segments to keep. */

import { ServerError } from "../shared/api.js";
import { button, make } from "../shared/dom.js";
import { words } from "../shared/format.js";
import { moment, t } from "./texts.js";

/** @typedef {import("types/studio").Annotations} Annotations */

/** @typedef {import("./segments.js").GivenSegment} GivenSegment */

/**
 * Saves the segments of a video; null where they have become others by now, and the user is asked.
 *
 * @param {import("./types.js").Context} context
 * @param {{file: string}} query
 * @param {GivenSegment[]} mine
 * @param {string} version which they were made from
 * @param {{keep: (version: string) => void, take: () => void}} choice
 * @returns {Promise<Annotations | null>}
 */
export async function saveSegments({ project, shell }, query, mine, version, { keep, take }) {
  try {
    return await project.send("PUT", "annotations", { segments: mine, version }, query);
  } catch (error) {
    if (!(error instanceof ServerError) || !Array.isArray(error.detail.segments)) throw error;
    const { segments: theirs, version: present } = error.detail;
    askWhichToKeep(shell, mine, theirs, { keep: () => keep(present), take });
    return null;
  }
}

/**
 * Shows both versions; closing the sheet chooses neither.
 *
 * @param {import("./shell.js").Shell} shell
 * @param {GivenSegment[]} mine
 * @param {GivenSegment[]} theirs
 * @param {{keep: () => void, take: () => void}} choice
 */
function askWhichToKeep(shell, mine, theirs, { keep, take }) {
  const column = (/** @type {string} */ title, /** @type {GivenSegment[]} */ segments) =>
    make("div", { className: "stack" }, make("h3", {}, title),
      make("ol", { className: "examples" }, ...segments.map(({ label, start, end }) =>
        make("li", {}, t("conflict.row", { label: words(label), start: moment(start ?? 0),
          end: end === null ? t("conflict.end") : moment(end) })))));
  const choose = (/** @type {() => void} */ act) => () => {
    sheet.close();
    act();
  };
  const sheet = shell.open(t("conflict.title"), make("p", {}, t("conflict.about")),
    make("div", { className: "row versions" }, column(t("conflict.mine"), mine),
      column(t("conflict.theirs"), theirs)),
    make("div", { className: "row" },
      button("primary small", { id: "keep-mine" }, t("conflict.keep"), choose(keep)),
      button("secondary small", { id: "take-theirs" }, t("conflict.take"), choose(take))));
}

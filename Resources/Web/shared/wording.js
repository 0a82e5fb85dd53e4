// @ts-check
/**
 * How a page puts what it says into words, with its table of texts. In a text, `{name}` stands for a
 * value; `{n:clip|clips}` is the first word where the page's language says the value `n` in the singular,
 * and the second otherwise.
 *
 * @typedef {Record<string, Record<string, any>>} Text what the server reports: a name with its values
 */

import { ServerError } from "./api.js";
import { CameraProblem } from "./camera.js";
import { number } from "./format.js";
import { isSingular } from "./language.js";

/** @param {string | number | undefined} value */
const shown = (value) => typeof value === "number" ? number(value) : value ?? "";

/**
 * @template {Record<string, string>} Table
 * @param {Table} texts
 */
export function wording(texts) {
  /** @typedef {keyof Table & string} Key */

  /**
   * A text with its values.
   *
   * @param {Key} key
   * @param {Record<string, string | number>} [values]
   */
  const t = (key, values = {}) => texts[key].replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g,
    (_, name, one, many) => many === undefined ? shown(values[name])
      : isSingular(Number(values[name])) ? one : many);

  /**
   * A text around nodes, such as a number in bold, in pieces.
   *
   * @param {Key} key
   * @param {Record<string, Node | string>} nodes
   */
  const pieces = (key, nodes) => texts[key].split(/\{(\w+)\}/).map((piece, index) =>
    (index % 2 === 0 ? piece : nodes[piece] ?? ""));

  /**
   * What the server or the browser reports, in the words of the page.
   *
   * @param {"error" | "note" | "camera"} kind
   * @param {Text | null | undefined} text
   * @param {string} sentence the server's own, for what has no text here
   * @returns {string}
   */
  const reported = (kind, text, sentence) => {
    const [[name, values] = ["", {}]] = Object.entries(text ?? {});
    const key = `${kind}.${name}`;
    if (!(key in texts)) return sentence;
    // A reason may have a name of its own.
    const { text: inner, ...own } = values ?? {};
    if (inner) own.reason = reported("error", inner, own.reason);
    const worded = Object.entries(own).map(([value, content]) => {
      const ownKey = `${value}.${content}`;
      return [value, ownKey in texts ? texts[ownKey] : content];
    });
    return t(key, Object.fromEntries(worded));
  };

  /**
   * Why something failed.
   *
   * @param {unknown} error
   */
  const messageOf = (error) => {
    if (!(error instanceof Error)) return String(error);
    if (error instanceof CameraProblem) {
      const { name } = error;
      return reported("camera", `camera.${name}` in texts ? { [name]: {} } : { other: { name } }, name);
    }
    const { text, code } = error instanceof ServerError ? error.detail
      : /** @type {Record<string, any>} */ ({});
    return reported("error", text ?? { [code]: {} }, error.message);
  };

  return { t, pieces, reported, messageOf };
}

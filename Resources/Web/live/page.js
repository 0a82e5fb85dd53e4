// @ts-check
/** Completes index.html: texts, icons, a header for each sheet. */

import { byId, completeSheet, icon, make } from "../shared/dom.js";
import { pieces, t } from "./texts.js";

/** @typedef {import("./texts.js").Key} Key */

/**
 * Puts the text that an attribute of an element names where it belongs.
 *
 * @param {string} name of the attribute
 * @param {(element: HTMLElement, text: string) => void} put
 */
function fill(name, put) {
  const elements = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[${name}]`));
  for (const element of elements) {
    put(element, t(/** @type {Key} */ (element.getAttribute(name) ?? "")));
  }
}

export function completePage() {
  fill("data-text", (element, text) => element.prepend(text));
  fill("data-title", (element, text) => { element.title = text; });
  fill("data-label", (element, text) => element.setAttribute("aria-label", text));
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  byId("start-privacy").append(...pieces("start.privacy", {
    host: make("b", { id: "host" }, isHere ? t("start.here") : location.host),
    rec: make("b", {}, t("live.rec")),
  }));
  for (const element of document.querySelectorAll("[data-icon]")) {
    const name = make("span", { className: "tool-name" });
    name.append(...element.childNodes);
    element.append(icon(element.getAttribute("data-icon") ?? ""), name);
  }
  fill("data-heading", (sheet, heading) =>
    completeSheet(/** @type {HTMLDialogElement} */ (sheet), heading, t("close")));
}

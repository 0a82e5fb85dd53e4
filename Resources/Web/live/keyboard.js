// @ts-check
/** Keyboard shortcuts with single keys; inactive while a field has the focus or a sheet is open. */

import { preferences } from "../shared/preferences.js";

/** Whether the focus was moved with the keyboard last. */
let isByKey = false;
addEventListener("pointerdown", () => { isByKey = false; }, true);
addEventListener("keydown", ({ key }) => { isByKey ||= key === "Tab"; }, true);

/** @param {Record<string, () => void>} commands by key */
export function listen(commands) {
  addEventListener("keydown", (event) => {
    if (!preferences.usesKeys || event.defaultPrevented || event.repeat) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input, select, textarea, video, [contenteditable]")) return;
    if (document.querySelector("dialog[open]")) return;
    // Space and Enter operate a button that was focused with the keyboard, not one that has the
    // focus because it was pressed with a pointer.
    const control = /** @type {HTMLElement | null} */ (target.closest("button, a, summary"));
    if (control && [" ", "Enter"].includes(event.key)) {
      if (event.key === "Enter" || isByKey) return;
      control.blur();
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const command = commands[key];
    if (!command) return;
    event.preventDefault();
    command();
  });
}

// @ts-check
/** The keys of the montage editor, and their help. */

import { make } from "../shared/dom.js";
import { preferences, remember } from "../shared/preferences.js";
import { t } from "./texts.js";

/** @typedef {Record<string, () => void>} Commands by key; "Shift+" before the name of a key */

/**
 * Runs commands by key while the page is shown.
 *
 * @param {AbortSignal} signal
 * @param {Commands} commands
 */
export function listenForKeys(signal, commands) {
  let isByKey = false;
  addEventListener("pointerdown", () => { isByKey = false; }, { capture: true, signal });
  addEventListener("keydown", (event) => {
    if (event.key === "Tab") isByKey = true;
    if (!preferences.usesKeys || event.defaultPrevented || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const isText = target.closest("textarea, select, input:not([type=range], [type=checkbox])");
    if (isText || document.querySelector("dialog[open]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // A control that was reached with the keyboard is operated as usual.
    const isControl = target.closest("button, a, summary, [type=checkbox]");
    if (isControl && isByKey && [" ", "Enter"].includes(key)) return;
    if (target.closest("summary, a") && [" ", "Enter"].includes(key)) return;
    const name = `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.shiftKey
      && key !== "?" ? "Shift+" : ""}${key}`;
    const command = commands[name];
    if (!command) return;
    event.preventDefault();
    command();
  }, { signal });
}

/** @type {[string, import("./texts.js").Key][]} */
const help = [
  ["I", "keys.in"], ["O", "keys.out"], ["1 … 9", "keys.label"],
  ["N", "keys.newLabel"], ["Space", "keys.play"], ["R", "keys.loop"],
  ["← →", "keys.frame"], ["⇧ ← →", "keys.second"], ["↑ ↓", "keys.move"],
  ["J K L", "keys.speed"], ["[ ]", "keys.trim"], ["⌫", "keys.delete"], ["Z", "keys.undo"],
  ["⇧ Z", "keys.redo"], ["S", "keys.suggest"], ["Enter", "keys.accept"],
  ["Ctrl S", "keys.save"], ["?", "keys.help"],
];

/** @param {import("./shell.js").Shell} shell */
export function showKeys(shell) {
  const toggle = make("input", { type: "checkbox", role: "switch", id: "uses-keys",
    checked: preferences.usesKeys });
  toggle.addEventListener("change", () => remember({ usesKeys: toggle.checked }));
  shell.open(t("keys"), make("dl", { className: "keys" }, ...help.map(([key, text]) =>
    make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, t(text))))),
  make("label", { className: "switch" }, t("keys.use"), toggle));
}

// @ts-check
/** The commands of the montage as buttons, for a phone and for the mouse. */

import { button, make } from "../shared/dom.js";
import { t } from "./texts.js";

/** The buttons: id, key of the command, as screen readers have it, and text. */
const tools = /** @type {const} */ ([
  ["mark-in", "i", "I", "tools.in"], ["mark-out", "o", "O", "tools.out"],
  ["accept", "Enter", "Enter", "tools.accept"], ["reject", "Backspace", "Backspace", "tools.reject"],
  ["delete-segment", "Delete", "Delete", "tools.delete"], ["undo-segment", "z", "Z", "tools.undo"],
  ["loop-segment", "r", "R", "tools.loop"],
]);

export class MontageTools {
  /** @type {Record<string, HTMLButtonElement>} */
  #buttons = {};
  element;

  /**
   * @param {import("./shortcuts.js").Commands} commands
   * @param {HTMLInputElement} speedField
   */
  constructor(commands, speedField) {
    const made = tools.map(([id, command, key, text]) => {
      /** @type {HTMLButtonElement} */
      const tool = button("secondary small", { id }, t(text), () => {
        if (tool.getAttribute("aria-disabled") !== "true") commands[command]();
      });
      tool.setAttribute("aria-keyshortcuts", key);
      this.#buttons[id] = tool;
      return tool;
    });
    const speed = make("span", { className: "segmented", role: "group",
      "aria-label": t("tools.speed") }, ...(/** @type {const} */ ([
      ["j", "−", "tools.slower"], ["l", "+", "tools.faster"]])).map(([key, sign, name]) => {
      const tool = button("", { id: `speed-${key}` }, sign, commands[key]);
      tool.setAttribute("aria-label", t(name));
      tool.setAttribute("aria-keyshortcuts", key.toUpperCase());
      return tool;
    }));
    this.element = make("div", { className: "row plain montage-tools", role: "group",
      "aria-label": t("tools") }, ...made, make("span", { className: "skeleton-choice" },
      make("span", { "aria-hidden": "true" }, t("tools.speed")), speed, speedField));
  }

  /**
   * Enables what can be done now.
   *
   * @param {{isOpen: boolean, chosen: "segment" | "suggestion" | null, canUndo: boolean, loops: boolean}} now
   *   `isOpen` where a segment has a start and no end; `loops` where what is chosen is played again and again
   */
  update({ isOpen, chosen, canUndo, loops }) {
    this.#buttons["loop-segment"].setAttribute("aria-pressed", String(loops));
    const enabled = { "mark-out": isOpen, accept: chosen === "suggestion",
      reject: chosen === "suggestion", "delete-segment": chosen === "segment",
      "undo-segment": canUndo, "loop-segment": chosen !== null };
    for (const [id, isEnabled] of Object.entries(enabled)) {
      // A button with the focus keeps it, so that the keyboard is not lost.
      this.#buttons[id].setAttribute("aria-disabled", String(!isEnabled));
    }
  }
}

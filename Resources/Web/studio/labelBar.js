// @ts-check
/** The labels of the montage: a button each, nine of them with a key, and a field for any label. */

import { button, make } from "../shared/dom.js";
import { words } from "../shared/format.js";
import { colors, labelList } from "./labels.js";
import { t } from "./texts.js";

/** How many labels have a key: 1 to 9. */
export const keyCount = 9;

export class LabelBar {
  #bar = make("div", { className: "row plain", id: "label-bar", role: "group",
    "aria-label": t("montage.labels") });
  #field = make("input", { type: "text", id: "new-label", autocomplete: "off",
    placeholder: t("clips.newLabel"), "aria-label": t("clips.newLabel") });
  #suggested = labelList([]);
  element;

  /**
   * @param {(label: string) => void} use gives a label, which may be a new one
   * @param {() => void} leave takes the focus after the field was used
   */
  constructor(use, leave) {
    this.use = use;
    this.#field.setAttribute("list", this.#suggested.id);
    const form = make("form", { className: "field inline" }, this.#field,
      make("button", { className: "secondary small", type: "submit" }, t("montage.addLabel")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const label = this.#field.value.trim();
      this.#field.value = "";
      if (!label) return;
      use(label);
      leave();
    });
    this.element = make("div", { className: "row plain" }, this.#bar, form, this.#suggested);
  }

  /**
   * @param {string[]} labels
   * @param {number | null} chosen the index of the one that the next segment gets; null for none
   */
  fill(labels, chosen) {
    this.#suggested.replaceChildren(...labelList(labels).children);
    const focused = [...this.#bar.children].findIndex((key) => key === document.activeElement);
    this.#bar.replaceChildren(...labels.map((label, index) => {
      const made = button("secondary small label-key", {}, "", () => this.use(label));
      // A label without a key is chosen here, or in the field by its first letters.
      if (index < keyCount) made.append(make("kbd", {}, String(index + 1)));
      made.append(make("i", { className: colors.className(label, true), "aria-hidden": "true" }),
        words(label));
      made.setAttribute("aria-pressed", String(index === chosen));
      return made;
    }));
    // A key that was pressed keeps the focus.
    const again = this.#bar.children[focused];
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  focus() {
    this.#field.focus();
  }
}

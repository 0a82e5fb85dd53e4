// @ts-check
/**
 * A list of which several entries can be chosen: with the mouse, or arrows, Shift, Space and Ctrl A.
 * Its entries are elements that are made elsewhere.
 */

import { make } from "../shared/dom.js";
import { t } from "./texts.js";

/** @typedef {{id: string, element: HTMLElement}} Entry */

const steps = /** @type {Record<string, number>} */ (
  { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 });

export class Listbox {
  /** @type {Entry[]} */
  #entries = [];
  #anchor = 0;
  /** The ids of the chosen entries. */
  selected = /** @type {Set<string>} */ (new Set());
  focused = 0;
  /** Called when another entry is the present one. */
  onMove = (/** @type {number} */ _index) => {};
  /** Called when other entries are chosen. */
  onSelect = () => {};
  /** Further keys. */
  commands = /** @type {Record<string, () => void>} */ ({});
  element;

  /**
   * @param {string} id
   * @param {string} name for screen readers
   * @param {{empty: import("./texts.js").Key, adds?: boolean}} options `empty` stands in an empty
   *   list; `adds`: a click chooses an entry as well, instead of it alone
   */
  constructor(id, name, { empty, adds = false }) {
    this.empty = empty;
    this.adds = adds;
    this.element = make("div", { className: "clips", id, role: "listbox", tabIndex: 0,
      "aria-multiselectable": "true", "aria-label": name });
    this.element.addEventListener("keydown", (event) => this.#press(event));
  }

  /** @param {Entry[]} entries */
  fill(entries) {
    this.#entries = entries;
    entries.forEach(({ element }, index) => {
      element.id = `${this.element.id}-${index}`;
      element.classList.add("clip-option");
      element.setAttribute("role", "option");
      element.addEventListener("click", (event) =>
        this.move(index, event.shiftKey, this.adds || event.ctrlKey || event.metaKey));
    });
    this.element.replaceChildren(...entries.map(({ element }) => element));
    if (entries.length === 0) {
      this.element.replaceChildren(make("div", { role: "option", className: "empty",
        "aria-selected": "false", "aria-disabled": "true" }, t(this.empty)));
    }
    this.mark();
  }

  /**
   * Makes an entry the present one, without choosing it.
   *
   * @param {number} index
   */
  focus(index) {
    this.focused = this.#anchor = Math.max(0, Math.min(index, this.#entries.length - 1));
    this.mark();
  }

  /**
   * Moves to an entry and chooses: it alone, it as well, or all from the last one.
   *
   * @param {number} index
   * @param {boolean} extends_
   * @param {boolean} adds
   */
  move(index, extends_, adds) {
    const entry = this.#entries[index];
    if (!entry) return;
    this.focused = index;
    if (extends_) {
      const [from, to] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)];
      this.selected = new Set(this.#entries.slice(from, to + 1).map(({ id }) => id));
    } else {
      this.#anchor = index;
      if (!adds) this.selected = new Set([entry.id]);
      else if (!this.selected.delete(entry.id)) this.selected.add(entry.id);
    }
    this.mark();
    this.onMove(index);
    entry.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const step = steps[event.key];
    const last = this.#entries.length - 1;
    if (step !== undefined) {
      const index = Math.max(0, Math.min(last, this.selected.size === 0 && step === 1 ? 0
        : this.focused + step));
      this.move(index, event.shiftKey, false);
    } else if (event.key === " ") this.move(this.focused, false, true);
    else if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey)) {
      this.selected = new Set(this.#entries.map(({ id }) => id));
      this.mark();
    } else if (this.commands[event.key]) this.commands[event.key]();
    else return;
    event.preventDefault();
  }

  /** Shows what is chosen. */
  mark() {
    this.#entries.forEach(({ id, element }, index) => {
      element.setAttribute("aria-selected", String(this.selected.has(id)));
      element.classList.toggle("current", index === this.focused);
    });
    const focused = this.#entries[this.focused];
    if (focused) this.element.setAttribute("aria-activedescendant", focused.element.id);
    else this.element.removeAttribute("aria-activedescendant");
    this.onSelect();
  }
}

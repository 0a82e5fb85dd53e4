// @ts-check
/** The panel below the picture: label, confidence, count and tempo; and the hints above it. */

import { byId, setText } from "./dom.js";
import { percent, words } from "./format.js";
import { currentSet } from "./sets.js";
import { texts } from "./texts.js";

const hints = {
  moreThanOnePerson: "More than one person: tap the one to follow",
  stepBack: "Step back so that your whole body is visible",
  moveIntoView: "Move into view",
};

export class Panel {
  #label = byId("label");
  #confidence = byId("confidence");
  #bar = byId("confidence-bar");
  #alternatives = byId("alternatives");
  #count = byId("count");
  #countName = byId("count-name");
  #tempo = byId("tempo");
  #hint = byId("hint");
  #person = byId("person-button");
  #set = byId("set-now");
  #rest = byId("set-rest");
  /** The labels of each group of the model. */
  /** @type {Record<string, string[]>} */
  groups = {};
  #lastCount = 0;
  #lastLabel = "";
  /** @type {string | null} */
  #countedLabel = null;
  #isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  /** Called with each new count of the current action. */
  /** @type {(count: number) => void} */
  onCount = () => {};

  /** @param {import("./protocol.js").Settings} settings */
  configure({ isClassifying, isCounting, model }) {
    document.body.classList.toggle("no-count", !isCounting);
    document.body.classList.toggle("no-label", !isClassifying || model === null);
  }

  /** @param {import("./protocol.js").Frame} frame */
  show(frame) {
    const { action, count, countedLabel = null, tempo } = frame;
    this.#countedLabel = countedLabel;
    const text = action?.text || (action?.label ? words(action.label) : "");
    setText(this.#label, text || "Counting");
    this.#label.dataset.status = action?.status ?? "none";
    const confidence = action?.top.length ? action.confidence : null;
    setText(this.#confidence, confidence === null ? "" : percent(confidence));
    const share = Math.round((confidence ?? 0) * 100);
    if (this.#bar.getAttribute("aria-valuenow") !== String(share)) {
      this.#bar.setAttribute("aria-valuenow", String(share));
      const fill = /** @type {HTMLElement} */ (this.#bar.firstElementChild);
      fill.style.transform = `scaleX(${share / 100})`;
    }
    setText(this.#alternatives, this.#others(action));
    this.#showCount(Math.floor(count), action?.label ?? "");
    const isOfAnother = count > 0 && countedLabel !== null && action?.label !== countedLabel;
    const name = Math.floor(count) === 1 ? "repetition" : "repetitions";
    setText(this.#countName, isOfAnother ? words(countedLabel) : name);
    setText(this.#tempo, tempo ? `${Math.round(tempo)} per minute` : "");
    this.#showPeople(frame);
  }

  /**
   * The next labels; of a group, its own.
   *
   * @param {import("./protocol.js").Action | null} action
   */
  #others(action) {
    const named = (/** @type {[string, number][]} */ top) => top.slice(0, 2)
      .map(([label, share]) => `${words(label)} ${percent(share)}`);
    const others = (action?.top ?? [])
      .filter(([label, share]) => label !== action?.label && share >= 0.01);
    const members = this.groups[action?.label ?? ""] ?? [];
    const own = others.filter(([label]) => members.includes(label));
    return own.length > 0 ? texts.ofThese(named(own)) : named(others).join("  ·  ");
  }

  /**
   * The set and the rest outside of challenges.
   *
   * @param {import("./protocol.js").Summary} summary
   */
  showSet(summary) {
    const { label, set, rest } = currentSet(summary);
    // The first repetition of another action ends a set, and is none yet.
    const isOver = this.#countedLabel !== null && label !== this.#countedLabel;
    setText(this.#set, isOver ? "" : set);
    setText(this.#rest, isOver ? "" : rest);
  }

  /** The state before the first frame of a source. */
  reset() {
    setText(this.#label, "Starting Up");
    this.#label.dataset.status = "startingUp";
    this.#showCount(0, "");
    for (const target of [this.#confidence, this.#alternatives, this.#tempo, this.#set, this.#rest]) {
      setText(target, "");
    }
    this.#hint.hidden = true;
    this.#person.hidden = true;
  }

  /**
   * @param {number} count
   * @param {string} label
   */
  #showCount(count, label) {
    setText(this.#count, String(count));
    if (count > this.#lastCount && label === this.#lastLabel) {
      this.onCount(count);
      if (!this.#isCalm.matches) {
        this.#count.animate(
          [{ transform: "scale(1.14)" }, { transform: "scale(1)" }],
          { duration: 260, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" });
      }
    }
    this.#lastCount = count;
    this.#lastLabel = label;
  }

  /** @param {import("./protocol.js").Frame} frame */
  #showPeople({ persons, hint, hintText, prominent, isPinned }) {
    const own = /** @type {Record<string, string>} */ (hints)[hint ?? ""];
    const text = hint === null ? "" : hint === "moreThanOnePerson" ? own : hintText || own || "";
    setText(this.#hint, text);
    this.#hint.hidden = !text;
    const isUseful = isPinned || persons.length > 1;
    this.#person.hidden = !isUseful;
    if (isUseful) {
      const name = isPinned ? `Following person ${prominent} – stop` : "Follow this person";
      setText(this.#person, name);
      this.#person.setAttribute("aria-pressed", String(isPinned));
    }
  }
}

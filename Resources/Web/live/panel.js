// @ts-check
/** The panel below the picture: label, confidence, count and tempo; and the hints above it. */

import { byId, setText } from "../shared/dom.js";
import { clock, percent, words } from "../shared/format.js";
import { occupation } from "./occupation.js";
import { currentSet } from "./sets.js";
import { t } from "./texts.js";

/**
 * What is wrong with the view.
 *
 * @param {Pick<import("types/live").Frame, "hint" | "hintParts">} frame
 */
function hintText({ hint, hintParts }) {
  if (hint === null) return "";
  if (hint !== "moveIntoView") return t(`hint.${hint}`);
  const [first, second] = hintParts;
  const parts = second === undefined ? t(`part.${first}`)
    : first === "leftArm" && second === "rightArm" ? t("hint.arms")
      : first === "leftLeg" && second === "rightLeg" ? t("hint.legs")
        : t("hint.parts", { a: t(`part.${first}`), b: t(`part.${second}`) });
  return t("hint.moveIntoView", { parts });
}

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

  /** @param {import("types/live").Settings} settings */
  configure({ isClassifying, isCounting, model }) {
    document.body.classList.toggle("no-count", !isCounting);
    document.body.classList.toggle("no-label", !isClassifying || model === null);
  }

  /** @param {import("types/live").Frame} frame */
  show(frame) {
    const { count, countedLabel = null, tempo, set } = frame;
    this.#countedLabel = countedLabel;
    const { text, status, label, isOfWindow } = occupation(frame);
    const action = isOfWindow ? frame.action : null;
    setText(this.#label, text || t("panel.counting"));
    this.#label.dataset.status = status;
    const confidence = action?.top.length ? action.confidence
      : frame.action?.top.find(([name]) => name === label)?.[1] ?? null;
    setText(this.#confidence, confidence === null ? "" : percent(confidence));
    const share = Math.round((confidence ?? 0) * 100);
    if (this.#bar.getAttribute("aria-valuenow") !== String(share)) {
      this.#bar.setAttribute("aria-valuenow", String(share));
      const fill = /** @type {HTMLElement} */ (this.#bar.firstElementChild);
      fill.style.transform = `scaleX(${share / 100})`;
    }
    setText(this.#alternatives, this.#others(action));
    if (set?.kind === "timed") {
      this.#showCount(clock(set.seconds), label ?? "");
      setText(this.#countName, t("panel.held"));
    } else {
      const shown = set?.label === null ? set.repetitions : Math.floor(count);
      this.#showCount(shown, label ?? "");
      const isOfAnother = shown > 0 && set?.label !== null && countedLabel !== null
        && label !== countedLabel;
      setText(this.#countName, isOfAnother ? words(countedLabel) : t("panel.unit", { n: shown }));
    }
    setText(this.#tempo, tempo ? t("panel.tempo", { n: Math.round(tempo) }) : "");
    this.#showPeople(frame);
  }

  /**
   * The next labels; of a group, its own. Before them the group that is certain where the label is not.
   *
   * @param {import("types/live").Action | null} action
   */
  #others(action) {
    const named = (/** @type {[string, number][]} */ top) => top.slice(0, 2)
      .map(([label, share]) => `${words(label)} ${percent(share)}`);
    const others = (action?.top ?? [])
      .filter(([label, share]) => label !== action?.label && share >= 0.01);
    const members = this.groups[action?.label ?? ""] ?? [];
    const own = others.filter(([label]) => members.includes(label));
    const shown = named(own.length > 0 ? own : others).join("  ·  ");
    if (own.length > 0) return t("panel.group", { labels: shown });
    return [action?.group && t("panel.doubt", { group: words(action.group) }), shown].filter(Boolean)
      .join("  ·  ");
  }

  /**
   * The set and the rest outside of challenges.
   *
   * @param {import("types/live").Summary} summary
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
    setText(this.#label, t("action.startingUp"));
    this.#label.dataset.status = "startingUp";
    this.#showCount(0, "");
    for (const target of [this.#confidence, this.#alternatives, this.#tempo, this.#set, this.#rest]) {
      setText(target, "");
    }
    this.#hint.hidden = true;
    this.#person.hidden = true;
  }

  /**
   * @param {number | string} shown repetitions, or a time
   * @param {string} label
   */
  #showCount(shown, label) {
    setText(this.#count, String(shown));
    const count = typeof shown === "number" ? shown : 0;
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

  /** @param {import("types/live").Frame} frame */
  #showPeople({ persons, hint, hintParts, prominent, isPinned }) {
    const text = hintText({ hint, hintParts });
    setText(this.#hint, text);
    this.#hint.hidden = !text;
    const isUseful = isPinned || persons.length > 1;
    this.#person.hidden = !isUseful;
    if (isUseful) {
      const name = isPinned ? t("person.following", { person: prominent ?? "" })
        : t("person.follow");
      setText(this.#person, name);
      this.#person.setAttribute("aria-pressed", String(isPinned));
    }
  }
}

// @ts-check
/**
 * The panel below the picture: what is done, with repetitions or a time; the rest between sets; what single windows
 * say, as details; and the hints above the picture.
 */

import { byId, setText } from "../shared/dom.js";
import { percent, words } from "../shared/format.js";
import { Course } from "./course.js";
import { t } from "./texts.js";

/** How many joints a hand has; a body has fewer. */
const handJoints = 21;

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
  #panel = byId("panel");
  #label = byId("label");
  #line = byId("line");
  #confidence = byId("confidence");
  #bar = byId("confidence-bar");
  #alternatives = byId("alternatives");
  #count = byId("count");
  #countName = byId("count-name");
  #hint = byId("hint");
  #person = byId("person-button");
  #limit = byId("limit-button");
  #course = new Course();
  /** The labels of each group of the model. */
  /** @type {Record<string, string[]>} */
  groups = {};
  /** What the labels of the model are. */
  /** @type {Record<string, import("types/live").LabelKind>} */
  kinds = {};
  /** How many people are followed at most. */
  #mostPeople = Infinity;
  /** @type {{set: number | null, count: number}} */
  #last = { set: null, count: 0 };
  #isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  /** Called with each new count of the set under way. */
  /** @type {(count: number) => void} */
  onCount = () => {};

  /**
   * @param {import("types/live").Settings} settings
   * @param {import("types/live").Model | null} model
   */
  configure({ isClassifying, isCounting, model: id, maximumPersonCount }, model) {
    const isOfHands = model?.jointCount === handJoints;
    document.body.classList.toggle("no-count", !isCounting || isOfHands);
    document.body.classList.toggle("no-label", !isClassifying || id === null);
    this.#course.isOfHands = isOfHands;
    this.#course.hasExercises = !isOfHands && Object.values(model?.kinds ?? {}).includes("counted");
    this.#mostPeople = maximumPersonCount;
    this.groups = model?.groups ?? {};
    this.kinds = model?.kinds ?? {};
  }

  /** Whether what single windows say is shown. */
  get showsDetails() {
    return document.body.classList.contains("details");
  }

  set showsDetails(isOn) {
    document.body.classList.toggle("details", isOn);
  }

  /**
   * @param {import("types/live").Frame} frame
   * @returns {import("./course.js").View}
   */
  show(frame) {
    const view = this.#course.view(frame);
    this.#panel.dataset.state = view.state;
    this.#panel.dataset.set = String(view.set ?? "");
    setText(this.#label, view.title);
    this.#label.dataset.status = view.status;
    setText(this.#line, view.line);
    this.#showDetails(frame.action);
    this.#showCount(view);
    this.#showPeople(frame);
    return view;
  }

  /**
   * The newest window: its label with its probability, and the next ones; of a group, its own.
   *
   * @param {import("types/live").Action | null} action
   */
  #showDetails(action) {
    if (!this.showsDetails) return;
    const confidence = action?.top.length ? action.confidence : null;
    setText(this.#confidence, confidence === null ? "" : percent(confidence));
    const share = Math.round((confidence ?? 0) * 100);
    if (this.#bar.getAttribute("aria-valuenow") !== String(share)) {
      this.#bar.setAttribute("aria-valuenow", String(share));
      const fill = /** @type {HTMLElement} */ (this.#bar.firstElementChild);
      fill.style.transform = `scaleX(${share / 100})`;
    }
    setText(this.#alternatives, this.#windowText(action));
  }

  /** @param {import("types/live").Action | null} action */
  #windowText(action) {
    const named = (/** @type {[string, number][]} */ top) => top.slice(0, 2)
      .map(([label, share]) => `${this.#name(label)}\u00a0${percent(share)}`);
    const others = (action?.top ?? [])
      .filter(([label, share]) => label !== action?.label && share >= 0.01);
    const members = this.groups[action?.label ?? ""] ?? [];
    const own = others.filter(([label]) => members.includes(label));
    const label = action?.label ? this.#name(action.label) : "";
    if (own.length > 0) return [label, t("panel.group", { labels: named(own).join("  ·  ") })].join("  ·  ");
    return [label, action?.group && t("panel.doubt", { group: words(action.group) }), ...named(others)]
      .filter(Boolean).join("  ·  ");
  }

  /**
   * Everything else has one name, whatever the model calls it.
   *
   * @param {string} label
   */
  #name(label) {
    return this.kinds[label] === "none" ? t("action.other") : words(label);
  }

  /** @param {import("types/live").Summary} summary */
  take(summary) {
    this.#course.take(summary);
  }

  /**
   * Takes that a set has another name; returns what is said of it, which is also shown.
   *
   * @param {import("types/live").SetRevised} revision
   */
  revise(revision) {
    return this.#course.revise(revision);
  }

  /** The state before the first frame of a source. */
  reset() {
    this.#course.reset();
    this.#panel.dataset.state = "ready";
    this.#panel.dataset.set = "";
    setText(this.#label, t("action.startingUp"));
    this.#label.dataset.status = "startingUp";
    this.#last = { set: null, count: 0 };
    for (const target of [this.#line, this.#confidence, this.#alternatives, this.#count, this.#countName]) {
      setText(target, "");
    }
    for (const note of [this.#hint, this.#person, this.#limit]) note.hidden = true;
  }

  /** @param {import("./course.js").View} view */
  #showCount({ set, count, number, unit }) {
    setText(this.#count, number);
    setText(this.#countName, unit);
    this.#count.style.setProperty("--length", String(number.length));
    const shown = count ?? 0;
    if (set === this.#last.set && shown > this.#last.count) {
      this.onCount(shown);
      if (!this.#isCalm.matches) {
        this.#count.animate(
          [{ transform: "scale(1.14)" }, { transform: "scale(1)" }],
          { duration: 260, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" });
      }
    }
    this.#last = { set, count: shown };
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
    // Whoever is beyond the limit has no wireframe.
    this.#limit.hidden = persons.length < 2 || persons.length < this.#mostPeople;
    if (!this.#limit.hidden) setText(this.#limit, t("person.limit", { n: persons.length }));
  }
}

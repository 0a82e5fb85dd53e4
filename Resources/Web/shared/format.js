// @ts-check
/**
 * How times, counts and colours are shown, in the page's language.
 *
 * @typedef {import("types/live").LabelKind} LabelKind
 */

import { labelText, locale } from "./language.js";

/**
 * A number: "1.5", "1,5"; no groups of digits, since it may be the number of something.
 *
 * @param {number} value
 * @param {number} [digits] after the point; as many as it has without them
 */
export function number(value, digits) {
  return new Intl.NumberFormat(locale, { useGrouping: false, minimumFractionDigits: digits ?? 0,
    maximumFractionDigits: digits ?? 20 }).format(value);
}

/**
 * A duration: "0:07", "1:33", "1:02:05".
 *
 * @param {number} seconds
 */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds + 1e-6));
  const pad = (/** @type {number} */ part) => String(part).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0
    ? `${hours}:${pad(minutes)}:${pad(whole % 60)}`
    : `${minutes}:${pad(whole % 60)}`;
}

/** @param {number} value */
export function degrees(value) {
  return `${Math.round(value)}°`;
}

/** @param {number} share from 0 to 1 */
export function percent(share) {
  return new Intl.NumberFormat(locale, { style: "percent" }).format(share);
}

/** @param {number} milliseconds */
export function milliseconds(milliseconds) {
  return Number.isFinite(milliseconds) ? `${Math.round(milliseconds)} ms` : "–";
}

/**
 * A label as words: as the page's language calls what is built in, others as the server writes them:
 * "jumping_jacks" becomes "Jumping Jacks", "push_ups" becomes "Push-ups".
 *
 * @param {string} label
 */
export function words(label) {
  const english = label.split(/[_\s]+/).map((word, index) => index > 0 && word === "ups" ? "-ups"
    : ` ${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("").trim();
  return labelText(label, english) ?? english;
}

/**
 * A date and time in words, in the zone and as is usual where the reader is.
 *
 * @param {string} iso
 */
export function day(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleString(locale, {
    day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit",
  });
}

/**
 * A day without its year: "3 May".
 *
 * @param {Date | string} date
 */
export function shortDay(date) {
  return new Date(date).toLocaleDateString(locale, { day: "numeric", month: "short" });
}

/**
 * The time of day as is usual where the reader is: "14:05:11".
 *
 * @param {Date} date
 */
export function timeOfDay(date) {
  return date.toLocaleTimeString(locale);
}

/**
 * A colour for each label, the same in every view: the class of a colour in the stylesheet. Labels
 * that are not the model's, and those that are no action, are grey.
 */
export class LabelColors {
  /** @type {Map<string, number>} */
  #numbers = new Map();
  /** @type {Set<string>} the labels that are no action */
  #none = new Set();
  #count;

  /** @param {number} count of colours in the stylesheet */
  constructor(count = 8) {
    this.#count = count;
  }

  /**
   * Takes what labels are.
   *
   * @param {Record<string, LabelKind>} kinds
   */
  learn(kinds) {
    for (const [label, kind] of Object.entries(kinds)) {
      if (kind === "none") this.#none.add(label);
      else this.#none.delete(label);
    }
  }

  /**
   * Whether a label is no action.
   *
   * @param {string} label
   */
  isNone(label) {
    return this.#none.has(label);
  }

  /**
   * @param {string} label
   * @param {boolean} isModelLabel
   */
  className(label, isModelLabel) {
    if (!isModelLabel || this.#none.has(label)) return "hue-none";
    let number = this.#numbers.get(label);
    if (number === undefined) {
      number = this.#numbers.size % this.#count;
      this.#numbers.set(label, number);
    }
    return `hue-${number}`;
  }
}

// @ts-check
/**
 * The language of the page: the one chosen in the settings, else the first of the browser's that is
 * there, else English. `?language=de` in the address chooses one for this visit, and `?language=xx` the
 * pseudo-language, English texts half as long again (pseudo.js).
 *
 * A language is a folder `languages/TAG` with `shared.js` (what pages share, labels, cues), `reported.js` (what
 * the server reports) and one file a page; only those of the chosen one are fetched.
 */

import { preferences } from "./preferences.js";
import { pseudo } from "./pseudo.js";

/** The tag of the pseudo-language. */
export const pseudoLanguage = "xx";

/** The languages by their tags (BCP 47), each by its own name. */
export const languages = {
  en: "English", de: "Deutsch", fr: "Français", es: "Español", pt: "Português", ja: "日本語",
  "zh-Hans": "简体中文",
};

/** @typedef {{texts: Record<string, string>, labels?: Record<string, string>,
 *   cues?: Record<string, string>}} Table */

/** The page, by the name of its tables. */
const page = location.pathname.startsWith("/studio") ? "studio" : "live";

/**
 * The language of a page.
 *
 * @param {string | null} asked by the address
 * @param {string | null} preferred in the settings
 * @param {readonly string[]} accepted by the browser, the best one first
 * @returns {string}
 */
export function choose(asked, preferred, accepted) {
  const there = Object.keys(languages);
  for (const tag of [asked, preferred]) {
    if (tag !== null && (there.includes(tag) || tag === pseudoLanguage)) return tag;
  }
  for (const tag of accepted) {
    const found = there.find((other) => isSame(tag, other));
    if (found) return found;
  }
  return "en";
}

/**
 * Whether two tags name a language in the same script: `pt-BR` and `pt`, but not `zh-TW` and `zh-Hans`.
 *
 * @param {string} tag
 * @param {string} other
 */
export function isSame(tag, other) {
  try {
    const [a, b] = [new Intl.Locale(tag).maximize(), new Intl.Locale(other).maximize()];
    return a.language === b.language && a.script === b.script;
  } catch {
    return false; // A browser may list what is no tag, such as "C".
  }
}

const asked = new URLSearchParams(location.search).get("language");

/** The tag of the page's language. */
export const language = choose(asked, preferences.language, navigator.languages);

/** Whether texts are the English ones, changed or not. */
const isEnglish = language === "en" || language === pseudoLanguage;

/** How numbers and dates are written: as is usual in the reader's region, if it speaks the language. */
export const locale = navigator.languages.find((tag) => isSame(tag, isEnglish ? "en" : language))
  ?? (isEnglish ? "en" : language);

document.documentElement.lang = language === pseudoLanguage ? "en" : language;

const plurals = new Intl.PluralRules(isEnglish ? "en" : language);

/**
 * Whether a text says a number in the singular: 1 in English, 0 and 1 in French.
 *
 * @param {number} value
 */
export const isSingular = (value) => plurals.select(value) === "one";

/**
 * @param {string} name of a file
 * @returns {Promise<Table>}
 */
async function load(name) {
  if (isEnglish) return { texts: {} };
  return await import(`../languages/${language}/${name}.js`);
}

const [shared, reported] = await Promise.all([load("shared"), load("reported")]);

/**
 * Puts the texts of the page's language in the place of the English ones.
 *
 * @param {Record<string, string>} texts
 */
export async function translate(texts) {
  if (language === pseudoLanguage) {
    for (const key of Object.keys(texts)) texts[key] = pseudo(texts[key]);
    return;
  }
  const { texts: own } = await load(page);
  for (const [key, text] of Object.entries({ ...shared.texts, ...reported.texts, ...own })) {
    if (key in texts) texts[key] = text;
  }
  // No line begins with what only says that something goes on.
  for (const key of Object.keys(texts)) texts[key] = texts[key].replaceAll(" …", "\u00a0…");
}

/**
 * What a label of a built-in model or motion is called; null for others, such as labels that users gave.
 *
 * @param {string} label
 * @param {string} english its words
 * @returns {string | null}
 */
export function labelText(label, english) {
  if (language === pseudoLanguage) return pseudo(english);
  return shared.labels?.[label] ?? null;
}

/**
 * A cue of the coach in the page's language, as it is without a translation.
 *
 * @param {string} cue in English
 */
export function cueText(cue) {
  return language === pseudoLanguage ? pseudo(cue) : shared.cues?.[cue] ?? cue;
}

/**
 * The voice that speaks the page's language best: the reader's region first, the browser's default next.
 *
 * @template {Pick<SpeechSynthesisVoice, "lang" | "default" | "localService">} Voice
 * @param {readonly Voice[]} voices
 * @param {string} [tag]
 * @param {string} [region]
 * @returns {Voice | null} null where none does
 */
export function bestVoice(voices, tag = document.documentElement.lang, region = locale) {
  const rank = (/** @type {Voice} */ voice) => (plain(voice.lang) === region ? 4 : 0)
    + (voice.default ? 2 : 0) + (voice.localService ? 1 : 0);
  return voices.filter(({ lang }) => isSame(plain(lang), tag))
    .sort((a, b) => rank(b) - rank(a))[0] ?? null;
}

/**
 * Some systems write `de_DE`.
 *
 * @param {string} tag
 */
const plain = (tag) => tag.replaceAll("_", "-");

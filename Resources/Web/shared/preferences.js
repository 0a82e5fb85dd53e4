// @ts-check
/**
 * Preferences, stored in the browser between visits.
 *
 * @typedef {{label: string, amount: number, unit: "repetitions" | "seconds", sets: number,
 *   rest: number, weight: number}} ChallengeStep rest in seconds, weight in kg, 0 without one
 * @typedef {{settings: Partial<import("types/live").Settings>, source: string,
 *   facing: "user" | "environment", device: string | null, mirrors: Record<string, boolean>,
 *   isMuted: boolean, speaksCues: boolean, showsPerformance: boolean, showsDetails: boolean, usesKeys: boolean,
 *   challenge: ChallengeStep[], takeWell: string, soundsAlarms: boolean,
 *   teachProject: string | null, showsReplay: boolean, language: string | null}} Preferences
 *   takeWell: where takes of Studio go; soundsAlarms: whether falls before named sources are heard; language: its
 *   tag, null for the browser's
 */

const key = "kinema.preferences";

/** @type {Preferences} */
const defaults = {
  settings: {}, source: "browser", facing: "user", device: null, mirrors: {}, isMuted: false,
  speaksCues: true,
  showsPerformance: false, showsDetails: false, usesKeys: true, challenge: [], takeWell: "training",
  teachProject: null, showsReplay: true, soundsAlarms: false, language: null,
};

/** @returns {Preferences} */
function load() {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? "{}");
    const settings = typeof stored.settings === "object" && stored.settings ? stored.settings : {};
    const challenge = Array.isArray(stored.challenge) ? stored.challenge : [];
    const language = typeof stored.language === "string" ? stored.language : null;
    return { ...defaults, ...stored, settings, challenge, language };
  } catch {
    return { ...defaults };
  }
}

/** The current preferences. */
export const preferences = load();

/**
 * Changes and stores preferences; if the browser forbids that, they last until the page closes.
 *
 * @param {Partial<Preferences>} changes
 */
export function remember(changes) {
  Object.assign(preferences, changes);
  try {
    localStorage.setItem(key, JSON.stringify(preferences));
  } catch {
    // Private windows may refuse.
  }
}

/**
 * Stores settings of the session, except recording, which is off at each visit.
 *
 * @param {Partial<import("types/live").Settings>} changes
 */
export function rememberSettings(changes) {
  const { isRecording: _, ...lasting } = { ...preferences.settings, ...changes };
  remember({ settings: lasting });
}

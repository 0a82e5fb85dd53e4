// @ts-check
/** The texts about training: form, sets and progress. */

import { clock, counted } from "./format.js";

/** @param {number} value degrees */
const degrees = (value) => `${Math.round(value)}°`;
/** @param {number | null | undefined} value seconds */
const seconds = (value) => value?.toFixed(1) ?? "–";

export const texts = {
  unseen: "can’t be seen from here",
  none: "–",
  challenge: {
    missing: "Not in this model: left out when the challenge runs.",
    /** @param {string[]} names */
    leftOut: (names) => `Left out, not in this model: ${names.join(", ")}.`,
    /** @type {Record<"repetitions" | "seconds", string>} */
    units: { repetitions: "times", seconds: "seconds" },
    /**
     * @param {number} number
     * @param {number} count
     */
    place: (number, count) => `Action ${number} of ${count}`,
  },
  /** @param {string[]} labels the likeliest of a group */
  ofThese: (labels) => `of these: ${labels.join("  ·  ")}`,
  form: {
    /** @param {string} action */
    title: (action) => `Form: ${action}`,
    range: "Range", tempo: "Tempo", symmetry: "Symmetry",
    degrees,
    /**
     * @param {string} joint
     * @param {number} bottom
     * @param {number} top
     */
    joint: (joint, bottom, top) => `${joint} ${degrees(bottom)} to ${degrees(top)}`,
    /**
     * @param {number | null | undefined} down
     * @param {number | null | undefined} hold
     * @param {number | null | undefined} up
     */
    times: (down, hold, up) => `${seconds(down)}\u2009·\u2009${seconds(hold)}\u2009·\u2009${seconds(up)}`,
    timesDetail: "seconds down, hold, up",
    sides: "left against right",
    oneSided: "one side at a time",
    /** @param {boolean} areOn */
    spoken: (areOn) => (areOn ? "Cues are spoken." : "Cues are shown, not spoken."),
  },
  profiles: {
    title: "Who trains", everyone: "Everyone", nobody: "Without a profile",
    name: "Name", placeholder: "Name, such as Ada", add: "Add a profile",
    about: "Sessions, records and progress are kept for each profile. Choosing another one starts a "
      + "new session.",
    /** @param {string} name */
    rename: (name) => `Rename ${name}`,
    newName: "Write the new name first.",
    /** @param {string} name */
    remove: (name) => `Delete ${name}`,
    /** @param {string} name */
    question: (name) => `Delete the profile of ${name}? Its sessions stay in the history.`,
    confirm: "Delete", cancel: "Cancel",
    /** @param {string} name */
    added: (name) => `${name} trains now.`,
    /** @param {string} name */
    renamed: (name) => `The profile is now named ${name}.`,
    /** @param {string} name */
    deleted: (name) => `The profile of ${name} is deleted.`,
    history: "Whose sessions", session: "Who trained",
    empty: "No sessions of this profile yet.",
  },
  progress: {
    title: "Progress", action: "Action", measure: "Measure", period: "Period",
    measures: { repetitions: "Repetitions", range: "Range", tempo: "Tempo" },
    units: { day: "per day", week: "per week" },
    week: "Week of ",
    none: "none",
    nothing: "Nothing was measured of this action yet.",
    /** @type {Record<"repetitions" | "range" | "tempo", (value: number) => string>} */
    values: { repetitions: String, range: degrees, tempo: (value) => `${value.toFixed(1)} s` },
    /**
     * @param {string} day
     * @param {string} value
     * @param {number | null} seconds what the repetitions took
     */
    point: (day, value, seconds) => (seconds === null ? `${day}: ${value}`
      : `${day}: ${counted(Number(value), "repetition")}, ${clock(seconds)}`),
    /**
     * @param {string} measure
     * @param {string} unit
     * @param {string} values
     */
    chart: (measure, unit, values) => `${measure} per ${unit}: ${values}`,
    record: "Record: ",
    /**
     * @param {string} day
     * @param {string} total
     */
    inSession: (day, total) => ` in one session, ${day}. In all ${total}. `,
    largest: "Largest range: ",
    /**
     * @param {string} joint
     * @param {string} day
     */
    inSet: (joint, day) => ` of the ${joint} in a set, ${day}.`,
  },
  sets: {
    title: "Sets",
    /**
     * @param {number} number
     * @param {number} repetitions
     */
    now: (number, repetitions) => `Set ${number}: ${repetitions}`,
    /** @param {number} seconds */
    rest: (seconds) => `Rest ${clock(seconds)}`,
    unmeasured: "not measured",
    /**
     * @param {number} set
     * @param {number} sets
     */
    place: (set, sets) => `set ${set} of ${sets}`,
    /** @param {number} weight */
    weight: (weight) => `${weight} kg`,
    /**
     * @param {number | string} done
     * @param {number | string} wanted
     */
    reached: (done, wanted) => `${done} of ${wanted}`,
    /** @param {number} count */
    repetitions: (count) => counted(count, "repetition"),
    /**
     * @param {number} count
     * @param {string} text
     */
    cue: (count, text) => `${count} × “${text}”`,
  },
};

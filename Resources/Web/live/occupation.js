// @ts-check
/** What the prominent person is occupied with, as the panel and the announcer show it. */

import { words } from "../shared/format.js";
import { actionText, t } from "./texts.js";

/**
 * A set by its name, *ready* between sets, walking, running or lying; else what the newest window says.
 *
 * @param {Pick<import("types/live").Frame, "action" | "activity" | "set" | "persons" | "prominent">} frame
 * @returns {{text: string, status: string, label: string | null, isOfWindow: boolean}} `label` is that
 *   of the exercise; `isOfWindow` says whether the newest window says the same
 */
export function occupation({ action, activity, set, persons, prominent }) {
  if (activity === "ready") {
    return { text: t("activity.ready"), status: "ready", label: null, isOfWindow: false };
  }
  if (activity === "everyday") {
    const kind = persons.find(({ id }) => id === prominent)?.posture?.kind ?? "";
    const text = words(kind.startsWith("lying") ? "lying" : kind);
    return { text, status: "ready", label: null, isOfWindow: false };
  }
  if (activity === "set" && set?.label === null) {
    return { text: t("activity.unnamed"), status: "ready", label: null, isOfWindow: false };
  }
  const label = activity === "set" && set?.label ? set.label : action?.label ?? null;
  const isOfWindow = label === (action?.label ?? null);
  return {
    text: isOfWindow ? actionText(action) : words(label ?? ""), label, isOfWindow,
    status: isOfWindow ? action?.status ?? "none" : "action",
  };
}

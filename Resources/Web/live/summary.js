// @ts-check
/** The summary of the current session, updated while it is open. */

import { button, byId, make, openDialog } from "../shared/dom.js";
import { entryTable, exportLinks, figures, timeline } from "./results.js";
import { setList } from "./sets.js";
import { t } from "./texts.js";

export class SummaryView {
  /** @type {HTMLDialogElement} */
  #dialog = byId("summary-dialog");
  /** @type {import("types/live").Summary} */
  #summary = { type: "summary", duration: 0, entries: [], timeline: [], sets: [] };
  /** @type {number | null} */
  #historyID = null;
  #results = make("div", { className: "results" });
  #links = make("div");

  /** @param {() => void} onNew starts a new session */
  constructor(onNew) {
    byId("summary-content").append(this.#results, this.#links,
      make("div", { className: "row" },
        button("secondary small", { id: "new-session" }, t("summary.new"), onNew)),
      make("p", { className: "quiet" }, t("summary.about")));
  }

  /** @param {import("types/live").Summary} summary */
  update(summary) {
    this.#summary = summary;
    if (this.#dialog.open) this.#render();
  }

  /** @param {number | null} historyID of the current session; null where it is not kept */
  setSession(historyID) {
    if (historyID === this.#historyID) return;
    this.#historyID = historyID;
    this.#links.replaceChildren(...(historyID === null ? [] : [exportLinks(historyID)]));
  }

  open() {
    this.#render();
    openDialog(this.#dialog);
  }

  #render() {
    const { entries, duration, timeline: stretches, sets } = this.#summary;
    if (entries.length === 0) {
      this.#results.replaceChildren(make("p", { className: "empty" }, t("summary.empty")));
      return;
    }
    this.#results.replaceChildren(
      figures({ duration, entries, sets }), timeline(stretches, duration), entryTable(entries),
      ...setList(sets));
  }
}

// @ts-check
/** The summary of the session under way, kept up to date while it is open. */

import { byId, make, openDialog } from "./dom.js";
import { entryTable, exportLinks, figures, timeline } from "./results.js";

export class SummaryView {
  #dialog = /** @type {HTMLDialogElement} */ (byId("summary-dialog"));
  #content = byId("summary-content");
  /** @type {import("./protocol.js").Summary} */
  #summary = { duration: 0, entries: [], timeline: [] };
  #historyID = 0;
  #results = make("div", { className: "results" });
  #links = make("div");

  /** @param {() => void} onNew begins a session anew */
  constructor(onNew) {
    const className = "secondary small";
    const again = make("button", { id: "new-session", className, type: "button" }, "Begin anew");
    again.addEventListener("click", onNew);
    const note = make("p", { className: "quiet" },
      "Beginning anew keeps this session in the history and starts from nought.");
    const row = make("div", { className: "row" }, again);
    this.#content.append(this.#results, this.#links, row, note);
  }

  /** @param {import("./protocol.js").Summary} summary */
  update(summary) {
    this.#summary = summary;
    if (this.#dialog.open) this.#render();
  }

  /** @param {number} historyID of the session under way */
  setSession(historyID) {
    if (historyID === this.#historyID) return;
    this.#historyID = historyID;
    this.#links.replaceChildren(exportLinks(historyID));
  }

  open() {
    this.#render();
    openDialog(this.#dialog);
  }

  #render() {
    const { entries, duration, timeline: stretches } = this.#summary;
    if (entries.length === 0) {
      const empty = make("p", { className: "empty" },
        "Nothing was seen yet. Move, and it shows here.");
      this.#results.replaceChildren(empty);
      return;
    }
    this.#results.replaceChildren(
      figures({ duration, entries }), timeline(stretches, duration), entryTable(entries));
  }
}

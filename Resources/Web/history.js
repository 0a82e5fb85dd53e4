// @ts-check
/** Earlier sessions: a list, and each of them with its results, name, files and an end. */

import { ask, sentence, tell } from "./api.js";
import { byId, icon, make, openDialog } from "./dom.js";
import { clock, counted, day } from "./format.js";
import { colors, entryTable, exportLinks, figures, timeline } from "./results.js";

const pageSize = 25;

/** @typedef {import("./protocol.js").SessionRecord} SessionRecord */

export class HistoryView {
  #dialog = /** @type {HTMLDialogElement} */ (byId("history-dialog"));
  #title = byId("history-title");
  #content = byId("history-content");
  /** @type {SessionRecord[]} */
  #sessions = [];
  #total = 0;

  async open() {
    this.#content.replaceChildren(make("p", { className: "empty" }, "Looking …"));
    openDialog(this.#dialog);
    await this.#load(true);
  }

  /** @param {boolean} fromStart */
  async #load(fromStart) {
    const offset = fromStart ? 0 : this.#sessions.length;
    try {
      const page = await ask(`history?limit=${pageSize}&offset=${offset}`);
      this.#sessions = fromStart ? page.sessions : [...this.#sessions, ...page.sessions];
      this.#total = page.total;
      this.#list();
    } catch (error) {
      this.#content.replaceChildren(make("p", { className: "problem" }, sentence(error)));
    }
  }

  #list() {
    this.#title.textContent = "History";
    if (this.#sessions.length === 0) {
      const empty = make("p", { className: "empty" },
        "No session was kept yet. Each that you begin is found here afterwards.");
      this.#content.replaceChildren(empty);
      return;
    }
    const items = this.#sessions.map((session) => make("li", {}, this.#row(session)));
    const parts = [make("ul", { className: "sessions", id: "history-list" }, ...items)];
    if (this.#sessions.length < this.#total) {
      const left = this.#total - this.#sessions.length;
      const more = make("button", { className: "secondary small", type: "button" },
        `Show more (${left})`);
      more.addEventListener("click", () => this.#load(false));
      parts.push(more);
    }
    this.#content.replaceChildren(...parts);
  }

  /** @param {SessionRecord} session */
  #row(session) {
    const { id, name, startedAt, duration, entries, isOpen, hasRecording } = session;
    const done = entries.filter((entry) => entry.isModelLabel && entry.repetitions > 0).slice(0, 4);
    const chips = done.map(({ label, text, repetitions }) => make("span", { className: "chip" },
      make("i", { className: colors.className(label, true), "aria-hidden": "true" }),
      `${Math.floor(repetitions)} ${text}`));
    if (isOpen) chips.unshift(make("span", { className: "chip now" }, "Under way"));
    if (hasRecording) chips.push(make("span", { className: "chip" }, icon("film"), "Video"));
    const row = make("button", { className: "session", type: "button", "data-session": String(id) },
      make("span", { className: "name" }, name),
      make("span", { className: "quiet" }, `${day(startedAt)} · ${clock(duration)}`),
      chips.length > 0 && make("span", { className: "chips" }, ...chips));
    row.addEventListener("click", () => this.#show(id));
    return row;
  }

  /** @param {number} id */
  async #show(id) {
    try {
      this.#detail(await ask(`history/${id}`));
    } catch (error) {
      this.#content.prepend(make("p", { className: "problem", role: "alert" }, sentence(error)));
    }
  }

  /** @param {SessionRecord} session */
  #detail(session) {
    const { id, name, startedAt, duration, entries, model, hasRecording } = session;
    this.#title.textContent = name;
    const back = make("button", { className: "link", type: "button" }, icon("back"),
      "All sessions");
    back.addEventListener("click", () => this.#load(true));
    const about = [day(startedAt), model ? `model ${model}` : "counting only"].join(" · ");
    const parts = [
      back, make("p", { className: "quiet" }, about), figures({ duration, entries }),
      timeline(session.timeline ?? [], duration), entryTable(entries), exportLinks(id),
    ];
    if (hasRecording) {
      parts.splice(2, 0, make("video", {
        className: "recorded", controls: true, preload: "metadata",
        src: `/api/v1/history/${id}/recording`, "aria-label": "The recording of this session",
      }));
    }
    parts.push(this.#naming(session), this.#ending(session));
    this.#content.replaceChildren(...parts);
    back.focus();
  }

  /** @param {SessionRecord} session */
  #naming(session) {
    const field = make("input", {
      id: "session-name", type: "text", value: session.name, required: true, maxLength: 200,
      autocomplete: "off",
    });
    const form = make("form", { className: "field" },
      make("label", { for: "session-name" }, "Name"),
      make("div", { className: "row" }, field,
        make("button", { className: "secondary small", type: "submit" }, "Rename")));
    form.addEventListener("submit", async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        await tell(`history/${session.id}`, "PATCH", { name: field.value.trim() });
        this.#title.textContent = field.value.trim();
      } catch (error) {
        form.append(make("p", { className: "problem", role: "alert" }, sentence(error)));
      }
    });
    return form;
  }

  /** @param {SessionRecord} session */
  #ending({ id, entries }) {
    const place = make("div", { className: "row ending" });
    const ask1 = make("button", { className: "danger small", type: "button" },
      icon("trash"), "Delete");
    const restore = () => place.replaceChildren(ask1);
    ask1.addEventListener("click", () => {
      const sure = make("button", { className: "danger small", type: "button" }, "Yes, delete it");
      const no = make("button", { className: "secondary small", type: "button" }, "Keep it");
      no.addEventListener("click", restore);
      sure.addEventListener("click", () => this.#delete(id, place));
      const what = counted(entries.filter((entry) => entry.isModelLabel).length, "action");
      const question = make("span", {}, `Delete this session with ${what} for good?`);
      place.replaceChildren(question, sure, no);
      sure.focus();
    });
    restore();
    return place;
  }

  /**
   * @param {number} id
   * @param {HTMLElement} place
   */
  async #delete(id, place) {
    try {
      await ask(`history/${id}`, { method: "DELETE" });
      await this.#load(true);
    } catch (error) {
      place.replaceChildren(make("p", { className: "problem", role: "alert" }, sentence(error)));
    }
  }
}

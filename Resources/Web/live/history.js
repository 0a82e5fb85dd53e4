// @ts-check
/** Past sessions: the list, and each session with its results, name and exports. */

import { isBack, request, send } from "../shared/api.js";
import { button, byId, icon, make, openDialog } from "../shared/dom.js";
import { clock, day } from "../shared/format.js";
import { progress } from "./progress.js";
import { colors, entryTable, exportLinks, figures, timeline } from "./results.js";
import { setList } from "./sets.js";
import { messageOf, resultText, t } from "./texts.js";

const pageSize = 25;
/** How many sessions the progress is of: as many as the server gives at a time. */
const progressSize = 500;

/** @typedef {import("types/live").SessionRecord} SessionRecord */

/**
 * What a session is called: the name that somebody gave it, else when it began, where the reader is.
 *
 * @param {SessionRecord} session
 */
function titleOf({ name, isNamed, startedAt }) {
  return isNamed ? name : day(startedAt);
}

export class HistoryView {
  /** @type {HTMLDialogElement} */
  #dialog = byId("history-dialog");
  #title = byId("history-title");
  #content = byId("history-content");
  /** @type {SessionRecord[]} */
  #sessions = [];
  #total = 0;

  /** The progress over all sessions, above the list. */
  #progress = make("div");
  /** Whose sessions are listed: a profile's id, "none", or all. */
  #owner = make("select", { id: "history-profile", "aria-label": t("profile.history") });

  /** @param {import("./profiles.js").Profiles} profiles */
  constructor(profiles) {
    this.profiles = profiles;
    this.#owner.addEventListener("change", () => this.#load(true));
  }

  async open() {
    this.#content.replaceChildren(make("p", { className: "empty" }, t("history.loading")));
    openDialog(this.#dialog);
    await this.#prepare();
  }

  async #prepare() {
    await this.profiles.load();
    this.profiles.fill(this.#owner, [["", t("profile.everyone")], ["none", t("profile.nobody")]],
      String(this.profiles.chosen ?? ""));
    this.#owner.hidden = this.profiles.list.length === 0;
    await this.#load(true);
  }

  /** What is added to the addresses of lists. */
  get #selection() {
    return this.#owner.value ? `&profile=${this.#owner.value}` : "";
  }

  /** Without it, the list alone is shown. */
  async #loadProgress() {
    /** @type {import("types/live").HistoryPage | null} */
    const page = await request(`history?limit=${progressSize}${this.#selection}`).catch(() => null);
    const section = page && progress(page.sessions);
    this.#progress.replaceChildren(...(section ? [section] : []));
    this.#progress.hidden = !section;
  }

  /** @param {boolean} fromStart */
  async #load(fromStart) {
    const offset = fromStart ? 0 : this.#sessions.length;
    try {
      /** @type {import("types/live").HistoryPage} */
      const page = await request(`history?limit=${pageSize}&offset=${offset}${this.#selection}`);
      this.#sessions = fromStart ? page.sessions : [...this.#sessions, ...page.sessions];
      this.#total = page.total;
      this.#list();
      if (fromStart) this.#loadProgress();
    } catch (error) {
      const problem = make("p", { className: "problem" }, messageOf(error));
      this.#content.replaceChildren(problem);
      const isShown = () => this.#dialog.open && problem.isConnected;
      if (await isBack(error, isShown)) this.#prepare();
    }
  }

  #list() {
    this.#title.textContent = t("history");
    if (this.#sessions.length === 0) {
      this.#content.replaceChildren(this.#owner, make("p", { className: "empty" },
        t(this.#owner.value ? "profile.empty" : "history.empty")));
      return;
    }
    const items = this.#sessions.map((session) => make("li", {}, this.#row(session)));
    this.#content.replaceChildren(this.#owner, this.#progress,
      make("ul", { className: "sessions", id: "history-list" }, ...items));
    const left = this.#total - this.#sessions.length;
    if (left > 0) {
      this.#content.append(
        button("secondary small", {}, t("history.more", { n: left }), () => this.#load(false)));
    }
  }

  /** @param {SessionRecord} session */
  #row(session) {
    const { id, startedAt, duration, entries, isNamed, isOpen, hasRecording, profile } = session;
    const owner = this.profiles.nameOf(profile);
    const done = entries.filter((entry) => entry.isModelLabel && entry.repetitions > 0).slice(0, 4);
    const chips = done.map(({ label, text, repetitions }) => make("span", { className: "chip" },
      make("i", { className: colors.className(label, true), "aria-hidden": "true" }),
      `${t("challenge.times", { n: Math.floor(repetitions) })} ${resultText({ label, text })}`));
    if (isOpen) chips.unshift(make("span", { className: "chip now" }, t("history.open")));
    if (hasRecording) chips.push(make("span", { className: "chip" }, icon("film"), t("history.video")));
    const row = make("button", { className: "session", type: "button", "data-session": String(id) },
      make("span", { className: "name" }, titleOf(session)),
      make("span", { className: "quiet" },
        [isNamed && day(startedAt), clock(duration), owner].filter(Boolean).join(" · ")),
      chips.length > 0 && make("span", { className: "chips" }, ...chips));
    row.addEventListener("click", () => this.#show(id));
    return row;
  }

  /** @param {number} id */
  async #show(id) {
    try {
      this.#detail(await request(`history/${id}`));
    } catch (error) {
      this.#content.prepend(make("p", { className: "problem", role: "alert" }, messageOf(error)));
    }
  }

  /** @param {SessionRecord} session */
  #detail(session) {
    const { id, isNamed, startedAt, duration, entries, sets, model, hasRecording } = session;
    this.#title.textContent = titleOf(session);
    const back = button("link", { picture: "back" }, t("history.all"), () => this.#load(true));
    const about = [isNamed && day(startedAt), model ? t("history.model", { model }) : t("history.countOnly")]
      .filter(Boolean).join(" · ");
    const video = hasRecording ? [make("video", {
      className: "recorded", controls: true, preload: "metadata",
      src: `/api/v1/history/${id}/recording`, "aria-label": t("history.recording"),
    })] : [];
    this.#content.replaceChildren(
      back, make("p", { className: "quiet" }, about), ...video, figures({ duration, entries, sets }),
      timeline(session.timeline ?? [], duration), entryTable(entries),
      ...setList(sets), exportLinks(id),
      ...this.#ownership(session), this.#nameForm(session), this.#deletion(session));
    back.focus();
  }

  /**
   * Who trained, which can be changed; nothing without profiles.
   *
   * @param {SessionRecord} session
   */
  #ownership({ id, profile }) {
    if (this.profiles.list.length === 0) return [];
    const select = make("select", { id: "session-profile" });
    this.profiles.fill(select, [["", t("profile.nobody")]], String(profile ?? ""));
    const field = make("div", { className: "field across" },
      make("label", { for: "session-profile" }, t("profile.session")), select);
    select.addEventListener("change", async () => {
      try {
        await send("PATCH", `history/${id}`, { profile: Number(select.value) || null });
      } catch (error) {
        field.append(make("p", { className: "problem", role: "alert" }, messageOf(error)));
      }
    });
    return [field];
  }

  /** @param {SessionRecord} session */
  #nameForm(session) {
    const field = make("input", {
      id: "session-name", type: "text", value: titleOf(session), required: true, maxLength: 200,
      autocomplete: "off",
    });
    const form = make("form", { className: "field" },
      make("label", { for: "session-name" }, t("name")),
      make("div", { className: "row" }, field,
        make("button", { className: "secondary small", type: "submit" }, t("history.rename"))));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        const name = field.value.trim();
        await send("PATCH", `history/${session.id}`, { name });
        this.#title.textContent = name;
      } catch (error) {
        form.append(make("p", { className: "problem", role: "alert" }, messageOf(error)));
      }
    });
    return form;
  }

  /** @param {SessionRecord} session */
  #deletion({ id, entries }) {
    const place = make("div", { className: "row ending" });
    const first = button("danger small", { picture: "trash" }, t("delete"), () => {
      const confirmed = button("danger small", {}, t("delete"), () => this.#delete(id, place));
      const cancel = button("secondary small", {}, t("cancel"), () => place.replaceChildren(first));
      const n = entries.filter((entry) => entry.isModelLabel).length;
      const question = make("span", {}, t("history.question", { n }));
      place.replaceChildren(question, confirmed, cancel);
      confirmed.focus();
    });
    place.append(first);
    return place;
  }

  /**
   * @param {number} id
   * @param {HTMLElement} place
   */
  async #delete(id, place) {
    try {
      await request(`history/${id}`, { method: "DELETE" });
      await this.#load(true);
    } catch (error) {
      place.replaceChildren(make("p", { className: "problem", role: "alert" }, messageOf(error)));
    }
  }
}

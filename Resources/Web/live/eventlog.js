// @ts-check
/** The events that rules keep on the server, newest first; a tap acknowledges one. */

import { request, send } from "../shared/api.js";
import { byId, icon, make, setText } from "../shared/dom.js";
import { day, timeOfDay } from "../shared/format.js";
import { alarms, reason, sentence } from "./happened.js";
import { messageOf, t } from "./texts.js";

/** @typedef {import("types/watch").Logged} Logged */

/** Events of today have a time, others also a day, in ms. */
const dayLength = 86400000;

export class EventLog {
  #panel = byId("event-log");
  #list = byId("event-list");
  #problem = byId("event-problem");
  /** @type {Map<string, HTMLLIElement>} */
  #rows = new Map();
  #isLoading = false;
  /** @type {Set<string>} */
  unacknowledged = new Set();

  /** @param {() => void} changed is called where sources have other alarms */
  constructor(changed) {
    this.changed = changed;
  }

  async load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      /** @type {import("types/watch").Log} */
      const { events } = await request("log");
      this.#show(events);
      this.#report("");
    } catch (error) {
      this.#report(messageOf(error));
    } finally {
      this.#isLoading = false;
    }
  }

  /** @param {string} problem */
  #report(problem) {
    setText(this.#problem, problem);
    this.#problem.hidden = problem === "";
  }

  /** @param {Logged[]} events */
  #show(events) {
    this.#panel.hidden = events.length === 0;
    document.body.classList.toggle("has-log", events.length > 0);
    const ids = new Set(events.map(({ event }) => event.id));
    for (const [id, row] of this.#rows) {
      if (ids.has(id)) continue;
      row.remove();
      this.#rows.delete(id);
    }
    let place = this.#list.firstElementChild;
    for (const logged of events) {
      let row = this.#rows.get(logged.event.id);
      if (!row) {
        row = this.#row(logged);
        this.#rows.set(logged.event.id, row);
        this.#list.insertBefore(row, place);
      } else if (row === place) {
        place = row.nextElementSibling;
      }
      row.classList.toggle("acknowledged", logged.acknowledged);
      const button = row.querySelector("button");
      if (button) button.disabled = logged.acknowledged;
    }
    const waiting = events.filter(({ event, acknowledged }) =>
      !acknowledged && alarms.includes(event.event));
    this.unacknowledged = new Set(waiting.map(({ event }) => event.source));
    this.changed();
  }

  /** @param {Logged} logged */
  #row({ event, picture }) {
    const date = new Date(event.time);
    const isRecent = Date.now() - date.getTime() < dayLength;
    const why = reason(event);
    const acknowledge = make("button", {
      className: "tool", type: "button", title: t("log.acknowledge"),
      "aria-label": t("log.acknowledgeOf", { what: sentence(event), source: event.source }),
    }, icon("check"));
    acknowledge.addEventListener("click", () => this.#acknowledge(event.id));
    return make("li", { className: alarms.includes(event.event) ? "logged serious" : "logged" },
      picture && make("img", {
        src: `/api/v1/log/${event.id}/picture`, alt: t("log.picture", { source: event.source }),
        loading: "lazy",
      }),
      make("div", { className: "logged-text" },
        make("p", { className: "logged-what" }, sentence(event)),
        make("p", { className: "logged-where" }, event.source, " · ",
          make("time", { dateTime: event.time }, isRecent ? timeOfDay(date) : day(event.time))),
        why !== "" && make("p", { className: "logged-why" }, why)),
      acknowledge);
  }

  /** @param {string} id */
  async #acknowledge(id) {
    try {
      await send("POST", `log/${id}/acknowledge`);
      await this.load();
    } catch (error) {
      this.#report(messageOf(error));
    }
  }
}

// @ts-check
/** What all pages share: messages, undo, dialogs, waiting. */

import { ServerError } from "../shared/api.js";
import { button, byId, completeSheet, make, openDialog, setText } from "../shared/dom.js";
import { preferences } from "../shared/preferences.js";
import { messageOf, t } from "./texts.js";

/** @typedef {() => Promise<unknown> | unknown} Command */

const shownFor = 10_000;
/** How long after something that a page shows in another state it is loaded again, in milliseconds. */
const settlesAfter = 600;

export class Shell {
  #toast = byId("toast");
  #announcer = byId("announcer");
  /** @type {{text: string, undo: Command}[]} */
  #done = [];
  #timer = 0;
  #refreshTimer = 0;

  /** Loads the present page again. */
  reload = () => {};
  /** What would be lost by leaving the page, in a sentence; `null` for nothing. */
  #losses = () => /** @type {string | null} */ (null);

  constructor() {
    addEventListener("keydown", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.key.toLowerCase() !== "z" || event.shiftKey || !preferences.usesKeys) return;
      // The montage has an undo of its own.
      if (document.body.dataset.page === "montage") return;
      if (target.closest("input, select, textarea, dialog") || this.#done.length === 0) return;
      event.preventDefault();
      this.undo();
    });
  }

  /**
   * Shows a text for some seconds.
   *
   * @param {string} text
   * @param {"calm" | "bad"} [tone]
   */
  note(text, tone = "calm") {
    this.#show(tone, make("span", {}, text));
  }

  /**
   * Reports what was done and offers to undo it.
   *
   * @param {string} text
   * @param {Command} undo
   */
  done(text, undo) {
    this.#done.push({ text, undo });
    this.#offerUndo("calm", text);
  }

  /** Undoes the last change that can be undone; what fails can be tried again. */
  async undo() {
    const done = this.#done;
    const last = done.pop();
    if (!last) return;
    try {
      await last.undo();
    } catch (error) {
      done.push(last);
      return this.#offerUndo("bad", messageOf(error));
    }
    this.note(t("undone", { text: last.text }));
  }

  /** Forgets what can be undone: another page has another list. */
  forget() {
    this.#done = [];
  }

  /**
   * Runs a command and shows why it failed.
   *
   * @param {Command} command
   * @returns {Promise<boolean>} whether it succeeded
   */
  async run(command) {
    try {
      await command();
      return true;
    } catch (error) {
      this.note(messageOf(error), "bad");
      return false;
    }
  }

  /**
   * Loads the present page again after something that its user did not do just now: the end of an upload or
   * of a job. Several such ends are waited for, and what somebody types is not lost.
   *
   * @param {AbortSignal} signal aborted when the page is left
   */
  refresh(signal) {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(() => {
      if (signal.aborted) return;
      const isTyping = document.activeElement?.matches("input:not([type=file]), textarea, select");
      if (isTyping) this.refresh(signal);
      else this.reload();
    }, settlesAfter);
  }

  /**
   * Lets a page ask before it is left.
   *
   * @param {AbortSignal} signal aborted when the page is left
   * @param {() => string | null} losses what would be lost, in a sentence; `null` for nothing
   */
  guard(signal, losses) {
    this.#losses = losses;
    signal.addEventListener("abort", () => {
      if (this.#losses === losses) this.#losses = () => null;
    });
  }

  /**
   * Leaves the page, after a question where something would be lost.
   *
   * @param {() => void} go
   * @param {() => void} [stay]
   */
  leave(go, stay = () => {}) {
    const losses = this.#losses();
    if (losses === null) return go();
    let isGoing = false;
    const sheet = this.open(t("leave.title"), make("p", {}, losses), make("div",
      { className: "row" },
      button("primary small", { id: "stay" }, t("leave.stay"), () => sheet.close()),
      button("danger small", { id: "leave" }, t("leave.go"), () => {
        isGoing = true;
        this.#losses = () => null;
        sheet.close();
      })));
    sheet.addEventListener("close", () => (isGoing ? go() : stay()), { once: true });
  }

  /** @param {string} text for screen readers */
  announce(text) {
    setText(this.#announcer, text);
  }

  /**
   * Opens a sheet, which is removed when it is closed.
   *
   * @param {string} title
   * @param {...(Node | string | false)} content
   */
  open(title, ...content) {
    const sheet = make("dialog", { className: "sheet", id: "sheet-dialog" },
      make("div", { className: "content" }, ...content.filter((part) => part !== false)));
    completeSheet(sheet, title, t("close"));
    sheet.addEventListener("close", () => sheet.remove());
    document.body.append(sheet);
    openDialog(sheet);
    return sheet;
  }

  /**
   * Asks for one line of text.
   *
   * @param {{title: string, label: string, value?: string, action: string}} question
   * @param {(text: string) => Promise<unknown> | unknown} answer
   */
  ask({ title, label, value = "", action }, answer) {
    const field = make("input",
      { id: "answer", type: "text", value, required: true, maxLength: 200, autocomplete: "off" });
    const form = make("form", { className: "field" },
      make("label", { for: "answer" }, label), field,
      make("div", { className: "row" },
        make("button", { className: "primary small", type: "submit" }, action)));
    const sheet = this.open(title, form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = field.value.trim();
      if (text && await this.run(() => answer(text))) sheet.close();
    });
    field.select();
  }

  /**
   * Shows a text, with a button where there is something to undo.
   *
   * @param {"calm" | "bad"} tone
   * @param {string} text
   */
  #offerUndo(tone, text) {
    if (this.#done.length === 0) return this.note(text, tone);
    this.#show(tone, make("span", {}, text),
      button("secondary small", { id: "undo" }, t("undo"), () => this.undo()));
  }

  /**
   * @param {string} tone
   * @param {...Node} content
   */
  #show(tone, ...content) {
    clearTimeout(this.#timer);
    this.#toast.dataset.tone = tone;
    this.#toast.replaceChildren(make("div", {}, ...content));
    this.#timer = setTimeout(() => {
      if (!this.#toast.contains(document.activeElement)) this.#toast.replaceChildren();
    }, shownFor);
  }
}

/**
 * Runs a command again and again until the page is left; failures are tried again.
 *
 * @param {AbortSignal} signal
 * @param {number} seconds between two runs
 * @param {() => Promise<boolean | void>} command ends the series by returning false
 */
export async function poll(signal, seconds, command) {
  while (!signal.aborted) {
    try {
      if (await command() === false) return;
    } catch (error) {
      if (signal.aborted) return;
      console.warn(error);
    }
    await pause(seconds * (document.hidden ? 4 : 1));
  }
}

/** @param {number} seconds */
export function pause(seconds) {
  return new Promise((done) => setTimeout(done, seconds * 1000));
}

/**
 * Asks the server until it has worked out the answer: until then it reports a fraction. Without a connection it
 * is asked again.
 *
 * @param {AbortSignal} signal
 * @param {() => Promise<any>} request
 * @param {(fraction: number) => void} progress
 * @returns {Promise<any>} null where the page was left
 */
export async function result(signal, request, progress) {
  while (!signal.aborted) {
    try {
      const answer = await request();
      if (!("fraction" in answer)) return answer;
      progress(answer.fraction);
    } catch (error) {
      if (!(error instanceof ServerError && error.status === 0)) throw error;
      console.warn(error);
    }
    await pause(0.5);
  }
  return null;
}

// @ts-check
/** The routines on the server: challenges that are saved under a name, to train with again. */

import { request, send, ServerError } from "../shared/api.js";
import { button, make, setText } from "../shared/dom.js";
import { messageOf, t } from "./texts.js";

/** @typedef {import("types/live").Routine} Routine */

export class RoutineShelf {
  /** @type {Routine[]} */
  #routines = [];
  /** How often a routine was saved or deleted. */
  #changes = 0;
  /** The name of a routine that was not shown, and that the next one to be saved under it replaces. */
  #replaced = "";
  #choice = make("select", { id: "routine-choice", "aria-label": t("routine") });
  #name = make("input", {
    id: "routine-name", type: "text", maxLength: 200, autocomplete: "off",
    placeholder: t("routine.placeholder"),
  });
  #note = make("p", { id: "routine-note", role: "status", className: "quiet" });
  #remove = button("danger small", { id: "routine-delete", picture: "trash" }, t("delete"),
    () => this.#delete());
  /** The list of routines, shown if there are any. */
  chooser = make("div", { className: "field" },
    make("label", { for: "routine-choice" }, t("routine")), this.#choice);
  /** The name and the buttons that save and delete. */
  saver = make("div", { className: "field" },
    make("label", { for: "routine-name" }, t("routine.as")),
    make("div", { className: "row" }, this.#name,
      button("secondary small", { id: "routine-save" }, t("routine.save"), () => this.#save()), this.#remove),
    this.#note);

  /**
   * @param {() => Routine["items"]} items of the challenge that is being edited
   * @param {(items: Routine["items"]) => void} onChoose
   */
  constructor(items, onChoose) {
    this.items = items;
    this.#choice.addEventListener("change", () => {
      const routine = this.#chosen;
      this.#name.value = routine?.name ?? "";
      this.#refresh();
      if (routine) onChoose(routine.items);
    });
    this.#refresh();
  }

  /** Fetches the routines; the shelf says why if that fails. */
  async load() {
    await this.#run(async () => {
      const before = this.#changes;
      const { routines } = await request("routines");
      // What was saved or deleted meanwhile is newer than the answer.
      if (before === this.#changes) this.#routines = routines;
    });
  }

  get #chosen() {
    return this.#routines.find(({ name }) => name === this.#choice.value);
  }

  async #save() {
    const name = this.#name.value.trim();
    if (!name) return this.#name.focus();
    const replace = name === this.#chosen?.name || name === this.#replaced;
    this.#replaced = "";
    await this.#run(async () => {
      try {
        const path = `routines?replace=${replace}`;
        this.#routines = (await send("PUT", path, { name, items: this.items() })).routines;
      } catch (error) {
        if (error instanceof ServerError && error.status === 409) this.#replaced = name;
        throw error;
      }
      this.#changes += 1;
      this.#refresh(name);
      setText(this.#note, t("routine.saved", { name }));
    });
  }

  async #delete() {
    const routine = this.#chosen;
    if (!routine) return;
    await this.#run(async () => {
      await request(`routines?name=${encodeURIComponent(routine.name)}`, { method: "DELETE" });
      this.#routines = this.#routines.filter(({ name }) => name !== routine.name);
      this.#changes += 1;
      this.#refresh("");
      setText(this.#note, t("routine.deleted", { name: routine.name }));
    });
  }

  /** @param {() => Promise<void>} task */
  async #run(task) {
    setText(this.#note, "");
    try {
      await task();
      this.#refresh();
    } catch (error) {
      setText(this.#note, messageOf(error));
    }
  }

  /** @param {string} chosen the name of the routine to choose */
  #refresh(chosen = this.#choice.value) {
    this.#choice.replaceChildren(make("option", { value: "" }, t("routine.none")),
      ...this.#routines.map(({ name }) => make("option", { value: name }, name)));
    this.#choice.value = this.#routines.some(({ name }) => name === chosen) ? chosen : "";
    this.chooser.hidden = this.#routines.length === 0;
    this.#remove.hidden = !this.#chosen;
  }
}

// @ts-check
/** Who trains: the profiles on the server, where they are chosen, added, renamed and deleted. */

import { request, send } from "../shared/api.js";
import { button, make, setText } from "../shared/dom.js";
import { messageOf, t } from "./texts.js";

/** @typedef {import("types/live").Profile} Profile */

/** The most characters of a name, as the server accepts them. */
const longestName = 40;

export class Profiles {
  /** @type {Profile[]} */
  list = [];
  /** Whether the list is that of the server. */
  isLoaded = false;
  /** @type {number | null} */
  #chosen = null;
  /** Each shows the list and the chosen profile in a control. */
  /** @type {(() => void)[]} */
  #refreshers = [];
  #note = make("p", { id: "profile-note", role: "status", className: "quiet" });
  #name = make("input", {
    id: "profile-name", type: "text", maxLength: longestName, autocomplete: "off",
    placeholder: t("profile.placeholder"),
  });
  #actions = make("div", { className: "row" });

  /** @param {(profile: number | null) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
  }

  /** Fetches the list; without it there is none to choose from. */
  async load() {
    try {
      this.list = (await request("profiles")).profiles;
      this.isLoaded = true;
    } catch {
      this.list = [];
    }
    this.#refresh();
  }

  /** @param {number | null} profile as the server has it */
  choose(profile) {
    this.#chosen = profile;
    this.#refresh();
  }

  /** @param {number | null | undefined} id */
  has(id) {
    return this.list.some((profile) => profile.id === id);
  }

  /** @param {number | null | undefined} id */
  nameOf(id) {
    return this.list.find((profile) => profile.id === id)?.name ?? "";
  }

  get chosen() {
    return this.has(this.#chosen) ? this.#chosen : null;
  }

  /**
   * A list to choose who trains from, hidden without profiles.
   *
   * @param {string} id
   */
  choice(id) {
    const select = make("select", { id });
    const field = make("div", { className: "field across profile-choice" },
      make("label", { for: id }, t("profile.title")), select);
    select.addEventListener("change", () => this.#take(Number(select.value) || null));
    this.#refreshers.push(() => {
      this.fill(select, [["", t("profile.everyone")]], String(this.chosen ?? ""));
      field.hidden = this.list.length === 0;
    });
    this.#refresh();
    return field;
  }

  /**
   * Fills a list with other options and the profiles.
   *
   * @param {HTMLSelectElement} select
   * @param {[string, string][]} others their values and names
   * @param {string} value the chosen one
   */
  fill(select, others, value) {
    const options = [...others, ...this.list.map(({ id, name }) => [String(id), name])];
    select.replaceChildren(...options.map(([value, name]) => make("option", { value }, name)));
    select.value = value;
  }

  /** Where profiles are chosen, added, renamed and deleted. */
  manager() {
    const form = make("form", { className: "field" },
      make("label", { for: "profile-name" }, t("name")),
      make("div", { className: "row" }, this.#name,
        make("button", { id: "profile-add", className: "secondary small", type: "submit" },
          t("profile.add"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add();
    });
    this.#refreshers.push(() => this.#showActions());
    const element = make("fieldset", { id: "profiles" },
      make("legend", {}, t("profile.title")), this.choice("settings-profile"),
      make("p", { className: "quiet" }, t("profile.about")), form, this.#actions, this.#note);
    this.#refresh();
    return element;
  }

  #showActions() {
    const name = this.nameOf(this.chosen);
    this.#actions.hidden = this.chosen === null;
    this.#actions.replaceChildren(
      button("secondary small", { id: "profile-rename" }, t("profile.rename", { name }),
        () => this.#rename()),
      button("danger small", { id: "profile-delete", picture: "trash" },
        t("profile.remove", { name }), () => this.#confirm(name)));
  }

  /** @param {string} name of the chosen profile */
  #confirm(name) {
    const confirmed = button("danger small", { id: "profile-delete-confirm" },
      t("delete"), () => this.#delete());
    this.#actions.replaceChildren(make("span", {}, t("profile.question", { name })), confirmed,
      button("secondary small", {}, t("cancel"), () => {
        this.#showActions();
        document.getElementById("profile-delete")?.focus();
      }));
    confirmed.focus();
  }

  /** @param {number | null} profile */
  #take(profile) {
    this.#chosen = profile;
    this.onChoose(profile);
    this.#refresh();
  }

  async #add() {
    const name = this.#name.value.trim();
    if (!name) return this.#name.focus();
    await this.#run(async () => {
      /** @type {Profile} */
      const profile = await send("POST", "profiles", { name });
      await this.load();
      this.#name.value = "";
      this.#take(profile.id);
      return t("profile.added", { name: profile.name });
    });
  }

  async #rename() {
    const name = this.#name.value.trim();
    if (!name) {
      setText(this.#note, t("profile.newName"));
      return this.#name.focus();
    }
    await this.#run(async () => {
      /** @type {Profile} */
      const profile = await send("PATCH", `profiles/${this.chosen}`, { name });
      await this.load();
      this.#name.value = "";
      return t("profile.renamed", { name: profile.name });
    });
  }

  async #delete() {
    const name = this.nameOf(this.chosen);
    await this.#run(async () => {
      await request(`profiles/${this.chosen}`, { method: "DELETE" });
      await this.load();
      this.#take(null);
      this.#name.focus();
      return t("profile.deleted", { name });
    });
  }

  /** @param {() => Promise<string>} task returns what it did */
  async #run(task) {
    setText(this.#note, "");
    try {
      setText(this.#note, await task());
    } catch (error) {
      setText(this.#note, messageOf(error));
    }
  }

  #refresh() {
    for (const refresh of this.#refreshers) refresh();
  }
}

// @ts-check
/** Chooses, uploads and deletes models. */

import { request } from "../shared/api.js";
import { button, icon, make } from "../shared/dom.js";
import { words } from "../shared/format.js";
import { colors } from "./results.js";
import { messageOf, t } from "./texts.js";

/** @typedef {import("types/live").Model} Model */

export class ModelChooser {
  /** @type {Model[]} */
  #models = [];
  /** @type {string | null} */
  #chosen = null;
  #select = make("select", { id: "model-select", "aria-describedby": "model-about" });
  #about = make("p", { id: "model-about", className: "quiet" });
  #note = make("p", { id: "model-note", role: "status", hidden: true });
  #file = make("input", {
    id: "model-upload", type: "file", accept: ".mlmodel", className: "visually-hidden",
  });
  #delete = button("danger small", { id: "model-remove", picture: "trash" }, t("model.delete"),
    () => this.#deleteChosen());
  /** The size limit of a file, in bytes. */
  limit = Infinity;
  element;

  /** @param {(id: string | null) => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.#select.addEventListener("change", () => {
      this.#chosen = this.#select.value || null;
      this.#describe();
      onChange(this.#chosen);
    });
    this.#file.addEventListener("change", () => this.#upload());
    this.element = make("fieldset", {},
      make("legend", {}, t("model")),
      make("label", { for: "model-select", className: "visually-hidden" }, t("model")),
      this.#select, this.#about,
      make("div", { className: "row" }, this.#file,
        make("label", { for: "model-upload", className: "secondary small" }, icon("plus"),
          t("model.upload")),
        this.#delete),
      this.#note);
  }

  /** @param {Model[]} models */
  set models(models) {
    this.#models = models;
    for (const { kinds } of models) colors.learn(kinds);
    this.#fill();
  }

  get models() {
    return this.#models;
  }

  /** @param {string | null} id */
  choose(id) {
    if (id === this.#chosen && this.#select.options.length > 0) return;
    this.#chosen = id;
    this.#fill();
  }

  #fill() {
    const options = this.#models.map(({ id, name, isBuiltIn }) =>
      make("option", { value: id }, isBuiltIn ? t("model.builtIn", { name }) : name));
    this.#select.replaceChildren(...options, make("option", { value: "" }, t("model.none")));
    this.#select.value = this.#chosen ?? "";
    this.#describe();
  }

  #describe() {
    const model = this.#models.find(({ id }) => id === this.#chosen);
    this.#about.textContent = model
      ? t("model.about", { labels: model.labels.map(words).join(", "), n: model.windowSize,
        rate: model.frameRate })
      : t("model.without");
    this.#delete.hidden = !model || model.isBuiltIn;
  }

  /**
   * @param {string} text
   * @param {boolean} isProblem
   */
  #show(text, isProblem) {
    this.#note.textContent = text;
    this.#note.className = isProblem ? "problem" : "good";
    this.#note.hidden = !text;
  }

  async #upload() {
    const file = this.#file.files?.[0];
    this.#file.value = "";
    if (!file) return;
    if (!file.name.toLowerCase().endsWith(".mlmodel")) {
      return this.#show(t("model.notModel", { name: file.name }), true);
    }
    if (file.size > this.limit) {
      const n = Math.floor(this.limit / 1048576);
      return this.#show(t("model.large", { name: file.name, n }), true);
    }
    this.#show(t("model.uploading", { name: file.name }), false);
    try {
      const name = encodeURIComponent(file.name);
      const headers = { "Content-Type": "application/octet-stream" };
      /** @type {Model} */
      const model = await request(`models?name=${name}`,
        { method: "POST", headers, body: file });
      this.models = [...this.#models.filter(({ id }) => id !== model.id), model];
      this.#chosen = model.id;
      this.#fill();
      this.#show(t("model.ready", { name: model.name }), false);
      this.onChange(model.id);
    } catch (error) {
      this.#show(messageOf(error), true);
    }
  }

  async #deleteChosen() {
    const model = this.#models.find(({ id }) => id === this.#chosen);
    if (!model || !confirm(t("model.question", { name: model.name }))) return;
    try {
      await request(`models/${encodeURIComponent(model.id)}`, { method: "DELETE" });
      this.#models = this.#models.filter(({ id }) => id !== model.id);
      this.#chosen = this.#models[0]?.id ?? null;
      this.#fill();
      this.#show(t("model.deleted", { name: model.name }), false);
      this.onChange(this.#chosen);
    } catch (error) {
      this.#show(messageOf(error), true);
    }
  }
}

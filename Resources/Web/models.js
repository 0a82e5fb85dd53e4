// @ts-check
/** Chooses, uploads and deletes models. */

import { messageOf, request } from "./api.js";
import { button, icon, make } from "./dom.js";
import { counted, words } from "./format.js";

/** @typedef {import("./protocol.js").Model} Model */

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
  #delete = button("danger small", { id: "model-remove", picture: "trash" }, "Delete model",
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
      make("legend", {}, "Model"),
      make("label", { for: "model-select", className: "visually-hidden" }, "Model"),
      this.#select, this.#about,
      make("div", { className: "row" }, this.#file,
        make("label", { for: "model-upload", className: "secondary small" }, icon("plus"),
          "Upload a model (.mlmodel)"),
        this.#delete),
      this.#note);
  }

  /** @param {Model[]} models */
  set models(models) {
    this.#models = models;
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
      make("option", { value: id }, isBuiltIn ? `${name} (built in)` : name));
    this.#select.replaceChildren(...options, make("option", { value: "" }, "None (count only)"));
    this.#select.value = this.#chosen ?? "";
    this.#describe();
  }

  #describe() {
    const model = this.#models.find(({ id }) => id === this.#chosen);
    this.#about.textContent = model
      ? `${model.labels.map(words).join(", ")}. Window: ${counted(model.windowSize, "frame")} at `
        + `${model.frameRate} fps.`
      : "Repetitions of any movement are counted, without recognition.";
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
      return this.#show(`“${file.name}” is not a .mlmodel file.`, true);
    }
    if (file.size > this.limit) {
      const megabytes = Math.floor(this.limit / 1048576);
      return this.#show(`“${file.name}” is larger than the limit of ${megabytes} MB.`, true);
    }
    this.#show(`Uploading “${file.name}” …`, false);
    try {
      const name = encodeURIComponent(file.name);
      const headers = { "Content-Type": "application/octet-stream" };
      /** @type {Model} */
      const model = await request(`models?name=${name}`,
        { method: "POST", headers, body: file });
      this.#models = [...this.#models.filter(({ id }) => id !== model.id), model];
      this.#chosen = model.id;
      this.#fill();
      this.#show(`“${model.name}” is ready.`, false);
      this.onChange(model.id);
    } catch (error) {
      this.#show(messageOf(error), true);
    }
  }

  async #deleteChosen() {
    const model = this.#models.find(({ id }) => id === this.#chosen);
    if (!model || !confirm(`Delete the model “${model.name}” from the server?`)) return;
    try {
      await request(`models/${encodeURIComponent(model.id)}`, { method: "DELETE" });
      this.#models = this.#models.filter(({ id }) => id !== model.id);
      this.#chosen = this.#models[0]?.id ?? null;
      this.#fill();
      this.#show(`“${model.name}” was deleted.`, false);
      this.onChange(this.#chosen);
    } catch (error) {
      this.#show(messageOf(error), true);
    }
  }
}

// @ts-check
/** Choosing a model, bringing one's own and removing it. */

import { ask, sentence } from "./api.js";
import { icon, make } from "./dom.js";
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
  #remove = make("button", { id: "model-remove", className: "danger small", type: "button" },
    icon("trash"), "Remove it");
  /** The largest file that the server takes, in bytes. */
  limit = Infinity;
  element;

  /** @param {(id: string | null) => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.#select.addEventListener("change", () => {
      this.#chosen = this.#select.value || null;
      this.#tell();
      onChange(this.#chosen);
    });
    this.#file.addEventListener("change", () => this.#upload());
    this.#remove.addEventListener("click", () => this.#delete());
    this.element = make("fieldset", {},
      make("legend", {}, "Model"),
      make("label", { for: "model-select", className: "visually-hidden" }, "Model"),
      this.#select, this.#about,
      make("div", { className: "row" }, this.#file,
        make("label", { for: "model-upload", className: "secondary small" }, icon("plus"),
          "Bring your own (.mlmodel)"),
        this.#remove),
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
    this.#select.replaceChildren(...options, make("option", { value: "" }, "None: only count"));
    this.#select.value = this.#chosen ?? "";
    this.#tell();
  }

  #tell() {
    const model = this.#models.find(({ id }) => id === this.#chosen);
    this.#about.textContent = model
      ? `${model.labels.map(words).join(", ")}. Looks at ${counted(model.windowSize, "frame")} at `
        + `${model.frameRate} a second.`
      : "Repetitions of whatever you do are counted, without a name.";
    this.#remove.hidden = !model || model.isBuiltIn;
  }

  /**
   * @param {string} text
   * @param {boolean} isProblem
   */
  #say(text, isProblem) {
    this.#note.textContent = text;
    this.#note.className = isProblem ? "problem" : "good";
    this.#note.hidden = !text;
  }

  async #upload() {
    const file = this.#file.files?.[0];
    this.#file.value = "";
    if (!file) return;
    if (!file.name.toLowerCase().endsWith(".mlmodel")) {
      return this.#say(`“${file.name}” is no .mlmodel file.`, true);
    }
    if (file.size > this.limit) {
      const megabytes = Math.floor(this.limit / 1048576);
      return this.#say(`“${file.name}” is larger than the ${megabytes} MB that are taken.`, true);
    }
    this.#say(`“${file.name}” is sent …`, false);
    try {
      const name = encodeURIComponent(file.name);
      const headers = { "Content-Type": "application/octet-stream" };
      const model = await ask(`models?name=${name}`, { method: "POST", headers, body: file });
      this.#models = [...this.#models.filter(({ id }) => id !== model.id), model];
      this.#chosen = model.id;
      this.#fill();
      this.#say(`“${model.name}” is ready.`, false);
      this.onChange(model.id);
    } catch (error) {
      this.#say(sentence(error), true);
    }
  }

  async #delete() {
    const model = this.#models.find(({ id }) => id === this.#chosen);
    if (!model || !confirm(`Remove the model “${model.name}” from the server?`)) return;
    try {
      await ask(`models/${encodeURIComponent(model.id)}`, { method: "DELETE" });
      this.#models = this.#models.filter(({ id }) => id !== model.id);
      this.#chosen = this.#models[0]?.id ?? null;
      this.#fill();
      this.#say(`“${model.name}” was removed.`, false);
      this.onChange(this.#chosen);
    } catch (error) {
      this.#say(sentence(error), true);
    }
  }
}

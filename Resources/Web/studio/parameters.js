// @ts-check
/** The parameters of a training, each with what it means. */

import { information } from "../shared/api.js";
import { button, make, setText } from "../shared/dom.js";
import { words } from "../shared/format.js";
import { t, time } from "./texts.js";
import { defaults } from "./types.js";

/** @typedef {import("./types.js").Context} Context */

/**
 * The value of a parameter as the form has it in words.
 *
 * @param {keyof typeof defaults} name
 * @param {unknown} value null where the training chooses
 * @returns {string}
 */
export function parameterText(name, value) {
  switch (name) {
    case "from": return value == null ? t("none") : words(String(value));
    case "other": return t(value ? "yes" : "no");
    case "validation": return value === "auto" ? t("parameter.validation.auto")
      : value === "none" ? t("none") : t("parameter.share", { n: Math.round(Number(value) * 100) });
    case "augmentation": return value === "flip" || value === "none"
      ? t(`parameter.augmentation.${value}`) : t("parameter.augmentation.default");
    case "algorithm": return value === "posture" || value === "stgcn" || value === "tcn"
      ? t(`parameter.${value}`) : String(value);
    case "batchSize": return value == null ? t("parameter.batchSize.auto") : String(value);
    default: return String(value);
  }
}

/**
 * @param {Context} context
 * @param {(detail: import("types/studio").ProjectDetail) => void} onSave
 */
export function parameterForm({ project, detail, shell }, onSave) {
  /** @type {Record<string, any>} */
  let given = { ...defaults, ...detail.effective };
  /**
   * Each shows the value that is used: defaults depend on the model to start from.
   *
   * @type {(() => void)[]}
   */
  const refreshers = [];
  const meaning = make("p", { className: "quiet", id: "window-meaning" });
  /** @param {Record<string, unknown>} changes null resets */
  const save = async (changes) => {
    await shell.run(async () => {
      const now = await project.send("PATCH", "", { parameters: changes });
      given = { ...defaults, ...now.effective };
      describe();
      onSave(now);
      shell.announce(t("saved"));
    });
    for (const refresh of refreshers) refresh();
  };
  const describe = () => {
    const frames = Math.round(given.duration * given.frameRate);
    setText(meaning, t("parameter.meaning",
      { frames, rate: given.frameRate, time: time(frames / given.frameRate) }));
  };

  /**
   * @param {keyof typeof defaults} name
   * @param {{min: number, max: number, step: number, isOptional?: boolean}} range
   */
  const number = (name, { min, max, step, isOptional = false }) => {
    const id = `parameter-${name}`;
    const field = make("input", { id, type: "number", min: String(min), max: String(max),
      step: String(step), required: !isOptional, "aria-describedby": `${id}-about`,
      ...(isOptional ? { placeholder: t("parameter.batchSize.auto") } : {}) });
    field.addEventListener("change", () => {
      if (!field.reportValidity()) return;
      save({ [name]: field.value === "" ? null : Number(field.value) });
    });
    refreshers.push(() => { field.value = String(given[name] ?? ""); });
    return fieldOf(id, name, field);
  };
  /**
   * @param {keyof typeof defaults} name
   * @param {[string, string][]} options
   */
  const choice = (name, options) => {
    const id = `parameter-${name}`;
    const field = make("select", { id, "aria-describedby": `${id}-about` },
      ...options.map(([value, text]) => make("option", { value }, text)));
    refreshers.push(() => { field.value = String(given[name] ?? ""); });
    field.addEventListener("change", () => {
      const { value } = field;
      save({ [name]: value === "" ? null : value !== "" && !Number.isNaN(Number(value))
        ? Number(value) : value });
    });
    return fieldOf(id, name, field);
  };

  const from = choice("from", [["", t("parameter.from.none")]]);
  const fromField = /** @type {HTMLSelectElement} */ (from.querySelector("select"));
  information().then(({ models }) => {
    fromField.append(...models.map(({ id, name }) => make("option", { value: id }, name)));
    fromField.value = given.from ?? "";
  }).catch(() => {});
  const other = make("input", { type: "checkbox", role: "switch",
    id: "parameter-other", "aria-describedby": "parameter-other-about" });
  refreshers.push(() => { other.checked = given.other; });
  other.addEventListener("change", () => save({ other: other.checked }));

  const form = make("section", { className: "card", id: "parameters",
    "aria-labelledby": "parameters-title" },
  make("header", { className: "page-head" },
    make("h2", { id: "parameters-title" }, t("parameters")),
    button("secondary small", {}, t("parameters.reset"), async () => {
      const before = detail.parameters;
      const reset = Object.fromEntries(Object.keys(defaults).map((key) => [key, null]));
      await save(reset);
      shell.done(t("parameters.was"), async () => {
        await project.send("PATCH", "", { parameters: before });
        shell.reload();
      });
      shell.reload();
    })),
  meaning,
  make("div", { className: "fields" },
    number("duration", { min: 0.1, max: 60, step: 0.1 }),
    number("frameRate", { min: 1, max: 240, step: 1 }),
    number("iterations", { min: 1, max: 100000, step: 1 }),
    from,
    make("div", { className: "field" },
      make("label", { className: "switch" }, t("parameter.other"), other),
      make("small", { id: "parameter-other-about" }, t("parameter.other.about"))),
    choice("augmentation", [["default", t("parameter.augmentation.default")],
      ["flip", t("parameter.augmentation.flip")], ["none", t("parameter.augmentation.none")]]),
    choice("validation", [["auto", t("parameter.validation.auto")], ["none", t("none")],
      ...[0.1, 0.2, 0.3].map((share) => /** @type {[string, string]} */ (
        [String(share), t("parameter.share", { n: share * 100 })]))]),
    choice("algorithm", [["tcn", t("parameter.tcn")], ["posture", t("parameter.posture")],
      ["stgcn", t("parameter.stgcn")]]),
    number("batchSize", { min: 1, max: 4096, step: 1, isOptional: true }),
    number("seed", { min: 0, max: 1e9, step: 1 })));
  describe();
  for (const refresh of refreshers) refresh();
  return form;
}

/**
 * @param {string} id
 * @param {keyof typeof defaults} name
 * @param {HTMLElement} field
 */
function fieldOf(id, name, field) {
  return make("div", { className: "field" }, make("label", { for: id }, t(`parameter.${name}`)),
    field, make("small", { id: `${id}-about` }, t(`parameter.${name}.about`)));
}

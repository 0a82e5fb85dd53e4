// @ts-check
/** The page of the output: what the model is, its metadata, and how it is used. */

import { button, icon, make } from "../shared/dom.js";
import { percent } from "../shared/format.js";
import { labelChip, labelsOf } from "./labels.js";
import { chooseRun } from "./runchoice.js";
import { size, t, time } from "./texts.js";

/** @typedef {import("./types.js").Context} Context */

/** @param {Context} context */
export async function outputPage(context) {
  labelsOf(context.detail);
  const { project, shell } = context;
  const { run, head, ...rest } = await chooseRun(context, "output");
  if (!run || !("snapshot" in rest)) return head;
  const { snapshot } = rest;
  /** @type {import("types/studio").Output} */
  const output = await project.get(`runs/${run.id}/output`, { snapshot });
  const { bytes, classes, windowSize, frameRate, duration, layers, snippets } = output;
  const entry = (/** @type {string} */ name, /** @type {string} */ value) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, value));
  const download = (/** @type {"mlmodel" | "onnx"} */ format) => make("a", {
    className: "secondary small", id: `download-${format}`, download: "",
    href: project.address(`runs/${run.id}/model`, { format, snapshot }) }, icon("download"),
  t(`output.${format}`));
  const use = button("primary", { id: "use", picture: "camera" }, t("output.use"), () =>
    shell.run(async () => {
      const { model } = await project.send("POST", `runs/${run.id}/use`, undefined,
        { snapshot });
      location.href = `/?model=${encodeURIComponent(model)}&start=camera`;
    }));
  const { testing, validation } = run.summary;
  // Those of the run's end.
  const accuracy = snapshot === null ? testing ?? validation : null;
  return make("div", {}, head,
    make("dl", { className: "figures outer" }, entry(t("output.size"), size(bytes)),
      entry(t("output.window"), time(duration)),
      entry(t("output.frames"), t("output.frames.value", { n: windowSize, rate: frameRate })),
      entry(t("output.classes"), String(classes.length)),
      ...(accuracy === null ? [] : [entry(t(testing === null ? "output.validation"
        : "output.testing"), percent(accuracy))])),
    make("div", { className: "charts" },
      make("section", { className: "card" }, make("h2", {}, t("output.get")),
        make("p", { className: "chips" }, ...classes.map(labelChip)),
        make("div", { className: "row plain" }, use, download("mlmodel"), download("onnx")),
        make("h3", {}, t("output.layers")),
        make("ul", { className: "chips" }, ...layers.map(({ kind, count }) =>
          make("li", { className: "chip" }, `${count} × ${kind}`)))),
      metadataForm(context)),
    make("section", { className: "card" }, make("h2", {}, t("output.snippets")),
      ...Object.entries(snippets).map(([language, code]) => snippet(context, language, code))));
}

/**
 * @param {Context} context
 * @param {string} language
 * @param {string} code
 */
function snippet({ shell }, language, code) {
  const name = /** @type {Record<string, string>} */ (
    { python: "Python", swift: "Swift", shell: t("output.shell") })[language] ?? language;
  const copy = button("secondary small", { picture: "copy" }, t("output.copy"), async () => {
    try {
      await navigator.clipboard.writeText(code);
      shell.note(t("output.copied", { name }));
    } catch {
      getSelection()?.selectAllChildren(text);
      shell.note(t("output.selected"));
    }
  });
  copy.append(make("span", { className: "visually-hidden" }, ` ${name}`));
  const text = make("pre", { className: "code", tabIndex: 0 }, make("code", {}, code));
  return make("div", { className: "stack snippet" },
    make("div", { className: "page-head" }, make("h3", {}, name), copy), text);
}

/** @param {Context} context */
function metadataForm({ project, detail, shell }) {
  const fields = /** @type {const} */ (["author", "license", "version", "description"]);
  const form = make("form", { className: "card", id: "metadata",
    "aria-labelledby": "metadata-title" }, make("h2", { id: "metadata-title" },
    t("output.metadata")));
  for (const name of fields) {
    const id = `metadata-${name}`;
    const value = detail.metadata[name] ?? "";
    const field = name === "description" ? make("textarea", { id, value, rows: 3 })
      : make("input", { id, type: "text", value, autocomplete: "off" });
    field.addEventListener("change", () => shell.run(async () => {
      await project.send("PATCH", "", { metadata: { [name]: field.value } });
      shell.announce(t("saved"));
    }));
    form.append(make("div", { className: "field" }, make("label", { for: id },
      t(`output.${name}`)), field));
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.append(make("small", { className: "quiet" }, t("output.metadata.about")));
  return form;
}

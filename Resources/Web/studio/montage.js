// @ts-check
/** The page of the montage: chooses the video whose segments are marked. */

import { information } from "../shared/api.js";
import { icon, make } from "../shared/dom.js";
import { MontageEditor } from "./editor.js";
import { findingList } from "./findings.js";
import { t } from "./texts.js";
import { wells } from "./types.js";
import { uploadsOf } from "./uploads.js";
import { uploadList } from "./wells.js";

/** @typedef {import("./types.js").Context} Context */

/** @param {Context} context */
export async function montagePage(context) {
  const { project, query } = context;
  const [{ media }, { models }, { runs }] = await Promise.all([project.get("media"),
    information(), project.get("runs")]);
  /** @type {import("types/studio").Medium | undefined} */
  const medium = media.find((/** @type {import("types/studio").Medium} */ { file }) =>
    file === query.get("file")) ?? media[0];
  const title = make("h1", {}, t("page.montage"));
  const go = (/** @type {string} */ file) => {
    location.hash = `#/${encodeURIComponent(project.id)}/montage?${new URLSearchParams({ file })}`;
  };
  const upload = videoField(context, go);
  if (!medium) {
    return make("div", {}, title, make("p", { className: "empty" }, t("montage.none")),
      make("div", { className: "row plain" }, ...upload), uploadList(context, false));
  }
  const select = make("select", { id: "medium" },
    ...media.map((/** @type {import("types/studio").Medium} */ { file, items }) =>
      make("option", { value: file }, t("montage.medium",
        { name: file.split("/").at(-1) ?? file, n: items }))));
  select.value = medium.file;
  select.addEventListener("change", () => {
    const file = select.value;
    // The page may stay.
    select.value = medium.file;
    go(file);
  });
  const annotations = await project.get("annotations", { file: medium.file });
  // Those of the project first: they have its labels.
  const namers = [
    ...runs.filter((/** @type {import("types/studio").Run} */ { hasModel }) => hasModel)
      .map((/** @type {import("types/studio").Run} */ { id, name }) => [`run=${id}`, name]),
    ...models.map(({ id, name }) => [`model=${id}`, name])];
  const editor = new MontageEditor(context, medium, annotations, namers);
  return make("div", {}, make("header", { className: "page-head" }, title,
    make("div", { className: "row plain" }, make("div", { className: "field across" },
      make("label", { for: "medium" }, t("preview.medium")), select), ...upload)),
  uploadList(context, false), editor.element, exchange(context));
}

/**
 * Uploads a video without a label: its segments are marked here.
 *
 * @param {Context} context
 * @param {(file: string) => void} go
 */
function videoField({ project, shell }, go) {
  const field = make("input", { type: "file", id: "montage-file", className: "visually-hidden",
    accept: "video/*,.mkv,.avi" });
  field.addEventListener("change", () => shell.run(async () => {
    const [file] = field.files ?? [];
    field.value = "";
    if (file) go((await uploadsOf(project).add(file)).file);
  }));
  return [make("label", { className: "secondary small", for: field.id }, icon("upload"),
    t("preview.file")), field];
}

/**
 * Import and export of annotations.
 *
 * @param {Context} context
 */
function exchange({ project, shell }) {
  const well = make("select", { id: "exchange-well" }, ...wells.map((name) =>
    make("option", { value: name }, t(`well.${name}`))));
  const file = make("input", { type: "file", id: "import-annotations",
    className: "visually-hidden", accept: ".csv,.json,.tsv" });
  const findings = make("div", {});
  file.addEventListener("change", () => shell.run(async () => {
    const [chosen] = file.files ?? [];
    file.value = "";
    if (!chosen) return;
    const answer = await project.upload(`annotations/import`, chosen, { well: well.value });
    shell.note(t("import.done", { n: answer.items }));
    findings.replaceChildren(...findingList(answer.findings));
    if (answer.findings.length === 0) shell.reload();
  }));
  const link = make("a", { className: "secondary small", download: "" }, icon("download"),
    t("montage.export"));
  const show = () => { link.href = project.address("annotations.csv", { well: well.value }); };
  well.addEventListener("change", show);
  show();
  return make("section", { className: "card", "aria-labelledby": "exchange" },
    make("h2", { id: "exchange" }, t("montage.exchange")),
    make("p", { className: "quiet" }, t("montage.exchange.about")),
    make("div", { className: "row plain" }, make("div", { className: "field across" },
      make("label", { for: "exchange-well" }, t("clips.well")), well),
    make("label", { className: "secondary small", for: "import-annotations" }, icon("upload"),
      t("montage.import")), file, link), findings);
}

// @ts-check
/** The page of the montage: chooses the video whose segments are marked. */

import { information } from "../api.js";
import { icon, make } from "../dom.js";
import { MontageEditor } from "./editor.js";
import { findingList } from "./findings.js";
import { t } from "./texts.js";
import { wells } from "./types.js";

/** @typedef {import("./types.js").Context} Context */

/** @param {Context} context */
export async function montagePage(context) {
  const { project, query } = context;
  const [{ media }, { runs }, { models }] = await Promise.all([project.get("media"),
    project.get("runs").catch(() => ({ runs: [] })), information()]);
  /** @type {import("./types.js").Medium | undefined} */
  const medium = media.find((/** @type {import("./types.js").Medium} */ { file }) =>
    file === query.get("file")) ?? media[0];
  const title = make("h1", {}, t("page.montage"));
  if (!medium) {
    return make("div", {}, title, make("p", { className: "empty" }, t("montage.none")));
  }
  const select = make("select", { id: "medium" },
    ...media.map((/** @type {import("./types.js").Medium} */ { file, items }) =>
      make("option", { value: file }, t("montage.medium",
        { name: file.split("/").at(-1) ?? file, n: items }))));
  select.value = medium.file;
  select.addEventListener("change", () => {
    location.hash = `#/${encodeURIComponent(project.id)}/montage?${
      new URLSearchParams({ file: select.value })}`;
  });
  const { segments } = await project.get("annotations", { file: medium.file });
  const named = /** @type {[string, string][]} */ ([
    ...models.map(({ id, name }) => [id, name]),
    ...runs.filter((/** @type {import("./types.js").Run} */ { state }) => state === "done")
      .map((/** @type {import("./types.js").Run} */ { id, name }) => [String(id), name]),
  ]);
  const editor = new MontageEditor(context, medium, segments, named);
  return make("div", {}, make("header", { className: "page-head" }, title,
    make("div", { className: "field across" }, make("label", { for: "medium" },
      t("preview.medium")), select)), editor.element, exchange(context));
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

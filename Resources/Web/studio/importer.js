// @ts-check
/** Adds folders and files that are on the server, without copying them. */

import { button, icon, make, setText } from "../shared/dom.js";
import { findingList } from "./findings.js";
import { labelList, labelsOf } from "./labels.js";
import { Listbox } from "./listbox.js";
import { library } from "./project.js";
import { size, t } from "./texts.js";

/** @typedef {import("./types.js").Context} Context */
/** @typedef {import("types/studio").Well} Well */
/** @typedef {import("types/studio").Finding} Finding */
/** @typedef {import("types/studio").ServerFile} ServerFile */

/**
 * @param {Context} context
 * @param {Well} well
 */
export function browseFolders(context, well) {
  const { project, shell } = context;
  const place = make("div", { className: "stack" });
  const sheet = shell.open(t("import.title", { well: t(`well.${well}`) }),
    make("p", { className: "quiet" }, t("import.lead")), place);

  /** @param {() => Promise<{items: number, findings: Finding[]}>} add */
  const run = (add) => shell.run(async () => {
    place.inert = true;
    try {
      const { items, findings } = await add();
      shell.reload();
      if (findings.length === 0) {
        sheet.close();
        shell.note(items > 0 ? t("import.done", { n: items }) : t("import.media"));
      } else {
        place.replaceChildren(make("p", { className: "good", role: "status" },
          t("import.done", { n: items })), ...findingList(findings));
      }
    } finally {
      place.inert = false;
    }
  });
  /** @param {string} path of a folder or an annotation file @returns {Promise<any>} */
  const importOf = (path) => project.send("POST", "import", { path, well });
  /** @param {ServerFile[]} files @param {string} label of videos and pose files; "" for none yet */
  const addFiles = (files, label) => run(async () => {
    const labelled = files.filter(({ kind }) => kind !== "annotations" && label !== "");
    const items = labelled.map(({ path }) => ({ file: path, label, well }));
    if (items.length > 0) await project.send("POST", "items", { items });
    const sum = { items: items.length, findings: /** @type {Finding[]} */ ([]) };
    for (const { path } of files.filter((file) => !labelled.includes(file))) {
      const { items: count, findings } = await importOf(path);
      sum.items += count;
      sum.findings.push(...findings);
    }
    return sum;
  });

  /** @param {string} [path] */
  const show = (path) => shell.run(async () => {
    const { path: here, parent, folders, files, contents } = await library.folder(path);
    const rows = folders.map((name) => make("li", {},
      button("link", { picture: "folder" }, name, () => show(`${here.replace(/\/$/, "")}/${name}`))));
    const up = parent === undefined ? [] : [make("li", {},
      button("link", { picture: "up" }, t("import.up"), () => show(parent)))];
    place.replaceChildren(make("p", { className: "path" }, icon("folder"), ` ${here}`),
      make("ul", { className: "folders" }, ...up, ...rows),
      button("secondary small", { id: "import", picture: "folder" },
        t(files > 0 ? "import.files" : "import.add", { n: files }), () => run(() => importOf(here))));
    if (contents.length > 0) place.append(fileForm(context, contents, addFiles));
    place.querySelector("button")?.focus();
  });
  show();
}

/**
 * The files of a folder, of which some can be chosen, and the label that they get.
 *
 * @param {Context} context
 * @param {ServerFile[]} files
 * @param {(files: ServerFile[], label: string) => void} add
 */
function fileForm({ detail }, files, add) {
  const labels = labelList(labelsOf(detail), "import-labels");
  const label = make("input", { type: "text", id: "import-label", autocomplete: "off",
    maxLength: 200 });
  label.setAttribute("list", labels.id);
  const labelField = make("div", { className: "field" },
    make("label", { for: label.id }, t("import.label")), label,
    make("small", {}, t("import.label.about")));
  const submit = make("button", { className: "primary small", type: "submit", id: "import-files" });
  const list = new Listbox("import-list", t("import.list"), { empty: "clips.none", adds: true });
  const chosen = () => files.filter(({ path }) => list.selected.has(path));
  list.onSelect = () => {
    const some = chosen();
    const needsLabel = some.some(({ kind }) => kind !== "annotations");
    labelField.hidden = !needsLabel;
    submit.disabled = some.length === 0;
    setText(submit, t("import.chosen", { n: some.length }));
  };
  const form = make("form", { className: "stack", "aria-label": t("import.list") },
    list.element, make("small", { className: "quiet" }, t("import.keys")), labelField, labels,
    make("div", { className: "row plain" }, submit));
  list.commands = { Enter: () => form.requestSubmit(submit) };
  list.fill(files.map((file) => ({ id: file.path, element: make("div", {},
    icon("check"), make("b", {}, file.name), " ",
    make("span", { className: "quiet" }, `${t(`kind.${file.kind}`)} · ${size(file.bytes)}`)) })));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    add(chosen(), label.value.trim());
  });
  return form;
}

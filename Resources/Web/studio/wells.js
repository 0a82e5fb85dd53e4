// @ts-check
/** The data wells: what is in each, what to mend, and how more is added. */

import { button, icon, make, setText } from "../shared/dom.js";
import { percent, words } from "../shared/format.js";
import { findingList } from "./findings.js";
import { divided, named, openQuestion } from "./folders.js";
import { browseFolders } from "./importer.js";
import { colors, labelsOf } from "./labels.js";
import { t, time } from "./texts.js";
import { chosenFiles, droppedFiles, refuseOthers, uploadsOf } from "./uploads.js";

/** @typedef {import("types/studio").Well} Well */
/** @typedef {import("./types.js").Context} Context */

/** @param {Context} context */
export function wellCards(context) {
  return make("div", { className: "wells" }, .../** @type {const} */ (
    ["training", "validation", "testing"]).map((well) => card(context, well)));
}

/**
 * @param {Context} context
 * @param {Exclude<Well, "leftOut">} well
 */
function card(context, well) {
  const { items, seconds, classes, findings } = context.detail.wells[well];
  const most = Math.max(1, ...classes.map((size) => size.seconds));
  const files = make("input", { type: "file", multiple: true, className: "visually-hidden",
    id: `files-${well}`, accept: "video/*,.npz,.jsonl,.skeleton,.trc,.mkv,.avi" });
  const folder = make("input", { type: "file", className: "visually-hidden", id: `folder-${well}`,
    webkitdirectory: true });
  for (const field of [files, folder]) {
    field.addEventListener("change", () => {
      if (field.files) add(context, well, chosenFiles(field.files));
      field.value = "";
    });
  }
  // A first visit begins here.
  const isFirst = well === "training" && classes.length === 0;
  const isAutomatic = well === "validation" && items === 0;
  const place = make("section", { className: "card well", id: `well-${well}`,
    "aria-labelledby": `well-name-${well}` },
  make("header", {}, make("h2", { id: `well-name-${well}` }, t(`well.${well}`)),
    make("p", { className: "quiet well-size" }, isAutomatic ? t("well.automatic")
      : t("well.size", { n: items, time: time(seconds), classes: classes.length }))),
  classes.length === 0 && make("p", { className: "quiet" }, t(`well.${well}.empty`)),
  isFirst && make("div", { className: "example-folders" },
    folderPicture([[t("well.example.folder"), t("well.example.around")],
      [t("well.example.first"), t("upload.folders.isLabel")],
      [t("well.example.second"), t("upload.folders.isLabel")]])),
  classes.length > 0 && make("ul", { className: classes.length > 8 ? "classes many" : "classes",
    ...(classes.length > 8 ? { tabIndex: 0, "aria-label": t("evaluation.classes") } : {}) },
  ...classes.map((size) => {
    const meter = make("span", { className: "bars" },
      make("i", { className: colors.className(size.label, true) }));
    /** @type {HTMLElement} */ (meter.firstChild).style.width = percent(size.seconds / most)
      .replace(" ", "");
    return make("li", {}, make("span", { className: "name" }, words(size.label) || t("unlabelled")),
      make("span", { className: "quiet" },
        t("well.class", { n: size.items, time: time(size.seconds) })), meter);
  })),
  ...findingList(findings),
  make("div", { className: "row plain adding" },
    make("label", { className: "secondary small", for: files.id }, icon("upload"), t("well.files")),
    files, make("label", { className: `${isFirst ? "primary" : "secondary"} small`, for: folder.id },
      icon("folder"), t("well.folder")), folder,
    button("link", { id: `import-${well}` }, t("well.import"),
      () => browseFolders(context, well))));
  listenForDrops(place, (transfer) => context.shell.run(async () =>
    add(context, well, await droppedFiles(transfer))));
  return place;
}

/**
 * @param {HTMLElement} place
 * @param {(transfer: DataTransfer) => void} handle
 */
export function listenForDrops(place, handle) {
  let depth = 0;
  const mark = () => place.classList.toggle("over", depth > 0);
  place.addEventListener("dragenter", () => { depth += 1; mark(); });
  place.addEventListener("dragleave", () => { depth -= 1; mark(); });
  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    mark();
    if (event.dataTransfer) handle(event.dataTransfer);
  });
}

/**
 * Uploads files; those without a folder get a label that is asked for, and so is what folders in a
 * folder stand for where that is not clear.
 *
 * @param {Context} context
 * @param {Well} well
 * @param {import("./uploads.js").Found} found
 */
function add({ project, detail, shell }, well, { files, others }) {
  const uploads = uploadsOf(project);
  refuseOthers(uploads, others);
  if (files.length === 0) return shell.note(t("upload.nothing"), "bad");
  const labels = labelsOf(detail);
  const start = (/** @type {boolean} */ hasPeople, /** @type {string | null} */ other) => {
    for (const { file, label, person, well: own } of named(files, labels, hasPeople)) {
      uploads.add(file, { well: own ?? well, label: label ?? other, person });
    }
    const found = [...new Set(divided(files, labels).flatMap((part) => part.well ?? []))];
    if (found.length > 0) {
      shell.note(t("upload.sets", { sets: found.map((set) => t(`well.${set}`)).join(", ") }));
    }
  };
  const bare = divided(files, labels).filter(({ folders }) => folders.length === 0).length;
  const ask = (/** @type {boolean} */ hasPeople) => {
    if (bare === 0) return start(hasPeople, null);
    shell.ask({ title: t("upload.label.title"), label: t("upload.label", { n: bare }),
      action: t("upload.start") }, (label) => start(hasPeople, label));
  };
  const open = openQuestion(files, labels);
  if (!open) return ask(false);
  const [name, inside] = [`“${open.name}”`, listed(open.inside)];
  const choose = (/** @type {boolean} */ hasPeople) => {
    sheet.addEventListener("close", () => ask(hasPeople), { once: true });
    sheet.close();
  };
  // Neither is more likely than the other: each shows what it would give.
  const answer = (/** @type {string} */ id, /** @type {boolean} */ hasPeople,
    /** @type {string} */ text) => {
    const made = button("secondary answer", { id }, text, () => choose(hasPeople));
    made.append(folderPicture([[open.name, hasPeople ? t("upload.folders.isLabel")
      : t("upload.folders.isNothing")], ...open.inside.slice(0, 3).map((name) =>
      /** @type {[string, string]} */ ([name, hasPeople ? t("upload.folders.isPerson")
        : t("upload.folders.isLabel")]))]));
    return made;
  };
  const sheet = shell.open(t("upload.folders.title"),
    make("p", {}, t("upload.folders",
      { n: open.inside.length, inside, name })),
    make("div", { className: "answers" },
      answer("folders-labels", false, t("upload.folders.labels", { inside })),
      answer("folders-people", true, t("upload.folders.people", { name }))));
}

/**
 * A folder with those in it, and what each stands for.
 *
 * @param {[string, string][]} rows the outer one first
 */
export function folderPicture([outer, ...inner]) {
  const row = (/** @type {[string, string] | undefined} */ [name, meaning] = ["", ""]) =>
    make("span", { className: "folder-row" }, icon("folder"), make("b", {}, name),
      make("span", { className: "quiet" }, meaning));
  return make("span", { className: "folder-picture" }, row(outer),
    make("span", { className: "folder-inside" }, ...inner.map((one) => row(one))));
}

/** @param {string[]} names the first of them, quoted */
function listed(names) {
  return names.slice(0, 3).map((name) => `“${name}”`).join(", ") + (names.length > 3 ? ", …" : "");
}

/**
 * The uploads under way and those that wait for their file.
 *
 * @param {Context} context
 * @param {boolean} reloads whether the page is filled again when files have arrived
 */
export function uploadList({ project, signal, shell }, reloads = true) {
  const uploads = uploadsOf(project);
  const list = make("ul", { className: "rows", id: "uploads" });
  const place = make("section", { className: "card", "aria-label": t("uploads"), hidden: true },
    make("h2", {}, t("uploads")), list);
  /** @type {Map<import("./uploads.js").Entry, {element: HTMLElement, update: () => void}>} */
  const rows = new Map();
  const update = () => {
    place.hidden = uploads.entries.length === 0;
    for (const [entry, { element }] of rows) {
      if (uploads.entries.includes(entry)) continue;
      element.remove();
      rows.delete(entry);
    }
    for (const entry of uploads.entries) {
      const row = rows.get(entry) ?? uploadRow(uploads, entry, shell);
      if (!rows.has(entry)) list.append(row.element);
      rows.set(entry, row);
      row.update();
    }
  };
  uploads.addEventListener("change", update, { signal });
  if (reloads) uploads.addEventListener("done", () => shell.refresh(signal), { signal });
  shell.run(() => uploads.readUnfinished());
  update();
  return place;
}

/**
 * @param {import("./uploads.js").UploadQueue} uploads
 * @param {import("./uploads.js").Entry} entry
 * @param {import("./shell.js").Shell} shell
 */
function uploadRow(uploads, entry, shell) {
  const bar = make("progress", { max: 1, "aria-label": entry.name });
  const state = make("span", { className: "quiet" });
  const file = make("input", { type: "file", className: "visually-hidden",
    id: `again-${entry.id || Math.random().toString(36).slice(2)}` });
  file.addEventListener("change", () => {
    const [chosen] = file.files ?? [];
    if (chosen?.size === entry.size) uploads.add(chosen, { name: entry.name });
    else shell.note(t("upload.other", { name: entry.name }), "bad");
  });
  const again = make("label", { className: "secondary small", for: file.id }, t("upload.again"));
  const toggle = button("secondary small", {}, "", () =>
    (entry.state === "running" || entry.state === "waiting"
      ? uploads.pause(entry) : uploads.resume(entry)));
  const cancel = button("link", {}, t("cancel"), () => shell.run(() => uploads.cancel(entry)));
  const element = make("li", { className: "upload" },
    make("div", { className: "upload-name" }, make("b", {}, entry.name),
      entry.label != null && ` · ${entry.label}`,
      entry.person != null && ` · ${entry.person}`, " ", state, bar), again, file, toggle, cancel);
  const update = () => {
    bar.value = entry.size > 0 ? entry.offset / entry.size : 0;
    setText(state, entry.message || t(`upload.${entry.state}`,
      { percent: percent(bar.value) }));
    again.hidden = file.hidden = entry.state !== "missing";
    toggle.hidden = ["missing", "refused"].includes(entry.state);
    bar.hidden = entry.state === "refused";
    element.classList.toggle("refused", entry.state === "refused");
    setText(cancel, t(entry.state === "refused" ? "upload.dismiss" : "cancel"));
    setText(toggle, t(entry.state === "running" || entry.state === "waiting"
      ? "upload.pause" : entry.state === "failed" ? "upload.retry" : "upload.continue"));
  };
  return { element, update };
}

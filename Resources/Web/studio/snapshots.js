// @ts-check
/** The snapshots of a run: models of iterations while it trained, which are used as its last one is. */

import { button, make } from "../shared/dom.js";
import { day } from "../shared/format.js";
import { size, t } from "./texts.js";

/** @typedef {import("types/studio").Run} Run */
/** @typedef {import("./types.js").Context} Context */
/** @typedef {"evaluation" | "preview" | "output"} Page */

/** @type {Page[]} */
const pages = ["evaluation", "preview", "output"];

/**
 * The address of a page for a run, or one of its snapshots.
 *
 * @param {string} project
 * @param {Page} page
 * @param {number} run
 * @param {Record<string, string | number | null>} query what is null is left out
 */
export function addressOf(project, page, run, query = {}) {
  const given = Object.entries(query).flatMap(([key, value]) =>
    (value === null ? [] : [[key, String(value)]]));
  const parameters = given.length > 0 ? `?${new URLSearchParams(given)}` : "";
  return `#/${encodeURIComponent(project)}/${page}/${run}${parameters}`;
}

/**
 * The snapshots with what can be done with each.
 *
 * @param {Context} context
 * @param {Run} run
 */
export function snapshotList(context, { id, snapshots }) {
  const { project } = context;
  const rows = snapshots.map(({ iteration, created, bytes }) => {
    const name = t("snapshots.one", { n: iteration });
    const links = pages.map((page) => make("a", { className: "secondary small",
      "data-page": page, href: addressOf(project.id, page, id, { snapshot: iteration }),
      "aria-label": `${t(`page.${page}`)}, ${name}` }, t(`page.${page}`)));
    const remove = button("link", { picture: "trash" }, t("delete"), () =>
      confirmDeletion(context, id, iteration));
    remove.setAttribute("aria-label", `${t("delete")}, ${name}`);
    return make("li", { "data-snapshot": iteration },
      make("span", {}, make("b", {}, name), " ",
        make("span", { className: "quiet" }, `${day(created)} · ${size(bytes)}`)),
      make("span", { className: "row plain" }, ...links, remove));
  });
  return make("section", { className: "stack", id: "snapshots",
    "aria-labelledby": "snapshots-title", hidden: rows.length === 0 },
  make("h3", { id: "snapshots-title" }, t("snapshots")), make("ul", { className: "rows" }, ...rows));
}

/**
 * @param {Context} context
 * @param {number} run
 * @param {number} iteration
 */
function confirmDeletion({ project, shell }, run, iteration) {
  const sheet = shell.open(t("snapshots.delete", { n: iteration }),
    make("p", {}, t("snapshots.delete.about")),
    make("div", { className: "row" },
      button("danger small", { id: "confirm-delete" }, t("delete"), () => shell.run(async () => {
        await project.send("DELETE", `runs/${run}/snapshots/${iteration}`);
        sheet.close();
        shell.reload();
      })),
      button("secondary small", {}, t("cancel"), () => sheet.close())));
}

/**
 * The choice between the model of a run's end and its snapshots.
 *
 * @param {Run} run
 * @param {Page} page
 * @param {number | null} wanted the snapshot of the address
 * @returns {{snapshot: number | null, select: HTMLSelectElement | null}} null for the run's end, and
 *   for a run without snapshots
 */
export function snapshotChoice({ state, summary, snapshots }, page, wanted) {
  if (snapshots.length === 0) return { snapshot: null, select: null };
  // An evaluation is that of a run's end; a model stays while the run trains on.
  const hasEnd = page === "evaluation" ? ["done", "stopped"].includes(state)
    : summary.training !== null;
  const known = snapshots.find(({ iteration }) => iteration === wanted);
  const snapshot = known?.iteration ?? (hasEnd ? null : snapshots[0].iteration);
  const select = make("select", { id: "snapshot-select" },
    ...(hasEnd ? [make("option", { value: "" }, t("snapshots.best"))] : []),
    ...snapshots.map(({ iteration }) => make("option", { value: String(iteration) },
      t("snapshots.one", { n: iteration }))));
  select.value = snapshot === null ? "" : String(snapshot);
  return { snapshot, select };
}

// @ts-check
/** Which run a page shows: the one of the address, or the newest that has a model. */

import { make } from "../shared/dom.js";
import { addressOf, snapshotChoice } from "./snapshots.js";
import { t } from "./texts.js";

/** @typedef {import("types/studio").Run} Run */

/**
 * @param {import("./types.js").Context} context
 * @param {"evaluation" | "preview" | "output"} page
 * @returns {Promise<{run: Run, runs: Run[], snapshot: number | null, head: HTMLElement}
 *   | {run: null, head: HTMLElement}>} `snapshot`: the iteration of the model, null for the run's end
 */
export async function chooseRun({ project, argument, query }, page) {
  /** @type {{runs: Run[]}} */
  const { runs: all } = await project.get("runs");
  const runs = all.filter(({ id, state, hasModel, snapshots }) => (page === "evaluation"
    ? ["done", "stopped"].includes(state) || snapshots.length > 0 : hasModel)
    || String(id) === argument);
  const run = runs.find(({ id }) => String(id) === argument) ?? runs[0];
  const title = make("h1", {}, t(`page.${page}`));
  if (!run) {
    return { run: null, head: make("div", { className: "stack" }, title,
      make("p", { className: "lead" }, t("run.none")),
      make("p", {}, make("a", { className: "primary small",
        href: `#/${encodeURIComponent(project.id)}/runs` }, t("page.runs")))) };
  }
  const select = make("select", { id: "run-select" }, ...runs.map(({ id, name }) =>
    make("option", { value: String(id) }, name)));
  select.value = String(run.id);
  const wanted = query.get("snapshot");
  const { snapshot, select: model } = snapshotChoice(run, page, wanted ? Number(wanted) : null);
  const go = (/** @type {number} */ id, /** @type {string | null} */ iteration) => {
    location.hash = addressOf(project.id, page, id,
      { snapshot: iteration, file: query.get("file") });
  };
  select.addEventListener("change", () => go(Number(select.value), null));
  model?.addEventListener("change", () => go(run.id, model.value || null));
  const across = (/** @type {HTMLSelectElement} */ field, /** @type {string} */ name) =>
    make("div", { className: "field across" }, make("label", { for: field.id }, name), field);
  return { run, runs, snapshot, head: make("header", { className: "page-head" }, title,
    make("div", { className: "row plain choices" }, across(select, t("runs.one")),
      model !== null && across(model, t("snapshots.model")))) };
}

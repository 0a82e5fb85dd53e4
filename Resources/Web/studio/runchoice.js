// @ts-check
/** Which run a page shows: the one of the address, or the newest that has a model. */

import { make } from "../dom.js";
import { t } from "./texts.js";

/** @typedef {import("./types.js").Run} Run */

/**
 * @param {import("./types.js").Context} context
 * @param {"evaluation" | "preview" | "output"} page
 * @returns {Promise<{run: Run, runs: Run[], head: HTMLElement} | {run: null, head: HTMLElement}>}
 */
export async function chooseRun({ project, argument }, page) {
  /** @type {{runs: Run[]}} */
  const { runs: all } = await project.get("runs");
  // An evaluation is made at the end of a run; a snapshot is a model before.
  const runs = all.filter(({ id, state, hasModel }) => (page === "evaluation"
    ? ["done", "stopped"].includes(state) : hasModel) || String(id) === argument);
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
  select.addEventListener("change", () => {
    location.hash = `#/${encodeURIComponent(project.id)}/${page}/${select.value}`;
  });
  return { run, runs, head: make("header", { className: "page-head" }, title,
    make("div", { className: "field across" }, make("label", { for: "run-select" },
      t("runs.one")), select)) };
}

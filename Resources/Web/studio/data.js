// @ts-check
/** The page of the data: wells, uploads, clips, parameters. */

import { button, make, setText } from "../shared/dom.js";
import { percent } from "../shared/format.js";
import { ClipBrowser } from "./clips.js";
import { findingList } from "./findings.js";
import { labelsOf } from "./labels.js";
import { parameterForm } from "./parameters.js";
import { poll } from "./shell.js";
import { reported, t, time } from "./texts.js";
import { uploadList, wellCards } from "./wells.js";

/** @typedef {import("./types.js").Context} Context */

/** @param {Context} context */
export function dataPage(context) {
  const { project, detail, shell } = context;
  labelsOf(detail);
  const clips = new ClipBrowser(context);
  const estimate = make("p", { className: "quiet", id: "estimate" });
  const describe = (/** @type {import("types/studio").ProjectDetail} */ { estimate: given }) =>
    setText(estimate, given === null ? t("data.estimate.none")
      : t(given.extractionSeconds < 1 ? "data.estimate.extracted" : "data.estimate", {
      extraction: time(given.extractionSeconds), training: time(given.trainingSeconds) }));
  describe(detail);
  if (detail.checking) {
    poll(context.signal, 1, async () => {
      if ((await project.detail()).checking) return true;
      shell.refresh(context.signal);
      return false;
    });
  }
  const start = button("primary", { id: "train", picture: "play",
    disabled: detail.wells.training.items === 0 }, t("data.train"), () => shell.run(async () => {
    const run = await project.send("POST", "runs", {});
    location.hash = `#/${encodeURIComponent(project.id)}/runs/${run.id}`;
  }));
  // Before there is anything, there is nothing to start, browse or set.
  const isEmpty = Object.values(detail.wells).every(({ items }) => items === 0);
  start.hidden = clips.element.hidden = isEmpty;
  return make("div", {},
    make("header", { className: "page-head" }, make("h1", {}, t("page.data")), start),
    make("p", { className: "lead" }, t(isEmpty ? "data.lead.empty" : "data.lead")),
    make("section", { className: "stack training-plan", hidden: isEmpty,
      "aria-label": t("data.plan") }, estimate,
    make("details", { className: "plan" }, make("summary", {}, t("parameters")),
      parameterForm(context, describe))),
    uploadList(context), wellCards(context), extraction(context),
    leftOut(detail), clips.element);
}

/** @param {import("types/studio").ProjectDetail} detail */
function leftOut({ wells: { leftOut: { items, findings } } }) {
  return make("div", { className: "stack", hidden: items === 0 && findings.length === 0 },
    make("p", { className: "quiet" }, t("data.leftOut", { n: items })), ...findingList(findings));
}

/**
 * The extraction of poses: its state, and its start.
 *
 * @param {Context} context
 */
function extraction({ project, detail, signal, shell }) {
  const bar = make("progress", { max: 1, "aria-label": t("extraction") });
  const text = make("p", { className: "quiet" });
  const start = button("secondary small", { id: "extract" }, t("extraction.start"), () =>
    shell.run(async () => {
      await project.send("POST", "extract");
      start.hidden = true;
      check();
    }));
  const place = make("section", { className: "card", hidden: true,
    "aria-label": t("extraction") }, make("div", { className: "page-head" }, text, start), bar);
  let wasRunning = false;
  const check = () => poll(signal, 1, async () => {
    /** @type {import("types/studio").Jobs} */
    const { extraction: { state, fraction, secondsLeft, file, message, text: why } } =
      await project.get("jobs");
    const isRunning = state === "running";
    if (wasRunning && !isRunning) shell.refresh(signal);
    wasRunning = isRunning;
    start.hidden = isRunning;
    bar.hidden = !isRunning;
    bar.value = fraction;
    if (isRunning) {
      place.hidden = false;
      setText(text, t("extraction.running", { percent: percent(fraction),
        time: time(secondsLeft ?? 0), file: file ?? "" }));
    } else if (state === "failed") {
      place.hidden = false;
      setText(text, reported("error", why, message ?? t("state.failed")));
    } else if ((detail.estimate?.extractionSeconds ?? 0) > 0) {
      place.hidden = false;
      setText(text, t("extraction.needed", { time: time(detail.estimate?.extractionSeconds ?? 0) }));
    }
    return isRunning;
  });
  check();
  return place;
}

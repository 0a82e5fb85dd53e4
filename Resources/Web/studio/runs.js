// @ts-check
/** The page of the training: its runs, what is under way, and the curves. */

import { button, make, setText } from "../shared/dom.js";
import { day, percent, words } from "../shared/format.js";
import { lineChart } from "./chart.js";
import { findingList } from "./findings.js";
import { labelsOf } from "./labels.js";
import { parameterText } from "./parameters.js";
import { poll } from "./shell.js";
import { addressOf as addressOfPage, snapshotList } from "./snapshots.js";
import { reported, t, time } from "./texts.js";
import { defaults } from "./types.js";

/** @typedef {import("types/studio").Run} Run */
/** @typedef {Run & Required<Pick<Run, "history">>} WholeRun one that is not from a list */
/** @typedef {import("./types.js").Context} Context */

const busy = ["waiting", "extracting", "training", "evaluating"];

/** @param {Context} context */
export async function runsPage(context) {
  const { project, detail, argument, signal, shell } = context;
  labelsOf(detail);
  /** @type {{runs: Run[]}} */
  const { runs } = await project.get("runs");
  const chosen = Number(argument ?? runs[0]?.id ?? 0);
  const start = button("primary", { id: "start-run", picture: "play",
    disabled: detail.wells.training.items === 0 }, t("runs.start"), () => shell.run(async () => {
    const run = await project.send("POST", "runs", {});
    location.hash = addressOf(project.id, run.id);
  }));
  start.hidden = start.disabled;
  const list = make("div", {});
  const place = make("section", { className: "card", id: "run", "aria-label": t("runs.one") });
  const page = make("div", {},
    make("header", { className: "page-head" }, make("h1", {}, t("page.runs")), start),
    make("p", { className: "lead" }, t(runs.length > 0 ? "runs.lead" : "runs.none")), place, list);
  place.hidden = runs.length === 0;
  if (runs.length === 0) return page;

  const view = new RunView(context, place);
  let last = "";
  const update = async () => {
    const [run, all] = await Promise.all([project.get(`runs/${chosen}`), project.get("runs")]);
    if (signal.aborted) return false;
    view.update(run);
    // The table is only replaced when it changes, so that the focus stays.
    const text = JSON.stringify(all.runs);
    if (text !== last && !list.contains(document.activeElement)) {
      list.replaceChildren(comparison(context, all.runs, chosen));
      last = text;
    }
    return all.runs.some((/** @type {Run} */ { state }) => busy.includes(state));
  };
  await update();
  poll(signal, 1, update);
  view.onCommand = () => poll(signal, 1, update);
  return page;
}

/**
 * @param {string} project
 * @param {number} run
 */
const addressOf = (project, run) => `#/${encodeURIComponent(project)}/runs/${run}`;

/** One run: its phases, commands and curves. */
class RunView {
  #head = make("div", { className: "stack" });
  #phases = make("ol", { className: "phases" });
  #commands = make("div", { className: "row plain", id: "run-commands" });
  #charts = make("div", { className: "charts" });
  #about = make("div", { className: "stack" });
  #status = make("p", { role: "status", className: "visually-hidden" });
  #drawn = "";
  /** @type {Run["state"] | null} */
  #state = null;
  /** What the run has: whether a model, and its snapshots. */
  #models = "";
  #snapshots = make("div", {});
  onCommand = () => {};

  /**
   * @param {Context} context
   * @param {HTMLElement} place
   */
  constructor(context, place) {
    this.context = context;
    place.append(this.#head, this.#phases, this.#commands, this.#status, this.#snapshots,
      this.#about, this.#charts);
  }

  /** @param {WholeRun} run */
  update(run) {
    const { state, name, created, message, text, progress, best } = run;
    this.#head.replaceChildren(make("header", { className: "page-head" },
      make("h2", { id: "run-name" }, name),
      make("span", { className: "chip now", id: "run-state", "data-state": state },
        t(`state.${state}`))),
    make("p", { className: "quiet" }, [day(created), run.classes.map(words).join(", "),
      best === null ? "" : t("runs.best", { n: best, total: progress.iterationCount })]
      .filter(Boolean).join(" · ")));
    if (message) this.#head.append(make("p", {
      className: state === "failed" ? "problem" : "warning", role: "alert" },
    reported("error", text, message)));
    this.#phases.replaceChildren(...phases(run));
    const models = JSON.stringify([run.hasModel, run.snapshots]);
    if (state !== this.#state || models !== this.#models) {
      setText(this.#status, `${name}: ${t(`state.${state}`)}`);
      this.#state = state;
      this.#models = models;
      this.#fillCommands(run);
      this.#fillAbout(run);
      this.#snapshots.replaceChildren(snapshotList(this.context, run));
    }
    const drawn = `${run.id} ${run.history.length} ${best}`;
    if (drawn !== this.#drawn) this.#charts.replaceChildren(...curves(run));
    this.#drawn = drawn;
  }

  /** @param {Run} run */
  #fillCommands(run) {
    const { project, shell } = this.context;
    const { id, state, hasModel } = run;
    /** @returns {Promise<Run | null>} null where it failed, which is shown */
    const send = async (/** @type {string} */ command, /** @type {object} */ body = {}) => {
      /** @type {Run | null} */
      let answer = null;
      await shell.run(async () => {
        answer = await project.send("POST", `runs/${id}/${command}`, body);
        this.onCommand();
      });
      return answer;
    };
    const go = (/** @type {"evaluation" | "preview" | "output"} */ page) => {
      location.hash = addressOfPage(project.id, page, id);
    };
    const isOver = ["done", "stopped"].includes(state);
    /** @type {HTMLElement[]} */
    const commands = [];
    const add = (/** @type {boolean} */ isShown, /** @type {HTMLElement} */ made) => {
      if (isShown) commands.push(made);
    };
    add(isOver, button("primary small", { id: "to-evaluation" }, t("page.evaluation"),
      () => go("evaluation")));
    add(hasModel, button("secondary small", { id: "to-preview" }, t("page.preview"),
      () => go("preview")));
    add(hasModel, button("secondary small", { id: "to-output" }, t("page.output"),
      () => go("output")));
    add(["extracting", "training"].includes(state),
      button("secondary small", { id: "pause", picture: "pause" }, t("runs.pause"),
        () => send("pause")));
    add(state === "paused", button("primary small", { id: "resume", picture: "play" },
      t("runs.resume"), () => send("resume")));
    add([...busy, "paused"].includes(state), button("secondary small",
      { id: "stop", picture: "stop" }, t("runs.stop"), () => send("stop")));
    add(["training", "paused"].includes(state), button("secondary small",
      { id: "snapshot", picture: "download" }, t("runs.snapshot"), async () => {
        const now = await send("snapshot");
        const latest = now?.snapshots.reduce((a, b) => (a.created > b.created ? a : b));
        if (latest) shell.note(t("runs.snapshot.done", { n: latest.iteration }));
      }));
    add(isOver, this.#moreForm(send));
    add(true, button("link", { id: "rename-run" }, t("rename"), () => shell.ask(
      { title: t("rename"), label: t("projects.name"), value: run.name, action: t("rename") },
      async (name) => {
        await project.send("PATCH", `runs/${id}`, { name });
        shell.reload();
      })));
    add([...busy].indexOf(state) < 0, button("link", { id: "delete-run" }, t("delete"), () =>
      this.#confirmDeletion(run)));
    this.#commands.replaceChildren(...commands);
  }

  /** @param {Run} run */
  #confirmDeletion({ id, name }) {
    const { project, shell } = this.context;
    const sheet = shell.open(t("runs.delete", { name }),
      make("p", {}, t("runs.delete.about")),
      make("div", { className: "row" },
        button("danger small", { id: "confirm-delete" }, t("delete"), () => shell.run(async () => {
          await project.send("DELETE", `runs/${id}`);
          sheet.close();
          location.hash = `#/${encodeURIComponent(project.id)}/runs`;
          shell.reload();
        })),
        button("secondary small", {}, t("cancel"), () => sheet.close())));
  }

  /** @param {(command: string, body: object) => void} send */
  #moreForm(send) {
    const field = make("input", { type: "number", min: "1", max: "10000", value: "40",
      id: "more-iterations", "aria-label": t("runs.more.iterations") });
    const form = make("form", { className: "field inline" }, field,
      make("button", { className: "secondary small", type: "submit" }, t("runs.more")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send("more", { iterations: Number(field.value) });
    });
    return form;
  }

  /** @param {Run} run */
  #fillAbout({ leaveOneOut, notes: sentences, noteTexts, findings }) {
    const notes = sentences.map((note, index) => reported("note", noteTexts?.[index], note));
    this.#about.replaceChildren(...(leaveOneOut ? [leftOutNote(leaveOneOut, notes)]
      : notes.map((note) => make("p", { className: "warning" },
        make("b", {}, t("severity.warning")), ` ${note}`))), ...findingList(findings));
  }
}

/** From which share of right takes the note is good, and from which it is a warning. */
const [goodShare, fairShare] = [0.85, 0.6];

/**
 * What is known of takes that were left out in turn, with what it does not say.
 *
 * @param {NonNullable<Run["leaveOneOut"]>} result
 * @param {string[]} notes
 */
function leftOutNote({ accuracy, lower, upper, confused }, notes) {
  const tone = accuracy >= goodShare ? "good" : accuracy >= fairShare ? "warning" : "problem";
  return make("div", { className: `${tone} stack`, id: "leave-one-out", "data-tone": tone },
    make("p", {}, t("runs.leaveOneOut", { accuracy: percent(accuracy), lower: percent(lower),
      upper: percent(upper) }),
    confused !== null && ` ${t("runs.confused", { a: words(confused[0]), b: words(confused[1]) })}`),
    ...notes.map((note) => make("p", {}, note)));
}

/**
 * The two phases with their progress.
 *
 * @param {Run} run
 */
function phases({ state, progress: { fraction, secondsLeft, iteration, iterationCount } }) {
  const isPast = iteration > 0 || ["training", "evaluating", "done", "stopped"].includes(state);
  const left = secondsLeft === null ? "" : t("runs.left", { time: time(secondsLeft) });
  const rows = /** @type {[string, number, string, boolean][]} */ ([
    [t("runs.extraction"), isPast ? 1 : state === "extracting" ? fraction : 0,
      state === "extracting" ? `${percent(fraction)} · ${left}` : "", state === "extracting"],
    [t("runs.training"), iterationCount > 0 ? iteration / iterationCount : 0,
      t("runs.iteration", { n: iteration, total: iterationCount })
        + (state === "training" && left ? ` · ${left}` : ""), state === "training"],
  ]);
  return rows.map(([name, value, text, isNow]) => make("li", { className: isNow ? "now" : "" },
    make("span", {}, make("b", {}, name), " ", make("span", { className: "quiet" }, text)),
    make("progress", { max: 1, value, "aria-label": name })));
}

/** @param {WholeRun} run */
function curves({ history, best, progress: { iterationCount } }) {
  if (history.length === 0) return [];
  const line = (/** @type {keyof import("types/studio").Epoch} */ key) =>
    history.flatMap((epoch) => {
      const value = epoch[key];
      return value === null || value === undefined ? []
        : [/** @type {[number, number]} */ ([epoch.iteration, value])];
    });
  const xRange = /** @type {[number, number]} */ ([0, Math.max(iterationCount, history.length, 1)]);
  const both = (/** @type {"Loss" | "Accuracy"} */ kind) => [
    { name: t("well.training"), className: "first", points: line(`training${kind}`) },
    { name: t("well.validation"), className: "second", points: line(`validation${kind}`) },
  ].filter(({ points }) => points.length > 0);
  return [
    lineChart({ title: t("runs.accuracyOfWindows"), xName: t("runs.iterations"), lines: both("Accuracy"),
      xRange, yRange: [0, 1], isShare: true, mark: best }),
    lineChart({ title: t("runs.loss"), xName: t("runs.iterations"), lines: both("Loss"), xRange,
      mark: best }),
  ];
}

/**
 * The runs side by side: results, and the parameters in which they differ.
 *
 * @param {Context} context
 * @param {Run[]} runs
 * @param {number} chosen
 */
function comparison({ project }, runs, chosen) {
  const names = /** @type {(keyof typeof defaults)[]} */ (Object.keys(defaults));
  const value = (/** @type {Run} */ { parameters }, /** @type {keyof typeof defaults} */ name) =>
    parameterText(name, parameters[name] ?? defaults[name]);
  const different = names.filter((name) =>
    new Set(runs.map((run) => value(run, name))).size > 1);
  // Those that have begun know their classes.
  const classesDiffer = new Set(runs.filter(({ classes }) => classes.length > 0)
    .map(({ classes }) => JSON.stringify([...classes].sort()))).size > 1;
  const share = (/** @type {number | null} */ accuracy) =>
    make("td", {}, accuracy === null ? "–" : percent(accuracy));
  const rows = runs.map((run) => make("tr", { className: run.id === chosen ? "current" : "" },
    make("th", { scope: "row" }, make("a", { href: addressOf(project.id, run.id),
      ...(run.id === chosen ? { "aria-current": "true" } : {}) }, run.name)),
    make("td", {}, t(`state.${run.state}`)), share(run.summary.training),
    share(run.summary.validation), share(run.summary.testing),
    ...different.map((name) => make("td", {}, value(run, name)))));
  return make("section", { className: "card", "aria-labelledby": "runs-title" },
    make("h2", { id: "runs-title" }, t("runs.all")),
    make("div", { className: "scroll", tabIndex: 0 },
      make("table", { className: "grid-table", id: "runs" },
        make("thead", {}, make("tr", {}, ...[t("runs.one"), t("runs.state"), t("well.training"),
          t("well.validation"), t("well.testing"),
          ...different.map((name) => t(`parameter.${name}`))]
          .map((text) => make("th", { scope: "col" }, text)))),
        make("tbody", {}, ...rows))),
    make("p", { className: "quiet" }, t("runs.frames")),
    classesDiffer && make("p", { className: "warning", id: "data-differ" }, t("runs.classesDiffer")),
    runs.length > 1 && make("p", { className: "quiet" },
      t(different.length > 0 ? "runs.different" : "runs.same")));
}

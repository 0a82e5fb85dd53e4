// @ts-check
/** The page of the evaluation: per class, confusion matrix, calibration, worst mistakes. */

import { draw, make, setText } from "../shared/dom.js";
import { percent, words } from "../shared/format.js";
import { lineChart } from "./chart.js";
import { controls, segmented } from "./controls.js";
import { labelChip, labelsOf } from "./labels.js";
import { confusionMatrix } from "./matrix.js";
import { PictureMaker } from "./pictures.js";
import { Player } from "./player.js";
import { chooseRun } from "./runchoice.js";
import { result } from "./shell.js";
import { messageOf, moment, t } from "./texts.js";

/** @typedef {import("types/studio").Evaluation} Evaluation */
/** @typedef {import("types/studio").Example} Example */
/** @typedef {import("types/studio").Run} Run */
/** @typedef {import("./types.js").Context} Context */
/** @typedef {"windows" | "frames" | "videos"} Level */
/** @typedef {"training" | "validation" | "testing"} TestedWell */

/** @param {Context} context */
export async function evaluationPage(context) {
  labelsOf(context.detail);
  const { run, head, ...rest } = await chooseRun(context, "evaluation");
  if (!run || !("runs" in rest)) return head;
  return new EvaluationView(context, run, rest.snapshot, rest.runs, head).element;
}

class EvaluationView {
  /** @type {TestedWell} */
  #well;
  /**
   * By frames at first, as the runs and the output are measured.
   *
   * @type {Level}
   */
  #level = "frames";
  /** @type {Run | null} */
  #other = null;
  /** Counts the requests, so that a late answer does not replace a newer one. */
  #generation = 0;
  #content = make("div", { className: "stack", id: "evaluation" });
  #viewer = make("section", { className: "card viewer", "aria-label": t("evaluation.viewer"),
    hidden: true });
  #viewerTitle = make("h2", { tabIndex: -1 });
  #examples = make("ul", { className: "examples", id: "examples" });
  #viewerNone = make("p", { className: "empty" }, t("evaluation.none"));
  #viewerGrid;

  /**
   * @param {Context} context
   * @param {Run} run
   * @param {number | null} snapshot the iteration of one; null for the run's end
   * @param {Run[]} runs
   * @param {HTMLElement} head
   */
  constructor(context, run, snapshot, runs, head) {
    this.context = context;
    this.run = run;
    this.snapshot = snapshot;
    this.player = new Player(context, t("evaluation.viewer"));
    this.player.repeats = true;
    this.pictures = new PictureMaker(context);
    const { summary } = run;
    this.#well = summary.testing !== null ? "testing" : summary.validation !== null ? "validation"
      : "training";
    this.#viewerGrid = make("div", { className: "browser" },
      make("div", { className: "stack" }, this.player.element, controls(this.player)),
      this.#examples);
    this.#viewer.append(this.#viewerTitle, this.#viewerNone, this.#viewerGrid);
    const wellChoice = segmented(t("evaluation.well"), /** @type {[TestedWell, string][]} */ (
      ["training", "validation", "testing"].map((well) =>
        [well, t(`well.${/** @type {TestedWell} */ (well)}`)])), this.#well, (well) => {
      this.#well = well;
      this.#load();
    });
    const levelChoice = segmented(t("evaluation.level"), /** @type {[Level, string][]} */ (
      ["windows", "frames", "videos"].map((level) =>
        [level, t(`evaluation.${/** @type {Level} */ (level)}`)])), this.#level, (level) => {
      this.#level = level;
      this.#load();
    });
    const compare = make("select", { id: "compare" },
      make("option", { value: "" }, t("evaluation.compare.none")),
      ...runs.filter(({ id, state }) => (id !== run.id || snapshot !== null)
        && ["done", "stopped"].includes(state)).map(({ id, name }) =>
        make("option", { value: String(id) }, name)));
    compare.addEventListener("change", () => {
      this.#other = runs.find(({ id }) => String(id) === compare.value) ?? null;
      this.#load();
    });
    this.element = make("div", {}, head,
      make("div", { className: "row plain choices" }, wellChoice, levelChoice,
        make("div", { className: "field across" }, make("label", { for: "compare" },
          t("evaluation.compare")), compare)),
      this.#content);
    this.#load();
  }

  /**
   * That of a snapshot is made when it is asked for first.
   *
   * @param {Run} run
   * @param {number | null} snapshot
   * @returns {Promise<Evaluation | null>} null where the page was left
   */
  #request({ id }, snapshot) {
    const { project, signal } = this.context;
    const generation = this.#generation;
    return result(signal, () => project.get(`runs/${id}/evaluation`,
      { well: this.#well, snapshot }), (fraction) => {
      if (generation !== this.#generation) return;
      this.#content.replaceChildren(make("p", { className: "empty", role: "status" },
        t("snapshots.evaluating", { percent: percent(fraction) })));
    });
  }

  async #load() {
    this.#generation += 1;
    const generation = this.#generation;
    this.#content.ariaBusy = "true";
    try {
      const [now, other] = await Promise.all([this.#request(this.run, this.snapshot),
        this.#other ? this.#request(this.#other, null).catch(() => null) : null]);
      if (generation === this.#generation && now) this.#fill(now, other);
    } catch (error) {
      if (generation !== this.#generation) return;
      this.#content.replaceChildren(make("p", { className: "empty", role: "status" },
        messageOf(error)));
    } finally {
      if (generation === this.#generation) this.#content.ariaBusy = null;
    }
  }

  /**
   * @param {Evaluation} evaluation
   * @param {Evaluation | null} other
   */
  #fill(evaluation, other) {
    const scores = evaluation[this.#level] ?? evaluation.windows ?? evaluation.frames
      ?? evaluation.videos;
    const otherScores = other?.[this.#level] ?? null;
    if (!scores) return;
    // What the cell counts: clips as a whole, windows, or windows by their frames. Runs of earlier
    // versions have windows only.
    const level = evaluation.clips ? this.#level : "windows";
    const counted = level === "videos" ? evaluation.clips ?? [] : evaluation.examples;
    const open = (/** @type {string} */ label, /** @type {string} */ predicted) => this.#show(
      t("evaluation.cell", { label: words(label), predicted: words(predicted) }),
      counted.filter((example) => example.label === label && example.predicted === predicted), level);
    this.#viewer.hidden = true;
    this.player.pause();
    this.#content.replaceChildren(
      ...unlikeData(evaluation, other),
      make("dl", { className: "figures" },
        figure(t("evaluation.accuracy"), scores.accuracy, otherScores?.accuracy,
          t("evaluation.of", { level: t(`evaluation.level.${this.#level}`) })),
        f1Figure(scores, otherScores),
        figure(t("evaluation.calibration.error"), evaluation.calibration?.error ?? null,
          other?.calibration?.error)),
      make("div", { className: "charts" },
        make("section", { className: "card" }, make("h2", {}, t("evaluation.matrix")),
          confusionMatrix(evaluation.labels, scores.matrix, open),
          make("small", { className: "quiet" }, t("evaluation.matrix.about"))),
        make("section", { className: "card" }, make("h2", {}, t("evaluation.classes")),
          classTable(scores, otherScores))),
      this.#viewer,
      make("div", { className: "charts" }, calibrationCard(evaluation), this.#mistakes(evaluation)));
  }

  /** @param {Evaluation} evaluation */
  #mistakes({ mistakes }) {
    const cards = mistakes.slice(0, 12).map((mistake) => {
      const open = make("button", { type: "button", className: "mistake" },
        this.pictures.picture(mistake.file, (mistake.start + mistake.end) / 2),
        make("span", {}, make("b", {}, words(mistake.label)), ` → ${words(mistake.predicted)} `,
          make("span", { className: "quiet" }, percent(mistake.confidence))),
        make("span", { className: "quiet" },
          `${mistake.file.split("/").at(-1)} · ${moment(mistake.start)}`));
      open.addEventListener("click", () => this.#show(t("evaluation.cell",
        { label: words(mistake.label), predicted: words(mistake.predicted) }), [mistake], "windows"));
      return make("li", {}, open);
    });
    return make("section", { className: "card" }, make("h2", {}, t("evaluation.mistakes")),
      cards.length === 0 ? make("p", { className: "empty" }, t("evaluation.mistakes.none"))
        : make("ul", { className: "mistakes", id: "mistakes" }, ...cards));
  }

  /**
   * Shows examples and plays the first from its moment.
   *
   * @param {string} title
   * @param {Example[]} examples
   * @param {Level} level what they are counted by
   */
  #show(title, examples, level) {
    const count = (/** @type {Example[]} */ some) => t(`evaluation.count.${level}`, {
      n: level === "frames" ? some.reduce((sum, { frames = 0 }) => sum + frames, 0) : some.length });
    setText(this.#viewerTitle, `${title} · ${count(examples)}`);
    const play = (/** @type {Example} */ example, /** @type {HTMLElement} */ row) => {
      for (const other of this.#examples.querySelectorAll("button")) {
        other.setAttribute("aria-pressed", String(other === row));
      }
      this.player.load({ file: example.file, start: example.start, end: example.end });
      this.player.play();
    };
    this.#examples.replaceChildren(...examples.slice(0, 200).map((example) => {
      const row = make("button", { type: "button", className: "example" },
        make("b", {}, example.file.split("/").at(-1) ?? ""),
        make("span", { className: "quiet" },
          [`${moment(example.start)} – ${moment(example.end)}`, level === "frames" ? count([example]) : "",
            percent(example.confidence)].filter(Boolean).join(" · ")));
      row.addEventListener("click", () => play(example, row));
      return make("li", {}, row);
    }));
    this.#viewer.hidden = false;
    this.player.pause();
    this.#viewerGrid.hidden = examples.length === 0;
    this.#viewerNone.hidden = examples.length > 0;
    this.#viewer.scrollIntoView({ block: "nearest" });
    this.#viewerTitle.focus({ preventScroll: true });
    const first = this.#examples.querySelector("button");
    if (first) play(examples[0], first);
  }
}

/**
 * @param {string} name
 * @param {number | null} value
 * @param {number | null} [other]
 * @param {string} [about]
 */
function figure(name, value, other, about = "") {
  const change = other == null || value === null ? "" : difference(value, other);
  return make("div", {}, make("dt", {}, name),
    make("dd", {}, value === null ? "–" : percent(value),
      change !== "" && make("small", { className: "quiet" }, ` ${change}`),
      about !== "" && make("small", { className: "quiet figure-about" }, about)));
}

/**
 * The mean of the classes, which says what it leaves out; no change between means of other classes.
 *
 * @param {import("types/studio").Scores} scores
 * @param {import("types/studio").Scores | null} other
 */
export function f1Figure(scores, other) {
  const names = (/** @type {import("types/studio").Scores} */ { classes }, /** @type {boolean} */ has) =>
    classes.filter(({ support }) => (support > 0) === has).map(({ label }) => label).sort();
  const isLike = other !== null && String(names(scores, true)) === String(names(other, true));
  const without = names(scores, false);
  const about = [
    without.length > 0 ? t("evaluation.f1.without", { labels: without.map(words).join(", ") }) : "",
    other !== null && !isLike ? t("evaluation.f1.unlike") : ""].filter(Boolean).join("; ");
  return figure(t("evaluation.f1"), meanF1(scores), isLike ? meanF1(other) : null, about);
}

/**
 * That two evaluations are of different clips.
 *
 * @param {Evaluation} evaluation
 * @param {Evaluation | null} other
 */
export function unlikeData(evaluation, other) {
  if (!other?.clips || !evaluation.clips) return [];
  const keys = (/** @type {Example[]} */ clips) => new Set(clips.map(({ file, start, label }) =>
    JSON.stringify([file, Math.round(start * 10), label])));
  const [mine, theirs] = [keys(evaluation.clips), keys(other.clips)];
  const only = (/** @type {Set<string>} */ some, /** @type {Set<string>} */ rest) =>
    [...some].filter((key) => !rest.has(key)).length;
  const [here, there] = [only(mine, theirs), only(theirs, mine)];
  if (here === 0 && there === 0) return [];
  return [make("p", { className: "warning", id: "data-differ" },
    t("evaluation.differ", { mine: here, theirs: there }))];
}

/**
 * @param {number} value
 * @param {number} other
 */
function difference(value, other) {
  const points = Math.round((value - other) * 100);
  return t("evaluation.points", { n: points > 0 ? `+${points}` : points === 0 ? "±0" : `−${-points}` });
}

/** @param {import("types/studio").Scores} scores */
function meanF1({ classes }) {
  const known = classes.filter(({ support }) => support > 0);
  return known.length === 0 ? null
    : known.reduce((sum, { f1 }) => sum + (f1 ?? 0), 0) / known.length;
}

/**
 * @param {import("types/studio").Scores} scores
 * @param {import("types/studio").Scores | null} other
 */
function classTable({ classes }, other) {
  const columns = /** @type {const} */ (["precision", "recall", "f1"]);
  const rows = classes.map((score) => {
    const before = other?.classes.find(({ label }) => label === score.label);
    const cells = columns.map((column) => {
      const [value, was] = [score[column], before?.[column]];
      return make("td", {}, value === null ? "–" : percent(value),
        value !== null && was != null
          && make("small", { className: "quiet" }, ` ${difference(value, was)}`));
    });
    return make("tr", {}, make("th", { scope: "row" }, labelChip(score.label)), ...cells,
      make("td", {}, String(score.support)));
  });
  return make("div", { className: "scroll", tabIndex: 0 }, make("table", { className: "grid-table",
    id: "classes" },
  make("thead", {}, make("tr", {}, ...[t("evaluation.class"), t("evaluation.precision"),
    t("evaluation.recall"), t("evaluation.f1.one"), t("evaluation.support")]
    .map((text) => make("th", { scope: "col" }, text)))),
  make("tbody", {}, ...rows)));
}

/** @param {Evaluation} evaluation */
function calibrationCard({ calibration }) {
  const bins = (calibration?.bins ?? []).filter(({ count }) => count > 0);
  const card = make("section", { className: "card" },
    make("h2", {}, t("evaluation.calibration")));
  if (!calibration || bins.length === 0) {
    card.append(make("p", { className: "empty" }, t("evaluation.calibration.none")));
    return card;
  }
  const most = Math.max(...bins.map(({ count }) => count));
  card.append(lineChart({ title: t("evaluation.calibration.title"),
    xName: t("evaluation.confidence"), xRange: [0, 1], yRange: [0, 1], isShare: true,
    lines: [{ name: t("evaluation.accuracy"), className: "first",
      points: bins.map(({ confidence, accuracy }) => [confidence, accuracy]) }],
    extra: (x, y) => [
      draw("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "mark" }),
      ...bins.map(({ confidence, accuracy, count }) => draw("circle", { cx: x(confidence),
        cy: y(accuracy), r: 3 + 7 * Math.sqrt(count / most), class: "bin" })),
    ] }), make("small", { className: "quiet" }, t("evaluation.calibration.about")));
  return card;
}

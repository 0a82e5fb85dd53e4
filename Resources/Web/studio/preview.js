// @ts-check
/** The page of the preview: a video with what a model predicts, following the playhead. */

import { messageOf } from "../api.js";
import { button, icon, make, setText } from "../dom.js";
import { percent, words } from "../format.js";
import { controls } from "./controls.js";
import { colors, labelsOf } from "./labels.js";
import { Player } from "./player.js";
import { chooseRun } from "./runchoice.js";
import { result } from "./shell.js";
import { moment, t } from "./texts.js";
import { Timeline } from "./timeline.js";
import { chosenFiles, droppedFiles, uploadsOf } from "./uploads.js";
import { listenForDrops, uploadList } from "./wells.js";

/** @typedef {import("./types.js").TimedWindow} TimedWindow */
/** @typedef {import("./types.js").Context} Context */

/** How many of the lower predictions the table has. */
const lowerCount = 3;

/** @param {Context} context */
export async function previewPage(context) {
  labelsOf(context.detail);
  const { project, query, shell } = context;
  const { run, head } = await chooseRun(context, "preview");
  if (!run) return head;
  /** @type {{media: import("./types.js").Medium[]}} */
  const { media } = await project.get("media");
  const file = query.get("file") ?? media[0]?.file ?? null;
  const go = (/** @type {string} */ name) => {
    location.hash = `#/${encodeURIComponent(project.id)}/preview/${run.id}?${
      new URLSearchParams({ file: name })}`;
  };
  const add = (/** @type {{file: File}[]} */ files) => {
    if (!files[0]) return shell.note(t("upload.nothing"), "bad");
    shell.run(async () => {
      const uploaded = await uploadsOf(project).add(files[0].file, { well: "leftOut" });
      go(uploaded.file);
    });
  };
  const select = make("select", { id: "medium" },
    ...media.map((medium) => make("option", { value: medium.file },
      medium.file.split("/").at(-1) ?? medium.file)));
  if (file) select.value = file;
  select.addEventListener("change", () => go(select.value));
  const upload = make("input", { type: "file", id: "preview-file", className: "visually-hidden",
    accept: "video/*,.npz,.jsonl,.mkv,.avi" });
  upload.addEventListener("change", () => { if (upload.files) add(chosenFiles(upload.files)); });
  const live = button("secondary small", { picture: "camera" }, t("preview.camera"), () =>
    shell.run(async () => {
      const { model } = await project.send("POST", `runs/${run.id}/use`);
      location.href = `/?model=${encodeURIComponent(model)}`;
    }));
  const page = make("div", {}, head,
    make("div", { className: "row plain choices" },
      make("div", { className: "field across" }, make("label", { for: "medium" },
        t("preview.medium")), select), make("label", { className: "secondary small",
        for: "preview-file" }, icon("upload"), t("preview.file")), upload, live),
    uploadList(context));
  listenForDrops(page, (transfer) => shell.run(async () => add(await droppedFiles(transfer))));
  if (file === null) page.append(make("p", { className: "empty" }, t("preview.none")));
  else page.append(preview(context, run.id, file, media));
  return page;
}

/**
 * @param {Context} context
 * @param {number} run
 * @param {string} file
 * @param {import("./types.js").Medium[]} media
 */
function preview(context, run, file, media) {
  const { project, signal } = context;
  const medium = media.find((other) => other.file === file);
  const player = new Player(context, t("page.preview"));
  const timeline = new Timeline();
  timeline.duration = Math.max(0.1, medium?.seconds ?? 1);
  timeline.onSeek = (time) => player.seek(time);
  const state = make("p", { className: "quiet", role: "status", id: "preview-state" });
  const now = make("p", { className: "prediction", id: "prediction" });
  const list = make("ol", { className: "predictions", id: "predictions" });
  /** @type {import("./types.js").Timeline | null} */
  let timed = null;

  const show = (/** @type {number} */ time) => {
    timeline.time = time;
    if (!timed) return;
    const { windows, repetitions } = timed;
    const window = windows.find(({ start, end }) => time >= start && time < end)
      ?? (time >= (windows.at(-1)?.end ?? Infinity) ? windows.at(-1) : undefined);
    const count = repetitions.filter(({ end }) => end <= time + 0.01).length;
    const name = window?.status === "action" ? words(window.label ?? "")
      : t(window?.status === "lowConfidence" ? "preview.low" : "preview.nobody");
    setText(now, `${name} · ${t("preview.count", { n: count })}`);
    const ranked = Object.entries(window?.probabilities ?? {}).sort((a, b) => b[1] - a[1]);
    fillPredictions(list, ranked);
  };
  player.on("time", show);
  player.load({ file, ...(medium ? { seconds: medium.seconds, kind: medium.kind } : {}) });

  const load = async () => {
    try {
      timed = await result(signal, () => project.get(`runs/${run}/timeline`, { file }),
        (fraction) => setText(state, t("preview.working", { percent: percent(fraction) })));
    } catch (error) {
      setText(state, messageOf(error));
    }
    if (!timed) return;
    setText(state, t("preview.done", { n: timed.windows.length, reps: timed.repetitions.length }));
    timeline.duration = Math.max(timeline.duration, timed.windows.at(-1)?.end ?? 0);
    timeline.show(lanes(timed));
    show(player.time);
  };
  load();
  return make("section", { className: "card preview", "aria-label": t("page.preview") },
    make("div", { className: "preview-grid" }, player.element,
      make("div", { className: "stack" }, now, list)),
    make("div", { className: "row plain" }, controls(player), timeline.zoomButtons),
    timeline.element, state,
    make("details", {}, make("summary", {}, t("preview.table")),
      lazyTable(() => timed?.windows ?? [])));
}

/**
 * @param {HTMLElement} list
 * @param {[string, number][]} ranked
 */
function fillPredictions(list, ranked) {
  const key = ranked.map(([label, share]) => `${label}${share}`).join();
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...ranked.map(([label, share]) => {
    const bar = make("i", { className: colors.className(label, true) });
    bar.style.width = `${share * 100}%`;
    return make("li", {}, make("span", {}, words(label)), make("b", {}, percent(share)),
      make("span", { className: "bars" }, bar));
  }));
}

/**
 * The best predictions, the second ones, and the repetitions.
 *
 * @param {import("./types.js").Timeline} timed
 * @returns {import("./timeline.js").Lane[]}
 */
function lanes({ windows, repetitions }) {
  /** @param {TimedWindow} window @param {number} rank */
  const ranked = (window, rank) =>
    Object.entries(window.probabilities).sort((a, b) => b[1] - a[1])[rank];
  const lane = (/** @type {number} */ rank) => windows.flatMap((window, index) => {
    const [label, share] = ranked(window, rank) ?? [];
    const before = windows[index - 1] && ranked(windows[index - 1], rank)?.[0];
    if (label === undefined || share === undefined || window.status === "noPerson") return [];
    const isFaint = window.status === "lowConfidence" || rank > 0;
    // The lower lane has its probability in each window, the upper one its label where it changes.
    const text = rank > 0 ? `${words(label)} ${percent(share)}` : label === before ? ""
      : words(label);
    return [{ start: window.start, end: window.end, text,
      className: `${colors.className(label, true)}${isFaint ? " faint" : ""}`,
      title: `${words(label)} ${percent(share)}` }];
  });
  return [{ name: t("preview.best"), blocks: lane(0) },
    { name: t("preview.second"), blocks: lane(1) },
    { name: t("preview.repetitions"), isSlim: true,
      blocks: repetitions.map(({ start, end }) => ({ start, end, className: "tick-block" })) }];
}

/**
 * A table that is filled when it is opened.
 *
 * @param {() => TimedWindow[]} windows
 */
function lazyTable(windows) {
  const place = make("div", { className: "scroll", tabIndex: 0 });
  queueMicrotask(() => place.parentElement?.addEventListener("toggle", () => {
    place.replaceChildren(make("table", { className: "grid-table" },
      make("thead", {}, make("tr", {}, ...[t("preview.start"), t("preview.best"),
        t("evaluation.confidence"), t("preview.lower")].map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, ...windows().map(({ start, label, status, confidence, probabilities }) =>
        make("tr", {}, make("th", { scope: "row" }, moment(start)),
          make("td", {}, label === null ? t(status === "noPerson" ? "preview.nobody"
            : "preview.low") : words(label)), make("td", {}, percent(confidence)),
          make("td", {}, Object.entries(probabilities).sort((a, b) => b[1] - a[1])
            .slice(1, 1 + lowerCount)
            .map(([other, share]) => `${words(other)} ${percent(share)}`).join(", ") || "–"))))));
  }));
  return place;
}

// @ts-check
/** The page of the preview: a video with what a model predicts, following the playhead. */

import { button, icon, make, setText } from "../shared/dom.js";
import { percent, words } from "../shared/format.js";
import { SpaceView } from "../shared/space.js";
import { CameraPreview } from "./cameraPreview.js";
import { controls } from "./controls.js";
import { labelsOf } from "./labels.js";
import { Player } from "./player.js";
import { lanes, PredictionPanel, ranked, unnamed } from "./prediction.js";
import { chooseRun } from "./runchoice.js";
import { result } from "./shell.js";
import { addressOf } from "./snapshots.js";
import { messageOf, moment, t } from "./texts.js";
import { Timeline } from "./timeline.js";
import { chosenFiles, droppedFiles, refuseOthers, uploadsOf } from "./uploads.js";
import { listenForDrops, uploadList } from "./wells.js";

/** @typedef {import("types/studio").TimedWindow} TimedWindow */
/** @typedef {import("./types.js").Context} Context */

/** How many of the lower predictions the table has. */
const lowerCount = 3;

/** @param {Context} context */
export async function previewPage(context) {
  labelsOf(context.detail);
  const { project, query, shell } = context;
  const { run, head, ...rest } = await chooseRun(context, "preview");
  if (!run || !("snapshot" in rest)) return head;
  const { snapshot } = rest;
  /** @type {{media: import("types/studio").Medium[]}} */
  const { media } = await project.get("media");
  const file = query.get("file") ?? media[0]?.file ?? null;
  const open = (/** @type {Record<string, string>} */ values) => {
    location.hash = addressOf(project.id, "preview", run.id, { snapshot, ...values });
  };
  const go = (/** @type {string} */ name) => open({ file: name });
  const add = (/** @type {import("./uploads.js").Found} */ { files, others }) => {
    refuseOthers(uploadsOf(project), others);
    if (!files[0]) return shell.note(t("upload.nothing"), "bad");
    const [{ file: first }] = files;
    shell.run(async () => {
      const uploaded = await uploadsOf(project).add(first, { well: "leftOut" });
      go(uploaded.file);
    });
  };
  const select = make("select", { id: "medium" },
    ...media.map((medium) => make("option", { value: medium.file },
      medium.file.split("/").at(-1) ?? medium.file)));
  if (file) select.value = file;
  select.addEventListener("change", () => go(select.value));
  const upload = make("input", { type: "file", id: "preview-file", className: "visually-hidden",
    accept: "video/*,.npz,.jsonl,.skeleton,.trc,.mkv,.avi" });
  upload.addEventListener("change", () => { if (upload.files) add(chosenFiles(upload.files)); });
  const isCamera = query.has("camera");
  const camera = isCamera
    ? button("secondary small", { id: "stop-camera", picture: "stop" }, t("preview.camera.stop"),
      () => open(file === null ? {} : { file }))
    : button("secondary small", { id: "use-camera", picture: "camera" }, t("preview.camera"),
      () => open({ camera: "on" }));
  const page = make("div", {}, head,
    make("div", { className: "row plain choices" },
      make("div", { className: "field across" }, make("label", { for: "medium" },
        t("preview.medium")), select), make("label", { className: "secondary small",
        for: "preview-file" }, icon("upload"), t("preview.file")), upload, camera),
    uploadList(context));
  listenForDrops(page, (transfer) => shell.run(async () => add(await droppedFiles(transfer))));
  if (isCamera) {
    const { model } = await project.send("POST", `runs/${run.id}/use`, undefined, { snapshot });
    page.append(new CameraPreview(context, model).element);
    camera.after(make("a", { className: "secondary small", id: "to-live",
      href: `/?model=${encodeURIComponent(model)}&start=camera` }, t("preview.camera.live")));
  } else if (file === null) page.append(make("p", { className: "empty" }, t("preview.none")));
  else page.append(preview(context, run.id, snapshot, file, media));
  return page;
}

/**
 * @param {Context} context
 * @param {number} run
 * @param {number | null} snapshot
 * @param {string} file
 * @param {import("types/studio").Medium[]} media
 */
function preview(context, run, snapshot, file, media) {
  const { project, signal } = context;
  const medium = media.find((other) => other.file === file);
  const player = new Player(context, t("page.preview"));
  const timeline = new Timeline();
  timeline.duration = Math.max(0.1, medium?.seconds ?? 1);
  timeline.onSeek = (time) => player.seek(time);
  const state = make("p", { className: "quiet", role: "status", id: "preview-state" });
  const panel = new PredictionPanel();
  const space = new SpaceView(t);
  space.wireframe = context.wireframe;
  space.clear();
  /** @type {import("types/studio").Timeline | null} */
  let timed = null;

  const show = (/** @type {number} */ time) => {
    timeline.time = time;
    const now = player.body;
    if (now) space.show(now.time, now.body);
    if (!timed) return;
    const { windows, repetitions } = timed;
    const window = windows.find(({ start, end }) => time >= start && time < end)
      ?? (time >= (windows.at(-1)?.end ?? Infinity) ? windows.at(-1) : undefined);
    const count = repetitions.filter(({ end }) => end <= time + 0.01).length;
    panel.show(window, count);
  };
  player.on("time", show);
  player.hasBodies = true;
  player.awaitsPoses = true;
  player.repeats = true;
  player.load({ file, ...(medium ? { seconds: medium.seconds, kind: medium.kind } : {}) });
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // It plays with the skeleton from the first moment on.
  player.posesArrived().then(() => { if (!isCalm && !signal.aborted) player.play(); });

  const load = async () => {
    try {
      timed = await result(signal, () => project.get(`runs/${run}/timeline`, { file, snapshot }),
        (fraction) => setText(state, t("preview.working", { percent: percent(fraction) })));
    } catch (error) {
      setText(state, messageOf(error));
    }
    if (!timed) return;
    setText(state, t("preview.done", { n: timed.windows.length, reps: timed.repetitions.length }));
    // The prediction has extracted the poses of a new video.
    if (player.hasMissingPoses) player.reloadPoses();
    timeline.duration = Math.max(timeline.duration, timed.windows.at(-1)?.end ?? 0);
    timeline.show(lanes(timed));
    show(player.time);
  };
  load();
  return make("section", { className: "card preview", "aria-label": t("page.preview") },
    make("div", { className: "preview-grid" }, make("div", { className: "stack" }, player.element,
      make("div", { className: "row plain" }, controls(player), timeline.zoomButtons)),
    make("div", { className: "stack" }, panel.element, space.element)),
    timeline.element, state,
    make("details", {}, make("summary", {}, t("preview.table")),
      lazyTable(() => timed?.windows ?? [])));
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
      make("tbody", {}, ...windows().map((window) => {
        const { start, label, status, confidence } = window;
        return make("tr", {}, make("th", { scope: "row" }, moment(start)),
          make("td", {}, label === null ? unnamed(status) : words(label)),
          make("td", {}, percent(confidence)), make("td", {}, ranked(window)
            .slice(1, 1 + lowerCount)
            .map(([other, share]) => `${words(other)} ${percent(share)}`).join(", ") || "–"));
      }))));
  }));
  return place;
}

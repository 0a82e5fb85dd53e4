// @ts-check
/** Connects the parts of the page. */

import { Announcer } from "./announcer.js";
import { information } from "../shared/api.js";
import { Banner } from "./banner.js";
import { ChallengeCard } from "./challenge.js";
import { ChallengePicker } from "./challenges.js";
import { connectControls } from "./controls.js";
import { button, byId, make, setIcon } from "../shared/dom.js";
import { words } from "../shared/format.js";
import { FormCard } from "./form.js";
import { Freshness } from "./freshness.js";
import { Guide } from "./guide.js";
import { HistoryView } from "./history.js";
import { showProblems } from "./notices.js";
import { completePage } from "./page.js";
import { Panel } from "./panel.js";
import { PerformanceView } from "./performance.js";
import { preferences, remember, rememberSettings } from "../shared/preferences.js";
import { Replay } from "./replay.js";
import { RateNote } from "./rate.js";
import { LiveSession } from "./session.js";
import { SettingsView } from "./settings.js";
import { SpaceView } from "../shared/space.js";
import { Showcase } from "./showcase.js";
import { Sounds } from "../shared/sounds.js";
import { SourcesView } from "./sources.js";
import { Stage } from "./stage.js";
import { SummaryView } from "./summary.js";
import { Teacher } from "./teach.js";
import { messageOf, t } from "./texts.js";
import { Voice } from "./voice.js";

/** @typedef {import("types/live").Source} Source */

completePage();
const startsAtOnce = chooseModel();
const stage = new Stage(byId("stage"), byId("backdrop"));
const session = new LiveSession(byId("camera"), stage);
const { connection, camera } = session;
new Freshness(session);
const banner = new Banner();
const panel = new Panel();
const announcer = new Announcer();
const sounds = new Sounds();
const sourcesView = new SourcesView((text) => announcer.announce(text));
const performanceView = new PerformanceView();
const rateNote = new RateNote();
const guide = new Guide();
const replay = new Replay();
const showcase = new Showcase();
const space = new SpaceView(t);
byId("space-card").append(space.element);
const settings = new SettingsView((changes) =>
  connection.send({ type: "configure", settings: changes }));
byId("start-profile").append(settings.profiles.choice("start-profile-choice"));
const summary = new SummaryView(() => connection.send({ type: "new" }));
const history = new HistoryView(settings.profiles);
const picker = new ChallengePicker((items, missing) => {
  sounds.wake();
  card.start(items);
  if (missing.length > 0) banner.note(t("challenge.leftOut", { names: missing.map(words).join(", ") }));
}, settings.profiles.choice("challenge-profile"));
const voice = new Voice();
const form = new FormCard(voice, sounds);
const teacher = new Teacher(session, { voice, sounds, use: async (id) => {
  await loadInformation();
  settings.set({ model: id, isClassifying: true });
} });
const card = new ChallengeCard((command) => connection.send({ type: "challenge", ...command }),
  sounds, voice, () => openChallenge());

/** @type {HTMLSelectElement} */
const sourceSelect = byId("source-select");
/** @type {import("types/live").Model | null} */
let model = null;
/** @type {import("types/live").Info | null} */
let info = null;
/** @type {import("types/live").Frame | null} */
let lastFrame = null;
/** @type {import("./course.js").View | null} */
let lastView = null;
let isRecording = false;

// MARK: - Sources

function fillSources() {
  const synthetic = info?.sources.find(({ kind }) => kind === "synthetic");
  const others = (info?.sources ?? []).filter((source) => source !== synthetic);
  sourceSelect.replaceChildren(make("option", { value: "browser" }, t("live.camera")),
    ...others.map(({ id, name }) => make("option", { value: id }, name)),
    ...(synthetic ? [make("option", { value: synthetic.id }, t("live.synthetic"))] : []));
  byId("start-synthetic").hidden = info !== null && !synthetic;
  byId("start-others").hidden = others.length === 0;
  byId("start-sources").replaceChildren(...others.map(({ id, name }) =>
    button("secondary small", {}, name, () => start({ kind: "server", id }))));
}

/** @param {Source} source */
async function start(source) {
  sounds.wake();
  byId("start-problem").hidden = true;
  const wasActive = session.isActive;
  const frameRate = (model ?? settings.models.models.find(({ id }) =>
    id === settings.current.model))?.frameRate ?? 30;
  try {
    await session.start(source, { settings: settings.changed, frameRate });
  } catch (error) {
    sourceSelect.value = nameOf(session.source);
    if (session.isOwnCamera) showCameraProblem(error);
    else showProblem(messageOf(error));
    return;
  }
  remember({ source: nameOf(source) });
  banner.set("camera", null);
  banner.set("source", null);
  sourceSelect.value = nameOf(source);
  performanceView.reset();
  rateNote.reset();
  guide.reset();
  replay.reset();
  // The results of another source remain, marked as old, until it opens.
  if (!wasActive) panel.reset();
  form.reset();
  setTools();
}

/** @param {Source | null} source */
function nameOf(source) {
  return source?.kind === "server" ? source.id : "browser";
}

/** @param {string} text */
function showProblem(text) {
  if (session.isActive) return banner.note(text, "bad");
  const problem = byId("start-problem");
  problem.textContent = text;
  problem.hidden = false;
  problem.scrollIntoView({ block: "nearest" });
}

/** @param {unknown} error */
function showCameraProblem(error) {
  const action = { name: t("notice.again"), run: () => start({ kind: "browser" }) };
  banner.set("camera", { text: messageOf(error), tone: "bad", action });
}

function setTools() {
  byId("camera-button").hidden = !session.isOwnCamera;
  byId("mirror-button").setAttribute("aria-pressed", String(session.isMirrored));
  const sound = byId("sound-button");
  sound.setAttribute("aria-pressed", String(!sounds.isMuted));
  setIcon(sound, sounds.isMuted ? "mute" : "sound");
  byId("voice-button").setAttribute("aria-pressed", String(form.speaks));
}

// MARK: - Messages of the server

connection.on("ready", (ready) => {
  if (!info) loadInformation();
  model = ready.model;
  settings.update(ready.settings);
  panel.configure(ready.settings, ready.model);
  showSpace(ready.settings.isLifting);
  summary.setSession(ready.historyID);
  showRecording(ready.settings.isRecording);
  setTools();
});
connection.on("summary", (message) => summary.update(message));
connection.on("summary", (message) => panel.take(message));
connection.on("setRevised", (revision) => {
  if (revision.person !== lastFrame?.prominent) return;
  const said = panel.revise(revision);
  if (said && form.speaks) voice.add(said);
});
connection.on("challenge", (message) => card.update(message));
connection.on("form", (message) => {
  form.update(message);
  replay.isOn = preferences.showsReplay;
  replay.measure(message);
});
connection.on("statistics", (statistics) => {
  const { feeder, received, isOwnCamera } = session;
  performanceView.update(statistics, isOwnCamera
    ? { seen: feeder.seen, skipped: feeder.skipped, bytes: feeder.bytes, encoding: feeder.encoding }
    : { seen: received.seen, skipped: 0, bytes: received.bytes, encoding: null });
  showRecording(statistics.isRecording);
  const { cameraFPS, latency } = performanceView.measured;
  if (!session.isPaused) rateNote.update(statistics.analysedFPS, cameraFPS);
  if (Number.isFinite(latency.p50)) connection.send({ type: "report", cameraFPS, latency });
});
showProblems(session, banner, () => sourceSelect.focus());
camera.on("state", setTools);

session.on("frame", (frame) => {
  lastFrame = frame;
  const view = panel.show(frame);
  if (view.set !== lastView?.set) replay.end();
  lastView = view;
  form.follow(view);
  guide.follow(view, frame);
  replay.isMirrored = session.isMirrored;
  replay.take(frame);
  space.isMirrored = session.isMirrored;
  if (!byId("space-card").hidden) space.show(frame.time / 1000, frame.body);
  announcer.view(view);
});
session.on("paused", () => {
  const { isPaused } = session;
  document.body.dataset.paused = String(isPaused);
  const pauseButton = byId("pause-button");
  pauseButton.setAttribute("aria-pressed", String(isPaused));
  setIcon(pauseButton, isPaused ? "play" : "pause");
  const action = { name: t("notice.resume"), run: controls.pause };
  banner.set("pause", isPaused && !teacher.isLearning ? { text: t("notice.paused"), action } : null);
});
session.on("active", () => {
  const { isActive } = session;
  document.body.dataset.view = isActive ? "live" : "start";
  const hadFocus = byId("start").contains(document.activeElement);
  byId("start").hidden = isActive;
  byId("live").hidden = !isActive;
  if (isActive && hadFocus) byId("live").focus();
  performanceView.isShown = isActive && preferences.showsPerformance;
  showFigure();
  if (isActive) return;
  document.body.dataset.connection = "idle";
  banner.clear();
  card.leave();
  form.reset();
});

stage.onDrawn = (/** @type {import("./stage.js").Shown} */ { time }, /** @type {number} */ now) =>
  performanceView.drawn(now - time);
panel.onCount = () => {
  // In a challenge, counts are spoken where there is a voice.
  if (!(card.isShown && voice.isAvailable)) sounds.play("count");
};

/** @param {boolean} isOn */
function showRecording(isOn) {
  if (isOn === isRecording) return;
  isRecording = isOn;
  byId("recording").hidden = !isOn;
  announcer.announce(t(isOn ? "live.recording.on" : "live.recording.off"));
}

/** @param {boolean} isShown */
function showSpace(isShown) {
  byId("space-card").hidden = !isShown;
  if (isShown) space.clear();
  byId("space-button").setAttribute("aria-pressed", String(isShown));
}

function openChallenge() {
  picker.open(model);
}

/** What the controls operate. */
export const page = {
  session, settings, panel, performanceView, teacher, summary, history, form, sounds, voice, stage, banner, announcer,
  sourceSelect, start, setTools, showCameraProblem, openChallenge,
  /** The newest frame. */
  get frame() {
    return lastFrame;
  },
  /** The id of the source with a synthetic person. */
  get syntheticSource() {
    return info?.sources.find(({ kind }) => kind === "synthetic")?.id ?? "synthetic";
  },
};
const controls = connectControls(page);

// MARK: - Start

/**
 * Takes over the model of the address `/?model=ID`, to which Studio links; whether it asks for the
 * camera at once, with `&start=camera`.
 */
function chooseModel() {
  const address = new URL(location.href);
  const model = address.searchParams.get("model");
  if (model === null) return false;
  rememberSettings({ model, isClassifying: true });
  const isStarting = address.searchParams.get("start") === "camera";
  for (const name of ["model", "start"]) address.searchParams.delete(name);
  window.history.replaceState(null, "", address);
  return isStarting;
}

/** Opens the camera with the model that Studio has named, and says which it is. */
async function startFromStudio() {
  await start({ kind: "browser" });
  const chosen = settings.models.models.find(({ id }) => id === settings.current.model);
  if (session.isActive && chosen) banner.note(t("model.runs", { name: chosen.name }));
}

/** Shows the exercises of the chosen model on the start screen, once the server is known. */
function showFigure() {
  if (!info || session.isActive) return showcase.stop();
  const chosen = settings.models.models.find(({ id }) => id === settings.current.model);
  showcase.start(info.wireframes.body, (chosen?.challenges ?? []).map(({ label }) => label));
}

/** Loads what the server offers; again after a reconnection if it failed. */
async function loadInformation() {
  try {
    info = await information();
  } catch (error) {
    showProblem(messageOf(error));
  }
  fillSources();
  if (!info) return;
  stage.wireframes = Object.values(info.wireframes);
  space.wireframe = info.wireframes.body;
  settings.models.models = info.models;
  settings.models.limit = info.limits.modelBytes;
  settings.isRecordingAllowed = info.isRecordingAllowed;
  card.wireframe = replay.wireframe = info.wireframes.body;
  teacher.joints = info.wireframes.body.joints.map(({ name }) => name);
  settings.joints = info.wireframes.body.joints.map(({ name }) => name);
  byId("version").textContent = t("help.version", { version: info.version });
  showFigure();
}

async function prepare() {
  sounds.isMuted = voice.isMuted = preferences.isMuted;
  form.speaks = preferences.speaksCues;
  byId("performance-button").setAttribute("aria-pressed", String(preferences.showsPerformance));
  panel.showsDetails = preferences.showsDetails;
  byId("details-button").setAttribute("aria-pressed", String(preferences.showsDetails));
  setTools();
  await Promise.all([loadInformation(), settings.profiles.load(), sourcesView.prepare()]);
  document.body.dataset.prepared = "true";
  if (startsAtOnce) startFromStudio();
  else if (connection.resumable && !sourcesView.isOpen) start(connection.resumable);
}
// Browsers allow sounds only after a press, also in a session that resumes by itself.
for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => sounds.wake());
prepare();
// Browsers refuse it for certificates that they do not know, and in private windows: then the page is as before.
navigator.serviceWorker?.register("/sw.js").catch(() => {});

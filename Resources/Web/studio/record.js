// @ts-check
/** The page of the recording: takes with the camera, one after the other. */

import { information } from "../shared/api.js";
import { Camera } from "../shared/camera.js";
import { button, make, setText } from "../shared/dom.js";
import { words } from "../shared/format.js";
import { preferences, remember } from "../shared/preferences.js";
import { Sounds } from "../shared/sounds.js";
import { labelList, labelsOf } from "./labels.js";
import { countDown, say, startRecorder } from "./recorder.js";
import { ServerSource } from "./serverSource.js";
import { pause } from "./shell.js";
import { TakeList } from "./takes.js";
import { messageOf, t } from "./texts.js";
import { uploadsOf } from "./uploads.js";
import { uploadList } from "./wells.js";

/** @typedef {import("./types.js").Context} Context */

const otherLabel = "other_action";
/** Where takes can go. */
const takeWells = /** @type {const} */ (["training", "validation", "testing"]);

/** @param {Context} context */
export async function recordPage(context) {
  const { sources } = await information();
  return new RecordView(context, sources).element;
}

class RecordView {
  #video = make("video", { muted: true, playsInline: true, tabIndex: -1,
    "aria-label": t("record.camera") });
  #count = make("p", { className: "count-down", id: "count-down", "aria-hidden": "true" });
  /** The action and the number of the take, over the picture. */
  #caption = make("p", { className: "take-caption", id: "take-caption", "aria-hidden": "true",
    hidden: true });
  #state = make("p", { id: "record-state", role: "status" });
  #label = make("input", { type: "text", id: "take-label", required: true, autocomplete: "off" });
  #person = make("input", { type: "text", id: "take-person", autocomplete: "off" });
  #well = make("select", { id: "take-well" }, ...takeWells.map((well) =>
    make("option", { value: well }, t(`well.${well}`))));
  #seconds = choice("take-seconds", [5, 8, 10, 15, 20, 30], 8);
  #wait = choice("take-wait", [3, 5, 10], 5);
  #number = choice("take-number", [1, 2, 3, 4, 5, 6, 8, 10], 3);
  #keeps = switchOf("keep-video", false);
  #between = switchOf("record-between", false);
  #start = make("button", { className: "primary", type: "submit", id: "record" },
    t("record.start"));
  #stop = button("danger", { id: "stop-recording" }, t("record.stop"), () => this.#leave.abort());
  #open = button("secondary", { id: "open-camera", picture: "camera" }, t("record.open"), () =>
    this.#openCamera().catch((error) => this.#say(messageOf(error))));
  #leave = new AbortController();
  #sounds = new Sounds();
  #camera = new Camera(this.#video);
  #server = new ServerSource(this.#video);
  #source = make("select", { id: "take-source" });
  element;

  /**
   * @param {Context} context
   * @param {import("types/live").Info["sources"]} sources of the server
   */
  constructor(context, sources) {
    this.context = context;
    const { signal, query } = context;
    const labels = labelsOf(context.detail);
    this.takes = new TakeList(context);
    this.#label.setAttribute("list", "labels");
    this.#label.value = query.get("label") ?? "";
    this.#stop.hidden = true;
    this.#well.value = takeWells.find((well) => well === preferences.takeWell) ?? takeWells[0];
    this.#well.addEventListener("change", () => remember({ takeWell: this.#well.value }));
    this.#source.append(make("option", { value: "" }, t("record.camera.own")),
      ...sources.map(({ id, kind, name }) => make("option", { value: id },
        kind === "synthetic" ? t("record.synthetic") : name)));
    this.#source.addEventListener("change", () => {
      this.#close();
      this.#open.hidden = false;
      this.#say("");
    });
    addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && "recording" in this.element.dataset) this.#leave.abort();
    }, { signal });
    this.#server.onMessage = (text) => this.#say(text);
    signal.addEventListener("abort", () => {
      this.#leave.abort();
      this.#close();
    });
    this.#camera.on("state", ({ problem }) => {
      if (problem) this.#say(messageOf(problem));
    });
    const fields = [field(t("record.label"), this.#label, t("record.label.about")),
      field(t("record.well"), this.#well),
      field(t("record.person"), this.#person, t("record.person.about")),
      field(t("record.source"), this.#source),
      field(t("record.seconds"), this.#seconds), field(t("record.wait"), this.#wait),
      field(t("record.number"), this.#number)];
    const form = make("form", { className: "card", "aria-label": t("page.record") },
      make("div", { className: "fields" }, ...fields),
      make("div", { className: "fields" },
        switchRow(t("record.between"), this.#between, t("record.between.about")),
        switchRow(t("record.keep"), this.#keeps, t("record.keep.about"))),
      make("div", { className: "row plain" }, this.#start));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#record();
    });
    const few = fewTakes(context);
    const train = button("secondary", { id: "train", picture: "play" }, t("data.train"),
      () => this.#train());
    // Without clips and takes there is nothing to train.
    const offer = (/** @type {number} */ takes) => {
      few.hidden = train.hidden = takes === 0 && context.detail.wells.training.items === 0;
    };
    offer(0);
    this.takes.onFill = offer;
    this.element = make("div", {},
      make("header", { className: "page-head" }, make("h1", {}, t("page.record")), train),
      make("p", { className: "lead" }, t("record.lead")),
      make("div", { className: "record-grid" },
        make("div", { className: "player record-stage" }, this.#video, this.#count, this.#caption,
          this.#open, this.#stop), form),
      this.#state, few, uploadList(context, false), this.takes.element,
      labelList(labels));
  }

  /** @param {string} text */
  #say(text) {
    setText(this.#state, text);
  }

  async #openCamera() {
    const { facing, device } = preferences;
    const { value } = this.#source;
    if (value && !this.#server.isOpen) await this.#server.open(value);
    if (!value && !this.#camera.isOpen) await this.#camera.open({ facing, device, frameRate: 30 });
    this.#open.hidden = true;
  }

  #close() {
    this.#camera.close();
    this.#server.close();
  }

  async #record() {
    this.#sounds.wake();
    this.#leave = new AbortController();
    const { signal } = this.#leave;
    this.#setRecording(true);
    try {
      await this.#openCamera();
      const count = Number(this.#number.value);
      for (let take = 1; take <= count && !signal.aborted; take += 1) {
        await this.#take(take, count, signal);
      }
      if (!signal.aborted) {
        say(t("record.done"), () => this.#sounds.play("done"));
        this.#say(t("record.done"));
      }
    } catch (error) {
      this.#say(messageOf(error));
    }
    this.#setRecording(false);
  }

  /**
   * Counts down and records one take; what was recorded when it is stopped is thrown away. Throws where
   * the camera is lost meanwhile.
   *
   * @param {number} take
   * @param {number} count
   * @param {AbortSignal} signal
   */
  async #take(take, count, signal) {
    const stream = /** @type {MediaStream | null} */ (this.#video.srcObject);
    if (!stream?.active) throw new Error(t("record.lost"));
    const label = this.#label.value.trim();
    const show = (/** @type {string} */ text) => setText(this.#count, text);
    this.#say(t("record.ready", { label: words(label), n: take, total: count }));
    setText(this.#caption, t("record.caption", { label: words(label), n: take, total: count }));
    this.element.dataset.recording = "soon";
    const before = this.#between.checked ? startRecorder(stream) : null;
    await countDown(Number(this.#wait.value), { signal, stream, sounds: this.#sounds, show });
    const between = await before?.stop(`${otherLabel}-${stamp()}`);
    if (signal.aborted) return show("");
    if (!stream.active) throw new Error(t("record.lost"));
    if (between) this.#send(between, otherLabel);
    const recorder = startRecorder(stream);
    this.element.dataset.recording = "now";
    this.#say(t("record.now", { label: words(label), n: take, total: count }));
    const isOn = () => !signal.aborted && recorder.isRecording;
    for (let left = Number(this.#seconds.value); left > 0 && isOn(); left -= 1) {
      show(String(left));
      await pause(1);
    }
    const isWhole = isOn();
    this.element.dataset.recording = "soon";
    show("");
    const file = await recorder.stop(`${label.replace(/[^\p{L}\p{N}_-]+/gu, "-")}-${stamp()}`);
    if (signal.aborted) return;
    if (!isWhole) throw new Error(t("record.lost"));
    say(t("record.over"), () => this.#sounds.play("paused"));
    this.#send(file, label);
  }

  /**
   * Uploads a recording and has its repetitions found.
   *
   * @param {File} file
   * @param {string} label
   */
  #send(file, label) {
    const { project, shell } = this.context;
    const person = this.#person.value.trim() || null;
    const keepVideo = this.#keeps.checked;
    const well = /** @type {(typeof takeWells)[number]} */ (this.#well.value);
    return shell.run(async () => {
      await uploadsOf(project).add(file, { label, person, well, take: { keepVideo } });
      this.takes.watch();
    });
  }

  /** @param {boolean} isOn */
  #setRecording(isOn) {
    this.#start.hidden = isOn;
    this.#stop.hidden = this.#caption.hidden = !isOn;
    if (!isOn) {
      delete this.element.dataset.recording;
      setText(this.#caption, "");
      setText(this.#count, "");
    }
    for (const control of [this.#label, this.#well, this.#person, this.#source, this.#seconds,
      this.#wait, this.#number]) {
      control.disabled = isOn;
    }
    (isOn ? this.#stop : this.#start).focus();
  }

  #train() {
    const { project, shell } = this.context;
    return shell.run(async () => {
      const run = await project.send("POST", "runs", {});
      location.hash = `#/${encodeURIComponent(project.id)}/runs/${run.id}`;
    });
  }
}

/**
 * Offers the parameters that suit a few takes.
 *
 * @param {Context} context
 */
function fewTakes({ project, detail: { parameters }, shell }) {
  if (parameters.from) {
    return make("p", { className: "good" }, t(parameters.other === false ? "record.from"
      : "record.few.on", { model: parameters.from }));
  }
  const train = async () => {
    const before = { from: parameters.from ?? null, other: parameters.other ?? null };
    await project.send("PATCH", "", { parameters: { from: "Exercise", other: true } });
    try {
      const run = await project.send("POST", "runs", {});
      location.hash = `#/${encodeURIComponent(project.id)}/runs/${run.id}`;
    } catch (error) {
      // What cannot train yet keeps its parameters.
      await project.send("PATCH", "", { parameters: before });
      throw error;
    }
  };
  return make("section", { className: "card", "aria-labelledby": "few" },
    make("h2", { id: "few" }, t("record.few")), make("p", {}, t("record.few.about")),
    make("div", { className: "row plain" },
      button("primary small", { id: "few-takes", picture: "play" }, t("record.few.use"),
        () => shell.run(train))));
}

/** The time of day in a file's name. */
function stamp() {
  return new Date().toISOString().slice(0, 19).replace(/[-:T]/g, "");
}

/**
 * @param {string} name
 * @param {HTMLElement} control
 * @param {string} [about]
 */
function field(name, control, about) {
  return make("div", { className: "field" }, make("label", { for: control.id }, name), control,
    about !== undefined && make("small", {}, about));
}

/**
 * @param {string} id
 * @param {number[]} values
 * @param {number} chosen
 */
function choice(id, values, chosen) {
  const made = make("select", { id }, ...values.map((value) =>
    make("option", { value: String(value) }, String(value))));
  made.value = String(chosen);
  return made;
}

/**
 * @param {string} id
 * @param {boolean} isOn
 */
function switchOf(id, isOn) {
  return make("input", { type: "checkbox", role: "switch", id, checked: isOn });
}

/**
 * @param {string} name
 * @param {HTMLInputElement} control
 * @param {string} about
 */
function switchRow(name, control, about) {
  return make("div", { className: "field" },
    make("label", { className: "switch" }, name, control), make("small", {}, about));
}

// @ts-check
/**
 * Teaches a move where one stands: it is done three times before the camera, and named and counted live seconds
 * later. The takes are those of a project of Studio, which opens it for refinement.
 */

import { request, send } from "../shared/api.js";
import { button, byId, make, openDialog, setText } from "../shared/dom.js";
import { percent, words } from "../shared/format.js";
import { preferences, remember } from "../shared/preferences.js";
import { beginUpload, sendParts } from "../shared/uploads.js";
import { forget } from "./demonstration.js";
import { TakeRecorder } from "./takeRecorder.js";
import { messageOf, t } from "./texts.js";

/** Seconds to walk back from the device. */
const readySeconds = 5;
/** So many repetitions are a take; without them it ends after so many seconds. */
const wanted = { repetitions: 3, seconds: 20 };
/** How long the last repetition goes on after it has been counted, milliseconds. */
const tail = 500;
/** How often the server is asked how far it is, milliseconds. */
const interval = 400;

/**
 * @typedef {import("types/studio").Run} Run
 * @typedef {import("types/studio").Take} Take
 * @typedef {import("./takeRecorder.js").Recorded} Recorded
 * @typedef {{id: string, label: string, picture: HTMLCanvasElement, items: string[]}} Kept
 */

/** The wish to end what is under way. */
class Ended extends Error {}

export class Teacher {
  /** @type {HTMLDialogElement} */
  #dialog = byId("teach-dialog");
  #card = byId("teach-card");
  #name = make("input", { id: "teach-name", type: "text", required: true, maxLength: 60, autocomplete: "off" });
  #title = make("h2", { id: "teach-heading" });
  #number = make("p", { id: "teach-number" });
  #state = make("p", { id: "teach-state", role: "status" });
  #progress = make("progress", { max: 1, value: 0, hidden: true });
  #takes = make("ul", { id: "teach-takes", className: "takes" });
  #row = make("div", { className: "row" });
  /** Ends the recording with what there is. */
  #isEnough = false;
  /** Whether the page is paused to learn. */
  isLearning = false;
  /** @type {AbortController | null} */
  #work = null;
  /** @type {Kept[]} the takes of this visit */
  #kept = [];
  #recorder = new TakeRecorder();
  /** @type {string | null} */
  #project = null;

  /**
   * @param {import("./session.js").LiveSession} session
   * @param {{voice: import("./voice.js").Voice, sounds: import("../shared/sounds.js").Sounds,
   *   use: (model: string) => Promise<void>}} page `use` makes the page recognise by a model
   */
  constructor(session, page) {
    this.session = session;
    this.page = page;
    const form = make("form", {},
      make("p", {}, t("teach.about")),
      make("div", { className: "field" }, make("label", { for: "teach-name" }, t("teach.name")), this.#name),
      make("div", { className: "foot" }, make("button", { id: "teach-start", className: "primary", type: "submit" },
        t("teach.start"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#dialog.close();
      this.#teach(this.#name.value.trim());
    });
    byId("teach-content").append(form);
    this.#card.append(this.#title, this.#number, this.#state, this.#progress, this.#takes, this.#row);
    session.on("frame", (frame) => this.#recorder.take(frame));
    session.on("active", () => {
      if (!session.isActive) this.close();
    });
  }

  /** @param {string[]} names of the joints of a body, in the order of the server's poses */
  set joints(names) {
    this.#recorder.joints = names;
  }

  open() {
    openDialog(this.#dialog);
    this.#name.select();
  }

  /** Ends what is under way and hides the card. */
  close() {
    this.#work?.abort();
    this.#work = null;
    this.#show(false);
  }

  /** @param {boolean} isShown */
  #show(isShown) {
    this.#card.hidden = !isShown;
    document.body.classList.toggle("teaching", isShown);
  }

  /** @param {string} label */
  async #teach(label) {
    this.#work?.abort();
    const work = new AbortController();
    this.#work = work;
    const { signal } = work;
    this.#show(true);
    this.#takes.replaceChildren();
    this.#progress.hidden = true;
    setText(this.#title, t("teach.title", { name: words(label) }));
    try {
      const recorded = await this.#record(label, signal);
      await this.#undisturbed(() => this.#learn(recorded, signal));
    } catch (error) {
      if (error instanceof Ended || signal.aborted) return;
      setText(this.#number, "");
      setText(this.#state, messageOf(error));
      this.#progress.hidden = true;
      this.#buttons(label);
    }
  }

  // MARK: - Recording

  /**
   * @param {string} label
   * @param {AbortSignal} signal
   * @returns {Promise<Recorded>}
   */
  async #record(label, signal) {
    const { voice, sounds } = this.page;
    this.#row.replaceChildren(button("secondary small", { id: "teach-cancel" }, t("cancel"), () => this.close()));
    setText(this.#state, t("teach.ready"));
    for (let left = readySeconds; left > 0; left -= 1) {
      setText(this.#number, String(left));
      if (!voice.say(String(left))) sounds.play("soon");
      await pause(1000, signal);
    }
    this.#isEnough = false;
    this.#recorder.begin();
    if (!voice.say(t("teach.go"))) sounds.play("begun");
    setText(this.#state, t("teach.now", { n: wanted.repetitions }));
    this.#row.prepend(button("primary small", { id: "teach-enough" }, t("teach.enough"), () => {
      this.#isEnough = true;
    }));
    try {
      const end = performance.now() + 1000 * wanted.seconds;
      for (let done = 0; !this.#isEnough && done < wanted.repetitions && performance.now() < end;) {
        await pause(50, signal);
        const now = this.#recorder.done;
        setText(this.#number, t("teach.of", { n: now, total: wanted.repetitions }));
        if (now > done) {
          voice.count(now);
          this.#recorder.keepPicture();
        }
        done = now;
      }
      await pause(tail, signal);
      return this.#recorder.end(label);
    } finally {
      this.#recorder.cancel();
    }
  }

  // MARK: - Learning

  /**
   * @param {Recorded} recorded
   * @param {AbortSignal} signal
   */
  async #learn({ label, file, picture }, signal) {
    this.#row.replaceChildren(button("secondary small", { id: "teach-cancel" }, t("cancel"), () => this.close()));
    setText(this.#number, "");
    this.#phase(t("teach.poses"), 0);
    const project = await this.#openProject();
    const take = await this.#upload(project, file, label, signal);
    for (;;) {
      /** @type {{takes: Take[]}} */
      const { takes } = await request(`${project}/takes`);
      const found = takes.find(({ id }) => id === take);
      if (!found || found.state === "failed") throw new Error(found?.message ?? t("teach.noTake"));
      if (found.state === "done") {
        this.#kept.push({ id: found.id, label, picture, items: found.items.map(({ id }) => id) });
        break;
      }
      this.#phase(t("teach.poses"), found.fraction);
      await pause(interval, signal);
    }
    await this.#train(label, signal);
  }

  /**
   * Does something while no pictures are processed, so that all processors learn.
   *
   * @param {() => Promise<void>} run
   */
  async #undisturbed(run) {
    this.isLearning = true;
    this.session.pause(true);
    try {
      await run();
    } finally {
      this.isLearning = false;
      this.session.pause(false);
    }
  }

  /**
   * Trains with all takes of the project, and has the page use the model.
   *
   * @param {string} label
   * @param {AbortSignal} signal
   */
  async #train(label, signal) {
    const project = await this.#openProject();
    this.#showTakes(label);
    this.#phase(t("teach.training"), 0);
    /** @type {Run} */
    let run = await send("POST", `${project}/runs`, {});
    while (!["done", "stopped", "failed"].includes(run.state)) {
      await pause(interval, signal);
      run = await request(`${project}/runs/${run.id}`);
      this.#phase(t("teach.training"), run.progress.fraction);
    }
    if (run.state === "failed") throw new Error(run.message ?? t("teach.failed"));
    const { model } = await send("POST", `${project}/runs/${run.id}/use`);
    forget(label);
    await this.page.use(model);
    this.#progress.hidden = true;
    setText(this.#number, "");
    const names = run.classes.filter((name) => !/^other/.test(name)).map(words).join(", ");
    setText(this.#state, [t("teach.done", { names }), this.#certainty(run, label)].join(" "));
    if (!this.page.voice.say(t("teach.said", { name: words(label) }))) this.page.sounds.play("done");
    this.#buttons(label);
  }

  /**
   * How sure one can be of what was learned, from how the takes that are left out in turn are named.
   *
   * @param {Run} run
   * @param {string} label
   */
  #certainty({ leaveOneOut }, label) {
    const takes = this.#kept.filter((take) => take.label === label).length;
    if (!leaveOneOut || takes < 2) return t("teach.oneTake");
    const { accuracy, lower, upper } = leaveOneOut;
    return t("teach.sure", { share: percent(accuracy), from: percent(lower), to: percent(upper) });
  }

  /**
   * @param {string} text
   * @param {number} fraction
   */
  #phase(text, fraction) {
    setText(this.#state, text);
    this.#progress.hidden = false;
    this.#progress.value = fraction;
    this.#progress.setAttribute("aria-label", text);
  }

  /** The address of the project of what is taught here, which is made if there is none. */
  async #openProject() {
    if (this.#project) return this.#project;
    /** @type {{projects: {id: string, name: string, readOnly?: boolean}[]}} */
    const { projects } = await request("studio/projects");
    const known = projects.find((project) => project.id === preferences.teachProject)?.id;
    /** @type {string} */
    const id = known ?? (await send("POST", "studio/projects", { name: t("teach.project") })).id;
    const address = `studio/projects/${encodeURIComponent(id)}`;
    if (!known) {
      await send("PATCH", address, { parameters: { from: "Exercise", other: true } });
      remember({ teachProject: id });
    }
    this.#project = address;
    return address;
  }

  /**
   * @param {string} project
   * @param {File} file
   * @param {string} label
   * @param {AbortSignal} signal
   * @returns {Promise<string | null>} the id of the take that it becomes
   */
  async #upload(project, file, label, signal) {
    const { id, offset, chunk } = await beginUpload(project,
      { name: file.name, size: file.size, label, take: {} });
    let take = null;
    for await (const part of sendParts(project, { id, offset, chunk }, file)) {
      if (signal.aborted && !part.done) throw new Ended();
      take = part.take ?? null;
    }
    return take;
  }

  // MARK: - Takes

  /** @param {string} label of the newest one */
  #showTakes(label) {
    this.#takes.replaceChildren(...this.#kept.map((take) => make("li", {}, take.picture,
      make("span", {}, words(take.label)),
      button("link", { picture: "trash" }, t("teach.discard"), () => this.#discard(take, label)))));
  }

  /**
   * Throws a take away, and learns from those that are left.
   *
   * @param {Kept} take
   * @param {string} label
   */
  async #discard(take, label) {
    this.#work?.abort();
    const work = new AbortController();
    this.#work = work;
    try {
      await send("DELETE", `${await this.#openProject()}/items`, { ids: take.items });
      this.#kept = this.#kept.filter((other) => other !== take);
      this.#showTakes(label);
      /** @type {{wells: {training: {items: number}}}} */
      const { wells } = await request(await this.#openProject());
      if (wells.training.items > 0) return await this.#undisturbed(() => this.#train(label, work.signal));
      setText(this.#state, t("teach.none"));
      this.#progress.hidden = true;
      this.#buttons(label);
    } catch (error) {
      if (error instanceof Ended || work.signal.aborted) return;
      setText(this.#state, messageOf(error));
      this.#buttons(label);
    }
  }

  /** @param {string} label */
  #buttons(label) {
    const id = preferences.teachProject ?? "";
    this.#row.replaceChildren(
      button("primary small", { id: "teach-again", picture: "plus" }, t("teach.again"), () => this.#teach(label)),
      button("secondary small", { id: "teach-other" }, t("teach.other"), () => {
        this.close();
        this.open();
      }),
      make("a", { id: "teach-studio", className: "secondary small",
        href: `studio/studio.html#/${encodeURIComponent(id)}` }, t("teach.studio")),
      button("secondary small", { id: "teach-close" }, t("close"), () => this.close()));
  }
}

/**
 * @param {number} time milliseconds
 * @param {AbortSignal} signal
 */
async function pause(time, signal) {
  await new Promise((done) => { setTimeout(done, time); });
  if (signal.aborted) throw new Ended();
}

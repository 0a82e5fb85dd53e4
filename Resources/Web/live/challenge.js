// @ts-check
/**
 * The running challenge: one action after another, each with a target, and the rests between; large,
 * with sounds, counts and cues spoken.
 */

import { button, byId, icon, make, setText } from "../shared/dom.js";
import { clock, words } from "../shared/format.js";
import { labelText } from "../shared/language.js";
import { Demonstration } from "./demonstration.js";
import { t } from "./texts.js";

const circle = 2 * Math.PI * 54;
/** Seconds from the start of a challenge to its first action, to walk back from the device. */
const readySeconds = 5;

/** For how long it is shown how an action is done that has not begun, milliseconds. */
const demonstratedFor = 6000;

/** @typedef {import("types/live").ChallengeItem} ChallengeItem */

/** @param {ChallengeItem} item */
export function target({ seconds, repetitions }) {
  return seconds !== null ? clock(seconds) : t("challenge.times", { n: repetitions ?? 0 });
}

/**
 * What an item asks for: "Squats, set 2 of 3, 10 ×, 20 kg".
 *
 * @param {ChallengeItem} item
 */
function description(item) {
  const { set, sets, weight } = item;
  return [nameOf(item), sets > 1 && t("set.place", { set, sets }), target(item),
    weight && t("set.weight", { weight })]
    .filter(Boolean).join(", ");
}

/** @param {ChallengeItem} item */
const nameOf = ({ label, text }) => labelText(label, text) ?? text;

/** @param {ChallengeItem} item */
function share({ seconds, repetitions, doneSeconds, doneRepetitions }) {
  const done = seconds !== null ? doneSeconds / seconds : doneRepetitions / (repetitions ?? 1);
  return Math.min(1, Math.max(0, done));
}

export class ChallengeCard {
  #card = byId("challenge-card");
  /** @type {import("types/live").Challenge | null} */
  #last = null;
  #position = make("p", { className: "position" });
  #name = make("h2", { id: "challenge-name" });
  #number = make("p", { id: "challenge-number" });
  #unit = make("p", { className: "unit" });
  #state = make("p", { id: "challenge-state", role: "status" });
  #next = make("p", { className: "next" });
  #steps = make("ol", { className: "steps", "aria-hidden": "true" });
  #ring = ring();
  #demonstration = new Demonstration(make("canvas", { id: "challenge-demonstration", hidden: true }));
  /** When the wait for the active action began. */
  #waitsSince = 0;
  #running = make("div", { className: "running" });
  #finished = make("div", { className: "finished" });
  #skipName = make("span", {}, t("challenge.skip"));
  /** The count-down before the challenge: the seconds left, and what starts it. */
  /** @type {{timer: number, start: () => void} | null} */
  #ready = null;

  /**
   * @param {(command: import("types/live").ChallengeCommand) => void} send
   * @param {import("../shared/sounds.js").Sounds} sounds
   * @param {import("./voice.js").Voice} voice
   * @param {() => void} again opens the editor of challenges
   */
  constructor(send, sounds, voice, again) {
    this.sounds = sounds;
    this.voice = voice;
    this.send = send;
    this.again = again;
    const dial = make("div", { className: "dial" }, this.#ring.picture,
      make("div", { className: "reading" }, this.#number, this.#unit));
    const words = make("div", { className: "words" }, this.#position, this.#name, this.#state,
      this.#next);
    const skip = button("secondary small", { id: "challenge-skip", picture: "skip" }, "",
      () => (this.#ready ? this.#ready.start() : send({ command: "skip" })));
    skip.append(this.#skipName);
    const { canvas } = this.#demonstration;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", t("demonstration.view"));
    this.#running.append(dial, canvas, words, this.#steps, make("div", { className: "row" }, skip,
      button("secondary small", { id: "challenge-stop", picture: "close" }, t("challenge.stop"), () => {
        this.leave();
        send({ command: "stop" });
      })));
    this.#card.append(this.#running, this.#finished);
  }

  /** @param {import("types/live").Wireframe} wireframe of a body */
  set wireframe(wireframe) {
    this.#demonstration.wireframe = wireframe;
  }

  /**
   * Shows how the next action is done, until it begins.
   *
   * @param {string | null} label
   */
  async #demonstrate(label) {
    const isKnown = await this.#demonstration.show(label);
    this.#demonstration.canvas.hidden = !isKnown;
  }

  get isShown() {
    return !this.#card.hidden;
  }

  /**
   * Starts a challenge after a count-down, which Skip ends at once.
   *
   * @param {import("types/live").Target[]} targets
   */
  start(targets) {
    this.#endReady();
    const start = () => {
      this.#endReady();
      this.send({ command: "start", items: targets });
    };
    let left = readySeconds;
    const tick = () => {
      if (left === 0) return start();
      this.#card.hidden = this.#running.hidden = false;
      this.#finished.hidden = true;
      this.#card.dataset.state = "ready";
      document.body.classList.add("in-challenge");
      this.#dial(left, t("challenge.target", { target: readySeconds }), 1 - left / readySeconds);
      setText(this.#position, t("challenge.of", { n: targets.length }));
      this.#steps.replaceChildren();
      setText(this.#name, t("challenge.ready"));
      this.#demonstrate(targets[0].label);
      setText(this.#state, "");
      setText(this.#next, t("challenge.next", { what: words(targets[0].label) }));
      setText(this.#skipName, t("challenge.now"));
      if (!this.voice.say(String(left))) this.sounds.play("soon");
      left -= 1;
    };
    this.#ready = { timer: setInterval(tick, 1000), start };
    tick();
  }

  /** Hides the card. */
  leave() {
    this.#endReady();
    this.update({ type: "challenge", state: "idle", index: 0, items: [], rest: null });
  }

  #endReady() {
    clearInterval(this.#ready?.timer);
    this.#ready = null;
  }

  /** @param {import("types/live").Challenge} challenge */
  update(challenge) {
    if (this.#ready && challenge.state !== "idle") this.#endReady();
    if (this.#ready) return;
    const last = this.#last;
    this.#last = challenge;
    this.#play(last, challenge);
    const isShown = challenge.state !== "idle" && challenge.items.length > 0;
    const isFinished = challenge.state === "finished";
    this.#card.hidden = !isShown;
    this.#card.dataset.state = challenge.state;
    document.body.classList.toggle("in-challenge", isShown);
    this.#running.hidden = isFinished;
    this.#finished.hidden = !isFinished;
    if (!isShown || isFinished) this.#demonstrate(null);
    if (!isShown) return;
    if (!isFinished) this.#show(challenge);
    else if (last?.state !== "finished") this.#showEnd(challenge);
  }

  /** @param {import("types/live").Challenge} challenge */
  #show({ state, index, items, rest }) {
    const item = items[index];
    const { seconds, doneSeconds, repetitions, doneRepetitions, set, sets, weight } = item;
    const isResting = state === "resting" && rest !== null;
    const starts = items.map(({ set }, place) => (set === 1 ? place : -1)).filter((at) => at >= 0);
    const action = starts.filter((at) => at <= index).length;
    const details = [t("challenge.place", { n: action, count: starts.length }),
      sets > 1 && t("set.place", { set, sets }), weight && t("set.weight", { weight })];
    setText(this.#position, details.filter(Boolean).join(" · "));
    setText(this.#name, isResting ? t("challenge.resting") : nameOf(item));
    if (isResting) {
      this.#dial(clock(Math.ceil(rest.left)), t("challenge.target",
        { target: clock(rest.seconds) }), 1 - rest.left / rest.seconds);
    } else if (seconds !== null) {
      this.#dial(clock(Math.ceil(seconds - doneSeconds - 0.01)),
        t("challenge.target", { target: clock(seconds) }), share(item));
    } else {
      this.#dial(Math.floor(doneRepetitions), t("challenge.target", { target: repetitions ?? 0 }),
        share(item));
    }
    setText(this.#state, state === "idle" || state === "finished" ? ""
      : t(`challenge.state.${state}`));
    const next = isResting ? item : items[index + 1];
    setText(this.#next, next ? t("challenge.next", { what: description(next) })
      : t("challenge.last"));
    setText(this.#skipName, t(isResting ? "challenge.skipRest" : "challenge.skip"));
    if (state !== "waiting") this.#waitsSince = performance.now();
    const isNew = performance.now() - this.#waitsSince < demonstratedFor;
    this.#demonstrate(state === "resting" || state === "waiting" && isNew ? item.label : null);
    this.#steps.replaceChildren(...items.map(({ state }) => make("li", { className: state })));
  }

  /**
   * The number in the ring, which the stylesheet fits into it, and what is below.
   *
   * @param {string | number} number
   * @param {string} unit
   * @param {number} share of the ring
   */
  #dial(number, unit, share) {
    setText(this.#number, String(number));
    this.#number.style.setProperty("--length", String(String(number).length));
    setText(this.#unit, unit);
    this.#ring.set(share);
  }

  /** @param {import("types/live").Challenge} challenge */
  #showEnd({ items }) {
    const done = items.filter((item) => item.state === "done").length;
    const rows = items.map((item) => {
      const reached = item.seconds !== null ? clock(item.doneSeconds) : t("set.reached",
        { done: Math.floor(item.doneRepetitions), wanted: item.repetitions ?? 0 });
      return make("li", { className: item.state },
        icon(item.state === "done" ? "check" : "skip"),
        make("span", { className: "name" }, nameOf(item),
          make("small", {}, item.sets > 1
            ? t("challenge.setOf", { set: item.set, sets: item.sets }) : "",
          item.weight ? `, ${t("set.weight", { weight: item.weight })}` : "")),
        make("span", { className: "reached" }, reached,
          make("small", {}, item.seconds !== null ? ""
            : t("challenge.in", { time: clock(item.doneSeconds) }))));
    });
    const close = button("secondary", { id: "challenge-close" }, t("close"), () => {
      this.send({ command: "stop" });
      this.leave();
    });
    const again = button("primary", { id: "challenge-again" }, t("challenge.again"),
      this.again);
    this.#finished.replaceChildren(
      make("h2", {}, done === items.length ? t("challenge.allDone")
        : t("challenge.done", { done, count: items.length })),
      make("ul", { className: "done-list" }, ...rows),
      make("div", { className: "row" }, again, close));
  }

  /**
   * @param {import("types/live").Challenge | null} last
   * @param {import("types/live").Challenge} now
   */
  #play(last, now) {
    if (!last || last.state === "idle") return;
    const [before, after] = [last, now].map(({ items, index }) => items[index]);
    const isNext = now.index > last.index;
    if (now.state === "finished" && last.state !== "finished") {
      this.#cue("finished", t("challenge.wellDone"));
    } else if (now.state === "resting" && last.state !== "resting") {
      this.#cue("done", t("challenge.rest"));
    } else if (isNext || (last.state === "resting" && now.state === "waiting")) {
      const what = description(after);
      this.#cue("done", isNext ? what : t("challenge.continue", { what }));
    } else if (now.state === "paused" && last.state === "running") this.sounds.play("paused");
    else if (now.state === "running") {
      if (last.state !== "running") this.sounds.play("begun");
      const done = last.state === "resting" ? 0 : before.doneRepetitions;
      // Where messages are few, an action begins with repetitions.
      if (after.doneRepetitions > done) this.voice.count(after.doneRepetitions);
    }
    // What a change says is not cut off by a number.
    if (!isNext && now.state === last.state) this.#countDown(last, now);
  }

  /**
   * Plays a sound and speaks.
   *
   * @param {Parameters<import("../shared/sounds.js").Sounds["play"]>[0]} sound
   * @param {string} text
   */
  #cue(sound, text) {
    this.sounds.play(sound);
    this.voice.say(text);
  }

  /**
   * Speaks each of the last three seconds of an action or a rest.
   *
   * @param {import("types/live").Challenge} last
   * @param {import("types/live").Challenge} now
   */
  #countDown(last, now) {
    const [before, after] = [last, now].map(({ state, rest, items, index }) => {
      // A challenge that was stopped has no items.
      const { seconds = null, doneSeconds = 0 } = items[index] ?? {};
      if (state === "resting") return Math.ceil(rest?.left ?? Infinity);
      return state !== "running" || seconds === null
        ? Infinity : Math.ceil(seconds - doneSeconds - 0.01);
    });
    if (after >= before || after > 3 || after <= 0) return;
    if (!this.voice.say(String(after))) this.sounds.play("soon");
  }
}

/** A ring that fills clockwise. */
function ring() {
  const namespace = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", "0 0 120 120");
  picture.setAttribute("aria-hidden", "true");
  const [track, fill] = ["track", "fill"].map((name) => {
    const made = document.createElementNS(namespace, "circle");
    for (const [key, value] of Object.entries({ cx: 60, cy: 60, r: 54, class: name })) {
      made.setAttribute(key, String(value));
    }
    picture.append(made);
    return made;
  });
  track.setAttribute("fill", "none");
  fill.style.strokeDasharray = String(circle);
  const set = (/** @type {number} */ share) => {
    fill.style.strokeDashoffset = String(circle * (1 - share));
  };
  set(0);
  return { picture, set };
}

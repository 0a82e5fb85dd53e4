// @ts-check
/** The running challenge: one action after another, each with a target; large, and with sounds. */

import { button, byId, icon, make, setText } from "./dom.js";
import { clock } from "./format.js";

const circle = 2 * Math.PI * 54;

/** @typedef {import("./protocol.js").ChallengeItem} ChallengeItem */

/** @param {ChallengeItem} item */
export function target({ seconds, repetitions }) {
  return seconds !== null ? clock(seconds) : `${repetitions} ×`;
}

/** @param {ChallengeItem} item */
function share({ seconds, repetitions, doneSeconds, doneRepetitions }) {
  const done = seconds !== null ? doneSeconds / seconds : doneRepetitions / (repetitions ?? 1);
  return Math.min(1, Math.max(0, done));
}

export class ChallengeCard {
  #card = byId("challenge-card");
  /** @type {import("./protocol.js").Challenge | null} */
  #last = null;
  #position = make("p", { className: "position" });
  #name = make("h2", { id: "challenge-name" });
  #number = make("p", { id: "challenge-number" });
  #unit = make("p", { className: "unit" });
  #state = make("p", { id: "challenge-state", role: "status" });
  #next = make("p", { className: "next" });
  #steps = make("ol", { className: "steps", "aria-hidden": "true" });
  #ring = ring();
  #running = make("div", { className: "running" });
  #finished = make("div", { className: "finished" });

  /**
   * @param {(command: import("./protocol.js").ChallengeCommand) => void} send
   * @param {import("./sounds.js").Sounds} sounds
   * @param {() => void} again opens the editor of challenges
   */
  constructor(send, sounds, again) {
    this.sounds = sounds;
    this.send = send;
    this.again = again;
    const dial = make("div", { className: "dial" }, this.#ring.picture,
      make("div", { className: "reading" }, this.#number, this.#unit));
    const words = make("div", { className: "words" }, this.#position, this.#name, this.#state,
      this.#next);
    this.#running.append(dial, words, this.#steps, make("div", { className: "row" },
      button("secondary small", { id: "challenge-skip", picture: "skip" }, "Skip",
        () => send({ command: "skip" })),
      button("secondary small", { id: "challenge-stop", picture: "close" }, "Stop",
        () => send({ command: "stop" }))));
    this.#card.append(this.#running, this.#finished);
  }

  get isShown() {
    return !this.#card.hidden;
  }

  /** @param {import("./protocol.js").Challenge} challenge */
  update(challenge) {
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
    if (!isShown) return;
    if (!isFinished) this.#show(challenge);
    else if (last?.state !== "finished") this.#showEnd(challenge);
  }

  /** @param {import("./protocol.js").Challenge} challenge */
  #show({ state, index, items }) {
    const item = items[index];
    setText(this.#position, `Challenge ${index + 1} of ${items.length}`);
    setText(this.#name, item.text);
    const { seconds, doneSeconds, repetitions, doneRepetitions } = item;
    const number = seconds !== null
      ? clock(Math.ceil(seconds - doneSeconds - 0.01)) : String(Math.floor(doneRepetitions));
    setText(this.#number, number);
    // The stylesheet fits it into the ring.
    this.#number.style.setProperty("--length", String(number.length));
    setText(this.#unit, `of ${seconds !== null ? clock(seconds) : repetitions}`);
    const texts = {
      waiting: "Start when you are ready", running: "Keep going!", paused: "Paused",
    };
    setText(this.#state, /** @type {Record<string, string>} */ (texts)[state] ?? "");
    const next = items[index + 1];
    setText(this.#next, next ? `Next: ${next.text}, ${target(next)}` : "Last action");
    this.#ring.set(share(item));
    this.#steps.replaceChildren(...items.map(({ state }) => make("li", { className: state })));
  }

  /** @param {import("./protocol.js").Challenge} challenge */
  #showEnd({ items }) {
    const done = items.filter((item) => item.state === "done").length;
    const rows = items.map((item) => {
      const reached = item.seconds !== null
        ? clock(item.doneSeconds) : `${Math.floor(item.doneRepetitions)} of ${item.repetitions}`;
      return make("li", { className: item.state },
        icon(item.state === "done" ? "check" : "skip"),
        make("span", { className: "name" }, item.text),
        make("span", { className: "reached" }, reached,
          make("small", {}, item.seconds !== null ? "" : ` in ${clock(item.doneSeconds)}`)));
    });
    const close = button("secondary", { id: "challenge-close" }, "Close", () => {
      this.send({ command: "stop" });
      this.update({ state: "idle", index: 0, items: [] });
    });
    const again = button("primary", { id: "challenge-again" }, "New challenge", this.again);
    this.#finished.replaceChildren(
      make("h2", {}, done === items.length ? "All done!" : `${done} of ${items.length} done`),
      make("ul", { className: "done-list" }, ...rows),
      make("div", { className: "row" }, again, close));
  }

  /**
   * @param {import("./protocol.js").Challenge | null} last
   * @param {import("./protocol.js").Challenge} now
   */
  #play(last, now) {
    if (!last || last.state === "idle") return;
    const isNext = now.index > last.index;
    if (now.state === "finished" && last.state !== "finished") this.sounds.play("finished");
    else if (isNext) this.sounds.play("done");
    else if (now.state === "running" && last.state !== "running") this.sounds.play("begun");
    else if (now.state === "paused" && last.state === "running") this.sounds.play("paused");
    else if (now.state === "running" && !isNext) this.#countDown(last, now);
  }

  /**
   * A tick at each of the last three seconds.
   *
   * @param {import("./protocol.js").Challenge} last
   * @param {import("./protocol.js").Challenge} now
   */
  #countDown(last, now) {
    const [before, after] = [last, now].map(({ items, index }) => {
      const { seconds, doneSeconds } = items[index];
      return seconds === null ? Infinity : Math.ceil(seconds - doneSeconds - 0.01);
    });
    if (after < before && after <= 3 && after > 0) this.sounds.play("soon");
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

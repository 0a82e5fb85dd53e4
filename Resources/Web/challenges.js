// @ts-check
/** Edits a challenge: actions of the model, each with a target in seconds or repetitions. */

import { button, byId, icon, make, openDialog } from "./dom.js";
import { isOther, words } from "./format.js";
import { preferences, remember } from "./preferences.js";

const most = 50;
/** The largest target of an action, as the server accepts it. */
const largest = { repetitions: 10_000, seconds: 86_400 };
const newStep = { amount: 10, unit: /** @type {const} */ ("repetitions") };

/**
 * @typedef {import("./preferences.js").ChallengeStep} ChallengeStep
 * @typedef {{label: string, repetitions?: number, seconds?: number}} Target
 */

export class ChallengePicker {
  /** @type {HTMLDialogElement} */
  #dialog = byId("challenge-dialog");
  #content = byId("challenge-content");
  /** @type {ChallengeStep[]} */
  #steps = [];
  /** @type {string[]} */
  #labels = [];

  /** @param {(items: Target[]) => void} onStart */
  constructor(onStart) {
    this.onStart = onStart;
  }

  /** @param {import("./protocol.js").Model | null} model */
  open(model) {
    this.#labels = (model?.labels ?? []).filter((label) => !isOther(label));
    this.#steps = preferences.challenge.filter(({ label }) => this.#labels.includes(label));
    if (this.#steps.length === 0) {
      this.#steps = this.#labels.slice(0, 3)
        .map((label) => ({ label, ...newStep }));
    }
    this.#render();
    openDialog(this.#dialog);
  }

  #render() {
    if (this.#labels.length === 0) {
      this.#content.replaceChildren(make("p", { className: "empty" },
        "A challenge needs a model with actions. Choose one in the settings."));
      return;
    }
    const intro = make("p", { className: "quiet" },
      "The timer starts with the action and pauses while you do something else.");
    const rows = this.#steps.map((step, index) => this.#row(step, index));
    const list = make("ol", { id: "challenge-list", className: "challenge-list" }, ...rows);
    const addOptions = {
      id: "challenge-add", picture: "plus", disabled: this.#steps.length >= most,
    };
    const add = button("secondary small", addOptions, "Add an action", () => {
      const last = this.#steps.at(-1);
      const at = last ? this.#labels.indexOf(last.label) + 1 : 0;
      const label = this.#labels[at % this.#labels.length];
      const { amount, unit } = last ?? newStep;
      this.#change([...this.#steps, { label, amount, unit }]);
      byId(`challenge-label-${this.#steps.length - 1}`).focus();
    });
    const start = make("button", {
      id: "challenge-start", className: "primary", type: "submit",
      disabled: this.#steps.length === 0,
    }, icon("flag"), "Start challenge");
    const form = make("form", {}, intro, list, add, make("div", { className: "foot" }, start));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.onStart(this.#steps.map(({ label, amount, unit }) => ({ label, [unit]: amount })));
      this.#dialog.close();
    });
    this.#content.replaceChildren(form);
  }

  /**
   * @param {ChallengeStep} step
   * @param {number} index
   */
  #row(step, index) {
    const number = index + 1;
    const label = make("select", {
      id: `challenge-label-${index}`, "aria-label": `Action ${number}`,
    }, ...this.#labels.map((name) => make("option", { value: name }, words(name))));
    label.value = step.label;
    label.addEventListener("change", () => this.#set(index, { label: label.value }));
    const amount = make("input", {
      type: "number", min: "1", max: String(largest[step.unit]), step: "1", required: true, inputMode: "numeric",
      value: String(step.amount), "aria-label": `Target of action ${number}`,
    });
    const update = () => {
      const name = unit.value === "seconds" ? "seconds" : "repetitions";
      const value = Math.min(largest[name], Math.max(1, Math.round(Number(amount.value) || 1)));
      amount.max = String(largest[name]);
      amount.value = String(value);
      this.#set(index, { amount: value, unit: name });
    };
    amount.addEventListener("change", update);
    const unit = make("select", { "aria-label": `Unit of action ${number}` },
      make("option", { value: "repetitions" }, "times"),
      make("option", { value: "seconds" }, "seconds"));
    unit.value = step.unit;
    unit.addEventListener("change", update);
    const up = this.#tool("up", `Move action ${number} up`, index === 0, () =>
      this.#move(index, index - 1));
    const down = this.#tool("down", `Move action ${number} down`,
      index === this.#steps.length - 1, () => this.#move(index, index + 1));
    const remove = this.#tool("trash", `Remove action ${number}`, false, () =>
      this.#change(this.#steps.filter((_, at) => at !== index)));
    return make("li", {}, label, make("div", { className: "order" }, up, down, remove),
      make("div", { className: "target" }, amount, unit));
  }

  /**
   * @param {string} picture
   * @param {string} name
   * @param {boolean} disabled
   * @param {() => void} action
   */
  #tool(picture, name, disabled, action) {
    const button = make("button", {
      className: "tool", type: "button", "aria-label": name, title: name, disabled,
    }, icon(picture));
    button.addEventListener("click", action);
    return button;
  }

  /**
   * @param {number} index
   * @param {Partial<ChallengeStep>} changes
   */
  #set(index, changes) {
    this.#steps[index] = { ...this.#steps[index], ...changes };
    remember({ challenge: this.#steps });
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  #move(from, to) {
    const steps = [...this.#steps];
    steps.splice(to, 0, ...steps.splice(from, 1));
    this.#change(steps);
    byId(`challenge-label-${to}`).focus();
  }

  /** @param {ChallengeStep[]} steps */
  #change(steps) {
    this.#steps = steps;
    remember({ challenge: steps });
    this.#render();
  }
}

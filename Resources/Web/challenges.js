// @ts-check
/**
 * Edits a challenge: actions of the model, each with a target in seconds or repetitions, sets, rests
 * and a weight; and the routines that are saved of them.
 */

import { button, byId, icon, make, openDialog } from "./dom.js";
import { isOther, words } from "./format.js";
import { preferences, remember } from "./preferences.js";
import { RoutineShelf } from "./routines.js";

const most = 50;
/** The largest values, as the server accepts them. */
const largest = { repetitions: 10_000, seconds: 86_400, sets: 20, rest: 3600, weight: 1000 };
const newStep = {
  amount: 10, unit: /** @type {const} */ ("repetitions"), sets: 1, rest: 0, weight: 0,
};
/** The first rest of an action that gets a second set, seconds. */
const usualRest = 60;

/**
 * @typedef {import("./preferences.js").ChallengeStep} ChallengeStep
 * @typedef {import("./protocol.js").Target} Target
 */

/**
 * @param {ChallengeStep} step
 * @returns {Target}
 */
function targetOf({ label, amount, unit, sets, rest, weight }) {
  return { label, [unit]: amount, sets, rest, ...(weight > 0 ? { weight } : {}) };
}

/**
 * @param {Target} target
 * @returns {ChallengeStep}
 */
function stepOf({ label, repetitions, seconds, sets = 1, rest = 0, weight = 0 }) {
  return {
    label, amount: repetitions ?? seconds ?? newStep.amount,
    unit: seconds === undefined ? "repetitions" : "seconds", sets, rest, weight,
  };
}

export class ChallengePicker {
  /** @type {HTMLDialogElement} */
  #dialog = byId("challenge-dialog");
  #content = byId("challenge-content");
  /** @type {ChallengeStep[]} */
  #steps = [];
  /** @type {string[]} */
  #labels = [];

  #shelf = new RoutineShelf(() => this.#steps.map(targetOf), (items) =>
    this.#change(items.map(stepOf).filter(({ label }) => this.#labels.includes(label))));

  /**
   * @param {(items: Target[]) => void} onStart
   * @param {HTMLElement} trainee where who trains is chosen
   */
  constructor(onStart, trainee) {
    this.onStart = onStart;
    this.trainee = trainee;
  }

  /** @param {import("./protocol.js").Model | null} model */
  open(model) {
    this.#labels = (model?.labels ?? []).filter((label) => !isOther(label));
    this.#steps = preferences.challenge.map((step) => ({ ...newStep, ...step }))
      .filter(({ label }) => this.#labels.includes(label));
    if (this.#steps.length === 0) {
      this.#steps = this.#labels.slice(0, 3)
        .map((label) => ({ label, ...newStep }));
    }
    this.#render();
    openDialog(this.#dialog);
    this.#shelf.load();
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
      this.#change([...this.#steps, { ...(last ?? newStep), label }]);
      byId(`challenge-label-${this.#steps.length - 1}`).focus();
    });
    const start = make("button", {
      id: "challenge-start", className: "primary", type: "submit",
      disabled: this.#steps.length === 0,
    }, icon("flag"), "Start challenge");
    const form = make("form", {}, this.trainee, this.#shelf.chooser, intro, list, add,
      make("div", { className: "foot" }, start), this.#shelf.saver);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.onStart(this.#steps.map(targetOf));
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
    const sets = this.#number(index, "sets", "Sets", "1", () => {
      const { sets, rest } = this.#steps[index];
      if (sets > 1 && rest === 0) this.#set(index, { rest: usualRest });
      this.#render();
      byId(`challenge-sets-${index}`).focus();
    });
    return make("li", {}, label, make("div", { className: "order" }, up, down, remove),
      make("div", { className: "target" }, amount, unit),
      make("div", { className: "extras" }, sets, this.#number(index, "rest", "Rest, s", "0"),
        this.#number(index, "weight", "Weight, kg", "0")));
  }

  /**
   * A small field of an action with its name.
   *
   * @param {number} index
   * @param {"sets" | "rest" | "weight"} key
   * @param {string} name
   * @param {string} min
   * @param {() => void} [onChange]
   */
  #number(index, key, name, min, onChange) {
    const id = `challenge-${key}-${index}`;
    const field = make("input", {
      id, type: "number", min, max: String(largest[key]), step: key === "weight" ? "0.5" : "1",
      required: true, inputMode: key === "weight" ? "decimal" : "numeric",
      value: String(this.#steps[index][key]), "aria-label": `${name}, action ${index + 1}`,
    });
    field.addEventListener("change", () => {
      const value = Math.min(largest[key], Math.max(Number(min), Number(field.value) || 0));
      field.value = String(key === "weight" ? Math.round(value * 2) / 2 : Math.round(value));
      this.#set(index, { [key]: Number(field.value) });
      onChange?.();
    });
    return make("label", { for: id }, make("span", {}, name), field);
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

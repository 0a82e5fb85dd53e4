// @ts-check
/**
 * Edits a challenge: actions of the model, each with a target in seconds or repetitions, sets, rests
 * and a weight; and the routines that are saved of them.
 */

import { button, byId, icon, make, openDialog } from "../shared/dom.js";
import { words } from "../shared/format.js";
import { preferences, remember } from "../shared/preferences.js";
import { RoutineShelf } from "./routines.js";
import { t } from "./texts.js";

const most = 50;
/** The largest values, as the server accepts them. */
const largest = { repetitions: 10_000, seconds: 86_400, sets: 20, rest: 3600, weight: 1000 };
const newStep = {
  amount: 10, unit: /** @type {const} */ ("repetitions"), sets: 1, rest: 0, weight: 0,
};
/** The first rest of an action that gets a second set, seconds. */
const usualRest = 60;

/**
 * @typedef {import("../shared/preferences.js").ChallengeStep} ChallengeStep
 * @typedef {import("types/live").Target} Target
 * @typedef {import("types/live").Unit} Unit
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
  /** What the model can be asked for: labels with their units, the usual one first. */
  /** @type {Map<string, Unit[]>} */
  #offers = new Map();

  // Actions of another model stay in the list, so that saving a routine does not drop them.
  #shelf = new RoutineShelf(() => this.#steps.map(targetOf), (items) =>
    this.#change(items.map((item) => this.#fit(stepOf(item)))));

  /**
   * @param {(items: Target[], missing: string[]) => void} onStart `missing` are labels that the model
   *   does not know
   * @param {HTMLElement} trainee where who trains is chosen
   */
  constructor(onStart, trainee) {
    this.onStart = onStart;
    this.trainee = trainee;
  }

  /** @param {import("types/live").Model | null} model */
  open(model) {
    this.#offers = new Map((model?.challenges ?? []).map(({ label, units }) => [label, units]));
    this.#steps = preferences.challenge.filter(({ label }) => typeof label === "string")
      .map((step) => this.#fit({ ...newStep, ...step }));
    if (this.#steps.length === 0) {
      this.#steps = [...this.#offers.keys()].slice(0, 3)
        .map((label) => this.#fit({ label, ...newStep }));
    }
    this.#render();
    openDialog(this.#dialog);
    this.#shelf.load();
  }

  /**
   * A step with a unit that its action has.
   *
   * @param {ChallengeStep} step
   * @returns {ChallengeStep}
   */
  #fit(step) {
    const units = this.#offers.get(step.label);
    return !units || units.includes(step.unit) ? step : { ...step, unit: units[0] };
  }

  #render() {
    if (this.#offers.size === 0) {
      this.#content.replaceChildren(make("p", { className: "empty" }, t("challenge.none")));
      return;
    }
    const intro = make("p", { className: "quiet" }, t("challenge.about"));
    const rows = this.#steps.map((step, index) => this.#row(step, index));
    const list = make("ol", { id: "challenge-list", className: "challenge-list" }, ...rows);
    const addOptions = {
      id: "challenge-add", picture: "plus", disabled: this.#steps.length >= most,
    };
    const add = button("secondary small", addOptions, t("challenge.add"), () => {
      const last = this.#steps.at(-1);
      const labels = [...this.#offers.keys()];
      const at = last ? labels.indexOf(last.label) + 1 : 0;
      const label = labels[at % labels.length];
      this.#change([...this.#steps, this.#fit({ ...(last ?? newStep), label })]);
      byId(`challenge-label-${this.#steps.length - 1}`).focus();
    });
    const start = make("button", {
      id: "challenge-start", className: "primary", type: "submit",
      disabled: !this.#steps.some(({ label }) => this.#offers.has(label)),
    }, icon("flag"), t("challenge.start"));
    const form = make("form", {}, this.trainee, this.#shelf.chooser, intro, list, add,
      make("div", { className: "foot" }, start), this.#shelf.saver);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const known = this.#steps.filter(({ label }) => this.#offers.has(label));
      const missing = this.#steps.filter(({ label }) => !this.#offers.has(label));
      this.onStart(known.map(targetOf), [...new Set(missing.map(({ label }) => label))]);
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
    const isMissing = !this.#offers.has(step.label);
    const label = make("select", {
      id: `challenge-label-${index}`, "aria-label": t("challenge.label", { n: number }),
    }, isMissing && make("option", { value: step.label }, words(step.label)),
    ...[...this.#offers.keys()].map((name) => make("option", { value: name }, words(name))));
    label.value = step.label;
    label.addEventListener("change", () => {
      this.#set(index, this.#fit({ ...this.#steps[index], label: label.value }));
      fillUnits();
      row.classList.toggle("missing", !this.#offers.has(label.value));
      note.hidden = this.#offers.has(label.value);
      this.#allowStart();
    });
    const amount = make("input", {
      type: "number", min: "1", max: String(largest[step.unit]), step: "1", required: true, inputMode: "numeric",
      value: String(step.amount), "aria-label": t("challenge.amount", { n: number }),
    });
    const update = () => {
      const name = unit.value === "seconds" ? "seconds" : "repetitions";
      const value = Math.min(largest[name], Math.max(1, Math.round(Number(amount.value) || 1)));
      amount.max = String(largest[name]);
      amount.value = String(value);
      this.#set(index, { amount: value, unit: name });
    };
    amount.addEventListener("change", update);
    const unit = make("select", { "aria-label": t("challenge.unit", { n: number }) });
    const fillUnits = () => {
      const { label: name, unit: chosen } = this.#steps[index];
      unit.replaceChildren(...(this.#offers.get(name) ?? [chosen]).map((value) =>
        make("option", { value }, t(`unit.${value}`))));
      unit.value = chosen;
    };
    fillUnits();
    unit.addEventListener("change", update);
    const up = this.#tool("up", t("challenge.up", { n: number }), index === 0, () =>
      this.#move(index, index - 1));
    const down = this.#tool("down", t("challenge.down", { n: number }),
      index === this.#steps.length - 1, () => this.#move(index, index + 1));
    const remove = this.#tool("trash", t("challenge.remove", { n: number }), false, () =>
      this.#change(this.#steps.filter((_, at) => at !== index)));
    const rest = this.#number(index, "rest", t("challenge.restField"), "0");
    const sets = this.#number(index, "sets", t("challenge.sets"), "1", () => {
      if (this.#steps[index].sets < 2 || this.#steps[index].rest > 0) return;
      this.#set(index, { rest: usualRest });
      /** @type {HTMLInputElement} */ (rest.querySelector("input")).value = String(usualRest);
    });
    const note = make("p", { className: "note", hidden: !isMissing }, t("challenge.missing"));
    const row = make("li", { className: isMissing ? "missing" : "" }, label,
      make("div", { className: "order" }, up, down, remove), note,
      make("div", { className: "target" }, amount, unit),
      make("div", { className: "extras" }, sets, rest,
        this.#number(index, "weight", t("challenge.weight"), "0")));
    return row;
  }

  /** A challenge needs an action that the model knows. */
  #allowStart() {
    const start = /** @type {HTMLButtonElement} */ (byId("challenge-start"));
    start.disabled = !this.#steps.some(({ label }) => this.#offers.has(label));
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
      value: String(this.#steps[index][key]), "aria-label": t("challenge.field", { name, n: index + 1 }),
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

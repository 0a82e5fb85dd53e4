// @ts-check
/** The takes of a project: what was found in them; play, trim, throw away. */

import { button, make } from "../shared/dom.js";
import { percent, words } from "../shared/format.js";
import { controls } from "./controls.js";
import { changeItems, removeItems } from "./items.js";
import { colors } from "./labels.js";
import { PictureMaker } from "./pictures.js";
import { Player } from "./player.js";
import { poll } from "./shell.js";
import { moment, reported, t, time } from "./texts.js";
import { wells } from "./types.js";

/** @typedef {import("types/studio").Item} Item */
/** @typedef {import("types/studio").Take} Take */

export class TakeList {
  #list = make("ul", { className: "cards", id: "takes" });
  #viewer = make("div", { className: "stack", hidden: true });
  #known = "";
  #isPolling = false;
  /** Called with the number of takes that there are. */
  onFill = (/** @type {number} */ _count) => {};
  element = make("section", { className: "card", "aria-labelledby": "takes-title" },
    make("h2", { id: "takes-title" }, t("takes")), this.#viewer, this.#list);

  /** @param {import("./types.js").Context} context */
  constructor(context) {
    this.context = context;
    this.player = new Player(context, t("takes.player"));
    this.player.repeats = true;
    this.pictures = new PictureMaker(context);
    this.#viewer.append(this.player.element, controls(this.player));
    this.watch();
  }

  /** Shows the takes until none is worked on. */
  watch() {
    if (this.#isPolling) return;
    this.#isPolling = true;
    poll(this.context.signal, 0.7, async () => {
      /** @type {{takes: Take[]}} */
      const { takes } = await this.context.project.get("takes");
      this.#fill(takes);
      this.#isPolling = takes.some(({ state }) => state === "working");
      return this.#isPolling;
    });
  }

  /** @param {Take[]} takes */
  #fill(takes) {
    const text = JSON.stringify(takes);
    if (text === this.#known) return;
    this.#known = text;
    // One whose items were all thrown away is gone; undo brings it back.
    const left = takes.filter(({ state, items }) => state !== "done" || items.length > 0);
    this.#list.replaceChildren(...left.map((take) => this.#card(take)));
    this.onFill(left.length);
    if (left.length === 0) {
      this.#list.replaceChildren(make("li", { className: "empty" }, t("takes.none")));
    }
  }

  /** @param {Take} take */
  #card(take) {
    const { id, label, state, fraction, items, repetitions, message, text } = take;
    const card = make("li", { className: "card", "data-take": id, "data-state": state },
      make("h3", {}, make("i", { className: `dot ${colors.className(label, true)}`,
        "aria-hidden": "true" }), words(label)));
    if (state === "working") {
      card.append(make("p", { className: "quiet" }, t("takes.working",
        { percent: percent(fraction) })), make("progress", { max: 1, value: fraction,
        "aria-label": t("takes.working", { percent: "" }) }));
      return card;
    }
    if (state === "failed") {
      card.append(make("p", { className: "problem" },
        reported("error", text, message ?? t("state.failed"))));
      return card;
    }
    card.append(make("p", {}, repetitions.length > 0
      ? t("takes.repetitions", { n: repetitions.length }) : t("takes.whole")));
    if (message) {
      card.append(make("p", { className: "warning" }, reported("error", text, message)));
    }
    card.append(...items.map((item) => this.#itemRow(take, item)));
    return card;
  }

  /**
   * @param {Take} take
   * @param {Item} item
   */
  #itemRow(take, item) {
    const { project, shell } = this.context;
    const range = `${moment(item.start ?? 0)} – ${item.end === null ? t("clips.end")
      : moment(item.end)}`;
    const play = button("secondary small", { picture: "play" }, range, () => {
      this.#viewer.hidden = false;
      this.player.load(item);
      this.player.play();
      this.#viewer.scrollIntoView({ block: "nearest" });
    });
    play.setAttribute("aria-label", `${t("player.play")} ${words(take.label)} ${range}`);
    const move = make("select", { id: `well-${item.id}` }, ...wells.map((well) =>
      make("option", { value: well }, t(`well.${well}`))));
    move.value = item.well;
    move.addEventListener("change", () => {
      const well = /** @type {import("types/studio").Well} */ (move.value);
      change({ well }, t("takes.moved", { to: t(`well.${well}`) }));
    });
    const change = (/** @type {Partial<Item>} */ values,
      /** @type {string} */ text) => shell.run(async () => {
      const undo = await changeItems(project, [item], values);
      shell.done(text, async () => {
        await undo();
        this.#again();
      });
      this.#again();
    });
    const side = (/** @type {"start" | "end"} */ name, /** @type {number | null} */ value) => {
      const id = `${name}-${item.id}`;
      const field = make("input", { id, type: "number", step: "0.1", min: "0",
        value: value === null ? "" : String(Math.round(value * 100) / 100) });
      field.addEventListener("change", () => {
        if (field.checkValidity() && field.value !== "") {
          change({ [name]: Number(field.value) }, t("takes.trimmed"));
        }
      });
      return make("div", { className: "field" }, make("label", { for: id },
        t(`takes.${name}`)), field);
    };
    return make("div", { className: "stack take-item" },
      this.pictures.picture(item.file, (item.start ?? 0) + (item.seconds ?? 0) / 2),
      make("div", { className: "row plain" }, play,
        make("span", { className: "quiet" }, item.seconds === null ? "" : time(item.seconds))),
      make("div", { className: "row plain trim" }, side("start", item.start ?? 0),
        side("end", item.end), make("div", { className: "field" },
          make("label", { for: move.id }, t("takes.well")), move)),
      button("link", { picture: "trash" }, t("takes.discard"), () => shell.run(async () => {
        const undo = await removeItems(project, [item]);
        shell.done(t("takes.discarded"), async () => {
          await undo();
          shell.reload();
        });
        this.#again();
      })));
  }

  /** Shows what has changed. */
  #again() {
    this.#known = "";
    this.watch();
  }
}

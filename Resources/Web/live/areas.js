// @ts-check
/** Draws zones, lines and masks over a source's picture, and saves them in the watch file. */

import { isBack, request, send } from "../shared/api.js";
import { button, byId, draw, icon, make, openDialog, setText } from "../shared/dom.js";
import { messageOf, t } from "./texts.js";

/** @typedef {"zone" | "line" | "mask"} Kind */
/** @typedef {{kind: Kind, name: string, bed: boolean, points: [number, number][]}} Area */

/** How far an arrow key moves a corner, as a share of the picture. */
const keyStep = 0.01;
/** The least corners of an area, and the most that the server takes. */
const cornerCounts = [3, 64];

/**
 * Keeps a place in the picture, with four decimals as in the file.
 *
 * @param {number} value
 */
const inside = (value) => Math.round(Math.min(1, Math.max(0, value)) * 10000) / 10000;

export class AreasEditor {
  #dialog = /** @type {HTMLDialogElement} */ (byId("areas-dialog"));
  #content = byId("areas-content");
  #lead = make("p", { className: "areas-lead" });
  #image = make("img", { alt: "" });
  #drawing = draw("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
  #handles = make("div", { className: "area-handles" });
  #list = make("ul", { className: "area-list" });
  #height = make("input", { type: "number", min: "0", max: "100", step: "1", id: "areas-height" });
  #status = make("p", { className: "areas-status", role: "status" });
  #adding;
  #saving = button("primary", {}, t("areas.save"), () => this.#save());
  #source = "";
  /** How often areas were asked for: an answer that is not the last one's is late. */
  #loads = 0;
  /** @type {Area[]} */
  #areas = [];
  #selected = 0;

  constructor() {
    const add = (/** @type {Kind} */ kind, /** @type {import("./texts.js").Key} */ text) =>
      button("secondary", { picture: "plus" }, t(text), () => this.#add(kind));
    this.#adding = [add("zone", "areas.addZone"), add("line", "areas.addLine"), add("mask", "areas.addMask")];
    this.#content.append(
      this.#lead,
      make("div", { className: "area-stage" }, this.#image, this.#drawing, this.#handles),
      make("div", { className: "area-tools" }, ...this.#adding), this.#list,
      make("div", { className: "field" },
        make("label", { for: "areas-height" }, t("areas.height")), this.#height),
      this.#status, this.#saving);
  }

  /**
   * @param {string} source
   * @param {string} picture its address
   */
  async open(source, picture) {
    this.#source = source;
    [this.#areas, this.#selected] = [[], 0];
    setText(this.#lead, t("areas.of", { name: source }));
    setText(this.#status, "");
    if (picture) this.#image.src = picture;
    this.#show();
    openDialog(this.#dialog);
    await this.#load();
  }

  /** Reads the areas of the source; before that, saving would remove them. */
  async #load() {
    this.#allowEditing(false);
    const number = ++this.#loads;
    const isShown = () => this.#dialog.open && this.#loads === number;
    try {
      /** @type {import("types/watch").Areas} */
      const areas = await request(`sources/${encodeURIComponent(this.#source)}/areas`);
      if (!isShown()) return;
      this.#areas = [
        ...areas.zones.map((zone) => /** @type {Area} */ ({
          kind: "zone", name: zone.name, bed: zone.bed ?? false, points: zone.polygon,
        })),
        ...areas.lines.map((line) => /** @type {Area} */ ({
          kind: "line", name: line.name, bed: false, points: [line.from, line.to],
        })),
        ...areas.masks.map((points) => /** @type {Area} */ ({
          kind: "mask", name: "", bed: false, points,
        })),
      ];
      this.#height.value = String(Math.round(areas.minimumHeight * 100));
      setText(this.#status, "");
      this.#saving.before(this.#status);
      this.#allowEditing(true);
      this.#show();
    } catch (error) {
      if (!isShown()) return;
      // Where it is in sight: nothing below the picture can be used.
      this.#lead.after(this.#status);
      setText(this.#status, messageOf(error));
      if (await isBack(error, isShown)) this.#load();
    }
  }

  /** @param {boolean} isAllowed */
  #allowEditing(isAllowed) {
    for (const control of [...this.#adding, this.#height, this.#saving]) control.disabled = !isAllowed;
    this.#list.hidden = !isAllowed;
  }

  /** @param {Kind} kind */
  #add(kind) {
    const number = this.#areas.filter((area) => area.kind === kind).length + 1;
    this.#areas.push({
      kind, bed: false, name: kind === "mask" ? "" : `${t(`areas.${kind}`)} ${number}`,
      points: kind === "line" ? [[0.5, 0.8], [0.5, 0.3]]
        : [[0.35, 0.35], [0.65, 0.35], [0.65, 0.65], [0.35, 0.65]],
    });
    this.#selected = this.#areas.length - 1;
    this.#show();
  }

  #show() {
    this.#draw();
    this.#list.replaceChildren(...this.#areas.length > 0
      ? this.#areas.map((area, index) => this.#row(area, index))
      : [make("li", { className: "areas-none" }, t("areas.nothing"))]);
    const area = this.#areas[this.#selected];
    this.#handles.replaceChildren(...area
      ? area.points.map((_, corner) => this.#handle(area, corner)) : []);
    this.#place();
  }

  #draw() {
    this.#drawing.replaceChildren(...this.#areas.flatMap((area, index) => {
      const name = `area ${area.kind}${index === this.#selected ? " selected" : ""}`;
      const points = area.points.map((point) => point.join(",")).join(" ");
      if (area.kind !== "line") return [draw("polygon", { points, class: name })];
      const [[x, y], [toX, toY]] = area.points;
      // A short stroke to the side that is inside: the right of the way.
      const [middleX, middleY] = [(x + toX) / 2, (y + toY) / 2];
      const [sideX, sideY] = [middleX - (toY - y) * 0.15, middleY + (toX - x) * 0.15];
      return [draw("polyline", { points, class: name }),
        draw("polyline", { points: `${middleX},${middleY} ${sideX},${sideY}`, class: `${name} side` })];
    }));
  }

  /** Moves the handles to their corners. */
  #place() {
    const area = this.#areas[this.#selected];
    for (const [index, handle] of [...this.#handles.children].entries()) {
      const [x, y] = area.points[index];
      const { style } = /** @type {HTMLElement} */ (handle);
      [style.left, style.top] = [`${x * 100}%`, `${y * 100}%`];
    }
  }

  /**
   * @param {Area} area
   * @param {number} corner
   */
  #handle(area, corner) {
    const name = area.name || t("areas.mask");
    const handle = make("button", {
      type: "button", className: "area-handle",
      "aria-label": t("areas.corner", { n: corner + 1, name }),
    });
    const move = (/** @type {number} */ x, /** @type {number} */ y) => {
      area.points[corner] = [inside(x), inside(y)];
      this.#draw();
      this.#place();
    };
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      event.preventDefault();
      handle.focus();
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = this.#handles.getBoundingClientRect();
      move((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    });
    handle.addEventListener("keydown", (event) => {
      /** @type {Record<string, [number, number]>} */
      const ways = {
        ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
      };
      const way = ways[event.key];
      if (!way) return;
      event.preventDefault();
      const [x, y] = area.points[corner];
      move(x + way[0] * keyStep, y + way[1] * keyStep);
    });
    return handle;
  }

  /**
   * @param {Area} area
   * @param {number} index
   */
  #row(area, index) {
    const name = area.name || t("areas.mask");
    const select = () => {
      if (this.#selected === index) return;
      this.#selected = index;
      this.#show();
    };
    const field = make("input", {
      type: "text", value: area.name, maxLength: 64, "aria-label": t("areas.name"),
    });
    field.addEventListener("input", () => { area.name = field.value.trim(); });
    field.addEventListener("focus", () => { this.#selected = index; this.#draw(); });
    const title = area.kind === "mask" ? button("small", {}, t("areas.mask"), select) : field;
    const bed = make("input", { type: "checkbox", role: "switch", checked: area.bed,
      id: `area-bed-${index}` });
    bed.addEventListener("change", () => { area.bed = bed.checked; });
    return make("li", { className: index === this.#selected ? "area-row selected" : "area-row" },
      title,
      area.kind === "zone" && make("label", { for: bed.id, className: "area-bed switch" }, bed, t("areas.bed")),
      make("span", { className: "area-buttons" }, ...this.#buttons(area, index, name, select)));
  }

  /**
   * @param {Area} area
   * @param {number} index
   * @param {string} name
   * @param {() => void} select
   */
  #buttons(area, index, name, select) {
    const tool = (/** @type {string} */ picture, /** @type {string} */ text, /** @type {() => void} */ run) => {
      const made = make("button", {
        type: "button", className: "tool", title: text, "aria-label": text,
      }, picture === "minus" ? "−" : icon(picture));
      made.addEventListener("click", run);
      return made;
    };
    const edit = tool("pencil", t("areas.edit", { name }), select);
    const remove = tool("trash", t("areas.remove", { name }), () => {
      this.#areas.splice(index, 1);
      this.#selected = Math.max(0, this.#areas.length - 1);
      this.#show();
    });
    if (area.kind === "line") {
      const turn = tool("flip", t("areas.turn"), () => { area.points.reverse(); this.#show(); });
      return [edit, turn, remove];
    }
    const more = tool("plus", t("areas.more"), () => {
      if (area.points.length >= cornerCounts[1]) return;
      // In the middle of the last edge.
      const [[x, y], [otherX, otherY]] = [area.points[0], area.points[area.points.length - 1]];
      area.points.push([inside((x + otherX) / 2), inside((y + otherY) / 2)]);
      this.#selected = index;
      this.#show();
    });
    const less = tool("minus", t("areas.less"), () => {
      if (area.points.length <= cornerCounts[0]) return;
      area.points.pop();
      this.#selected = index;
      this.#show();
    });
    return [edit, more, less, remove];
  }

  async #save() {
    const of = (/** @type {Kind} */ kind) => this.#areas.filter((area) => area.kind === kind);
    const areas = {
      zones: of("zone").map(({ name, points, bed }) =>
        ({ name, polygon: points, ...(bed ? { bed } : {}) })),
      lines: of("line").map(({ name, points: [from, to] }) => ({ name, from, to })),
      masks: of("mask").map(({ points }) => points),
      minimumHeight: inside(Number(this.#height.value) / 100),
    };
    try {
      await send("PUT", `sources/${encodeURIComponent(this.#source)}/areas`, areas);
      setText(this.#status, t("areas.saved"));
    } catch (error) {
      setText(this.#status, messageOf(error));
    }
  }
}

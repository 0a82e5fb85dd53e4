// @ts-check
/**
 * The prominent person in three dimensions, with floor and the paths of hands and feet, to be turned; and
 * the angle that moves most, over time.
 */

import { BodyView } from "./body.js";
import { make, setText } from "./dom.js";
import { degrees } from "./format.js";
import { fitCanvas } from "./skeleton.js";

/** @typedef {import("types/live").Body} Body */
/** @typedef {Extract<keyof typeof import("./messages.js").messages, `space.${string}`>} Text */

/** The angles of which each has a left and a right one, or is one. */
const angles = /** @type {const} */ (["knee", "hip", "elbow", "shoulder", "trunk"]);
/** For how long paths and angles are shown, seconds. */
const shownFor = { path: 1.5, angle: 8 };
/** The joints whose paths are drawn. */
const trailing = ["leftWrist", "rightWrist", "leftAnkle", "rightAnkle"];
/** What the view shows, metres across. */
const extent = 2.3;
/** The least range of the graph, degrees. */
const leastRange = 45;
/** A turn by a key, radians. */
const keyTurn = Math.PI / 18;
const colors = { left: "#ff8a1f", right: "#2ba8ff", one: "#7be01f" };

/**
 * @param {typeof angles[number]} angle
 * @returns {{name: string, side: "left" | "right" | "one"}[]} its values in a body
 */
const sidesOf = (angle) => angle === "trunk" ? [{ name: "trunkLean", side: "one" }]
  : (/** @type {const} */ (["left", "right"])).map((side) =>
    ({ side, name: `${side}${angle.charAt(0).toUpperCase()}${angle.slice(1)}` }));

export class SpaceView {
  #view = make("canvas", { id: "space-view", role: "img", tabIndex: 0 });
  #graph = make("canvas", { id: "space-graph", role: "img" });
  #values = make("p", { id: "space-values" });
  #choice = make("select", { id: "space-angle" });
  element = make("div", { className: "space" }, this.#view, this.#values, this.#graph, this.#choice);
  /** How far the view is turned about the vertical, and down, radians. */
  #turn = { yaw: 0.5, pitch: 0.2 };
  /** @type {{time: number, body: Body}[]} */
  #recent = [];
  #body = new BodyView(this.#view);

  /** @param {(key: Text) => string} t the page's texts */
  constructor(t) {
    this.t = t;
    this.#view.setAttribute("aria-label", t("space.view"));
    this.#graph.setAttribute("aria-label", t("space.graph"));
    this.#choice.setAttribute("aria-label", t("space.angle"));
    this.#choice.append(make("option", { value: "" }, t("space.most")),
      ...angles.map((angle) => make("option", { value: angle }, t(`space.${angle}`))));
    this.#choice.addEventListener("change", () => this.#draw());
    const view = this.#view;
    view.addEventListener("pointerdown", (event) => {
      view.setPointerCapture(event.pointerId);
      event.preventDefault();
      view.focus();
    });
    view.addEventListener("pointermove", (event) => {
      if (!view.hasPointerCapture(event.pointerId)) return;
      this.#rotate(event.movementX / view.clientWidth * Math.PI,
        event.movementY / view.clientHeight * Math.PI);
    });
    view.addEventListener("keydown", (event) => {
      /** @type {Record<string, [number, number]>} */
      const ways = { ArrowLeft: [-keyTurn, 0], ArrowRight: [keyTurn, 0],
        ArrowUp: [0, -keyTurn], ArrowDown: [0, keyTurn] };
      const way = ways[event.key];
      if (!way) return;
      event.preventDefault();
      this.#rotate(...way);
    });
  }

  /** @param {import("types/live").Wireframe} wireframe */
  set wireframe(wireframe) {
    this.#body.wireframe = wireframe;
  }

  /** @param {boolean} isMirrored whether the picture is; the body is then as well */
  set isMirrored(isMirrored) {
    this.#body.isMirrored = isMirrored;
  }

  /** Forgets what was shown, for another person or file. */
  clear() {
    this.#recent = [];
    this.#draw();
  }

  /**
   * Shows a body at a moment; without one, what was there stays.
   *
   * @param {number} time in seconds
   * @param {Body | undefined} body
   */
  show(time, body) {
    const last = this.#recent[this.#recent.length - 1];
    if (last && (time < last.time || body && body.person !== last.body.person)) this.#recent = [];
    if (body && time !== last?.time) this.#recent.push({ time, body });
    this.#recent = this.#recent.filter((moment) => time - moment.time <= shownFor.angle);
    this.#draw();
  }

  /**
   * @param {number} yaw
   * @param {number} pitch radians
   */
  #rotate(yaw, pitch) {
    const { PI, min, max } = Math;
    this.#turn.yaw = (this.#turn.yaw + yaw) % (2 * PI);
    this.#turn.pitch = min(max(this.#turn.pitch + pitch, -0.1), PI / 2);
    this.#draw();
  }

  #draw() {
    const angle = this.#angle;
    this.#drawBody();
    this.#drawGraph(angle);
    const now = this.#recent[this.#recent.length - 1]?.body;
    const values = sidesOf(angle).flatMap(({ name, side }) => {
      const value = now?.angles[name];
      return value ? [`${this.t(`space.${side}`)} ${degrees(value[0])} ± ${Math.round(value[1])}`] : [];
    });
    setText(this.#values, now
      ? `${this.t(`space.${angle}`)}: ${values.join(" · ")}` : this.t("space.unseen"));
  }

  /** The chosen angle, or that which moves most. */
  get #angle() {
    const chosen = angles.find((angle) => angle === this.#choice.value);
    if (chosen) return chosen;
    const ranges = angles.map((angle) => Math.max(...sidesOf(angle).map(({ name }) => {
      const values = this.#recent.flatMap(({ body }) => body.angles[name]?.[0] ?? []);
      return values.length > 0 ? Math.max(...values) - Math.min(...values) : 0;
    })));
    return angles[ranges.indexOf(Math.max(...ranges))];
  }

  #drawBody() {
    const context = this.#body.begin();
    const last = this.#recent[this.#recent.length - 1];
    if (!context) return;
    const floor = last?.body.floor ?? -0.9;
    // The middle of someone who stands is in the middle of the view.
    this.#body.look = { ...this.#turn, scale: this.#body.side / extent, middle: floor + 0.95 };
    context.strokeStyle = getComputedStyle(this.#view).color;
    context.globalAlpha = 0.35;
    context.lineWidth = Math.max(1, this.#body.width / 400);
    context.beginPath();
    for (let line = -1; line <= 1.001; line += 0.25) {
      this.#body.trace([[line, floor, -1], [line, floor, 1]]);
      this.#body.trace([[-1, floor, line], [1, floor, line]]);
    }
    context.stroke();
    context.globalAlpha = 1;
    if (!last || !this.#body.wireframe) return;
    const { joints } = this.#body.wireframe;
    const trail = this.#recent.filter(({ time }) => last.time - time <= shownFor.path);
    for (const name of trailing) {
      const joint = joints.findIndex((other) => other.name === name);
      const places = trail.flatMap(({ body }) => body.joints[joint]?.length ? [body.joints[joint]] : []);
      context.strokeStyle = joints[joint]?.color ?? colors.one;
      context.globalAlpha = 0.55;
      context.beginPath();
      this.#body.trace(places);
      context.stroke();
    }
    context.globalAlpha = 1;
    this.#body.draw(last.body.joints.map((place) => (place.length ? place : null)));
  }

  /** @param {typeof angles[number]} angle */
  #drawGraph(angle) {
    const [width, height] = fitCanvas(this.#graph);
    const context = this.#graph.getContext("2d");
    if (!context || !width) return;
    context.clearRect(0, 0, width, height);
    const sides = sidesOf(angle);
    const values = this.#recent.flatMap(({ body }) =>
      sides.flatMap(({ name }) => body.angles[name]?.[0] ?? []));
    if (values.length === 0) return;
    const missing = Math.max(0, leastRange - (Math.max(...values) - Math.min(...values)));
    const low = Math.min(...values) - missing / 2;
    const high = Math.max(...values) + missing / 2;
    const end = this.#recent[this.#recent.length - 1].time;
    const font = Math.round(height * 0.19);
    const [top, bottom] = [font * 0.7, height - font * 0.7];
    const left = font * 2.6;
    /** @returns {[number, number]} */
    const onCanvas = (/** @type {number} */ time, /** @type {number} */ value) => [
      left + (width - left) * (1 - (end - time) / shownFor.angle),
      bottom - (bottom - top) * (value - low) / (high - low)];
    context.fillStyle = getComputedStyle(this.#graph).color;
    context.font = `${font}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.textAlign = "right";
    context.fillText(degrees(high), left - font * 0.4, top);
    context.fillText(degrees(low), left - font * 0.4, bottom);
    context.lineWidth = Math.max(2, height / 36);
    context.lineJoin = "round";
    for (const { name, side } of sides) {
      context.strokeStyle = colors[side];
      context.beginPath();
      let before = -Infinity;
      for (const { time, body } of this.#recent) {
        const value = body.angles[name]?.[0];
        if (value === undefined) continue;
        if (time - before > 0.5) context.moveTo(...onCanvas(time, value));
        else context.lineTo(...onCanvas(time, value));
        before = time;
      }
      context.stroke();
    }
  }
}

// @ts-check
/**
 * Performance figures: frame rates, latency from capture to overlay, dropped pictures.
 */

import { byId, make, setText } from "../shared/dom.js";
import { milliseconds, number } from "../shared/format.js";
import { t } from "./texts.js";

const kept = 120;

/**
 * The value below which a share of the values lies; NaN without values.
 *
 * @param {number[]} values
 * @param {number} share
 */
export function quantile(values, share) {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

export class PerformanceView {
  #panel = byId("performance-panel");
  #graph = /** @type {HTMLCanvasElement} */ (byId("performance-graph"));
  /** @type {Map<string, HTMLElement>} */
  #rows = new Map();
  /** @type {number[]} */
  #latencies = [];
  #shown = 0;
  #lastSeen = 0;
  #countedAt = performance.now();
  /** The latest figures, for the server. */
  measured = { cameraFPS: 0, latency: { p50: NaN, p95: NaN } };

  constructor() {
    const keys = /** @type {const} */ (["camera", "analysed", "latency", "slow", "server", "dropped",
      "encoding", "size", "sessions"]);
    const list = byId("performance-list");
    for (const key of keys) {
      const value = make("dd", { id: `performance-${key}` }, "–");
      this.#rows.set(key, value);
      list.append(make("div", {}, make("dt", {}, t(`performance.list.${key}`)), value));
    }
  }

  get isShown() {
    return !this.#panel.hidden;
  }

  set isShown(isShown) {
    this.#panel.hidden = !isShown;
    if (isShown) this.#drawGraph();
  }

  /** @param {number} latency of one picture, milliseconds */
  drawn(latency) {
    this.#shown += 1;
    if (!(latency >= 0 && latency < 60000)) return;
    this.#latencies.push(latency);
    if (this.#latencies.length > kept) this.#latencies.shift();
    if (this.isShown && this.#shown % 3 === 0) this.#drawGraph();
  }

  reset() {
    this.#latencies = [];
    this.#lastSeen = 0;
  }

  /**
   * Once a second.
   *
   * @param {import("types/live").Statistics} statistics
   * @param {{seen: number, skipped: number, bytes: number, encoding: number | null}} own
   */
  update(statistics, { seen, skipped, bytes, encoding }) {
    const now = performance.now();
    const seconds = Math.max(0.2, (now - this.#countedAt) / 1000);
    const fps = Math.max(0, seen - this.#lastSeen) / seconds;
    this.#countedAt = now;
    this.#lastSeen = seen;
    const [p50, p95] = [0.5, 0.95].map((share) => quantile(this.#latencies, share));
    this.measured = { cameraFPS: fps, latency: { p50, p95 } };
    if (!this.isShown) return;
    const values = {
      camera: `${number(fps, 1)} fps`, analysed: `${number(statistics.analysedFPS, 1)} fps`,
      latency: milliseconds(p50), slow: milliseconds(p95),
      server: milliseconds(statistics.latency.p50 ?? NaN),
      dropped: t("performance.dropped", { server: statistics.dropped, here: skipped }),
      encoding: encoding === null ? "–" : milliseconds(encoding),
      size: bytes ? `${(bytes / 1024).toFixed(0)} KiB` : "–", sessions: String(statistics.sessions),
    };
    for (const [key, value] of Object.entries(values)) {
      const row = this.#rows.get(key);
      if (row) setText(row, value);
    }
  }

  #drawGraph() {
    const graph = this.#graph;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    graph.width = Math.round(graph.clientWidth * ratio);
    graph.height = Math.round(graph.clientHeight * ratio);
    const context = graph.getContext("2d");
    if (!context || !graph.width) return;
    const top = Math.max(100, quantile(this.#latencies, 0.98) * 1.15 || 0);
    const step = graph.width / (kept - 1);
    const style = getComputedStyle(graph);
    context.strokeStyle = style.color;
    context.lineWidth = 1.5 * ratio;
    context.lineJoin = "round";
    context.beginPath();
    this.#latencies.forEach((latency, index) => {
      const x = (index + kept - this.#latencies.length) * step;
      const y = graph.height * (1 - Math.min(1, latency / top)) + ratio;
      if (index === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    });
    context.stroke();
    context.fillStyle = style.color;
    context.font = `${10 * ratio}px system-ui, sans-serif`;
    context.textBaseline = "top";
    context.fillText(`${Math.round(top)} ms`, 2 * ratio, 2 * ratio);
  }
}

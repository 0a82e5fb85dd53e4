// @ts-check
/** A confusion matrix whose cells can be opened with the mouse or the keyboard. */

import { make } from "../shared/dom.js";
import { percent, words } from "../shared/format.js";
import { t } from "./texts.js";

/**
 * @param {string[]} labels
 * @param {number[][]} matrix rows are what it is, columns what was predicted
 * @param {(label: string, predicted: string) => void} open
 */
export function confusionMatrix(labels, matrix, open) {
  /** @type {HTMLButtonElement[][]} */
  const cells = matrix.map((row, i) => {
    const sum = row.reduce((total, count) => total + count, 0);
    return row.map((count, j) => {
      const share = sum > 0 ? count / sum : 0;
      const cell = make("button", { type: "button", className: i === j ? "right" : "wrong",
        tabIndex: i === 0 && j === 0 ? 0 : -1, "data-label": labels[i],
        "data-predicted": labels[j], "aria-label": t("matrix.cell",
          { label: words(labels[i]), predicted: words(labels[j]), n: Math.round(count),
            share: percent(share) }) },
      count > 0 ? String(Math.round(count)) : "·",
      make("small", {}, count > 0 ? percent(share) : ""));
      cell.style.setProperty("--share", String(share));
      if (share > 0.55) cell.classList.add("strong");
      cell.addEventListener("click", () => {
        mark(i, j);
        open(labels[i], labels[j]);
      });
      cell.addEventListener("keydown", (event) => {
        const moves = /** @type {Record<string, [number, number]>} */ ({ ArrowRight: [0, 1],
          ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] });
        const move = moves[event.key];
        const next = move && cells[i + move[0]]?.[j + move[1]];
        if (!next) return;
        event.preventDefault();
        cell.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      });
      return cell;
    });
  });
  const mark = (/** @type {number} */ i, /** @type {number} */ j) => {
    cells.forEach((row, a) => row.forEach((cell, b) => {
      cell.setAttribute("aria-pressed", String(a === i && b === j));
      cell.tabIndex = a === i && b === j ? 0 : -1;
    }));
  };
  return make("div", { className: "scroll" }, make("table", { className: "matrix", id: "matrix" },
    make("caption", { className: "quiet" }, t("matrix.caption")),
    make("thead", {}, make("tr", {}, make("td", {}), ...labels.map((label) =>
      make("th", { scope: "col" }, words(label))))),
    make("tbody", {}, ...cells.map((row, i) => make("tr", {},
      make("th", { scope: "row" }, words(labels[i])), ...row.map((cell) => make("td", {}, cell)))))));
}

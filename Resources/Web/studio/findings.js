// @ts-check
/** What the data check found: errors first, alike findings in one line, the rest folded. */

import { make } from "../dom.js";
import { t } from "./texts.js";

/** @param {import("./types.js").Finding[]} findings */
export function findingList(findings) {
  const sorted = [...findings].sort((a, b) => Number(b.severity === "error")
    - Number(a.severity === "error"));
  /** @type {Map<string, typeof findings>} */
  const groups = new Map();
  for (const finding of sorted) {
    const key = `${finding.severity} ${finding.message}`;
    groups.set(key, [...groups.get(key) ?? [], finding]);
  }
  const lines = [...groups.values()].map((group) => {
    const [{ severity, message }] = group;
    const names = group.flatMap(({ file }) => (file ? [file.split("/").at(-1) ?? file] : []));
    return make("li", { className: severity === "error" ? "problem" : "warning" },
      make("b", {}, t(`severity.${severity}`)), ` ${message}`,
      names.length > 0 && make("small", { className: "quiet" },
        ` ${names.slice(0, 3).join(", ")}${names.length > 3 ? ` +${names.length - 3}` : ""}`));
  });
  if (lines.length <= 3) return lines.length > 0 ? [make("ul", { className: "rows findings" },
    ...lines)] : [];
  return [make("ul", { className: "rows findings" }, ...lines.slice(0, 2)),
    make("details", {}, make("summary", {}, t("findings.more", { n: lines.length - 2 })),
      make("ul", { className: "rows findings" }, ...lines.slice(2)))];
}

// @ts-check
/** Adds a folder that is on the server, without copying its files. */

import { button, icon, make } from "../dom.js";
import { findingList } from "./findings.js";
import { library } from "./project.js";
import { t } from "./texts.js";

/**
 * @param {import("./types.js").Context} context
 * @param {import("./types.js").Well} well
 */
export function browseFolders({ project, shell }, well) {
  const place = make("div", { className: "stack" });
  const sheet = shell.open(t("import.title", { well: t(`well.${well}`) }),
    make("p", { className: "quiet" }, t("import.lead")), place);
  /** @param {string | null} path */
  const show = (path) => shell.run(async () => {
    const { path: here, parent, folders, files } = await library.folder(path);
    const add = button("primary small", { id: "import" }, t(files > 0 ? "import.files" : "import.add", { n: files }), () =>
      shell.run(async () => {
        add.disabled = true;
        try {
          const { items, findings } = await project.send("POST", "import", { path: here, well });
          shell.reload();
          if (findings.length === 0) sheet.close();
          else place.replaceChildren(make("p", { className: "good" }, t("import.done",
            { n: items })), ...findingList(findings));
        } finally {
          add.disabled = false;
        }
      }));
    const rows = folders.map((name) => make("li", {},
      button("link", { picture: "folder" }, name, () => show(`${here.replace(/\/$/, "")}/${name}`))));
    const up = parent === null ? [] : [make("li", {},
      button("link", { picture: "up" }, t("import.up"), () => show(parent)))];
    place.replaceChildren(make("p", { className: "path" }, icon("folder"), ` ${here}`),
      make("ul", { className: "folders" }, ...up, ...rows), add);
    place.querySelector("button")?.focus();
  });
  show(null);
}

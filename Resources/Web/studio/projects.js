// @ts-check
/** The list of projects: create, open, rename, duplicate, delete. */

import { button, icon, make } from "../shared/dom.js";
import { day, words } from "../shared/format.js";
import { languageChoice } from "../shared/languageChoice.js";
import { colors } from "./labels.js";
import { library, Project } from "./project.js";
import { t, time } from "./texts.js";


/** What a first visit leads through. */
const firstSteps = /** @type {const} */ (["create", "clips", "train", "preview"]);

/** @param {string} id */
const addressOf = (id) => `#/${encodeURIComponent(id)}/data`;

/** @param {{shell: import("./shell.js").Shell}} context */
export async function projectsPage({ shell }) {
  const { projects, deleted } = await library.list();
  const create = () => shell.ask(
    { title: t("projects.new"), label: t("projects.name"), action: t("projects.create") },
    async (name) => {
      const { id } = await library.create(name);
      location.hash = addressOf(id);
    });
  const page = make("div", { className: "narrow" },
    make("header", { className: "page-head" }, make("h1", {}, t("projects")),
      button("primary small", { id: "new-project", picture: "plus" }, t("projects.new"), create)),
    make("p", { className: "lead" }, t("projects.lead")));
  if (projects.length === 0) {
    page.append(make("section", { className: "card" }, make("h2", {}, t("projects.none")),
      make("ol", { className: "steps-list" }, ...firstSteps.map((step) =>
        make("li", {}, t(`projects.step.${step}`))))));
  } else {
    page.append(make("ul", { id: "projects", className: "cards" },
      ...projects.map((project) => card(project, shell))));
  }
  if (deleted.length > 0) page.append(removed(deleted, shell));
  page.append(languageChoice("studio-language", t));
  return page;
}

/**
 * @param {import("types/studio").ProjectSummary} summary
 * @param {import("./shell.js").Shell} shell
 */
function card({ id, name, modified, classes, kinds, items, seconds, runs, state }, shell) {
  const project = new Project(id);
  colors.learn(kinds);
  const chips = classes.slice(0, 6).map((label) => make("span", { className: "chip" },
    make("i", { className: colors.className(label, true), "aria-hidden": "true" }), words(label)));
  if (classes.length > 6) {
    chips.push(make("span", { className: "chip" }, t("more", { n: classes.length - 6 })));
  }
  const rename = () => shell.ask(
    { title: t("rename"), label: t("projects.name"), value: name, action: t("rename") },
    async (to) => {
      await project.send("PATCH", "", { name: to });
      shell.done(t("projects.renamed", { name: to }), async () => {
        await project.send("PATCH", "", { name });
        shell.reload();
      });
      shell.reload();
    });
  const duplicate = () => shell.ask(
    { title: t("duplicate"), label: t("projects.name"), value: t("projects.copy", { name }),
      action: t("duplicate") },
    async (to) => {
      await project.send("POST", "duplicate", { name: to });
      shell.reload();
    });
  const remove = () => shell.run(async () => {
    await project.send("DELETE", "");
    shell.done(t("projects.deleted", { name }), async () => {
      await project.send("POST", "restore");
      shell.reload();
    });
    shell.reload();
  });
  return make("li", { className: "card", "data-project": id },
    make("h2", {}, make("a", { href: addressOf(id) }, name)),
    make("p", { className: "quiet" }, t("projects.size",
      { items, time: time(seconds), runs, date: day(modified) })),
    chips.length > 0 && make("p", { className: "chips" }, ...chips),
    state !== "idle" && make("p", { className: "chip now" }, t(`state.${state}`)),
    make("div", { className: "row" },
      named("pencil", t("rename"), name, rename),
      named("copy", t("duplicate"), name, duplicate),
      named("trash", t("delete"), name, remove)));
}

/**
 * A button of a card, which says to screen readers what it is about.
 *
 * @param {string} picture
 * @param {string} text
 * @param {string} about
 * @param {() => void} run
 */
export function named(picture, text, about, run) {
  const made = make("button", { className: "tool named", type: "button" }, icon(picture), text,
    make("span", { className: "visually-hidden" }, ` ${about}`));
  made.addEventListener("click", run);
  return made;
}

/**
 * @param {{id: string, name: string, deleted: string}[]} deleted
 * @param {import("./shell.js").Shell} shell
 */
function removed(deleted, shell) {
  return make("details", {}, make("summary", {}, t("projects.removed", { n: deleted.length })),
    make("ul", { className: "rows" }, ...deleted.map(({ id, name, deleted: date }) =>
      make("li", {}, make("span", {}, `${name} · `,
        make("span", { className: "quiet" }, day(date))),
      button("secondary small", {}, t("projects.restore", { name }), () => shell.run(async () => {
        await new Project(id).send("POST", "restore");
        shell.reload();
      }))))));
}

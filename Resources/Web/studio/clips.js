// @ts-check
/** The clips of a project: browse by class and well, play, select, relabel, move, remove. */

import { button, make, setText } from "../shared/dom.js";
import { words } from "../shared/format.js";
import { controls } from "./controls.js";
import { changeItems, removeItems } from "./items.js";
import { colors, labelList, labelsOf } from "./labels.js";
import { Listbox } from "./listbox.js";
import { PictureMaker } from "./pictures.js";
import { Player } from "./player.js";
import { moment, reported, t, time } from "./texts.js";
import { wells } from "./types.js";

/** @typedef {import("types/studio").Item} Item */
/** @typedef {import("./types.js").Context} Context */

const pageSize = 100;
/** The most that the server gives at once. */
const largePage = 1000;
/** How long after a letter a search begins, in milliseconds. */
const searchAfter = 250;

/**
 * @typedef {object} View what is shown of a project, kept when the page is filled again after a change
 * @property {{well: string, label: string | null}} filter
 * @property {string} search as it was written
 * @property {number} loaded how many clips
 * @property {number} focused the index of the present clip
 * @property {Set<string>} selected the ids of the chosen clips
 * @property {boolean} hasFocus
 */

/** @type {Map<string, View>} */
const views = new Map();

export class ClipBrowser {
  /** @type {Item[]} */
  #items = [];
  #total = 0;
  #isLoading = false;
  /** The address of the page. */
  #hash = location.hash;
  /** Counts the requests, so that a late answer does not replace a newer one. */
  #generation = 0;
  #list = new Listbox("clips", t("clips"), { empty: "clips.none" });
  #count = make("p", { className: "quiet", role: "status", id: "selection" });
  #more = button("secondary small", {}, "", () => this.#loadMore());
  #actions = make("div", { className: "row plain", id: "clip-actions" });
  #title = make("h3", { hidden: true });
  #about = make("p", { className: "quiet" });
  /** The people from whom the field suggests. */
  #people = make("datalist", { id: "people" });

  /** What is searched for; all clips of the filter are loaded then. */
  #search = make("input", { type: "text", role: "searchbox", id: "clip-search", autocomplete: "off",
    placeholder: t("clips.search"), "aria-label": t("clips.search") });
  /** The pictures of clips that were shown before. @type {Map<string, HTMLCanvasElement>} */
  #canvases = new Map();
  #noPlayer = make("p", { className: "empty" }, t("clips.choose"));
  #stage = make("div", { className: "stack", hidden: true });

  /** @param {Context} context */
  constructor(context) {
    this.context = context;
    this.pictures = new PictureMaker(context);
    const kept = views.get(context.project.id);
    this.filter = kept?.filter ?? { well: "", label: null };
    this.#search.value = kept?.search ?? "";
    context.signal.addEventListener("abort", () => this.#keepView(), { once: true });
    this.#list.onMove = (index) => this.#show(this.#items[index]);
    this.#list.onSelect = () => this.#mark();
    this.#list.commands = { Enter: () => this.player.toggle(), Delete: () => this.#remove(),
      Backspace: () => this.#remove() };
    this.#load(kept?.loaded ?? pageSize, kept);
    this.player = new Player(context, t("clips.player"));
    const labels = labelsOf(context.detail);
    this.#stage.append(this.player.element, controls(this.player), this.#title, this.#about);
    // The end of the list loads more.
    this.#list.element.addEventListener("scroll", () => {
      const { scrollTop, clientHeight, scrollHeight } = this.#list.element;
      if (scrollTop + clientHeight > scrollHeight - clientHeight && !this.#more.hidden) this.#loadMore();
    });
    this.element = make("section", { className: "card", id: "clip-browser",
      "aria-labelledby": "clips-title" },
    make("header", { className: "page-head" }, make("h2", { id: "clips-title" }, t("clips")),
      this.#filters(labels)),
    make("div", { className: "browser" },
      make("div", { className: "stack" }, this.#actions, this.#count, this.#list.element, this.#more,
        make("small", { className: "quiet" }, t("clips.keys"))),
      make("div", { className: "viewer stack" }, this.#noPlayer, this.#stage)),
    labelList(labels));
    this.#fillActions();
  }

  /** @param {string[]} labels */
  #filters(labels) {
    const well = make("select", { id: "filter-well", "aria-label": t("clips.well") },
      make("option", { value: "" }, t("clips.everyWell")),
      ...wells.map((name) => make("option", { value: name }, t(`well.${name}`))));
    const label = make("select", { id: "filter-label", "aria-label": t("clips.class") },
      make("option", { value: "*" }, t("clips.everyClass")),
      ...labels.map((name) => make("option", { value: name }, words(name))),
      make("option", { value: "" }, t("unlabelled")));
    well.value = this.filter.well;
    label.value = this.filter.label ?? "*";
    const change = () => {
      this.filter = { well: well.value, label: label.value === "*" ? null : label.value };
      this.#load(pageSize);
    };
    for (const field of [well, label]) field.addEventListener("change", change);
    let timer = 0;
    this.#search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#load(pageSize), searchAfter);
    });
    return make("div", { className: "row plain field filters" }, this.#search, well, label);
  }

  /** Keeps the view for when the page is filled again; another page of the project forgets it. */
  #keepView() {
    const { id } = this.context.project;
    if (location.hash !== this.#hash) {
      views.delete(id);
      return;
    }
    views.set(id, { filter: this.filter, search: this.#search.value, loaded: this.#items.length,
      focused: this.#list.focused, selected: this.#list.selected,
      hasFocus: this.element.contains(document.activeElement) });
  }

  /**
   * Loads the clips of the filter from the first one on.
   *
   * @param {number} count
   * @param {View} [kept] the view of the page before
   */
  async #load(count, kept) {
    const { focused, selected, hasFocus } =
      kept ?? { focused: 0, selected: /** @type {Set<string>} */ (new Set()), hasFocus: false };
    this.#list.selected = new Set(selected);
    this.#list.focused = focused;
    if (!await this.#read([], count)) return;
    this.#list.focus(focused);
    const item = this.#items[this.#list.focused];
    if (item) this.#show(item);
    if (hasFocus) this.#list.element.focus({ preventScroll: true });
  }

  async #loadMore() {
    if (!this.#isLoading) await this.#read(this.#items, this.#items.length + pageSize);
  }

  /**
   * Reads clips of the filter, page by page, and shows them; a search goes through all of them.
   *
   * @param {Item[]} before the first ones, which are known
   * @param {number} count how many there should be in the end
   * @returns {Promise<boolean>} whether they are shown, and no newer request has replaced this one
   */
  async #read(before, count) {
    const { project, shell } = this.context;
    const wanted = this.#search.value.trim().toLowerCase();
    this.#isLoading = true;
    this.#generation += 1;
    const generation = this.#generation;
    const isShown = await shell.run(async () => {
      const { well, label } = this.filter;
      let [items, total] = [before, Infinity];
      do {
        const limit = wanted ? largePage
          : Math.min(largePage, Math.max(pageSize, count - items.length));
        /** @type {import("types/studio").ItemPage} */
        const page = await project.get("items", { well: well || null, label,
          offset: items.length, limit });
        if (generation !== this.#generation) return;
        items = [...items, ...page.items];
        total = page.items.length === 0 ? items.length : page.total;
      } while (items.length < (wanted ? total : Math.min(count, total)));
      const found = wanted ? items.filter(({ file, label: name, person }) =>
        [file, name, words(name), person ?? ""].some((text) => text.toLowerCase().includes(wanted)))
        : items;
      this.#items = found;
      this.#total = wanted ? found.length : total;
      this.#fill();
    });
    if (generation !== this.#generation) return false;
    this.#isLoading = false;
    return isShown;
  }

  #fill() {
    // What is not shown cannot be changed.
    const shown = new Set(this.#items.map(({ id }) => id));
    this.#list.selected = new Set([...this.#list.selected].filter((id) => shown.has(id)));
    this.#list.fill(this.#items.map((item) => ({ id: item.id, element: this.#option(item) })));
    const people = new Set(this.#items.flatMap(({ person }) => person ?? []));
    this.#people.replaceChildren(...[...people].sort().map((value) => make("option", { value })));
    const left = this.#total - this.#items.length;
    this.#more.hidden = left <= 0;
    setText(this.#more, t("clips.more", { n: left }));
  }

  /** @param {Item} item */
  #option(item) {
    const { file, label, well, start, end, seconds, person, problem, text, id } = item;
    const parts = start === null && end === null ? t("clips.whole")
      : `${moment(start ?? 0)} – ${end === null ? t("clips.end") : moment(end)}`;
    const middle = (start ?? 0) + (seconds ?? 0) / 2;
    const picture = this.#canvases.get(id) ?? this.pictures.picture(file, middle, "small");
    this.#canvases.set(id, picture);
    const made = make("div", { "data-item": id }, picture,
    make("i", { className: colors.className(label, label !== ""), "aria-hidden": "true" }),
    make("b", {}, words(label) || t("unlabelled")), " ",
    make("span", { className: "file", "data-user": "" }, file.split("/").at(-1) ?? file), " ",
    make("span", { className: "quiet" }, [parts, seconds === null ? "" : time(seconds),
      person ?? "", t(`well.${well}`)].filter(Boolean).join(" · ")),
    problem !== null && make("span", { className: "flaw" },
      reported("error", text, problem)));
    made.addEventListener("dblclick", () => this.player.play());
    return made;
  }

  #mark() {
    const { selected } = this.#list;
    setText(this.#count, selected.size > 0
      ? t("clips.selected", { n: selected.size, total: this.#total })
      : t("clips.total", { n: this.#total }));
    for (const control of /** @type {NodeListOf<HTMLButtonElement>} */ (
      this.#actions.querySelectorAll("button, select, input"))) {
      control.disabled = selected.size === 0;
    }
  }

  /** @param {Item} item */
  #show(item) {
    this.#title.hidden = this.#stage.hidden = false;
    this.#noPlayer.hidden = true;
    setText(this.#title, words(item.label) || t("unlabelled"));
    setText(this.#about, [item.file, item.person ?? "",
      reported("error", item.text, item.problem ?? "")].filter(Boolean)
      .join(" · "));
    this.player.load(item);
  }

  get #chosen() {
    return this.#items.filter(({ id }) => this.#list.selected.has(id));
  }

  #fillActions() {
    const relabel = lineForm("relabel", "labels", "clips.newLabel", "clips.relabel", (label) => {
      if (label) this.#change({ label }, "clips.relabelled", words(label));
    });
    const person = lineForm("person", "people", "record.person", "clips.setPerson", (name) =>
      (name ? this.#change({ person: name }, "clips.person", name)
        : this.#change({ person: null }, "clips.noPerson", "")));
    const move = make("select", { id: "move", "aria-label": t("clips.move") },
      make("option", { value: "" }, t("clips.move")),
      ...wells.map((name) => make("option", { value: name }, t(`well.${name}`))));
    move.addEventListener("change", () => {
      const well = /** @type {import("types/studio").Well} */ (move.value);
      move.value = "";
      if (well) this.#change({ well }, "clips.moved", t(`well.${well}`));
    });
    this.#actions.append(relabel, person, this.#people, make("div", { className: "field" }, move),
      button("secondary small", { id: "leave-out" }, t("clips.leaveOut"),
        () => this.#change({ well: "leftOut" }, "clips.moved", t("well.leftOut"))),
      button("secondary small", { id: "remove-clips" }, t("clips.remove"), () => this.#remove()));
  }

  /**
   * @param {Partial<Item>} change
   * @param {"clips.relabelled" | "clips.moved" | "clips.person" | "clips.noPerson"} key
   * @param {string} to
   */
  #change(change, key, to) {
    const { project, shell } = this.context;
    const items = this.#chosen;
    return shell.run(async () => {
      const undo = await changeItems(project, items, change);
      shell.done(t(key, { n: items.length, to }), async () => {
        await undo();
        shell.reload();
      });
      shell.reload();
    });
  }

  #remove() {
    const { project, shell } = this.context;
    const items = this.#chosen;
    if (items.length === 0) return;
    shell.run(async () => {
      const undo = await removeItems(project, items);
      shell.done(t("clips.removed", { n: items.length }), async () => {
        await undo();
        shell.reload();
      });
      shell.reload();
    });
  }
}

/**
 * A text field with suggestions and a button that gives it to the clips that are selected.
 *
 * @param {string} id
 * @param {string} list the id of its suggestions
 * @param {import("./texts.js").Key} name
 * @param {import("./texts.js").Key} action
 * @param {(text: string) => void} give
 */
function lineForm(id, list, name, action, give) {
  const field = make("input", { type: "text", id, placeholder: t(name), "aria-label": t(name),
    autocomplete: "off", maxLength: 200 });
  field.setAttribute("list", list);
  const form = make("form", { className: "field relabel" }, field,
    make("button", { className: "secondary small", type: "submit" }, t(action)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    field.value = "";
    give(text);
  });
  return form;
}

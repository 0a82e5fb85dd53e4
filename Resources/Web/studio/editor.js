// @ts-check
/** Marks segments of a video with the keyboard; suggestions are accepted or mended. */

import { button, make, setText } from "../shared/dom.js";
import { percent, words } from "../shared/format.js";
import { controls } from "./controls.js";
import { LabelBar, keyCount } from "./labelBar.js";
import { labelsOf } from "./labels.js";
import { montageLanes, segmentRows } from "./lanes.js";
import { MontageTools } from "./montageTools.js";
import { Player } from "./player.js";
import { extractPoses, isNotExtracted } from "./poses.js";
import { SegmentList } from "./segments.js";
import { Saving } from "./saving.js";
import { result } from "./shell.js";
import { listenForKeys, showKeys } from "./shortcuts.js";
import { Speed } from "./speed.js";
import { withoutOverlaps } from "./suggestions.js";
import { messageOf, moment, t } from "./texts.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("types/studio").Suggestion} Suggestion */
/** @typedef {import("./types.js").Context} Context */

export class MontageEditor {
  /** @type {Suggestion[]} */
  #suggestions = [];
  /** @type {import("./lanes.js").MarkID | null} */
  #chosen = null;
  /** @type {number | null} */
  #in = null;
  /** The index of the label of the next segment; none until one is chosen. */
  #label = /** @type {number | null} */ (null);
  #loops = false;
  #timeline = new Timeline();
  #labelBar = new LabelBar((label) => {
    if (!this.labels.includes(label)) this.labels.push(label);
    this.#useLabel(this.labels.indexOf(label));
  }, () => this.#focusPlayer());
  #list = make("ol", { className: "examples", id: "segments" });
  #about = make("p", { className: "quiet", id: "montage-state" });
  #speed;
  #tools;
  #saving;
  /** @type {HTMLSelectElement} */
  #model;
  element;

  /**
   * @param {Context} context
   * @param {import("types/studio").Medium} medium
   * @param {import("types/studio").Annotations} annotations
   * @param {[string, string][]} namers what suggests labels: its part of a query, and its name
   */
  constructor(context, medium, { segments, version }, namers) {
    this.context = context;
    this.medium = medium;
    this.duration = medium.seconds ?? 0;
    this.labels = labelsOf(context.detail);
    this.player = new Player(context, t("page.montage"));
    this.segments = new SegmentList(segments, this.duration);
    this.#saving = new Saving(context, medium.file, this.segments, version);
    this.segments.onChange = () => {
      this.#saving.changed();
      this.#fill();
    };
    this.#timeline.duration = Math.max(0.1, this.duration);
    this.#timeline.onSeek = (time) => this.player.seek(time);
    this.#timeline.onChoose = (id) => this.#choose(JSON.parse(id), false);
    this.#timeline.onTrim = (id, side, time) => this.#trimMark(JSON.parse(id), side, round(time));
    this.player.element.tabIndex = -1;
    this.#speed = new Speed(this.player);
    this.#model = make("select", { id: "suggestion-model" },
      make("option", { value: "" }, t("montage.repetitionsOnly")),
      ...namers.map(([value, name]) => make("option", { value }, name)));
    this.#model.value = namers[0]?.[0] ?? "";
    this.player.on("time", (time) => { this.#timeline.time = time; this.#drawOpen(time); });
    const commands = this.#commands();
    this.#tools = new MontageTools(commands, this.#speed.element);
    this.element = this.#build();
    this.player.load({ file: medium.file, seconds: medium.seconds, kind: medium.kind });
    listenForKeys(context.signal, commands);
    this.#fill();
  }

  #build() {
    const { shell } = this.context;
    return make("section", { className: "card montage", "aria-label": t("page.montage") },
      make("div", { className: "montage-grid" },
        make("div", { className: "stack" }, this.player.element, controls(this.player),
          this.#tools.element, this.#labelBar.element),
        make("div", { className: "stack" },
          make("div", { className: "page-head" }, make("h2", {}, t("montage.segments")),
            this.#saving.element), this.#list)),
      this.#timeline.element, this.#about,
      make("div", { className: "row plain" },
        make("div", { className: "field across" }, make("label", { for: "suggestion-model" },
          t("montage.model")), this.#model),
        button("secondary small", { id: "suggest" }, t("montage.suggest"), () => this.suggest()),
        button("secondary small", { id: "save" }, t("save"), () => this.#saving.save()),
        this.#timeline.zoomButtons,
        button("secondary small", { id: "keys", picture: "help" }, t("keys"),
          () => showKeys(shell))));
  }

  /** @returns {Record<string, () => void>} */
  #commands() {
    const { player, segments, medium } = this;
    const frame = 1 / (medium.frameRate || 30);
    const step = (/** @type {number} */ seconds) => {
      player.pause();
      player.seek(player.time + seconds);
    };
    /** @type {Record<string, () => void>} */
    const commands = {
      i: () => this.#setIn(), o: () => this.#setOut(), " ": () => player.toggle(),
      ArrowLeft: () => step(-frame), ArrowRight: () => step(frame),
      "Shift+ArrowLeft": () => step(-1), "Shift+ArrowRight": () => step(1),
      ArrowUp: () => this.#move(-1), ArrowDown: () => this.#move(1),
      j: () => this.#speed.step(-1), l: () => this.#speed.step(1),
      k: () => { this.#speed.set(1); player.toggle(); },
      "[": () => this.#trim("start"), "]": () => this.#trim("end"),
      Backspace: () => this.#delete(), Delete: () => this.#delete(),
      z: () => this.#note(segments.undo() ? "montage.undone" : "montage.nothing"),
      "Shift+z": () => this.#note(segments.redo() ? "montage.redone" : "montage.nothing"),
      "Ctrl+z": () => { segments.undo(); }, "Ctrl+Shift+z": () => { segments.redo(); },
      n: () => this.#labelBar.focus(), r: () => this.#toggleLoop(),
      s: () => this.suggest(), Enter: () => this.#accept(null), "Ctrl+s": () => { this.#saving.save(); },
      "?": () => showKeys(this.context.shell), Escape: () => this.#escape(),
    };
    for (let digit = 1; digit <= keyCount; digit += 1) {
      commands[String(digit)] = () => this.#useLabel(digit - 1);
    }
    return commands;
  }

  /** @param {import("./texts.js").Key} key */
  #note(key) {
    setText(this.#about, t(key));
    this.context.shell.announce(t(key));
  }

  /** @param {string} text */
  #say(text) {
    setText(this.#about, text);
    this.context.shell.announce(text);
  }

  /** Keys are commands again. */
  #focusPlayer() {
    this.player.element.focus({ preventScroll: true });
  }

  /** Plays what is chosen again and again, or stops doing so. */
  #toggleLoop() {
    if (!this.#chosenMark) return this.#note("montage.noLoop");
    this.#loops = !this.#loops;
    this.#fill();
    if (!this.#loops) return;
    this.player.seek(this.#chosenMark.start);
    this.player.play();
  }

  /** The segment or suggestion that is chosen. */
  get #chosenMark() {
    const chosen = this.#chosen;
    if (!chosen) return null;
    return (chosen.kind === "segment" ? this.segments.all.find(({ key }) => key === chosen.key)
      : this.#suggestions[chosen.index]) ?? null;
  }

  // MARK: - Marking

  #setIn() {
    this.#in = round(this.player.time);
    this.#chosen = null;
    this.#fill();
    this.#say(t("montage.in", { time: moment(this.#in) }));
  }

  #setOut() {
    const end = round(this.player.time);
    if (this.#in === null || end - this.#in < 0.02) return this.#note("montage.noIn");
    const label = this.#presentLabel;
    const made = this.segments.add({ label, start: this.#in, end });
    this.#in = null;
    this.#choose({ kind: "segment", key: made.key }, false);
    this.#say(t(label ? "montage.added" : "montage.unlabelled",
      { label: words(label), start: moment(made.start), end: moment(end) }));
  }

  /** The label that was chosen last; empty before one was. */
  get #presentLabel() {
    return this.#label === null ? "" : this.labels[this.#label] ?? "";
  }

  #escape() {
    this.#in = null;
    this.#chosen = null;
    this.#fill();
  }

  /** @param {number} index */
  #useLabel(index) {
    const label = this.labels[index];
    if (label === undefined) return;
    this.#label = index;
    const chosen = this.#chosen;
    if (chosen?.kind === "suggestion") return this.#accept(label);
    if (chosen?.kind === "segment") {
      this.segments.change(chosen.key, { label });
      this.#say(t("montage.labelled", { label: words(label) }));
    }
    this.#fill();
  }

  /** @param {"start" | "end"} side */
  #trim(side) {
    if (this.#chosen) this.#trimMark(this.#chosen, side, round(this.player.time));
  }

  /**
   * @param {import("./lanes.js").MarkID} chosen
   * @param {"start" | "end"} side
   * @param {number} time
   */
  #trimMark(chosen, side, time) {
    if (chosen.kind === "suggestion") {
      const suggestion = this.#suggestions[chosen.index];
      if (!suggestion) return;
      const changed = { ...suggestion, [side]: time };
      if (changed.end > changed.start) this.#suggestions[chosen.index] = changed;
      this.#fill();
    } else {
      const segment = this.segments.all.find(({ key }) => key === chosen.key);
      if (segment && { ...segment, [side]: time }.end > { ...segment, [side]: time }.start) {
        this.segments.change(chosen.key, { [side]: time });
      }
    }
  }

  #delete() {
    const chosen = this.#chosen;
    if (chosen?.kind === "segment") {
      const index = this.segments.all.findIndex(({ key }) => key === chosen.key);
      this.#chosen = null;
      this.segments.remove(chosen.key);
      const next = this.segments.all[Math.min(index, this.segments.all.length - 1)];
      if (next) this.#choose({ kind: "segment", key: next.key }, false);
      this.#note("montage.deleted");
    } else if (chosen?.kind === "suggestion") {
      this.#suggestions.splice(chosen.index, 1);
      this.#next(chosen.index);
      this.#note("montage.rejected");
    }
  }

  /** @param {number} by moves through segments and suggestions in the order of their times */
  #move(by) {
    const all = [
      ...this.segments.all.map(({ key, start }) => ({ start, id: { kind: "segment", key } })),
      ...this.#suggestions.map(({ start }, index) =>
        ({ start, id: { kind: "suggestion", index } })),
    ].sort((a, b) => a.start - b.start);
    const now = all.findIndex(({ id }) => JSON.stringify(id) === JSON.stringify(this.#chosen));
    const index = now >= 0 ? now + by : all.findIndex(({ start }) => start >= this.player.time);
    const next = all[Math.max(0, Math.min(all.length - 1, index))];
    if (next) this.#choose(/** @type {any} */ (next.id), true);
  }

  /**
   * @param {import("./lanes.js").MarkID} chosen
   * @param {boolean} seeks
   */
  #choose(chosen, seeks) {
    this.#chosen = chosen;
    const found = chosen.kind === "segment"
      ? this.segments.all.find(({ key }) => key === chosen.key) : this.#suggestions[chosen.index];
    if (!found) return;
    if (seeks) {
      this.player.seek(found.start);
      this.#say(`${words(found.label ?? "") || t("unlabelled")} ${moment(found.start)} – ${
        moment(found.end)}`);
    }
    this.#fill();
  }

  // MARK: - Suggestions

  async suggest() {
    const { project, signal } = this.context;
    try {
      const progress = (/** @type {number} */ fraction) =>
        this.#say(t("montage.suggesting", { percent: percent(fraction) }));
      const request = () => result(signal, () => project.get("suggestions",
        { file: this.medium.file,
          ...Object.fromEntries(new URLSearchParams(this.#model.value)) }), progress);
      const answer = await request().catch(async (error) => {
        if (!isNotExtracted(error)) throw error;
        await extractPoses(project, signal, progress);
        this.player.reloadPoses();
        return request();
      });
      if (!answer) return;
      // What is marked already is not suggested again.
      this.#suggestions = withoutOverlaps(answer.segments).filter(({ start, end }) =>
        !this.segments.all.some((segment) =>
          Math.min(end, segment.end) - Math.max(start, segment.start) > (end - start) / 2));
      this.#next(0);
      this.#say(t("montage.suggested", { n: this.#suggestions.length }));
    } catch (error) {
      this.#say(messageOf(error));
    }
  }

  /** @param {number} index */
  #next(index) {
    const count = this.#suggestions.length;
    this.#chosen = null;
    if (count > 0) this.#choose({ kind: "suggestion", index: Math.min(index, count - 1) }, true);
    else this.#fill();
  }

  /** @param {string | null} label null takes the suggested one, or the present one */
  #accept(label) {
    const index = this.#chosen?.kind === "suggestion" ? this.#chosen.index : -1;
    const suggestion = this.#suggestions[index];
    if (!suggestion) {
      if (this.#suggestions.length > 0) this.#next(0);
      return;
    }
    const { start, end } = suggestion;
    const given = label ?? suggestion.label ?? this.#presentLabel;
    if (given && !this.labels.includes(given)) this.labels.push(given);
    this.#suggestions.splice(index, 1);
    this.segments.add({ label: given, start: round(start), end: round(end) });
    this.#next(index);
    this.#say(t(given ? "montage.accepted" : "montage.acceptedBare",
      { label: words(given), n: this.#suggestions.length }));
  }

  // MARK: - Drawing

  /** @param {number} time */
  #drawOpen(time) {
    if (this.#in !== null && time > this.#in) this.#fillTimeline(time);
  }

  /** @param {number} [time] */
  #fillTimeline(time = this.player.time) {
    const open = this.#in === null ? null
      : { start: this.#in, end: Math.max(this.#in + 0.05, time) };
    this.#timeline.show(montageLanes(this.segments, this.#suggestions,
      { chosen: this.#chosen, open, duration: this.duration }));
  }

  #fill() {
    this.#fillTimeline();
    if (!this.#chosenMark) this.#loops = false;
    this.player.loop = this.#loops ? this.#chosenMark : null;
    this.#tools.update({ isOpen: this.#in !== null, chosen: this.#chosen?.kind ?? null,
      canUndo: this.segments.canUndo, loops: this.#loops });
    this.#labelBar.fill(this.labels, this.#label);
    const hadFocus = this.#list.contains(document.activeElement);
    const rows = segmentRows(this.segments, this.#suggestions,
      { chosen: this.#chosen, duration: this.duration }, (id) => this.#choose(id, true));
    this.#list.replaceChildren(...rows);
    if (rows.length === 0) {
      this.#list.replaceChildren(make("li", { className: "empty" }, t("montage.empty")));
    }
    const current = this.#list.querySelector("[aria-pressed=true]");
    current?.scrollIntoView({ block: "nearest" });
    if (hadFocus && current instanceof HTMLElement) current.focus();
    else if (hadFocus) this.#focusPlayer();
  }
}

/** @param {number} time in seconds, to the millisecond */
function round(time) {
  return Math.round(time * 1000) / 1000;
}

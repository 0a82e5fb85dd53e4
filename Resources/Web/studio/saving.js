// @ts-check
/** Saves the segments of a video: by itself soon after each change, and when the page is left. */

import { make, setText } from "../shared/dom.js";
import { saveSegments } from "./conflict.js";
import { t } from "./texts.js";

/** How long after a change they are saved, milliseconds. */
const saveAfter = 1500;

export class Saving {
  #timer = 0;
  #isSaved = true;
  /** Says whether all is saved. */
  element = make("span", { className: "chip", id: "saved" });

  /**
   * @param {import("./types.js").Context} context
   * @param {string} file
   * @param {import("./segments.js").SegmentList} segments
   * @param {string} version which they were made from
   */
  constructor(context, file, segments, version) {
    this.context = context;
    this.file = file;
    this.segments = segments;
    this.version = version;
    const { signal, shell } = context;
    signal.addEventListener("abort", () => { if (!this.#isSaved) this.save(); });
    // Segments with labels are saved when the page is left; the others would be lost.
    shell.guard(signal, () => (segments.unlabelledCount === 0 ? null
      : t("montage.leave", { n: segments.unlabelledCount })));
    addEventListener("beforeunload", (event) => {
      if (!this.#isSaved) event.preventDefault();
    }, { signal });
    this.#show();
  }

  /** The segments have changed. */
  changed() {
    this.#isSaved = false;
    this.#show();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), saveAfter);
  }

  /** Saves them now. */
  async save() {
    clearTimeout(this.#timer);
    const { shell } = this.context;
    const sent = this.segments.saved;
    await shell.run(async () => {
      const answer = await saveSegments(this.context, { file: this.file }, sent, this.version, {
        keep: (version) => { this.version = version; this.save(); },
        take: () => { this.#isSaved = true; shell.reload(); },
      });
      if (!answer) return;
      this.version = answer.version;
      this.segments.adopt(answer.segments);
      this.#isSaved = this.segments.unlabelledCount === 0 && JSON.stringify(sent.map(plain))
        === JSON.stringify(this.segments.saved.map(plain));
      this.#show();
    });
  }

  #show() {
    setText(this.element, t(this.#isSaved ? "saved"
      : this.segments.unlabelledCount > 0 ? "montage.unsavedLabel" : "montage.unsaved"));
    this.element.dataset.saved = String(this.#isSaved);
  }
}

/** @param {import("./segments.js").GivenSegment} segment */
function plain({ label, start, end, well }) {
  return [label, start, end, well];
}

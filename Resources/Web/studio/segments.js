// @ts-check
/** The segments of a video: changes that can be undone and redone, overlaps, gaps. */

/**
 * @typedef {import("./types.js").Segment} Segment
 * @typedef {Segment & {key: number}} Marked
 */

export class SegmentList {
  /** @type {Marked[]} */
  #now = [];
  /** @type {Marked[][]} */
  #before = [];
  /** @type {Marked[][]} */
  #after = [];
  /** The ids that the server gave, by key: they outlast undoing. @type {Map<number, string>} */
  #ids = new Map();
  #nextKey = 1;
  /** Called after each change. */
  onChange = () => {};

  /** @param {Segment[]} segments as the server has them */
  constructor(segments) {
    this.#now = sorted(segments.map((segment) => this.#marked(segment)));
  }

  /** @returns {readonly Marked[]} */
  get all() {
    return this.#now;
  }

  get canUndo() {
    return this.#before.length > 0;
  }

  /** @param {Segment} segment */
  #marked(segment) {
    const key = this.#nextKey;
    this.#nextKey += 1;
    if (segment.id) this.#ids.set(key, segment.id);
    return { ...segment, key };
  }

  /**
   * Adds a segment and returns it.
   *
   * @param {Segment} segment
   */
  add(segment) {
    const made = this.#marked(segment);
    this.#set([...this.#now, made]);
    return made;
  }

  /**
   * @param {number} key
   * @param {Partial<Segment>} change
   */
  change(key, change) {
    this.#set(this.#now.map((segment) =>
      segment.key === key ? { ...segment, ...change } : segment));
  }

  /** @param {number} key */
  remove(key) {
    this.#set(this.#now.filter((segment) => segment.key !== key));
  }

  undo() { return this.#step(this.#before, this.#after); }

  redo() { return this.#step(this.#after, this.#before); }

  /**
   * Takes the last state of one history, and puts the present one on the other.
   *
   * @param {Marked[][]} from
   * @param {Marked[][]} to
   */
  #step(from, to) {
    const next = from.pop();
    if (!next) return false;
    to.push(this.#now);
    this.#now = next;
    this.onChange();
    return true;
  }

  /** @param {Marked[]} segments */
  #set(segments) {
    this.#before.push(this.#now);
    this.#after = [];
    this.#now = sorted(segments);
    this.onChange();
  }

  /** What the server is sent: all that have a label. */
  get saved() {
    return this.#now.filter(({ label }) => label !== "").map(({ key, label, start, end, well }) => {
      const id = this.#ids.get(key);
      return { ...(id ? { id } : {}), label, start, end, ...(well ? { well } : {}) };
    });
  }

  /**
   * Takes over the ids of what was saved.
   *
   * @param {Segment[]} segments
   */
  adopt(segments) {
    const known = new Set(this.#ids.values());
    const unknown = segments.filter(({ id }) => id && !known.has(id));
    for (const { key, label, start, end } of this.#now) {
      if (this.#ids.has(key)) continue;
      const index = unknown.findIndex((other) => other.label === label
        && Math.abs(other.start - start) < 0.002 && Math.abs(other.end - end) < 0.002);
      const [found] = index < 0 ? [] : unknown.splice(index, 1);
      if (found?.id) this.#ids.set(key, found.id);
    }
  }

  /** Stretches in more than one segment. */
  get overlaps() {
    /** @type {{start: number, end: number}[]} */
    const found = [];
    let reached = 0;
    for (const { start, end } of this.#now) {
      if (start < reached - 1e-3) found.push({ start, end: Math.min(end, reached) });
      reached = Math.max(reached, end);
    }
    return found;
  }

  /**
   * Stretches between segments and at the ends of the video.
   *
   * @param {number} duration
   */
  gaps(duration) {
    /** @type {{start: number, end: number}[]} */
    const found = [];
    let reached = 0;
    for (const { start, end } of [...this.#now, { start: duration, end: duration }]) {
      if (start > reached + 0.05) found.push({ start: reached, end: start });
      reached = Math.max(reached, end);
    }
    return found;
  }
}

/** @param {Marked[]} segments */
function sorted(segments) {
  return [...segments].sort((a, b) => a.start - b.start || a.end - b.end);
}

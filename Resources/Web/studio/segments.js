// @ts-check
/** The segments of a video: changes that can be undone and redone, overlaps, gaps. */

/**
 * @typedef {import("types/studio").Segment} Sent
 * @typedef {import("types/studio").Stretch & Pick<Sent, "label"> & Partial<Pick<Sent, "id" | "well">>}
 *   Segment
 * @typedef {Segment & {key: number}} Marked
 * @typedef {{start: number | null, end: number | null}} Times
 * @typedef {Omit<Segment, "start" | "end"> & Times} GivenSegment
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
  /**
   * Those that the server gave, by key: their times as it has them and as they are shown.
   *
   * @type {Map<number, {sent: Times, shown: Times, label: string}>}
   */
  #given = new Map();
  #nextKey = 1;
  /** Called after each change. */
  onChange = () => {};

  /**
   * @param {GivenSegment[]} segments as the server has them; `null` is the start or end of the video
   * @param {number} duration of the video
   */
  constructor(segments, duration) {
    this.#now = sorted(segments.map((segment) => {
      const shown = { start: segment.start ?? 0, end: segment.end ?? duration };
      const made = this.#marked({ ...segment, ...shown });
      const { start, end, label } = segment;
      this.#given.set(made.key, { sent: { start, end }, shown, label });
      return made;
    }));
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

  /** How many have no label and cannot be saved. */
  get unlabelledCount() {
    return this.#now.filter((segment) => !this.#isSendable(segment)).length;
  }

  /** What the server is sent: all that have a label or are as it has them. */
  get saved() {
    return this.#now.filter((segment) => this.#isSendable(segment)).map((segment) => {
      const { key, label, start, end, well } = segment;
      const id = this.#ids.get(key);
      const given = this.#given.get(key);
      const times = given && given.shown.start === start && given.shown.end === end ? given.sent
        : { start, end };
      return { ...(id ? { id } : {}), label, ...times, ...(well ? { well } : {}) };
    });
  }

  /** @param {Marked} segment */
  #isSendable({ key, label, start, end }) {
    if (label !== "") return true;
    const given = this.#given.get(key);
    return given !== undefined && given.label === label && given.shown.start === start
      && given.shown.end === end;
  }

  /**
   * Takes over the ids of what was saved.
   *
   * @param {GivenSegment[]} segments
   */
  adopt(segments) {
    const known = new Set(this.#ids.values());
    const unknown = segments.filter(({ id }) => id && !known.has(id));
    for (const { key, label, start, end } of this.#now) {
      if (this.#ids.has(key)) continue;
      const index = unknown.findIndex((other) => other.label === label
        && Math.abs((other.start ?? -1) - start) < 0.002
        && Math.abs((other.end ?? -1) - end) < 0.002);
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

// @ts-check
/**
 * Uploads files one after the other. An interrupted upload continues where the server has stopped receiving,
 * also after the page was loaded again, once the same file is chosen again.
 */

import { ServerError } from "../shared/api.js";
import { Emitter } from "../shared/emitter.js";
import { beginUpload, sendParts } from "../shared/uploads.js";
import { pause } from "./shell.js";
import { messageOf, t } from "./texts.js";

/**
 * @typedef {import("types/studio").Well} Well
 * @typedef {{file: File | null, id: string, name: string, size: number, offset: number,
 *   well: Well | null, label: string | null, person: string | null,
 *   take: {keepVideo?: boolean} | null,
 *   state: "waiting" | "running" | "paused" | "missing" | "failed" | "refused" | "done", message: string,
 *   finish: (result: {id: string, file: string}) => void}} Entry `missing`: the server has a part,
 *   this page does not have the file; `failed`: it may be tried again; `refused`: it cannot be added
 */

/**
 * @typedef {{file: File, folders: string[]}} FoundFile the folders from the outermost one
 * @typedef {{files: FoundFile[], others: string[]}} Found `others`: the names of what cannot be added
 */

/** From this status on a failure may pass: the server is busy, or its disk is full. */
const passing = 429;

const ignore = () => {};

/** @extends {Emitter<{change: null, done: Entry}>} */
export class UploadQueue extends Emitter {
  /** @type {Entry[]} */
  entries = [];
  #isRunning = false;
  #isRead = false;

  /** @param {import("./project.js").Project} project */
  constructor(project) {
    super();
    this.project = project;
  }

  /** Adds the uploads that an earlier page left unfinished. */
  async readUnfinished() {
    if (this.#isRead) return;
    this.#isRead = true;
    /** @type {{uploads: import("types/studio").Upload[]}} */
    const { uploads } = await this.project.get("uploads");
    const known = new Set(this.entries.map(({ id }) => id));
    for (const upload of uploads) {
      if (known.has(upload.id)) continue;
      this.entries.push({ label: null, person: null, take: null, ...upload, file: null, state: "missing",
        message: "", finish: ignore });
    }
    this.#changed();
  }

  /**
   * Uploads a file, or continues its unfinished upload.
   *
   * @param {File} file
   * @param {{name?: string, well?: Well | null, label?: string | null, person?: string | null,
   *   take?: {keepVideo?: boolean} | null}} options
   * @returns {Promise<{id: string, file: string}>}
   */
  add(file, { name = file.name, well = null, label = null, person = null,
    take = null } = {}) {
    return new Promise((finish) => {
      const unfinished = this.entries.find((entry) =>
        entry.state === "missing" && entry.name === name && entry.size === file.size);
      if (unfinished) Object.assign(unfinished, { file, state: "waiting", finish });
      else {
        this.entries.push({ file, id: "", name, size: file.size, offset: 0, well, label,
          person, take, state: "waiting", message: "", finish });
      }
      this.#changed();
      this.#run();
    });
  }

  /**
   * Lists a file that cannot be added.
   *
   * @param {string} name
   * @param {string} message why
   */
  refuse(name, message) {
    this.entries.push({ file: null, id: "", name, size: 0, offset: 0, well: null, label: null,
      person: null, take: null, state: "refused", message, finish: ignore });
    this.#changed();
  }

  /** @param {Entry} entry */
  pause(entry) {
    entry.state = "paused";
    this.#changed();
  }

  /** @param {Entry} entry */
  resume(entry) {
    Object.assign(entry, { state: "waiting", message: "" });
    this.#changed();
    this.#run();
  }

  /** @param {Entry} entry */
  async cancel(entry) {
    const wasRefused = entry.state === "refused";
    entry.state = "paused";
    this.entries = this.entries.filter((other) => other !== entry);
    this.#changed();
    // What the server refuses it has removed.
    if (entry.id && !wasRefused) await this.project.send("DELETE", `uploads/${entry.id}`);
  }

  #changed() {
    this.emit("change", null);
  }

  async #run() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (;;) {
      const next = this.entries.find(({ state }) => state === "waiting");
      if (!next?.file) break;
      next.state = "running";
      try {
        await this.#upload(next, next.file);
      } catch (error) {
        // Without a connection it is tried again; a refusal is final.
        const isOffline = error instanceof ServerError && error.status === 0;
        const mayPass = !(error instanceof ServerError) || error.status >= passing;
        if (next.state === "running") {
          next.state = isOffline ? "waiting" : mayPass ? "failed" : "refused";
        }
        next.message = messageOf(error);
        this.#changed();
        if (isOffline) await pause(2);
      }
    }
    this.#isRunning = false;
  }

  /**
   * @param {Entry} entry
   * @param {File} file
   */
  async #upload(entry, file) {
    const { name, size, well, label, person, take } = entry;
    const { path } = this.project;
    let chunk;
    if (!entry.id) {
      const begun = await beginUpload(path, { name, size, well, label, person, take });
      Object.assign(entry, { id: begun.id, offset: begun.offset, message: "" });
      ({ chunk } = begun);
    }
    if (entry.state !== "running") return;
    const { id, offset } = entry;
    for await (const part of sendParts(path, { id, offset, chunk }, file)) {
      entry.offset = part.offset;
      entry.message = "";
      if (part.done) {
        entry.state = "done";
        this.entries = this.entries.filter((other) => other !== entry);
        entry.finish({ id, file: part.file ?? "" });
        this.emit("done", entry);
      }
      this.#changed();
      // It may have been paused meanwhile.
      if (entry.state !== "running") return;
    }
  }
}

/** @type {Map<string, UploadQueue>} */
const queues = new Map();

/**
 * The queue of a project; it lasts while the window does, so that uploads continue on other pages.
 *
 * @param {import("./project.js").Project} project
 */
export function uploadsOf(project) {
  const queue = queues.get(project.id) ?? new UploadQueue(project);
  queues.set(project.id, queue);
  return queue;
}

addEventListener("beforeunload", (event) => {
  const isBusy = [...queues.values()].some(({ entries }) =>
    entries.some(({ state }) => state === "running" || state === "waiting"));
  if (isBusy) event.preventDefault();
});

/** What can be added: everything else in a folder is left out. */
const media = /\.(mp4|mov|m4v|mkv|webm|avi|mpg|mpeg|mjpeg|ts|3gp|npz|jsonl|skeleton|trc)$/i;

/** What systems leave in folders. */
const hidden = /^(\.|thumbs\.db$|desktop\.ini$)/i;

/**
 * The files of a drop with the folders that they are in, from the dropped one on.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<Found>}
 */
export async function droppedFiles(transfer) {
  /** @type {Found} */
  const found = { files: [], others: [] };
  /** @param {FileSystemEntry} entry @param {string[]} folders */
  const read = async (entry, folders) => {
    if (entry.isFile) {
      const file = await new Promise((done, fail) =>
        /** @type {FileSystemFileEntry} */ (entry).file(done, fail));
      if (media.test(file.name)) found.files.push({ file, folders });
      else if (!hidden.test(file.name)) found.others.push(file.name);
      return;
    }
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
      /** @type {FileSystemEntry[]} */
      const some = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (some.length === 0) break;
      for (const inside of some) await read(inside, [...folders, entry.name]);
    }
  };
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  for (const entry of entries) await read(entry, []);
  return found;
}

/**
 * @param {FileList} files chosen as files or as a folder
 * @returns {Found}
 */
export function chosenFiles(files) {
  const all = [...files];
  return {
    files: all.filter(({ name }) => media.test(name)).map((file) =>
      ({ file, folders: file.webkitRelativePath.split("/").slice(0, -1) })),
    others: all.map(({ name }) => name).filter((name) => !media.test(name) && !hidden.test(name)),
  };
}

/** How many files of one kind are listed by their names. */
const listedCount = 20;

/**
 * Lists what cannot be added with the reason.
 *
 * @param {UploadQueue} uploads
 * @param {string[]} others their names
 */
export function refuseOthers(uploads, others) {
  for (const name of others.slice(0, listedCount)) uploads.refuse(name, t("upload.refused"));
  const left = others.length - listedCount;
  if (left > 0) uploads.refuse(t("upload.refused.more", { n: left }), t("upload.refused"));
}

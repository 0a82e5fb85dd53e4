// @ts-check
/**
 * The WebSocket to the server: reconnects by itself and resumes the session.
 *
 * Events: each message of the server under its `type`, `picture`, `state`, and `renewed` when the
 * session could not be resumed.
 *
 * @typedef {import("types/live").ClientMessage} ClientMessage
 * @typedef {import("types/live").Settings} Settings
 * @typedef {{state: "idle" | "connecting" | "queued" | "open" | "waiting" | "closed",
 *   attempt: number, retryAt: number | null, problem: ServerError | null, place: number | null}}
 *   ConnectionState why it is closed or waits, in `problem`
 * @typedef {import("./protocol.js").ServerMessages & {
 *   picture: import("./protocol.js").Picture, state: ConnectionState, renewed: null}}
 *   ConnectionEvents
 */

import { information, ServerError } from "./api.js";
import { Emitter } from "./emitter.js";
import { unpackPicture } from "./protocol.js";

const resumeKey = "kinema.session";
const resumeSeconds = 120;
const pingSeconds = 4;
const silenceSeconds = 12;

/**
 * Seconds until the next attempt: doubling up to ten, with 20 % jitter so that many pages don't
 * reconnect at once.
 *
 * @param {number} attempt from 1
 * @param {boolean} isBusy
 */
export function backOff(attempt, isBusy) {
  const seconds = Math.min((isBusy ? 5 : 0.5) * 2 ** (attempt - 1), isBusy ? 30 : 10);
  return seconds * (0.8 + 0.4 * Math.random());
}

/** @extends {Emitter<ConnectionEvents>} */
export class Connection extends Emitter {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {{source: import("types/live").Source, settings: Partial<Settings>} | null} */
  #start = null;
  /** @type {string | null} */
  #session = null;
  #resumes;
  #attempt = 0;
  #timer = 0;
  #pinger = 0;
  #heardAt = 0;
  #tickedAt = 0;
  /** @type {import("types/live").Problem | null} */
  #fatal = null;

  /** The source that its user has chosen; a pause has none. */
  /** @type {import("types/live").Source | null} */
  chosenSource = null;
  /** The source of the session that the page had before it was reloaded. */
  /** @type {import("types/live").Source | null} */
  resumable = null;

  /** @param {{resumes?: boolean}} options `resumes`: a page that is reloaded resumes its session */
  constructor({ resumes = true } = {}) {
    super();
    this.#resumes = resumes;
    const { session = null, source = null } = resumes ? recall() : {};
    this.#session = session;
    this.resumable = session ? source : null;
    addEventListener("online", () => this.#retryNow());
    addEventListener("pagehide", () => this.#store());
    addEventListener("pageshow", () => this.#retryNow());
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Whether the server takes pictures: not while the page waits for a session. */
  #takesPictures = false;

  /** Whether everything sent has left the browser, so that a picture would not queue. */
  get isFlowing() {
    return this.isOpen && this.#takesPictures && this.#socket?.bufferedAmount === 0;
  }

  /**
   * Connects; source and settings are sent again after each reconnection.
   *
   * @param {import("types/live").Source} source
   * @param {Partial<Settings>} settings
   */
  start(source, settings) {
    this.#start = { source, settings };
    this.#attempt = 0;
    this.#connect();
  }

  /** Ends the session: with code 1000 the server does not keep it for a reconnection. */
  stop() {
    this.#start = null;
    clearTimeout(this.#timer);
    this.#drop(1000);
    this.#session = null;
    if (this.#resumes) forget();
    this.#announce("idle");
  }

  /** Reconnects now instead of waiting. */
  retry() {
    if (!this.#start || this.isOpen) return;
    this.#attempt = 0;
    clearTimeout(this.#timer);
    this.#connect();
  }

  /**
   * Sends a message if the connection is open; source and settings are remembered for the next
   * `start`.
   *
   * @param {ClientMessage} message
   */
  send(message) {
    if (this.#start) {
      if (message.type === "source") this.#start.source = message.source;
      if (message.type === "configure") Object.assign(this.#start.settings, message.settings);
    }
    if (this.isOpen) this.#socket?.send(JSON.stringify(message));
  }

  /** @param {ArrayBuffer} picture */
  sendPicture(picture) {
    if (this.isOpen && this.#takesPictures) this.#socket?.send(picture);
  }

  #connect() {
    this.#drop();
    this.#fatal = null;
    this.#takesPictures = false;
    this.#announce("connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/v1/live`, "kinema.live.v1");
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.#heardAt = performance.now();
      const resume = this.#session ? { resume: this.#session } : {};
      if (this.#start) this.send({ type: "start", ...this.#start, ...resume });
      this.#watch();
    };
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => {
      if (this.#socket !== socket) return;
      this.#drop();
      if (this.#start) this.#closed(event.code, event.reason, wasOpen);
    };
  }

  /** @param {string | ArrayBuffer} data */
  #receive(data) {
    this.#heardAt = performance.now();
    if (typeof data !== "string") {
      const picture = unpackPicture(data);
      if (picture) this.emit("picture", picture);
      return;
    }
    /** @type {any} what the server sends is not checked further */
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    if (typeof message?.type !== "string") return;
    if (message.type === "ready") this.#ready(message);
    if (message.type === "queued") this.#announce("queued", { place: message.place });
    if (message.type === "error" && message.isFatal) this.#fatal = message;
    this.emit(message.type, message);
  }

  /** @param {import("types/live").Ready} message */
  #ready(message) {
    const isNew = this.#session !== null && this.#session !== message.session;
    this.#session = message.session;
    this.#store();
    this.#attempt = 0;
    this.#takesPictures = true;
    this.#announce("open");
    if (isNew) this.emit("renewed", null);
  }

  /**
   * @param {number} code
   * @param {string} reason
   * @param {boolean} wasOpen
   */
  async #closed(code, reason, wasOpen) {
    const isBusy = code === 1013 || this.#fatal?.code === "busy";
    const problem = this.#fatal ? new ServerError(0, this.#fatal.message, this.#fatal)
      : new ServerError(0, reason, { text: isBusy ? { busy: {} } : { closed: {} } });
    if ((code === 1008 || code === 1009 || this.#fatal) && !isBusy && code !== 1001) {
      return this.#announce("closed", { problem });
    }
    this.#attempt += 1;
    const seconds = backOff(this.#attempt, isBusy);
    this.#announce("waiting", {
      retryAt: performance.now() + seconds * 1000,
      problem: isBusy ? problem : null,
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), seconds * 1000);
    // A refused WebSocket gives no reason; a request does.
    if (!wasOpen && this.#attempt > 1) {
      try {
        await information();
      } catch (error) {
        if (!(error instanceof ServerError) || ![401, 403].includes(error.status)) return;
        clearTimeout(this.#timer);
        this.#announce("closed", { problem: error });
      }
    }
  }

  /** Detects a connection that is open but dead. */
  #watch() {
    clearInterval(this.#pinger);
    this.#tickedAt = performance.now();
    this.#pinger = setInterval(() => {
      const now = performance.now();
      const slept = now - this.#tickedAt > pingSeconds * 2000;
      this.#tickedAt = now;
      if (slept) this.#heardAt = now;
      if (now - this.#heardAt > silenceSeconds * 1000) {
        this.#drop();
        if (this.#start) this.#closed(1006, "", true);
      } else {
        this.send({ type: "ping", time: now });
      }
    }, pingSeconds * 1000);
  }

  #retryNow() {
    if (document.body.dataset.connection === "waiting") this.retry();
  }

  #drop(code = 4000) {
    clearInterval(this.#pinger);
    const socket = this.#socket;
    this.#socket = null;
    if (socket && socket.readyState < WebSocket.CLOSING) socket.close(code);
  }

  /**
   * @param {ConnectionState["state"]} state
   * @param {{retryAt?: number, problem?: ServerError | null, place?: number}} more
   */
  #announce(state, more = {}) {
    const { retryAt = null, problem = null, place = null } = more;
    this.emit("state", { state, attempt: this.#attempt, retryAt, problem, place });
    if (state === "waiting") this.#store();
  }

  #store() {
    if (!this.#resumes || !this.#session || !this.#start) return;
    const { chosenSource: source } = this;
    try {
      sessionStorage.setItem(resumeKey,
        JSON.stringify({ session: this.#session, source, time: Date.now() }));
    } catch {
      // Then a reload starts a new session.
    }
  }
}

/**
 * The session of this tab and its source, if the page was reloaded in time to resume it.
 *
 * @returns {{session?: string, source?: import("types/live").Source}}
 */
function recall() {
  try {
    const { session, source, time } = JSON.parse(sessionStorage.getItem(resumeKey) ?? "{}");
    return Date.now() - time < resumeSeconds * 1000 ? { session, source } : {};
  } catch {
    return {};
  }
}

function forget() {
  try {
    sessionStorage.removeItem(resumeKey);
  } catch {
    // Then nothing was stored.
  }
}

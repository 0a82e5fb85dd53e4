// @ts-check
/**
 * The WebSocket to the server: comes back by itself after a break and takes up the same session.
 *
 * Events: every message of the server under its `type` (detail: the message), `picture` (detail:
 * sequence, time, jpeg), `state` (detail: ConnectionState), `renewed` where the old session was
 * gone.
 *
 * @typedef {{state: "idle" | "connecting" | "open" | "waiting" | "closed", attempt: number,
 *   retryAt: number | null, reason: string | null}} ConnectionState
 */

import { information, Refusal } from "./api.js";
import { unpackPicture } from "./protocol.js";

const resumeKey = "kinema.session";
const resumeSeconds = 120;
const pingSeconds = 4;
const silenceSeconds = 12;

/**
 * Seconds until the next attempt: doubling to ten, a fifth to either side so that many pages don't
 * come back at once.
 *
 * @param {number} attempt from 1
 * @param {boolean} isBusy
 */
export function backOff(attempt, isBusy) {
  const seconds = Math.min((isBusy ? 5 : 0.5) * 2 ** (attempt - 1), isBusy ? 30 : 10);
  return seconds * (0.8 + 0.4 * Math.random());
}

export class Connection extends EventTarget {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {{source: import("./protocol.js").Source, settings: object} | null} */
  #wish = null;
  /** @type {string | null} */
  #session = null;
  #attempt = 0;
  #timer = 0;
  #pinger = 0;
  #heardAt = 0;
  #tickedAt = 0;
  /** @type {import("./protocol.js").Problem | null} */
  #fatal = null;

  constructor() {
    super();
    this.#session = recall();
    addEventListener("online", () => this.#retryNow());
    // A page that is loaded anew takes up its session.
    addEventListener("pagehide", () => {
      if (this.#session && this.#wish) store(this.#session);
    });
    addEventListener("pageshow", () => this.#retryNow());
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Whether what was sent has left the browser, so that a picture would not queue. */
  get isFlowing() {
    return this.isOpen && this.#socket?.bufferedAmount === 0;
  }

  /**
   * Connects; what is wished is sent again after each break.
   *
   * @param {import("./protocol.js").Source} source
   * @param {object} settings
   */
  start(source, settings) {
    this.#wish = { source, settings };
    this.#attempt = 0;
    this.#connect();
  }

  /** Ends the session: 1000 tells the server that nobody will come back to it. */
  stop() {
    this.#wish = null;
    clearTimeout(this.#timer);
    this.#drop(1000);
    this.#session = null;
    forget();
    this.#announce("idle");
  }

  /** Tries at once instead of waiting. */
  retry() {
    if (!this.#wish || this.isOpen) return;
    this.#attempt = 0;
    clearTimeout(this.#timer);
    this.#connect();
  }

  /**
   * Sends a message where the connection stands; what belongs to the session is said again by
   * `start`.
   *
   * @param {Record<string, any>} message
   */
  send(message) {
    if (this.#wish) {
      if (message.type === "source") this.#wish.source = message.source;
      if (message.type === "configure") Object.assign(this.#wish.settings, message.settings);
    }
    if (this.isOpen) this.#socket?.send(JSON.stringify(message));
  }

  /** @param {ArrayBuffer} picture */
  sendPicture(picture) {
    if (this.isOpen) this.#socket?.send(picture);
  }

  #connect() {
    this.#drop();
    this.#fatal = null;
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
      socket.send(JSON.stringify({ type: "start", ...this.#wish, ...resume }));
      this.#watch();
    };
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => {
      if (this.#socket !== socket) return;
      this.#drop();
      if (this.#wish) this.#closed(event.code, event.reason, wasOpen);
    };
  }

  /** @param {string | ArrayBuffer} data */
  #receive(data) {
    this.#heardAt = performance.now();
    if (typeof data !== "string") {
      const picture = unpackPicture(data);
      if (picture) this.dispatchEvent(new CustomEvent("picture", { detail: picture }));
      return;
    }
    /** @type {any} */
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    if (typeof message?.type !== "string") return;
    if (message.type === "ready") this.#ready(message);
    if (message.type === "error" && message.isFatal) this.#fatal = message;
    this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
  }

  /** @param {import("./protocol.js").Ready} message */
  #ready(message) {
    const isNew = this.#session !== null && this.#session !== message.session;
    this.#session = message.session;
    store(message.session);
    this.#attempt = 0;
    this.#announce("open");
    if (isNew) this.dispatchEvent(new CustomEvent("renewed"));
  }

  /**
   * @param {number} code
   * @param {string} reason
   * @param {boolean} wasOpen
   */
  async #closed(code, reason, wasOpen) {
    const isBusy = code === 1013 || this.#fatal?.code === "busy";
    const message = this.#fatal?.message ?? reason;
    if ((code === 1008 || code === 1009 || this.#fatal) && !isBusy && code !== 1001) {
      return this.#announce("closed", { reason: message || "The server ended the connection." });
    }
    this.#attempt += 1;
    const seconds = backOff(this.#attempt, isBusy);
    this.#announce("waiting", {
      retryAt: performance.now() + seconds * 1000,
      reason: isBusy ? message || "All places are taken." : null,
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), seconds * 1000);
    // A WebSocket doesn't say why it was refused; a request does.
    if (!wasOpen && this.#attempt > 1) {
      try {
        await information();
      } catch (error) {
        if (!(error instanceof Refusal) || ![401, 403].includes(error.status)) return;
        clearTimeout(this.#timer);
        this.#announce("closed", { reason: error.message });
      }
    }
  }

  /** Notices a connection that is open but dead. */
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
        if (this.#wish) this.#closed(1006, "", true);
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
   * @param {{retryAt?: number, reason?: string | null}} more
   */
  #announce(state, more = {}) {
    const { retryAt, reason } = more;
    const attempt = this.#attempt;
    const detail = { state, attempt, retryAt: retryAt ?? null, reason: reason ?? null };
    this.dispatchEvent(new CustomEvent("state", { detail }));
    if (state === "waiting" && this.#session) store(this.#session);
  }
}

/** The session of this tab, where the page was loaded anew within the time to resume it. */
function recall() {
  try {
    const { session, time } = JSON.parse(sessionStorage.getItem(resumeKey) ?? "{}");
    return Date.now() - time < resumeSeconds * 1000 ? session : null;
  } catch {
    return null;
  }
}

/** @param {string} session */
function store(session) {
  try {
    sessionStorage.setItem(resumeKey, JSON.stringify({ session, time: Date.now() }));
  } catch {
    // The session then lasts as long as the page.
  }
}

function forget() {
  try {
    sessionStorage.removeItem(resumeKey);
  } catch {
    // Nothing was stored, then.
  }
}

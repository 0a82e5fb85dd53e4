// @ts-check
/** What the banner says when the connection, the camera or the source has trouble. */

/**
 * @param {import("./session.js").LiveSession} session
 * @param {import("./banner.js").Banner} banner
 * @param {() => void} chooseSource moves the focus to the choice of sources
 */
export function tellTrouble(session, banner, chooseSource) {
  const { connection, camera } = session;
  /**
   * @param {EventTarget} target
   * @param {string} type
   * @param {(detail: any) => void} handle
   */
  const on = (target, type, handle) => target.addEventListener(type, (event) =>
    handle(/** @type {CustomEvent} */ (event).detail));

  on(connection, "state", (/** @type {import("./connection.js").ConnectionState} */ connected) => {
    const { state, retryAt, reason } = connected;
    document.body.dataset.connection = state;
    const run = () => connection.retry();
    if (state === "waiting") {
      const text = reason ?? "The connection is lost; what was counted is kept.";
      const action = { name: "Try now", run };
      banner.set("connection", { text, tone: "warn", retryAt, action });
    } else if (state === "closed") {
      const action = { name: "Try again", run };
      banner.set("connection", { text: reason ?? "", tone: "bad", action });
    } else if (state !== "connecting") {
      banner.set("connection", null);
    }
  });

  on(connection, "source", (/** @type {import("./protocol.js").SourceState} */ source) => {
    const { state, message, retryIn } = source;
    document.body.dataset.sourceState = state;
    if (session.isOwnCamera || session.isPaused || state === "live") {
      banner.set("source", null);
      return;
    }
    const usual = {
      connecting: "The source is being opened.",
      stale: "The source gives no pictures at the moment.",
      reconnecting: "The source has gone.", ended: "The source has ended.",
    };
    banner.set("source", {
      text: message || usual[state], tone: state === "connecting" ? "calm" : "warn",
      retryAt: retryIn ? performance.now() + retryIn * 1000 : null,
    });
  });

  on(connection, "error", (/** @type {import("./protocol.js").Problem} */ problem) => {
    if (!problem.isFatal) banner.note(problem.message, "bad");
  });

  on(connection, "renewed", () => banner.note(
    "The earlier session had ended; this is a new one. The earlier one is in the history."));

  on(camera, "state", ({ state, message, retryAt }) => {
    document.body.dataset.camera = state;
    const action = { name: "Another source", run: chooseSource };
    banner.set("camera",
      state === "live" ? null : { text: message, tone: "warn", retryAt, action });
  });

  on(session, "late", (/** @type {number | null} */ age) => {
    const late = ((age ?? 0) / 1000).toFixed(1);
    const text = `The computer that runs Kinema is slow: results come ${late} s late.`;
    banner.set("source", age === null ? null : { text, tone: "warn" });
  });
}

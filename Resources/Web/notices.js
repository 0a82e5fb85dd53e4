// @ts-check
/** Shows problems of the connection, the camera and the source in the banner. */

/**
 * @param {import("./session.js").LiveSession} session
 * @param {import("./banner.js").Banner} banner
 * @param {() => void} chooseSource moves the focus to the list of sources
 */
export function showProblems(session, banner, chooseSource) {
  const { connection, camera } = session;

  connection.on("state", ({ state, retryAt, reason, place }) => {
    document.body.dataset.connection = state;
    const run = () => connection.retry();
    if (state === "waiting") {
      const text = reason ?? "Connection lost. Your results are kept.";
      const action = { name: "Retry now", run };
      banner.set("connection", { text, tone: "warn", retryAt, action });
    } else if (state === "queued") {
      const who = place === 1 ? "You are next" : `${(place ?? 2) - 1} before you`;
      const text = `All places are taken. ${who}: this page begins by itself.`;
      banner.set("connection", { text, tone: "calm" });
    } else if (state === "closed") {
      const action = { name: "Try again", run };
      banner.set("connection", { text: reason ?? "", tone: "bad", action });
    } else if (state !== "connecting") {
      banner.set("connection", null);
    }
  });

  connection.on("source", ({ state, message, retryIn }) => {
    document.body.dataset.sourceState = state;
    if (session.isOwnCamera || session.isPaused || state === "live") {
      banner.set("source", null);
      return;
    }
    const texts = {
      connecting: "Opening the source …", stale: "The source sends no pictures at the moment.",
      reconnecting: "The source is disconnected.", ended: "The source has ended.",
    };
    banner.set("source", {
      text: message || texts[state], tone: state === "connecting" ? "calm" : "warn",
      retryAt: retryIn ? performance.now() + retryIn * 1000 : null,
    });
  });

  connection.on("error", ({ isFatal, message }) => {
    if (!isFatal) banner.note(message, "bad");
  });

  connection.on("renewed", () => banner.note(
    "The previous session has ended and is in the history. This is a new session."));

  camera.on("state", ({ state, message, retryAt }) => {
    document.body.dataset.camera = state;
    const action = { name: "Another source", run: chooseSource };
    banner.set("camera",
      state === "live" ? null : { text: message, tone: "warn", retryAt, action });
  });

  session.on("late", (lateness) => {
    if (!lateness) return banner.set("source", null);
    const causes = {
      server: "The computer that runs Kinema is slow", browser: "This browser is slow",
      network: "The connection is slow",
    };
    const seconds = (lateness.age / 1000).toFixed(1);
    const text = `${causes[lateness.cause]}: results are ${seconds} s late.`;
    banner.set("source", { text, tone: "warn" });
  });
}

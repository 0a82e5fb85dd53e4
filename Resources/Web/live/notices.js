// @ts-check
/** Shows problems of the connection, the camera and the source in the banner. */

import { number } from "../shared/format.js";
import { messageOf, reported, t } from "./texts.js";

/**
 * @param {import("./session.js").LiveSession} session
 * @param {import("./banner.js").Banner} banner
 * @param {() => void} chooseSource moves the focus to the list of sources
 */
export function showProblems(session, banner, chooseSource) {
  const { connection, camera } = session;

  connection.on("state", ({ state, retryAt, problem, place }) => {
    document.body.dataset.connection = state;
    const run = () => connection.retry();
    if (state === "waiting") {
      const text = problem ? messageOf(problem) : t("notice.lost");
      const action = { name: t("notice.retry"), run };
      banner.set("connection", { text, tone: "warn", retryAt, action });
    } else if (state === "queued") {
      const text = place === 1 ? t("notice.next") : t("notice.queued", { n: (place ?? 2) - 1 });
      banner.set("connection", { text, tone: "calm" });
    } else if (state === "closed") {
      const action = { name: t("notice.again"), run };
      banner.set("connection", { text: messageOf(problem), tone: "bad", action });
    } else if (state !== "connecting") {
      banner.set("connection", null);
    }
  });

  connection.on("source", ({ state, message, text, retryIn }) => {
    document.body.dataset.sourceState = state;
    if (session.isOwnCamera || session.isPaused || state === "live") {
      banner.set("source", null);
      return;
    }
    banner.set("source", {
      text: reported("error", text, message) || t(`source.${state}`),
      tone: state === "connecting" ? "calm" : "warn",
      retryAt: retryIn ? performance.now() + retryIn * 1000 : null,
    });
  });

  connection.on("error", ({ isFatal, message, text }) => {
    if (!isFatal) banner.note(reported("error", text, message), "bad");
  });

  connection.on("renewed", () => banner.note(t("notice.renewed")));

  camera.on("state", ({ state, problem, retryAt }) => {
    document.body.dataset.camera = state;
    const action = { name: t("notice.otherSource"), run: chooseSource };
    banner.set("camera", problem && { text: messageOf(problem), tone: "warn", retryAt, action });
  });

  session.on("late", (lateness) => {
    if (!lateness) return banner.set("source", null);
    const text = t(`late.${lateness.cause}`, { s: number(lateness.age / 1000, 1) });
    banner.set("source", { text, tone: "warn" });
  });
}

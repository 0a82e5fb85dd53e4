// @ts-check
/** What the buttons, the keys, the list of sources and presses on the picture do. */

import { byId, openDialog } from "../shared/dom.js";
import { remember } from "../shared/preferences.js";
import { listen } from "./keyboard.js";
import { t } from "./texts.js";

/**
 * @param {string} name "browser" or the id of a source on the server
 * @returns {import("types/live").Source}
 */
function sourceNamed(name) {
  return name === "browser" ? { kind: "browser" } : { kind: "server", id: name };
}

/**
 * Connects the controls with the parts of the page.
 *
 * @param {typeof import("./app.js").page} page
 */
export function connectControls(page) {
  const { session, settings, panel, performanceView, teacher, summary, history, form, sounds, voice, stage, banner,
    announcer, sourceSelect, start, setTools, showCameraProblem, openChallenge } = page;

  const commands = {
    pause() {
      if (!session.isActive) return;
      session.pause(!session.isPaused);
    },
    async camera() {
      if (!session.isOwnCamera) return;
      try {
        if (!(await session.nextCamera())) banner.note(t("flip.none"));
      } catch (error) {
        showCameraProblem(error);
      }
      setTools();
    },
    mirror() {
      session.toggleMirror();
      setTools();
    },
    sound() {
      sounds.isMuted = voice.isMuted = !sounds.isMuted;
      remember({ isMuted: sounds.isMuted });
      sounds.wake();
      setTools();
      if (!sounds.isMuted) sounds.play("count");
    },
    voice() {
      form.speaks = !form.speaks;
      remember({ speaksCues: form.speaks });
      setTools();
      banner.note(t(form.speaks ? "cues.on" : "cues.off"));
    },
    space: () => settings.set({ isLifting: byId("space-card").hidden }),
    details() {
      panel.showsDetails = !panel.showsDetails;
      byId("details-button").setAttribute("aria-pressed", String(panel.showsDetails));
      remember({ showsDetails: panel.showsDetails });
    },
    performance() {
      performanceView.isShown = !performanceView.isShown;
      byId("performance-button").setAttribute("aria-pressed", String(performanceView.isShown));
      remember({ showsPerformance: performanceView.isShown });
    },
    fullScreen() {
      if (document.fullscreenElement) document.exitFullscreen();
      else document.documentElement.requestFullscreen?.().catch(() => {});
    },
    teach: () => teacher.open(),
    summary: () => summary.open(),
    history: () => history.open(),
    settings: () => settings.open(),
    help: () => openDialog(byId("help-dialog")),
    lock: () => pin(nextPerson()),
  };

  /** The person after the followed one; null after the last. */
  function nextPerson() {
    if (!page.frame) return null;
    const ids = page.frame.persons.map(({ id }) => id).sort((a, b) => a - b);
    if (!page.frame.isPinned) return ids[0] ?? null;
    return ids.find((id) => id > (page.frame?.prominent ?? 0)) ?? null;
  }

  /** @param {number | null} person */
  function pin(person) {
    session.connection.send({ type: "pin", person });
    announcer.announce(person === null ? t("person.free") : t("person.followed", { person }));
  }

  /** @type {Record<string, () => void>} */
  const buttons = {
    "start-camera": () => start({ kind: "browser" }),
    "start-synthetic": () => start({ kind: "server", id: page.syntheticSource }),
    "start-history": commands.history, "start-settings": commands.settings,
    "start-help": commands.help,
    "leave-button": () => {
      session.end();
      byId("start-camera").focus();
    },
    "pause-button": commands.pause, "camera-button": commands.camera,
    "mirror-button": commands.mirror, "sound-button": commands.sound,
    "voice-button": commands.voice,
    "details-button": commands.details, "limit-button": commands.settings,
    "performance-button": commands.performance, "space-button": commands.space,
    "fullscreen-button": commands.fullScreen,
    "teach-button": commands.teach, "summary-button": commands.summary, "history-button": commands.history,
    "settings-button": commands.settings, "help-button": commands.help,
    "challenge-button": openChallenge,
    "person-button": () => pin(page.frame?.isPinned ? null : page.frame?.prominent ?? null),
    "more-button": () => setMore(!document.body.classList.contains("more")),
  };
  for (const [id, run] of Object.entries(buttons)) byId(id).addEventListener("click", run);

  /** @param {boolean} isOpen */
  function setMore(isOpen) {
    document.body.classList.toggle("more", isOpen);
    byId("more-button").setAttribute("aria-expanded", String(isOpen));
  }
  byId("more").addEventListener("click", () => setMore(false));
  addEventListener("pointerdown", (event) => {
    if (!(/** @type {HTMLElement} */ (event.target).closest("#more, #more-button"))) setMore(false);
  });

  byId("stage").addEventListener("click", (event) => {
    const person = stage.personAt(event.clientX, event.clientY);
    const isSame = page.frame?.isPinned && person?.id === page.frame.prominent;
    if (person || page.frame?.isPinned) pin(person && !isSame ? person.id : null);
  });
  let isPointed = false;
  sourceSelect.addEventListener("pointerdown", () => { isPointed = true; });
  sourceSelect.addEventListener("keydown", () => { isPointed = false; });
  sourceSelect.addEventListener("change", () => {
    // After a press, keys are shortcuts again instead of operating the list.
    if (isPointed) sourceSelect.blur();
    start(sourceNamed(sourceSelect.value));
  });
  document.addEventListener("fullscreenchange", () => {
    const isFull = document.fullscreenElement !== null;
    byId("fullscreen-button").setAttribute("aria-pressed", String(isFull));
  });

  const whenLive = (/** @type {() => void} */ run) => () => {
    if (session.isActive) run();
  };
  listen({
    " ": whenLive(commands.pause), s: whenLive(commands.summary), c: whenLive(openChallenge),
    t: whenLive(commands.teach), h: commands.history, m: whenLive(commands.mirror), k: whenLive(commands.camera),
    l: whenLive(commands.lock), u: commands.sound, v: commands.voice, f: commands.fullScreen,
    d: whenLive(commands.details), 3: whenLive(commands.space), p: whenLive(commands.performance),
    ",": commands.settings, "?": commands.help, Escape: () => setMore(false),
  });

  return { pause: commands.pause };
}

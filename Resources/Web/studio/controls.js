// @ts-check
/** The controls of a player: play, scrub, speed, skeleton. */

import { button, icon, make, setIcon, setText } from "../shared/dom.js";
import { setSkeleton, skeleton } from "./player.js";
import { moment, t } from "./texts.js";

/**
 * A group of buttons of which one is pressed.
 *
 * @template {string} Value
 * @param {string} name
 * @param {[Value, string][]} choices
 * @param {Value} chosen
 * @param {(value: Value) => void} onChange
 */
export function segmented(name, choices, chosen, onChange) {
  const buttons = choices.map(([value, text]) => {
    const made = button("", {}, text, () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === made));
      onChange(value);
    });
    made.setAttribute("aria-pressed", String(value === chosen));
    made.dataset.value = value;
    return made;
  });
  return make("div", { className: "segmented", role: "group", "aria-label": name }, ...buttons);
}

/**
 * @param {import("./player.js").Player} player
 * @param {{hasScrubber?: boolean}} options
 */
export function controls(player, { hasScrubber = true } = {}) {
  const play = make("button", { className: "tool", type: "button", "aria-label": t("player.play") },
    icon("play"));
  play.addEventListener("click", () => player.toggle());
  const scrubber = make("input",
    { type: "range", min: "0", step: "0.01", "aria-label": t("player.position") });
  const clock = make("span", { className: "clock" });
  scrubber.addEventListener("input", () => player.seek(player.start + Number(scrubber.value)));
  scrubber.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    player.toggle();
  });
  player.on("state", (isPlaying) => {
    setIcon(play, isPlaying ? "pause" : "play");
    play.setAttribute("aria-label", t(isPlaying ? "player.pause" : "player.play"));
  });
  player.on("time", (time) => {
    const length = Math.max(0.01, player.end - player.start);
    scrubber.max = String(length);
    scrubber.value = String(time - player.start);
    const text = `${moment(time)} / ${moment(player.end)}`;
    scrubber.setAttribute("aria-valuetext", text);
    setText(clock, text);
  });
  return make("div", { className: "controls" }, play, hasScrubber && scrubber, clock,
    skeletonChoice({ onChange: () => player.redraw() }));
}

/**
 * Whether skeletons are drawn, or they alone.
 *
 * @param {{onChange: () => void}} options
 */
export function skeletonChoice({ onChange }) {
  const choice = segmented(t("player.skeleton"), [["on", t("player.on")],
    ["off", t("player.off")], ["alone", t("player.alone")]], skeleton.mode, (mode) => {
    setSkeleton(mode);
    onChange();
  });
  return make("span", { className: "skeleton-choice" },
    make("span", { "aria-hidden": "true" }, t("player.skeleton")), choice);
}

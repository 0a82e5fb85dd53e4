"""The steps on what fails meanwhile and is made good: an undo, a camera, poses that do not come."""

import os

from browser import answered
from studio_steps import (
    call, choose_clip, clips, expect, go, own_project, refilled, sound, undo, upload)

# Enough of the page's person to be drawn: all joints on a diagonal, at the first moment of a video.
PERSON = """
  const done = arguments[0];
  fetch("/api/v1/info").then((answer) => answer.json()).then(({ wireframes }) => {
    const joints = wireframes.body.joints.map(({ name }) => name);
    const points = joints.flatMap((_, place) => [0.3 + 0.02 * place, 0.3 + 0.02 * place, 1]);
    done(JSON.stringify({ joints, frames: [{ time: 0, people: [{ id: 1, points }] }] }));
  });"""

DRAWN = """
  const canvas = document.querySelector(".player canvas");
  return canvas.width > 0 && canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
    .data.some((value) => value > 0);"""


def undone(options):
    """What could not be undone says why, and can still be undone."""
    files = [file for videos in clips(options).values() for file in videos][:2]
    with own_project(options, "Undone later") as (browser, name):
        go(browser, f"{name}/data")
        upload(browser, "training", "hop", files)
        browser.wait("two clips", "return document.querySelectorAll('.clip-option').length === 2")
        choose_clip(browser)
        with refilled(browser):
            browser.press("\ue017")
        with answered(browser, "POST", "/items"):
            undo(browser)
            browser.wait("the refusal", "return window.kinemaAsked.length === 1")
            failed = browser.wait("why it failed", """
              const toast = document.getElementById("toast");
              return toast.dataset.tone === "bad" && toast.innerText;""")
            sound(browser, "an undo that failed", options)
            browser.screenshot(options.out, "undo-failed")
        with refilled(browser):
            browser.click("undo")
        done = browser.wait("the clip to come back", """
          const toast = document.getElementById("toast");
          return toast.dataset.tone === "calm" && toast.innerText;""")
        total = call(browser, "GET", f"projects/{name}/items")["total"]
        expect(total == 2, f"{total} of 2 clips are there after the second undo")
    expect("Undone" not in failed and "Undone" in done, f"it says {failed}, then {done}")
    return {"failed": failed, "done": done}


def camera_lost(options):
    """Where the camera is lost during a take or its count-down, the take is not kept, and the page says so
    and can be used again."""
    message = "The camera stopped, so this take is not kept. Record it again."
    with own_project(options, "A lost camera") as (browser, name):
        go(browser, f"{name}/record")
        browser.write("take-label", "lost_move")
        browser.run("""
          document.getElementById("take-seconds").value = "30";
          document.getElementById("take-wait").value = "3";""")
        for moment in ("now", "soon"):
            # What is recorded between takes ends with the camera as well.
            browser.run("document.getElementById('record-between').checked = arguments[0]", moment == "soon")
            browser.click("record")
            browser.wait(f"the take, {moment}", """
              return document.querySelector("[data-recording]")?.dataset.recording === arguments[0];""", moment)
            # As where a camera is unplugged: a track that its page stops has no event.
            browser.run("""
              for (const track of document.querySelector(".player video").srcObject.getTracks()) {
                track.stop();
                track.dispatchEvent(new Event("ended"));
              }""")
            browser.wait("the controls", """
              return document.getElementById("record").checkVisibility()
                && !document.getElementById("take-label").disabled;""")
            text = browser.text("record-state")
            expect(text == message, f"it says {text}")
            browser.screenshot(options.out, f"camera-lost-{moment}")
        kept = [call(browser, "GET", f"projects/{name}/{part}")[part] for part in ("takes", "uploads")]
        expect(kept == [[], []], f"a take was kept: {kept}")
    return {"text": text}


def late_poses(options):
    """Poses that could not be loaded are asked for again, though not at once, and are drawn when they come."""
    with own_project(options, "Late poses") as (browser, name):
        go(browser, f"{name}/montage")
        with answered(browser, "GET", "/poses"):
            browser.write("montage-file", os.path.abspath(next(iter(clips(options).values()))[0]))
            browser.wait("the video", "return document.querySelector('video')?.readyState >= 2", seconds=60)
            asked = browser.wait("it to ask again", """
              return window.kinemaAsked.length > 1 && window.kinemaAsked;""")
            expect(not browser.run(DRAWN), "a person is drawn without poses")
            browser.run("window.kinemaAnswer = arguments[0]", browser.later(PERSON))
            browser.wait("the person", DRAWN)
        pauses = [round(later - sooner) for sooner, later in zip(asked, asked[1:])]
        expect(min(pauses) > 1000, f"it asked again after {pauses} ms")
    return {"pauses": pauses}


ALL = [undone, camera_lost, late_poses]

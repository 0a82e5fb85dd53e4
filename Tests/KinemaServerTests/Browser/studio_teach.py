"""Teaching from start to end: takes of one person, a model, another person on the live page."""

import glob
import os
import shutil
import subprocess
import tempfile
import time

from browser import Failure, page
from studio_steps import call, expect, go, refilled

NAMED = """
  const label = document.getElementById("label");
  const seen = label.dataset.status === "action" ? label.innerText.trim() : label.dataset.status;
  return [seen, document.getElementById("confidence").innerText];"""


def converted(source, target):
    """Makes what the camera plays of a video: Motion JPEG of the camera's size."""
    frame = ("scale=640:480:force_original_aspect_ratio=decrease,"
             "pad=640:480:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=30")
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, "-an", "-vf", frame, "-c:v", "mjpeg",
                    "-q:v", "3", "-pix_fmt", "yuvj420p", "-f", "mjpeg", target], check=True)


def films(options, folder):
    """Motion JPEG files of each move: what teaches it, and what another person shows."""
    found = {}
    for move in sorted(glob.glob(os.path.join(options.moves, "*/")[:-1])):
        label = os.path.basename(move)
        found[label] = {}
        for source in glob.glob(os.path.join(move, "*.*")):
            role = os.path.splitext(os.path.basename(source))[0]
            found[label][role] = os.path.join(folder, f"{label}-{role}.mjpeg")
            converted(source, found[label][role])
    taught = [label for label, roles in found.items() if {"teacher", "other"} <= set(roles)]
    expect(len(taught) == 2, f"{options.moves} has {len(taught)} moves with teacher and other")
    return {label: found[label] for label in taught}, {
        label: roles["other"] for label, roles in found.items() if label not in taught}


def recorded(browser, project, label, options):
    """Records three takes; the time of the end of the last one."""
    go(browser, f"{project}/record")
    browser.write("take-label", label)
    browser.write("take-person", "teacher")
    browser.run("""
      document.getElementById("take-seconds").value = arguments[0];
      document.getElementById("take-wait").value = "3";
      document.getElementById("take-number").value = "3";""", str(options.take_seconds))
    browser.click("record")
    browser.wait("the takes", """
      return document.getElementById("record-state").innerText === "All takes are recorded.";""",
                 seconds=60 + 3 * options.take_seconds)
    return time.monotonic()


def shown(browser, film, camera, wanted, seconds):
    """What the live page names while a film plays, until it names it as wanted; the time of that."""
    shutil.copyfile(film, camera)
    # A session that goes on after the page is loaded again would keep its windows.
    browser.run("""
      if (document.body.dataset.view === "live") document.getElementById("leave-button").click();
      return true;""")
    browser.reload()
    browser.start()
    seen = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        name, confidence = browser.run(NAMED)
        if not seen or seen[-1][0] != name:
            seen.append([name, confidence])
        if name == wanted:
            break
        time.sleep(0.05)
    return seen, time.monotonic()


def words(label):
    """A label as the page writes it."""
    return label.replace("_", " ").title()


# The most seconds from the end of the last take to the first right label, on two free cores; other
# tests may share them, so that it may take SLACK times as long.
LIMIT = 90
SLACK = 2


def teach(options):
    """Two new moves of one person, three takes each: another person is named live, and somebody who
    does something else is not given one of them."""
    if not options.moves:
        return {"skipped": "no films of moves were given"}
    with tempfile.TemporaryDirectory() as folder:
        moves, others = films(options, folder)
        camera = os.path.join(folder, "camera.mjpeg")
        shutil.copyfile(next(iter(moves.values()))["teacher"], camera)
        with page(options, camera=camera) as browser:
            project = call(browser, "POST", "projects", {"name": "Taught"})["id"]
            for label, roles in moves.items():
                shutil.copyfile(roles["teacher"], camera)
                over = recorded(browser, project, label, options)
            browser.screenshot(options.out, "teach-takes")
            browser.wait("the takes", f"""
              return fetch("/api/v1/studio/projects/{project}/takes").then((answer) => answer.json())
                .then(({{takes}}) => takes.length === {3 * len(moves)}
                  && takes.every(({{state}}) => state !== "working"));""", seconds=600)
            cut = time.monotonic() - over
            takes = call(browser, "GET", f"projects/{project}/takes")["takes"]
            failed = [take["message"] for take in takes if take["state"] != "done"]
            expect(not failed, f"takes failed: {failed}")
            with refilled(browser):
                browser.click("few-takes")
                browser.wait("the run", "return location.hash.includes('/runs/')")
            number = browser.run("return location.hash.split('/').at(-1)")
            browser.wait("the end of the run", """
              const {state} = document.getElementById("run-state")?.dataset ?? {};
              return ["done", "failed"].includes(state);""", seconds=60 * options.minutes)
            trained = time.monotonic() - over
            browser.screenshot(options.out, "teach-run")
            run = call(browser, "GET", f"projects/{project}/runs/{number}")
            expect(run["state"] == "done", f"the run is {run['state']}: {run['message']}")
            browser.click("to-output")
            browser.wait("the output", "return !!document.getElementById('use')")
            browser.click("use")
            browser.wait("the session", "return document.body.dataset.view === 'live'")
            browser.url = browser.driver.current_url
            result, first = {}, None
            for label, roles in moves.items():
                seen, now = shown(browser, roles["other"], camera, words(label), 40)
                first = first or now - over
                browser.screenshot(options.out, f"teach-{label}")
                result[label] = seen
            for label, film in others.items():
                result[label] = shown(browser, film, camera, None, 8)[0]
            call(browser, "DELETE", f"projects/{project}")
        wrong = [label for label in moves if result[label][-1][0] != words(label)]
        if wrong:
            raise Failure(f"not named: {wrong}; named {result}")
        taken = [label for label in others
                 if result[label][-1][0] in {words(move) for move in moves}]
        expect(not taken, f"named as a move: {taken}; named {result}")
        expect(first <= SLACK * LIMIT, f"the first right label took {first:.0f} s")
    return {"cut": round(cut, 1), "trained": round(trained, 1), "firstLabel": round(first, 1),
            "sets": {take["id"]: len(take["items"]) for take in takes},
            "leaveOneOut": run["leaveOneOut"], "named": result}


ALL = [teach]

"""The steps on what is long or many: a montage of ten minutes, a project of 500 videos."""

import csv
import io
import os
import statistics
import subprocess
import tempfile
import time

from browser import page
from served import server
from studio_steps import BACKSPACE, CONTROL, ENTER, RIGHT, SHIFT, call, chord, clips, expect, go, ready

LEFT = "\ue012"
FRAME_RATE = 15
SETS = ["jumping_jacks", "squats", "lunges"]
# What a person would not mend, in seconds.
TOLERANCE = 1.0

# The row of the list that is chosen: whether it is a suggestion, label, start and end.
CHOSEN = """
  const row = document.querySelector("#segments [aria-pressed=true]");
  if (!row) return null;
  const seconds = (text) => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const [start, end] = row.querySelector(".quiet").innerText.split(" · ")[0].split(" – ").map(seconds);
  return [row.classList.contains("guess-row"), row.querySelector("b").innerText.trim(), start, end];"""


def long_video(options, folder, count):
    """A synthetic person, twenty seconds a set with its rest; the sets as label, start, end."""
    actions = [name for index in range(count) for name in (SETS[index % 3], "standing")]
    subprocess.run([options.program, "synth", "--output", os.path.join(folder, "long.mp4"),
                    "--poses", os.path.join(folder, "poses.npz"),
                    "--labels", os.path.join(folder, "long.csv"),
                    "--actions", ",".join(actions + ["standing"] * 4), "--repetitions", "6",
                    "--size", "64x48", "--fps", str(FRAME_RATE)], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "long.csv"), encoding="utf-8") as file:
        rows = [(row["label"], float(row["start_time"]), float(row["end_time"]))
                for row in csv.DictReader(file)]
    return [row for row in rows if row[0] in SETS], rows[-1][2]


# Where the playhead is, once the video shows it.
PLAYHEAD = """
  const video = document.querySelector(".player video");
  const range = document.querySelector(".player + .controls input[type=range]");
  return !(video?.seeking && !video.hidden) && [Number(range.value)];"""


class Keyboard:
    """Presses keys in the montage and counts them: those that mark, and those that move."""

    def __init__(self, browser):
        self.browser = browser
        self.count = 0
        self.moves = 0

    def press(self, key):
        """One key."""
        self.browser.press(key)
        self.count += 1

    def reach(self, time):
        """Moves the playhead to the frame that is next to a time, by seconds and by frames; returns
        the time of the frame."""
        left = time - self.browser.wait("the playhead", PLAYHEAD)[0]
        frames = round(abs(left) * FRAME_RATE)
        key = RIGHT if left > 0 else LEFT
        seconds, frames = divmod(frames, FRAME_RATE)
        if seconds:
            chord(self.browser, SHIFT, key * seconds)
        if frames:
            self.browser.press(key * frames)
        self.moves += seconds + frames
        now = self.browser.wait("the playhead", PLAYHEAD)[0]
        expect(abs(now - time) <= 0.6 / FRAME_RATE, f"the playhead is at {now} instead of {time}")
        return now


def saved_rows(browser, project, file):
    """The rows of the saved table for a file, and those that the page would open."""
    chord(browser, CONTROL, "s")
    browser.wait("the save", "return document.getElementById('saved').dataset.saved === 'true'")
    text = browser.run("""
      return fetch(`/api/v1/studio/projects/${arguments[0]}/annotations.csv?well=training`)
        .then((answer) => answer.text());""", project)
    rows = [(row["label"], float(row["start_time"]), float(row["end_time"]))
            for row in csv.DictReader(io.StringIO(text)) if row["file_name"] == file]
    opened = call(browser, "GET", f"projects/{project}/annotations?file={file}")["segments"]
    expect([(segment["label"], segment["start"], segment["end"]) for segment in opened] == rows,
           "the page opens other segments than the file has")
    return rows


def by_hand(browser, project, sets):
    """Marks the sets with I, O and a digit each; returns the numbers of keys."""
    go(browser, f"{project}/montage?file=long.mp4")
    browser.wait("the video", "return document.querySelector('video').readyState >= 1")
    for label in SETS:
        browser.press("n")
        browser.press(label + ENTER)
    keyboard = Keyboard(browser)
    marked = []
    for label, start, end in sets:
        start = keyboard.reach(start)
        keyboard.press("i")
        end = keyboard.reach(end)
        keyboard.press("o")
        keyboard.press(str(SETS.index(label) + 1))
        marked.append((label, round(start, 3), round(end, 3)))
    rows = saved_rows(browser, project, "long.mp4")
    different = [pair for pair in zip(rows, marked) if pair[0][0] != pair[1][0] or any(
        abs(a - b) > 0.011 for a, b in zip(pair[0][1:], pair[1][1:]))]
    expect(len(rows) == len(marked) and not different, f"saved and marked differ: {different[:3]}")
    return {"marks": keyboard.count, "moves": keyboard.moves}


def from_suggestions(browser, project, sets, out):
    """Accepts, mends and rejects suggestions until the sets are marked; returns what was done."""
    go(browser, f"{project}/montage?file=poses.npz")
    keyboard = Keyboard(browser)
    done = {"accepted": 0, "renamed": 0, "trimmed": 0, "rejected": 0, "byHand": 0}
    keyboard.press("s")
    browser.wait("the suggestions", "return !!document.querySelector('.guess-row')", seconds=300)
    browser.screenshot(out, "suggestions")
    left = list(sets)
    while (chosen := browser.run(CHOSEN)) and chosen[0]:
        _, label, start, end = chosen
        best = max(left, default=None,
                   key=lambda row: min(row[2], end) - max(row[1], start))
        if best is None or min(best[2], end) - max(best[1], start) < (end - start) / 2:
            keyboard.press(BACKSPACE)
            done["rejected"] += 1
            continue
        left.remove(best)
        for key, wanted, given in (("[", best[1], start), ("]", best[2], end)):
            if abs(wanted - given) > TOLERANCE:
                keyboard.reach(wanted)
                keyboard.press(key)
                done["trimmed"] += 1
        is_named = label == best[0].replace("_", " ").title()
        keyboard.press(ENTER if is_named else str(SETS.index(best[0]) + 1))
        done["accepted" if is_named else "renamed"] += 1
    for label, start, end in left:
        keyboard.reach(start)
        keyboard.press("i")
        keyboard.reach(end)
        keyboard.press("o")
        keyboard.press(str(SETS.index(label) + 1))
        done["byHand"] += 1
    browser.screenshot(out, "suggested")
    rows = saved_rows(browser, project, "poses.npz")
    wrong = [pair for pair in zip(rows, sets) if pair[0][0] != pair[1][0] or any(
        abs(a - b) > TOLERANCE + 0.1 for a, b in zip(pair[0][1:], pair[1][1:]))]
    expect(len(rows) == len(sets) and not wrong, f"{len(rows)} segments, not as wanted: {wrong[:3]}")
    return {"marks": keyboard.count, "moves": keyboard.moves, **done}


def marking(options, count=9):
    """Segments are marked by keyboard alone; suggestions save two in five keys at least."""
    with server(options) as own, tempfile.TemporaryDirectory() as folder:
        sets, seconds = long_video(options, folder, count)
        with page(options, url=own.url) as browser:
            project = call(browser, "POST", "projects", {"name": "Long"})["id"]
            own.put(project, [os.path.join(folder, name) for name in ("long.mp4", "poses.npz")])
            keys = by_hand(browser, project, sets)
            browser.screenshot(options.out, "marking")
            suggested = from_suggestions(browser, project, sets, options.out)
            expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    # People who stand shift their weight, which lengthens some of the sets that are suggested.
    halves = all(suggested[kind] <= 0.6 * keys[kind] for kind in keys)
    expect(halves, f"{keys} keys by hand, {suggested} with suggestions")
    return {"seconds": round(seconds), "segments": len(sets), "byHand": keys, "suggested": suggested}


def marking_long(options):
    """Thirty segments of ten minutes are marked by keyboard alone; suggestions save two in five keys at least."""
    return marking(options, 30)


PAGES = ["data", "montage", "record", "runs", "evaluation", "preview", "output"]

# Milliseconds from a click on a clip to the first frame of its video on the screen.
FIRST_FRAME = """
  const [index, done] = arguments;
  const video = document.querySelector(".viewer video");
  const began = performance.now();
  video.addEventListener("loadeddata", () => {
    video.requestVideoFrameCallback(() => done(performance.now() - began));
    document.querySelector(".viewer .controls .tool").click();
  }, {once: true});
  document.querySelectorAll(".clip-option")[index].click();"""

# Milliseconds of each of a number of requests.
REQUESTS = """
  const [path, count, done] = arguments;
  (async () => {
    const times = [];
    for (let index = 0; index < count; index += 1) {
      const began = performance.now();
      const answer = await fetch(`/api/v1/studio/${path}`);
      await answer.text();
      if (answer.ok) times.push(performance.now() - began);
    }
    done(times);
  })();"""


def spread(times):
    """The median and the longest of some times, in milliseconds."""
    return {"median": round(statistics.median(times)), "longest": round(max(times))}


# The most milliseconds of the median answer, of a page until it is filled and of the median first
# frame with 500 videos on two free cores; other tests may share them, so that a step may take SLACK
# times as long.
LIMITS = {"answer": 200, "page": 500, "frame": 500}
SLACK = 2


def many(options):
    """500 videos: how soon the pages answer, and how soon a clip plays after it was chosen."""
    with server(options) as own, tempfile.TemporaryDirectory() as folder:
        found = [(label, file) for label, files in clips(options).items() for file in files]
        with page(options, url=own.url) as browser:
            project = call(browser, "POST", "projects", {"name": "Many"})["id"]
            items = []
            for index in range(500):
                label, file = found[index % len(found)]
                name = f"{label}-{index:03}{os.path.splitext(file)[1]}"
                target = os.path.join(folder, name)
                with open(file, "rb") as source, open(target, "wb") as video:
                    # A box of type `free` that makes each file another one.
                    video.write(source.read() + (16).to_bytes(4, "big") + b"free"
                                + index.to_bytes(8, "big"))
                own.put(project, [target])
                os.remove(target)
                items.append({"file": name, "label": label, "well": "training"})
            call(browser, "POST", f"projects/{project}/items", {"items": items})
            place = f"projects/{project}"
            first = browser.later(REQUESTS, place, 1)
            answers = {path or "project": spread(browser.later(REQUESTS, path, 15)) for path in (
                "projects", place, f"{place}/items?limit=100", f"{place}/media", f"{place}/runs",
                f"{place}/takes", f"{place}/jobs",
                f"{place}/annotations?file={items[0]['file']}")}
            pages = {}
            go(browser)
            for name in PAGES * 3:
                began = time.monotonic()
                browser.run("document.body.dataset.prepared = 'false'")
                browser.run("location.hash = arguments[0]", f"#/{project}/{name}")
                ready(browser)
                pages.setdefault(name, []).append((time.monotonic() - began) * 1000)
            go(browser, f"{project}/data")
            browser.wait("the clips", "return document.querySelectorAll('.clip-option').length > 99")
            frames = [browser.later(FIRST_FRAME, index) for index in range(1, 100, 5)]
            browser.screenshot(options.out, "many")
            expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    seen = {"firstAnswer": round(first[0]), "answers": answers,
            "pages": {name: round(min(times)) for name, times in pages.items()},
            "firstFrame": spread(frames)}
    slow = {path: times for path, times in answers.items()
            if times["median"] > SLACK * LIMITS["answer"]}
    slow.update({name: time for name, time in seen["pages"].items()
                 if time > SLACK * LIMITS["page"]})
    if seen["firstFrame"]["median"] > SLACK * LIMITS["frame"]:
        slow["firstFrame"] = seen["firstFrame"]
    expect(not slow, f"too slow: {slow}")
    return seen


ALL = [marking, marking_long, many]

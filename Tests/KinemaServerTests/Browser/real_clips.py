#!/usr/bin/env python3
"""Plays labelled clips of real people to the page of `kinema live` as its camera, and compares what it shows.

    real_clips.py URL --shared FOLDER [--clip life/ge_jacks …] [--model Exercise …] [--out FOLDER]

Without --clip all clips run that have a label: an hour for each model. A table goes to standard error.
Exit status: 0 nothing contradicts, 1 something does, 69 Chromium is missing.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from browser import Browser
from calm_steps import WATCH, contradictions
from running import parse, run
from steps import expect

FOLDERS = ("exercises", "life")
MODELS = ("Exercise", "Workout")
# The rate at which Chromium plays a file of Motion JPEG.
RATE = 30
# Nobody is in the picture for so many seconds behind a clip, so that its last set ends before the file repeats.
AFTER = 40
# So long a set lasts when its person has left, with room for a slow machine; seconds.
ENDING = 20
# What the summary lists of what is held (docs/live-protocol.md), and how far two clocks in whole seconds differ.
LEAST_HELD, SAME_CLOCK = 3, 1
# In so many of the clips at most one other name may be shown before the right one, or at all where that never comes:
# how often it does is measured by `kinema bench real-people`.
LEAST_NAMED = 0.9


def labels(folder):
    """The labels of each clip in their order; those without a name of an action included."""
    found = {}
    for name in FOLDERS:
        with open(folder / name / "index.csv", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["label"]:
                    clip = f"{name}/{Path(row['file']).stem}"
                    found.setdefault(clip, []).append((float(row["start_time"] or 0), row["label"]))
    return {clip: [label for _, label in sorted(rows)] for clip, rows in sorted(found.items())}


def film(clip, folder):
    """A clip as Motion JPEG with an empty picture behind it, and its duration in seconds."""
    path = os.path.join(folder, "clip.mjpeg")
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-i", clip, "-an", "-vf",
         f"fps={RATE},scale='trunc(min(640,iw)/2)*2':-2,tpad=stop_duration={AFTER}:stop_mode=add:color=gray",
         "-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p", path], check=True)
    duration = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", clip],
        check=True, capture_output=True, text=True)
    return path, float(duration.stdout)


def known(browser, model):
    """The names of a model's labels on the page, and what they are, by the label."""
    return browser.later("""
      const [model, done] = arguments;
      Promise.all([fetch("/api/v1/models").then((answer) => answer.json()), import("/shared/format.js")])
        .then(([{ models }, { words }]) => {
          const { kinds } = models.find(({ id }) => id === model);
          done(Object.fromEntries(Object.entries(kinds).map(([label, kind]) => [label, [words(label), kind]])));
        });""", model)


def seconds(text):
    """What a clock on the page shows, in seconds."""
    total = 0
    for part in text.split(":"):
        total = 60 * total + int(part)
    return total


def result_of_rest(row):
    """The name and the result of the set that a rest follows, as the page says them: “Set 1 · Squats · 4 repetitions”."""
    parts = row["line"].split(" · ")
    return (parts[1], parts[2].split()[0]) if row["state"] == "rest" and len(parts) == 3 else None


def sets_shown(rows, revisions):
    """The name and the result of each set when it was last shown, as later names change it, and what fell at its end."""
    shown, fallen, present, rest = {}, [], None, None
    events = sorted([*rows, *revisions, {"at": float("inf")}], key=lambda event: event["at"])
    for event in events:
        if event.get("type") == "setRevised":
            if event.get("joined") is not None:
                shown.pop(event["set"], None)
            elif event["set"] in shown:
                shown[event["set"]] = (event["text"], str(event["repetitions"]))
            continue
        if event.get("state") == "rest":
            rest = result_of_rest(event) or rest
            continue
        if event.get("state") == "ready":
            continue
        # The last repetition of a set is counted when it ends: the rest says the result.
        if rest and present in shown and rest[0] == shown[present][0]:
            if value(rest[1]) < value(shown[present][1]) - SAME_CLOCK * (":" in rest[1]):
                fallen.append(f"{rest[0]} had {shown[present][1]} and has {rest[1]} at its end")
            shown[present] = rest
        rest = None
        if event.get("set"):
            present = int(event["set"])
            shown[present] = (event["label"], event["count"])
    return list(shown.values()), fallen


def value(result):
    """A number of repetitions, or seconds."""
    return seconds(result) if ":" in result else int(result)


def differences(shown, listed):
    """Where the sets of the summary are not those that were shown."""
    counted = Counter((name, int(result)) for name, result in shown if result.isdigit() and int(result) > 0)
    others = Counter((name, int(result.split()[0])) for name, result in listed if ":" not in result)
    found = [f"{name} with {count} repetitions was shown {counted[name, count]} times and is listed "
             f"{others[name, count]} times" for name, count in sorted(counted.keys() | others.keys())
             if counted[name, count] != others[name, count]]
    held = sorted((name, seconds(result)) for name, result in shown if ":" in result)
    rows = sorted((name, seconds(result)) for name, result in listed if ":" in result)
    for name, time in held:
        near = next((row for row in rows if row[0] == name and abs(row[1] - time) <= SAME_CLOCK), None)
        if near:
            rows.remove(near)
        elif time > LEAST_HELD:
            found.append(f"{name}, held for {time} s, is not listed")
    return found + [f"{name}, held for {time} s, is listed and was not shown" for name, time in rows]


def kinds_of(rows, words):
    """Where what is held shows repetitions, or what is counted a time."""
    kinds = dict(words.values())
    return sorted({
        f"{row['label']} ({kinds[row['label']]}) shows “{row['count']} {row['unit']}”" for row in rows
        if row["state"] == "working" and row["unit"]
        and (kinds.get(row["label"]) == "timed") != (":" in row["count"]) and row["label"] in kinds})


def names_of(rows):
    """The names that were shown, each once for as long as it stood."""
    names = []
    for row in rows:
        if row["state"] == "working" and row["set"] and row["label"] not in names[-1:]:
            names.append(row["label"])
    return names


def session(options, clip, model):
    """Everything that the page shows of a clip, and its summary."""
    with tempfile.TemporaryDirectory() as folder:
        path, duration = film(os.path.join(options.shared, f"{clip}.mp4"), folder)
        browser = Browser(path)
        try:
            browser.url = f"{options.url.rstrip('/')}/?language=en&model={model}"
            browser.show()
            browser.load()
            words = known(browser, model)
            browser.run(WATCH)
            browser.start()
            began = browser.run("return performance.now() / 1000")
            browser.wait("the end of the clip", "return performance.now() / 1000 > arguments[0]",
                         began + duration, seconds=2 * duration + 60)
            browser.wait("the end of the last set",
                         "return document.getElementById('panel').dataset.state !== 'working'", seconds=ENDING)
            # The last summary is on its way once a second.
            browser.wait("the summary", """
              const [ready] = arguments;
              return performance.now() / 1000 > ready;""", browser.run("return performance.now() / 1000") + 1.5)
            browser.click("summary-button")
            listed, total = browser.run("""
              const heads = [...document.querySelectorAll("#summary-content .sets .set-head")];
              const total = document.querySelector("#summary-content .figures > div:last-child dd");
              return [heads.map((head) => [head.querySelector("b").innerText, head.querySelector("span").innerText]),
                Number(total?.innerText ?? 0)];""")
            browser.screenshot(options.out, f"{clip.replace('/', '-')}-{model}")
            return {"words": words, "rows": browser.run("return window.kinemaShown"), "listed": listed,
                    "revisions": browser.run("return window.kinemaRevised"), "total": total,
                    "errors": browser.errors()}
        finally:
            browser.quit()


def evaluate(seen, wanted):
    """What contradicts in a session, the names that were shown, the right ones, and how many others came before."""
    rows, words = seen["rows"], seen["words"]
    violations = contradictions(rows) + kinds_of(rows, words)
    shown, fallen = sets_shown(rows, seen["revisions"])
    violations += fallen + differences(shown, seen["listed"])
    counts = sum(int(result.split()[0]) for _, result in seen["listed"] if ":" not in result)
    if counts != seen["total"]:
        violations.append(f"{seen['total']} repetitions in all, {counts} in sets")
    violations += [f"a script failed: {error}" for error in seen["errors"]]
    names = names_of(rows)
    right = {words[label][0] for label in wanted if label in words and words[label][1] == "counted" or label == "plank"
             and label in words}
    before = next((index for index, name in enumerate(names) if name in right), len(names))
    return violations, names, right, before


def real_clips(options):
    """With real clips no count falls, no cue is of another exercise, nothing that is held has repetitions, the summary
    is of the sets, and hardly ever more than one name stands before the right one."""
    clips = labels(Path(options.shared))
    unknown = set(options.clip or ()) - clips.keys()
    expect(not unknown, f"no such clips with labels: {sorted(unknown)}")
    problems, few, named, never, table = [], 0, 0, 0, []
    for clip in options.clip or clips:
        for model in options.model or MODELS:
            violations, names, right, before = evaluate(session(options, clip, model), clips[clip])
            is_never = bool(right) and before == len(names)
            if right:
                named += 1
                few += before <= 1
                never += is_never
            place = "–" if not right else f"{before}, never right" if is_never else str(before)
            table.append((clip, model, place, " → ".join(names) or "–", "; ".join(violations) or "–"))
            print("  ".join(table[-1]), file=sys.stderr, flush=True)
            problems += [f"{clip}, {model}: {violation}" for violation in violations]
    head = ("clip", "model", "names before", "names", "contradictions")
    widths = [max(len(row[column]) for row in [head, *table]) for column in range(len(head) - 1)]
    for row in [head, *table]:
        print("  ".join([*(text.ljust(width) for text, width in zip(row, widths)), row[-1]]), file=sys.stderr)
    share = f"at most one name before the right one in {few} of {named}, of which {never} have no right one"
    print(share, file=sys.stderr, flush=True)
    expect(not problems, "\n".join(problems))
    expect(few >= LEAST_NAMED * named, share)
    return {"runs": len(table), "named": named, "few": few, "never": never}


ALL = [real_clips]


def main():
    """Runs the step and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("--shared", required=True, help="the folder with exercises/ and life/")
    parser.add_argument("--clip", action="append", help="only this clip, such as life/ge_jacks")
    parser.add_argument("--model", action="append", choices=MODELS, help="only this model")
    parser.add_argument("--out", help="folder for pictures of the summaries")
    return run(ALL, parse(parser, ALL))


if __name__ == "__main__":
    sys.exit(main())

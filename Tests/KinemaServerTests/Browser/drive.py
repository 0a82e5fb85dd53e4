#!/usr/bin/env python3
"""Operates the page of `kinema live` in a real browser and prints what it found as JSON.

    drive.py URL --camera PERSON.mjpeg [--label Squats] [--count 2] [--out FOLDER] [STEP …]

Without a STEP all run. Exit status: 0 all steps passed, 1 a step failed, 69 Chromium is missing.
The camera's file is Motion JPEG:

    ffmpeg -i clip.mp4 -c:v mjpeg -q:v 3 -pix_fmt yuvj420p person.mjpeg
"""

import argparse
import json
import sys
import time

import steps
from browser import missing_tools, quit_all


def main():
    """Runs the steps and prints the results."""
    names = [step.__name__ for step in steps.ALL]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("--camera", required=True, help="Motion JPEG file that the camera plays")
    parser.add_argument("--label", help="the text of the action that the file shows")
    parser.add_argument("--count", type=int, default=1, help="repetitions to wait for")
    parser.add_argument("--out", help="folder for pictures of the page")
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(names))
    options = parser.parse_intermixed_args()
    unknown = set(options.steps) - set(names)
    if unknown:
        parser.error(f"no such step: {', '.join(sorted(unknown))}")
    if missing_tools():
        print(json.dumps({"isPassed": False, "missing": missing_tools()}))
        return 69
    results = []
    for step in steps.ALL:
        if options.steps and step.__name__ not in options.steps:
            continue
        began = time.monotonic()
        result = {"step": step.__name__, "isPassed": True}
        try:
            result["seen"] = step(options)
        except Exception as error:  # One step that fails must not hide the others.
            result.update(isPassed=False, message=f"{type(error).__name__}: {error}".strip()[:2000])
        result["seconds"] = round(time.monotonic() - began, 1)
        results.append(result)
    quit_all()
    is_passed = all(result["isPassed"] for result in results)
    print(json.dumps({"isPassed": is_passed, "steps": results}, indent=2, ensure_ascii=False))
    return 0 if is_passed else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Operates the page of `kinema live` in a real browser and prints what it found as JSON.

    drive.py URL --camera PERSON.mjpeg [--label Squats] [--count 2] [--out FOLDER] [STEP …]

Without a STEP all run. Exit status: 0 all steps passed, 1 a step failed, 69 Chromium is missing.
The camera's file is Motion JPEG:

    ffmpeg -i clip.mp4 -c:v mjpeg -q:v 3 -pix_fmt yuvj420p person.mjpeg
"""

import argparse
import sys

import calm_steps
import language_steps
import routine_steps
import source_steps
import state_steps
import steps
import training_steps
from running import parse, run

ALL = (steps.ALL + state_steps.ALL + source_steps.ALL + training_steps.ALL + routine_steps.ALL
       + calm_steps.ALL + language_steps.ALL)


def main():
    """Runs the steps and prints the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("--camera", required=True, help="Motion JPEG file that the camera plays")
    parser.add_argument("--other", help="Motion JPEG file of another person who does the same, for the step teach")
    parser.add_argument("--label", help="the text of the action that the file shows")
    parser.add_argument("--count", type=int, default=1, help="repetitions to wait for")
    parser.add_argument("--seconds", type=float, default=20, help="how long the step calm watches")
    parser.add_argument("--out", help="folder for pictures of the page")
    return run(ALL, parse(parser, ALL))


if __name__ == "__main__":
    sys.exit(main())

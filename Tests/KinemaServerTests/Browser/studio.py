#!/usr/bin/env python3
"""Operates the pages of Kinema Studio in a real browser and prints what it found as JSON.

    studio.py URL --clips CLIPS [--camera PERSON.mjpeg] [--out FOLDER] [STEP …]

CLIPS has a folder of videos per label, two at least, with two videos at least. Without a STEP all
run; each step that needs a project or a run makes it. Exit status as that of drive.py.
"""

import argparse
import sys

import studio_calm
import studio_exchange
import studio_failures
import studio_killed
import studio_long
import studio_pages
import studio_shared
import studio_steps
import studio_teach
from running import parse, run

ALL = [step for module in (studio_steps, studio_shared, studio_exchange, studio_failures, studio_pages,
                           studio_calm, studio_teach, studio_long, studio_killed) for step in module.ALL]


def main():
    """Runs the steps and prints the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("--clips", required=True, help="folder with a folder of videos per label")
    parser.add_argument("--camera", help="Motion JPEG file that the camera plays")
    parser.add_argument("--moves", help="folder with a folder per move, for the step teach: "
                        "teacher.mp4 and other.mp4; with other.mp4 alone what is none of the moves")
    parser.add_argument("--program", help="kinema, for the steps that start a server of their own")
    parser.add_argument("--take-seconds", type=int, default=8, help="seconds of a take")
    parser.add_argument("--iterations", type=int, default=10, help="iterations of the training")
    parser.add_argument("--minutes", type=float, default=5, help="the most that a training takes")
    parser.add_argument("--out", help="folder for pictures of the pages")
    options = parse(parser, ALL)
    options.project = options.run = None
    return run(ALL, options)


if __name__ == "__main__":
    sys.exit(main())

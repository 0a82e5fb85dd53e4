"""Runs steps one after the other and prints what each found as JSON."""

import json
import time

from browser import missing_tools, quit_all


def run(steps, options):
    """Runs the named steps, or all; 0 all passed, 1 one failed, 69 Chromium is missing."""
    if missing_tools():
        print(json.dumps({"isPassed": False, "missing": missing_tools()}))
        return 69
    results = []
    for step in steps:
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


def parse(parser, steps):
    """The options, with the names of the steps checked."""
    names = [step.__name__ for step in steps]
    parser.add_argument("--axe", help="axe.min.js: the step access looks for what it finds, too")
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(names))
    options = parser.parse_intermixed_args()
    unknown = set(options.steps) - set(names)
    if unknown:
        parser.error(f"no such step: {', '.join(sorted(unknown))}")
    return options

#!/usr/bin/env python3
"""Photographs the pages in all states, sizes and themes, and compares them with the accepted pictures.

    pictures.py --program KINEMA [--accept] [--out FOLDER] [--axe AXE] [--only NAME …] [STEP …]

Without a STEP all run:

    fit      the answers that the pages get fit the schemas of docs/schemas
    look     all pictures are like the accepted ones; --accept accepts them instead
    access   axe-core finds nothing in any state, theme and language

Pages and sessions are fixed: no camera, no clock, no network. Where none are accepted, or those are set in other
typefaces than this machine has, or by another browser, pictures are not compared; --fonts does nothing but say
that, with the exit status 78. Else the exit status is as that of drive.py. What is wrong is in problems.txt of the
folder of --out, too.
"""

import argparse
import base64
import functools
import io
import json
import os
import sys
import tempfile
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
HOME = Path(os.environ.get("KINEMA_HOME") or ROOT / ".kinema")
# Pillow and the validator of schemas, which `make test` has fetched.
sys.path.append(str(HOME / "tests/share/kinema/python"))

try:
    import fastjsonschema
    from PIL import Image
except ImportError as error:
    print(f"pictures: {error.name} is missing in {HOME}/tests; run Scripts/setup/runtime.py {HOME}/tests tests.",
          file=sys.stderr)
    sys.exit(69)

import pictures_data  # noqa: E402
import pictures_states  # noqa: E402
import pictures_studio  # noqa: E402
from audit import audit  # noqa: E402
from browser import Browser  # noqa: E402
from language_steps import OVERFLOW, tags_of  # noqa: E402
from pictures_compare import Accepted, small  # noqa: E402
from pictures_server import still_server  # noqa: E402
from running import run  # noqa: E402
from served import Server  # noqa: E402
from steps import expect  # noqa: E402

ACCEPTED = HERE / "pictures_accepted.json"
# Width, height, pixels a point, and whether it is a phone; at 200 % a desktop has half of its points.
SCREENS = {"phone": (390, 844, 1, True), "phone-wide": (844, 390, 1, True), "tablet": (768, 1024, 1, True),
           "desktop": (1440, 900, 1, False), "large": (2560, 1440, 1, False), "zoom": (720, 450, 2, False)}
THEMES = ("dark", "light")
# Pages of Studio are photographed down to their end, but not further.
LONGEST = 4000
MISMATCH = 78


# Parts of the live page over the picture, of which none lies over another.
COVERING = """
  const names = [".top-left", "#tools", "#banner", "#hint", "#rate-note", "#person-button", "#limit-button",
    "#performance-panel", "#space-card", "#replay-card", "#form-card", ".recognition", ".counter",
    "#challenge-card", "#teach-card"];
  if (document.body.dataset.view !== "live" || document.querySelector("dialog[open]")) return [];
  const parts = names.map((name) => [name, document.querySelector(name)])
    .filter(([, part]) => part?.checkVisibility({ visibilityProperty: true }))
    .map(([name, part]) => [name, part.getBoundingClientRect()]).filter(([, box]) => box.width > 0);
  return parts.flatMap(([name, a], place) => parts.slice(place + 1).filter(([, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2).map(([other]) =>
    `${name} and ${other} lie over each other`));"""


class Place:
    """A browser with a page that never changes, before a server of the answers."""

    def __init__(self, options, folder):
        program, films = options.program, os.path.join(folder, "films")
        os.makedirs(films)
        self.films = [pictures_data.Film(program, films, action) for action in ("squats", "jumping_jacks")]
        self.kinema = Server(options, folder)
        self.behind = self.kinema.url.split("?")[0].rstrip("/")
        with urllib.request.urlopen(f"{self.behind}/api/v1/info") as answer:
            self.info = json.load(answer)
        with urllib.request.urlopen(f"{self.behind}/api/v1/demonstrations/squats") as answer:
            demonstration = json.load(answer)
        self.joints = [joint["name"] for joint in self.info["wireframes"]["body"]["joints"]]
        self.bodies = pictures_data.bodies(demonstration, self.joints)
        live, live_files = pictures_data.answers(self.films[0])
        studio, studio_files = pictures_studio.answers(self.films, self.joints, self.bodies)
        self.answers = {path: answer[0] for path, answer in {**live, **studio}.items()}
        self.answers.update(live_files)
        self.answers.update(studio_files)
        self.typed = [(*answer[1:], answer[0]) for answer in live.values() if answer[1]]
        self.typed += [("studio", kind, answer) for answer, kind in studio.values()]

    @functools.cached_property
    def stage(self):
        """A browser in which nothing moves."""
        browser = Browser(None)
        browser.send("Page.addScriptToEvaluateOnNewDocument",
                     source=(HERE / "pictures_still.js").read_text(encoding="utf-8"))
        browser.send("Emulation.setTimezoneOverride", timezoneId="UTC")
        return pictures_states.Stage(browser, self.address, self.films[0], self.info, self.bodies)

    def close(self):
        """Ends the browser and the server."""
        if "stage" in self.__dict__:
            self.stage.browser.quit()
        self.kinema.kill()


def settle(browser):
    """Waits until what is loaded is drawn; demonstrations are drawn twelve times a second."""
    browser.later("""
      const done = arguments[0];
      const wait = (left) => (left ? requestAnimationFrame(() => wait(left - 1)) : setTimeout(done, 150));
      const isWanted = (image) => image.loading !== "lazy"
        || image.getBoundingClientRect().top < innerHeight && image.checkVisibility();
      Promise.all([document.fonts.ready, ...[...document.images].filter(isWanted).map((image) =>
        image.complete || new Promise((ended) => { image.onload = image.onerror = ended; }))])
        .then(() => wait(3));""")


def drawn(browser):
    """Waits until the small pictures of clips are drawn and videos show their moment."""
    browser.wait("pictures of clips", """
      const isDrawn = (canvas) => {
        if (!canvas.width || !canvas.checkVisibility()) return true;
        const { data } = canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2, 1, 1);
        return data[3] > 0;
      };
      return [...document.querySelectorAll("canvas.picture")].every(isDrawn)
        && [...document.querySelectorAll("video[src]")].every((video) =>
          !video.checkVisibility() || video.readyState >= 2 && !video.seeking);""", seconds=30)


def photograph(browser, is_long):
    """A picture of the window, or of the page down to its end."""
    parameters = {}
    if is_long:
        width, height = browser.run("return [innerWidth, document.documentElement.scrollHeight]")
        parameters = {"captureBeyondViewport": True,
                      "clip": {"x": 0, "y": 0, "width": width, "height": min(height, LONGEST), "scale": 1}}
    found = browser.send("Page.captureScreenshot", format="png", optimizeForSpeed=True, **parameters)
    return Image.open(io.BytesIO(base64.b64decode(found["data"])))


def states(options):
    """The states that are wanted, with the name of their page."""
    named = [(f"{page}-{state.__name__.rstrip('_')}", page, state)
             for page, all_states in (("live", pictures_states.LIVE), ("studio", pictures_states.STUDIO))
             for state in all_states]
    found = [one for one in named if not options.only or any(word in one[0] for word in options.only)]
    expect(found, f"no state has a name with {options.only}")
    return found


def look(options):
    """Every state at every size in both themes is as it was accepted, and nothing is cut off or too wide."""
    accepted = Accepted(ACCEPTED)
    if not options.accept and accepted.mismatch():
        return {"skipped": accepted.mismatch()}
    pictures, problems = {}, []
    for name, page, state in states(options):
        for theme in THEMES:
            try:
                photographs(options, accepted, (name, page, state), theme, pictures, problems)
            except Exception as error:  # One state that fails must not hide the others.
                problems.append(f"{name}, {theme}: {type(error).__name__}: {str(error)[:500]}")
    keep(options, problems)
    is_whole = not options.only and not options.sizes
    if options.accept:
        kept = {} if is_whole else accepted.decoded()
        accepted.write({**kept, **pictures})
    elif is_whole:
        problems += [f"{name} is accepted and no longer there" for name in accepted.pictures.keys() - pictures.keys()]
    expect(not problems, "\n".join(problems))
    return {"pictures": len(pictures)}


def keep(options, problems):
    """Writes what is wrong to the folder of --out: a message holds a part of it."""
    if options.out:
        os.makedirs(options.out, exist_ok=True)
        Path(options.out, "problems.txt").write_text("\n".join(problems) + "\n", encoding="utf-8")


def photographs(options, accepted, named, theme, pictures, problems):
    """The pictures of a state in a theme at all sizes, and what is wrong with them."""
    name, page, state = named
    stage = options.place.stage
    browser = stage.browser
    # Pictures of clips are drawn when they come into view; in Studio's preview nothing plays.
    is_studio = page == "studio"
    browser.show(size=(1440, LONGEST if is_studio else 900), scheme=theme, is_calm=is_studio)
    state(stage)
    if is_studio:
        drawn(browser)
    for screen in options.sizes or SCREENS:
        width, height, scale, is_mobile = SCREENS[screen]
        browser.show((width, height), theme, scale, is_mobile, is_calm=is_studio)
        settle(browser)
        if is_studio:
            drawn(browser)
            settle(browser)
        full = f"{name}-{screen}-{theme}"
        is_long = is_studio and not browser.run("return document.querySelector('dialog[open]')")
        picture = photograph(browser, is_long)
        problems += [f"{full}: {found}" for script in (OVERFLOW, COVERING) for found in browser.run(script)]
        if browser.run("return document.documentElement.scrollWidth > innerWidth"):
            problems.append(f"{full} has to be scrolled sideways")
        pictures[full] = compare(options, accepted, full, picture, problems)
    problems += [f"{name}, {theme}: {error}" for error in browser.errors() or []]


def compare(options, accepted, name, picture, problems):
    """Writes a picture where it is wanted, notes how it differs from the accepted one; its small copy."""
    copy = small(picture)
    if options.out:
        os.makedirs(options.out, exist_ok=True)
        picture.save(os.path.join(options.out, f"{name}.png"), compress_level=1)
    if options.accept:
        return copy
    if name not in accepted.pictures:
        problems.append(f"{name} is not accepted yet")
        return copy
    box = accepted.difference(name, copy)
    if box:
        path = os.path.join(options.out or tempfile.gettempdir(), "differences", f"{name}.png")
        left, top, right, bottom = accepted.show(name, picture, box, path)
        problems.append(f"{name} differs at x {left}–{right}, y {top}–{bottom} of {picture.width} × "
                        f"{picture.height}: {path}")
    return copy


def close(schema):
    """Forbids members that are not named, such as one that is misspelt here."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            close(value)
    elif isinstance(schema, list):
        for value in schema:
            close(value)


def fit(options):
    """The answers and messages that the pages get are such as the schemas say."""
    place = options.place
    model = next(model for model in place.info["models"] if model["id"] == "Workout")
    messages = pictures_data.messages(place.films[0], model, place.joints, place.bodies[0])
    checks = {}
    typed = place.typed + [("live", "serverMessage", message) for message in messages]
    for document, kind, value in typed:
        if (document, kind) not in checks:
            schema = json.loads((ROOT / f"docs/schemas/{document}.json").read_text(encoding="utf-8"))
            close(schema)
            schema["anyOf"] = [{"$ref": f"#/definitions/{kind}"}]
            checks[document, kind] = fastjsonschema.compile(schema)
        checks[document, kind](value)
    return {"values": len(typed)}


def access(options):
    """axe-core finds nothing, and every control has a name and room, in each state, theme and language."""
    problems = []
    stage = options.place.stage
    stage.open()
    tags = ["en", *[tag for tag in tags_of(stage.browser) if tag not in ("en", "xx")]]
    count = 0
    for name, page, state in states(options):
        is_calm = page == "studio"
        for stage.language in tags:
            for theme in THEMES:
                stage.browser.show(size=(1440, 900), scheme=theme, is_calm=is_calm)
                if theme == THEMES[0]:
                    state(stage)
                settle(stage.browser)
                problems += audit(stage.browser, f"{name}, {stage.language}, {theme}", options.axe)
                count += 1
            stage.browser.show(size=(390, 844), scheme="light", is_mobile=True, is_calm=is_calm)
            settle(stage.browser)
            problems += audit(stage.browser, f"{name}, {stage.language}, phone")
    keep(options, problems)
    expect(not problems, "\n".join(problems))
    return {"states": count, "languages": tags}


ALL = [fit, look, access]


def main():
    """Runs the steps and prints the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.environ.get("KINEMA"), help="kinema; default: the variable KINEMA")
    parser.add_argument("--accept", action="store_true", help="accept the pictures as they are now")
    parser.add_argument("--out", help="folder for the pictures, and those that differ")
    parser.add_argument("--axe", default=str(HOME / "tests/share/kinema/axe.min.js"), help="axe.min.js")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="states with these words in their names")
    parser.add_argument("--sizes", nargs="+", choices=SCREENS, help="these sizes only")
    parser.add_argument("--fonts", action="store_true", help="compare the typefaces only")
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(step.__name__ for step in ALL))
    options = parser.parse_intermixed_args()
    unknown = set(options.steps) - {step.__name__ for step in ALL}
    if unknown:
        parser.error(f"no such step: {', '.join(sorted(unknown))}")
    if options.fonts:
        mismatch = Accepted(ACCEPTED).mismatch()
        print(mismatch or "The typefaces are those of the accepted pictures.")
        return MISMATCH if mismatch else 0
    if not options.program:
        parser.error("--program names kinema")
    with tempfile.TemporaryDirectory() as folder:
        options.place = Place(options, folder)
        try:
            with still_server(options.place.behind, options.place.answers) as address:
                options.place.address = address
                return run(ALL, options)
        finally:
            options.place.close()


if __name__ == "__main__":
    sys.exit(main())

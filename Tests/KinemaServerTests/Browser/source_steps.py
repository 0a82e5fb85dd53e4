"""Steps about the grid of named sources; the server has two of them."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from audit import audit
from browser import page, without_server
from steps import expect

# The name, the state and the size of the picture of each tile, and what it says; the first two are the server's, and
# a camera that is found comes after them.
TILES = """
  return [...document.querySelectorAll(".tile")].map((tile) => {
    const text = (selector) => tile.querySelector(selector).innerText.trim();
    return {name: text("h2"), state: tile.dataset.state, now: text(".tile-now"),
      event: text(".tile-event"), width: tile.querySelector("img").naturalWidth,
      source: tile.querySelector("img").src, left: tile.getBoundingClientRect().left};
  });"""

COMPLETE = f"""
  const tiles = (() => {{ {TILES} }})();
  const first = tiles.slice(0, 2);
  return first.length === 2 && first.every(({{ state, width, event, now }}) =>
    state === "live" && width > 0 && event && now.startsWith("1 person")) && tiles;"""


# Streams of events that a step can refuse, and in whose place it can speak; counts the notes that are heard.
HEARD = """
(() => {
  const Plain = window.EventSource;
  window.kinemaRefuses = true;
  window.kinemaEvents = [];
  window.kinemaNotes = 0;
  window.EventSource = class extends Plain {
    constructor(address) {
      super(window.kinemaRefuses ? "/api/v1/nothing" : address);
      window.kinemaEvents.push(this);
    }
  };
  const { createOscillator } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    if (this.state === "running") window.kinemaNotes += 1;
    return createOscillator.call(this);
  };
})();
"""

# A fall, and how many notes are heard of it.
FALL = """
  const before = window.kinemaNotes;
  const fall = { id: "1", event: "fall", source: "Gym", time: new Date().toISOString() };
  window.kinemaEvents.at(-1).dispatchEvent(new MessageEvent("fall", { data: JSON.stringify(fall) }));
  return window.kinemaNotes - before;"""


def sources(options):
    """Named sources are side by side, each with picture, state and last event; keys enlarge one."""
    with page(options, camera=None, is_calm=True) as browser:
        browser.click("start-watch")
        tiles = browser.wait("both sources", COMPLETE, seconds=90)
        browser.wait("a newer picture", f"""
          return (() => {{ {TILES} }})().every(({{ source }}, index) =>
            source !== arguments[0][index].source);""", tiles, seconds=60)
        browser.screenshot(options.out, "sources")
        problems = audit(browser, "sources", options.axe)
        reached = []
        for _ in range(6):
            browser.press("\ue004")
            reached.append(browser.run("""return document.activeElement.id
              || document.activeElement.getAttribute("aria-label")"""))
            if reached[-1] == "Enlarge Hall 2":
                break
        browser.press("\ue007")
        browser.wait("it to be enlarged", """
          return document.querySelector(".tile.large")?.dataset.source === "Hall 2";""")
        browser.screenshot(options.out, "sources-large")
        browser.press("\ue007")
        browser.wait("it to be small", "return !document.querySelector('.tile.large')")
        problems += drawn_zone(browser, options)
        problems += added_camera(browser, options)
        browser.click("sources-leave")
        browser.wait("the start", """return document.body.dataset.view === "start"
          && document.activeElement.id === "start-watch";""")
        problems += browser.errors()
    narrow = {"camera": None, "size": (390, 844), "scale": 2, "is_mobile": True, "is_calm": True}
    with page(options, scheme="light", **narrow) as browser:
        browser.run("location.hash = '#sources'")
        browser.driver.refresh()
        rows = browser.wait("both sources on a phone", COMPLETE, seconds=90)
        width = browser.run("return document.documentElement.scrollWidth")
        problems += audit(browser, "sources on a phone", options.axe)
        browser.screenshot(options.out, "sources-phone")
    expect(not problems, "; ".join(problems))
    expect([tile["name"] for tile in tiles] == ["Gym", "Hall 2"], f"the tiles are {tiles}")
    expect(tiles[0]["left"] < tiles[1]["left"], "the tiles are not side by side")
    expect(rows[0]["left"] == rows[1]["left"], "the tiles are side by side on a phone")
    expect(width <= 390, f"the page is {width} pixels wide on a phone")
    return {"tiles": tiles, "keys": reached}


def drawn_zone(browser, options):
    """A zone is added, moved by keys, saved in the watch file, and read from it again; nothing can be saved
    over areas that were not read."""
    with without_server(browser):
        browser.run("document.querySelector('.tile-edit').click()")
        browser.wait("the editor without its areas", """
          return document.getElementById("areas-dialog").open
            && document.querySelector(".areas-status").textContent !== "";""")
        enabled = browser.run("""
          return [...document.querySelectorAll("#areas-content :is(button, input)")]
            .filter((control) => !control.disabled).map((control) => control.textContent || control.id);""")
        browser.screenshot(options.out, "sources-zones-away")
        expect(not enabled, f"without the areas of the source these can be used: {enabled}")
    browser.wait("the editor", """
      return document.getElementById("areas-dialog").open && document.querySelector(".areas-none") !== null
        && !document.querySelector(".area-tools button").disabled;""")
    browser.run("document.querySelector('.area-tools button').click()")
    browser.run("document.querySelector('.area-handle').focus()")
    browser.press("\ue012")
    browser.wait("the corner to move", """
      return document.querySelector(".area-handle").style.left === "34%";""")
    problems = audit(browser, "zones", options.axe)
    browser.screenshot(options.out, "sources-zones")
    small = browser.run("""
      return [...document.querySelectorAll("#areas-content button")].filter((button) => {
        const { width, height } = button.getBoundingClientRect();
        return width > 0 && (width < 43.5 || height < 43.5);
      }).map((button) => button.getAttribute("aria-label") || button.textContent);""")
    expect(not small, f"too small to touch: {small}")
    browser.run("document.querySelector('#areas-content > .primary').click()")
    browser.wait("it to be saved", """
      return document.querySelector(".areas-status").textContent.startsWith("Saved");""")
    browser.wait("the zone to be read again from the file", """
      const answer = new XMLHttpRequest();
      answer.open("GET", "/api/v1/sources/Gym/areas", false);
      answer.send();
      return JSON.parse(answer.responseText).zones[0]?.polygon[0][0] === 0.34;""")
    browser.press("\ue00c")
    browser.wait("the editor to close", "return !document.getElementById('areas-dialog').open")
    return problems


def added_camera(browser, options):
    """A camera of the network is found, refused without its login, and added to the watch file."""
    device = Path(__file__).resolve().parents[2] / "Cameras/onvif_device.py"
    with tempfile.TemporaryDirectory() as folder:
        port = Path(folder) / "port"
        camera = subprocess.Popen([sys.executable, str(device), str(port), "secret", "--group"])
        try:
            while not port.exists() and camera.poll() is None:
                time.sleep(0.05)
            browser.click("sources-find")
            browser.wait("a camera that asks for a login", """
              return document.querySelector(".camera-message")?.textContent.includes("asks for a login")
                && !document.querySelector(".camera-login .primary").disabled;""")
            browser.run("""
              document.getElementById("camera-user").value = "viewer";
              document.getElementById("camera-password").value = "secret";
              document.querySelector(".camera-login .primary").click();""")
            browser.wait("its streams", "return document.querySelectorAll('.camera-stream').length === 2")
            problems = audit(browser, "cameras", options.axe)
            browser.screenshot(options.out, "sources-cameras")
            small = browser.run("""
              return [...document.querySelectorAll("#cameras-dialog :is(button, input)")].filter((control) => {
                const { width, height } = control.getBoundingClientRect();
                return width < 43.5 || height < 43.5;
              }).map((control) => control.getAttribute("aria-label") || control.textContent || control.id);""")
            expect(not small, f"too small to touch: {small}")
            browser.run("document.querySelector('.camera-stream button').click()")
            browser.wait("it to be added", """
              return document.querySelector(".camera-note").textContent.includes("in the watch file");""")
            browser.wait("the new source", """
              return [...document.querySelectorAll(".tile")].some(({ dataset }) =>
                dataset.source === "Hall camera Main");""")
            browser.press("\ue00c")
            browser.wait("the sheet to close", "return !document.getElementById('cameras-dialog').open")
        finally:
            camera.kill()
            camera.wait()
    return problems


def alarms(options):
    """The sound of falls is its own: with the other sounds muted it is heard. Its button is on only while it is
    heard, and asks for a press before. A stream of events that the server refuses is opened again."""
    pressed = "return document.getElementById('sources-sound').getAttribute('aria-pressed') === arguments[0]"
    with page(options, camera=None, needs_press=True, size=(390, 844), is_mobile=True) as browser:
        hook = browser.send("Page.addScriptToEvaluateOnNewDocument", source=HEARD)["identifier"]
        browser.run("""
          localStorage.setItem("kinema.preferences", '{"isMuted":true,"soundsAlarms":true}');
          location.hash = "#sources";""")
        browser.driver.refresh()
        problem = browser.wait("the refusal", """
          const problem = document.getElementById("sources-problem");
          return window.kinemaEvents[0]?.readyState === EventSource.CLOSED && problem.checkVisibility()
            && problem.innerText;""")
        browser.wait("the tiles", "return document.querySelectorAll('.tile').length > 1")
        old = browser.run("return document.getElementById('sources-grid').classList.contains('old')")
        expect(not old, "pictures of now look old")
        asked = browser.run("""
          const name = document.querySelector("#sources-sound > .tool-name");
          return name.getBoundingClientRect().width > 44 && name.innerText;""")
        expect(asked == "Press to turn on sound", f"the button says {asked}")
        expect(browser.run(pressed, "false"), "the sound is on before a press")
        problems = audit(browser, "the sources before a press", options.axe)
        browser.screenshot(options.out, "sources-unheard")
        browser.run("window.kinemaRefuses = false")
        browser.wait("the stream", """
          return window.kinemaEvents.at(-1).readyState === EventSource.OPEN
            && !document.getElementById("sources-problem").checkVisibility();""")
        heard = [browser.run(FALL)]
        browser.click("sources-title")
        browser.wait("the sound to be on", pressed, "true")
        heard.append(browser.run(FALL))
        browser.click("sources-sound")
        expect(browser.run(pressed, "false"), "the sound is not off")
        expect(browser.text("sources-sound") == "", "it asks for a press for what is off")
        heard.append(browser.run(FALL))
        before = browser.run("return window.kinemaNotes")
        browser.click("sources-sound")
        browser.wait("an example", "return window.kinemaNotes > arguments[0]", before)
        expect(browser.run(pressed, "true"), "the sound is not on again")
        browser.send("Page.removeScriptToEvaluateOnNewDocument", identifier=hook)
        problems += browser.errors()
    expect(not problems, "; ".join(problems))
    expect(heard == [0, 4, 0], f"of three falls {heard} notes were heard")
    return {"problem": problem, "asked": asked}


ALL = [sources, alarms]

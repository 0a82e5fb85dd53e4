"""Steps about a page that never contradicts itself, shows how it is done, and teaches where one stands."""

import os
import shutil
import tempfile
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import page
from state_steps import VOICE
from steps import expect

# Notes each change of what the page shows.
WATCH = """
  const text = (id) => {
    const element = document.getElementById(id);
    return element?.checkVisibility() ? element.innerText.trim() : "";
  };
  window.kinemaShown = [];
  let last = "";
  const note = () => {
    const row = {state: document.getElementById("panel").dataset.state,
      set: document.getElementById("panel").dataset.set, label: text("label"), count: text("count"),
      unit: text("count-name"), line: text("line"), form: text("form-card").split("\\n")[0], cue: text("form-cue")};
    const key = JSON.stringify(row);
    if (key !== last) window.kinemaShown.push({...row, at: performance.now() / 1000});
    last = key;
  };
  new MutationObserver(note).observe(document.getElementById("live"),
    {attributes: true, childList: true, characterData: true, subtree: true});
  note();"""


def contradictions(rows):
    """What the rows of WATCH say against each other."""
    found = []
    known = None
    for row in rows:
        working = row["state"] == "working"
        if row["form"] and not (working and row["form"] == f"Form: {row['label']}"):
            found.append(f"the form of “{row['form']}” under “{row['label']}”")
        if row["cue"] and not row["form"]:
            found.append(f"the cue “{row['cue']}” without a set")
        if not working:
            known = None
            continue
        if row["unit"].startswith("repetition") and not row["count"].isdigit():
            found.append(f"{row['count']} repetitions")
        if row["unit"] == "held" and ":" not in row["count"]:
            found.append(f"{row['count']} held")
        count = int(row["count"]) if row["count"].isdigit() else None
        # Another name with fewer repetitions is another set.
        if count is not None and known and known[0] == row["label"] and count < known[1]:
            found.append(f"{row['label']} fell from {known[1]} to {count}")
        known = (row["label"], count) if count is not None else None
    return found


def calm(options):
    """In a whole clip no count falls, no cue is of another exercise, and the summary is the sum of its sets."""
    with page(options) as browser:
        browser.start()
        browser.run(WATCH)
        time.sleep(options.seconds)
        rows = browser.run("return window.kinemaShown")
        browser.click("summary-button")
        time.sleep(1.5)
        total, sets = browser.run("""
          const numbers = [...document.querySelectorAll("#summary-content .sets .set-head > span")]
            .map((cell) => /^(\\d+) repetition/.exec(cell.innerText)?.[1] ?? 0);
          return [Number(document.querySelector("#summary-content .figures > div:last-child dd")?.innerText ?? 0),
            numbers.reduce((sum, number) => sum + Number(number), 0)];""")
        browser.screenshot(options.out, "calm-summary")
        errors = browser.errors()
    found = contradictions(rows)
    expect(not found, f"the page contradicts itself: {found}")
    expect(total == sets, f"{total} repetitions in all, {sets} in sets")
    expect(not errors, f"scripts failed: {errors}")
    names = []
    for row in rows:
        if row["state"] == "working" and row["label"] not in (names[-1:] or [""]):
            names.append(row["label"])
    return {"names": names, "repetitions": total, "changes": len(rows)}


def typing(options):
    """What is typed into the fields of a challenge and of the settings stays there, with the focus."""
    with page(options) as browser:
        browser.start()
        browser.press("c")
        wanted = {"challenge-sets-0": "2", "challenge-rest-0": "4", "challenge-weight-0": "12.5",
                  "challenge-sets-1": "3"}
        for name, text in wanted.items():
            field = browser.driver.find_element(By.ID, name)
            field.click()
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(text)
            time.sleep(0.2)
        focus = browser.run("return document.activeElement.id")
        browser.driver.find_element(By.ID, "challenge-weight-1").click()
        values = browser.run("return arguments[0].map((id) => document.getElementById(id).value)", list(wanted))
        usual = browser.run("return document.getElementById('challenge-rest-1').value")
        browser.screenshot(options.out, "typing")
        browser.press("\ue00c")
        names = {}
        for key, name, text in ((",", "profile-name", "Ada"), ("t", "teach-name", "Wave"), ("c", "routine-name", "Monday")):
            browser.press(key)
            browser.driver.find_element(By.ID, name).click()
            for letter in text:
                browser.driver.switch_to.active_element.send_keys(letter)
                time.sleep(0.4)
            names[name] = browser.run("return document.getElementById(arguments[0]).value", name)
            browser.press("\ue00c")
    expect(values == list(wanted.values()), f"the fields have {values}")
    expect(focus == "challenge-sets-1", f"the focus is at {focus}")
    expect(usual == "60", f"more sets bring a rest of {usual}")
    expect(names == {"profile-name": "Ada", "teach-name": "Wave", "routine-name": "Monday"}, f"typed: {names}")
    return {"values": values}


# How many pixels of a canvas are drawn; null for hardly any.
INK = """
  const canvas = document.getElementById(arguments[0]);
  if (!canvas?.width || !canvas.height) return null;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let drawn = 0;
  for (let place = 3; place < data.length; place += 4) drawn += data[place] > 200 ? 1 : 0;
  return drawn > 500 ? drawn : null;"""


def demonstration(options):
    """A synthetic person shows an exercise on the start page and before an action of a challenge begins."""
    with page(options) as browser:
        name = browser.wait("an exercise", "return document.getElementById('figure-name').textContent")
        browser.wait("a person", INK, "figure")
        browser.screenshot(options.out, "start-demonstration")
        browser.start()
        browser.press("c")
        browser.run("document.querySelector('#challenge-content form').requestSubmit()")
        browser.wait("a person in the challenge", INK, "challenge-demonstration")
        browser.screenshot(options.out, "challenge-demonstration")
        status = browser.run("return fetch('/api/v1/demonstrations/no_such_move').then(({ status }) => status)")
        errors = browser.errors()
    expect(status == 404, f"an unknown label answers {status}")
    expect(not errors, f"scripts failed: {errors}")
    return {"first": name}


def teach(options):
    """A move that is done three times is named live afterwards, of another person too, and shown by who taught it;
    its takes are in Studio. How long learning and naming take is returned and has no bar: machines differ."""
    with tempfile.TemporaryDirectory() as folder:
        camera = shutil.copyfile(options.camera, os.path.join(folder, "camera.mjpeg"))
        with page(options, camera=camera) as browser:
            result = taught(browser, options)
            errors = browser.errors()
            if options.other:
                shutil.copyfile(options.other, camera)
                browser.reload()
                browser.start()
                seen = time.monotonic()
                browser.wait("the move of another person to be named", NAMED, seconds=60)
                result["other"] = round(time.monotonic() - seen, 1)
                browser.screenshot(options.out, "taught-other")
                errors += browser.errors()
    expect("Star Dance" in result["text"] and result.pop("takes") == 1, f"taught: {result}")
    expect("#/my-moves" in result.pop("address"), f"Studio is at {result}")
    expect(not errors, f"scripts failed: {errors}")
    return result


NAMED = """return document.getElementById("label").textContent === "Star Dance";"""


def taught(browser, options):
    """Teaches what the camera shows, and waits until it is named and is on the start page."""
    browser.run(VOICE)
    browser.start()
    browser.press("t")
    browser.write("teach-name", "star dance")
    browser.screenshot(options.out, "teach-dialog")
    browser.run("document.querySelector('#teach-content form').requestSubmit()")
    state = "return document.getElementById('teach-state').textContent"
    browser.wait("the recording", f"return (() => {{ {state} }})() === 'Do it 3 times.'")
    browser.screenshot(options.out, "teach-recording")
    browser.wait("the learning", f"return (() => {{ {state} }})() === 'Learning\\u00a0…'", seconds=60)
    done = time.monotonic()
    browser.screenshot(options.out, "teach-learning")
    text = browser.wait("the end of it", f"""
      const text = (() => {{ {state} }})(); return text.startsWith("Recognised now") && text;""", seconds=180)
    learned = time.monotonic()
    browser.screenshot(options.out, "teach-done")
    takes = browser.run("return document.querySelectorAll('#teach-takes canvas').length")
    address = browser.run("return document.getElementById('teach-studio').href")
    browser.click("teach-close")
    browser.wait("the move to be named", NAMED, seconds=60)
    named = time.monotonic()
    browser.screenshot(options.out, "taught")
    browser.click("leave-button")
    browser.wait("its name on the start page",
                 "return document.getElementById('figure-name').textContent === 'Star Dance'")
    browser.wait("how it is done, on the start page", INK, "figure")
    browser.screenshot(options.out, "taught-start")
    return {"text": text, "takes": takes, "address": address, "learned": round(learned - done, 1),
            "named": round(named - done, 1)}


ALL = [calm, typing, demonstration, teach]

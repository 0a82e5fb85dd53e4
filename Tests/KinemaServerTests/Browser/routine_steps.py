"""Steps that do a routine of three exercises to its end, on several screens."""

import time

from browser import page, patience
from state_steps import COVERED, EDIT, VOICE
from steps import begin, expect

# Actions with repetitions, sets, rest and weight; the synthetic person does them in this order.
PLAN = [["jumping_jacks", 3, 2, 2, 0], ["squats", 2, 1, 2, 12.5], ["lunges", 2, 1, 0, 0]]
# The width and height, and whether it is a phone; 640 × 400 is a desktop at 200 %.
SCREENS = {"desktop": ((1280, 720), False), "phone": ((390, 844), True),
           "phone-wide": ((844, 390), True), "zoom": ((640, 400), False)}
# What stays in view in each state of a challenge.
ALWAYS = ["challenge-skip", "challenge-stop", "challenge-name", "challenge-number", "pause-button",
          "label"]
STATE = """
  return [document.getElementById("challenge-card").dataset.state,
    !document.getElementById("form-card").hidden];"""


def walk(options, name, scheme):
    """Does the routine; returns the states with the form, in order, and the result of each set."""
    size, is_mobile = SCREENS[name]
    where = f"{name}-{scheme}"
    states = []
    with page(options, size=size, is_mobile=is_mobile, scheme=scheme) as browser:
        browser.run(VOICE)
        browser.start("start-synthetic")
        browser.press("c")
        browser.run(EDIT, PLAN)
        browser.screenshot(options.out, f"routine-{where}-editor")
        begin(browser)
        end = time.monotonic() + patience(250)
        while not states or states[-1][0] != "finished":
            expect(time.monotonic() < end, f"{where}: the routine does not end: {states}")
            state = browser.run(STATE)
            if not states or state != states[-1]:
                states.append(state)
                covered = [] if state[0] == "finished" else browser.run(COVERED, ALWAYS)
                # It may have gone on meanwhile.
                expect(not covered or browser.run(STATE) != state, f"{where}: {covered} are covered")
                shot = f"{len(states)}-{state[0]}{'-form' if state[1] else ''}"
                browser.screenshot(options.out, f"routine-{where}-{shot}")
            time.sleep(0.2)
        sets = browser.run("""
          return [...document.querySelectorAll(".done-list .reached")].map((row) => row.textContent);""")
        covered = browser.run(COVERED, ["challenge-close"])
        is_narrow = browser.run("return document.documentElement.scrollWidth <= innerWidth")
        said = browser.run("return window.kinemaSpoken")
        errors = browser.errors()
        browser.click("challenge-close")
    expect(len(sets) == 4 and all(row.split()[0] == row.split()[2] for row in sets),
           f"{where}: the sets are {sets}")
    expect(any(has_form for _, has_form in states), f"{where}: no form was shown")
    expect("resting" in [state for state, _ in states], f"{where}: no rest was shown")
    expect("Well done!" in said, f"{where}: spoken: {said}")
    expect(not covered, f"{where}: the end hides {covered}")
    expect(is_narrow, f"{where} has to be scrolled sideways")
    expect(not errors, f"{where}: scripts failed: {errors}")
    return {"sets": sets, "states": len(states)}


def routine_screens(options):
    """The routine on each screen, dark and light; minutes long."""
    return {f"{name}-{scheme}": walk(options, name, scheme)
            for name in SCREENS for scheme in ("dark", "light")}


ALL = [routine_screens]

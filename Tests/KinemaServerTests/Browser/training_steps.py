"""Steps about training: form live, and who trains."""

from browser import page
from state_steps import COVERED, MUTE, VOICE
from steps import expect

# Gives the page a message of form as the server sends it.
GIVE = """
  window.kinemaGive({type: "form", label: "squats", text: "Squats", view: "side", verdict: "good",
    joint: "knee", bottom: 88.4, top: 171.2, range: 82.8, down: 1.24, hold: 0.3, up: 0.9,
    difference: 4.2, isOneSided: false, cue: null, ...arguments[0]});
  return [...document.querySelectorAll("#form-card .form-values > div")].map((row) =>
    [...row.children].map((cell) => cell.textContent));"""


def form(options):
    """Form is shown where it can be seen; a cue is shown, spoken and announced once."""
    nothing = dict.fromkeys(["bottom", "top", "range", "down", "hold", "up", "difference"])
    with page(options) as browser:
        browser.run(VOICE)
        browser.start()
        browser.run(MUTE)
        seen = browser.run(GIVE, {"number": 901})
        expect([row[:2] for row in seen] == [["Range", "83°"], ["Tempo", "1.2\u2009·\u20090.3\u2009·\u20090.9"],
                                             ["Symmetry", "4°"]], f"the form reads {seen}")
        expect(seen[0][2] == "knee 88° to 171°", f"the range is of {seen[0][2]}")
        expect(browser.text("form-cue") == "", "there is a cue without a fault")
        browser.run("window.kinemaSpoken.length = 0")
        browser.run(GIVE, {"number": 902, "verdict": "fault", "cue": "Go lower."})
        expect(browser.text("form-cue") == "Go lower.", "the cue is not shown")
        browser.screenshot(options.out, "form")
        unseen = browser.run(GIVE, {**nothing, "number": 903, "verdict": "unseen"})
        expect(all(row[1:] == ["–", "can’t be seen from here"] for row in unseen),
               f"what can't be seen reads {unseen}")
        expect(browser.text("form-cue") == "Go lower.", "the cue is gone at once")
        turns = browser.run(GIVE, {**nothing, "number": 904, "isOneSided": True})[2]
        expect(turns[2] == "one side at a time", f"the symmetry of one side reads {turns}")
        browser.run(GIVE, {"number": 904, "cue": "Go lower."})
        browser.press("v")
        browser.run(GIVE, {"number": 905, "verdict": "fault", "cue": "Chest up."})
        expect(browser.text("form-cue") == "Chest up.", "a silent cue is not shown")
        pressed = browser.run("return document.getElementById('voice-button').ariaPressed")
        expect(pressed == "false", "the button of spoken cues is on")
        said = browser.run("return window.kinemaSpoken")
        expect(said == ["Go lower."], f"spoken: {said}")
        role = browser.run("return document.getElementById('form-cue').getAttribute('role')")
        expect(role == "status", "screen readers do not hear the cue")
        browser.screenshot(options.out, "form-unseen")
        covered = browser.run(COVERED, ["pause-button", "label", "count"])
        expect(not covered, f"the form covers {covered}")
        browser.click("leave-button")
        expect(browser.run("return document.getElementById('form-card').hidden"),
               "the form stays after the session")
    return {"form": seen}


def choose(browser, name, value):
    """Chooses an option of a list by its value, as a person would."""
    browser.run("""
      const list = document.getElementById(arguments[0]);
      list.value = arguments[1];
      list.dispatchEvent(new Event("change"));""", name, value)


def profiles(options):
    """Profiles are added, chosen, renamed and deleted; the history is by profile."""
    chosen = "return document.getElementById('settings-profile').selectedOptions[0]?.textContent"
    note = "return document.getElementById('profile-note').textContent === arguments[0]"
    ready = "return window.kinemaReady.at(-1)"
    with page(options) as browser:
        expect(not browser.run("return document.getElementById('start-profile-choice')"
                               ".checkVisibility()"), "there is a choice without profiles")
        browser.start()
        first = browser.run(ready)["historyID"]
        # A session without an action would not be kept.
        browser.wait("a repetition", """
          return Number(document.getElementById("count").innerText) > 0;""", seconds=90)
        browser.press(",")
        for name in ("Ada <b>", "Bo"):
            browser.run("document.getElementById('profile-name').value = arguments[0]", name)
            browser.click("profile-add")
            browser.wait(f"{name} in the list", note, f"{name} trains now.")
            expect(browser.run(chosen) == name, f"{browser.run(chosen)} trains")
        browser.run("document.getElementById('profile-name').value = 'bo'")
        browser.click("profile-add")
        refused = browser.wait("a refusal", """
          const { textContent } = document.getElementById("profile-note");
          return textContent.includes("There is a profile") && textContent;""")
        browser.screenshot(options.out, "profiles")
        browser.wait("a record of its own", f"""
          const ready = (() => {{ {ready} }})();
          return ready.settings.profile && ready.historyID !== arguments[0];""", first)
        own = browser.run(ready)["historyID"]
        browser.run("document.getElementById('profile-name').value = 'Bea'")
        browser.click("profile-rename")
        browser.wait("the new name", note, "The profile is now named Bea.")
        browser.press("\ue00c")
        browser.press("h")
        rows = """return [...document.querySelectorAll("#history-list .session")]
          .map((row) => Number(row.dataset.session));"""
        browser.wait("her sessions", f"""
          const rows = (() => {{ {rows} }})();
          return rows.includes(arguments[0]) && !rows.includes(arguments[1]);""", own, first)
        browser.screenshot(options.out, "history-profile")
        choose(browser, "history-profile", "")
        browser.wait("everyone's", f"return (() => {{ {rows} }})().includes(arguments[0])", first)
        browser.press("\ue00c")
        browser.click("leave-button")
        browser.reload()
        browser.screenshot(options.out, "start-profile")
        kept = browser.run("return document.getElementById('start-profile-choice')"
                           ".selectedOptions[0].textContent")
        expect(kept == "Bea", f"{kept} trains after a reload")
        browser.click("start-settings")
        for name in ("Bea", "Ada <b>"):
            if name != "Bea":
                choose(browser, "settings-profile", browser.run("""
                  return document.getElementById("settings-profile").options[1].value;"""))
            browser.click("profile-delete")
            question = browser.text("profiles")
            expect(f"Delete the profile of {name}?" in question, f"asked: {question}")
            browser.click("profile-delete-confirm")
            browser.wait("it to go", note, f"The profile of {name} is deleted.")
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    return {"refused": refused}


ALL = [form, profiles]

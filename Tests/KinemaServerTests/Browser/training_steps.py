"""Steps about training: form live, and who trains."""

import time

from browser import page
from state_steps import CHANGE, COVERED, MUTE, VOICE, set_of
from steps import begin, expect, moves

# Gives the page a message of form as the server sends it.
GIVE = """
  window.kinemaGive({type: "form", label: "squats", text: "Squats", view: "side", verdict: "good",
    joint: "knee", bottom: 88.4, top: 171.2, range: 82.8, down: 1.24, hold: 0.3, up: 0.9,
    difference: 4.2, isOneSided: false, cue: null, ago: [2.4, 0.3], ...arguments[0]});
  return [...document.querySelectorAll("#form-card .form-values > div")].map((row) =>
    [...row.children].map((cell) => cell.textContent));"""

# The same, and whether the last repetition is shown again, which it is for four seconds.
REPLAYS = GIVE.partition("return")[0] + "return document.getElementById('replay-card').checkVisibility();"

# How many pixels of a canvas are drawn, and a hash of them.
INK = """
  const [id] = arguments;
  const canvas = document.getElementById(id);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let drawn = 0;
  let hash = 0;
  data.forEach((value, index) => {
    if (index % 4 === 3 && value > 0) drawn += 1;
    hash = (hash * 31 + value) | 0;
  });
  return [drawn, hash];
"""


def space(options):
    """The person is shown in three dimensions, which can be turned, with the angle that moves."""
    with page(options) as browser:
        browser.start()
        browser.press("3")
        text = browser.wait("angles in space", """
          const text = document.getElementById("space-values").innerText;
          return /: (left|right) \\d+° ± \\d+/.test(text) ? text : null;""")
        # The curve has a point a frame, however few a starved machine processes.
        for name, least in (("space-view", 2000), ("space-graph", 300)):
            browser.wait(f"{least} pixels of {name}", f"return (() => {{ {INK} }})(...arguments)[0] > {least};", name)
        browser.screenshot(options.out, "space")
        browser.press(" ")
        time.sleep(0.5)
        before = browser.run(INK, "space-view")
        browser.run("""
          const view = document.getElementById("space-view");
          view.focus();
          for (let turn = 0; turn < 6; turn += 1) {
            view.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
          }""")
        expect(browser.run(INK, "space-view")[1] != before[1], "the keys do not turn the body")
        browser.screenshot(options.out, "space-turned")
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
        browser.press("3")
        browser.wait("the end of it", "return document.getElementById('space-card').hidden")
    return {"space": text}


def form(options):
    """Form is that of the set under way: what was measured stays, a cue is shown, spoken and announced once, and
    all of it goes with the set."""
    nothing = dict.fromkeys(["bottom", "top", "range", "down", "hold", "up", "difference"])
    with page(options) as browser:
        browser.run(VOICE)
        browser.start()
        browser.run(set_of(7, "squats", 4))
        moves(browser)
        browser.run(FILTER)
        unseen = browser.run(GIVE, {**nothing, "number": 899, "verdict": "unseen", "view": "front"})
        expect([row[1:] for row in unseen] == [["–", "turn a quarter to the left"], ["–", "not measured"],
                                               ["–", "not measured"]], f"what can't be seen reads {unseen}")
        unseen = browser.run(GIVE, {**nothing, "number": 900, "verdict": "unseen"})
        expect(unseen[2][1:] == ["–", "face the camera"], f"the symmetry from the side reads {unseen}")
        seen = browser.run(GIVE, {"number": 901})
        expect([row[:2] for row in seen] == [["Range", "83°"], ["Tempo", "1.2\u2009·\u20090.3\u2009·\u20090.9"],
                                             ["Symmetry", "4°"]], f"the form reads {seen}")
        expect(seen[0][2] == "knee 88° to 171°", f"the range is of {seen[0][2]}")
        expect(browser.text("form-cue") == "", "there is a cue without a fault")
        browser.run("window.kinemaSpoken.length = 0")
        # What is shown again are the frames of the repetition: the last dozen, however slow they come.
        ago = browser.wait("frames of a repetition", """
          const frames = [...window.kinemaFrames.values()];
          const times = frames.filter(({ persons, prominent }) => prominent === frames.at(-1).prominent
            && persons.some(({ id }) => id === prominent)).map(({ time }) => time / 1000).sort((one, other) => one - other);
          return times.length > 20 && times.at(-1) - times[0] > 2.5
            && [Math.max(2.4, times.at(-1) - times.at(-12)), 0];""")
        is_replayed = browser.run(REPLAYS, {"number": 902, "verdict": "fault", "cue": "Go lower.", "focus": "knee",
                                            "ago": ago})
        expect(is_replayed, f"what was done {ago} seconds ago is not shown again")
        expect(browser.text("form-cue") == "Go lower.", "the cue is not shown")
        browser.screenshot(options.out, "form")
        kept = browser.run(GIVE, {**nothing, "number": 903, "verdict": "unseen"})
        expect(kept == seen, f"what can't be seen this time reads {kept}")
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
        # A form of another exercise is never shown, and what is shown goes with its set.
        browser.run(GIVE, {"number": 906, "label": "lunges", "text": "Lunges", "cue": "Longer step."})
        shown = browser.run("return [document.getElementById('form-card').hidden, "
                            "document.getElementById('form-cue').textContent]")
        expect(shown[0] or "Lunges" not in browser.text("form-card"), f"the form of lunges during squats: {shown}")
        expect("Longer step." not in browser.text("form-card"), "a cue of lunges during squats")
        browser.run(set_of(8, "push_ups", 1))
        browser.wait("the form to go with its set", "return document.getElementById('form-card').hidden")
        browser.click("leave-button")
        expect(browser.run("return document.getElementById('form-card').hidden"),
               "the form stays after the session")
    return {"form": seen}


# Gives the page a summary as the server sends it.
SUMMARY = """
  window.kinemaGive({type: "summary", duration: arguments[0], entries: [], timeline: [],
    sets: arguments[1].map(([label, start, end, repetitions, target]) => ({label, text: label, start,
      end, repetitions, seconds: end - start, ...(target ? {target} : {})}))});"""

# What the panel shows.
PANEL = """
  return [document.getElementById("panel").dataset.state,
    ...["label", "line", "count"].map((id) => document.getElementById(id).textContent)];"""

# The same once it has a label: frames that are under way still have the one before.
WHEN_LABEL = "if (document.getElementById('label').textContent !== arguments[0]) return null;" + PANEL


def sets(options):
    """Outside of challenges the page is ready, at work or at rest; a set's other name is said."""
    squats = [["squats", 2, 20, 8], ["push_ups", 30, 40, 5], ["squats", 60, 75, 6]]
    target = {"repetitions": 6, "set": 1, "sets": 1, "isDone": True}
    nothing = CHANGE % '(frame) => { Object.assign(frame, {activity: "ready", set: undefined, tempo: null}); }'
    with page(options) as browser:
        browser.run(VOICE)
        browser.start()
        browser.run(nothing)
        moves(browser)
        browser.run(FILTER.replace('"challenge"]', '"challenge", "summary", "setRevised"]'))

        def shown(*given):
            browser.run(SUMMARY, *given)
            for _ in range(2):
                moves(browser)
            return browser.run(PANEL)

        seen = [shown(*given) for given in (
            (117.2, squats), (800, squats), (41, squats[:2]),
            (80, [*squats, ["squats", 76, 80, 6, target]]), (5, []))]
        shown(117.2, squats)
        browser.screenshot(options.out, "rest")
        browser.run(set_of(4, "lunges", 3))
        browser.wait("the set at work", WHEN_LABEL, "Lunges")
        working = shown(121, squats)
        browser.run("window.kinemaSpoken.length = 0")
        browser.run("""
          const {prominent} = [...window.kinemaFrames.values()].at(-1);
          window.kinemaGive({type: "setRevised", person: prominent, set: 4, from: "lunges", to: "squats",
            text: "Squats", repetitions: 3});""")
        browser.run(set_of(4, "squats", 3))
        revised = browser.wait("the other name", WHEN_LABEL, "Squats")
        said = browser.run("return window.kinemaSpoken")
        browser.screenshot(options.out, "revised")
    expect(seen[0] == ["rest", "Rest", "Set 2 · Squats · 6 repetitions", "0:42"], f"the rest reads {seen[0]}")
    expect(seen[2] == ["rest", "Rest", "Set 1 · Push-ups · 5 repetitions", "0:01"], f"the rest reads {seen[2]}")
    expect(all(row[0] == "ready" and row[3] == "" for row in (seen[1], seen[3], seen[4])),
           f"after a long pause, a challenge and nothing: {seen}")
    expect(working[:2] == ["working", "Lunges"] and working[3] == "3", f"at work it reads {working}")
    expect(revised == ["working", "Squats", "3 × Squats", "3"], f"the other name reads {revised}")
    expect("3 × Squats" in said, f"the other name is not said: {said}")
    return {"sets": seen, "revised": revised}


def routines(options):
    """A routine keeps what the model does not know, and a challenge offers what can be done."""
    items = [{"label": "squats", "repetitions": 2}, {"label": "bicep_curls", "seconds": 20, "sets": 2}]
    kept = """return fetch("/api/v1/routines").then((answer) => answer.json()).then(({ routines }) =>
      routines.find(({ name }) => name === arguments[0]).items.map(({ label }) => label));"""
    save = """return fetch("/api/v1/routines", {method: "PUT", body:
      JSON.stringify({name: arguments[0], items: arguments[1]})});"""
    note = "return document.getElementById('routine-note').textContent.startsWith(arguments[0]);"
    options_of = """return [...document.getElementById(arguments[0]).options]
      .map(({ value }) => value);"""
    with page(options) as browser:
        browser.run(save, "Mixed", items)
        browser.start()
        browser.press("c")
        browser.wait("the routine in the list", """
          return document.querySelector("#routine-choice option[value='Mixed']");""")
        # One that this page has not seen is not lost at the first press.
        browser.run(save, "Elsewhere", items)
        browser.run("document.getElementById('routine-name').value = 'Elsewhere'")
        browser.run("document.getElementById('routine-save').click()")
        browser.wait("the question", note, "There is a routine “Elsewhere”: save again")
        browser.screenshot(options.out, "routine-exists")
        unseen = browser.run(kept, "Elsewhere")
        browser.run("document.getElementById('routine-save').click()")
        browser.wait("it to be replaced", note, "Saved")
        replaced = browser.run(kept, "Elsewhere")
        choose(browser, "routine-choice", "Mixed")
        shown = browser.run("""
          return [...document.querySelectorAll("#challenge-list > .missing")].map((row) =>
            [row.querySelector("select").selectedOptions[0].text,
              row.querySelector(".note").textContent]);""")
        browser.screenshot(options.out, "routine-other-model")
        browser.run("document.getElementById('routine-save').click()")
        browser.wait("it to be saved", note, "Saved")
        labels = browser.run(kept, "Mixed")
        begin(browser)
        browser.wait("the notice", """
          return document.getElementById("banner-text").textContent
            === "Left out, not in this model: Bicep Curls.";""")
        steps = browser.run("return document.querySelectorAll('.steps li').length")
        browser.screenshot(options.out, "routine-left-out")
        browser.click("challenge-stop")
        for name in ("Mixed", "Elsewhere"):
            browser.run("return fetch(`/api/v1/routines?name=${arguments[0]}`, {method: 'DELETE'});", name)
        # The same with a model of more actions.
        browser.run("""localStorage.setItem("kinema.preferences",
          JSON.stringify({settings: {model: "Workout", isClassifying: true}}));
          document.getElementById("leave-button").click();""")
        browser.reload()
        browser.start()
        browser.press("c")
        offered = browser.run(options_of, "challenge-label-0")
        choose(browser, "challenge-label-0", "plank")
        units = browser.run("""
          return [...document.querySelector(".target select").options].map(({ value }) => value);""")
        browser.press("\ue00c")
        browser.run(CHANGE % """(frame) => {
          frame.action = {status: "action", label: "raises", text: "Raises", confidence: 0.7,
            top: [["lateral_raises", 0.4], ["front_raises", 0.3], ["squats", 0.2]]};
        }""")
        browser.press("d")
        named = "Raises  ·  of these: Lateral Raises\u00a040%  ·  Front Raises\u00a030%"
        browser.wait("the members of a group", """
          return document.getElementById("alternatives").textContent === arguments[0];""", named)
        browser.screenshot(options.out, "group")
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    expect(shown == [["Bicep Curls", "Not in this model: left out when the challenge runs."]],
           f"the other action is marked {shown}")
    expect(labels == ["squats", "bicep_curls"], f"the saved routine has {labels}")
    expect(unseen == labels and replaced != labels, f"a routine was {unseen}, and then {replaced}")
    expect(steps == 1, f"the challenge has {steps} sets")
    expect("bicep_curls" in offered and "walking" in offered, f"challenges offer {offered}")
    expect("falling" not in offered and "other" not in offered, f"challenges offer {offered}")
    expect(units == ["seconds"], f"a plank is offered in {units}")
    return {"offered": len(offered)}


# Lets through no message of form and challenges but those that are given.
FILTER = """
  const socket = window.kinemaSockets.at(-1);
  const parse = window.kinemaParse ?? JSON.parse;
  if (!window.kinemaParse) JSON.parse = (text) => window.kinemaParse(text);
  window.kinemaParse = (text) => {
    const message = parse(text);
    const isOwn = !message?.isGiven && ["form", "challenge"].includes(message?.type);
    return isOwn ? {type: "none"} : message;
  };
  window.kinemaGive = (message) =>
    socket.onmessage({data: JSON.stringify({...message, isGiven: true})});"""

# Gives the page a challenge of two actions, in the second set of the first.
GIVE_CHALLENGE = """
  const item = {label: "jumping_jacks", text: "Jumping Jacks", repetitions: 12, seconds: null,
    doneRepetitions: 0, doneSeconds: 0, set: 1, sets: 2, weight: null, state: "pending"};
  window.kinemaGive({type: "challenge", state: "running", index: 1, rest: null, items: [
    {...item, doneRepetitions: 12, state: "done"},
    {...item, doneRepetitions: 11, set: 2, state: "active"},
    {...item, label: "squats", text: "Squats", sets: 1}]});
  return document.querySelector(".position").textContent;"""

# The heights of texts, CSS pixels.
HEIGHTS = """
  return arguments[0].map((selector) =>
    Math.round(parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)));"""


# Gives the page the states of a challenge: of two sets of five squats, with a rest of two seconds.
GIVE_STATES = """
  const item = {label: "squats", text: "Squats", repetitions: 5, seconds: null,
    doneSeconds: 0, sets: 2, weight: null, state: "active"};
  for (const [state, set, doneRepetitions, left] of arguments[0]) {
    window.kinemaGive({type: "challenge", state, index: 0,
      rest: left === undefined ? null : {seconds: 2, left}, items: [{...item, set, doneRepetitions}]});
  }
  return window.kinemaSpoken;"""


def counted(options):
    """Each count of a challenge is spoken, where it is the first message of a set, too."""
    with page(options) as browser:
        browser.run(VOICE)
        browser.start()
        browser.run(FILTER)
        said = browser.run(GIVE_STATES, [
            ["waiting", 1, 0], ["running", 1, 2], ["running", 1, 2], ["running", 1, 3], ["paused", 1, 3],
            ["running", 1, 4], ["resting", 1, 5, 2], ["resting", 1, 5, 0.5], ["waiting", 2, 0],
            ["running", 2, 1], ["running", 2, 3], ["finished", 2, 5]])
    expect(said == ["2", "3", "4", "Rest.", "1", "Continue: Squats, set 2 of 2, 5 ×", "1", "3", "Well done!"],
           f"spoken: {said}")
    return {"counted": said}


def distance(options):
    """What is read from four metres is large on phones and at 200 %, and covers neither the name of
    what is recognised nor a head."""
    shown = ["#count", "#form-cue", ".form-values dd", "#challenge-number"]
    ids = ["challenge-number", "challenge-name", "challenge-skip", "label", "form-cue", "pause-button"]
    # 48 pixels of a phone are letters of 5.8 mm, five minutes of arc at four metres.
    screens = {"phone": ((390, 844), True, (90, 46, 46, 80)), "zoom": ((640, 400), False, (90, 28, 24, 66)),
               "phone-wide": ((844, 390), True, (90, 46, 42, 80))}
    found = {}
    for name, (size, is_mobile, least) in screens.items():
        with page(options, size=size, is_mobile=is_mobile) as browser:
            browser.start()
            browser.run(set_of(7, "squats", 8))
            moves(browser)
            browser.run(FILTER)
            count = browser.run(HEIGHTS, shown[:1])
            browser.run(GIVE, {"number": 901})
            place = browser.run(GIVE_CHALLENGE)
            values = browser.run(HEIGHTS, shown[2:3])
            browser.run(GIVE, {"number": 902, "verdict": "fault", "cue": "Bring your arms above your head."})
            covered = browser.run(COVERED, ids)
            seen = [*count, *browser.run(HEIGHTS, shown[1:2]), *values, *browser.run(HEIGHTS, shown[3:])]
            head = browser.run("""
              return document.getElementById("form-card").getBoundingClientRect().top / innerHeight;""")
            browser.screenshot(options.out, f"distance-{name}")
            expect(not covered, f"{name}: {covered} are covered")
            expect(all(a >= b for a, b in zip(seen, least)), f"{name}: texts of {seen}, not {least}")
            expect(name != "phone" or head > 0.3, f"the cards begin at {head} of the height")
            expect(place == "Action 1 of 2 · set 2 of 2", f"the position reads {place}")
            found[name] = seen
    return found


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


ALL = [form, space, sets, routines, counted, distance, profiles]

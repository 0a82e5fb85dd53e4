"""Steps about what the page shows when something is late, old, resumed or short of room."""

from browser import page, without_server
from steps import begin, expect, moves

# Sends each picture a second late; counts how many wait for their results.
DELAY = """
  const socket = window.kinemaSockets.at(-1);
  const send = socket.send;
  window.kinemaWaiting = {now: 0, most: 0};
  socket.addEventListener("message", (event) => {
    if (typeof event.data === "string" && JSON.parse(event.data).type === "frame") {
      window.kinemaWaiting.now = Math.max(0, window.kinemaWaiting.now - 1);
    }
  });
  socket.send = (data) => {
    if (typeof data === "string") return send.call(socket, data);
    const waiting = window.kinemaWaiting;
    waiting.now += 1;
    waiting.most = Math.max(waiting.most, waiting.now);
    setTimeout(() => send.call(socket, data), 1000);
  };"""

# Changes each frame of the server before the page sees it, by the function in the brackets.
CHANGE = """
  window.kinemaParse ??= JSON.parse;
  JSON.parse = (text) => {
    const message = window.kinemaParse(text);
    if (message?.type === "frame") (%s)(message);
    return message;
  };"""

# Keeps the page from handling any message of the server, until window.kinemaUnmute().
MUTE = """
  const socket = window.kinemaSockets.at(-1);
  const handle = socket.onmessage;
  socket.onmessage = () => {};
  window.kinemaUnmute = () => { socket.onmessage = handle; };
  window.kinemaGive = (message) => handle.call(socket, {data: JSON.stringify(message)});"""


def slow(options):
    """Late results are shown all the same, and the page reports what makes them late."""
    banner = """
      const banner = document.getElementById("banner");
      return banner.checkVisibility() && banner.innerText.includes(arguments[0]);"""
    with page(options) as browser:
        browser.start()
        browser.run(DELAY)
        browser.wait("the report that the connection is slow", banner, "connection")
        browser.run("Object.assign(window.kinemaWaiting, {now: 0, most: 0})")
        for _ in range(3):
            moves(browser)
        browser.screenshot(options.out, "slow")
        most = browser.run("return window.kinemaWaiting.most")
        browser.run("delete window.kinemaSockets.at(-1).send")
        browser.wait("the report to go", f"return !(() => {{ {banner} }})('is slow')")
        moves(browser)
        browser.run(DELAY)
        browser.run(CHANGE % "(frame) => { frame.serverTime = 950; }")
        browser.wait("the report that the server is slow", banner, "The computer that runs Kinema is")
        browser.run("delete window.kinemaSockets.at(-1).send; JSON.parse = window.kinemaParse;")
        browser.wait("the report to go", f"return !(() => {{ {banner} }})('is slow')")
        browser.run("""
          window.kinemaBusy = setInterval(() => {
            const end = performance.now() + 1500;
            while (performance.now() < end);
          }, 1520);""")
        browser.wait("the report that the browser is slow", banner, "This browser", seconds=40)
        browser.run("clearInterval(window.kinemaBusy)")
    expect(most == 1, f"{most} pictures wait for their results at a time")
    return {}


def stale(options):
    """What is not of now looks old and has the time that it is of, until new results come."""
    state = """
      const note = document.getElementById("as-of");
      return [document.body.dataset.picture, note.checkVisibility() ? note.innerText : null,
        getComputedStyle(document.getElementById("stage")).filter.includes("blur")];"""
    with page(options) as browser:
        browser.start()
        expect(browser.run(state) == ["fresh", None, False], "a fresh picture looks old")
        browser.run(MUTE)
        note = browser.wait("the label to be marked",
                            f"const [, note] = (() => {{ {state} }})(); return note;")
        expect(browser.run(state)[0] == "fresh", "the camera's own picture looks old")
        browser.run("""
          const select = document.getElementById("source-select");
          select.value = "synthetic"; select.dispatchEvent(new Event("change"));""")
        browser.wait("the picture to look old", f"""
          const [picture, note, isBlurred] = (() => {{ {state} }})();
          return picture === "stale" && note && isBlurred;""")
        browser.screenshot(options.out, "stale-before")
        browser.run("window.kinemaUnmute()")
        moves(browser)
        browser.wait("the mark to go", f"return !(() => {{ {state} }})()[1]")
        browser.run(MUTE)
        browser.run("""window.kinemaGive({type: "source", state: "stale", attempt: 0, retryIn: null,
          message: "The source sends no pictures."})""")
        # A picture that came before may still be decoded.
        browser.wait("a stale source's picture to look old",
                     f"return (() => {{ {state} }})()[0] === 'stale'")
        browser.screenshot(options.out, "stale")
        browser.run("window.kinemaUnmute()")
        moves(browser)
    return {"note": note}


def resume(options):
    """A reloaded page continues its session; one that was left does not."""
    ready = "return window.kinemaReady.at(-1)"
    with page(options) as browser:
        browser.start("start-synthetic")
        browser.press("c")
        begin(browser)
        shown = "return !document.getElementById('challenge-card').hidden"
        before = browser.run(ready)
        browser.wait("a saved session", """
          return fetch("/api/v1/history").then((answer) => answer.json()).then(({ sessions }) =>
            sessions.some(({ id, isOpen }) => id === arguments[0] && isOpen));""",
                     before["historyID"])
        browser.reload()
        browser.wait_for_overlay()
        after = browser.run(ready)
        browser.wait("the challenge after the reload", shown)
        browser.screenshot(options.out, "resumed")
        for key in ("session", "historyID", "source"):
            expect(before[key] == after[key], f"{key} is another one: {before[key]}, {after[key]}")
        browser.click("leave-button")
        browser.reload()
        expect(browser.run("return document.body.dataset.view") == "start",
               "the page resumes a session that was left")
        browser.wait("the end in the history", """
          return fetch("/api/v1/history").then((answer) => answer.json()).then(({ sessions }) =>
            sessions.every(({ id, isOpen }) => id !== arguments[0] || !isOpen));""",
                     before["historyID"])
    return {"source": after["source"]}


# Gives each frame a set under way: its id, label, repetitions and seconds; a label of null has no name yet.
SET = """(frame) => {
  Object.assign(frame, {activity: "set", set: {id: %d, label: %s, kind: "%s", repetitions: %d, seconds: %s}});
}"""


def set_of(number, label, repetitions=0, seconds=None):
    """The change that gives frames a set under way, of seconds or repetitions."""
    name = f'"{label}"' if label else "null"
    return CHANGE % (SET % (number, name, "counted" if seconds is None else "timed", repetitions, seconds or 9))


def spoken(options):
    """Screen readers hear the name of a set with its count, which appears with the name."""
    announced = "return document.getElementById('announcer').textContent === arguments[0]"
    with page(options) as browser:
        browser.start()
        browser.run(set_of(1, None, 3))
        browser.wait("a set without a name", announced, "Which exercise?")
        expect(browser.text("count") == "", "repetitions of nothing are shown")
        browser.run(set_of(1, "push_ups", 1))
        browser.wait("one repetition", announced, "Push-ups, 1 repetition")
        browser.run(set_of(1, "push_ups", 2))
        browser.wait("two repetitions", announced, "Push-ups, 2 repetitions")
        browser.run(set_of(2, "plank", seconds=74.2))
        browser.wait("what is held", announced, "Plank")
        shown = [browser.text("count"), browser.text("count-name")]
        browser.screenshot(options.out, "held")
        expect(shown == ["1:14", "held"], f"a plank reads {shown}")
    return {}


# Whether each element is uncovered and within the window, and its text within its box.
COVERED = """
  return arguments[0].filter((id) => {
    const element = document.getElementById(id);
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.width === 0
      || !element.contains(document.elementFromPoint(x, y));
  });"""

# How far the corners of the number are from the middle of its ring, as a share of its radius.
REACH = """
  const ring = document.querySelector(".dial").getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(document.getElementById("challenge-number"));
  const text = range.getBoundingClientRect();
  const [x, y] = [ring.left + ring.width / 2, ring.top + ring.height / 2];
  return Math.max(...[text.left, text.right].flatMap((side) =>
    [text.top + text.height * 0.15, text.bottom - text.height * 0.15].map((level) =>
      Math.hypot(side - x, level - y)))) / (ring.width * 49.5 / 120);"""


def room(options):
    """At 200 % zoom and on phones, buttons and the challenge are in view and not covered."""
    screens = {"zoom": ((640, 400), False), "phone": ((390, 844), True),
               "phone-small": ((320, 568), True), "phone-wide": ((844, 390), True),
               "phone-small-wide": ((568, 320), True), "desktop": ((1280, 720), False)}
    reaches = {}
    for name, (size, is_mobile) in screens.items():
        with page(options, size=size, is_mobile=is_mobile) as browser:
            browser.screenshot(options.out, f"room-{name}-start")
            covered = browser.run(COVERED, ["start-camera", "start-synthetic"])
            expect(not covered, f"{name}: the start hides {covered}")
            browser.start()
            browser.click("challenge-button")
            browser.run("""
              const [amount, unit] = document.querySelector(".target").children;
              const set = (control, value) => {
                control.value = value;
                control.dispatchEvent(new Event("change"));
              };
              set(amount, "10000");
              window.kinemaAmount = amount.value;
              set(unit, "seconds");""")
            expect(browser.run("return window.kinemaAmount") == "10000", "10,000 are not allowed")
            expect(browser.run("""
              const unit = document.querySelector(".target select");
              const context = document.createElement("canvas").getContext("2d");
              const style = getComputedStyle(unit);
              context.font = style.font;
              return unit.clientWidth - parseFloat(style.paddingLeft) * 2
                - context.measureText("seconds").width;""") > 12, f"{name}: “seconds” is cut off")
            browser.screenshot(options.out, f"room-{name}-editor")
            begin(browser)
            covered = browser.run(COVERED, ["challenge-skip", "challenge-stop", "challenge-name",
                                            "challenge-number", "pause-button"])
            reaches[name] = round(browser.run(REACH), 2)
            browser.screenshot(options.out, f"room-{name}-challenge")
            expect(not covered, f"{name}: the challenge hides {covered}")
            expect(reaches[name] < 1, f"{name}: the time is over its ring: {reaches[name]}")
            expect(browser.run("return document.documentElement.scrollWidth <= innerWidth"),
                   f"{name} has to be scrolled sideways")
    return reaches


# A voice that notes what it is to say.
VOICE = """
  window.kinemaSpoken = [];
  speechSynthesis.getVoices = () => [{lang: "en-GB"}];
  speechSynthesis.speak = ({ text }) => window.kinemaSpoken.push(text);"""

# Fills the editor with a routine: actions with repetitions, sets and rests.
EDIT = """
  const set = (id, value) => {
    const control = typeof id === "string" ? document.getElementById(id) : id;
    control.value = value;
    control.dispatchEvent(new Event("change"));
  };
  arguments[0].forEach(([label, amount, sets, rest, weight], index) => {
    set(`challenge-label-${index}`, label);
    set(document.querySelectorAll(".target input")[index], amount);
    set(`challenge-sets-${index}`, sets);
    set(`challenge-rest-${index}`, rest);
    set(`challenge-weight-${index}`, weight);
  });"""


def training(options):
    """A saved routine of three exercises is chosen and done to its end, with rests, and spoken."""
    plan = [["jumping_jacks", 3, 2, 2, 0], ["squats", 2, 1, 2, 12.5], ["lunges", 2, 1, 0, 0]]
    with page(options) as browser:
        browser.run(VOICE)
        browser.start("start-synthetic")
        browser.press("c")
        browser.run(EDIT, plan)
        browser.run("document.getElementById('routine-name').value = 'Every day'")
        browser.run("document.getElementById('routine-save').click()")
        browser.wait("the routine to be saved", """
          return document.getElementById("routine-choice").value === "Every day";""")
        browser.screenshot(options.out, "routine-editor")
        browser.press("\ue00c")
        browser.run("localStorage.removeItem('kinema.preferences')")
        browser.reload()
        browser.wait_for_overlay()
        browser.run(VOICE)
        browser.press("c")
        browser.wait("the routine in the list", """
          return document.querySelector("#routine-choice option[value='Every day']");""")
        browser.run("""
          const choice = document.getElementById("routine-choice");
          choice.value = "Every day"; choice.dispatchEvent(new Event("change"));""")
        begin(browser)
        state = "return document.getElementById('challenge-card').dataset.state"
        form = browser.wait("the form of a repetition", """
          return !document.getElementById("form-card").hidden
            && [...document.querySelectorAll("#form-card dd")].map((cell) => cell.textContent);""",
                            seconds=90)
        browser.wait("a rest", f"return (() => {{ {state} }})() === 'resting'", seconds=90)
        browser.screenshot(options.out, "training-rest")
        browser.wait("the next set", f"return (() => {{ {state} }})() !== 'resting'")
        browser.screenshot(options.out, "training")
        browser.wait("the end", f"return (() => {{ {state} }})() === 'finished'", seconds=250)
        browser.screenshot(options.out, "training-end")
        rows = browser.run("""
          return [...document.querySelectorAll(".done-list li")].map((row) => row.innerText);""")
        said = browser.run("return window.kinemaSpoken")
        browser.click("challenge-close")
        with without_server(browser):
            browser.press("h")
            browser.wait("what the history says without a server", """
              return document.querySelector("#history-content .problem")?.textContent;""")
        record = browser.wait("the record", """
          return document.getElementById("progress-record")?.innerText;""")
        browser.screenshot(options.out, "progress")
        browser.run("""
          const measure = document.getElementById("progress-measure");
          measure.value = "range"; measure.dispatchEvent(new Event("change"));""")
        trend = browser.run("return document.querySelector('.progress').firstChild.ariaLabel")
        browser.screenshot(options.out, "progress-range")
        browser.run("document.querySelector('#history-list .session').click()")
        sets = browser.wait("the sets", """
          const sets = [...document.querySelectorAll("#history-content .sets ol > li")];
          return sets.length && sets.map((set) => set.textContent);""")
        browser.screenshot(options.out, "history-sets")
        browser.press("\ue00c")
        browser.press("c")
        browser.run("""
          const choice = document.getElementById("routine-choice");
          choice.value = "Every day"; choice.dispatchEvent(new Event("change"));
          document.getElementById("routine-delete").click();""")
        browser.wait("the routine to be deleted", """
          return !document.querySelector("#routine-choice option[value='Every day']");""")
    expect(len(rows) == 4, f"the sets are {rows}")
    for words in ("Rest.", "Well done!"):
        expect(words in said, f"“{words}” is not among what is spoken: {said}")
    expect(any("Squats" in words and "12.5 kg" in words for words in said), f"spoken: {said}")
    done = [text for text in sets if "of" in text]
    expect(len(done) >= 4, f"the sets in the history are {sets}")
    expect(trend and "Range per day" in trend, f"the chart of range is {trend}")
    return {"sets": rows, "spoken": said, "record": record, "form": form, "trend": trend,
            "history": sets}


def worded(options):
    """The page has its texts from one table: nothing is left without, and what it reports is worded
    by a table that is changed."""
    with page(options) as browser:
        empty = browser.run("""
          return [...document.querySelectorAll("[data-text], [data-label], [data-title]")]
            .filter((element) => ["text", "label", "title"].some((name) =>
              element.dataset[name] === "")
              || !(element.textContent || element.ariaLabel || element.title).trim())
            .map(({ outerHTML }) => outerHTML);""")
        browser.start()
        browser.later("""
          const done = arguments[0];
          import("/live/texts.js").then(({ texts }) => {
            Object.assign(texts, {"error.noLiveModel": "Kein Modell {id}.",
              "hint.moveIntoView": "{parts} ins Bild.", "hint.legs": "Beine",
              "activity.ready": "Bereit"});
            done();
          });""")
        browser.run("""
          window.kinemaSockets.at(-1).send(
            JSON.stringify({type: "configure", settings: {model: "Golf"}}));""")
        browser.wait("the error in its words", """
          return document.getElementById("banner-text").textContent === "Kein Modell Golf.";""")
        browser.run(CHANGE % """(frame) => {
          Object.assign(frame, {hint: "moveIntoView", hintText: "Move your legs into view.",
            hintParts: ["leftLeg", "rightLeg"], activity: undefined, set: undefined});
          frame.action = {status: "lowConfidence", label: null, text: "Low Confidence",
            confidence: 0.2, top: []};
        }""")
        browser.wait("the hint in its words", """
          return document.getElementById("hint").textContent === "Beine ins Bild."
            && document.getElementById("label").textContent === "Bereit";""")
        browser.run("JSON.parse = window.kinemaParse;")
    expect(not empty, f"there is no text in {empty}")
    return {}


ALL = [slow, stale, resume, spoken, room, training, worded]

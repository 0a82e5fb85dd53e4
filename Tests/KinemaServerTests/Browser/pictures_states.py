"""The pages and states that are compared; each function brings a loaded page into one."""

import pictures_data as data
import pictures_studio as studio

OPEN = "return document.getElementById(arguments[0]).open"


class Stage:
    """What the states need: the browser, the film of the session, and what the server knows."""

    def __init__(self, browser, address, film, info, bodies):
        self.browser, self.address, self.film, self.bodies = browser, address, film, bodies
        self.model = next(model for model in info["models"] if model["id"] == "Workout")
        self.joints = [joint["name"] for joint in info["wireframes"]["body"]["joints"]]
        self.language = "en"
        self.number = 0

    def give(self, *messages):
        """Gives the page messages of the server."""
        self.browser.run("window.kinemaGive(...arguments)", *messages)

    def open(self, page="", **query):
        """Loads a page as a first visit in the language of the stage."""
        self.browser.url = f"{self.address}{page.partition('#')[0]}?language={self.language}"
        self.browser.url += "".join(f"&{name}={value}" for name, value in query.items())
        self.browser.url += page[page.find("#"):] if "#" in page else ""
        # No session is left that the next page would resume.
        self.browser.run("""
          document.querySelector("dialog[open]")?.close();
          if (document.body.dataset.view === "live") document.getElementById("leave-button").click();""")
        self.browser.driver.get("about:blank")
        self.browser.load()
        self.number = 0

    def live(self, settings=None):
        """A session with the synthetic person, ready."""
        self.open()
        self.browser.click("start-synthetic")
        self.browser.wait("the start of the session", "return window.kinemaSent.includes('start')")
        self.give(data.ready(self.model, settings),
                  {"type": "source", "state": "live", "message": "", "attempt": 0, "retryIn": None})
        self.show(lambda number, people: data.frame(number, people))

    def show(self, message, index=8, people=1, step=15):
        """Shows a frame of the film with a message of the server for it, `step` tenths of a second after the last."""
        self.number += step
        persons = self.film.persons(index, self.joints)
        if people == 2:
            other = self.film.persons(index, self.joints, shift=-0.22)[0]
            persons.append({**other, "id": 2, "action": data.action("lunges"), "count": 4})
        self.browser.run("window.kinemaShow(...arguments)", self.number, data.packed(self.film.picture(index)))
        self.give(message(self.number, persons))
        self.browser.wait("the picture", """
          return document.getElementById("stage").dataset.sequence === String(arguments[0]);""", self.number)

    def press(self, name):
        """Presses a control, also one that the size of the window hides."""
        self.browser.run("document.getElementById(arguments[0]).click()", name)

    def dialog(self, name):
        """Opens a sheet of the live page."""
        self.press(f"{name}-button")
        self.browser.wait(f"the sheet {name}", OPEN, f"{name}-dialog")

    def studio(self, path):
        """Opens a page of Studio."""
        self.open(f"studio/studio.html#/{path}")


def start(stage):
    stage.open()
    stage.browser.wait("an exercise", "return document.getElementById('figure-name').textContent")


def start_problem(stage):
    """The camera is taken away while the page starts it."""
    start(stage)
    stage.browser.run("""
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException("", "NotAllowedError"));
      document.getElementById("start-camera").click();""")
    stage.browser.wait("the problem", "return !document.getElementById('start-problem').hidden")


def ready(stage):
    stage.live()
    stage.show(lambda number, people: data.frame(number, people))


def working(stage):
    stage.live()
    stage.give(data.summary(), data.form())
    stage.show(lambda number, people: data.working(number, people), index=20)
    stage.give({**data.form("Go lower."), "number": 8})


def replay(stage):
    """The last repetition, shown once more on a cue."""
    stage.live()
    for index in range(20, 30):
        stage.show(lambda number, people: data.working(number, people), index=index, step=1)
    stage.give(data.form())
    stage.browser.wait("the replay", "return !document.getElementById('replay-card').hidden")


def crowded(stage):
    """Most of what can be shown at a time: banner, notes, three dimensions, form, replay, count."""
    stage.live({"isLifting": True})
    for index in range(20, 30):
        stage.show(lambda number, people, index=index: data.working(
            number, people, isPinned=True, hint="moveIntoView", hintText="Move your legs into view.",
            hintParts=["leftLeg", "rightLeg"], body=stage.bodies[index]), index=index, people=2, step=1)
    stage.give(data.STATISTICS, data.form())
    stage.press("voice-button")
    stage.browser.wait("the banner and the replay", """
      return document.getElementById("banner").checkVisibility()
        && !document.getElementById("replay-card").hidden;""")


def held(stage):
    stage.live()
    stage.show(lambda number, people: data.working(number, people, "plank", 0, 74.2))


def rest(stage):
    stage.live()
    stage.give(data.summary(), data.STATISTICS)
    stage.show(lambda number, people: data.frame(number, people))


def several(stage):
    """Two people of whom one is followed, too close to the camera."""
    stage.live()
    stage.show(lambda number, people: data.frame(
        number, people, isPinned=True, hint="moveIntoView", hintText="Move your legs into view.",
        hintParts=["leftLeg", "rightLeg"]), people=2)


def details(stage):
    stage.live()
    stage.press("details-button")
    stage.press("performance-button")
    stage.show(lambda number, people: data.working(number, people), index=20)
    stage.give(data.STATISTICS, data.form(None))


def space(stage):
    """The person in three dimensions."""
    stage.live({"isLifting": True})
    for index in range(20, 30):
        stage.show(lambda number, people, index=index: data.working(number, people, body=stage.bodies[index]),
                   index=index, step=1)
    stage.give(data.form(None))


def more(stage):
    stage.live()
    stage.press("more-button")


def lost(stage):
    """The connection is broken."""
    stage.live()
    stage.browser.run("""
      const later = window.setTimeout;
      window.setTimeout = (run, delay = 0, ...values) => (delay < 300 ? later(run, delay, ...values) : 0);
      window.kinemaSocket.readyState = 3;
      window.kinemaSocket.onclose({code: 1006, reason: ""});""")
    stage.browser.wait("the report", "return document.getElementById('banner').checkVisibility()")


def queued(stage):
    stage.open()
    stage.browser.click("start-synthetic")
    stage.browser.wait("the start", "return window.kinemaSent.includes('start')")
    stage.give({"type": "queued", "place": 2})
    stage.browser.wait("the report", "return document.getElementById('banner').checkVisibility()")


def summary(stage):
    rest(stage)
    stage.dialog("summary")


def summary_empty(stage):
    stage.live()
    stage.dialog("summary")


def editor(stage):
    """The editor of challenges, with a routine."""
    stage.live()
    stage.dialog("challenge")
    stage.browser.wait("the routines", "return document.querySelector('#routine-choice option[value=Legs]')")
    stage.browser.run("""
      const choice = document.getElementById("routine-choice");
      choice.value = "Legs"; choice.dispatchEvent(new Event("change"));""")


def challenged(state):
    """The card of a challenge in a state."""
    def challenge(stage):
        stage.live()
        stage.give(data.challenge(state))
        if state == "running":
            stage.give(data.form(None))
            stage.show(lambda number, people: data.working(number, people), index=20)
        if state == "resting":
            stage.browser.wait("the demonstration", """
              return !document.getElementById("challenge-demonstration").hidden;""")

    challenge.__name__ = f"challenge_{state}"
    return challenge


def teach(stage):
    stage.live()
    stage.dialog("teach")
    stage.browser.run("""
      const name = document.getElementById("teach-name");
      name.value = "Star dance"; name.blur();""")


def history(stage):
    stage.live()
    stage.dialog("history")
    stage.browser.wait("the sessions and their progress", """
      return document.querySelector("#history-list .session") && document.getElementById("progress-record");""")


def session(stage):
    history(stage)
    stage.browser.run("document.querySelector('#history-list [data-session=\"8\"]').click()")
    stage.browser.wait("the session", "return document.getElementById('session-name')")


def settings(stage):
    stage.live()
    stage.dialog("settings")


def help_(stage):
    stage.live()
    stage.dialog("help")


def wall(stage):
    stage.open("#sources")
    stage.browser.wait("the tiles with their pictures and the log", """
      return document.querySelectorAll(".tile").length === 4
        && [...document.querySelectorAll(".tile img")].filter((picture) => picture.naturalWidth).length >= 3
        && document.querySelectorAll("#event-list li").length === 4;""")


def areas(stage):
    wall(stage)
    stage.browser.run("document.querySelector('.tile-edit').click()")
    stage.browser.wait("the areas", "return document.querySelectorAll('.area-row').length === 3")


def cameras(stage):
    wall(stage)
    stage.browser.click("sources-find")
    stage.browser.wait("the cameras", "return document.querySelectorAll('.camera').length === 2")


def away(stage):
    stage.browser.url = f"{stage.address}away.html?language={stage.language}"
    stage.browser.driver.get(stage.browser.url)
    stage.browser.wait("the page", "return document.readyState === 'complete'")


LIVE = [start, start_problem, ready, working, replay, crowded, held, rest, several, details, space, more, lost, queued, summary,
        summary_empty, editor, challenged("running"), challenged("resting"), challenged("finished"), teach, history,
        session, settings, help_, wall, areas, cameras, away]


def projects(stage):
    stage.studio("")


def new_project(stage):
    stage.studio("")
    stage.press("new-project")
    stage.browser.wait("the question", "return document.getElementById('answer')")


def empty(stage):
    stage.studio("new/data")


def clips(stage):
    """The data of a project; pictures of clips are drawn one after the other."""
    stage.studio(f"{studio.PROJECT}/data")
    stage.browser.wait("the clips", "return document.querySelectorAll('.clip-option').length === arguments[0]",
                       len(studio.ITEMS))
    stage.browser.run("document.querySelectorAll('.clip-option')[1].click()")


def parameters(stage):
    stage.studio(f"{studio.PROJECT}/data")
    stage.browser.run("document.querySelector('details.plan').open = true")


def montage(stage):
    stage.studio(f"{studio.PROJECT}/montage")
    stage.browser.wait("the segments", "return document.querySelector('#segments button')")
    stage.browser.run("document.querySelector('#segments button').click()")


def montage_empty(stage):
    stage.studio("new/montage")


def record(stage):
    stage.studio(f"{studio.PROJECT}/record")


def runs(stage):
    stage.studio(f"{studio.PROJECT}/runs/3")


def run_done(stage):
    stage.studio(f"{studio.PROJECT}/runs/2")


def run_failed(stage):
    stage.studio(f"{studio.PROJECT}/runs/1")


def runs_none(stage):
    stage.studio("new/runs")


def evaluation(stage):
    stage.studio(f"{studio.PROJECT}/evaluation/2")
    stage.browser.wait("the matrix", "return document.querySelector('#evaluation:not([aria-busy]) #matrix')")


def preview(stage):
    stage.studio(f"{studio.PROJECT}/preview/2")
    stage.browser.wait("the prediction", "return document.querySelector('.timeline .block')")


def output(stage):
    stage.studio(f"{studio.PROJECT}/output/2")


STUDIO = [projects, new_project, empty, clips, parameters, montage, montage_empty, record, runs, run_done,
          run_failed, runs_none, evaluation, preview, output]

"""The steps on the data of a project; each raises a Failure or returns what it found."""

import glob
import os
import tempfile
import time
from contextlib import contextmanager

from selenium import webdriver

from audit import audit
from browser import Failure, page

ENTER, SHIFT, CONTROL = "\ue007", "\ue008", "\ue009"
DOWN, RIGHT, BACKSPACE = "\ue015", "\ue014", "\ue003"

# Calls the server from the page and returns the JSON of its answer.
CALL = """
  const [method, path, body] = arguments;
  return fetch(`/api/v1/studio/${path}`, body === null || body === undefined ? {method}
    : {method, headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)})
    .then((answer) => answer.text()).then((text) => (text ? JSON.parse(text) : null));"""

NAME = "Test of the pages"


def expect(condition, message):
    """Ends the step where something is not as it should be."""
    if not condition:
        raise Failure(message)


def call(browser, method, path, body=None):
    """The server's answer to a request below /api/v1/studio/."""
    return browser.run(CALL, method, path, body)


def go(browser, path=""):
    """Opens a page of the studio and waits until it is filled."""
    browser.run("document.body.dataset.prepared = 'false'")
    browser.driver.get("about:blank")
    browser.driver.get(f"{browser.url.split('?')[0].rstrip('/')}/studio/studio.html#/{path}")
    ready(browser)
    problem = browser.run("return document.querySelector('main > h1 + .problem')?.innerText ?? ''")
    expect(not problem, f"{path} shows a problem: {problem}")


def ready(browser):
    """Waits until the page is filled."""
    browser.wait("the page", "return document.body.dataset.prepared === 'true'", seconds=60)


@contextmanager
def refilled(browser):
    """Waits until the page that is shown is replaced because of what is done in this context: the
    server has a change before the page is filled again."""
    browser.run("document.querySelector('main').firstElementChild.dataset.before = ''")
    yield
    browser.wait("the page to be filled again", """
      return document.body.dataset.prepared === "true" && !document.querySelector("main > [data-before]");""")


def undo(browser):
    """Undoes the last change by its key."""
    browser.run("document.activeElement?.blur()")
    browser.press("z")


def choose_clip(browser):
    """Chooses the next clip by keyboard as soon as the clips are shown."""
    browser.wait("the clips", "return document.querySelectorAll('.clip-option').length > 1")
    browser.run("document.getElementById('clips').focus()")
    browser.press(DOWN)


def chord(browser, modifier, key):
    """Sends a key with a modifier."""
    webdriver.ActionChains(browser.driver).key_down(modifier).send_keys(key).key_up(modifier).perform()


@contextmanager
def own_project(options, title, **settings):
    """A page and the id of a project of the step's own, which is deleted in the end; no script may
    have failed until then."""
    with page(options, **settings) as browser:
        name = call(browser, "POST", "projects", {"name": title})["id"]
        yield browser, name
        call(browser, "DELETE", f"projects/{name}")
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")


def sound(browser, where, options):
    """Ends the step where the page, or the open dialog, has a control that cannot be used by
    everybody."""
    problems = audit(browser, where, options.axe)
    expect(not problems, "; ".join(problems))


def clips(options):
    """The videos of each label."""
    found = {os.path.basename(folder): sorted(glob.glob(os.path.join(folder, "*.*")))
             for folder in sorted(glob.glob(os.path.join(options.clips, "*/")[:-1]))}
    expect(len(found) >= 2, f"{options.clips} has fewer than two folders of videos")
    return found


def upload(browser, well, label, files):
    """Uploads files by the page and waits until they are items."""
    before = browser.run("return document.querySelectorAll('.well').length")
    expect(before == 3, "this is not the page of the data")
    browser.write(f"files-{well}", "\n".join(os.path.abspath(file) for file in files))
    browser.wait("the question for the label", "return !!document.getElementById('answer')")
    browser.write("answer", label, ENTER)
    browser.wait("the uploads to begin", "return !document.querySelector('dialog[open]')")


def project(browser, options):
    """The id of the project that the steps share; made and filled by the pages at first."""
    if options.project is None:
        name = call(browser, "POST", "projects", {"name": NAME})["id"]
        go(browser, f"{name}/data")
        found = clips(options)
        for label, files in found.items():
            upload(browser, "training", label, files[:3])
        wanted = sum(min(3, len(files)) for files in found.values())
        browser.wait("the items", f"""
          return fetch("/api/v1/studio/projects/{name}").then((answer) => answer.json())
            .then(({{wells}}) => wells.training.items === arguments[0]);""", wanted, seconds=120)
        options.project = name
    return options.project


def projects(options):
    """A project is created, renamed, deleted and brought back."""
    with page(options) as browser:
        go(browser)
        browser.screenshot(options.out, "projects")
        browser.click("new-project")
        with refilled(browser):
            browser.write("answer", "Short lived", ENTER)
            browser.wait("its page", "return location.hash.endsWith('/data')")
        name = browser.run("return decodeURIComponent(location.hash.split('/')[1])")
        go(browser)
        card = f"document.querySelector('[data-project=\"{name}\"]')"
        browser.run(f"{card}.querySelectorAll('button')[0].click()")
        field = browser.wait("the question", "return document.getElementById('answer')")
        field.clear()
        field.send_keys("Renamed", ENTER)
        browser.wait("the new name", f"return {card}?.querySelector('h2').innerText === 'Renamed'")
        browser.run(f"{card}.querySelectorAll('button')[2].click()")
        browser.wait("it to go", f"return document.getElementById('undo') && !{card}")
        undo(browser)
        browser.wait("it to come back", f"return {card}")
        call(browser, "DELETE", f"projects/{name}")
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    return {"project": name}


def data(options):
    """Uploaded clips are in their wells with their classes; the page agrees with the server."""
    with page(options) as browser:
        name = project(browser, options)
        go(browser, f"{name}/data")
        state = call(browser, "GET", f"projects/{name}")
        shown = browser.run("""
          return [...document.querySelectorAll("#well-training .classes li")].map((row) =>
            [row.querySelector(".name").innerText, row.querySelector(".quiet").innerText]);""")
        browser.screenshot(options.out, "data")
        expect(len(shown) == len(state["wells"]["training"]["classes"]), f"the well has {shown}")
        expect("Taken from the training clips" in browser.text("well-validation"),
               "it does not say what validates")
    return {"classes": shown, "items": state["wells"]["training"]["items"]}


def resume(options):
    """An upload that was cut off goes on after the page was loaded again."""
    with page(options) as browser, tempfile.TemporaryDirectory() as folder:
        name = project(browser, options)
        go(browser, f"{name}/data")
        first = next(iter(clips(options).values()))[0]
        large = os.path.join(folder, "large" + os.path.splitext(first)[1])
        with open(first, "rb") as source, open(large, "wb") as target:
            # A box of type `free` is padding: three chunks and more.
            size = 13 << 20
            target.write(source.read() + size.to_bytes(4, "big") + b"free" + bytes(size - 8))
        browser.send("Network.enable")
        browser.send("Network.emulateNetworkConditions", offline=False, latency=0,
                     downloadThroughput=-1, uploadThroughput=3 << 20)
        upload(browser, "testing", "cut_off", [large])
        browser.wait("the first chunk", f"""
          return fetch("/api/v1/studio/projects/{name}/uploads").then((answer) => answer.json())
            .then(({{uploads}}) => uploads[0]?.offset > 0);""")
        go(browser, f"{name}/data")
        browser.send("Network.emulateNetworkConditions", offline=False, latency=0,
                     downloadThroughput=-1, uploadThroughput=-1)
        field = browser.wait("the unfinished upload",
                             "return document.querySelector('#uploads input[type=file]')")
        offset = call(browser, "GET", f"projects/{name}/uploads")["uploads"][0]["offset"]
        browser.screenshot(options.out, "upload-cut-off")
        field.send_keys(large)
        browser.wait("the clip", f"""
          return fetch("/api/v1/studio/projects/{name}").then((answer) => answer.json())
            .then(({{wells}}) => wells.testing.classes.some(({{label}}) => label === "cut_off"));
          """, seconds=60)
        items = call(browser, "GET", f"projects/{name}/items?well=testing&label=cut_off")["items"]
        call(browser, "DELETE", f"projects/{name}/items", {"ids": [item["id"] for item in items]})
    return {"continuedAt": offset}


def browse(options):
    """Clips are chosen with the keyboard, relabelled, moved and put back."""
    with page(options) as browser:
        name = project(browser, options)
        go(browser, f"{name}/data")
        before = call(browser, "GET", f"projects/{name}/items")["items"]
        choose_clip(browser)
        chord(browser, SHIFT, DOWN)
        browser.wait("two clips", """
          return document.querySelectorAll(".clip-option[aria-selected=true]").length === 2;""")
        with refilled(browser):
            browser.write("relabel", "renamed_label", ENTER)
        changed = [item for item in call(browser, "GET", f"projects/{name}/items")["items"]
                   if item["label"] == "renamed_label"]
        expect(len(changed) == 2, f"{len(changed)} clips have the label")
        with refilled(browser):
            undo(browser)
        old, now = ([(item["id"], item["label"]) for item in items] for items in (
            before, call(browser, "GET", f"projects/{name}/items")["items"]))
        expect(sorted(now) == sorted(old), f"the labels {old} became {now}")
        choose_clip(browser)
        with refilled(browser):
            browser.write("person", "Anna", ENTER)
        expect(shown_with(browser, name, "Anna") == 1, "the clip has no person")
        browser.screenshot(options.out, "clips")
        with refilled(browser):
            undo(browser)
        expect(shown_with(browser, name, "Anna") == 0, "the clip still has a person")
        removed(browser, name, before)
    return {"relabelled": len(changed)}


def shown_with(browser, name, person):
    """How many clips show a person."""
    items = call(browser, "GET", f"projects/{name}/items")["items"]
    return sum(item["person"] == person for item in items)


def removed(browser, name, before):
    """A clip is removed and comes back with its id."""
    choose_clip(browser)
    with refilled(browser):
        browser.press("\ue017")
    total = call(browser, "GET", f"projects/{name}/items")["total"]
    expect(total == len(before) - 1, f"{total} of {len(before)} clips are left")
    with refilled(browser):
        undo(browser)
    now = call(browser, "GET", f"projects/{name}/items")["items"]
    expect({item["id"] for item in now} == {item["id"] for item in before},
           f"the clips {before} became {now}")


def kept(options):
    """The clips that are chosen, the search and the present clip stay when the page is filled again
    because of an upload that has arrived; another page of the project forgets them."""
    videos = [file for files in clips(options).values() for file in files][:4]
    view = """
      return [...document.querySelectorAll(".clip-option")].filter((option) =>
        option.ariaSelected === "true").map((option) => option.dataset.item)
        .concat(document.getElementById("clip-search").value, document.activeElement.id);"""
    with own_project(options, "Test of views") as (browser, name):
        go(browser, f"{name}/data")
        upload(browser, "training", "hop", videos[:2])
        browser.wait("two clips", "return document.querySelectorAll('.clip-option').length === 2")
        upload(browser, "training", "turn", videos[2:3])
        browser.wait("three clips", "return document.querySelectorAll('.clip-option').length === 3")
        browser.write("clip-search", "HOP")
        browser.wait("the search", "return document.querySelectorAll('.clip-option').length === 2")
        choose_clip(browser)
        chord(browser, SHIFT, DOWN)
        before = browser.run(view)
        expect(len(before) == 4 and before[2:] == ["HOP", "clips"], f"chosen: {before}")
        with refilled(browser):
            browser.write("files-training", os.path.abspath(videos[3]))
            browser.write("answer", "hop", ENTER)
            browser.wait("the question to close", "return !document.querySelector('dialog[open]')")
            browser.run("document.getElementById('clips').focus()")
        browser.wait("the new clip", "return document.querySelectorAll('.clip-option').length === 3")
        now = browser.run(view)
        expect(now == before, f"{before} became {now}")
        browser.screenshot(options.out, "kept")
        for place in ("record", "data"):
            with refilled(browser):
                browser.click(f"go-{place}")
        browser.wait("the clips", "return document.querySelectorAll('.clip-option').length === 4")
        now = browser.run(view)
        expect(now[0] == "", f"after another page, {now} are chosen")
    return {"kept": len(before)}


def montage(options):
    """Segments are marked, labelled, undone and saved by keyboard alone."""
    with page(options) as browser:
        name = project(browser, options)
        medium = max(call(browser, "GET", f"projects/{name}/media")["media"],
                     key=lambda medium: medium["seconds"] or 0)
        go(browser, f"{name}/montage?file={medium['file']}")
        kept = call(browser, "GET", f"projects/{name}/annotations?file={medium['file']}")["segments"]
        browser.wait("the video", "return document.querySelector('video').readyState >= 1")
        labels = browser.run("""
          return [...document.querySelectorAll(".label-key")].map((key) =>
            key.innerText.split("\\n").at(-1).trim());""")
        time_of = "return document.querySelector('.player video').currentTime"
        marked = []
        for index in range(2):
            for _ in range(1 if index else 0):
                chord(browser, SHIFT, RIGHT)
            start = browser.run(time_of)
            browser.press("i")
            chord(browser, SHIFT, RIGHT)
            browser.wait("the step", f"return (() => {{ {time_of} }})() > arguments[0] + 0.9", start)
            browser.press("o")
            browser.press(str(index % len(labels) + 1))
            marked.append([round(start, 3), round(browser.run(time_of), 3)])
        browser.press("z")
        chord(browser, SHIFT, "z")
        chord(browser, CONTROL, "s")
        browser.wait("the save", "return document.getElementById('saved').dataset.saved === 'true'")
        browser.screenshot(options.out, "montage")
        saved = call(browser, "GET", f"projects/{name}/annotations?file={medium['file']}")["segments"]
        new = sorted([segment["start"], segment["end"]] for segment in saved
                     if segment["id"] not in {segment["id"] for segment in kept})
        expect(len(new) == 2 and all(
            abs(a - b) < 0.05 for pair, other in zip(new, marked) for a, b in zip(pair, other)),
            f"saved {new}, marked {marked}")
        call(browser, "PUT", f"projects/{name}/annotations?file={medium['file']}",
             {"segments": kept})
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    return {"marked": marked, "saved": new}


def open_montage(browser, name, options):
    """Opens the page on which segments are marked, with a first video."""
    go(browser, f"{name}/montage")
    browser.write("montage-file", os.path.abspath(next(iter(clips(options).values()))[0]))
    browser.wait("the video", "return document.querySelector('video')?.readyState >= 1", seconds=60)


def unlabelled(options):
    """A segment without a label is not called saved, and the page asks before it is lost; a deleted
    one comes back with its id."""
    chip = "return document.getElementById('saved').innerText"
    with own_project(options, "Montage without labels") as (browser, name):
        open_montage(browser, name, options)
        file = call(browser, "GET", f"projects/{name}/media")["media"][0]["file"]
        browser.press("i")
        chord(browser, SHIFT, RIGHT)
        browser.wait("the step", "return document.querySelector('.player video').currentTime > 0.9")
        browser.press("o")
        chord(browser, CONTROL, "s")
        time.sleep(2)
        expect(browser.run(chip) == "Not saved: label missing", f"the chip is {browser.run(chip)}")
        browser.screenshot(options.out, "unlabelled")
        browser.click("go-data")
        browser.wait("the question", "return !!document.getElementById('stay')")
        sound(browser, "the question before the page is left", options)
        browser.click("stay")
        browser.wait("the page to stay", "return !document.querySelector('dialog')")
        expect(browser.run("return location.hash.includes('/montage')"), "the address has changed")
        browser.press("n")
        browser.press("hop" + ENTER)
        browser.wait("the save", "return document.getElementById('saved').dataset.saved === 'true'")
        annotations = f"projects/{name}/annotations?file={file}"
        kept = call(browser, "GET", annotations)["segments"]
        expect([segment["label"] for segment in kept] == ["hop"], f"saved {kept}")
        call(browser, "PATCH", f"projects/{name}/items",
             {"ids": [kept[0]["id"]], "person": "Anna"})
        for key, count in ((BACKSPACE, 0), ("z", 1)):
            browser.press(key)
            chord(browser, CONTROL, "s")
            browser.wait("the save", f"""
              return fetch("/api/v1/studio/{annotations}").then((answer) => answer.json())
                .then(({{segments}}) => segments.length === {count});""")
        items = call(browser, "GET", f"projects/{name}/items")["items"]
        expect([(item["id"], item["person"]) for item in items] == [(kept[0]["id"], "Anna")],
               f"came back as {items}")
        browser.click("go-data")
        browser.wait("the other page", "return location.hash.includes('/data')")
    return {"segments": kept}


def tools(options):
    """Segments are marked with buttons alone; a tenth label is used; gaps stand in the list."""
    labels = [f"move_{number:02}" for number in range(1, 12)]
    with own_project(options, "Montage with buttons", size=(390, 844),
                     is_mobile=True) as (browser, name):
        open_montage(browser, name, options)
        for label in labels:
            browser.write("new-label", label, ENTER)
        expect(browser.run("return document.querySelectorAll('.label-key').length") == len(labels)
               and browser.run("return document.querySelectorAll('.label-key kbd').length") == 9,
               "labels are missing")
        scrub = """
          const range = document.querySelector(".player + .controls input[type=range]");
          range.value = String(arguments[0]);
          range.dispatchEvent(new Event("input"));"""
        disabled = """return [...document.querySelectorAll(".montage-tools [aria-disabled=true]")]
          .map(({id}) => id);"""
        before = browser.run(disabled)
        expect(before == ["mark-out", "accept", "reject", "delete-segment", "undo-segment",
                          "loop-segment"], f"disabled at first: {before}")
        for time_, tool in ((1, "mark-in"), (2, "mark-out")):
            browser.run(scrub, time_)
            browser.wait("the playhead", """
              return Math.abs(document.querySelector(".player video").currentTime - arguments[0]) < 0.1;
              """, time_)
            browser.click(tool)
        browser.run("document.querySelectorAll('.label-key')[9].click()")
        rows = browser.run("""
          return [...document.querySelectorAll("#segments li")].map((row) => row.innerText);""")
        browser.screenshot(options.out, "tools")
        expect(len(rows) == 3 and "Move 10" in rows[1] and rows[0].startswith("Gap: 0:00.0"),
               f"the list is {rows}")
        for tool, count in (("delete-segment", 0), ("undo-segment", 1)):
            browser.click(tool)
            left = browser.run("return document.querySelectorAll('#segments button').length")
            expect(left == count, f"{left} segments after {tool}")
        browser.click("speed-l")
        expect(browser.run("return document.querySelector('.player video').playbackRate") == 1.5,
               "the speed is as before")
        browser.click("save")
        browser.wait("the save", "return document.getElementById('saved').dataset.saved === 'true'")
    return {"rows": rows}


def parameters(options):
    """The fields show what a training uses, also where it starts from a model."""
    shown = """return ["iterations", "batchSize", "algorithm"].map((name) =>
      document.getElementById(`parameter-${name}`).value);"""
    with own_project(options, "Parameters") as (browser, name):
        go(browser, f"{name}/data")
        browser.wait("the models", "return document.getElementById('parameter-from').length > 1")
        seen = {"nothing": browser.run(shown)}
        for model in ("exercise", ""):
            browser.run("""
              const list = document.getElementById("parameter-from");
              list.value = [...list.options].find(({value}) =>
                value.toLowerCase() === arguments[0]).value;
              list.dispatchEvent(new Event("change"));""", model)
            browser.wait("the answer", f"""
              return fetch("/api/v1/studio/projects/{name}").then((answer) => answer.json())
                .then(({{parameters}}) => (parameters.from ?? "").toLowerCase() === arguments[0]
                  && document.getElementById("parameter-iterations").value
                    === (arguments[0] ? "6" : "80"));""", model)
            seen[model or "again"] = browser.run(shown)
        networks = browser.run("""
          return [...document.getElementById("parameter-algorithm").options].map(({value}) => value);""")
        expect(seen == {"nothing": ["80", "", "tcn"], "exercise": ["6", "128", "posture"],
                        "again": ["80", "", "tcn"]}, f"shown: {seen}")
        expect(networks == ["tcn", "posture", "stgcn"], f"the networks are {networks}")
    return seen


def record(options):
    """A take is recorded with the camera after a count-down, and appears with what was found, in the
    well that was chosen; the choice is kept, and the take can be moved."""
    with own_project(options, "Test of takes") as (browser, made):
        go(browser, f"{made}/record")
        wells = browser.run("""
          return [...document.getElementById("take-well").options].map(({value}) => value);""")
        expect(wells == ["training", "validation", "testing"], f"takes go to {wells}")
        browser.write("take-well", "V")
        browser.write("take-label", "new_move")
        browser.run("""
          document.getElementById("take-seconds").value = "5";
          document.getElementById("take-wait").value = "3";
          document.getElementById("take-number").value = "1";""")
        browser.click("record")
        browser.wait("the count-down", "return document.getElementById('count-down').innerText")
        time.sleep(0.6)
        browser.screenshot(options.out, "record")
        browser.wait("the take", """
          return document.querySelector("[data-take]")?.dataset.state !== "working"
            && document.querySelector("[data-take]");""", seconds=90)
        state = browser.run("return document.querySelector('[data-take]').innerText")
        takes = call(browser, "GET", f"projects/{made}/takes")["takes"]
        browser.screenshot(options.out, "takes")
        expect(takes[0]["state"] == "done", f"the take is {state}")
        first = takes[0]["items"][0]
        expect(first["well"] == "validation", f"the take is in {first['well']}")
        browser.write(f"well-{first['id']}", "Te")
        browser.wait("it to be moved", "return document.getElementById('undo')")
        found = call(browser, "GET", f"projects/{made}/items?well=testing")["items"]
        expect([item["id"] for item in found] == [first["id"]], f"moved: {found}")
        go(browser, f"{made}/record")
        kept = browser.run("return document.getElementById('take-well').value")
        expect(kept == "validation", f"the choice is {kept} after the page was loaded again")
    return {"take": state}


def translated(options):
    """What the server reports is worded by the page's table, with its values."""
    with own_project(options, "Words") as (browser, name):
        go(browser, f"{name}/runs")
        browser.later("""
          const done = arguments[0];
          import("/studio/texts.js").then(({texts}) => {
            Object.assign(texts, {"error.nothingToTrain": "Nichts zu lernen.",
              "error.badName": "Höchstens {limit} Zeichen.", "part.items": "Die Clips"});
            done();
          });""")
        seen = browser.later("""
          const done = arguments[1];
          (async () => {
            const [{Project}, {messageOf, reported}] = await Promise.all(
              [import("/studio/project.js"), import("/studio/texts.js")]);
            const project = new Project(arguments[0]);
            const why = (promise) => promise.then(() => "", messageOf);
            done([await why(project.send("POST", "runs", {})),
              await why(project.send("PATCH", "", {name: "x".repeat(300)})),
              reported("error", {notStored: {part: "items", reason: "Voll."}}, ""),
              reported("error", {notKnownHere: {}}, "The server's own words."),
              reported("error", {badData: {reason: "Its own words.",
                text: {onlySound: {file: "a.mp4"}}}}, ""),
              await why(project.get("items", {limit: 0}))]);
          })();""", name)
    expect(seen[:2] == ["Nichts zu lernen.", "Höchstens 200 Zeichen."], f"worded as {seen}")
    expect(seen[2].startswith("Die Clips ") and seen[3] == "The server's own words."
           and "limit" in seen[5], f"worded as {seen}")
    expect(seen[4].startswith("a.mp4 holds sound"), f"a reason is worded as {seen[4]}")
    return {"seen": seen}


ALL = [projects, data, resume, browse, kept, parameters, montage, unlabelled, tools, record,
       translated]

"""The steps of a first visit: from a folder of clips to a preview, and what was in the way of it."""

import os
import shutil
import tempfile

from selenium import webdriver

from browser import page
from studio_pages import overprinted, trained
from studio_steps import (
    ENTER, RIGHT, SHIFT, call, chord, clips, expect, go, open_montage, own_project, refilled, sound)

SKELETON = """
  const canvas = document.querySelector(".preview .player canvas");
  if (!canvas?.width) return 0;
  const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let colored = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] > 60 && data[at] + data[at + 1] + data[at + 2] > 90) colored += 1;
  }
  return colored;"""


def first_visit(options):
    """From a folder of clips to a preview with the skeleton in six presses."""
    presses = []
    with page(options, size=(1440, 900)) as browser, tempfile.TemporaryDirectory() as folder:
        def press(name):
            presses.append(name)
            browser.click(name)

        go(browser)
        press("new-project")
        browser.write("answer", "First visit")
        presses.append("create")
        with refilled(browser):
            browser.run("document.querySelector('dialog[open] .primary').click()")
            browser.wait("its page", "return location.hash.endsWith('/data')")
        name = browser.run("return decodeURIComponent(location.hash.split('/')[1])")
        call(browser, "PATCH", f"projects/{name}", {"parameters": {"iterations": options.iterations}})
        hidden = browser.run("""
          return ["train", "clip-browser"].map((id) =>
            document.getElementById(id).checkVisibility());""")
        expect(hidden == [False, False], "an empty project has controls of clips")
        sound(browser, "an empty project", options)
        browser.screenshot(options.out, "first-empty")
        count = 0
        for label, files in clips(options).items():
            os.makedirs(os.path.join(folder, "train", label))
            for file in files[:2]:
                shutil.copy(file, os.path.join(folder, "train", label))
                count += 1
        presses.append("folder")
        browser.write("folder-training", os.path.join(folder, "train"))
        browser.wait("the clips", f"""
          return fetch("/api/v1/studio/projects/{name}").then((answer) => answer.json())
            .then(({{wells}}) => wells.training.items === arguments[0]);""", count, seconds=120)
        browser.wait("the page with them", """
          return document.body.dataset.prepared === "true"
            && document.getElementById("train")?.checkVisibility()
            && document.querySelectorAll(".clip-option .picture").length === arguments[0];""", count)
        browser.screenshot(options.out, "first-data")
        press("train")
        browser.wait("a model", "return !!document.getElementById('to-preview')",
                     seconds=60 * options.minutes)
        browser.screenshot(options.out, "first-run")
        press("to-preview")
        browser.wait("the skeleton", f"return (() => {{ {SKELETON} }})() > 200", seconds=60)
        browser.screenshot(options.out, "first-preview")
        call(browser, "DELETE", f"projects/{name}")
        expect(len(presses) <= 6, f"it takes {len(presses)} presses: {presses}")
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    return {"presses": presses}


def new_video(options):
    """A new video of the preview has its skeleton once the prediction is there, alone as well."""
    with page(options) as browser, tempfile.TemporaryDirectory() as folder:
        number = trained(browser, options)
        go(browser, f"{options.project}/preview/{number}")
        first = next(iter(clips(options).values()))[0]
        copy = os.path.join(folder, "unseen" + os.path.splitext(first)[1])
        shutil.copy(first, copy)
        # Another content, since poses are found by it.
        with open(copy, "ab") as file:
            file.write((16).to_bytes(4, "big") + b"free" + os.urandom(8))
        with refilled(browser):
            browser.write("preview-file", copy)
            browser.wait("the video", "return location.hash.includes('unseen')", seconds=60)
        browser.wait("the skeleton", f"return (() => {{ {SKELETON} }})() > 200", seconds=120)
        browser.wait("no complaint", """
          return !document.querySelector(".preview .player-message").checkVisibility();""")
        browser.run("document.querySelector('.preview [data-value=alone]').click()")
        browser.wait("the skeleton alone", f"return (() => {{ {SKELETON} }})() > 200")
        browser.screenshot(options.out, "new-video-alone")
        browser.run("document.querySelector('.preview [data-value=on]').click()")
        overprinted(browser)
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    return {}


def sets(options):
    """Folders that name sets go where they belong without a question, also a folder further up."""
    found = clips(options)
    trees = {"train": "training", "val": "validation", "Testing Data": "testing"}
    with own_project(options, "Sets") as (browser, name), tempfile.TemporaryDirectory() as folder:
        for place in trees:
            for label, files in found.items():
                target = os.path.join(folder, "data set", place, label)
                os.makedirs(target)
                # A video is in one set only.
                shutil.copy(files[0], os.path.join(target, f"{place}-{os.path.basename(files[0])}"))
        go(browser, f"{name}/data")
        browser.write("folder-training", os.path.join(folder, "data set"))
        items = browser.wait("the clips", f"""
          return fetch("/api/v1/studio/projects/{name}/items").then((answer) => answer.json())
            .then(({{items}}) => items.length === arguments[0] && items);""",
                             len(trees) * len(found))
        expect(not browser.run("return document.querySelector('dialog[open]')"), "it asks")
        seen = {(item["well"], item["label"]) for item in items}
        expect(seen == {(well, label) for well in trees.values() for label in found},
               f"labels of wells: {sorted(seen)}")
        browser.screenshot(options.out, "sets")
    return {"items": len(items)}


def refused(options):
    """What cannot be added is listed with the reason until it is dismissed; nothing offers to go on."""
    first = next(iter(clips(options).values()))[0]
    with own_project(options, "Refused") as (browser, name), tempfile.TemporaryDirectory() as folder:
        go(browser, f"{name}/data")
        notes, broken = os.path.join(folder, "notes.txt"), os.path.join(folder, "broken.mp4")
        for path in (notes, broken):
            with open(path, "w", encoding="utf-8") as file:
                file.write("This is no video.\n" * 9)
        browser.write("files-training", "\n".join([notes, broken, first]))
        browser.wait("the question", "return !!document.getElementById('answer')")
        browser.write("answer", "hop", ENTER)
        rows = browser.wait("both", """
          const rows = [...document.querySelectorAll("#uploads .refused")].map((row) => row.innerText);
          return rows.length === 2 && document.body.dataset.prepared === "true"
            && document.querySelectorAll(".clip-option").length === 1 && rows;""")
        expect(any("notes.txt" in row and "not a video" in row for row in rows)
               and any("broken.mp4" in row for row in rows), f"listed: {rows}")
        expect(all("Continue" not in row and "Dismiss" in row for row in rows), f"offered: {rows}")
        browser.screenshot(options.out, "refused")
        browser.run("document.querySelectorAll('#uploads .refused .link').forEach((one) => one.click())")
        browser.wait("an empty list", "return !document.querySelector('#uploads li')")
    return {"rows": rows}


def cutting(options):
    """The first segment has no label until one is chosen; the focus stays in the montage; edges are
    dragged, a segment is played again and again, at any speed; a chosen label is kept while playing."""
    with own_project(options, "Cutting") as (browser, name):
        open_montage(browser, name, options)
        file = call(browser, "GET", f"projects/{name}/media")["media"][0]["file"]
        call(browser, "PUT", f"projects/{name}/annotations?file={file}",
             {"segments": [{"label": "hop", "start": 3, "end": 3.5}]})
        browser.driver.refresh()
        browser.wait("the video", "return document.querySelector('video')?.readyState >= 1")
        names = """return [...document.querySelectorAll("#segments button b")].map(({innerText}) =>
          innerText.trim());"""
        browser.press("i")
        chord(browser, SHIFT, RIGHT)
        browser.wait("the step", "return document.querySelector('.player video').currentTime > 0.9")
        browser.press("o")
        expect(browser.run(names) == ["No label", "Hop"], f"the segments are {browser.run(names)}")
        browser.press("n")
        browser.press("skip" + ENTER)
        focus = browser.run("return document.activeElement === document.body")
        expect(not focus and browser.run(names) == ["Skip", "Hop"], "the focus falls to the page")
        # Its end is dragged to two seconds and its edge snaps to nothing.
        block, track = browser.run("""
          const block = document.querySelector(".lane .block.chosen").getBoundingClientRect();
          const track = document.querySelector(".timeline-track").getBoundingClientRect();
          scrollTo(0, scrollY + block.top - innerHeight / 2);
          const now = document.querySelector(".lane .block.chosen").getBoundingClientRect();
          return [[now.right, (now.top + now.bottom) / 2], [track.left, track.width]];""")
        seconds = call(browser, "GET", f"projects/{name}/media")["media"][0]["seconds"]
        target = track[0] + track[1] * 2 / seconds
        mouse = webdriver.ActionChains(browser.driver, duration=0)
        mouse.w3c_actions.pointer_action.move_to_location(round(block[0] - 4), round(block[1]))
        mouse.w3c_actions.pointer_action.pointer_down()
        mouse.w3c_actions.pointer_action.move_to_location(round(target), round(block[1]))
        mouse.w3c_actions.pointer_action.pointer_up()
        mouse.perform()
        browser.wait("the save", "return document.getElementById('saved').dataset.saved === 'true'")
        ends = [segment["end"] for segment in call(
            browser, "GET", f"projects/{name}/annotations?file={file}")["segments"]
                if segment["label"] == "skip"]
        expect(len(ends) == 1 and abs(ends[0] - 2) < 0.05, f"the end is {ends}")
        browser.run("""
          const speed = document.getElementById("speed");
          speed.value = "3.3";
          speed.dispatchEvent(new Event("change"));""")
        browser.run("""
          window.seeks = [];
          document.querySelector(".player video").addEventListener("seeking", (event) =>
            window.seeks.push(event.target.currentTime));""")
        browser.click("loop-segment")
        seeks = browser.wait("the segment to begin again twice",
                             "return window.seeks.length >= 3 && window.seeks")
        expect(all(at < 0.1 for at in seeks), f"it begins again at {seeks}")
        state = browser.run("""
          const {paused, playbackRate} = document.querySelector(".player video");
          return [paused, playbackRate];""")
        expect(state == [False, 3.3], f"paused and speed: {state}")
        browser.screenshot(options.out, "cutting")
        # While it plays, the label that was chosen is that of the next segment.
        browser.press("1")
        expect(browser.run("return !document.querySelector('.player video').paused"), "it has stopped")
        sound(browser, "the montage", options)
    return {"end": ends[0], "seeks": len(seeks)}


def side_by_side(options):
    """Suggestions never lie over each other, and one without a label gives way."""
    given = [{"start": 0, "end": 39, "label": None, "confidence": 0.9, "count": 12, "kind": "repetitions"},
             {"start": 2, "end": 8, "label": "a", "confidence": 0.6, "count": 3, "kind": "repetitions"},
             {"start": 7, "end": 12, "label": "b", "confidence": 0.8, "count": 2, "kind": "repetitions"},
             {"start": 20, "end": 30, "label": "c", "confidence": 0.7, "count": 5, "kind": "model"}]
    with page(options) as browser:
        go(browser)
        left = browser.later("""
          const done = arguments[1];
          import("/studio/suggestions.js").then(({withoutOverlaps}) =>
            done(withoutOverlaps(arguments[0])));""".replace("arguments[0]", "given").replace(
                "const done", "const given = arguments[0]; const done"), given)
    times = [(one["label"], one["start"], one["end"]) for one in left]
    expect(times == [("a", 2, 7), ("b", 7, 12), ("c", 20, 30), (None, 30, 39)], f"left: {times}")
    return {"left": times}


def many_classes(options):
    """With 45 classes wells stay side by side, colours differ, and a search finds a clip."""
    first = next(iter(clips(options).values()))[0]
    with own_project(options, "Many classes", size=(1440, 900)) as (browser, name):
        open_montage(browser, name, options)
        file = call(browser, "GET", f"projects/{name}/media")["media"][0]["file"]
        call(browser, "POST", f"projects/{name}/items", {"items": [
            {"file": file, "label": f"move_{number % 45:02}", "well": "training",
             "start": number / 1000, "end": number / 1000 + 0.5} for number in range(900)]})
        go(browser, f"{name}/data")
        browser.wait("the clips", "return document.querySelectorAll('.clip-option').length === 100")
        heights = browser.run("""
          return [...document.querySelectorAll(".well")].map((well) => well.offsetHeight);""")
        expect(max(heights) < 900, f"the wells are {heights} pixels high")
        colors = browser.run("""
          return [...document.querySelectorAll("#well-training .bars i")].map((bar) =>
            getComputedStyle(bar).backgroundColor);""")
        expect(len(colors) == 45 and len(set(colors)) == 45, f"{len(set(colors))} colours")
        gap = browser.run("""
          return document.querySelector(".plan").getBoundingClientRect().top
            - document.getElementById("train").getBoundingClientRect().bottom;""")
        expect(gap < 300, f"the parameters are {gap} pixels below the button")
        browser.screenshot(options.out, "many-classes")
        browser.run("document.getElementById('clips').scrollTop = 1e6")
        browser.wait("more", "return document.querySelectorAll('.clip-option').length > 100")
        browser.write("clip-search", "Move 44")
        browser.wait("what is searched for", """
          return document.querySelectorAll(".clip-option").length === 20
            && [...document.querySelectorAll(".clip-option")].every(({textContent}) =>
              textContent.includes("Move 44"));""")
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    return {"heights": heights, "file": os.path.basename(first)}


def averages(options):
    """A mean names the classes that it leaves out, and is not compared with one of other classes; runs on
    other clips say so; parameters are in words."""
    with page(options) as browser:
        go(browser)
        seen = browser.later("""
          const done = arguments[0];
          const one = (label, f1, support) => ({label, precision: f1, recall: f1, f1, support});
          const few = {accuracy: 1, matrix: [], classes: [one("hop", 0.96, 9), one("lunge", 0, 0)]};
          const all = {accuracy: 1, matrix: [], classes: [one("hop", 0.92, 9), one("lunge", 0.5, 9)]};
          const clips = (...files) => ({clips: files.map((file) => ({file, start: 0, label: "hop"}))});
          Promise.all([import("/studio/evaluation.js"), import("/studio/parameters.js")]).then(
            ([{f1Figure, unlikeData}, {parameterText}]) => done({
              without: f1Figure(few, null).innerText, unlike: f1Figure(few, all).innerText,
              like: f1Figure(all, {...all, classes: [one("hop", 0.82, 9), one("lunge", 0.4, 9)]}).innerText,
              other: unlikeData(clips("a", "b"), clips("b", "c", "d")).map(({innerText}) => innerText),
              same: unlikeData(clips("a"), clips("a")).length,
              words: [["algorithm", "tcn"], ["validation", "auto"], ["batchSize", null], ["from", null],
                ["other", true]].map(([name, value]) => parameterText(name, value)),
            }));""")
    expect("96%" in seen["without"] and "without Lunge" in seen["without"], f"shown: {seen}")
    expect("(" not in seen["unlike"] and "not of the same classes" in seen["unlike"], f"shown: {seen}")
    expect("71%" in seen["like"] and "(+10)" in seen["like"], f"shown: {seen}")
    expect(len(seen["other"]) == 1 and "1 clip is only in this" in seen["other"][0]
           and "2 only" in seen["other"][0] and seen["same"] == 0, f"shown: {seen}")
    expect(not any(word in " ".join(seen["words"]) for word in ("tcn", "auto", "null", "true")),
           f"parameters: {seen['words']}")
    return seen


ALL = [first_visit, new_video, sets, refused, cutting, side_by_side, many_classes, averages]

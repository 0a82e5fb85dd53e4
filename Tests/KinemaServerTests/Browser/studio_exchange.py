"""The steps on what comes from elsewhere: dropped folders, annotation files, the server's sources."""

import json
import os
import shutil
import tempfile

from browser import page
from served import server
from studio_steps import (
    DOWN, ENTER, SHIFT, call, chord, clips, expect, go, own_project, project, refilled, sound, undo)

END = "\ue010"


def drop(options):
    """A folder that is dropped on a well is uploaded; its name is the label."""
    with page(options) as browser, tempfile.TemporaryDirectory() as folder:
        name = project(browser, options)
        dropped = os.path.join(folder, "dropped_move")
        os.mkdir(dropped)
        first = next(iter(clips(options).values()))[0]
        shutil.copy(first, dropped)
        with open(os.path.join(dropped, "notes.txt"), "w", encoding="utf-8") as notes:
            notes.write("no video")
        go(browser, f"{name}/data")
        x, y = browser.run("""
          const box = document.getElementById("well-testing").getBoundingClientRect();
          return [box.left + box.width / 2, box.top + 40];""")
        data = {"items": [], "files": [dropped], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver"):
            browser.send("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)
        browser.wait("the well to be marked",
                     "return document.getElementById('well-testing').classList.contains('over')")
        browser.screenshot(options.out, "drop")
        browser.send("Input.dispatchDragEvent", type="drop", x=x, y=y, data=data)
        items = browser.wait("the clip", f"""
          return fetch("/api/v1/studio/projects/{name}/items?well=testing&label=dropped_move")
            .then((answer) => answer.json()).then(({{items}}) => items.length > 0 && items);""")
        call(browser, "DELETE", f"projects/{name}/items", {"ids": [item["id"] for item in items]})
        expect(len(items) == 1, f"{len(items)} items came of one video")
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    return {"file": items[0]["file"]}


def folders(options):
    """Folders are labels, those in them people; where that is not clear, the page asks."""
    trees = {"data": ["hops/anna/1", "hops/ben/1", "turns/1"], "spins": ["cleo/1", "2"],
             "swings": ["anna/1"], "moves": ["kicks/1", "throws/1"],
             "far": ["above/claps/1", "above/waves/1"]}
    answers = {"swings": "folders-people", "moves": "folders-labels",
               "far": "folders-labels"}
    wanted = {("hops", "anna"), ("hops", "ben"), ("turns", None), ("spins", "cleo"),
              ("spins", None), ("swings", "anna"), ("kicks", None), ("throws", None),
              ("claps", None), ("waves", None)}
    first = next(iter(clips(options).values()))[0]
    with own_project(options, "Folders") as (browser, name), \
            tempfile.TemporaryDirectory() as folder:
        count = 0
        for tree, files in trees.items():
            go(browser, f"{name}/data")
            for file in files:
                target = os.path.join(folder, tree, file + os.path.splitext(first)[1])
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(first, target)
            browser.write("folder-training", os.path.join(folder, tree))
            if tree in answers:
                browser.wait("the question", f"return !!document.getElementById('{answers[tree]}')")
                browser.screenshot(options.out, f"folders-{tree}")
                sound(browser, f"the question about {tree}", options)
                browser.click(answers[tree])
            count += len(files)
            items = browser.wait("the clips", f"""
              return fetch("/api/v1/studio/projects/{name}/items").then((answer) => answer.json())
                .then(({{items}}) => items.length === arguments[0] && items);""", count)
        seen = {(item["label"], item["person"]) for item in items}
        expect(seen == wanted, f"labels and people: {sorted(map(str, seen))}")
    return {"seen": sorted(map(str, seen))}


def annotations(options):
    """Exports of Label Studio and LabelU are imported; a file that is none is explained."""
    with page(options) as browser, tempfile.TemporaryDirectory() as folder:
        name = project(browser, options)
        file = call(browser, "GET", f"projects/{name}/media")["media"][0]
        rate = file["frameRate"] or 30
        exports = {
            "label-studio.json": [{
                "data": {"video": f"/data/upload/1/0123abcd-{file['file']}"},
                "annotations": [{"result": [{"type": "timelinelabels", "value": {
                    "ranges": [{"start": 1, "end": round(rate)}],
                    "timelinelabels": ["studio_move"]}}]}]}],
            "labelu.json": [{
                "fileName": f"0123abcd-{file['file']}",
                "result": json.dumps({"annotations": [{"toolName": "videoSegmentTool", "result": [{
                    "type": "segment", "start": 0.25, "end": 1.5, "label": "labelu_move"}]}]})}],
            "none.json": {"nothing": "here"},
        }
        seen = {}
        for export, content in exports.items():
            path = os.path.join(folder, export)
            with open(path, "w", encoding="utf-8") as target:
                json.dump(content, target)
            go(browser, f"{name}/montage?file={file['file']}")
            browser.run("document.getElementById('exchange-well').value = 'leftOut'")
            browser.write("import-annotations", path)
            seen[export] = browser.wait("an answer",
                                        "return document.getElementById('toast').innerText")
            browser.screenshot(options.out, f"import-{export.split('.')[0]}")
        items = call(browser, "GET", f"projects/{name}/items?well=leftOut")["items"]
        found = {item["label"]: [item["file"], item["start"], item["end"]] for item in items}
        call(browser, "DELETE", f"projects/{name}/items", {"ids": [item["id"] for item in items]})
        expect(set(found) == {"studio_move", "labelu_move"}, f"imported {found}; {seen}")
        expect(found["labelu_move"] == [file["file"], 0.25, 1.5], f"LabelU: {found}")
        start, end = found["studio_move"][1:]
        expect(abs(start) < 1.5 / rate and abs(end - 1) < 1.5 / rate, f"Label Studio: {found}")
    return {"imported": found, "messages": seen}


def source(options):
    """A take is recorded from a source of the server; thrown away, its card goes, and undo brings
    it back."""
    with own_project(options, "Takes of a source") as (browser, made):
        go(browser, f"{made}/record")
        browser.write("take-label", "source_move")
        browser.run("""
          const select = document.getElementById("take-source");
          select.value = "synthetic";
          select.dispatchEvent(new Event("change"));
          document.getElementById("take-seconds").value = "5";
          document.getElementById("take-wait").value = "3";
          document.getElementById("take-number").value = "1";""")
        browser.click("open-camera")
        size = browser.wait("its pictures", """
          const video = document.querySelector(".player video");
          return video.videoWidth > 0 && [video.videoWidth, video.videoHeight];""")
        browser.click("record")
        browser.wait("the take", """
          return document.querySelector("[data-take]")?.dataset.state === "done";""", seconds=90)
        browser.screenshot(options.out, "source")
        text = browser.run("return document.querySelector('[data-take]').innerText")
        discard = "[...document.querySelectorAll('[data-take] .take-item > .link')]"
        count = browser.run(f"return {discard}.length")
        for left in range(count - 1, -1, -1):
            browser.run(f"{discard}[0].click()")
            browser.wait("the item to go", f"return {discard}.length === {left}")
        browser.wait("the card to go", "return !document.querySelector('[data-take]')")
        with refilled(browser):
            undo(browser)
        browser.wait("the card to come back", "return !!document.querySelector('[data-take]')")
    return {"size": size, "take": text}


def served_files(options):
    """Files on the server are added one by one, by keyboard: several videos with a label, one
    without, and an annotation file."""
    if not options.program:
        return {"skipped": "no kinema was given"}
    first = next(iter(clips(options).values()))[0]
    names = ["a.mp4", "b.mp4", "c.mp4"]
    with server(options) as own:
        inside = os.path.join(own.folder, "gym")
        os.mkdir(inside)
        for name in names:
            shutil.copy(first, os.path.join(inside, name))
        with open(os.path.join(inside, "marks.csv"), "w", encoding="utf-8") as table:
            table.write("file_name,label,start_time,end_time\nc.mp4,turn,0,1\n")
        with own_project(options, "Served", url=own.url) as (browser, name):
            def opened():
                browser.run("""
                  const button = document.getElementById("import-validation");
                  button.dataset.used = "true";
                  button.focus();""")
                browser.press(ENTER)
                browser.wait("the folder", "return !!document.querySelector('.folders .link')")
                browser.run("""
                  [...document.querySelectorAll(".folders .link")].find(({textContent}) =>
                    textContent === "gym").focus();""")
                browser.press(ENTER)
                browser.wait("the files", "return !!document.querySelector('#import-list [role=option]')")
                browser.run("document.getElementById('import-list').focus()")

            def added():
                browser.wait("the page to be filled again", """
                  const button = document.getElementById("import-validation");
                  return button && !button.dataset.used && !document.querySelector("dialog[open]");""")

            go(browser, f"{name}/data")
            opened()
            # An option that is not laid out yet has no innerText.
            options_of = """return [...document.querySelectorAll("#import-list [role=option]")]
              .filter((option) => option.matches(arguments[0])).map(({textContent}) => textContent);"""
            listed = browser.run(options_of, "*")
            browser.press(DOWN)
            chord(browser, SHIFT, DOWN)
            chosen = browser.run(options_of, "[aria-selected=true]")
            browser.screenshot(options.out, "served-files")
            sound(browser, "the files of the server", options)
            browser.write("import-label", "hop", ENTER)
            added()
            opened()
            browser.press(END)
            browser.press(ENTER)
            added()
            opened()
            browser.press(DOWN + DOWN + DOWN)
            browser.press(ENTER)
            added()
            items = call(browser, "GET", f"projects/{name}/items")["items"]
            media = call(browser, "GET", f"projects/{name}/media")["media"]
    expect(len(listed) == 4 and "Video · " in listed[0] and " KB" in listed[0]
           and "Annotation file" in listed[3], f"listed: {listed}")
    expect(len(chosen) == 2 and chosen[0].startswith("a.mp4"), f"chosen: {chosen}")
    seen = sorted((item["label"], os.path.basename(item["file"]), item["well"]) for item in items)
    expect(seen == [("hop", "a.mp4", "validation"), ("hop", "b.mp4", "validation"),
                    ("turn", "c.mp4", "validation")], f"items: {seen}")
    expect(len(media) == 3, f"media: {media}")
    return {"listed": listed, "items": seen}


ALL = [drop, folders, annotations, source, served_files]

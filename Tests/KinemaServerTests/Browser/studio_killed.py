"""The step that kills the server: nothing is lost, and the page goes on by itself."""

import hashlib
import os
import shutil
import tempfile

from browser import page
from served import server
from studio_steps import call, choose_clip, clips, expect, go, refilled, undo, upload

DELETE = "\ue017"

# Whether the server answers, and what it says.
STATE = """
  return fetch(`/api/v1/studio/projects/${arguments[0]}/${arguments[1]}`)
    .then((answer) => answer.json()).catch(() => null);"""


def digest(path):
    """The checksum of a file; None where it is not there."""
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def killed_upload(browser, own, project, video, folder):
    """Kills the server between two chunks; the page sends the rest to the next one."""
    large = os.path.join(folder, "large.mp4")
    with open(video, "rb") as source, open(large, "wb") as target:
        # A box of type `free` is padding.
        size = 13 << 20
        target.write(source.read() + size.to_bytes(4, "big") + b"free" + bytes(size - 8))
    go(browser, f"{project}/data")
    browser.send("Network.enable")
    throttle = {"offline": False, "latency": 0, "downloadThroughput": -1}
    browser.send("Network.emulateNetworkConditions", uploadThroughput=3 << 20, **throttle)
    upload(browser, "training", "uploaded", [large])
    offset = browser.wait("the first chunk", f"""
      return fetch("/api/v1/studio/projects/{project}/uploads").then((answer) => answer.json())
        .then(({{uploads}}) => uploads[0]?.offset);""")
    own.kill()
    browser.send("Network.emulateNetworkConditions", uploadThroughput=-1, **throttle)
    browser.wait("the page to say so", """
      return document.getElementById("uploads").innerText.includes("cannot be reached");""")
    own.start()
    browser.wait("the rest", f"""
      return fetch("/api/v1/studio/projects/{project}/items?label=uploaded")
        .then((answer) => answer.json()).then(({{total}}) => total === 1).catch(() => false);""",
                 seconds=60)
    stored = os.path.join(own.data, "projects", project, "sources", "large.mp4")
    expect(digest(stored) == digest(large), "the uploaded file is another one")
    return offset


def killed_visit(browser, own, project):
    """A page that is opened while the server is away is shown when it is back."""
    own.kill()
    browser.click("go-montage")
    browser.wait("the page to say so", """
      return document.querySelector("#page [role=alert]")?.innerText.includes("cannot be reached");""")
    own.start()
    browser.wait("the page", f"""
      return location.hash === "#/{project}/montage" && document.body.dataset.prepared === "true"
        && !document.querySelector("#page [role=alert]");""")


def poses(own, project):
    """The files of the pose cache with the times of their last change."""
    cache = os.path.join(own.data, "projects", project, "poses")
    return {os.path.join(folder, name): os.stat(os.path.join(folder, name)).st_mtime_ns
            for folder, _, names in os.walk(cache) for name in names
            if name.endswith(".npz")}


def killed_extraction(browser, own, project):
    """Kills the server while it extracts; finished videos are kept, and the page sees the end."""
    go(browser, f"{project}/data")
    browser.click("extract")
    browser.wait("some poses", f"""
      return fetch("/api/v1/studio/projects/{project}/media").then((answer) => answer.json())
        .then(({{media}}) => media.some(({{extracted}}) => extracted)
          && media.some(({{extracted}}) => !extracted));""", seconds=600)
    own.kill()
    kept = poses(own, project)
    own.start()
    state = browser.wait("the extraction to go on", STATE, project, "jobs")["extraction"]["state"]
    # The page asked before the end: it is filled again then.
    browser.wait("the end", f"""
      return fetch("/api/v1/studio/projects/{project}/media").then((answer) => answer.json())
        .then(({{media}}) => media.every(({{extracted}}) => extracted)).catch(() => false);""",
                 seconds=600)
    now = poses(own, project)
    again = [name for name, time in kept.items() if now.get(name) != time]
    expect(state == "running", f"after the start the extraction is {state}")
    expect(not again, f"extracted again: {again}")
    browser.wait("the page to see it", """
      return !document.getElementById("extract")?.checkVisibility()
        && document.body.dataset.prepared === "true";""")
    return len(kept)


def killed_training(browser, own, project, iterations):
    """Kills the server while it trains; the page that stays open sees the run's end."""
    call(browser, "PATCH", f"projects/{project}", {"parameters": {"iterations": iterations}})
    go(browser, f"{project}/data")
    browser.click("train")
    browser.wait("the run", "return location.hash.includes('/runs/')")
    number = browser.run("return location.hash.split('/').at(-1)")
    before = browser.wait("the training", f"""
      return fetch("/api/v1/studio/projects/{project}/runs/{number}")
        .then((answer) => answer.json()).then(({{state, progress}}) =>
          state === "training" && progress.iteration > 2 && progress.iteration);""", seconds=600)
    own.kill()
    own.start()
    browser.wait("the end of the run", """
      return document.getElementById("run-state")?.dataset.state === "done";""", seconds=600)
    run = call(browser, "GET", f"projects/{project}/runs/{number}")
    epochs = [epoch["iteration"] for epoch in run["history"]]
    expect(epochs == list(range(1, iterations + 1)), f"the history has the epochs {epochs}")
    return before


def killed_removal(browser, own, project):
    """Kills the server after a clip was removed: undo brings it back with all of its columns."""
    table = os.path.join(own.data, "projects", project, "training.csv")
    with open(table, encoding="utf-8") as file:
        lines = file.read().splitlines()
    lines = [lines[0] + ",camera"] + [f"{line},left" for line in lines[1:]]
    with open(table, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    go(browser, f"{project}/data")
    choose_clip(browser)
    with refilled(browser):
        browser.press(DELETE)
    own.kill()
    own.start()
    undo(browser)
    browser.wait("the clip to come back", f"""
      return fetch("/api/v1/studio/projects/{project}/items").then((answer) => answer.json())
        .then(({{total}}) => total === arguments[0]).catch(() => false);""", len(lines) - 1)
    with open(table, encoding="utf-8") as file:
        now = file.read().splitlines()
    expect(sorted(now) == sorted(lines), f"the table was {lines} and is {now}")


def killed(options):
    """`kill -9` during an upload, an extraction and a training, and after a clip was removed: all go
    on with the next server."""
    if not options.program:
        return {"skipped": "no kinema was given"}
    with server(options) as own, tempfile.TemporaryDirectory() as folder:
        with page(options, url=own.url) as browser:
            project = call(browser, "POST", "projects", {"name": "Killed"})["id"]
            found = clips(options)
            offset = killed_upload(browser, own, project, next(iter(found.values()))[0], folder)
            items = call(browser, "GET", f"projects/{project}/items")["items"]
            call(browser, "DELETE", f"projects/{project}/items", {"ids": [items[0]["id"]]})
            for label, files in found.items():
                for index, file in enumerate(files[:2]):
                    name = f"{label}-{index}{os.path.splitext(file)[1]}"
                    target = os.path.join(folder, name)
                    shutil.copy(file, target)
                    own.put(project, [target])
                    call(browser, "POST", f"projects/{project}/items",
                         {"items": [{"file": name, "label": label, "well": "training"}]})
            killed_removal(browser, own, project)
            killed_visit(browser, own, project)
            kept = killed_extraction(browser, own, project)
            epoch = killed_training(browser, own, project, 100)
            browser.screenshot(options.out, "killed")
    return {"uploadedBefore": offset, "extractedBefore": kept, "epochsBefore": epoch}


ALL = [killed]

"""The steps in which two work on one project: nobody's segments are lost without a question."""

import os
import tempfile

from browser import page
from served import Server, server
from studio_steps import (
    CONTROL, ENTER, RIGHT, SHIFT, call, chord, expect, go, open_montage, own_project, sound)

SAVED = "return document.getElementById('saved').dataset.saved === 'true'"


def mark(browser, label):
    """Marks a second from the playhead on, and gives it a new label."""
    time = browser.run("return document.querySelector('.player video').currentTime")
    browser.press("i")
    chord(browser, SHIFT, RIGHT)
    browser.wait("the step", "return document.querySelector('.player video').currentTime > arguments[0] + 0.9", time)
    browser.press("o")
    browser.press("n")
    browser.press(label + ENTER)


def change_elsewhere(browser, annotations, label):
    """Somebody else replaces the segments."""
    present = call(browser, "GET", annotations)
    segments = [{"label": label, "start": 0, "end": 0.5}]
    call(browser, "PUT", annotations, {"segments": segments, "version": present["version"]})


def labels(browser, annotations):
    return sorted(segment["label"] for segment in call(browser, "GET", annotations)["segments"])


def conflict(options):
    """Segments that somebody else has replaced meanwhile: both versions are shown, and one is chosen."""
    with own_project(options, "Two at work") as (browser, name):
        open_montage(browser, name, options)
        file = call(browser, "GET", f"projects/{name}/media")["media"][0]["file"]
        annotations = f"projects/{name}/annotations?file={file}"
        mark(browser, "hop")
        chord(browser, CONTROL, "s")
        browser.wait("the save", SAVED)
        change_elsewhere(browser, annotations, "theirs")
        mark(browser, "skip")
        browser.wait("the question", "return !!document.getElementById('keep-mine')")
        text = browser.run("return document.querySelector('dialog[open]').innerText")
        for word in ("Hop", "Skip", "Theirs"):
            expect(word in text, f"the question does not show {word}: {text}")
        sound(browser, "the question which version to keep", options)
        browser.screenshot(options.out, "conflict")
        expect(labels(browser, annotations) == ["theirs"], "it was saved before the answer")
        browser.click("keep-mine")
        browser.wait("the save", SAVED)
        expect(labels(browser, annotations) == ["hop", "skip"], f"kept {labels(browser, annotations)}")
        change_elsewhere(browser, annotations, "others")
        mark(browser, "jump")
        browser.wait("the question", "return !!document.getElementById('take-theirs')")
        browser.click("take-theirs")
        browser.wait("their version", """
          return document.getElementById("segments")?.innerText.includes("Others")
            && !document.querySelector("dialog[open]");""")
        expect(labels(browser, annotations) == ["others"], f"took {labels(browser, annotations)}")
    return {"question": text}


def read_only(options):
    """A second server of a project shows it, says that it may not change it, and does not."""
    if not options.program:
        return {"skipped": "no kinema was given"}
    with server(options) as own, tempfile.TemporaryDirectory() as folder:
        with page(options, url=own.url) as browser:
            name = call(browser, "POST", "projects", {"name": "Shared"})["id"]
        second = Server(options, folder, [os.path.join(own.data, "projects", name)])
        try:
            with page(options, url=second.url) as browser:
                name = call(browser, "GET", "projects")["projects"][0]["id"]
                go(browser, f"{name}/data")
                notice = browser.text("read-only")
                sound(browser, "a project of another server", options)
                browser.screenshot(options.out, "read-only")
                status = browser.run("""
                  return fetch(`/api/v1/studio/projects/${arguments[0]}`,
                    {method: "PATCH", body: '{"name":"Mine"}'}).then(({status}) => status);""", name)
                expect(status == 409, f"a change is answered with {status}")
                expect(call(browser, "GET", f"projects/{name}")["name"] == "Shared", "it has changed")
        finally:
            second.kill()
    return {"notice": notice}


ALL = [conflict, read_only]

"""The steps on runs and on the looks of all pages; each raises a Failure or returns what it found."""

import os
import time

from audit import audit
from browser import page
from studio_steps import ENTER, call, clips, expect, go, project, refilled, sound

PAGES = ["", "data", "montage", "record", "runs", "evaluation", "preview", "output"]


# The parts of the bar that overlap each other, by their texts.
COVERED = """
  const box = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    const own = node.getBoundingClientRect();
    return {left: text.left, right: node.id === "project-name" ? own.right : text.right,
      top: own.top, bottom: own.bottom};
  };
  const parts = [...document.querySelectorAll("#bar .brand, #project-name, #bar nav, #bar > .tool")]
    .map((node) => [node.innerText.trim().slice(0, 20), box(node)]).filter(([text]) => text);
  const pairs = [];
  parts.forEach(([a, x], index) => parts.slice(index + 1).forEach(([b, y]) => {
    if (x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1)
      pairs.push(`${a} / ${b}`);
  }));
  return pairs;"""


def trained(browser, options):
    """The number of a finished run of the shared project; trained by the page at first."""
    name = project(browser, options)
    if options.run is None:
        call(browser, "PATCH", f"projects/{name}", {"parameters": {"iterations": options.iterations}})
        go(browser, f"{name}/data")
        with refilled(browser):
            browser.click("train")
            browser.wait("the run", "return location.hash.includes('/runs/')")
        options.run = int(browser.run("return location.hash.split('/').at(-1)"))
        browser.wait("the end of the run", """
          const {state} = document.getElementById("run-state").dataset;
          return ["done", "failed"].includes(state) && state;""", seconds=60 * options.minutes)
        browser.screenshot(options.out, "runs")
    return options.run


def runs(options):
    """A run is started, shows its phases, ends, and has curves with a table."""
    with page(options) as browser:
        number = trained(browser, options)
        go(browser, f"{options.project}/runs/{number}")
        state = browser.run("return document.getElementById('run-state').dataset.state")
        expect(state == "done", f"the run is {state}: {browser.text('run')}")
        charts = browser.run("return document.querySelectorAll('#run svg.chart').length")
        rows = browser.run("return document.querySelectorAll('#run .chart-figure tbody tr').length")
        expect(charts == 2 and rows > 0, f"{charts} charts with {rows} rows")
    return {"run": number, "rows": rows}


def evaluation(options):
    """A cell of the confusion matrix opens its clips, played from their moment."""
    with page(options) as browser:
        number = trained(browser, options)
        go(browser, f"{options.project}/evaluation/{number}")
        browser.run("document.querySelector('[data-value=training]').click()")
        # Until then the matrix of another well may be there, and be replaced.
        browser.wait("the matrix", """
          return document.querySelector("#evaluation[aria-busy]") === null
            && [...document.querySelectorAll("#matrix button")].some((cell) =>
              cell.innerText.trim() !== "·");""")
        browser.run("""
          [...document.querySelectorAll("#matrix button")].find((cell) =>
            cell.innerText.trim() !== "·").focus();""")
        browser.press(ENTER)
        browser.wait("the clips", "return !!document.querySelector('#examples button')")
        count = browser.run("return document.querySelectorAll('#examples button').length")
        start, moment = browser.wait("the clip to play", """
          const seconds = (text) => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
          const start = seconds(document.querySelector("#examples .quiet").innerText.split(" – ")[0]);
          const now = seconds(document.querySelector("#evaluation .clock").innerText.split(" / ")[0]);
          return now > start && [start, now];""")
        browser.screenshot(options.out, "evaluation")
        counts = {level: cell_counts(browser, level) for level in ("windows", "frames", "videos")}
        expect(start - 0.1 <= moment <= start + 5, f"plays at {moment} s instead of {start} s")
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    return {"clips": count, "start": start, "moment": moment, "counts": counts}


def cell_counts(browser, level):
    """Opens each cell of the matrix; the counts, which are those that are shown with the clips."""
    browser.run("document.querySelector(`[data-value=${arguments[0]}]`).click()", level)
    browser.wait("the matrix",
                 "return !!document.querySelector('#evaluation:not([aria-busy]) #matrix')")
    seen = browser.run("""
      return [...document.querySelectorAll("#matrix button")].map((cell) => {
        cell.click();
        const rows = document.querySelectorAll("#examples button");
        const viewer = document.querySelector("#evaluation .viewer");
        return [parseInt(cell.firstChild.textContent) || 0,
          parseInt(viewer.querySelector("h2").textContent.split(" · ").at(-1)), rows.length,
          viewer.querySelector(".browser").hidden];
      });""")
    for count, shown, rows, is_empty in seen:
        expect(count == shown and is_empty == (count == 0) and (rows > 0) == (count > 0)
               and (level == "frames" or rows == min(count, 200)), f"{level}: {seen}")
    return [cell[0] for cell in seen]


# The labels of a timeline that stand over each other's blocks.
OVERPRINTED = """
  return [...document.querySelectorAll(".timeline .lane:not(.slim)")].flatMap((lane) => {
    const boxes = [...lane.querySelectorAll(".block")].map((block) => {
      const {left, right} = block.getBoundingClientRect();
      const text = block.firstElementChild.getBoundingClientRect();
      // What is longer than its block is cut off.
      const end = getComputedStyle(block).overflowX === "hidden" ? right : text.right;
      return {name: block.innerText, left, right: Math.max(right, end)};
    }).sort((a, b) => a.left - b.left);
    return boxes.slice(1).flatMap((box, index) =>
      boxes[index].right > box.left + 4 ? [`${boxes[index].name} over ${box.name}`] : []);
  });"""


def overprinted(browser):
    """Ends the step where a label of the timeline stands over another block."""
    found = browser.run(OVERPRINTED)
    expect(not found, f"labels over others: {found}")


def preview(options):
    """A video has a timeline of windows, and the prediction follows the playhead."""
    with page(options) as browser:
        number = trained(browser, options)
        go(browser, f"{options.project}/preview/{number}")
        browser.wait("the windows", "return document.querySelectorAll('.block').length > 1",
                     seconds=60)
        browser.wait("a prediction", "return document.querySelectorAll('#predictions li').length > 1")
        text = browser.text("prediction")
        browser.wait("the video to play by itself", """
          const {paused, currentTime} = document.querySelector(".preview .player video");
          return !paused && currentTime > 0.2;""")
        overprinted(browser)
        browser.run("document.querySelector('.preview summary').click()")
        rows = browser.wait("the table", """
          const rows = [...document.querySelectorAll(".preview .grid-table tbody tr")];
          return rows.length > 0 && rows.map((row) => row.lastChild.innerText);""")
        expect(any("%" in row for row in rows), f"the lower predictions are {rows}")
        browser.screenshot(options.out, "preview")
    return {"prediction": text}


def output(options):
    """The model has a size, downloads and snippets; its metadata are saved."""
    with page(options) as browser:
        number = trained(browser, options)
        go(browser, f"{options.project}/output/{number}")
        field = browser.driver.find_element("id", "metadata-author")
        field.clear()
        field.send_keys("Nobody in particular", "\ue004")
        browser.wait("the author", f"""
          return fetch("/api/v1/studio/projects/{options.project}").then((answer) => answer.json())
            .then(({{metadata}}) => metadata.author === "Nobody in particular");""")
        sizes = browser.run("""
          return Promise.all(["mlmodel", "onnx"].map((format) =>
            fetch(document.getElementById(`download-${format}`).href)
              .then((answer) => answer.ok && answer.arrayBuffer())
              .then((data) => data && data.byteLength)));""")
        snippets = browser.run("return document.querySelectorAll('.snippet').length")
        browser.screenshot(options.out, "output")
        expect(all(sizes) and snippets >= 2, f"downloads {sizes}, {snippets} snippets")
        browser.click("use")
        browser.wait("the session to run with it", """
          return document.body.dataset.view === "live"
            && window.kinemaReady?.at(-1)?.model?.name;""")
        browser.wait("its name", """
          const {name} = window.kinemaReady.at(-1).model;
          return document.getElementById("banner-text").innerText.includes(name);""")
        browser.screenshot(options.out, "used-in-live")
    return {"bytes": sizes}


def camera(options):
    """The preview of the camera: its picture with the skeleton, or that alone on black, and a timeline
    that follows."""
    # The mean brightness of the middle of the picture's edges, where nobody is.
    shade = """
      const canvas = document.querySelector("#camera-preview canvas");
      const {data} = canvas.getContext("2d").getImageData(canvas.width / 2 - 20, 5, 40, 4);
      return data.reduce((sum, value, index) => sum + (index % 4 < 3 ? value : 0), 0)
        / (data.length * 0.75);"""
    with page(options) as browser:
        number = trained(browser, options)
        go(browser, f"{options.project}/preview/{number}")
        browser.click("use-camera")
        browser.wait("the page", "return !!document.getElementById('camera-preview')")
        browser.wait("predictions", """
          return document.querySelectorAll("#camera-preview .block").length > 1
            && document.querySelectorAll("#predictions li").length > 1;""", seconds=60)
        head = "return parseFloat(document.querySelector('#camera-preview .timeline-head').style.left)"
        begin, lit = browser.run(head), browser.run(shade)
        browser.screenshot(options.out, "preview-camera")
        browser.run("document.querySelector('#camera-preview [data-value=alone]').click()")
        browser.wait("black", f"return (() => {{ {shade} }})() < 10")
        browser.screenshot(options.out, "preview-camera-alone")
        overprinted(browser)
        drawn = browser.run("""
          const canvas = document.querySelector("#camera-preview canvas");
          const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return data.some((value, index) => index % 4 < 3 && value > 60);""")
        moved = browser.wait("the playhead to move", f"""
          return (() => {{ {head} }})() > arguments[0] && (() => {{ {head} }})();""", begin)
        sound(browser, "the preview of the camera", options)
        browser.run("document.querySelector('#camera-preview [data-value=on]').click()")
        browser.click("stop-camera")
        browser.wait("the video", "return !!document.querySelector('.preview .controls')")
        expect(lit > 30 and drawn, f"brightness {lit}, skeleton drawn: {drawn}")
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    return {"brightness": round(lit), "playhead": [begin, moved]}


def snapshots(browser, name, number, options):
    """Uses each snapshot of a run on the pages of models, and deletes the first one."""
    kept = call(browser, "GET", f"projects/{name}/runs/{number}")["snapshots"]
    iterations = [entry["iteration"] for entry in kept]
    listed = browser.run("""
      return [...document.querySelectorAll("#snapshots [data-snapshot]")].map(({dataset}) =>
        Number(dataset.snapshot));""")
    expect(listed == iterations and len(set(iterations)) == 2, f"listed {listed}, kept {kept}")
    for iteration in iterations:
        sizes = browser.run("""
          const [name, number, snapshot] = arguments;
          return fetch(`/api/v1/studio/projects/${name}/runs/${number}/model?snapshot=${snapshot}`)
            .then((answer) => answer.arrayBuffer()).then(({byteLength}) => byteLength);""",
                            name, number, iteration)
        for place, found in (("evaluation", "!!document.getElementById('matrix')"),
                             ("preview", "document.querySelectorAll('.block').length > 1"),
                             ("output", "!!document.getElementById('download-mlmodel')")):
            go(browser, f"{name}/runs/{number}")
            browser.run("""
              document.querySelector(`[data-snapshot="${arguments[0]}"] [data-page=${arguments[1]}]`)
                .click();""", iteration, place)
            browser.wait(f"{place} of iteration {iteration}", f"""
              return document.getElementById("snapshot-select")?.value === arguments[0]
                && {found};""", str(iteration), seconds=60)
        expect(sizes > 1000, f"the model of iteration {iteration} has {sizes} bytes")
    browser.screenshot(options.out, "snapshot")
    go(browser, f"{name}/runs/{number}")
    browser.run("document.querySelector('#snapshots .link').click()")
    browser.wait("the question", "return !!document.getElementById('confirm-delete')")
    sound(browser, "the question before a snapshot is deleted", options)
    browser.click("confirm-delete")
    browser.wait("it to go", "return document.querySelectorAll('[data-snapshot]').length === 1")
    return iterations


def snapshot(options):
    """A run that still trains has snapshots, each of which is evaluated, previewed and exported."""
    with page(options) as browser:
        name = project(browser, options)
        trained(browser, options)
        call(browser, "PATCH", f"projects/{name}", {"parameters": {"iterations": 100000}})
        go(browser, f"{name}/runs")
        browser.click("start-run")
        browser.wait("the button", "return !!document.getElementById('snapshot')", seconds=60)
        number = int(browser.run("return location.hash.split('/').at(-1)"))
        browser.wait("the first epochs", f"""
          return fetch("/api/v1/studio/projects/{name}/runs/{number}")
            .then((answer) => answer.json()).then(({{progress}}) => progress.iteration > 1);""",
                     seconds=120)
        # The model is that of a checkpoint, every two seconds.
        time.sleep(3)
        expect(not browser.run("return document.getElementById('to-output')"), "there is a model")
        for count in (1, 2):
            browser.click("snapshot")
            browser.wait("the model", """
              return document.querySelectorAll("[data-snapshot]").length === arguments[0];""",
                         count, seconds=30)
            # The next checkpoint.
            time.sleep(2.5)
        expect(browser.run("return !!document.getElementById('to-output')"), "there is no model")
        browser.click("pause")
        browser.wait("the pause", """
          return document.getElementById("run-state").dataset.state === "paused";""")
        iterations = snapshots(browser, name, number, options)
        go(browser, f"{name}/output")
        shown = browser.run("""
          return [document.getElementById("run-select").value,
            !!document.getElementById("download-mlmodel")];""")
        call(browser, "DELETE", f"projects/{name}/runs/{number}")
        call(browser, "PATCH", f"projects/{name}", {"parameters": {"iterations": options.iterations}})
        expect(shown == [str(number), True], f"Output shows {shown}, not run {number}")
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    return {"run": number, "snapshots": iterations}


# The dialogs that a button opens, by their pages; others are looked at by the steps that open them.
DIALOGS = {"": ["new-project"], "data": ["import-training"], "montage": ["keys"],
           "runs": ["rename-run", "delete-run"]}


def access(options):
    """All controls of all pages and dialogs have a name and are large enough, in dark and in light;
    axe-core finds nothing."""
    problems = []
    count = 0
    with page(options, is_calm=True) as browser:
        def look(what):
            for scheme in ("dark", "light"):
                browser.show(is_calm=True, scheme=scheme)
                problems.extend(audit(browser, f"{scheme} {what}", options.axe))

        trained(browser, options)
        for name in PAGES:
            go(browser, f"{options.project}/{name}" if name else "")
            look(name or "projects")
            for button in DIALOGS.get(name, []):
                browser.click(button)
                # The content of a folder comes later.
                browser.wait("the dialog", """
                  return document.querySelector("dialog[open] .content button, dialog[open] input");
                  """)
                look(button)
                browser.press("\ue00c")
                count += 1
        go(browser, f"{options.project}/data")
        label_question(browser, options)
        look("question for a label")
    expect(not problems, "; ".join(problems))
    return {"pages": len(PAGES), "dialogs": count + 1, "axe": bool(options.axe)}


def label_question(browser, options):
    """Opens the question for the label of files without a folder."""
    browser.write("files-testing", os.path.abspath(next(iter(clips(options).values()))[0]))
    browser.wait("the question", "return !!document.getElementById('answer')")


def looks(options):
    """Pictures of all pages, wide, 4:3 and phone, dark and light; none is scrolled sideways, and
    nothing in the bar or the matrix covers anything."""
    screens = {"desktop": ((1366, 860), 1, False), "square": ((1440, 1200), 1, False),
               "phone": ((360, 740), 2, True)}
    wide = []
    for screen, (size, scale, is_mobile) in screens.items():
        shape = {"size": size, "scale": scale, "is_mobile": is_mobile}
        with page(options, **shape) as browser:
            trained(browser, options)
            for name in PAGES:
                go(browser, f"{options.project}/{name}" if name else "")
                for scheme in ("dark", "light"):
                    browser.show(scheme=scheme, **shape)
                    browser.screenshot(options.out, f"{screen}-{scheme}-{name or 'projects'}")
                    if not browser.run("return document.documentElement.scrollWidth <= innerWidth"):
                        wide.append(f"{screen} {name}")
                    covered = browser.run(COVERED)
                    expect(not covered, f"{screen} {name}: {covered}")
    expect(not wide, f"to be scrolled sideways: {', '.join(wide)}")
    return {"pictures": len(PAGES) * 2 * len(screens)}


ALL = [runs, evaluation, preview, camera, output, snapshot, access, looks]

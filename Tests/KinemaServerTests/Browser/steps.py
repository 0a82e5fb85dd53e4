"""The steps on the page; each raises a Failure or returns what it found."""

import tempfile
import time

from selenium import webdriver

from audit import audit
from browser import Failure, page
from overlay import PLACE, measure


def expect(condition, message):
    """Ends the step where something is not as it should be."""
    if not condition:
        raise Failure(message)


def permission(options):
    """A blocked camera is explained, another source is offered; an allowed camera starts."""
    with page(options, is_allowed=False) as browser:
        browser.click("start-camera")
        text = browser.wait("an explanation", """
          const problem = document.getElementById("start-problem");
          return problem.hidden ? null : problem.innerText;""")
        browser.screenshot(options.out, "permission-denied")
        browser.start("start-synthetic")
        seen = browser.run("return document.getElementById('source-select').value")
    with page(options) as browser:
        browser.screenshot(options.out, "start")
        browser.start()
        expect(not browser.errors(), f"scripts failed: {browser.errors()}")
    return {"explanation": text, "offered": seen}


def overlay(options):
    """The wireframe's pixels are where the server found the person in the same picture."""
    with page(options) as browser:
        browser.start()
        mirrored = measure(browser)
        browser.screenshot(options.out, "overlay")
        browser.press("m")
        plain = measure(browser)
    for name, seen in (("mirrored", mirrored), ("plain", plain)):
        expect(seen["limbs"] >= 12, f"{name}: too few limbs to evaluate: {seen}")
        expect(seen["found"] >= 0.75 * seen["limbs"],
               f"{name}: limbs are not on the person: {seen}")
        expect(seen["foundBeside"] <= 0.25 * max(1, seen["limbsBeside"]),
               f"{name}: the colours are found anywhere: {seen}")
    return {"mirrored": mirrored, "plain": plain}


# Turns each person in a frame into a hand with spread fingers.
HANDS = """
  const parse = JSON.parse;
  JSON.parse = (text) => {
    const message = parse(text);
    for (const person of message?.type === "frame" ? message.persons : []) {
      person.joints = [[0.5, 0.2, 1]];
      for (let finger = -2; finger <= 2; finger += 1) {
        for (let joint = 1; joint <= 4; joint += 1) {
          person.joints.push([0.5 + finger * joint * 0.05, 0.2 + joint * 0.15, 1]);
        }
      }
    }
    return message;
  };"""


def hands(options):
    """A person with the 21 joints of a hand is drawn as a hand."""
    with page(options) as browser:
        browser.run(HANDS)
        browser.start()
        seen = measure(browser, "hand", samples=2)
        browser.screenshot(options.out, "hand")
    expect(seen["found"] >= 0.9 * seen["limbs"] > 10, f"the fingers are not drawn: {seen}")
    return seen


def label(options):
    """The label is Starting Up before the first result, then the action with a confidence."""
    with page(options) as browser:
        first = browser.text("label")
        browser.start()
        browser.press("d")
        script = """
          const label = document.getElementById("label");
          const isWanted = !arguments[0] || label.innerText.trim() === arguments[0];
          return label.dataset.status === "action" && isWanted
            ? [label.innerText.trim(), document.getElementById("confidence").innerText] : null;"""
        text, confidence = browser.wait(f"the label {options.label or ''}", script, options.label,
                                        seconds=60)
        tops = browser.run("""
          return [...window.kinemaFrames.values()].map(({ action }) => action)
            .filter((action) => action?.top.length)
            .map(({ confidence, top }) => [confidence, ...top.map(([, share]) => share)]);""")
        browser.screenshot(options.out, "label")
    # A label that is kept for a moment (ActionDecoder.keepReported) may be second.
    expect(tops and all(shares[0] in shares[1:3] and shares[1] >= shares[2] >= shares[3]
                        and sum(shares[1:]) < 1.001 for shares in tops),
           f"the confidence and the alternatives are not one distribution: {tops}")
    expect(confidence.endswith("%"), f"the confidence reads “{confidence}”")
    return {"before": first, "label": text, "confidence": confidence}


def count(options):
    """Repetitions are counted on the screen and announced to screen readers."""
    with page(options) as browser:
        browser.start()
        reached = browser.wait(f"{options.count} repetitions", """
          const count = Number(document.getElementById("count").innerText);
          return count >= arguments[0] ? count : null;""", options.count, seconds=90)
        announced = browser.wait("an announcement", """
          return document.getElementById("announcer").textContent;""")
        browser.screenshot(options.out, "count")
    return {"count": reached, "announced": announced}


def summary(options):
    """The summary lists actions, longest first, and grows while it is open."""
    rows = """
      return [...document.querySelectorAll("#summary-content tbody tr")].map((row) =>
        [...row.children].map((cell) => cell.innerText.trim()));"""
    with page(options) as browser:
        browser.start()
        browser.click("summary-button")
        browser.wait("a row", rows)
        total = "return document.querySelector('#summary-content .figures dd')?.innerText"
        before = browser.run(total)
        after = browser.wait("the summary to grow",
                             f"""const now = (() => {{ {total} }})();
                               return now !== arguments[0] && now;""", before)
        listed = browser.run(rows)
        pieces = browser.run("return document.querySelectorAll('.strip span').length")
        links = browser.run("""return [...document.querySelectorAll("#summary-content a")]
          .map((link) => link.getAttribute("href"));""")
        browser.screenshot(options.out, "summary")
        status = browser.run("return fetch(arguments[0]).then((answer) => answer.status)", links[0])
        browser.press("\ue00c")
        browser.wait("Escape to close it", "return !document.querySelector('dialog[open]')")
    expect(pieces > 0, "the timeline is empty")
    expect(status == 200, f"the export answers {status}")
    return {"rows": listed, "before": before, "after": after, "exports": links}


def camera(options):
    """The camera can be changed, and so can the source, within one session."""
    # A file can be one camera only, so this step has Chromium's own two test pictures.
    name = "return document.getElementById('camera').srcObject?.getVideoTracks()[0].label"
    with page(options, camera=None, cameras=2) as browser:
        browser.start()
        first = browser.run(name)
        browser.click("camera-button")
        second = browser.wait("another camera", f"""
          const now = (() => {{ {name} }})(); return now && now !== arguments[0] && now""", first)
        moves(browser)
        browser.run("""
          const select = document.getElementById("source-select");
          select.value = "synthetic"; select.dispatchEvent(new Event("change"));""")
        moves(browser)
        sessions = browser.run("return window.kinemaReady.map(({ session }) => session)")
        browser.screenshot(options.out, "synthetic")
    expect(len(set(sessions)) == 1, f"the session changed: {sessions}")
    return {"first": first, "second": second}


def moves(browser):
    """Waits until a picture is shown, with its overlay, whose frame came after this call: what frames that came
    before show is no answer to what a step did."""
    browser.run("window.kinemaBefore = new Set(window.kinemaFrames.values())")
    browser.wait("new pictures", """
      const { overlay, sequence } = document.getElementById("stage").dataset;
      const frame = window.kinemaFrames.get(Number(sequence));
      return sequence && overlay === "glued" && frame && !window.kinemaBefore.has(frame);""")


def reconnect(options):
    """A broken connection is reported, reconnects by itself and keeps the session's results."""
    length = "return window.kinemaReady.at(-1).historyID"
    with page(options) as browser:
        browser.start()
        history = browser.run(length)
        browser.run("""
          window.kinemaNotice = "";
          const banner = document.getElementById("banner");
          new MutationObserver(() => {
            if (!banner.hidden) window.kinemaNotice ||= banner.innerText;
          }).observe(banner, {attributes: true, childList: true, subtree: true});
          window.kinemaSockets.at(-1).close(4000);""")
        browser.wait("a notice", "return window.kinemaNotice")
        notice = browser.run("return window.kinemaNotice")
        browser.wait("the reconnection", """
          return window.kinemaSockets.length > 1 && document.body.dataset.connection === "open";""")
        moves(browser)
        sessions = browser.run("return window.kinemaReady.map(({ session }) => session)")
        expect(len(set(sessions)) == 1, f"another session was started: {sessions}")
        expect(browser.run(length) == history, "the history continued under another number")
    return {"notice": notice, "connections": len(sessions)}


def model(options):
    """A file that is not a model is refused with a reason; the session continues."""
    with page(options) as browser:
        browser.start()
        browser.click("settings-button")
        with tempfile.NamedTemporaryFile(suffix=".mlmodel") as file:
            file.write(b"Not a model." * 20)
            file.flush()
            browser.write("model-upload", file.name)
            explanation = browser.wait("an explanation", """
              const note = document.getElementById("model-note");
              return note.className === "problem" && !note.hidden ? note.innerText : null;""")
        browser.screenshot(options.out, "bad-model")
        moves(browser)
    return {"explanation": explanation}


def begin(browser):
    """Starts the challenge in the editor without waiting for its count-down."""
    browser.run("document.querySelector('#challenge-content form').requestSubmit()")
    browser.wait("the count-down", """
      return document.getElementById("challenge-card").dataset.state === "ready";""")
    browser.click("challenge-skip")
    browser.wait("the challenge", """
      const card = document.getElementById("challenge-card");
      return card.checkVisibility() && card.dataset.state !== "ready";""")


def challenge(options):
    """A challenge is edited, started, skipped through and summarised."""
    with page(options) as browser:
        browser.start()
        browser.click("challenge-button")
        browser.screenshot(options.out, "challenge-list")
        begin(browser)
        state = browser.run("return document.getElementById('challenge-card').dataset.state")
        browser.screenshot(options.out, "challenge")
        items = browser.run("return document.querySelectorAll('#challenge-card .steps li').length")
        for index in range(items):
            browser.wait(f"action {index + 1}", """
              return document.querySelector(".position")?.innerText.includes(arguments[0]);""",
                         f"{index + 1} of")
            browser.click("challenge-skip")
        browser.wait("the end", """
          return document.getElementById("challenge-card").dataset.state === "finished";""")
        browser.screenshot(options.out, "challenge-end")
        browser.click("challenge-close")
        browser.wait("the card to go", "return document.getElementById('challenge-card').hidden")
    return {"state": state, "items": items}


def pause(options):
    """A pause stops sending and showing pictures until it ends."""
    with page(options) as browser:
        browser.start()
        browser.press(" ")
        browser.wait("the pause", "return document.body.dataset.paused === 'true'")
        script = "return document.getElementById('stage').dataset.sequence"
        # The last picture before the pause may still be to be drawn.
        before = browser.run(f"""
          return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
            .then(() => {{ {script} }});""")
        # At 30 pictures a second, some 20 would be shown meanwhile.
        time.sleep(0.7)
        expect(browser.run(script) == before, "pictures were shown in the pause")
        browser.screenshot(options.out, "paused")
        browser.press(" ")
        moves(browser)
    return {}


def lock(options):
    """A tap follows a person, another stops following."""
    script = """
      const frame = [...window.kinemaFrames.values()].at(-1);
      return frame?.isPinned === arguments[0];"""
    with page(options) as browser:
        browser.start()
        for is_followed in (True, False):
            browser.wait("a person", """
              return [...window.kinemaFrames.values()].at(-1)?.persons.length;""")
            spot = browser.run("""
              const stage = document.getElementById("stage");
              const frame = [...window.kinemaFrames.values()].at(-1);
              const person = frame.persons.find(({ id }) => id === frame.prominent);
              if (!person) return null;
              """ + PLACE + """
              const [x, y, w, h] = person.box;
              const ratio = stage.clientWidth / W;
              return place([x + w / 2, y + h / 2]).map((value) => value * ratio);""")
            expect(spot, "no person is prominent")
            mouse = webdriver.ActionChains(browser.driver)
            mouse.w3c_actions.pointer_action.move_to_location(*map(int, spot)).click()
            mouse.perform()
            browser.wait("following" if is_followed else "its end", script, is_followed)
            browser.screenshot(options.out, "followed" if is_followed else "released")
    return {}


def settings(options):
    """Settings take effect at once and are remembered."""
    sent = "return window.kinemaReady.at(-1)?.settings"
    with page(options) as browser:
        browser.start()
        browser.click("settings-button")
        browser.run("document.getElementById('setting-isCounting').click()")
        browser.press("\ue00c")
        browser.wait("the server's confirmation", f"""
          const settings = (() => {{ {sent} }})(); return settings && !settings.isCounting;""")
        hidden = "return !document.getElementById('count').checkVisibility()"
        browser.wait("the count to be hidden", hidden)
        browser.click("leave-button")
        browser.reload()
        browser.start()
        browser.wait("the count to stay hidden", hidden)
        expect(not browser.run(sent)["isCounting"], "the setting was forgotten")
    return {}


def history(options):
    """A session is found in the history, renamed and deleted."""
    rows = """return [...document.querySelectorAll("#history-list .session")]
      .map((row) => [row.dataset.session, row.querySelector(".name").innerText]);"""
    with page(options) as browser:
        browser.start()
        browser.click("leave-button")
        browser.click("start-history")
        before = browser.wait("the list", rows)
        number = before[0][0]
        row = f"document.querySelector('#history-list [data-session=\"{number}\"]')"
        browser.run(f"{row}.click()")
        browser.wait("the session", "return document.getElementById('session-name')")
        browser.screenshot(options.out, "history-session")
        browser.run("""
          const name = document.getElementById("session-name");
          name.value = "Monday’s first"; name.form.requestSubmit();""")
        browser.wait("the new name", """
          return document.getElementById("history-title").innerText === "Monday’s first";""")
        browser.run("document.querySelector('#history-content .link').click()")
        renamed = browser.wait("the list", rows)
        expect([number, "Monday’s first"] in renamed, f"the list has {renamed}")
        browser.screenshot(options.out, "history")
        browser.run(f"{row}.click()")
        browser.wait("the session", "return document.querySelector('.ending .danger')")
        browser.run("document.querySelector('.ending .danger').click()")
        browser.run("document.querySelector('.ending .danger').click()")
        browser.wait("it to go", f"""
          return document.querySelector(".sessions, .empty") && !{row}
            && !document.querySelector(".ending");""")
    return {"sessions": len(before)}


def access(options):
    """All controls have a name, are large enough and are reached with the keyboard; axe-core finds
    nothing."""
    with page(options, is_calm=True) as browser:
        problems = audit(browser, "start", options.axe)
        browser.start()
        problems += audit(browser, "live", options.axe)
        browser.run("document.activeElement?.blur()")
        order = []
        for _ in range(40):
            browser.press("\ue004")
            name = browser.run("return document.activeElement?.id")
            if not name or name in order:
                break
            order.append(name)
        for key, dialog in (("s", "summary"), ("c", "challenge"), ("h", "history"),
                            (",", "settings"), ("?", "help")):
            browser.press(key)
            browser.wait(f"{dialog} on {key}",
                         "return document.getElementById(arguments[0]).open", f"{dialog}-dialog")
            browser.wait("its animation to end", """
              return document.getElementById(arguments[0]).getAnimations().length === 0;""",
                         f"{dialog}-dialog")
            problems += audit(browser, dialog, options.axe)
            browser.screenshot(options.out, f"dialog-{dialog}")
            browser.press("\ue00c")
            browser.wait("Escape to close", "return !document.querySelector('dialog[open]')")
    expect(not problems, "; ".join(problems))
    expect("pause-button" in order and "settings-button" in order, f"the tab order is {order}")
    return {"order": order}


def two(options):
    """Two browsers at once have a session each."""
    with page(options) as one, page(options) as other:
        for browser in (one, other):
            browser.start()
        for browser in (one, other):
            moves(browser)
        sessions = [browser.run("return window.kinemaReady.at(-1).session")
                    for browser in (one, other)]
    expect(sessions[0] != sessions[1], "both browsers share a session")
    return {}


def speed(options):
    """The figures of the performance view after some seconds."""
    with page(options) as browser:
        browser.start()
        browser.press("p")
        time.sleep(8)
        seen = browser.wait("the figures", """
          if (!(parseFloat(document.getElementById("performance-analysed").innerText) > 1)) return null;
          return Object.fromEntries([...document.querySelectorAll("#performance-list dd")]
            .map((value) => [value.id.replace("performance-", ""), value.innerText]));""")
        browser.screenshot(options.out, "performance")
    return seen


def looks(options):
    """Pictures of the page on a phone, a tablet and a television, dark and light."""
    screens = {"phone": ((390, 844), 2, True), "phone-wide": ((844, 390), 2, True),
               "tablet": ((820, 1180), 1, True), "television": ((1920, 1080), 1, False)}
    for name, (size, scale, is_mobile) in screens.items():
        for scheme in ("dark", "light"):
            with page(options, size=size, scale=scale, is_mobile=is_mobile,
                      scheme=scheme) as browser:
                browser.screenshot(options.out, f"{name}-{scheme}-start")
                browser.start()
                time.sleep(3)
                browser.screenshot(options.out, f"{name}-{scheme}-live")
                expect(browser.run("return document.documentElement.scrollWidth <= innerWidth"),
                       f"{name} has to be scrolled sideways")
    return {"screens": len(screens) * 2}


ALL = [permission, overlay, hands, label, count, summary, camera, reconnect, model, challenge, pause,
       lock, settings, history, access, two, speed, looks]

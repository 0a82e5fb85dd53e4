"""Opens the page in headless Chromium with a camera that plays a file, and reads it."""

import json
import os
import shutil
import time
from contextlib import contextmanager

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, StaleElementReferenceException)
from selenium.webdriver.chrome.service import Service

# The page's sockets and the server's latest frames, so that a step can break a connection and
# compare the picture with its result. Runs before the page's own scripts.
HOOK = """
(() => {
  const Plain = window.WebSocket;
  window.kinemaSockets = [];
  window.kinemaFrames = new Map();
  window.kinemaReady = [];
  window.kinemaRevised = [];
  window.kinemaErrors = [];
  window.addEventListener("error", (event) => window.kinemaErrors.push(String(event.message)));
  window.addEventListener("unhandledrejection", (event) =>
    window.kinemaErrors.push(String(event.reason)));
  document.addEventListener("securitypolicyviolation", (event) =>
    window.kinemaErrors.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  window.WebSocket = class extends Plain {
    constructor(...parameters) {
      super(...parameters);
      window.kinemaSockets.push(this);
      this.addEventListener("message", (event) => {
        if (typeof event.data !== "string") return;
        const message = JSON.parse(event.data);
        if (message.type === "ready") window.kinemaReady.push(message);
        if (message.type === "setRevised") {
          window.kinemaRevised.push({ ...message, at: performance.now() / 1000 });
        }
        if (message.type !== "frame") return;
        window.kinemaFrames.set(message.sequence, message);
        if (window.kinemaFrames.size > 90) {
          window.kinemaFrames.delete(window.kinemaFrames.keys().next().value);
        }
      });
    }
  };
})();
"""


# How many times as long as an idle machine takes passes before a wait counts as hung: the tests
# share their processors, and what a slow machine does late is no failure.
STARVED = 6


def patience(seconds):
    """How long what takes at most `seconds` on an idle machine is waited for."""
    return STARVED * seconds


class Failure(Exception):
    """What a step expected and did not find."""


def missing_tools():
    """The names of programs that are needed and not there."""
    return [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]


class Browser:
    """One Chromium with one page; without a camera file the cameras show a test picture. With
    `needs_press` sounds need a press first, as in most people's browsers."""

    def __init__(self, camera, cameras=1, is_allowed=True, needs_press=False):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        fake = "--use-fake-device-for-media-stream"
        flags = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
            "--ignore-certificate-errors", "--autoplay-policy="
            + ("document-user-activation-required" if needs_press else "no-user-gesture-required"),
            "--hide-scrollbars",
            fake if cameras == 1 else f"{fake}=device-count={cameras}",
            "--window-size=1280,720",
        ]
        if camera:
            flags.append(f"--use-file-for-fake-video-capture={os.path.abspath(camera)}")
        if is_allowed:
            flags.append("--use-fake-ui-for-media-stream")
        for flag in flags:
            options.add_argument(flag)
        options.set_capability("acceptInsecureCerts", True)
        service = Service(shutil.which("chromedriver"))
        self.driver = webdriver.Chrome(service=service, options=options)
        self.url = None
        self.driver.set_script_timeout(30)
        if not is_allowed:
            self.send("Browser.setPermission", permission={"name": "camera"}, setting="denied")
        self.send("Page.addScriptToEvaluateOnNewDocument", source=HOOK)

    def show(self, size=(1280, 720), scheme="dark", scale=1, is_mobile=False, is_calm=False):
        """Shows the page on another screen."""
        self.send("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                  deviceScaleFactor=scale, mobile=is_mobile)
        motion = "reduce" if is_calm else "no-preference"
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion}])

    def load(self):
        """Loads the page as a first visit, without anything that an earlier one stored."""
        self.send("Storage.clearDataForOrigin", origin=self.url, storageTypes="all")
        self.reload()

    def reload(self):
        """Loads the page as a later visit."""
        self.driver.get(self.url)
        self.wait("the page to be ready", "return document.body.dataset.prepared === 'true'")

    def quit(self):
        """Ends Chromium."""
        self.driver.quit()

    def send(self, command, **parameters):
        """A command of the browser's own protocol."""
        return self.driver.execute_cdp_cmd(command, parameters)

    def run(self, script, *parameters):
        """Runs a script in the page and returns what it returns."""
        return self.driver.execute_script(script, *parameters)

    def later(self, script, *parameters):
        """Runs a script that gives its result to the function in its last argument."""
        return self.driver.execute_async_script(script, *parameters)

    def click(self, name):
        """Presses the element with an id, as a person would."""
        for _ in range(3):
            element = self.driver.find_element("id", name)
            try:
                element.click()
                return
            except ElementClickInterceptedException:
                # It is under the bar at the top: a person scrolls.
                self.driver.execute_script(
                    "arguments[0].scrollIntoView({block: 'center'})", element)
                element.click()
                return
            except StaleElementReferenceException:
                # The page has replaced it since: a person presses what is there.
                pass
        raise AssertionError(f"#{name} is replaced again and again")

    def write(self, name, *keys):
        """Sends keys to the field with an id once it takes them: a page that is being filled has none,
        or has it hidden or disabled; fields for files are hidden always."""
        field = self.wait(f"the field #{name}", """
          const field = document.getElementById(arguments[0]);
          const isUsable = field?.type === "file" || (field?.checkVisibility() && !field.disabled);
          return isUsable ? field : null;""", name)
        field.send_keys(*keys)

    def press(self, keys):
        """Sends keys to the focused element."""
        webdriver.ActionChains(self.driver).send_keys(keys).perform()

    def text(self, name):
        """The text of the element with an id."""
        return self.run("return document.getElementById(arguments[0]).innerText.trim()", name)

    def wait(self, what, script, *parameters, seconds=60):
        """Runs a script until it returns a true value, and returns that; `seconds` as for `patience`."""
        end = time.monotonic() + patience(seconds)
        while True:
            answer = self.run(script, *parameters)
            if answer:
                return answer
            if time.monotonic() > end:
                raise Failure(f"waited {patience(seconds)} s for {what}; the page has {self.state()}")
            time.sleep(0.05)

    def state(self):
        """The state of the page, for messages."""
        return json.dumps(self.run("""
          const text = (id) => {
            const element = document.getElementById(id);
            return element?.checkVisibility() ? element.innerText.trim() : null;
          };
          return {...document.body.dataset, ...document.getElementById("stage")?.dataset,
            label: text("label"), count: text("count"), banner: text("banner"),
            problem: text("start-problem"), toast: text("toast"), errors: window.kinemaErrors};"""))

    def start(self, button="start-camera"):
        """Starts a session and waits for the first picture with an overlay."""
        self.click(button)
        self.wait_for_overlay()

    def wait_for_overlay(self):
        """Waits for the first picture with an overlay."""
        self.wait("a picture with its overlay", """
          return document.body.dataset.connection === "open"
            && document.getElementById("stage").dataset.overlay === "glued";""")

    def errors(self):
        """Errors of scripts and violations of the security policy so far."""
        return self.run("return window.kinemaErrors")

    def screenshot(self, folder, name):
        """Writes a screenshot of the page; nothing without a folder."""
        if folder:
            os.makedirs(folder, exist_ok=True)
            self.driver.save_screenshot(os.path.join(folder, f"{name}.png"))


# Browsers for the next steps, by their cameras.
_idle = {}


@contextmanager
def without_server(browser):
    """No request of the page gets an answer, as when the server is away."""
    browser.run("""
      window.kinemaFetch = window.fetch;
      window.fetch = () => Promise.reject(new TypeError("Failed to fetch"));""")
    yield
    browser.run("window.fetch = window.kinemaFetch")


@contextmanager
def answered(browser, method, part):
    """The page's requests to addresses with a part are answered with `kinemaAnswer`, a JSON text; without one
    with status 500. `kinemaAsked` has their times in milliseconds."""
    browser.run("""
      const [method, part] = arguments;
      window.kinemaFetch = window.fetch;
      window.kinemaAnswer = null;
      window.kinemaAsked = [];
      window.fetch = (address, options = {}) => {
        if ((options.method ?? "GET") !== method || !String(address).includes(part)) {
          return window.kinemaFetch(address, options);
        }
        window.kinemaAsked.push(performance.now());
        const status = window.kinemaAnswer === null ? 500 : 200;
        return Promise.resolve(new Response(window.kinemaAnswer, { status }));
      };""", method, part)
    yield
    browser.run("window.fetch = window.kinemaFetch")


@contextmanager
def page(options, url=None, camera=..., cameras=1, is_allowed=True, needs_press=False, **screen):
    """The page, freshly loaded, on a screen; a browser is used again by steps with its cameras."""
    setting = (options.camera if camera is ... else camera, cameras, is_allowed, needs_press)
    kept = _idle.setdefault(setting, [])
    browser = kept.pop() if kept else Browser(*setting)
    try:
        browser.url = url or options.url
        browser.show(**screen)
        browser.load()
        yield browser
    except BaseException:
        browser.quit()
        raise
    # Ends the session, so that the server is free for the next step and no page resumes it.
    browser.run("""
      document.querySelector("dialog[open]")?.close();
      if (document.body.dataset.view === "live") document.getElementById("leave-button").click();
      """)
    browser.driver.get("about:blank")
    kept.append(browser)


def quit_all():
    """Ends the browsers that no step uses any more."""
    for browser in [browser for kept in _idle.values() for browser in kept]:
        browser.quit()
    _idle.clear()

"""Builds the tests and runs them in phases, each to its end, and reports what failed and what was slow.

    run.py [--long | --abuse] [SWIFT OPTION …]

A suite's name says when it runs:

    …BrowserTests   first: a browser and its server need a processor; before Swift 6.3 one after the other
    …RealTimeTests  then, in the same way: clocks and sockets, which lose frames beside others
    …LongTests      with --long only: what takes minutes, and what has a bar of time, one after the
                    other
    others          last, beside each other

With --long the phases are the long suites, and the scripts that run for a long time. With --abuse they are
what SECURITY.md promises: files, requests, receivers and clients that harm, kills and faults, with a table
of the promises at the end; half an hour on two cores. The last line is a test runner's closing line, of all
phases together.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path

BROWSER, REAL_TIME, LONG = "BrowserTests/", "RealTimeTests/", "LongTests/"
CLOSING = re.compile(r"Test run with (\d+) tests? (?:in (\d+) suites? )?(passed|failed)")
STEP = re.compile(r"^Step (.+) ended after ([\d.]+) seconds")
BROKEN = re.compile(r"✘.*recorded an issue|: error:|^(?:FAILED|ERROR) |Segmentation|Fatal")
SLOWEST, LINES_OF_FAILURE = 20, 8
# What plays attacks, of `make test` and of the long suites; the scripts after them are shorter than their targets.
ATTACKS = {
    "files that harm": "MediaChildrenTests/|ForeignMediaTests/|HostileModelTests/|DamagedModelTests/"
    "|PoseFileLimitsTests/|LargeNumbersTests/",
    "names and tables": "FileNamesTests/|TableTimesTests/|DataSetsTests/",
    "projects": "ProjectLockTests/|BlockedRequestsRealTimeTests/|PrivateFolderTests/",
    "alarms": "WebhookTests/|MQTTFailureTests/",
    "sources that fail": "FailingStreamTests/",
    "large requests and projects": "WatchdogLongTests/|LargeProjectLongTests/"
    "|LargeProjectRequestsLongTests/",
}
# Twelve minutes of waiting, beside the others.
DELIVERIES = "WebhookLongTests/"
SCRIPTS = {
    "two imports, 100,000 files and a training": ["HostileClients/heavy.py"],
    "hostile clients": ["HostileClients/hostile.py", "--seconds", "8"],
    "faults of commands": ["Faults/faults.py", "--points", "3"],
    "faults of servers": ["Faults/server_faults.py", "--points", "3"],
    "kills": ["Faults/kills.py", "--moments", "40"],
}
# Tests of the last phase beside each other, for each processor: with all of them, each has a step only when the
# others had theirs, so that none ends for a quarter of an hour and what waits for a time is late.
WIDTH = 6
# Swift has it from 6.3 on.
WIDTH_OPTION = "--experimental-maximum-parallelization-width"
# By then all tests that are not serialised have started.
START_SECONDS = 3
# `swift test` does not end while a process that a test has started holds its output.
RUN_ENDED, SECONDS_TO_END = b'"runEnded"', 20


class Phase:
    """A command that is run to its end, its output shown as it comes, or at its end where it is quiet."""

    def __init__(
        self, name: str, command: list[str], events: Path | None = None, isQuiet: bool = False
    ):
        self.name, self.command, self.events, self.isQuiet = name, command, events, isQuiet
        self.tests = self.suites = 0
        self.seconds = 0.0
        self.isPassed = False
        self.durations: list[tuple[float, str]] = []
        self.failures: list[str] = []
        self.last = ""
        self.hasLeftovers = False
        self.mark = f"KINEMA_TEST_PHASE={uuid.uuid4()}"

    def run(self):
        output = [f"== {self.name}\n"]
        self.show(output)
        start = time.monotonic()
        name, value = self.mark.split("=")
        process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            env={**os.environ, name: value},
        )
        threading.Thread(target=self.end_who_stays, args=[process], daemon=True).start()
        left = 0
        for line in process.stdout:
            output.append(line)
            self.show(output)
            if BROKEN.search(line):
                left = LINES_OF_FAILURE
            elif line[:1] in "✔✘◇":
                left = 0
            if left > 0:
                self.failures.append(line.rstrip()[:600])
                left -= 1
            self.last = line.strip() or self.last
            self.read(line)
        print("".join(output), end="", flush=True)
        status = process.wait()
        self.seconds = time.monotonic() - start
        self.isPassed = status == 0 and (self.tests > 0 or not self.events) and not self.hasLeftovers
        if self.events and self.events.exists():
            self.read_events()
        if not self.isPassed:
            self.failures.append(f"{self.name} ended with status {status} after {self.tests} tests")

    def show(self, output: list[str]):
        if not self.isQuiet:
            print("".join(output), end="", flush=True)
            output.clear()

    def end_who_stays(self, process: subprocess.Popen):
        """Ends what the tests of a run that has ended have left behind."""
        while process.poll() is None and not self.has_run_ended():
            time.sleep(1)
        try:
            process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            for folder in Path("/proc").glob("[0-9]*"):
                try:
                    marks = (folder / "environ").read_bytes().split(b"\0")
                    words = (folder / "cmdline").read_text(errors="replace").split("\0")
                    if self.mark.encode() not in marks or int(folder.name) == process.pid:
                        continue
                    os.kill(int(folder.name), signal.SIGKILL)
                except OSError:
                    continue
                self.hasLeftovers = True
                name = " ".join(words).splitlines()[0][:200]
                self.failures.append(f"{self.name} left a process behind: {name}")

    def has_run_ended(self) -> bool:
        if not self.events or not self.events.exists():
            return False
        with self.events.open("rb") as file:
            file.seek(max(0, self.events.stat().st_size - 4096))
            return RUN_ENDED in file.read()

    def read(self, line: str):
        if closing := CLOSING.search(line):
            self.tests += int(closing[1])
            self.suites += int(closing[2] or 0)
        elif step := STEP.search(line):
            self.durations.append((float(step[2]), f"step {step[1]}"))

    def read_events(self):
        """How long tests ran: the sum of their cases, or from start to end in a serialised suite.

        Others start together at the beginning of the phase and wait: their time is not known.
        """
        names: dict[str, str] = {}
        starts: dict[str, float] = {}
        cases: dict[str, float] = {}
        for line in self.events.read_text().splitlines():
            record = json.loads(line)
            content = record["payload"]
            if record["kind"] == "test":
                if content["kind"] == "function":
                    names[content["id"]] = content.get("displayName") or content["name"]
                continue
            kind, now = content["kind"], content["instant"]["absolute"]
            test = content.get("testID", "")
            if kind in ("runStarted", "testStarted"):
                starts[test] = now
            elif kind in ("testCaseStarted", "testCaseEnded"):
                cases[test] = cases.get(test, 0) + (now if kind == "testCaseEnded" else -now)
            elif kind == "testEnded" and test in names:
                if test in cases:
                    self.durations.append((cases[test], names[test]))
                elif starts[test] - starts[""] > START_SECONDS:
                    self.durations.append((now - starts[test], names[test]))


def phases(mode: str, options: list[str], folder: Path) -> list[Phase]:
    def tests(name: str, *selection: str, isQuiet: bool = False) -> Phase:
        events = folder / f"{name}.jsonl"
        command = ["swift", "test", "--skip-build", "--disable-xctest", *options, *selection]
        stream = ["--event-stream-version", "0", "--event-stream-output-path", str(events)]
        return Phase(name, [*command, *stream], events, isQuiet)

    def make(target: str) -> Phase:
        return Phase(target, [os.environ.get("MAKE", "make"), target])

    if mode == "--abuse":
        attacks = [
            tests(name, "--ignore-lock", "--no-parallel", "--filter", suites)
            for name, suites in ATTACKS.items()
        ]
        # With the executable that is built with the tests.
        scripts = [
            Phase(name, [sys.executable, f"Tests/{script}", *words])
            for name, (script, *words) in SCRIPTS.items()
        ]
        selection = ["--ignore-lock", "--filter", DELIVERIES]
        return [tests("10,000 deliveries", *selection, isQuiet=True)] + attacks + scripts
    if mode == "--long":
        targets = ["hostile", "faults", "kills", "test-cluster", "soak", "soak-cameras"]
        # README's commands in a bare Debian 13, with its own compiler.
        if os.geteuid() == 0 and shutil.which("debootstrap"):
            targets.append("try-source")
        else:
            print("== skipped: try-source, which takes root and debootstrap")
        long = [make(target) for target in targets]
        return [tests("long tests", "--no-parallel", "--filter", LONG), *long]
    # A Swift that knows no limit starts all browsers at once, and each needs a processor.
    known = subprocess.run(["swift", "test", "--help-hidden"], capture_output=True, text=True).stdout
    isLimited = WIDTH_OPTION in known
    alone = [] if isLimited else ["--no-parallel"]
    width = [WIDTH_OPTION, str(WIDTH * (os.cpu_count() or 2))] if isLimited else []
    return [
        tests("tests with a browser", *alone, "--filter", BROWSER, "--skip", LONG),
        tests("tests in real time", *alone, "--filter", REAL_TIME, "--skip", LONG),
        tests("other tests", *width, "--skip", f"{BROWSER}|{REAL_TIME}|{LONG}"),
    ]


def report(done: list[Phase]) -> bool:
    """Prints durations, failures and the closing line; whether all passed."""
    durations = sorted((d for phase in done for d in phase.durations), reverse=True)
    if durations:
        print("== the slowest tests and steps, in seconds, of those whose time is known")
        for seconds, name in durations[:SLOWEST]:
            print(f"{seconds:8.1f}  {name}")
    print("== seconds")
    for phase in done:
        state = "passed" if phase.isPassed else "FAILED"
        count = f", {phase.tests} tests" if phase.events else ""
        figure = f": {phase.last[:110]}" if not phase.events and phase.name != "build" else ""
        print(f"{phase.seconds:8.0f}  {phase.name}: {state}{count}{figure}")
    failures = [line for phase in done for line in phase.failures]
    if failures:
        print("== what failed", *failures, sep="\n")
    isPassed = all(phase.isPassed for phase in done)
    tests, suites = sum(phase.tests for phase in done), sum(phase.suites for phase in done)
    seconds = sum(phase.seconds for phase in done)
    mark, word = ("✔", "passed") if isPassed else ("✘", "failed")
    print(f"{mark} Test run with {tests} tests in {suites} suites {word} after {seconds:.1f} seconds.")
    return isPassed


def main():
    mode = sys.argv[1] if sys.argv[1:2] in (["--long"], ["--abuse"]) else ""
    options = sys.argv[2 if mode else 1 :]
    build = Phase("build", ["swift", "build", "--build-tests", *options])
    done = [build]
    build.run()
    if build.isPassed:
        with tempfile.TemporaryDirectory(prefix="kinema-test-") as folder:
            # All processes of a run share the poses of the clips that they process.
            os.environ["KINEMA_TEST_CACHE"] = f"{folder}/cache"
            planned = phases(mode, options, Path(folder))
            beside = [threading.Thread(target=phase.run) for phase in planned if phase.isQuiet]
            for thread in beside:
                thread.start()
            for phase in planned:
                if not phase.isQuiet:
                    phase.run()
            for thread in beside:
                thread.join()
            done += planned
    sys.exit(not report(done))


if __name__ == "__main__":
    main()

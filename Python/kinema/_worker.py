"""The native process that does the work, and what it answers (docs/worker-protocol.md)."""

from __future__ import annotations

import atexit
import collections
import json
import logging
import math
import numbers
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Mapping
from types import TracebackType
from typing import Any, Union

from ._executable import environment, executable
from ._options import MODELS, PATHS

PROTOCOL = 1
# How many frames of a job wait for their reader before the worker waits, too.
_FRAME_LIMIT = 4
# How long a cancelled job may take to end before its process is killed, in seconds.
_GRACE = 30.0
# The limit of the worker for a request, in bytes.
_LONGEST_REQUEST = 1 << 20

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)

_logger = logging.getLogger("kinema")

Option = Union[str, int, float, bool, None]
"""The value of an option; `True` for one without a value."""

Progress = Union[bool, Callable[[Union[float, None], str], None], None]
"""`True` for a bar on standard error, or a function of the share that is done (0 to 1, or `None`
where that is not known) and the step."""


class Error(Exception):
    """Why a job failed, in one sentence.

    `code` is one of `usage`, `badData`, `noInput`, `unavailable`, `internal`, `inputOutput`,
    `tryAgain` and `interrupted`, `status` the exit status of the command for it. After an error
    with `is_permanent` the same call fails again.
    """

    def __init__(self, message: str, code: str, status: int, is_permanent: bool) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.is_permanent = is_permanent


class Cancelled(Error):
    """The job was cancelled."""


class WorkerCrashed(Error):
    """The native process ended while it worked on this job; the next call starts another one.

    `returncode` is its exit status, or the negative number of the signal that ended it.
    """

    def __init__(self, returncode: int) -> None:
        self.returncode = returncode
        how = f"with status {returncode}"
        if returncode < 0:
            try:
                how = f"by {signal.Signals(-returncode).name}"
            except ValueError:
                how = f"by signal {-returncode}"
        super().__init__(
            f"The worker was ended {how} while it worked on this job.", "internal", 70, False
        )


class _NotBegun(Exception):
    """The process ended before it came to this job."""


class _Job:
    """The answers to one request, from the thread that reads to the one that waits."""

    def __init__(self, number: int, level: int) -> None:
        self.number = number
        self.level = level
        self.line = 0
        self.condition = threading.Condition()
        self.progress: tuple[float | None, str] | None = None
        self.frames: collections.deque[dict[str, Any]] = collections.deque()
        self.result: dict[str, Any] | None = None
        self.failure: Exception | None = None
        self.is_abandoned = False

    @property
    def is_done(self) -> bool:
        return self.result is not None or self.failure is not None

    def take(self, answer: Mapping[str, Any]) -> None:
        """Takes an answer; waits while too many frames are unread."""
        with self.condition:
            if "frame" in answer:
                while len(self.frames) >= _FRAME_LIMIT and not self.is_abandoned:
                    self.condition.wait()
                if not self.is_abandoned:
                    self.frames.append(answer["frame"])
            elif "progress" in answer:
                progress = answer["progress"]
                self.progress = (progress.get("share"), progress["text"])
            elif "message" in answer:
                _logger.log(self.level, "%s", answer["message"])
            elif "result" in answer:
                self.result = answer["result"]
            elif "error" in answer:
                self.failure = _error(answer["error"])
            self.condition.notify_all()

    def fail(self, error: Exception) -> None:
        with self.condition:
            if not self.is_done:
                self.failure = error
            self.condition.notify_all()

    def abandon(self) -> None:
        """Drops the frames that come."""
        with self.condition:
            self.is_abandoned = True
            self.frames.clear()
            self.condition.notify_all()


def _refusal(message: str) -> Error:
    """The error of a request that is wrong."""
    return Error(message, "usage", 64, True)


def _error(answer: Mapping[str, Any]) -> Error:
    kind = Cancelled if answer["code"] == "interrupted" else Error
    return kind(answer["message"], answer["code"], answer["status"], answer["isPermanent"])


class _Process:
    """One native process and the jobs that it has."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.jobs: dict[int, _Job] = {}
        self.count = 0
        self.line_count = 0
        self.is_over = False
        # In a session of its own: Ctrl-C on the terminal is for Python, which cancels the job.
        self.popen = subprocess.Popen(
            [executable(), "worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        assert self.popen.stdin is not None and self.popen.stdout is not None
        self.input, self.output = self.popen.stdin, self.popen.stdout
        greeting = self.output.readline()
        try:
            if json.loads(greeting)["protocol"] != PROTOCOL:
                raise Error(
                    "The program kinema speaks another version of the protocol; install the "
                    "package and the program together.",
                    "unavailable",
                    69,
                    False,
                )
        except (ValueError, KeyError, TypeError):
            self.popen.kill()
            self.popen.wait()
            raise Error(
                f"{executable()} is no worker of this version; install it again.",
                "unavailable",
                69,
                False,
            ) from None
        self.reader = threading.Thread(target=self._read, name="kinema", daemon=True)
        self.reader.start()

    def send(self, request: dict[str, Any]) -> _Job:
        with self.lock:
            self.count += 1
            # What a training says about its data is no warning.
            is_report = request["job"] in ("train", "evaluate")
            job = _Job(self.count, logging.INFO if is_report else logging.WARNING)
            if self.is_over:
                job.fail(_NotBegun())
                return job
            line = json.dumps({"id": job.number, **request}).encode()
            if len(line) > _LONGEST_REQUEST:
                raise _refusal(
                    f"A request has at most {_LONGEST_REQUEST} bytes, and this one has {len(line)}: "
                    "give shorter paths and options."
                )
            self.jobs[job.number] = job
            job.line = self.line_count + 1
            self._write(line)
        return job

    def push(self, job: _Job, line: Mapping[str, Any]) -> None:
        """Sends what belongs to a job that runs."""
        with self.lock:
            if not job.is_done:
                self._write(json.dumps(line).encode())

    def cancel(self, job: _Job) -> None:
        """Ends a job and waits for that; kills the process where it does not end."""
        job.abandon()
        with self.lock:
            self._cancel(job)
        with job.condition:
            if not job.condition.wait_for(lambda: job.is_done, _GRACE):
                self.popen.kill()
                job.condition.wait_for(lambda: job.is_done)

    def _cancel(self, job: _Job) -> None:
        self._write(json.dumps({"cancel": job.number}).encode())

    def _write(self, line: bytes) -> None:
        self.line_count += 1
        try:
            self.input.write(line + b"\n")
            self.input.flush()
        except OSError:
            pass  # The process has ended; the reader reports it.

    def _read(self) -> None:
        try:
            for line in self.output:
                self._take(json.loads(line))
        except Exception:
            # Without its answers nobody may wait for it.
            _logger.exception("The answers of the worker are not understood.")
            self.popen.kill()
        returncode = self.popen.wait()
        with self.lock:
            self.is_over = True
            left = [self.jobs[number] for number in sorted(self.jobs)]
            self.jobs.clear()
        for index, job in enumerate(left):
            job.fail(WorkerCrashed(returncode) if index == 0 else _NotBegun())

    def _take(self, answer: Mapping[str, Any]) -> None:
        number = answer.get("id")
        with self.lock:
            if number is None and "error" in answer:
                # The error of a line in which the worker has found no id.
                line = answer.get("line")
                jobs = [job for job in self.jobs.values() if line is None or job.line == line]
            else:
                jobs = [self.jobs[number]] if number in self.jobs else []
            if "result" in answer or "error" in answer:
                for job in jobs:
                    del self.jobs[job.number]
        for job in jobs:
            job.take(answer)

    def close(self) -> None:
        """Ends the process: what runs is cancelled."""
        with self.lock:
            running = list(self.jobs.values())
            for job in running:
                self._cancel(job)
        for job in running:
            job.abandon()
        try:
            self.input.close()
        except OSError:
            pass
        try:
            self.popen.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        self.reader.join()
        self.output.close()

    def forget(self) -> None:
        """Closes the pipes in a process that was forked: the worker belongs to the other one."""
        for file in (self.input, self.output):
            try:
                os.close(file.fileno())
            except (OSError, ValueError):
                pass


class Worker:
    """A native process that does jobs, one after the other; more workers work side by side.

        with kinema.Worker() as worker:
            for video in videos:
                poses = kinema.poses(video, worker=worker)

    The process starts with the first job and again after a crash. Threads may share a worker.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._process: _Process | None = None
        self._owner = os.getpid()

    @property
    def pid(self) -> int | None:
        """The id of the process; `None` where none runs."""
        process = self._process
        return None if process is None or process.is_over else process.popen.pid

    def run(
        self,
        job: str,
        input: str | os.PathLike[str] | None = None,
        *,
        model: str | os.PathLike[str] | None = None,
        folder: str | os.PathLike[str] | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress = None,
    ) -> dict[str, Any]:
        """Does a job of the worker protocol and returns its result, the JSON object.

        Raises `Error` where it fails, `WorkerCrashed` where it kills the process. Ctrl-C cancels
        the job.
        """
        show = _shown(progress)
        request = _request(job, input, model, folder, options)
        while True:
            process = self._started()
            sent = process.send(request)
            try:
                for _ in _answers(sent, show):
                    pass
                return _result(sent)
            except _NotBegun:
                continue
            except BaseException:
                if not sent.is_done:
                    process.cancel(sent)
                raise

    def stream(
        self,
        job: str,
        input: str | os.PathLike[str],
        *,
        model: str | os.PathLike[str] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Generator[dict[str, Any], None, None]:
        """Does a job that answers with frames, and yields them; leaving the loop cancels it."""
        process = self._started()
        sent = process.send(_request(job, input, model, None, options))
        try:
            yield from _answers(sent, lambda share, step: None)
            _result(sent)
        finally:
            if not sent.is_done:
                process.cancel(sent)

    def close(self) -> None:
        """Ends the process; a job that runs in another thread is cancelled."""
        if self._owner != os.getpid():
            return  # The process belongs to the one that was forked.
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _started(self) -> _Process:
        if self._owner != os.getpid():
            # A fork has copied this object, and perhaps a lock that another thread held.
            if self._process is not None:
                self._process.forget()
            self._lock, self._process, self._owner = threading.RLock(), None, os.getpid()
        with self._lock:
            if self._process is not None and self._process.is_over:
                self._process.close()
                self._process = None
            if self._process is None:
                self._process = _Process()
            return self._process


def _request(
    job: str,
    input: str | os.PathLike[str] | None,
    model: str | os.PathLike[str] | None,
    folder: str | os.PathLike[str] | None,
    options: Mapping[str, Any] | None,
) -> dict[str, Any]:
    # A keyword that is a word of the language ends in _.
    given = {name.rstrip("_").replace("_", "-"): value for name, value in (options or {}).items()}
    values = {name: _option(job, name, given) for name in given}
    members: dict[str, Any] = {"job": job, "options": values}
    if input is not None:
        text = os.fspath(input)
        # An address, such as rtsp://… or pattern:…, is no path.
        members["input"] = text if _ADDRESS.match(text) else _path(text, "input")
    if model is not None:
        name = os.fspath(model)
        members["model"] = _path(name, "model") if _is_file_of_model(name) else name
    if folder is not None:
        members["folder"] = _path(os.fspath(folder), "folder")
    return members


def _option(job: str, name: str, given: Mapping[str, Any]) -> Option:
    """The value of an option as JSON has it."""
    value, keyword = given[name], name.replace("-", "_")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        return _path(text, f"option {keyword}") if _is_path(job, name, given) else text
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real) and math.isfinite(value):
        return float(value)
    raise _refusal(f"The option {keyword} takes a number, a text or True, not {str(value)[:100]}.")


def _is_path(job: str, name: str, given: Mapping[str, Any]) -> bool:
    """Whether an option names a file or a folder; a text does not, also where there is one of its name."""
    value = given[name]
    text = os.fspath(value)
    if name in MODELS.get(job, ()):
        return _is_file_of_model(text)
    if isinstance(value, os.PathLike) or name in PATHS.get(job, ()):
        return True
    if (job, name) == ("synth", "labels"):
        # Of a data set they are the labels themselves.
        return not given.get("dataset")
    if (job, name) == ("train", "validation"):
        return text not in ("auto", "none") and not _is_number(text)
    return False


def _is_file_of_model(text: str) -> bool:
    # A built-in model, also as a `Model`, is a name.
    return not text or os.path.exists(text)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _path(text: str, what: str) -> str:
    """A path for the worker, whose working directory may be another one."""
    if not text:
        raise _refusal(f"The {what} is empty: name a file or a folder.")
    # The worker refuses addresses by their names.
    if _URL.match(text):
        return text
    # A name that ends with / is that of a folder, also where there is none yet.
    return os.path.join(os.path.abspath(text), "") if text.endswith("/") else os.path.abspath(text)


def _answers(
    job: _Job, show: Callable[[float | None, str], None]
) -> Generator[dict[str, Any], None, None]:
    """The frames of a job, until it is done; progress is shown meanwhile."""
    while True:
        with job.condition:
            job.condition.wait_for(lambda: job.frames or job.progress or job.is_done)
            progress, job.progress = job.progress, None
            frame = job.frames.popleft() if job.frames else None
            is_done = job.is_done and not job.frames
            job.condition.notify_all()
        if progress is not None:
            show(*progress)
        if frame is not None:
            yield frame
        if is_done:
            return


def _result(job: _Job) -> dict[str, Any]:
    if job.failure is not None:
        raise job.failure
    assert job.result is not None
    return job.result


def _shown(progress: Progress) -> Callable[[float | None, str], None]:
    if callable(progress):
        return progress
    return _bar if progress else lambda share, step: None


def _bar(share: float | None, step: str) -> None:
    bar = "" if share is None else f"{'█' * int(share * 24):░<24} {share:4.0%}  "
    # One that is longer than the terminal is wide would stay on its line before.
    text = (bar + step)[: shutil.get_terminal_size().columns - 1]
    sys.stderr.write(f"\r\x1b[K{text}" + ("\n" if share == 1 else ""))
    sys.stderr.flush()


class Feed:
    """A job that takes frames, and answers each: what a `Stream` speaks to."""

    def __init__(
        self,
        worker: Worker,
        job: str,
        *,
        model: str | os.PathLike[str] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._process = worker._started()
        self._job = self._process.send(_request(job, None, model, None, options))

    def push(self, frame: Mapping[str, Any]) -> None:
        """Sends a frame; its answer comes with `next`."""
        self._process.push(self._job, {"push": self._job.number, "frame": frame})

    def next(self) -> dict[str, Any]:
        """The answer to the next frame; raises `Error` where the job has failed."""
        for frame in _answers(self._job, lambda share, step: None):
            return frame
        _result(self._job)
        raise Error("The worker has ended the stream.", "internal", 70, False)

    def finish(self) -> dict[str, Any]:
        """Ends the frames, and returns the result; answers that nobody has taken are dropped."""
        self._process.push(self._job, {"finish": self._job.number})
        for _ in _answers(self._job, lambda share, step: None):
            pass
        return _result(self._job)

    def cancel(self) -> None:
        """Ends the job at once."""
        if not self._job.is_done:
            self._process.cancel(self._job)


_shared = Worker()
atexit.register(_shared.close)


def shared() -> Worker:
    """The worker of calls that name none; it ends with Python."""
    return _shared

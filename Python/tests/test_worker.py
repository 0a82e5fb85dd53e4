"""Errors, cancelling and crashes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import command

import kinema


def test_errors_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(kinema.Error, match="nowhere.mp4") as found:
        kinema.poses(tmp_path / "nowhere.mp4")
    assert found.value.code == "noInput" and found.value.is_permanent
    (tmp_path / "letter.mp4").write_text("Dear Sir or Madam")
    with pytest.raises(kinema.Error, match="letter.mp4") as found:
        kinema.classify(tmp_path / "letter.mp4")
    assert found.value.code == "badData" and found.value.status == 65
    with pytest.raises(kinema.Error, match="colour"):
        kinema.count(tmp_path / "letter.mp4", colour="red")  # type: ignore[call-arg]
    with pytest.raises(kinema.Error, match="Exercize"):
        kinema.Model("Exercize")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), object(), b"3"])
def test_a_value_that_is_none_of_an_option_is_refused_by_name(value: object, tmp_path: Path) -> None:
    with pytest.raises(kinema.Error, match="option rate ") as found:
        kinema.poses(tmp_path / "a.mp4", rate=value)  # type: ignore[arg-type]
    assert found.value.code == "usage" and found.value.is_permanent


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    with pytest.raises(kinema.Error, match="is not there") as found:
        kinema.poses(
            tmp_path / "a.mp4", rate=np.float32(10), persons=np.int64(2)  # type: ignore[arg-type]
        )
    assert found.value.code == "noInput"


def test_what_a_job_answers_is_an_object_with_every_switch(tmp_path: Path) -> None:
    poses = tmp_path / "a.npz"
    kinema.synth(poses=poses, actions="squats", repetitions=1)
    tried = 0
    with kinema.Worker() as worker:
        for job in json.loads(command("help", "--json"))["jobs"]:
            if job["name"] == "push":
                continue  # Waits for frames; its switches are those of the job watch.
            for option in job["options"]:
                if option["kind"] != "switch":
                    continue
                tried += 1
                try:
                    result = worker.run(job["name"], poses, options={option["name"]: True})
                    assert isinstance(result, dict)
                except kinema.Error as error:
                    assert error.code in ("usage", "badData", "noInput"), (job["name"], option, error)
    assert tried > 20


@pytest.mark.parametrize("name", ["list", "show_tests"])
def test_what_a_command_prints_in_place_of_its_result_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(kinema.Error, match=f"option {name.replace('_', '-')} is not possible") as found:
        kinema.assess(tmp_path / "a.npz", **{name: True})  # type: ignore[arg-type]
    assert found.value.code == "usage" and found.value.is_permanent


def test_other_results_than_the_function_returns_are_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(kinema.Error, match="option check is not possible"):
        kinema.train(tmp_path, tmp_path / "a.mlmodel", check=True)  # type: ignore[call-arg]
    with pytest.raises(kinema.Error, match="option counts is not possible"):
        kinema.evaluate("Exercise", tmp_path, counts="counts.csv")  # type: ignore[call-arg]
    with kinema.Worker() as worker:
        assert isinstance(worker.run("train", data, options={"check": True}), dict)


# Lines in which the worker finds no id: too long, no UTF-8, no JSON.
@pytest.mark.parametrize(
    "path",
    ["/tmp/" + "a" * 1_100_000, "/tmp/\udce9.mp4", "/tmp/a\0.mp4"],
    ids=["long", "not UTF-8", "zero"],
)
def test_a_request_that_the_worker_does_not_take_fails(path: str) -> None:
    with kinema.Worker() as worker:
        with pytest.raises(kinema.Error):
            kinema.poses(path, worker=worker)
        assert worker.run("info", model="Exercise")["labels"]


def test_a_line_without_an_id_fails_its_job_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kinema._worker._LONGEST_REQUEST", 1 << 30)
    with kinema.Worker() as worker:
        assert worker.run("info", model="Exercise")["labels"]
        labels: list[object] = []
        other = threading.Thread(
            target=lambda: labels.append(worker.run("info", model="Workout")["labels"])
        )
        other.start()
        with pytest.raises(kinema.Error, match="1048576"):
            kinema.poses("/tmp/" + "a" * 1_100_000, worker=worker)
        other.join(120)
        assert labels


def test_progress_comes_and_may_cancel(long_video: Path) -> None:
    class Enough(Exception):
        pass

    def stop(share: float | None, step: str) -> None:
        assert share is None or 0 <= share <= 1
        assert "long.mp4" in step
        raise Enough

    with kinema.Worker() as worker:
        with pytest.raises(Enough):
            kinema.poses(long_video, worker=worker, progress=stop, no_cache=True)
        pid = worker.pid
        assert worker.run("info", model="Exercise")["labels"]
        assert worker.pid == pid is not None


def test_control_c_cancels_the_job_and_leaves_the_worker(long_video: Path) -> None:
    program = f"""
import kinema, os, signal
def ready(share, step):
    os.kill(os.getpid(), signal.SIGINT)
with kinema.Worker() as worker:
    try:
        kinema.poses({str(long_video)!r}, worker=worker, progress=ready, no_cache=True)
    except KeyboardInterrupt:
        print("interrupted")
    pid = worker.pid
    worker.run("info", model="Exercise")
    print(worker.pid == pid)
"""
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert found.stdout.split() == ["interrupted", "True"], found.stderr


def test_a_crash_is_an_exception_and_the_next_call_starts_another_worker(
    long_video: Path,
) -> None:
    with kinema.Worker() as worker:
        def kill(share: float | None, step: str) -> None:
            pid = worker.pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)

        with pytest.raises(kinema.WorkerCrashed, match="SIGKILL") as found:
            kinema.poses(long_video, worker=worker, progress=kill, no_cache=True)
        assert found.value.returncode == -signal.SIGKILL and not found.value.is_permanent
        assert worker.run("info", model="Exercise")["labels"]


def test_what_waits_at_a_crash_is_done_by_the_next_worker(long_video: Path) -> None:
    with kinema.Worker() as worker:
        crashed: list[BaseException] = []
        began = threading.Event()

        def first() -> None:
            try:
                kinema.poses(
                    long_video, worker=worker, no_cache=True,
                    progress=lambda share, step: began.set(),
                )  # fmt: skip
            except kinema.WorkerCrashed as error:
                crashed.append(error)

        labels: list[object] = []
        threads = [
            threading.Thread(target=first),
            threading.Thread(
                target=lambda: labels.append(worker.run("info", model="Exercise")["labels"])
            ),
        ]
        threads[0].start()
        assert began.wait(60)
        threads[1].start()
        time.sleep(0.3)
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        for thread in threads:
            thread.join(120)
        assert len(crashed) == 1 and labels


def test_a_worker_ends_with_its_client(long_video: Path) -> None:
    program = f"""
import kinema, os
def end(share, step):
    print(worker.pid, flush=True)
    os._exit(0)
worker = kinema.Worker()
kinema.poses({str(long_video)!r}, worker=worker, progress=end, no_cache=True)
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    pid = int(found.stdout)
    deadline = time.monotonic() + 30
    while Path(f"/proc/{pid}/exe").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}/exe").exists()


def test_a_process_that_was_forked_has_a_worker_of_its_own() -> None:
    labels = kinema.Model("Exercise").labels
    child = os.fork()
    if child == 0:
        os._exit(0 if kinema.Model("Exercise").labels == labels else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert kinema.Model("Exercise").labels == labels

"""What the tests share: videos and poses of a synthetic person, made once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kinema
from kinema._executable import environment, executable

# Who runs the tests may have blocked signals, or ignore Ctrl-C, and children inherit that.
signal.pthread_sigmask(signal.SIG_SETMASK, [])
signal.signal(signal.SIGINT, signal.default_int_handler)


def command(*words: str | os.PathLike[str]) -> str:
    """What the command line tool prints."""
    found = subprocess.run(
        [executable(), *[os.fspath(word) for word in words]],
        env=environment(), stdin=subprocess.DEVNULL, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return found.stdout


def command_json(*words: str | os.PathLike[str]) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(command(*words, "--format", "json"))
    return result


def synthesize(path: Path, action: str, repetitions: int, rate: int) -> Path:
    """Writes a video of a synthetic person."""
    command(
        "synth", "--output", path, "--actions", action, "--repetitions", str(repetitions),
        "--fps", str(rate), "--size", "320x180",
    )  # fmt: skip
    return path


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A pose cache of the tests in place of the user's."""
    shared = os.environ.get("KINEMA_TEST_CACHE")
    os.environ["XDG_CACHE_HOME"] = shared or str(tmp_path_factory.mktemp("cache"))
    yield


@pytest.fixture(scope="session")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A synthetic person does eight jumping jacks."""
    return synthesize(tmp_path_factory.mktemp("video") / "workout.mp4", "jumping_jacks", 8, 15)


@pytest.fixture(scope="session")
def long_video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More than a test waits for."""
    return synthesize(tmp_path_factory.mktemp("video") / "long.mp4", "squats", 24, 30)


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Labelled poses."""
    folder = tmp_path_factory.mktemp("data") / "people"
    command("synth", "--dataset", folder, "--sequences", "24", "--labels", "squats,lunges")
    return folder


@pytest.fixture(scope="session")
def model(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of two labels with windows of a second."""
    path = tmp_path_factory.mktemp("model") / "Two.mlmodel"
    kinema.train(data, path, iterations=4, window=30, validation="none")
    return path

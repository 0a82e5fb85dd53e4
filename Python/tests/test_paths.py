"""What is a path for the worker, and what is a text."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import command

import kinema

WORKER = f"""#!{sys.executable}
import json, sys
print(json.dumps({{"worker": "kinema", "version": "0", "protocol": 1, "jobs": []}}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({{"id": request["id"], "result": request}}), flush=True)
"""
"""A worker that answers with the request."""


@pytest.fixture(scope="module")
def jobs() -> dict[str, list[dict[str, Any]]]:
    """The options of each job."""
    return {job["name"]: job["options"] for job in json.loads(command("help", "--json"))["jobs"]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, which is not that of the worker, with a file and a folder."""
    (tmp_path / "squats").mkdir()
    (tmp_path / "none").mkdir()
    (tmp_path / "0.2").mkdir()
    (tmp_path / "Mine.mlmodel").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def worker(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[kinema.Worker]:
    place = tmp_path_factory.mktemp("worker") / "kinema"
    place.write_text(WORKER)
    place.chmod(0o755)
    monkeypatch.setenv("KINEMA", str(place))
    with kinema.Worker() as made:
        yield made


def test_a_text_stays_one_where_there_is_a_folder_of_its_name(
    jobs: dict[str, list[dict[str, Any]]], folder: Path, worker: kinema.Worker
) -> None:
    paths = {("coach", "like"), ("synth", "labels"), ("train", "validation")}
    texts = [
        (job, option["name"])
        for job, options in jobs.items()
        for option in options
        if option["kind"] in ("text", "choice") and (job, option["name"]) not in paths
    ]
    named = {("coach", "exercise"), ("synth", "actions"), ("evaluate", "other"), ("assess", "test")}
    assert named | {("train", "name"), ("train", "columns")} <= set(texts)
    for job, name in texts:
        request = worker.run(job, options={name.replace("-", "_"): "squats"})
        assert request["options"] == {name: "squats"}, job


def test_files_and_folders_are_those_of_this_process(
    jobs: dict[str, list[dict[str, Any]]], folder: Path, worker: kinema.Worker
) -> None:
    paths = [
        (job, option["name"])
        for job, options in jobs.items()
        for option in options
        if option["kind"] in ("file", "folder")
    ]
    assert {("train", "test"), ("synth", "poses"), ("convert", "output")} <= set(paths)
    # Texts for the program, and always paths.
    paths += [("coach", "like"), ("synth", "labels"), ("train", "validation")]
    for job, name in paths:
        for value in ("new/file", Path("new/file"), str(folder / "new/file")):
            request = worker.run(job, options={name: value})
            assert request["options"] == {name: str(folder / "new/file")}, job
    # Which the worker refuses.
    request = worker.run("poses", "rtsp://a/b", options={"output": "s3://bucket/a.npz"})
    assert (request["input"], request["options"]["output"]) == ("rtsp://a/b", "s3://bucket/a.npz")
    request = worker.run("train", "squats", folder="squats", options={"name": Path("squats")})
    squats = str(folder / "squats")
    assert (request["input"], request["folder"], request["options"]["name"]) == (squats,) * 3


def test_words_of_options_that_name_files_stay_words(folder: Path, worker: kinema.Worker) -> None:
    for word in ("none", "auto", "0.2"):
        request = worker.run("train", "squats", options={"validation": word})
        assert request["options"] == {"validation": word}
    request = worker.run("synth", options={"dataset": "people", "labels": "squats"})
    assert request["options"] == {"dataset": str(folder / "people"), "labels": "squats"}


def test_a_model_is_a_file_that_is_there_or_a_name(folder: Path, worker: kinema.Worker) -> None:
    class Model:
        def __fspath__(self) -> str:
            return "Exercise"

    file = str(folder / "Mine.mlmodel")
    for value, expected in (("Mine.mlmodel", file), ("Exercise", "Exercise"), (Model(), "Exercise")):
        request = worker.run("train", model=value, options={"from_": value, "add_to": value})
        assert request["model"] == expected
        assert request["options"] == {"from": expected, "add-to": expected}


def test_a_name_that_ends_with_a_slash_stays_that_of_a_folder(
    folder: Path, worker: kinema.Worker
) -> None:
    request = worker.run("count", "squats/", options={"annotate": "drawn/"})
    assert request["input"] == f"{folder}/squats/"
    assert request["options"] == {"annotate": f"{folder}/drawn/"}


def test_poses_are_written_as_they_are_returned(folder: Path, worker: kinema.Worker) -> None:
    for name in ("a.jsonl", "poses/"):
        with pytest.raises(kinema.Error, match="takes a name that ends in .npz") as found:
            kinema.poses("a.mp4", output=name, worker=worker)
        assert found.value.code == "usage"


def test_an_empty_path_is_refused(folder: Path, worker: kinema.Worker) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"input": ""}, "input"), ({"model": ""}, "model"), ({"folder": ""}, "folder"),
        ({"options": {"output": ""}}, "option output"), ({"options": {"add_to": ""}}, "option add_to"),
        ({"options": {"validation": ""}}, "option validation"),
    ]  # fmt: skip
    for values, what in cases:
        with pytest.raises(kinema.Error, match=f"^The {what} is empty: name a") as found:
            worker.run("train", **values)
        assert found.value.code == "usage" and found.value.is_permanent
    for call in (kinema.poses, kinema.count, kinema.classify, kinema.coach, kinema.angles, kinema.assess):
        with pytest.raises(kinema.Error, match="^The input is empty"):
            call("", worker=worker)
    with pytest.raises(kinema.Error, match="^The input is empty"):
        next(iter(kinema.watch("")))
    # One of a text is none.
    assert worker.run("train", "squats", options={"description": ""})["options"] == {"description": ""}


def test_an_exercise_a_test_and_actions_are_names_beside_folders_of_their_names(
    folder: Path, tmp_path: Path
) -> None:
    for name in ("walk-4m", "other_action"):
        os.mkdir(name)
    made = kinema.synth(poses="a.npz", labels="a.csv", actions="squats", repetitions=2)
    assert [one.label for one in made.segments] == ["squats"]
    assert (tmp_path / "a.csv").read_text().startswith("file_name,label")
    assert {one.exercise for one in kinema.coach("a.npz", exercise="squats").repetitions} == {"squats"}
    # None is as leaving it out.
    none: dict[str, Any] = {"list": None, "show_tests": None}
    assert kinema.assess("a.npz", test="walk-4m", from_=0.5, **none).test == "walk-4m"

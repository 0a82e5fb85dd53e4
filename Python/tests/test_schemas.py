"""What is printed fits the schemas in docs/schemas, which name every member."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest
from conftest import command, command_json

from kinema._executable import environment, executable

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


def validator(name: str) -> Callable[[Any], Any]:
    """Checks a value, and that the schema names all of its members."""
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    close(schema)
    check: Callable[[Any], Any] = fastjsonschema.compile(schema)
    return check


def close(schema: Any) -> None:
    """Forbids members that are not named: clients must accept them, ours are documented."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            close(value)
    elif isinstance(schema, list):
        for value in schema:
            close(value)


@pytest.mark.parametrize("words", [[], ["--everybody"]])
def test_classify_and_count(video: Path, words: list[str]) -> None:
    validator("classify")(command_json("classify", video, *words))
    validator("count")(command_json("count", video, *words))
    validator("count")(command_json("count", video, "--model", "Exercise", *words))


def test_poses_and_form(video: Path) -> None:
    lines = command("pose", video, "--format", "jsonl").splitlines()
    check = validator("pose")
    for line in lines[::20]:
        check(json.loads(line))
    for line in command("pose", video, "--depth", "--format", "jsonl").splitlines()[::20]:
        check(json.loads(line))
    validator("coach")(command_json("coach", video))
    validator("angles")(command_json("angles", video, "--everybody"))
    validator("assess")(command_json("assess", video, "--test", "shoulder-abduction"))


def test_train_and_evaluate(data: Path, model: Path, video: Path, tmp_path: Path) -> None:
    trained = command_json(
        "train", data, "--output", tmp_path / "A.mlmodel", "--iterations", "3", "--window", "30",
        "--validation", "0.3",
    )  # fmt: skip
    validator("train")(trained)
    validator("evaluate")(command_json("evaluate", model, data))
    (tmp_path / "counts.csv").write_text(f"file,label,count\n{video},jumping_jacks,8\n")
    validator("evaluate-counts")(command_json("evaluate", "--counts", tmp_path / "counts.csv"))


def test_events_pictures_and_clips_of_webhooks(video: Path, tmp_path: Path) -> None:
    received: list[Any] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        rule = {"when": {"event": "personEnters"}, "then": ["webhook"], "picture": True, "clip": 2}
        file = tmp_path / "watch.json"
        file.write_text(
            json.dumps(
                {
                    "sources": [{"name": "Gym", "address": str(video)}],
                    "rules": [rule],
                    "webhook": {"url": f"http://127.0.0.1:{server.server_port}/"},
                }
            )
        )
        process = subprocess.Popen(
            [executable(), "watch", file, "--data", tmp_path / "data"], env=environment(),
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        end = time.monotonic() + 120
        while len(received) < 2 and time.monotonic() < end:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=60)[0]
        server.shutdown()
    check = validator("watch")
    for message in [*map(json.loads, output.splitlines()), *received]:
        check(message)
    event, clip = received
    assert event["event"] == "personEnters" and event["picture"]
    assert clip["event"] == "clip" and clip["of"] == event["id"]
    assert base64.b64decode(clip["clip"])[4:8] == b"ftyp"


def raw_frame(folder: Path) -> dict[str, Any]:
    (folder / "frame.raw").write_bytes(bytes(160 * 90 * 3))
    return {"file": str(folder / "frame.raw"), "width": 160, "height": 90, "format": "bgr"}


def test_every_line_of_a_worker(video: Path, tmp_path: Path) -> None:
    requests: list[Any] = [
        {"id": 1, "job": "poses", "input": str(video), "folder": str(tmp_path)},
        {"id": "two", "job": "watch", "input": str(video), "options": {"everybody": True}},
        {"id": 3, "job": "count", "input": str(video), "model": "Exercise"},
        {"id": 4, "job": "info", "model": "Nobody"},
        {"cancel": 5},
        {"id": 6, "job": "push", "model": "Workout"},
        {"push": 6, "frame": {**raw_frame(tmp_path), "time": 0.5}},
        {"finish": 6},
    ]
    check = validator("worker")
    for request in requests:
        check(request)
    found = subprocess.run(
        [executable(), "worker"], env=environment(), capture_output=True, text=True, check=True,
        input="".join(json.dumps(request) + "\n" for request in requests) + "nonsense\n",
    )  # fmt: skip
    answers = [json.loads(line) for line in found.stdout.splitlines()]
    for answer in answers:
        check(answer)
    kinds = [kind for answer in answers for kind in answer if kind not in ("id", "seconds")]
    assert {"worker", "progress", "frame", "result", "error"} <= set(kinds)
    validator("count")(next(a["result"] for a in answers if a.get("id") == 3 and "result" in a))

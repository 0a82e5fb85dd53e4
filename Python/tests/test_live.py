"""What a live server sends fits docs/schemas/live.json and watch.json."""

from __future__ import annotations

import http.client
import importlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from test_schemas import validator

from kinema._executable import environment, executable

CLIENTS = Path(__file__).parents[2] / "Tests" / "Clients"


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Tests/Clients/kinema_client.py, with the executable under test."""
    if not CLIENTS.is_dir():
        pytest.skip("Tests/Clients is not here")
    monkeypatch.syspath_prepend(str(CLIENTS))
    monkeypatch.setitem(os.environ, "KINEMA", executable())
    sys.modules.pop("kinema_client", None)
    return importlib.import_module("kinema_client")


def test_state_and_events_of_named_sources(clients: Any, video: Path, tmp_path: Path) -> None:
    file = tmp_path / "watch.json"
    # Without a model of its own, or a rule about an action, a source names none.
    sources = [
        {"name": "Gym", "address": str(video), "model": "Exercise"},
        {"name": "Gate", "address": "rtsp://[::1]:1"},
    ]
    file.write_text(json.dumps({"sources": sources}))
    check = validator("watch")
    with clients.Server("--sources", str(file), environment=environment()) as server:
        end = time.monotonic() + 120
        gym: dict[str, Any] = {}
        gate: dict[str, Any] = {}
        while not (gym.get("persons") and gym["action"]) and time.monotonic() < end:
            time.sleep(0.2)
            status, state = server.client().request("GET", "/api/v1/state")
            assert status == 200
            check(state)
            gym, gate = state["sources"]
        assert gym["persons"] and gym["action"]
        assert gate["address"] == "rtsp://[::1]:1" and gate["state"] != "live"
        stream = http.client.HTTPConnection(server.host, server.port, timeout=120)
        stream.request("GET", "/api/v1/events", headers={"Last-Event-ID": "all"})
        answer = stream.getresponse()
        assert answer.getheader("content-type") == "text/event-stream"
        event: dict[str, Any] = {}
        while event.get("event") != "personEnters":
            name, _, value = answer.readline().decode().rstrip("\n").partition(": ")
            if name == "data":
                event = json.loads(value)
                check(event)
        stream.close()
        status, picture = server.client().request("GET", "/api/v1/sources/Gym/picture")
        assert status == 200 and picture.startswith(b"\xff\xd8")


def test_every_message_of_a_live_session(clients: Any) -> None:
    check = validator("live")
    seen: dict[str, Any] = {}
    with clients.Server("--sessions", "1", environment=environment()) as server:
        session = server.client().socket()
        source = {"kind": "server", "id": "synthetic"}
        session.send({"type": "start", "source": source, "settings": {"maximumPersonCount": 1}})
        waiting = None
        end = time.monotonic() + 120
        expected = {
            "ready", "frame", "summary", "challenge", "source", "statistics", "pong", "error",
        }  # fmt: skip
        isNamed = False
        for message in session.messages():
            check(message)
            if message["type"] == "ready" and waiting is None:
                item = {"label": "squats", "repetitions": 1}
                session.send({"type": "challenge", "command": "start", "items": [item]})
                session.send({"type": "ping", "time": 1.5})
                session.send({"type": "nonsense"})
                session.send({"type": "configure", "settings": {"stride": 5}})
                waiting = server.client().socket()
                waiting.send({"type": "start", "source": {"kind": "browser"}, "settings": {}})
            seen[message["type"]] = message
            if message["type"] == "frame" and message["persons"]:
                isNamed = isNamed or (message.get("action") or {}).get("label") is not None
            if (isNamed and expected <= set(seen)) or time.monotonic() > end:
                break
        assert expected <= set(seen)
        assert isNamed
        assert seen["ready"]["settings"]["stride"] == 5
        assert waiting is not None
        check(waiting.wait("queued"))
        waiting.close()
        session.close()

"""The keywords of the functions are the options of the commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from kinema import _executable, _options

ROOT = Path(__file__).resolve().parents[2]


def test_keywords_are_those_of_the_program() -> None:
    made = subprocess.run(
        [
            sys.executable, ROOT / "Scripts/python/options.py", _executable.executable(), "--check",
            _options.__file__,
        ],  # fmt: skip
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr


def test_keywords_are_typed() -> None:
    assert _options.CountOptions.__annotations__["pairs"].__forward_arg__ == "bool | None"
    assert "from_" in _options.TrainOptions.__annotations__
    assert _options.PATHS["train"] == {"cache", "output", "session", "test"}
    assert "test" not in _options.PATHS["assess"]


def test_what_makes_a_command_print_something_else_is_no_keyword() -> None:
    for options, names in (
        (_options.AssessOptions, {"list", "show_tests"}),
        (_options.CoachOptions, {"show_rules"}),
        (_options.EvaluateOptions, {"counts"}),
        (_options.SynthOptions, {"list"}),
        (_options.TrainOptions, {"check"}),
    ):
        assert not names & set(options.__annotations__)

"""Where the native program is found, and how `python -m kinema` becomes it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import kinema._executable as place

PACKAGE = Path(place.__file__).parents[1]


@pytest.fixture
def checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A package without a program in it, and an empty folder on the PATH."""
    monkeypatch.setattr(place, "_PACKAGED", tmp_path / "none")
    monkeypatch.delenv("KINEMA", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def program(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755)
    return path


def test_variable_names_the_program(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = program(checkout / "chosen", b"#!/bin/sh\n")
    monkeypatch.setenv("KINEMA", str(chosen))
    assert place.executable() == str(chosen)


def test_variable_that_names_no_program_is_an_error(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KINEMA", str(checkout / "nothing"))
    with pytest.raises(FileNotFoundError, match="nothing"):
        place.executable()


def test_scripts_on_the_path_are_passed_over(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(checkout / "first/kinema", b"#!/usr/bin/python3\n")
    native = program(checkout / "second/kinema", b"\x7fELF")
    monkeypatch.setenv("PATH", f"{checkout}/first:{checkout}/second")
    assert place.executable() == str(native)


def test_no_program_is_an_explained_error(checkout: Path) -> None:
    with pytest.raises(FileNotFoundError, match="install the wheel"):
        place.executable()


def test_wheel_names_its_typeface_and_the_libraries_of_openvino(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, "_PACKAGED", program(checkout / "bin/kinema", b"\x7fELF"))
    package = checkout / "openvino/__init__.py"
    program(package, b"")
    monkeypatch.syspath_prepend(str(checkout))
    monkeypatch.delitem(sys.modules, "openvino", raising=False)
    for name in ("KINEMA_HOME", "KINEMA_OPENVINO", "FONTCONFIG_FILE"):
        monkeypatch.delenv(name, raising=False)
    variables = place.environment()
    assert variables["KINEMA_OPENVINO"] == str(checkout / "openvino/libs")
    assert variables["FONTCONFIG_FILE"].endswith("share/kinema/fonts/fonts.conf")
    monkeypatch.setenv("KINEMA_HOME", "/elsewhere")
    assert "KINEMA_OPENVINO" not in place.environment()


def run_module(variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    # -S: without what is installed, as in a checkout.
    command = [sys.executable, "-S", "-c", "from kinema.__main__ import main; main()", "one", "two"]
    return subprocess.run(
        command, env={"PYTHONPATH": str(PACKAGE)} | variables, capture_output=True, text=True)


def test_program_gets_the_arguments_and_the_signals_of_a_shell(checkout: Path) -> None:
    chosen = program(
        checkout / "chosen", b"#!/bin/sh\necho $# $1 $2\n/bin/grep SigIgn /proc/self/status\nexit 7\n")
    outcome = run_module({"KINEMA": str(chosen)})
    assert outcome.returncode == 7
    assert outcome.stdout.split("\n")[0] == "2 one two"
    ignored = int(outcome.stdout.split()[-1], 16)
    assert not ignored & 1 << 12  # SIGPIPE


@pytest.mark.skipif((PACKAGE / "kinema/_native").exists(), reason="the wheel has the program")
def test_missing_program_ends_with_status_69() -> None:
    outcome = run_module({"PATH": os.devnull})
    assert outcome.returncode == 69
    assert outcome.stderr.startswith("kinema: the program kinema was not found")

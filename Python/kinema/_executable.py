"""Where the native program is, and the environment that it needs."""

import importlib.util
import os
from pathlib import Path

_NATIVE = Path(__file__).parent / "_native"
_PACKAGED = _NATIVE / "bin/kinema"


def executable() -> str:
    """The path of the native program: `$KINEMA`, else the wheel's, else `kinema` on the PATH.

    Raises FileNotFoundError where there is none.
    """
    chosen = os.environ.get("KINEMA")
    if chosen:
        if not os.access(chosen, os.X_OK):
            raise FileNotFoundError(f"KINEMA names {chosen}, which is not an executable file")
        return os.path.abspath(chosen)
    if _PACKAGED.exists():
        return str(_PACKAGED)
    for folder in os.get_exec_path():
        candidate = os.path.abspath(os.path.join(folder, "kinema"))
        if os.access(candidate, os.X_OK) and _is_native(candidate):
            return candidate
    raise FileNotFoundError(
        "the program kinema was not found: install the wheel, or set KINEMA to the built program"
    )


def environment() -> dict[str, str]:
    """The environment to run the native program in: this one, and where its parts are.

    Those of the wheel are the typeface of labels, and the libraries of the package openvino.
    """
    variables = dict(os.environ)
    if executable() != str(_PACKAGED):
        return variables
    variables.setdefault("FONTCONFIG_FILE", str(_NATIVE / "share/kinema/fonts/fonts.conf"))
    if not (variables.get("KINEMA_HOME") or variables.get("KINEMA_OPENVINO")):
        package = importlib.util.find_spec("openvino")
        if package is not None and package.origin is not None:
            variables["KINEMA_OPENVINO"] = str(Path(package.origin).parent / "libs")
    return variables


def _is_native(path: str) -> bool:
    """Whether a file is a program and not a script, such as the one that pip writes."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False

"""`kinema` and `python -m kinema`: becomes the native program; no Python process stays."""

import os
import signal
import sys
from typing import NoReturn

from kinema._executable import environment, executable

_UNAVAILABLE = 69  # EX_UNAVAILABLE: a required part is missing.


def main() -> NoReturn:
    try:
        path, variables = executable(), environment()
    except FileNotFoundError as error:
        print(f"kinema: {error}", file=sys.stderr)
        sys.exit(_UNAVAILABLE)
    # Python ignores these, and what is ignored stays ignored in the program.
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored, signal.SIG_DFL)
    try:
        os.execve(path, ["kinema", *sys.argv[1:]], variables)
    except OSError as error:
        print(f"kinema: {path} cannot be run ({error.strerror})", file=sys.stderr)
        sys.exit(_UNAVAILABLE)


if __name__ == "__main__":
    main()

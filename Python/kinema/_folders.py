"""Temporary folders for arrays."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SHARED_MEMORY = Path("/dev/shm")


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A temporary folder for arrays, in shared memory where there is some.

    Its lock is held for as long as it is used: workers remove the folders of processes that were killed.
    """
    place = _SHARED_MEMORY if os.access(_SHARED_MEMORY, os.W_OK) else None
    unnamed = Path(tempfile.mkdtemp(prefix=".kinema-", dir=place))
    with open(unnamed / ".kinema-temporary", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        path = unnamed.rename(unnamed.with_name(unnamed.name[1:]))
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)

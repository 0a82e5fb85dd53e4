"""Pose extraction on a cluster: Ray Data, Daft, Dask, a process pool.

    rows = ray.data.from_items(videos).map_batches(
        PoseExtractor, fn_constructor_kwargs={"output": "/shared/extracted"},
        batch_size=1, compute=ray.data.ActorPoolStrategy(size=8))

Paths go in, rows come out, never frames. The videos are read and the poses written by a child process
of the one that calls; a video that kills it is a row like any other. Videos, the output folder, lists and
indexes can have addresses of fsspec (`s3://`, `gs://`, `https://`): see `kinema._remote`.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from ._executable import environment, executable

if TYPE_CHECKING:
    from ._remote import RemoteFolder


class Row(TypedDict):
    """What has become of one video."""

    video: str
    """The path as it was given."""
    status: str
    """`done` or `failed`."""
    kind: str
    """Of a failure: `permanent`, or `transient` where another try may succeed; else empty."""
    attempts: int
    """How many attempts there were, over all runs and machines."""
    poses: str
    """The path of the `.npz` file; empty after a failure."""
    seconds: float
    """How long the extraction took; NaN after a failure."""
    error: str
    """The reason of a failure, as a sentence."""


# A pipe of Linux, and what a row has beside the path: the reason of a failure, numbers.
_PIPE, _ROW = 1 << 16, 1 << 9
_TEXTS = ("video", "status", "kind", "poses", "error")


class ExtractionError(RuntimeError):
    """No video can be extracted: a part of the installation is missing, or the folder is full."""


def is_address(path: str | os.PathLike[str]) -> bool:
    """Whether a path is an address, such as `s3://bucket/key`."""
    scheme, mark, _ = os.fspath(path).partition("://")
    return bool(mark) and scheme[:1].isalpha() and scheme.replace("+", "").replace("-", "").isalnum()


def read_list(path: str | os.PathLike[str], **storage_options: Any) -> list[str]:
    """The videos of a list: Parquet or CSV with a column `video`, `file_name`, `path` or `file`, or a text with
    a path in each line; a file, or an address. Relative paths start at its folder."""
    from ._remote import read_list

    return read_list(os.fspath(path), storage_options)


def write_index(rows: Iterable[Row], path: str | os.PathLike[str], **storage_options: Any) -> None:
    """Writes rows as an index, whole: Parquet (with pyarrow) or CSV, by the name; a file, or an address."""
    from ._remote import write_index

    write_index(list(rows), os.fspath(path), storage_options)


class PoseExtractor:
    """Extracts the poses of videos into a folder; called with a batch of paths.

    A mapping with the column `video` (a batch of Ray Data, a data frame as a dictionary) gives its
    columns and those of `Row`, as arrays. Any other iterable of paths gives a list of `Row`.

    The folder is one that all machines share. It records every attempt, so that a batch that is tried
    again, on any machine, extracts only what is missing. Instances are small and can be pickled; the
    child process starts with the first call and serves all instances with the same arguments.

    Where the folder, or a video, has an address (`s3://bucket/extracted`), the poses are written to a
    temporary folder first and copied whole; the folder's records then hold the rows of videos that have
    failed permanently. Object stores have no locks: give each video to one instance, as the frameworks do.
    `storage_options` are fsspec's.

    Raises ExtractionError where no video can be extracted at all.
    """

    def __init__(
        self,
        output: str | os.PathLike[str],
        *,
        threads: int = 1,
        hands: bool = False,
        rate: float | None = None,
        persons: int | None = None,
        precision: str | None = None,
        device: str | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        if not os.fspath(output):
            raise ValueError("output is empty: name a folder")
        self.output = os.fspath(output) if is_address(output) else os.path.abspath(output)
        self.storage_options: dict[str, Any] = dict(storage_options or {})
        self.threads = threads
        options = {"rate": rate, "persons": persons, "precision": precision, "device": device}
        self._arguments = (
            "extract", "-", "--threads", str(threads),
            *(["--hands"] if hands else []),
            *(f"--{name}={value}" for name, value in options.items() if value is not None),
        )  # fmt: skip

    def __call__(self, batch: Mapping[str, Any] | Iterable[str | os.PathLike[str]]) -> Any:
        if not isinstance(batch, Mapping):
            return self.rows([os.fspath(path) for path in batch])
        rows = self.rows([str(path) for path in batch["video"]])
        columns: dict[str, Any] = {str(name): values for name, values in batch.items()}
        for name in Row.__annotations__:
            dtype = object if name in _TEXTS else np.int64 if name == "attempts" else np.float64
            columns[name] = np.array([row[name] for row in rows], dtype=dtype)  # type: ignore[literal-required]
        return columns

    def rows(self, videos: Sequence[str]) -> list[Row]:
        """The rows of videos, in their order."""
        if is_address(self.output) or any(map(is_address, videos)):
            return self._remote.rows(videos, lambda paths, folder: self._local(paths, folder))
        return self._local(videos, self.output)

    @property
    def _remote(self) -> RemoteFolder:
        from ._remote import RemoteFolder

        return RemoteFolder(self.output, self.storage_options)

    def _local(self, videos: Sequence[str], output: str) -> list[Row]:
        """The rows of files, with their poses in a folder of this machine."""
        arguments = (*self._arguments, "--output", output)
        # An empty text names no file; the child reports it.
        paths = [os.path.abspath(video) if video else video for video in videos]
        found = _Child.serving(arguments).rows(set(paths))
        return [self._row(video, found[path], output) for video, path in zip(videos, paths)]

    def _row(self, video: str, answer: dict[str, Any], output: str) -> Row:
        return Row(
            video=video,
            status=answer["status"],
            kind=answer.get("kind", ""),
            attempts=answer["attempts"],
            poses=os.path.join(output, answer["poses"]) if "poses" in answer else "",
            seconds=answer.get("seconds", float("nan")),
            error=answer.get("error", ""),
        )


class _Child:
    """A running `kinema extract -`, which is started again when it was killed."""

    _children: dict[tuple[int, tuple[str, ...]], _Child] = {}
    _lock_of_children = threading.Lock()

    @classmethod
    def serving(cls, arguments: tuple[str, ...]) -> _Child:
        """The child of this process for these arguments; a fork has children of its own."""
        with cls._lock_of_children:
            key = (os.getpid(), arguments)
            if key not in cls._children:
                cls._children[key] = cls(arguments)
            return cls._children[key]

    def __init__(self, arguments: tuple[str, ...]) -> None:
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._owner = os.getpid()
        atexit.register(self._end)

    def rows(self, paths: set[str]) -> dict[str, dict[str, Any]]:
        """An answer for each path."""
        rows: dict[str, dict[str, Any]] = {
            path: _failure("permanent", "The path of a video is a line of UTF-8, and not empty.")
            for path in paths
            if not _is_line(path)
        }
        with self._lock:
            # A video that kills its process is given up after three attempts, so every few deaths
            # bring a row; more without one have another cause.
            deaths = 0
            while missing := sorted(paths - rows.keys()):
                if deaths > 3 * len(missing):
                    reason = f"kinema {' '.join(self._arguments)} was killed {deaths} times."
                    return rows | {path: _failure("transient", reason) for path in missing}
                asked = _fitting(missing)
                answers = {row["video"]: row for row in self._ask(asked)}
                rows.update(answers)
                deaths = len(answers) < len(asked) if answers else deaths + 1
        return rows

    def _ask(self, paths: list[str]) -> Iterable[dict[str, Any]]:
        """The answers for paths, as far as the child lives."""
        if self._process is None or self._process.poll() is not None:
            self._start()
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        try:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write("".join(f"{path}\n" for path in paths))
                process.stdin.flush()
            for _ in paths:
                line = process.stdout.readline()
                if not line.endswith("\n"):
                    return self._check(process)
                yield json.loads(line)
        except BaseException:
            # Such as Ctrl-C: what it would still answer is not for the next batch.
            self._end()
            raise

    def _start(self) -> None:
        self._end()
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [executable(), *self._arguments], env=environment(), text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self._errors, start_new_session=True,
        )  # fmt: skip

    def _end(self) -> None:
        """Ends the process at once; its videos are extracted by the next one."""
        process = self._process
        if process is None or self._owner != os.getpid():
            return  # The process belongs to the one that was forked.
        process.terminate()
        process.wait()
        for file in (process.stdin, process.stdout, self._errors):
            with contextlib.suppress(OSError):
                file.close()  # type: ignore[union-attr]

    def _check(self, process: subprocess.Popen[str]) -> None:
        """Raises where the child has ended by itself."""
        status = process.wait()
        if status < 0:
            return
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        raise ExtractionError(lines[-1] if lines else f"kinema extract ended with status {status}")


def _failure(kind: str, error: str) -> dict[str, Any]:
    return {"status": "failed", "kind": kind, "attempts": 0, "error": error}


def _is_line(path: str) -> bool:
    try:
        return not set("\n\0") & set(path) and bool(path.encode())
    except UnicodeEncodeError:
        return False


def _fitting(paths: list[str]) -> list[str]:
    """The first paths whose rows fit into a pipe, so that neither side waits for the other to read."""
    size = 0
    for count, path in enumerate(paths):
        # A row has the path, that of the poses, and perhaps the path in the reason of a failure.
        size += 4 * len(path.encode()) + _ROW
        if count > 0 and size > _PIPE:
            return paths[:count]
    return paths

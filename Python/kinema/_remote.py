"""Videos, folders, lists and indexes at addresses, through fsspec."""

from __future__ import annotations

import csv
import importlib
import io
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .cluster import ExtractionError, Row, is_address

if TYPE_CHECKING:
    Extract = Callable[[Sequence[str], str], list[Row]]



class UnknownAddress(ExtractionError):
    """An address of a scheme that fsspec does not know."""


_COLUMNS = ("video", "file_name", "path", "file")


def file_system(address: str, options: Mapping[str, Any]) -> tuple[Any, str]:
    """The file system of an address or path, and the path in it.

    Raises ExtractionError where fsspec, or what it needs for this scheme, is missing.
    """
    try:
        fsspec = importlib.import_module("fsspec")
        found: tuple[Any, str] = fsspec.core.url_to_fs(address, **options)
        return found
    except ImportError as error:
        scheme = address.partition("://")[0]
        raise ExtractionError(
            f"{address} is an address, which needs fsspec with support of {scheme}: run "
            f"pip install fsspec[{scheme}] ({error})."
        ) from error
    except ValueError as error:
        raise UnknownAddress(f"{address} is no address that fsspec knows: {error}.") from error


def _read(path: str, options: Mapping[str, Any]) -> bytes:
    if not is_address(path):
        return Path(path).read_bytes()
    system, place = file_system(path, options)
    data: bytes = system.cat_file(place)
    return data


def _write(path: str, data: bytes, options: Mapping[str, Any]) -> None:
    if is_address(path):
        system, place = file_system(path, options)
        # Object stores show an object when it is whole.
        system.pipe_file(place, data)
        return
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    part.write_bytes(data)
    part.replace(target)


def read_list(path: str, options: Mapping[str, Any]) -> list[str]:
    data = _read(path, options)
    if path.lower().endswith(".parquet"):
        table = _parquet().read_table(io.BytesIO(data))
        column = next((name for name in _COLUMNS if name in table.column_names), None)
        if column is None:
            raise ExtractionError(f"{path} has no column {', '.join(_COLUMNS)}.")
        names = [str(name) for name in table.column(column).to_pylist() if name]
    elif path.lower().endswith(".csv"):
        rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
        head = [name.lower() for name in rows[0]] if rows else []
        column = next((name for name in _COLUMNS if name in head), None)
        place = head.index(column) if column else 0
        names = [row[place] for row in rows[1 if column else 0 :] if len(row) > place and row[place]]
    else:
        lines = [line.strip() for line in data.decode("utf-8-sig").splitlines()]
        names = [line for line in lines if line and not line.startswith("#")]
    folder = path.rpartition("/")[0] if is_address(path) else os.path.dirname(os.path.abspath(path))
    return [
        name if is_address(name) or os.path.isabs(name) else f"{folder}/{name}" for name in names
    ]


def write_index(rows: list[Row], path: str, options: Mapping[str, Any]) -> None:
    names = list(Row.__annotations__)
    if path.lower().endswith(".parquet"):
        arrow = importlib.import_module("pyarrow") if _parquet() else None
        columns = {name: [cast("dict[str, Any]", row)[name] for row in rows] for name in names}
        output = io.BytesIO()
        _parquet().write_table(cast(Any, arrow).table(columns), output)
        return _write(path, output.getvalue(), options)
    if not path.lower().endswith(".csv"):
        raise ExtractionError(f"{path} is no name of an index: end it in .parquet or .csv.")
    text = io.StringIO()
    writer = csv.DictWriter(text, names)
    writer.writeheader()
    writer.writerows(cast("list[dict[str, Any]]", rows))
    _write(path, text.getvalue().encode(), options)


def _parquet() -> Any:
    try:
        return importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise ExtractionError("Parquet needs pyarrow: run pip install pyarrow.") from error


class RemoteFolder:
    """An output folder, or videos, at addresses: `poses/PLACE.npz` and, of permanent failures,
    `records/PLACE.json`, where the place of `s3://bucket/a.mp4` is `s3/bucket/a.mp4`."""

    def __init__(self, output: str, options: Mapping[str, Any]) -> None:
        self._output = output.rstrip("/")
        self._options = options

    def rows(self, videos: Sequence[str], extract: Extract) -> list[Row]:
        """The rows of videos, in their order; `extract` writes poses of files to a folder of this machine."""
        return [self._row(video, extract) for video in videos]

    def _exists(self, path: str) -> bool:
        if not is_address(path):
            return os.path.exists(path)
        system, place = file_system(path, self._options)
        return bool(system.exists(place))

    def _row(self, video: str, extract: Extract) -> Row:
        if not video:
            return extract([video], self._output)[0]
        place = video.replace("://", "/") if is_address(video) else os.path.abspath(video).lstrip("/")
        if ".." in place.split("/"):
            return _failed(video, "permanent", f"{video} leads out of its folder: write it without ..")
        poses = f"{self._output}/poses/{place}.npz"
        record = f"{self._output}/records/{place}.json"
        if self._exists(poses):
            return Row(
                video=video, status="done", kind="", attempts=0, poses=poses, seconds=float("nan"),
                error="",
            )  # fmt: skip
        if self._exists(record):
            return cast(Row, json.loads(_read(record, self._options)))
        with tempfile.TemporaryDirectory(prefix="kinema-extract-") as folder:
            file = video
            if is_address(video):
                file = f"{folder}/{os.path.basename(place) or 'video'}"
                failure = self._fetch(video, file)
                if failure is not None:
                    return failure
            row = extract([file], f"{folder}/out")[0]
            row["video"] = video
            row["error"] = row["error"].replace(file, video)
            if row["status"] == "done":
                _write(poses, Path(row["poses"]).read_bytes(), self._options)
                row["poses"] = poses
            elif row["kind"] == "permanent":
                _write(record, json.dumps({**row, "seconds": None}).encode(), self._options)
            return row

    def _fetch(self, video: str, file: str) -> Row | None:
        """Copies a video to this machine; the row of a failure."""
        try:
            system, place = file_system(video, self._options)
            with system.open(place, "rb") as source, open(file, "wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
        except UnknownAddress as error:
            return _failed(video, "permanent", str(error))
        except FileNotFoundError:
            return _failed(video, "transient", f"{video} is not there; check the address.")
        except PermissionError as error:
            return _failed(video, "permanent", f"{video} may not be read: {error}.")
        except OSError as error:
            return _failed(video, "transient", f"{video} cannot be fetched: {error}.")
        return None


def _failed(video: str, kind: str, error: str) -> Row:
    return Row(
        video=video, status="failed", kind=kind, attempts=1, poses="", seconds=float("nan"),
        error=error,
    )  # fmt: skip

"""Frames that a program pushes, and what is seen in them."""

from __future__ import annotations

import contextlib
import numbers
import threading
import time as clock
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Union

from ._folders import temporary_folder
from ._frames import Color, Image, Slots, checked
from ._results import Frame
from ._worker import Feed, Worker

if TYPE_CHECKING:
    import os

    from typing_extensions import Unpack

    from ._functions import Model
    from ._options import PushOptions

    PathLike = Union[str, os.PathLike[str]]

# How many frames are on their way: one is written while the one before is processed.
_SLOTS = 2


class Stream:
    """Tracks the people in frames that you push, and says what they do, how often and how well.

        with kinema.Stream("Workout") as stream:
            while True:
                frame = stream.push(camera.read()[1])
                print(frame.count, frame.action and frame.action.label)

    A frame is an array of uint8, `[height, width, 3]` in OpenCV's order of colours, or with
    `color="rgb"` in that of Pillow and imageio; `[height, width]` is grey. `model` is that of
    `kinema.watch`; options are `everybody=True`, `person=2`, `persons=2`, `stride=5`, `confidence=0.8`,
    `no_count=True`, `pairs=True`, `smooth=True`, `precision="fast"`. A stream is one camera, has a process
    of its own, and can be used from several threads.
    """

    def __init__(
        self,
        model: PathLike | Model = "Exercise",
        *,
        color: Color = "bgr",
        **options: Unpack[PushOptions],
    ) -> None:
        self._color: Color = color
        self._lock = threading.RLock()
        self._start: float | None = None
        self._time = float("-inf")
        self._waiting = 0
        self._resources = contextlib.ExitStack()
        self._worker = self._resources.enter_context(Worker())
        self._slots = Slots(self._resources.enter_context(temporary_folder()), _SLOTS)
        self._resources.callback(self._slots.close)
        self._feed: Feed | None = Feed(self._worker, "push", model=model, options=options)
        self.count: int | None = None
        """The repetitions of the prominent person in all, known when the stream is closed."""

    def push(self, image: Image, time: float | None = None) -> Frame:
        """The people in the next frame and what they do.

        `time` is in seconds and increases; without it the frame is one of this moment. Raises
        TypeError or ValueError for what is no frame, before it is pushed, and `Error`.
        """
        with self._lock:
            while self._waiting:
                self._take()  # Of a push that was interrupted.
            self._send(image, time)
            return self._take()

    def map(self, images: Iterable[Image | tuple[Image, float]]) -> Iterator[Frame]:
        """The frames for images, or for pairs of image and time; faster than `push` one by one.

        The next image is read while the one before is processed: at most two are on their way.
        """
        for item in images:
            image, time = item if isinstance(item, tuple) else (item, None)
            with self._lock:
                frame = self._take() if self._waiting == _SLOTS else None
                self._send(image, time)
            if frame is not None:
                yield frame
        while self._waiting:
            with self._lock:
                frame = self._take()
            yield frame

    def close(self) -> None:
        """Ends the stream; `count` is known then."""
        with self._lock:
            feed, self._feed = self._feed, None
            if feed is None:
                return
            try:
                self.count = feed.finish().get("count")
            finally:
                self._resources.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            return self.close()
        with self._lock:
            feed, self._feed = self._feed, None
            if feed is not None:
                feed.cancel()
                self._resources.close()

    def __repr__(self) -> str:
        state = "closed" if self._feed is None else f"{self._time:.2f} s" if self._start else "new"
        return f"<kinema.Stream, {state}>"

    def _send(self, image: Image, time: float | None) -> None:
        if self._feed is None:
            raise ValueError("the stream is closed; make another kinema.Stream")
        array, layout = checked(image, self._color)
        if time is None:
            now = clock.monotonic()
            self._start = now if self._start is None else self._start
            time = now - self._start
        elif isinstance(time, bool) or not isinstance(time, numbers.Real):
            raise TypeError(f"a frame's time is a number of seconds, not {time!r}")
        time = float(time)
        if not self._time < time < float("inf"):
            raise ValueError(
                f"the times of frames increase: {time} s comes after {self._time} s; "
                "for another clip make another kinema.Stream"
            )
        members: dict[str, Any] = {
            "file": self._slots.write(array), "width": array.shape[1], "height": array.shape[0],
            "format": layout, "time": time,
        }  # fmt: skip
        self._feed.push(members)
        self._start = time if self._start is None else self._start
        self._time = time
        self._waiting += 1

    def _take(self) -> Frame:
        if self._feed is None:
            raise ValueError("the stream is closed; make another kinema.Stream")
        frame = Frame._of(self._feed.next())
        self._waiting -= 1
        return frame

"""Progress bars, drawn only on terminals."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from typing import Any

from bleuprint.errors import MissingExtraError
from bleuprint.results.escaping import visible

Advance = Callable[[int], None]
_PATIENCE = 0.5  # seconds before bars appear, so that quick work shows none


@contextmanager
def progress(title: str, total: int | None, *, shown: bool | None = None, unit: str = "") -> Iterator[Advance]:
    """Show a progress bar on standard error; call the yielded function to advance it.

    If `shown` is None, the bar appears if standard error is a terminal, rich is installed and the work takes more than
    half a second, whether or not it advances. Pass None as `total` if it is unknown. Bars of nested work are drawn
    together. With the unit "MB", bytes advance the bar, and it shows how many there were, and how many a second.

    >>> with progress("counting", 10, shown=False) as advance:
    ...     advance(10)
    """
    if shown is None:
        shown = sys.stderr is not None and sys.stderr.isatty() and find_spec("rich") is not None
    elif shown and find_spec("rich") is None:
        raise MissingExtraError("a progress bar", ["rich"])
    if not shown:
        yield lambda _: None
        return
    display = _Display.current or _Display()
    bar = display.open(title, total, unit)
    try:
        yield partial(display.advance, bar)
    finally:
        display.close(bar)


def in_steps(advance: Advance, steps: int) -> Callable[[str, float], None]:
    """A function that is called with the name and the finished share of some work, each of which is so many steps.

    >>> with progress("counting", 200, shown=False) as advance:
    ...     report = in_steps(advance, 100)
    ...     report("the first half", 0.5)
    """
    done: dict[str, int] = {}

    def report(work: str, share: float) -> None:
        reached = round(steps * share)
        advance(reached - done.get(work, 0))
        done[work] = reached

    return report


@dataclass(slots=True, eq=False)
class _Bar:
    title: str
    total: int | None
    done: int = 0
    task: Any = None  # its number on the display, once that is drawn
    unit: str = ""
    start: float = field(default_factory=time.monotonic)

    @property
    def text(self) -> str:
        count, seconds = self.done / 1e6, max(time.monotonic() - self.start, 1e-9)
        return (
            f"{self.title}: {count:,.0f} {self.unit}, {count / seconds:,.0f} {self.unit}/s" if self.unit else self.title
        )


class _Display:
    """All open bars. It is drawn by a timer, because native code may work for long before a bar advances."""

    current: _Display | None = None

    def __init__(self) -> None:
        _Display.current = self
        self._bars: list[_Bar] = []
        self._drawn: Any = None
        self._lock = threading.RLock()
        self._start = time.monotonic()
        self.timer = threading.Timer(max(_PATIENCE, 0), self._draw)
        self.timer.daemon = True

    def open(self, title: str, total: int | None, unit: str = "") -> _Bar:
        bar = _Bar(visible(title), total, unit=unit)
        with self._lock:
            self._bars.append(bar)
            if self._drawn is not None:
                bar.task = self._drawn.add_task(bar.text, total=bar.total)
            elif len(self._bars) == 1:
                self.timer.start()
        return bar

    def advance(self, bar: _Bar, amount: int) -> None:
        bar.done += amount
        with self._lock:
            if self._drawn is None and time.monotonic() - self._start > _PATIENCE:
                self._draw()
            if self._drawn is not None:
                self._drawn.update(bar.task, completed=bar.done, description=bar.text)

    def close(self, bar: _Bar) -> None:
        with self._lock:
            self._bars.remove(bar)
            if self._bars:
                if self._drawn is not None:
                    self._drawn.remove_task(bar.task)
                return
            _Display.current = None
            self.timer.cancel()
            if self._drawn is not None:
                self._drawn.stop()  # which draws the last bar once more, as it ended

    def _draw(self) -> None:
        with self._lock:
            if self._drawn is not None or not self._bars:
                return
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TaskProgressColumn(),
                TimeRemainingColumn(),
            )
            self._drawn = Progress(*columns, console=Console(stderr=True), transient=True)
            self._drawn.start()
            for bar in self._bars:
                bar.task = self._drawn.add_task(bar.text, total=bar.total, completed=bar.done)

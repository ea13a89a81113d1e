"""A progress bar, drawn only on terminals."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bleuprint.results.escaping import visible

__all__ = ["Advance", "progress"]

Advance = Callable[[int], None]
_PATIENCE = 0.5  # seconds before the bar appears, so that quick work shows none


@contextmanager
def progress(title: str, total: int | None, *, shown: bool | None = None) -> Iterator[Advance]:
    """Show a progress bar on standard error; call the yielded function to advance it.

    If `shown` is None, the bar appears if standard error is a terminal and the work takes more than half a second. Pass
    None as `total` if it is unknown.

    >>> with progress("counting", 10, shown=False) as advance:
    ...     advance(10)
    """
    if shown is None:
        shown = sys.stderr is not None and sys.stderr.isatty()
    bar = _Bar(title, total) if shown else None
    try:
        yield bar.advance if bar else _ignore
    finally:
        if bar:
            bar.close()


def _ignore(_: int) -> None:
    pass


class _Bar:
    def __init__(self, title: str, total: int | None) -> None:
        self._title = title
        self._total = total
        self._start = time.monotonic()
        self._done = 0
        self._drawn: tuple[Any, Any] | None = None

    def advance(self, amount: int) -> None:
        self._done += amount
        if self._drawn is None and time.monotonic() - self._start > _PATIENCE:
            self._drawn = self._draw()
        if self._drawn is not None:
            bar, task = self._drawn
            bar.update(task, completed=self._done)

    def _draw(self) -> tuple[Any, Any]:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
        )
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        bar.start()
        return bar, bar.add_task(visible(self._title), total=self._total)

    def close(self) -> None:
        if self._drawn is not None:
            self._drawn[0].stop()

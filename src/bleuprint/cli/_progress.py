"""A progress bar, shown only on a terminal and only after one second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bleuprint.results.escaping import visible

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["progress"]

_PATIENCE = 1.0  # seconds before the bar appears


@contextmanager
def progress(title: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Yield a function that advances the bar by an amount; `total` is None if unknown.

    >>> with progress("reading", 10) as advance:
    ...     advance(10)
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda amount: None
        return
    bar = _Bar(title, total)
    try:
        yield bar.advance
    finally:
        bar.stop()


class _Bar:
    def __init__(self, title: str, total: int | None) -> None:
        self._title, self._total = title, total
        self._done = 0
        self._begin = time.monotonic()
        self._shown: tuple[Progress, TaskID] | None = None

    def advance(self, amount: int) -> None:
        self._done += amount
        if self._shown is None and time.monotonic() - self._begin > _PATIENCE:
            self._shown = self._started()
        if self._shown is not None:
            bar, task = self._shown
            bar.update(task, completed=self._done)

    def stop(self) -> None:
        if self._shown is not None:
            self._shown[0].stop()

    def _started(self) -> tuple[Progress, TaskID]:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
        )
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task(visible(self._title), total=self._total)
        bar.start()
        return bar, task

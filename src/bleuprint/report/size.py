"""How large a picture is to be, in pixels; None where its content decides."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["BROAD", "Size"]

BROAD = 704  # pixels; what has many columns gets as much room as the page has beside its segments


class Size(NamedTuple):
    width: float | None = None
    height: float | None = None

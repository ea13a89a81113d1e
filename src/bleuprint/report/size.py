"""How large a picture is to be, in pixels; None where its content decides."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Size"]


class Size(NamedTuple):
    width: float | None = None
    height: float | None = None

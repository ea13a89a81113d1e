"""Option checks shared by several models."""

from __future__ import annotations

from bleuprint.errors import OptionError

__all__ = ["checked_size"]


def checked_size(name: str, value: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise OptionError(name, "an integer of at least 1", value)
    return value

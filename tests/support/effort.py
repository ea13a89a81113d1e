"""How much the tests try: a part of every large set in `make test`, all of it in `make test-all`.

`make test-all` sets BLEUPRINT_MANY=1. BLEUPRINT_THOROUGH=1 goes further: ten thousand examples for every property.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

THOROUGH = os.environ.get("BLEUPRINT_THOROUGH") == "1"
MANY = THOROUGH or os.environ.get("BLEUPRINT_MANY") == "1"

Item = TypeVar("Item")


def examples(many: int) -> int:
    """So many examples in `make test-all`, an eighth of them in `make test`, but at least five."""
    return many if MANY else min(many, max(5, -(-many // 8)))


def part(items: Sequence[Item], one_in: int) -> Sequence[Item]:
    """All items in `make test-all`, evenly spaced ones in `make test`, the first among them."""
    return items if MANY else items[::one_in]

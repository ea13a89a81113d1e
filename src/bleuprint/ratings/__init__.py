"""People's ratings: which metric agrees with them, and what can be learned from them."""

from __future__ import annotations

from bleuprint.ratings.table import Judgements, Ratings

__all__ = ["Judgements", "Ratings"]

"""Why a score is what it is: which segments and n-grams make it, which rules move it, which settings gave it."""

from __future__ import annotations

from bleuprint.insight.influence import contributions, influence

__all__ = ["contributions", "influence"]

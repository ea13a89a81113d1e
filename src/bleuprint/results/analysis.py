"""What all results of an analysis have in common, whether it is one of ratings or of a gate."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from bleuprint import __version__
from bleuprint.results.display import Displayed
from bleuprint.results.pages import render_page


class Analysis(Displayed):
    """What was learned: it is shown as tables, as a page, and as JSON."""

    __slots__ = ()

    name: str  # of what was analyzed
    notes: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """The result in words."""
        raise NotImplementedError

    def to_html(self, *, title: str | None = None, date: str | None = None) -> str:
        """Return the result as one HTML page that needs nothing else."""
        return render_page(self, title=title, date=date)

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain numbers, strings and lists, ready for JSON."""
        fields: Any = self  # each result is a dataclass
        return {"bleuprint": __version__, **asdict(fields)}

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1) + "\n"

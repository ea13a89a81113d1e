"""The one door from results up to their HTML pages.

Results know nothing about reports, which are built on them; yet a result has `to_html`. Only this function imports the
report, and only when a page is asked for. `tests/project/test_architecture.py` names it as the one exception.
"""

from __future__ import annotations

from typing import Any

__all__ = ["render_page"]


def render_page(result: object, **options: Any) -> str:
    """Return the HTML page of a result; the report knows which page belongs to which result."""
    from bleuprint.report import page_of

    return page_of(result, **options)

"""A result as one HTML file that needs nothing else: no network, no script.

Texts and names come from outside and may be hostile. Every value the template prints is escaped, control
characters are shown as symbols, and the page's own policy forbids scripts and requests, so a slip would still
run nothing.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bleuprint.report import view
from bleuprint.report.text import visible
from bleuprint.results import Result

__all__ = ["SEGMENTS_SHOWN", "render"]

SEGMENTS_SHOWN = 100
_FOLDER = Path(__file__).parent


def render(result: Result, *, segments_shown: int = SEGMENTS_SHOWN) -> str:
    """The page; at most `segments_shown` segments are listed, and it says so."""
    style = (_FOLDER / "report.css").read_text(encoding="utf-8")
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            result=result,
            reference_counts=view.reference_counts(result),
            metrics=view.metric_views(result),
            segments=view.segment_views(result, segments_shown),
            style=Markup(style),
            policy=_policy(style),
        )
    )


def _policy(style: str) -> str:
    """Nothing may load or run; the one style sheet is let in by its hash."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _finalize(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

"""A result as one HTML file that needs nothing else, and its charts as pictures.

Texts and names come from outside and may be hostile. Every value the template prints is escaped, control characters are
shown as symbols, the script builds what it shows out of text nodes, and the page's own policy lets nothing load and
nothing run but the one style sheet and the one script, by their hashes: a slip would still run nothing.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bleuprint import __version__
from bleuprint.metrics.self_bleu import SelfBleuScore
from bleuprint.report import analysis, data, findings, view
from bleuprint.report.pictures import CHARTS, alone, picture
from bleuprint.report.text import visible
from bleuprint.results import Result

__all__ = ["CHARTS", "SEGMENTS_SHOWN", "alone", "picture", "render", "render_diversity"]

SEGMENTS_SHOWN = 20
_FOLDER = Path(__file__).parent
_STYLES = ("base", "charts", "sections", "browser", "media")
_SCRIPTS = ("reading", "matching", "segment", "browser", "brushing", "start")


def render(
    result: Result,
    *,
    segments_shown: int = SEGMENTS_SHOWN,
    columns: Mapping[str, Sequence[object]] | None = None,
    corpus: Sequence[str] | None = None,
) -> str:
    """The page. Systems that were not compared yet are; `columns` hold one label per segment, to sort them by.

    `corpus` are texts such as the training data: segments are also sorted by how often their rarest word occurs there.

    All segments are in it for the script to show. `segments_shown` of them, the worst, also stand there without it:
    for print, and for readers without a script.
    """
    result = analysis.with_comparison(result)
    marking = data.marking_of(result)
    segments = data.segments_of(result, marking)
    groupings = analysis.groupings(segments.lengths, columns or {})
    groupings += [] if corpus is None else analysis.by_frequency(result, corpus)
    return _page(
        title=view.title_of(result),
        names=[system.name for system in result.systems],
        result=result,
        reference_counts=view.reference_counts(result),
        metrics=view.metric_views(result),
        findings=findings.findings_of(result, groupings),
        segments=findings.segment_views(result, segments_shown),
        data=data.embedded(result, marking, segments, groupings)
        if result.has_texts and result.size and result.metrics
        else "",
    )


def render_diversity(scores: Mapping[str, SelfBleuScore]) -> str:
    """The page of nothing but diversity: how much the texts of each set repeat each other."""
    made = [analysis.diversity_of(name, score) for name, score in scores.items()]
    texts = sum(score.texts for score in scores.values())
    return _page(
        title=f"{texts:,} texts, how much they repeat each other",
        names=list(scores),
        result=None,
        metrics=[],
        findings={"diversity": findings.diversity_view(made, dict.fromkeys(scores, 0))},
        segments=[],
        data="",
    )


def _page(**context: Any) -> str:
    style = "\n".join((_FOLDER / "style" / f"{name}.css").read_text(encoding="utf-8") for name in _STYLES)
    script = "\n".join((_FOLDER / "script" / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            **context, version=__version__, style=Markup(style), script=Markup(script), policy=_policy(style, script)
        )
    )


def _policy(style: str, script: str) -> str:
    """Nothing may load or run; the one style sheet and the one script are let in by their hashes."""
    styles, scripts = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script))
    allowed = f"style-src 'sha256-{styles}'; script-src 'sha256-{scripts}'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER / "page"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["next_number"] = lambda place: f"{place + 1:,}"
    return environment


def _finalize(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

"""A result as one HTML file that needs nothing else, and its charts as pictures.

Texts and names come from outside and may be hostile. Every value the template prints is escaped, control characters are
shown as symbols, the script builds what it shows out of text nodes, and the page's own policy lets nothing load and
nothing run but the one style sheet and the one script, by their hashes: a slip would still run nothing.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleuprint import __version__, checks
from bleuprint.core.columns import checked_column
from bleuprint.errors import DataFileError, MissingExtraError
from bleuprint.metrics import cards
from bleuprint.metrics.base import Metric, Score

try:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup
except ImportError as error:
    raise MissingExtraError("the HTML report", ["jinja2"]) from error

from bleuprint.report.charts import Canvas, meter
from bleuprint.report.charts.svg import visible
from bleuprint.report.figures import join_names
from bleuprint.report.page import MetricHead, Page
from bleuprint.report.pictures import CHARTS, alone, diversity_plot, merge_results, picture, quadrant_plot
from bleuprint.report.replay import using
from bleuprint.report.sections.findings import Finding, find
from bleuprint.report.sections.history import history_of
from bleuprint.report.sections.segments import cut_text
from bleuprint.report.sections.systems.compared import with_comparison
from bleuprint.results import Result
from bleuprint.results.digits import FRACTIONS, Digits

if TYPE_CHECKING:
    from bleuprint.corpora.findings import Seen
    from bleuprint.metrics.self_bleu import SelfBleuScore
    from bleuprint.pools.diversity import Diversity
    from bleuprint.ratings.agreement.result import Agreement
    from bleuprint.report.sections.analysis import Shown

__all__ = ["AGREEMENT_SECTIONS", "CHARTS", "SECTIONS", "SEGMENTS_SHOWN", "alone", "diversity_plot"]
__all__ += ["merge_results", "page_of", "picture", "quadrant_plot", "render", "render_agreement"]
__all__ += ["render_analysis", "render_diversity", "render_seen"]

SEGMENTS_SHOWN = 20
# In the order of the page; a section whose view is empty is left out. Each is imported for its first page.
SECTIONS = (
    *("scores", "systems", "history", "origin", "distribution", "items", "buckets", "ngrams", "influence", "fluency"),
    *("diversity", "segments"),
)
AGREEMENT_SECTIONS = ("agreement", "rated_systems", "rated_groups", "disagreements")
_NAMED = 3  # systems in the title before the others are counted
_LONGEST_TITLE = 80  # letters; of longer names fewer are in it
_FOLDER = Path(__file__).parent
_STYLES = ("base", "charts", "sections", "browser", "media")
_SCRIPTS = (
    *("reading", "matching", "remarks", "edits", "work", "segment", "browser", "brushing", "links", "exporting"),
    *("tables", "panes"),
)
_RESCORING = ("worker", "rescoring")


def render(
    result: Result,
    *,
    segments_shown: int = SEGMENTS_SHOWN,
    columns: Mapping[str, Sequence[object]] | None = None,
    corpus: Sequence[str] | None = None,
    metrics: Mapping[str, Metric[Score]] | None = None,
    title: str | None = None,
    date: str | None = None,
    percent: bool = False,
    earlier: Mapping[str, Result] | None = None,
    run: str = "now",
    what_if: str | os.PathLike[str] | None = None,
) -> str:
    """The page. Systems that were not compared yet are; `columns` hold one label per segment, to sort them by.

    `corpus` are texts such as the training data: segments are also sorted by how often their rarest word occurs there.
    `metrics` are those that cannot be recreated from their signature, by their name in the result; without them, what
    they would compute is left out.

    `title` and `date` stand at its head; results hold no date, so that equal runs give equal files. With `percent`,
    scores are shown times 100. `earlier` are results on the same test set by name, oldest first; the page then shows
    the history up to this `run`.

    `what_if` is the web page that `make web` builds. With its module, readers can edit an output and see its scores.

    All segments are in it for the script to show. `segments_shown` of them, the worst, are also there without it: for
    print, and for readers without a script.
    """
    checks.order("segments_shown", segments_shown, smallest=0, largest=sys.maxsize)
    checks.instance("columns", columns, Mapping | None, "a dict with a list of labels by name")
    for name, labels in (columns or {}).items():
        checks.instance("columns", name, str, "a dict with a list of labels by name")
        checks.instance("columns", labels, list | tuple, f"a dict with a list of labels for {name}")
    if corpus is not None:
        checked_column(corpus, "corpus")
    checks.instance("earlier", earlier, Mapping | None, "a dict with a result by name")
    with using(result, metrics):
        compared = with_comparison(result)
        runs = history_of(compared, run, earlier) if earlier else None
        page = Page(compared, columns or {}, corpus, segments_shown, Digits(percent), runs)
        return _page(
            _title(page.result) if title is None else title,
            _facts(page.result, date),
            {name: _section(name).view(page) for name in SECTIONS},
            find(page),
            page.metrics,
            result=page.result,
            data=page.data,
            scorer=None if what_if is None else _scorer(Path(what_if)),
        )


def _scorer(page: Path) -> dict[str, Markup]:
    """The module and the code of the worker, as they stand in the web page."""
    try:
        found = re.findall(r'<script[^>]* id="(module|worker)">(.*?)</script>', page.read_text("utf-8"), re.DOTALL)
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(str(page), f"it cannot be read ({error})") from None
    if len(found) != 2:
        raise DataFileError(str(page), "it is not the page that make web builds, build/web/bleuprint.html")
    return {name: Markup(content) for name, content in found}


def render_diversity(scores: Mapping[str, SelfBleuScore], measures: Mapping[str, Diversity] | None = None) -> str:
    """The page of nothing but diversity: how much the texts of each set repeat each other, and all other measures."""
    from bleuprint.report.sections.diversity import of_scores

    texts = sum(score.texts for score in scores.values())
    view = of_scores(scores, dict.fromkeys(scores, 0), Canvas(), measures)
    findings = [] if view is None or view.pools is None else view.pools.findings(FRACTIONS)
    title = f"{texts:,} texts, how much they repeat each other"
    return _page(title, list(scores), {"diversity": view}, [(sentence, "diversity") for sentence in findings])


def render_agreement(result: Agreement, *, title: str | None = None, date: str | None = None) -> str:
    """The page of an agreement: which metrics agree with people, and where they do not."""
    columns = list(dict.fromkeys(entry.human for entry in result.levels))
    facts = [Path(result.name).name, f"{result.outputs:,} outputs", f"{result.segments:,} segments"]
    facts += [f"{len(result.systems)} systems"] if result.systems else []
    return _page(
        f"Which metric agrees with {' and '.join(columns)}" if title is None else title,
        [*([date] if date else []), *facts, f"{len(result.signatures)} metrics"],
        {name: _section(name).view(result) for name in AGREEMENT_SECTIONS},
        [(entry.verdict, "agreement") for entry in result.levels],
        _heads(result.signatures, result.lower_is_better),
    )


def render_seen(result: Seen, *, name: str, percent: bool = False) -> str:
    """The page of what a corpus contains of items, with the seen words highlighted; `name` is that of the items."""
    from bleuprint.report.sections.seen import of_seen

    files = f"{len(result.files):,} {'file' if len(result.files) == 1 else 'files'}"
    return _page(
        f"{Path(name).name}: {result.verdicts['contaminated']:,} of {len(result.texts):,} items contaminated",
        [f"corpus of {result.records:,} records in {files}"],
        {"seen": of_seen(result, Canvas(digits=Digits(percent)))},
    )


def render_analysis(shown: Shown, *, title: str | None = None, date: str | None = None) -> str:
    """The page of a fit, a threshold or a power curve."""
    from bleuprint.report.sections.analysis import view_of

    view = view_of(shown)
    return _page(
        view.title if title is None else title,
        [*([date] if date else []), Path(shown.name).name],
        {"analysis": view},
        [(shown.verdict, "analysis")],
        _heads(view.tables[0].signatures or {}),
    )


def _heads(metrics: Iterable[str], lower_is_better: Collection[str] = ()) -> list[MetricHead]:
    """Metrics as headings and links need them, where scores are fractions."""
    return [
        MetricHead(name, number, name not in lower_is_better, cards.find(name), FRACTIONS)
        for number, name in enumerate(metrics)
    ]


def page_of(result: object, **options: Any) -> str:
    """The page of any result that has one; `bleuprint.results.pages` asks for it."""
    if isinstance(result, Result):
        return render(result, **options)
    from bleuprint.ratings.agreement.result import Agreement

    renderer: Callable[..., str] = render_agreement if isinstance(result, Agreement) else render_analysis
    return renderer(result, **options)


def _title(result: Result) -> str:
    """What was compared, in words."""
    names = [system.name for system in result.systems]
    if not names:
        return "No systems"
    for named in range(min(_NAMED, len(names)), 0, -1):
        left = len(names) - named
        title = join_names(names, named) + (f" {'system' if left == 1 else 'systems'}" if left else "")
        if len(title) <= _LONGEST_TITLE:
            return title
    return names[0] if len(names) == 1 else f"{len(names)} systems"


def _facts(result: Result, date: str | None) -> list[str]:
    """When, how much, on what: a test set has no name of its own, so the digest of its references stands for it."""
    many, size = len(result.systems), result.size
    facts = [date] if date else []
    facts.append(f"{many} {'system' if many == 1 else 'systems'}")
    facts.append(f"{size:,} {'segment' if size == 1 else 'segments'}")
    counts = sorted({len(references) for references in result.segment_references})
    if counts:
        references = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        facts.append(f"{references} {'reference' if counts == [1] else 'references'} each")
    if result.sources is not None:
        facts.append("with sources")
    if digest := result.digests.get("references"):
        facts.append(f"test set {digest.rpartition(':')[2][:8]}")
    return facts


def _section(name: str) -> Any:
    """The module of a section, with its `LINK` and its `view`."""
    return import_module(f"bleuprint.report.sections.{name}")


def _page(
    title: str,
    facts: Sequence[str],
    views: Mapping[str, object],
    findings: Sequence[Finding] = (),
    metrics: Sequence[MetricHead] = (),
    *,
    result: Result | None = None,
    data: str = "",
    scorer: Mapping[str, Markup] | None = None,
) -> str:
    style = "\n".join((_FOLDER / "style" / f"{name}.css").read_text(encoding="utf-8") for name in _STYLES)
    scripts = (*_SCRIPTS, *(_RESCORING if scorer else ()), "start")
    script = "\n".join((_FOLDER / "script" / f"{name}.js").read_text(encoding="utf-8") for name in scripts)
    template = _environment().get_template("report.html.j2")
    return template.render(
        title=title,
        facts=facts,
        findings=[(text, section, _section(section).LINK) for text, section in findings],
        metrics=metrics,
        sections=[(name, _section(name).LINK, view) for name, view in views.items() if view or name == "segments"],
        result=result,
        data=data,
        version=__version__,
        style=Markup(style),
        script=Markup(script),
        scorer=scorer or {},
        policy=_policy(style, script, module=bool(scorer)),
    )


def _policy(style: str, script: str, *, module: bool = False) -> str:
    """Nothing may load or run; the one style sheet and the one script are let in by their hashes.

    Pictures may come from the page's own script alone (blob:), which draws a chart as one before it saves it as PNG.
    With a compiled module, so may the worker that runs it.
    """
    styles, scripts = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script))
    compiled = " 'wasm-unsafe-eval'; worker-src blob:" if module else ""
    allowed = f"style-src 'sha256-{styles}'; script-src 'sha256-{scripts}'{compiled}; img-src blob:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader([_FOLDER / "layout", _FOLDER / "sections"]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"cut_text": cut_text, "meter": meter, "plain_text": cards.plain_text}
    environment.filters["next_number"] = lambda place: f"{place + 1:,}"
    environment.globals["find_card"] = cards.find
    return environment

"""Charts of a result by name, and as files of their own: SVG, and PNG or PDF by way of Typst.

Typst needs no library of the system, shapes Arabic and Indic text, and takes missing letters from other fonts. CairoSVG
does neither: Arabic comes out left to right in single letters, and Japanese as boxes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from bleuprint import checks
from bleuprint.errors import ExtraImport, OptionError, ResultError
from bleuprint.insight.quadrants import Quadrants
from bleuprint.metrics.base import Metric, Score
from bleuprint.report.charts import Canvas, Drawing
from bleuprint.report.charts.labels import shorten
from bleuprint.report.charts.svg import number, visible
from bleuprint.report.replay import rank_systems, using
from bleuprint.report.sections import buckets, distribution, diversity, fluency, influence, origin, scores, systems
from bleuprint.report.sections.scores import sweep
from bleuprint.results import Result, SystemResult
from bleuprint.results.digits import Digits
from bleuprint.results.naming import paper_name
from bleuprint.runners.replaying import check_result

if TYPE_CHECKING:
    from bleuprint.pools.diversity import Diversity

_FOLDER = Path(__file__).parent
PICTURE_WIDTH = 480  # pixels, five inches
_PAGE_WIDTH = 672
_MARGIN = 8
_HEAD = 24  # height of a title
FORMATS = (".svg", ".png", ".pdf")
_UNITS = {"px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "pt": 96 / 72}
_DOTS_PER_INCH = 300
_DOCUMENT = """#set document(title: sys.inputs.title, date: none)
#set page(width: {width}pt, height: {height}pt, margin: 0pt)
#image("picture.svg", width: 100%, alt: sys.inputs.title)
"""


class Chart(NamedTuple):
    """What a chart shows, how it is drawn, and of how many systems; None for any number."""

    shows: str
    draw: Callable[[Result, str, Sequence[SystemResult], Canvas], Drawing | None]
    systems: int | None = None
    ranked: bool = False  # best system first, unless systems are named
    needs: str = "scores of segments"  # what a result without such a chart lacks


_BOTH = "scores of a metric such as bleu and of perplexity"
_PAIRS = "two systems to compare"
CHARTS = {
    "distribution": Chart("how the scores of single segments spread", distribution.draw),
    "diversity": Chart("Self-BLEU of the outputs by order", diversity.draw, needs="texts to compare"),
    "fluency": Chart("fidelity of every segment against its perplexity, in quadrants", fluency.draw, needs=_BOTH),
    "influence": Chart("the segments that cost most", influence.draw, systems=1),
    "length": Chart("the scores by the length of the references, with intervals", buckets.draw),
    "matrix": Chart("every system against every other", systems.draw_matrix, ranked=True, needs=_PAIRS),
    "origin": Chart("how the score comes about, from single words to the brevity penalty", origin.draw, systems=1),
    "scores": Chart("all systems with their intervals", scores.draw, ranked=True),
    "sweep": Chart("iBLEU by its weight alpha", sweep.draw, needs="iBLEU scores"),
    "systems": Chart("the differences between systems with their intervals", systems.draw, ranked=True, needs=_PAIRS),
    "tradeoff": Chart("fidelity of the systems against their perplexity", scores.draw_tradeoff, needs=_BOTH),
    "versus": Chart("the segments of two systems against each other", systems.draw_versus, systems=2, needs=_PAIRS),
}


def picture(
    result: Result,
    chart: str,
    *,
    metric: str | None = None,
    systems: Sequence[str] | None = None,
    width: float | None = None,
    height: float | None = None,
    percent: bool = False,
    metrics: Mapping[str, Metric[Score]] | None = None,
) -> Drawing:
    """A chart of the result by name; the first metric and all systems, or the best that the chart has room for.

    `width` and `height` are in pixels, 96 to an inch; by default the content decides the height. With `percent`,
    scores are shown times 100, except those of metrics with their own scale. `metrics` are those that cannot be
    recreated from their signature, by their name in the result.

    >>> from bleuprint import evaluate
    >>> picture(evaluate(["a b c d"], ["a b c e"]), "origin", width=320).width
    320.0
    """
    check_result(result, metrics)
    checks.flag("percent", percent)
    if not isinstance(chart, str) or chart not in CHARTS:
        raise OptionError("chart", f"one of {', '.join(CHARTS)}", chart)
    if not result.systems or not result.metrics:
        raise OptionError.because("nothing to draw: the result has no scores")
    if metric is None and chart == "sweep":
        metric = next((found.metric for found in sweep.sweeps_of(result)), None)
    metric = result.metrics[0] if metric is None else metric
    _check_name("metric", metric, result.metrics)
    names = {score.metric: paper_name(score.metric, score.signature) for score in result.systems[0].scores}
    if len(set(names.values())) == len(names):
        result, metric = _rename_metrics(result, names), names[metric]
        metrics = {names[name]: known for name, known in (metrics or {}).items()}
    with using(result, metrics):
        chosen = _systems(result, chart, metric, systems)
        canvas = Canvas(PICTURE_WIDTH if width is None else width, height, Digits(percent))
        drawn = CHARTS[chart].draw(result, metric, chosen, canvas)
    if drawn is None:
        raise OptionError.because(f"cannot draw {chart!r}: the result has no {CHARTS[chart].needs}")
    return drawn


def _rename_metrics(result: Result, names: Mapping[str, str]) -> Result:
    """The result with its metrics as papers write them."""
    comparison, systems = result.comparison, []
    for system in result.systems:
        scores = tuple(replace(score, metric=names[score.metric]) for score in system.scores)
        systems.append(replace(system, scores=scores))
    if comparison is not None:
        entries = tuple(replace(entry, metric=names[entry.metric]) for entry in comparison.metrics)
        comparison = replace(comparison, metrics=entries)
    kept = (result.counted or {}).items()
    counted = {system: {names[name]: measured for name, measured in known.items()} for system, known in kept}
    return replace(result, systems=tuple(systems), comparison=comparison, counted=counted)


def _systems(result: Result, chart: str, metric: str, named: Sequence[str] | None) -> list[SystemResult]:
    entry, order = CHARTS[chart], rank_systems(result, metric)
    checks.instance("systems", named, list | tuple | None, "a list of names")
    if named:
        known = {system.name: system for system in order}
        for name in named:
            _check_name("system", name, list(known))
        if len(set(named)) < len(named):
            raise OptionError("systems", "different names", list(named))
        chosen = [known[name] for name in named]
    else:
        chosen = order[: entry.systems] if entry.ranked or entry.systems else list(result.systems)
    if entry.systems is not None and len(chosen) != entry.systems:
        needed = "one system" if entry.systems == 1 else f"{entry.systems} systems"
        raise OptionError("systems", f"{needed} for the chart {chart}", [system.name for system in chosen])
    return chosen


def _check_name(option: str, name: object, names: Sequence[str]) -> None:
    if not isinstance(name, str) or name not in names:
        raise OptionError(option, f"one of {', '.join(names)}", name)


def merge_results(results: Mapping[str, Result]) -> Result:
    """Several results on the same references as one, by the names of their files.

    A system whose name occurs in several of them is called by its file as well.
    """
    (first_file, first), *others = results.items()
    for file, result in others:
        if (result.size, result.references) != (first.size, first.references):
            raise ResultError(file, f"its references are not those of {first_file}; one chart needs the same segments")
        for name in result.metrics:
            known = {score.signature for system in first.systems for score in system.scores if score.metric == name}
            if not {system.score(name).signature for system in result.systems} <= known:
                raise ResultError(file, f"its {name} was not measured with the options of {first_file}")
        if result.metrics != first.metrics:
            raise ResultError(file, f"it has {', '.join(result.metrics)}, but {first_file} {', '.join(first.metrics)}")
    names = [system.name for result in results.values() for system in result.systems]
    merged = []
    for file, result in results.items():
        for system in result.systems:
            several = names.count(system.name) > 1
            own = Path(file).stem if len(result.systems) == 1 else f"{Path(file).stem}: {system.name}"
            merged.append(replace(system, name=own) if several else system)
    if len({system.name for system in merged}) < len(merged):
        raise ResultError(first_file, "two systems would have the same name; rename one of the files")
    return first if not others else replace(first, systems=tuple(merged), comparison=None)


def inner_size(
    width: float | None = None, height: float | None = None, title: str = "", *, percent: bool = False
) -> Canvas:
    """The size of the chart in a file of this size."""
    inside = (PICTURE_WIDTH if width is None else width) - 2 * _MARGIN
    head = 2 * _MARGIN + (_HEAD if title else 0)
    return Canvas(inside, None if height is None else height - head, Digits(percent))


def alone(drawn: Drawing, title: str = "") -> str:
    """A chart as a file of its own: with its colors, a background, a margin, and a title unless it is empty."""
    head = _MARGIN + (_HEAD if title else 0)
    width, height = drawn.width + 2 * _MARGIN, drawn.height + head + _MARGIN
    opening = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="chart {kind}" viewBox="0 0 {width} {height}" width="{width}" '
        'height="{height}" role="img"><title>{title}</title><style>{style}</style>'
        '<rect class="ground" width="{width}" height="{height}"/>'
    ).format(
        kind=drawn.kind,
        width=number(width),
        height=number(height),
        title=visible(title or drawn.kind),
        style=Markup(_style()),
    )
    heading = Markup("")
    if title:
        (shown,) = shorten([title], drawn.width)
        heading = Markup('<text class="title" x="{}" y="{}">{}</text>').format(_MARGIN, _MARGIN + 12, visible(shown))
    inside = Markup('<g transform="translate({} {})">{}</g>').format(_MARGIN, head, drawn.content)
    return f"{opening}{heading}{inside}</svg>\n"


def quadrant_plot(assignment: Quadrants, *, percent: bool = False) -> str:
    """A file with the quadrants of every system, side by side, as the report draws them.

    With `percent`, scores are shown times 100, except those of metrics with their own scale.

    >>> from bleuprint import evaluate
    >>> from bleuprint.insight import quadrants
    >>> result = evaluate(["a b", "c"], ["a b", "d"], metrics=["chrf", "bleu"])
    >>> quadrant_plot(quadrants(result, fluency="bleu")).startswith("<svg ")
    True
    """
    width = _PAGE_WIDTH if len(assignment.systems) > 1 else PICTURE_WIDTH
    return alone(fluency.draw_quadrants(assignment, list(assignment.systems), inner_size(width, percent=percent)))


def diversity_plot(results: Mapping[str, Diversity], *, percent: bool = False) -> str:
    """A file with all measures of diversity of each pool, by its name; with `percent`, shares are shown times 100.

    >>> from bleuprint import diversity
    >>> diversity_plot({"one": diversity(["a b", "a c", "b d"])}).startswith("<svg ")
    True
    """
    return alone(diversity.draw_measures(results, inner_size(percent=percent)))


@cache
def _style() -> str:
    """The rules for charts with the colors of daylight put in: not every reader of SVG knows variables."""
    base, rules = ((_FOLDER / "style" / name).read_text(encoding="utf-8") for name in ("base.css", "charts.css"))
    colors = dict(re.findall(r"(--[a-z0-9-]+): light-dark\((#[0-9a-f]+),", base + rules))
    _, _, drawn = rules.partition("}\n")  # after the colors
    return re.sub(r"var\((--[a-z0-9-]+)\)", lambda match: colors[match[1]], drawn)


def pixels(length: str) -> float:
    """A length with its unit in pixels, 96 to an inch.

    >>> pixels("3.3in"), pixels("320px")
    (316.8, 320.0)
    """
    checks.instance("length", length, str, "a text such as '3.3in'")
    parts = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*([a-z]+)\s*", length, re.ASCII)
    if parts is None or parts[2] not in _UNITS or not 0 < float(parts[1]) < 1e6:
        raise OptionError("length", "a number above 0 with a unit: 3.3in, 8.4cm, 84mm, 240pt or 320px", length)
    return round(float(parts[1]) * _UNITS[parts[2]], 6)


def check_picture_path(option: str, path: str | Path) -> None:
    """Refuse a file that no picture can be written to, before any work is done for it."""
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise OptionError(option, f"a file that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}", str(path))
    if ending != ".svg":
        _typst(ending)


def picture_bytes(svg: str, path: str | Path) -> bytes:
    """The picture in the format that the file's ending names.

    >>> picture_bytes("<svg/>", "picture.svg")
    b'<svg/>'
    """
    check_picture_path("path", path)
    ending = Path(path).suffix.lower()
    if ending == ".svg":
        return svg.encode()
    width, height = (float(size) for size in re.findall(r' (?:width|height)="([0-9.]+)"', svg)[:2])
    title = re.search("<title>([^<]*)</title>", svg)
    files = {
        "main.typ": _DOCUMENT.format(width=0.75 * width, height=0.75 * height).encode(),
        "picture.svg": svg.encode(),
    }
    drawn: bytes = _typst(ending).compile(
        files, format=ending[1:], ppi=_DOTS_PER_INCH, sys_inputs={"title": "" if title is None else title[1]}
    )
    return drawn


def _typst(ending: str):  # type: ignore[no-untyped-def]  # a module without types
    with ExtraImport(f"writing {ending[1:].upper()}", ("typst",), "pictures"):
        import typst
    return typst

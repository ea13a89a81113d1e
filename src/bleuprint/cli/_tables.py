"""Tables of a result for the terminal."""

from __future__ import annotations

from dataclasses import replace

from bleuprint import signature
from bleuprint.errors import BleuprintError
from bleuprint.metrics import registry
from bleuprint.results import MetricResult, Result
from bleuprint.results.digits import Digits
from bleuprint.results.display import Cell, DisplayTable, words
from bleuprint.results.methods import sacrebleu_signature

# Parts of perplexity and of Fréchet distance, as a table calls them.
_NAMED_PARTS = {
    "without_unknown": "without unknown",
    "log_probability": "log10 probability",
    "tokens": "tokens",
    "unknown_words": "unknown",
    "distance": "d",
    "mean_part": "of means",
    "covariance_part": "of covariances",
}


def add_parts(table: DisplayTable, result: Result, digits: Digits) -> DisplayTable:
    """The table of scores with the parts of the score of a single metric."""
    if len(result.metrics) > 1:
        return table
    parts = [_parts(system.scores[0], digits) for system in result.systems]
    cells = (words(*(shown.get(name, "") for name in parts[0])) for shown in parts)
    rows = tuple((*row, *more) for row, more in zip(table.rows, cells, strict=True))
    return replace(table, header=(*table.header, *parts[0]), rows=rows)


def segment_table(result: Result, digits: Digits) -> DisplayTable:
    """One row per segment, named by its id or its number: its score for every system and metric that has one."""
    several = len(result.metrics) > 1
    columns = [
        (system, score) for system in result.systems for score in system.scores if len(score.segments) == result.size
    ]
    head = [f"{system.name} {score.metric}" if several else system.name for system, score in columns]
    values = zip(*(score.segments for _, score in columns), strict=True)
    names = range(1, result.size + 1) if result.ids is None else result.ids
    shown = [digits.of(score.signature) for _, score in columns]
    rows = [
        (Cell(str(name)), *(Cell(write(value), value) for write, value in zip(shown, row, strict=True)))
        for name, row in zip(names, values, strict=True)
    ]
    return DisplayTable(("segment" if result.ids is None else "id", *head), tuple(rows))


def short_signature(text: str) -> str:
    """Return sacrebleu's signature if it says everything, else the options that differ from the defaults.

    >>> short_signature("gleu.1|lowercase:no|max_order:2|min_order:1|tokenizer:13a#references:1|bleuprint:0.1.0")
    'gleu|max_order:2|references:1|bleuprint:0.1.0'
    """
    recorded = signature.parse(text)
    facts = [f"{fact}:{value}" for fact, value in recorded.facts.items()]
    try:
        registry.from_signature(text)
        defaults = registry.resolve(recorded.metric).options
    except BleuprintError:  # a model, which a signature only names, or a metric of another version
        return text
    differing = {option: value for option, value in recorded.options.items() if defaults.get(option) != value}
    theirs = sacrebleu_signature(text)
    if theirs is not None:
        return f"{recorded.metric}|{theirs}"
    own = signature.write(recorded.metric, recorded.version, differing, {}).split("|")[1:]
    return "|".join([recorded.metric, *own, *facts])


def _parts(score: MetricResult, digits: Digits) -> dict[str, str]:
    """The parts short enough for one table cell; which ones exist depends on the metric."""
    shown, digits = dict[str, str](), digits.of(score.signature)
    precisions = score.parts.get("precisions")
    if isinstance(precisions, tuple):
        shown |= {f"{order}-gram": digits(value) for order, value in enumerate(precisions, start=1)}
    by_order = score.parts.get("per_order")
    if isinstance(by_order, tuple):
        shown |= {f"order {order}": digits(value) for order, value in enumerate(by_order, start=1)}
    for part, name in _NAMED_PARTS.items():
        number = score.parts.get(part)
        if isinstance(number, float | int):
            shown[name] = str(number) if isinstance(number, int) else digits(number)
    penalty = score.parts.get("brevity_penalty")
    if isinstance(penalty, float | int):
        shown["BP"] = f"{penalty:.3f}"
    hypothesis, reference = score.parts.get("hypothesis_length"), score.parts.get("reference_length")
    if isinstance(hypothesis, int) and isinstance(reference, int):
        shown["ratio"] = f"{hypothesis / reference:.3f}" if reference else "none"
    return shown

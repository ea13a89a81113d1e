"""What the page's script reads: all segments with their tokens and scores, compressed.

It stands in the page as digits of base 85, so that no text of anyone can end the block it stands in.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from bleuprint import signature
from bleuprint.core.tokenizers import Tokenizer, resolve
from bleuprint.insight.worked import Work, work
from bleuprint.metrics.base import Metric, Score
from bleuprint.metrics.ibleu import IBLEU
from bleuprint.report.figures import metric_name
from bleuprint.report.replay import if_possible, metric_of, rank_systems
from bleuprint.report.sections.segments import worst_segments
from bleuprint.report.sections.segments.marks import Marked, mark
from bleuprint.results import MetricResult, Result

if TYPE_CHECKING:
    from bleuprint.report.page import Page

LONGEST = 20_000  # letters; the page marks nothing in a longer text
_WORKED_SYSTEMS = 3  # whose scores are shown step by step, the best ones
_LONGEST_WORKED = 2000  # letters of a text
SCORE_STEPS = 10_000  # scores of segments are kept to four digits
# The metrics whose matches are those of n-grams, and the option for the longest.
_LONGEST_NGRAM = {"bleu": "max_order", "item-bleu": "n_grams", IBLEU.name: "max_order"}
# Base 85 is six per cent shorter than base 64. Three of its digits could mean something in HTML, and are others here.
_HARMLESS = bytes.maketrans(b"<>&", b",:.")


class Marking(NamedTuple):
    """Which tokens and orders are marked: those of the first BLEU, or words where there is none."""

    tokenizer: Tokenizer
    orders: int
    metric: str | None  # whose counts the marks are
    copies: str | None = None  # the iBLEU of the same tokens, which subtracts what is copied from the source


class Segments(NamedTuple):
    """The texts with their tokens."""

    references: tuple[tuple[Marked, ...], ...]
    systems: tuple[tuple[Marked, ...], ...]
    sources: tuple[Marked, ...]  # empty unless what is copied from them is marked
    lengths: tuple[int, ...]  # mean tokens of the references, rounded down


def marking_of(result: Result) -> Marking:
    """The tokens of the first metric whose matches are those of n-grams."""
    scores = result.systems[0].scores if result.systems else ()
    known = [marking for score in scores if (marking := if_possible(_marking, score)) is not None]
    if not known:
        return Marking(resolve("13a"), 4, None)
    same = (other.copies for other in known if other.copies and other.tokenizer == known[0].tokenizer)
    return known[0]._replace(copies=next(same, None))


def _marking(score: MetricResult) -> Marking | None:
    name = signature.parse(score.signature).metric
    if name not in _LONGEST_NGRAM:
        return None
    metric = metric_of(score)
    copies = score.metric if name == IBLEU.name else None
    return Marking(metric.tokenizer, int(str(metric.options[_LONGEST_NGRAM[name]])), score.metric, copies)


def segments_of(result: Result, marking: Marking) -> Segments:
    """All texts, each distinct one taken apart once."""
    known: dict[str, Marked] = {}
    tokenizer = marking.tokenizer

    def taken_apart(text: str) -> Marked:
        if text not in known and len(text) > LONGEST:
            known[text] = Marked(text, tokens=len(tokenizer(text)))
        elif text not in known:
            known[text] = mark(text, tokenizer, lowercase=tokenizer.lowercase)
        return known[text]

    groups = result.segment_references or ((),) * result.size
    references = tuple(tuple(map(taken_apart, group)) for group in groups)
    return Segments(
        references=references,
        systems=tuple(tuple(map(taken_apart, system.hypotheses)) for system in result.systems),
        sources=tuple(map(taken_apart, result.sources or ())) if marking.copies else (),
        lengths=tuple(sum(text.tokens for text in group) // max(len(group), 1) for group in references),
    )


def _round(value: float) -> int | None:
    """A score in steps; nothing for one without end."""
    return round(value * SCORE_STEPS) if math.isfinite(value * SCORE_STEPS) else None


def embed(page: Page, scored: str) -> str:
    """The block: JSON, deflated, in base 85. Texts of one segment stand together, as they resemble each other."""
    result, marking, segments = page.browsed, page.marking, page.segments
    texts = [
        [
            None if result.sources is None else result.sources[index],
            [text.to_json() for text in segments.references[index]],
            [system[index].to_json() for system in segments.systems],
            *(source.to_json() for source in segments.sources[index : index + 1]),
        ]
        for index in range(len(segments.references))
    ]
    content = {
        "systems": [system.name for system in result.systems],
        "metrics": [
            {
                "name": score.metric,
                "higher": score.higher_is_better,
                "percent": head.digits.percent,
                "bySize": head.digits.by_size,
                "measures": metric_name(score),
                "scored": bool(score.segments),
                "signature": score.segment_signature if score.unit == "segment" else None,
            }
            for score, head in zip(result.systems[0].scores, page.metrics, strict=True)
        ],
        "ids": result.ids,
        "ranking": [page.result.systems.index(system) for system in rank_systems(page.result, scored)],
        "steps": _steps_of(page.result, worst_segments(page.result, page.segments_shown)),
        "marking": {
            "metric": marking.metric,
            "copies": marking.copies,
            "orders": marking.orders,
            "lowercase": marking.tokenizer.lowercase,
            "tokenizer": marking.tokenizer.name,
        },
        "scores": [
            # A metric that scores all outputs together has no scores of segments.
            [list(map(_round, system.score(metric).segments or [math.nan] * result.size)) for system in result.systems]
            for metric in result.metrics
        ],
        "groups": [{"name": group.name, "labels": group.labels, "of": group.of} for group in page.groupings],
        "texts": texts,
    }
    raw = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    compressor = zlib.compressobj(5, zlib.DEFLATED, -15)  # level 9 takes four times as long for a hundredth less
    return base64.b85encode(compressor.compress(raw) + compressor.flush()).translate(_HARMLESS).decode()


def _steps_of(result: Result, places: Iterable[int]) -> dict[str, object]:
    """The steps of the scores of these segments, by "metric system segment": so many, whatever the corpus."""
    stored: dict[str, object] = {}
    for number, metric in enumerate(result.metrics):
        for system in rank_systems(result, metric)[:_WORKED_SYSTEMS]:
            score, at = system.score(metric), result.systems.index(system)
            replayed = if_possible(metric_of, score)
            if replayed is None or replayed.slow:
                continue
            for place in places:
                references = result.segment_references[place] if result.segment_references else ()
                if max(map(len, (system.hypotheses[place], *references)), default=0) > _LONGEST_WORKED:
                    continue
                steps = if_possible(_steps, result, replayed, system.hypotheses[place], place)
                if steps is not None and steps.value == score.segments[place]:
                    stored[f"{number} {at} {place}"] = _plain(steps)
    return stored


def _steps(result: Result, metric: Metric[Score], output: str, place: int) -> Work:
    source = result.sources[place] if result.sources is not None and metric.needs_sources else None
    return work(output, result.references[place] if metric.needs_references else None, metric, source=source)


def _plain(steps: Work) -> list[object]:
    """Name, text, table and equations of every step."""
    return [
        [
            step.name,
            step.text,
            None if step.table is None else [step.table.header, *step.table.rows],
            [f"{equation}{f'   ({equation.note})' if equation.note else ''}" for equation in step.equations],
        ]
        for step in steps.steps
    ]

"""Show the work: how one score follows from its texts, step by step, with every number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bleuprint.core.columns import Text
from bleuprint.errors import OptionError
from bleuprint.insight.worked import alignments, bleu, cosines, overlaps, rewriting
from bleuprint.insight.worked.equations import Equation
from bleuprint.insight.worked.model import Board, MarkedText, Work, WorkStep, WorkTable
from bleuprint.insight.worked.reading import check
from bleuprint.metrics import cards, registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.self_bleu import text_bleu

__all__ = ["METRICS", "Equation", "MarkedText", "Work", "WorkStep", "WorkTable", "work"]

_Written = Callable[[Board, Any, Any, Any, Sequence[int]], None]
_DIRECT: dict[str, _Written] = {
    "bleu": bleu.bleu,
    "cer": alignments.error_rate,
    "chrf": overlaps.chrf,
    "cider": cosines.cider,
    "gleu": overlaps.gleu,
    "mer": alignments.error_rate,
    "meteor": alignments.meteor,
    "nist": overlaps.nist,
    "rouge": overlaps.rouge,
    "ter": alignments.ter,
    "wer": alignments.error_rate,
    "wil": alignments.error_rate,
    "wip": alignments.error_rate,
}
_OF_SOURCES: dict[str, Callable[[Board, Any, tuple[Any, Any, Any], Sequence[int]], None]] = {
    "gec-gleu": rewriting.gec_gleu,
    "sari": rewriting.sari,
}
METRICS = tuple(sorted((*_DIRECT, *_OF_SOURCES, "cross-bleu", "ibleu", "self-bleu", "sentence-bleu")))


def work(
    hypothesis: Text,
    references: Text | Sequence[Text],
    metric: str | Metric[Any] = "bleu",
    *,
    source: Text | None = None,
) -> Work:
    """Show how the score of one segment comes about: tokens, n-grams with their counts, every formula with its numbers.

    The arguments are those of `metric.sentence`, and so is the value: it is equal, not only close. For Self-BLEU and
    cross BLEU, `references` are the other texts of the pool, and the value is the score of this text in the pool. CIDEr
    needs `fit` first, as its `sentence` does.

    >>> steps = work("the cat sat", "the cat sat down", "bleu")
    >>> for name in ("p_1", "p_2", "BP"):
    ...     print(steps.equation(name))
    p_1 = m_1 / t_1 = 3 / 3 = 1.0000
    p_2 = m_2 / t_2 = 2 / 2 = 1.0000
    BP = exp(1 − r / c) = exp(1 − 4 / 3) = 0.7165
    >>> steps.value
    0.7165313105737893
    """
    known = _metric(metric)
    board = Board()
    if known.unit == "pool":
        value, signature = _in_a_pool(board, known, hypothesis, references)
    else:
        value, signature = _of_a_segment(board, known, hypothesis, references, source)
    card = cards.find(known.name)
    steps = board.steps
    check(known.name, [steps[-1].equations[-1].value], [value])
    title = known.name if card is None else card.title
    return Work(known.name, title, value, signature, tuple(board.texts), steps)


def _metric(metric: str | Metric[Any]) -> Metric[Any]:
    if isinstance(metric, str) and metric in METRICS:
        kind: Any = registry.metrics()[metric]
        made: Metric[Any] = kind()
        return made
    name = metric.name if isinstance(metric, Metric) else metric
    if name not in METRICS or isinstance(metric, str):
        raise OptionError("metric", f"one whose steps can be shown: {', '.join(METRICS)}", name)
    return metric


def _of_a_segment(
    board: Board, metric: Metric[Any], hypothesis: Text, references: Text | Sequence[Text], source: Text | None
) -> tuple[float, str]:
    definition = metric.definition
    score = metric.sentence(hypothesis, references, source=source)
    listed = _listed(hypothesis, references)
    match metric.name:
        case "sentence-bleu":
            bleu.bleu(board, definition.formula.bleu, hypothesis, listed, score.columns, symbol="score")
        case "ibleu":
            assert source is not None
            formula = definition.formula
            bleu.ibleu(board, formula.bleu, formula.alpha, (hypothesis, listed, source), score.columns)
        case "gec-gleu" | "sari":
            _OF_SOURCES[metric.name](board, definition, (hypothesis, listed, source), score.columns)
        case _:
            _DIRECT[metric.name](board, definition, hypothesis, listed, score.columns)
    return score.value, score.signature


def _in_a_pool(
    board: Board, metric: Metric[Any], hypothesis: Text, references: Text | Sequence[Text]
) -> tuple[float, str]:
    """BLEU of one text against the others."""
    names = ("max_order", "weights", "smoothing", "tokenizer", "lowercase")
    options: dict[str, Any] = {name: metric.options[name] for name in names}
    tokenizer = metric.definition.tokenizer.argument
    definition, _ = text_bleu(**{**options, "tokenizer": options["tokenizer"] if tokenizer is None else tokenizer})
    score = definition.sentence_score(hypothesis, references, None)
    bleu.bleu(board, definition, hypothesis, _listed(hypothesis, references), score.columns)
    return score.value, score.signature


def _listed(hypothesis: Text, references: Text | Sequence[Text]) -> list[Any]:
    """The references as a list of texts; a list of tokens is one text if the hypothesis is one too."""
    if isinstance(references, str):
        return [references]
    given = [reference for reference in references if reference is not None]
    if isinstance(hypothesis, str) or (given and not isinstance(given[0], str | int)):
        return given
    return [given]

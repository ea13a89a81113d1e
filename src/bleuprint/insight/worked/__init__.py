"""Show the work: how one score follows from its texts, step by step, with every number.

The equations are those of the formula itself, run on terms. What a metric counts is shown by tables, which its function
below writes; a metric without one shows its counts and its equations.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from bleuprint.core.columns import Text, Texts
from bleuprint.errors import OptionError
from bleuprint.insight.worked import alignments, bleu, cosines, overlaps, rewriting
from bleuprint.insight.worked.equations import Equation
from bleuprint.insight.worked.model import Board, MarkedText, Work, WorkStep, WorkTable, check
from bleuprint.insight.worked.reading import Segment
from bleuprint.metrics import cards, registry
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import MeanFormula, named, sum_of, within
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import CountFormula, PooledTexts
from bleuprint.metrics.base.score import Score
from bleuprint.metrics.base.summaries import KeptRows
from bleuprint.metrics.base.terms import Term, lift, opaque
from bleuprint.metrics.self_bleu import text_bleu

__all__ = ["Equation", "MarkedText", "Work", "WorkStep", "WorkTable", "metric_names", "pool_names", "work"]

_TABLES: dict[str, Callable[[Board, Segment], None]] = {
    "bleu": bleu.bleu,
    "cer": alignments.error_rate,
    "chrf": overlaps.chrf,
    "cider": cosines.cider,
    "gec-gleu": rewriting.gec_gleu,
    "gleu": overlaps.gleu,
    "ibleu": bleu.ibleu,
    "mer": alignments.error_rate,
    "meteor": alignments.meteor,
    "nist": overlaps.nist,
    "rouge": overlaps.rouge,
    "sari": rewriting.sari,
    "sentence-bleu": bleu.sentence_bleu,
    "ter": alignments.ter,
    "wer": alignments.error_rate,
    "wil": alignments.error_rate,
    "wip": alignments.error_rate,
}
_POOLS = ("cross-bleu", "self-bleu")  # whose texts have scores of their own


def pool_names() -> list[str]:
    """The metrics of pools whose score of all texts can be shown."""
    return [name for name in registry.scored_by_name("pool") if _counted_pool(name) is not None]


def metric_names() -> list[str]:
    """The metrics whose steps can be shown by name; a metric that needs a model is passed itself."""
    return sorted((*registry.scored_by_name("segment"), *_POOLS))


def work(
    hypothesis: Text | Sequence[Text],
    references: Text | Sequence[Text] | None,
    metric: str | Metric[Score] = "bleu",
    *,
    source: Text | None = None,
) -> Work:
    """Show how the score of one segment comes about: tokens, n-grams with their counts, every formula with its numbers.

    The arguments are those of `metric.sentence`, and so is the value: it is equal, not only close. For Self-BLEU and
    cross BLEU, `references` are the other texts of the pool, and the value is the score of this text in the pool. CIDEr
    needs `fit` first, as its `sentence` does. Custom metrics show their counts and the equations of their formula. For
    other metrics of pools, such as distinct-n, `hypothesis` is the list of all texts, and the value is their score.

    >>> steps = work("the cat sat", "the cat sat down", "bleu")
    >>> for name in ("p_1", "p_2", "BP"):
    ...     print(steps.equation(name))
    p_1 = m_1 / t_1 = 3 / 3 = 1.0000
    p_2 = m_2 / t_2 = 2 / 2 = 1.0000
    BP = exp(1 − r / c) = exp(1 − 4 / 3) = 0.7165
    >>> steps.value
    0.7165313105737893
    """
    pool = _counted_pool(metric)
    if pool is not None:
        return _work_pool(pool, hypothesis, references)  # type: ignore[arg-type]  # refuses a bare text
    text: Text = hypothesis  # type: ignore[assignment]  # all other metrics refuse a list of texts
    known = _resolve(metric)
    definition = _text_definition(known) if known.unit == "pool" else known.definition
    score = definition.sentence_score(text, references, source)
    texts = _texts(text, references)
    columns = score.columns
    if issubclass(definition.summary, KeptRows):
        rows = definition.rows.counted(definition.read_one(text, references, source), 1)
        columns = tuple(rows.ravel().tolist())
    segment = Segment(definition, text, texts, source, columns)
    board = Board(definition.columns * (len(columns) // len(definition.columns)), columns)
    _TABLES.get(definition.name, _whole_texts)(board, segment)
    card = cards.find(known.name)
    title = known.name if card is None else card.title
    value = float(score.value)  # the formula of a custom metric may give one of NumPy's
    steps = _derive(board, definition, title, value)
    check(known.name, [steps[-1].equations[-1].value], [value])
    return Work(known.name, title, value, score.signature, tuple(board.texts), steps)


def _counted_pool(metric: str | Metric[Score]) -> Metric[Score] | None:
    """The metric, if its formula is arithmetic on counts of all texts."""
    by_name = isinstance(metric, str) and metric in registry.scored_by_name("pool")
    if not by_name and not isinstance(metric, Metric):
        return None
    known = registry.resolve(metric)
    return known if isinstance(known.definition.formula, CountFormula) else None


def _work_pool(metric: Metric[Score], texts: Texts, references: Texts | None) -> Work:
    """How the score of all texts follows from what is counted in them."""
    definition = metric.definition
    corpus = definition.read(texts, references, None)
    summary = PooledTexts.counted(definition, corpus, 1)
    score = summary.score()
    formula: CountFormula = definition.formula
    counted = formula.count(summary.texts, summary.reference_texts or summary.empty(), 1)
    board = Board(tuple(counted), tuple(counted.values()))
    for role, pool in (("text", summary.texts), ("reference", summary.reference_texts)):
        for number, tokens in enumerate(pool.tokens(list(range(len(pool)))) if len(pool) else (), start=1):
            board.texts.append(MarkedText(f"{role} {number}", tuple(map(str, tokens)), (0,) * len(tokens)))
    card = cards.find(metric.name)
    title = metric.name if card is None else card.title
    board.headings[""] = "Score", (inspect.getdoc(definition.kind) or "").partition("\n")[0]
    terms = dict(zip(counted, board.terms(), strict=True))
    steps = board.finish(lift(formula.evaluate(terms)[-1]).name(metric.name))
    check(metric.name, [steps[-1].equations[-1].value], [score.value])
    return Work(metric.name, title, score.value, score.signature, tuple(board.texts), steps)


def _resolve(metric: str | Metric[Score]) -> Metric[Score]:
    if isinstance(metric, Metric):
        shown = metric.unit == "segment" or metric.name in _POOLS
    else:
        shown = isinstance(metric, str) and (metric in metric_names() or metric in registry.plug_ins())
    if shown:
        return registry.resolve(metric)
    name = metric.name if isinstance(metric, Metric) else metric
    known = ", ".join(sorted([*metric_names(), *pool_names()]))
    raise OptionError("metric", f"one whose steps can be shown: {known}", name)


def _text_definition(metric: Metric[Score]) -> Definition:
    """BLEU of one text against the others."""
    names = ("max_order", "weights", "smoothing", "tokenizer", "lowercase")
    options: dict[str, Any] = {name: metric.options[name] for name in names}
    tokenizer = metric.definition.tokenizer.argument
    definition, _ = text_bleu(**{**options, "tokenizer": options["tokenizer"] if tokenizer is None else tokenizer})
    return definition


def _texts(hypothesis: Text, references: Text | Sequence[Text] | None) -> list[Any]:
    """The references as a list of texts; a list of tokens is one text if the hypothesis is one too."""
    if references is None or isinstance(references, str):
        return [] if references is None else [references]
    texts = [reference for reference in references if reference is not None]
    if isinstance(hypothesis, str) or (texts and not isinstance(texts[0], str | int)):
        return texts
    return [texts]


def _whole_texts(board: Board, segment: Segment) -> None:
    """The texts as they are, for a metric without tables."""
    roles = [("output", segment.output), ("source", segment.source)]
    roles += [
        (f"reference {n}" if len(segment.references) > 1 else "reference", text)
        for n, text in enumerate(segment.references, start=1)
    ]
    for role, text in roles:
        if text is not None:
            tokens = (text,) if isinstance(text, str) else tuple(text)
            board.texts.append(MarkedText(role, tokens, (0,) * len(tokens)))


def _derive(board: Board, definition: Definition, title: str, score: float) -> tuple[WorkStep, ...]:
    """The steps of the formula, run on terms."""
    terms = board.terms()
    board.headings[""] = "Score", (inspect.getdoc(definition.kind) or "").partition("\n")[0]
    try:
        value, *parts = _scores(definition, terms)
    except TypeError:  # a custom formula may use more of NumPy than terms know
        value, parts = opaque(score, terms, "the formula uses functions that cannot be written out"), []
    if board.shows_parts:
        value = value.refer()
    word = title.partition(" ")[0]
    return board.finish(value.name(word if word.isupper() else definition.name), parts if board.shows_parts else ())


def _scores(definition: Definition, terms: Sequence[Term]) -> list[Term]:
    """The value of a segment, and the other scores of the formula."""
    formula = definition.formula
    if issubclass(definition.summary, KeptRows):
        return [_mean_over_references(formula, terms, len(definition.columns))]
    if isinstance(formula, MeanFormula):
        return [lift(score) for score in formula.scores(terms).values()]
    return [lift(formula(terms, sentence=True))]


def _mean_over_references(formula: Any, terms: Sequence[Term], width: int) -> Term:
    """The mean over the references of a segment, whose rows stand one after the other."""
    rows = [terms[start : start + width] for start in range(0, len(terms), width)]
    if len(rows) == 1:
        return lift(formula(rows[0], sentence=True))
    scores = [formula(within(f"R{n}", row), sentence=True) for n, row in enumerate(rows, start=1)]
    mean: Term = named("GLEU", sum_of(scores) / len(scores))
    return mean

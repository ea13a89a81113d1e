"""Show the work: how one score follows from its texts, step by step, with every number.

The equations are those of the formula itself, run on terms. What a metric counts is shown by tables, which its function
below writes; a metric without one shows its counts and its equations.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from bleuprint.core.columns import Corpus, Text, Texts
from bleuprint.core.pool import Pool
from bleuprint.errors import OptionError
from bleuprint.insight.worked import alignments, ngrams
from bleuprint.insight.worked.board import Board, Segment, check
from bleuprint.insight.worked.equations import Equation
from bleuprint.insight.worked.model import MarkedText, Work, WorkStep, WorkTable
from bleuprint.metrics import cards, registry
from bleuprint.metrics.base import Definition, Metric, Score
from bleuprint.metrics.base.formulas import MeanFormula, named, sum_of, within
from bleuprint.metrics.base.pool import CountFormula
from bleuprint.metrics.base.summaries import KeptRows
from bleuprint.metrics.base.terms import Term, lift, opaque
from bleuprint.metrics.self_bleu import text_bleu

__all__ = ["Equation", "MarkedText", "Work", "WorkStep", "WorkTable", "metric_names", "pool_names", "work"]

_TABLES: dict[str, Callable[[Board, Segment], None]] = {
    "cider": ngrams.cider,
    "chrf": ngrams.chrf,
    "gec-gleu": ngrams.gec_gleu,
    "gleu": ngrams.gleu,
    "meteor": alignments.meteor,
    "nist": ngrams.nist,
    "rouge": ngrams.rouge,
    "sari": ngrams.sari,
    "ter": alignments.ter,
    **dict.fromkeys(("bleu", "ibleu", "item-bleu"), ngrams.bleu),
    **dict.fromkeys(("cer", "mer", "wer", "wil", "wip"), alignments.error_rate),
}
_POOLS = ("cross-bleu", "self-bleu")  # whose texts have scores of their own


def pool_names() -> list[str]:
    """The metrics of pools whose score of all texts can be shown."""
    names = registry.scored_by_name("pool")
    return [name for name in names if isinstance(registry.resolve(name).definition.formula, CountFormula)]


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
    known = _resolve(metric)
    card = cards.find(known.name)
    title, summary = (known.name, "") if card is None else (card.title, card.summary)
    # Metrics of segments refuse a list of texts, and those of pools a bare text.
    if isinstance(known.definition.formula, CountFormula):
        board, score, terms = _count_pool(known.definition, hypothesis, references)  # type: ignore[arg-type]
        symbol = known.name
    else:
        board, score, terms = _count_segment(known, hypothesis, references, source)  # type: ignore[arg-type]
        word = title.partition(" ")[0]
        symbol = word if word.isupper() else score.definition.name
    summary = summary or (inspect.getdoc(score.definition.kind) or "").partition("\n")[0]
    steps = board.finish(terms[0].name(symbol), terms[1:], f"{summary} {score.note}".strip())
    value = float(score.value)  # the formula of a custom metric may give one of NumPy's
    check(known.name, steps[-1].equations[-1].value, value)
    return Work(known.name, title, value, score.signature, tuple(board.texts), steps)


def _resolve(metric: str | Metric[Score]) -> Metric[Score]:
    known = registry.resolve(metric)
    if known.unit == "segment" or known.name in _POOLS or isinstance(known.definition.formula, CountFormula):
        return known
    names = ", ".join(sorted([*metric_names(), *pool_names()]))
    raise OptionError("metric", f"one whose steps can be shown: {names}", known.name)


def _count_pool(definition: Definition, texts: Texts, references: Texts | None) -> tuple[Board, Score, list[Term]]:
    """What is counted in all texts, and the score that follows from it."""
    corpus = definition.read(texts, references, None)
    definition = definition.ready_for(corpus, 1)
    summary: Any = definition.summary.of_corpus(definition, corpus, 1)
    score = summary.score()
    formula: CountFormula = definition.formula
    counted = formula.count(summary.texts, summary.reference_texts or summary.empty(), 1)
    board = Board(tuple(counted), tuple(counted.values()))
    board.headings.clear()
    for role, pool, column in (
        ("text", summary.texts, corpus.hypotheses),
        ("reference", summary.reference_texts, corpus.references.flattened()),
    ):
        whole: list[list[Any]] = [group[:1] for group in column.unpack()] if len(pool) else []  # as an encoder reads
        read = pool.tokens(list(range(len(pool)))) if isinstance(pool, Pool) else whole
        for number, tokens in enumerate(read, start=1):
            board.show_plain(f"{role} {number}", tuple(map(str, tokens)))
    terms = dict(zip(counted, board.terms(), strict=True))
    return board, score, [lift(formula.evaluate(terms)[-1])]


def _count_segment(
    metric: Metric[Score], text: Text, references: Text | Sequence[Text] | None, source: Text | None
) -> tuple[Board, Score, list[Term]]:
    """What is counted in a segment, and its scores: the value, then the others of the formula."""
    unfitted = _text_definition(metric) if metric.unit == "pool" else metric.definition
    score: Score = unfitted.sentence_score(text, references, source)
    definition, columns = score.definition, score.columns
    if issubclass(definition.summary, KeptRows):
        rows = definition.rows.count(definition.read_one(text, references, source), 1)
        columns = tuple(rows.ravel().tolist())
    (compared,) = [[]] if references is None else Corpus.of_one(text, references).references.unpack()
    segment = Segment(definition, text, compared, source, unfitted.prior is not None)
    board = Board(definition.columns * (len(columns) // len(definition.columns)), columns)
    _TABLES.get(definition.name, _whole_texts)(board, segment)
    terms = board.terms()
    try:
        value, *parts = _scores(definition, terms)
    except TypeError:  # a custom formula may use more of NumPy than terms know
        value, parts = opaque(float(score.value), terms, "the formula uses functions that cannot be written out"), []
    return board, score, [value.refer(), *parts] if board.shows_parts else [value]


def _text_definition(metric: Metric[Score]) -> Definition:
    """BLEU of one text against the others."""
    names = ("max_order", "weights", "smoothing", "tokenizer", "lowercase")
    options = {name: metric.options[name] for name in names}
    argument = metric.definition.tokenizer.argument
    definition, _ = text_bleu(**(options if argument is None else {**options, "tokenizer": argument}))
    return definition


def _whole_texts(board: Board, segment: Segment) -> None:
    """The texts as they are, and one step, for a metric without tables."""
    board.headings.clear()
    output, references = segment.read(lambda text: text)
    for role, text in {"output": output, "source": segment.source, **references}.items():
        if text is not None:
            board.show_plain(role, (text,) if isinstance(text, str) else tuple(text))


def _scores(definition: Definition, terms: Sequence[Term]) -> list[Term]:
    """The value of a segment, and the other scores of the formula."""
    formula, width = definition.formula, len(definition.columns)
    if isinstance(formula, MeanFormula):
        return [lift(score) for score in formula.scores(terms).values()]
    if not issubclass(definition.summary, KeptRows) or len(terms) == width:
        return [lift(formula(terms, sentence=True))]
    # The mean over the references of a segment, whose rows stand one after the other.
    rows = [terms[start : start + width] for start in range(0, len(terms), width)]
    scores = [formula(within(f"R{n}", row), sentence=True) for n, row in enumerate(rows, start=1)]
    return [named("GLEU", sum_of(scores) / len(scores))]

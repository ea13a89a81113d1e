"""What BLEU, sentence BLEU, iBLEU and the BLEU of one text in a pool count."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.insight.worked.model import Board, check
from bleuprint.insight.worked.reading import Segment, Tokens, grams, marked, ngram_table, numbered, tokens_of
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.smoothing import Smoothing

_LENGTH_RULES = {
    "closest": "The closest reference length counts; on ties, the shorter one.",
    "closest-first": "The closest reference length counts; on ties, the first one.",
    "shortest": "The length of the shortest reference counts.",
}


def bleu(board: Board, segment: Segment) -> None:
    """BLEU of one segment."""
    _show(board, segment.definition, segment)


def sentence_bleu(board: Board, segment: Segment) -> None:
    """BLEU of one item, under the options of the metric."""
    _show(board, segment.formula.bleu, segment)


def ibleu(board: Board, segment: Segment) -> None:
    """BLEU against the references (symbols with R), then against the input (symbols with I)."""
    definition = segment.formula.bleu
    assert segment.source is not None
    _show(board, definition, segment, suffix="_R")
    ours, before = (tokens_of(text, definition.tokenizer) for text in (segment.output, segment.source))
    half = len(segment.columns) // 2
    _counts(board, definition, ours, [before], ["input"], half, "_I")
    board.headings["iBLEU"] = "iBLEU", "Similar to the references, different from the input."


def _show(board: Board, definition: Definition, segment: Segment, suffix: str = "") -> None:
    ours, *theirs = (tokens_of(text, definition.tokenizer) for text in (segment.output, *segment.references))
    names = [numbered(theirs, at) for at in range(len(theirs))]
    board.texts.append(marked("output", ours, theirs, range(1, definition.formula.max_order + 1)))
    _counts(board, definition, ours, theirs, names, 0, suffix)
    smoothing: Smoothing = definition.formula.smoothing
    value = "" if smoothing.value is None else f"{smoothing.value:g}"
    summary = smoothing.rules.summary.format(value=value)
    smoothed = f"Matches divided by totals. Smoothing: {summary[:1].lower()}{summary[1:]}"
    board.headings |= {
        **dict.fromkeys("pqab", ("Precisions", smoothed)),
        "BP": ("Brevity penalty", "BP = 1 if c ≥ r, exp(1 − r/c) if c < r."),
        "BLEU": ("Score", "The brevity penalty times the weighted geometric mean of the precisions."),
    }


def _counts(
    board: Board,
    definition: Definition,
    ours: Tokens,
    theirs: Sequence[Tokens],
    names: Sequence[str],
    start: int,
    suffix: str,
) -> None:
    """Lengths and clipped matches; their columns begin at `start`, and their symbols end in `suffix`."""
    orders = definition.formula.counted_orders
    shared = range(1, definition.formula.max_order + 1)
    board.texts.extend(marked(name, text, [ours], shared) for name, text in zip(names, theirs, strict=True))
    lengths = ", ".join(f"{name}: {len(text)}" for name, text in zip(names, theirs, strict=True))
    rule = f" {_LENGTH_RULES[str(definition.options['reference_length'])]}" if len(theirs) > 1 else ""
    board.step("Tokens and lengths", f"Tokens: {len(ours)} in the output; {lengths}.{rule}")
    check("length", [len(ours)], [board.columns[start]])
    board.column(start, f"c{suffix}")
    board.column(start + 1, f"r{suffix}")
    where = "in the reference" if len(theirs) == 1 else "most in one reference"
    for order in range(1, orders + 1):
        limits = grams((), order)
        for reference in theirs:
            limits |= grams(reference, order)
        table = ngram_table(order, grams(ours, order), limits, where)
        matches, total = start + 1 + order, start + 1 + orders + order
        check(f"matches of order {order}", [sum(row[3] for row in table.rows)], [board.columns[matches]])
        text = "An n-gram counts at most as often as any one reference has it (clipping)."
        if order > definition.formula.max_order:
            text += " The smoothing method also looks at this order."
        if not table.rows and board.columns[total]:
            text += " The text is too short for this order, which counts as 0 of 1."
        board.step(f"Clipped matches of order {order}", text, table if table.rows else None)
        board.column(matches, f"m_{order}{suffix}")
        board.column(total, f"t_{order}{suffix}")

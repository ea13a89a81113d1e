"""What SARI and GEC-GLEU count: n-grams of an output, its references and the source that it rewrites."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from bleuprint.insight.worked.model import Board, WorkTable, check
from bleuprint.insight.worked.reading import Gram, Segment, Tokens, grams, marked, numbered, tokens_of

_OPERATIONS = ("add", "keep", "delete")
_UNITS = 2**36  # of a share, in the counts of SARI


class Triple(NamedTuple):
    """How often an n-gram is added, kept or deleted: by both sides alike, by the output, by the references."""

    both: int
    output: int
    references: int


class Change(NamedTuple):
    """The counts of one n-gram, and what happens to it."""

    gram: Gram
    source: int
    output: int
    references: int
    add: Triple
    keep: Triple
    delete: Triple


def sari(board: Board, segment: Segment) -> None:
    """What is added, kept and deleted."""
    by_type, orders = segment.formula.by_type, range(1, segment.formula.max_order + 1)
    before, ours, theirs = _read(board, segment, orders)
    for order in orders:
        changes = _changes(order, before, ours, theirs, by_type=by_type)
        places = range(9 * (order - 1), 9 * order)
        row = _sari_row(changes, by_type=by_type)
        check(f"sari of order {order}", row, [board.columns[place] for place in places])
        _sari_step(board, order, changes, len(theirs), by_type=by_type)
        for place, (symbol, note) in zip(places, _TYPES if by_type else _TOKENS, strict=True):
            board.column(place, f"{symbol}_{order}", note)
    board.headings |= {
        **dict.fromkeys("PRF", ("Operations", _AVERAGING[segment.formula.averaging])),
        "SARI": ("Score", "The mean of the scores for adding, keeping and deleting."),
    }


def _read(board: Board, segment: Segment, orders: range) -> tuple[Tokens, Tokens, list[Tokens]]:
    """Show the texts, and return the tokens of source, output and references."""
    ours, theirs = segment.tokens()
    assert segment.source is not None
    before = tokens_of(segment.source, segment.definition.tokenizer)
    board.texts.append(marked("source", before, [ours], orders))
    board.texts.append(marked("output", ours, theirs, orders))
    board.texts.extend(marked(numbered(theirs, at), text, [ours], orders) for at, text in enumerate(theirs))
    return before, ours, theirs


_AVERAGING = {
    "scores": "The F-score of each operation is the mean of the F-scores of all orders.",
    "rates": "Precision and recall are averaged over the orders; the F-score of each operation follows from the means.",
}
_TOKENS = [
    (f"{name}{side}", note)
    for name in _OPERATIONS
    for side, note in (("", "by both"), ("_out", "by the output"), ("_ref", "by the references"))
]
_TYPES = [
    *_TOKENS[:3],
    ("keep", "by both"),
    ("keep_ref", "by the references"),
    *(
        entry
        for name in _OPERATIONS[1:]
        for entry in (
            (f"s_{name}", "sum of the shares that the references agree with, in units of 2^−36"),
            (f"{name}_out", "different n-grams, by the output"),
        )
    ),
]


def _changes(
    order: int, source: Tokens, output: Tokens, references: Sequence[Tokens], *, by_type: bool
) -> list[Change]:
    # Hugging Face's SARI splits an empty text into one empty word.
    read = [text or (("",) if by_type else ()) for text in (source, output, *references)]
    before, ours = grams(read[0], order), grams(read[1], order)
    together: Counter[Gram] = Counter()
    for text in read[2:]:
        together += grams(text, order)
    changes = []
    for gram in before | ours | together:
        s, o, r = before[gram], ours[gram], together[gram]
        scaled, kept = s * len(references), min(s, o) * len(references)
        kept_there = min(scaled, r)
        left, left_there = scaled - kept, scaled - kept_there
        if by_type:
            keep = Triple(min(kept, r), kept, kept_there)
            delete = Triple(max(0, left - r), left, left_there)
        else:
            keep, delete = (
                Triple(min(kept, kept_there), kept, kept_there),
                Triple(min(left, left_there), left, left_there),
            )
        add = Triple(0, 0, 0) if s else Triple(int(o > 0 and r > 0), int(o > 0), int(r > 0))
        changes.append(Change(gram, s, o, r, add, keep, delete))
    return changes


def _sari_row(changes: Sequence[Change], *, by_type: bool) -> list[int]:
    """The counts of one order, as the core sums them."""
    added = _sum([change.add for change in changes])
    kept, deleted = [change.keep for change in changes], [change.delete for change in changes]
    if not by_type:
        return [*added, *_sum(kept), *_sum(deleted)]
    by_both, _, by_references = _sum(kept)
    return [*added, by_both, by_references, *_shares(kept), *_shares(deleted)]


def _sum(triples: Sequence[Triple]) -> Triple:
    return Triple(*map(sum, zip(*triples, strict=True))) if triples else Triple(0, 0, 0)


def _shares(triples: Sequence[Triple]) -> tuple[int, int]:
    """The sum of the shares that the references agree with, in small units, and the number of n-grams."""
    done = [triple for triple in triples if triple.output]
    return sum(math.floor(triple.both / triple.output * _UNITS + 0.5) for triple in done), len(done)


def _sari_step(board: Board, order: int, changes: Sequence[Change], references: int, *, by_type: bool) -> None:
    rows = tuple(
        (
            " ".join(map(str, change.gram)),
            change.source,
            change.output,
            change.references,
            _join(change.add),
            _join(change.keep),
            _join(change.delete),
        )
        for change in changes
    )
    header = ("word" if order == 1 else f"{order}-gram", "in the source", "in the output", "in the references")
    several = (
        f" Counts of source and output are multiplied by {references}, the number of references."
        if references > 1
        else ""
    )
    shares = " Each kept or deleted n-gram has one vote, shared by its occurrences." if by_type else ""
    text = (
        "What is added, kept and deleted: by the output and the references alike, by the output, by the references. "
        f"Added n-grams count once.{several}{shares}"
    )
    board.step(
        f"Changes of order {order}", text, WorkTable((*header, "added", "kept", "deleted"), rows) if rows else None
    )


def _join(triple: Triple) -> str:
    return ", ".join(map(str, triple)) if any(triple) else ""


def gec_gleu(board: Board, segment: Segment) -> None:
    """The matches of GEC-GLEU with each reference; symbols end in R and the number of the reference."""
    orders = range(1, segment.formula.max_order + 1)
    before, ours, theirs = _read(board, segment, orders)
    width = len(segment.definition.columns)
    for number, reference in enumerate(theirs, start=1):
        of, suffix = (f", reference {number}", f"_R{number}") if len(theirs) > 1 else ("", "")
        start = width * (number - 1)
        row = _gec_steps(board, orders, (ours, reference, before), of, suffix, start)
        check("gec-gleu", row, board.columns[start : start + width])
    board.headings |= {
        "p": ("Precisions", "Matches over n-grams. Every count of 0 is taken as 1."),
        "BP": ("Brevity penalty", "BP = 1 if c ≥ r, exp(1 − r/c) if c < r."),
        "GLEU": ("Score", "The brevity penalty times the geometric mean of the precisions."),
    }


def _gec_steps(
    board: Board, orders: range, texts: tuple[Tokens, Tokens, Tokens], of: str, suffix: str, start: int
) -> list[int]:
    """Show the counts against one reference, whose columns begin at `start`, and return them."""
    ours, reference, _ = texts
    board.step(f"Lengths{of}", "Tokens of the output and of the reference.")
    board.column(start, f"c{suffix}")
    board.column(start + 1, f"r{suffix}")
    matches, totals = [], []
    for order in orders:
        in_output, in_reference, in_source = (grams(text, order) for text in texts)
        table = []
        for gram, count in in_output.items():
            wanted, left = in_reference[gram], in_source[gram]
            counted = min(count, wanted) if wanted else -min(count, left)
            table.append((" ".join(map(str, gram)), count, wanted, left, counted))
        matches.append(max(0, sum(row[4] for row in table)))
        totals.append(in_output.total())
        header = ("in the output", "in the reference", "in the source", "counted")
        board.step(
            f"Matches of order {order}{of}",
            "An n-gram counts at most as often as the reference has it. One that the reference lacks but the source "
            "has was left uncorrected and is subtracted; the sum is at least 0.",
            WorkTable(("word" if order == 1 else f"{order}-gram", *header), tuple(table)) if table else None,
        )
        board.column(start + 1 + order, f"m_{order}{suffix}")
        board.column(start + 1 + len(orders) + order, f"t_{order}{suffix}")
    return [len(ours), len(reference), *matches, *totals]

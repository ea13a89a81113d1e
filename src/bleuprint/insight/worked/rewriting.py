"""SARI and GEC-GLEU: n-grams of an output compared with references and with the source that it rewrites."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from bleuprint.core.columns import Text
from bleuprint.insight.worked.model import Board, WorkTable
from bleuprint.insight.worked.reading import Gram, Tokens, check, grams, marked, numbered, tokens_of
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.sari import SariFormula

__all__ = ["gec_gleu", "sari"]

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


def sari(
    board: Board,
    definition: Definition,
    texts: tuple[Text, Sequence[Text], Text],
    columns: Sequence[int],
) -> None:
    formula, tokenizer = definition.formula, definition.tokenizer
    output, references, source = texts
    ours, before = tokens_of(output, tokenizer), tokens_of(source, tokenizer)
    theirs = [tokens_of(reference, tokenizer) for reference in references]
    orders = range(1, formula.max_order + 1)
    board.texts.append(marked("source", before, [ours], orders))
    board.texts.append(marked("output", ours, theirs, orders))
    board.texts.extend(marked(numbered(theirs, at), text, [ours], orders) for at, text in enumerate(theirs))
    for order in orders:
        changes = _changes(order, before, ours, theirs, by_type=formula.by_type)
        counted = columns[9 * (order - 1) : 9 * order]
        check(f"sari of order {order}", _sari_row(changes, by_type=formula.by_type), counted)
        _sari_step(board, order, changes, len(theirs), by_type=formula.by_type)
        (_rates_of_types if formula.by_type else _rates)(board, order, counted, formula.deletion)
    board.step("Operations", _AVERAGED[formula.averaging])
    for name in _OPERATIONS:
        _operation(board, formula, name)
    board.step("Score", "The mean of the scores for adding, keeping and deleting.")
    board.write("SARI", "(F_add + F_keep + F_delete) / 3")


_AVERAGED = {
    "scores": "The F-score of each operation is the mean of the F-scores of all orders.",
    "rates": "Precision and recall are averaged over the orders; the F-score of each operation follows from the means.",
}


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
    added = _summed([change.add for change in changes])
    kept, deleted = [change.keep for change in changes], [change.delete for change in changes]
    if not by_type:
        return [*added, *_summed(kept), *_summed(deleted)]
    by_both, _, by_references = _summed(kept)
    return [*added, by_both, by_references, *_shares(kept), *_shares(deleted)]


def _summed(triples: Sequence[Triple]) -> Triple:
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
            _listed(change.add),
            _listed(change.keep),
            _listed(change.delete),
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


def _listed(triple: Triple) -> str:
    return ", ".join(map(str, triple)) if any(triple) else ""


def _rates(board: Board, order: int, counted: Sequence[int], deletion: str) -> None:
    for place, name in enumerate(_OPERATIONS):
        both, output, references = counted[3 * place : 3 * place + 3]
        board.write(f"{name}_{order}", both, "by both")
        board.write(f"{name}_out_{order}", output, "by the output")
        board.write(f"{name}_ref_{order}", references, "by the references")
        board.write(f"P_{name}_{order}", f"{name}_{order} / {name}_out_{order}" if output else "0")
        if name == "delete" and deletion == "precision":
            board.write(f"R_delete_{order}", f"P_delete_{order}", "deletion is scored by precision alone")
        else:
            board.write(f"R_{name}_{order}", f"{name}_{order} / {name}_ref_{order}" if references else "0")


def _rates_of_types(board: Board, order: int, counted: Sequence[int], deletion: str) -> None:
    added, ours, theirs, kept, kept_theirs, kept_shares, kept_types, deleted_shares, deleted_types = counted
    nobody = "0 of 0 counts as 1"
    board.write(f"add_{order}", added, "by both")
    board.write(f"add_out_{order}", ours, "by the output")
    board.write(f"add_ref_{order}", theirs, "by the references")
    for rate, side, number in (("P", "out", ours), ("R", "ref", theirs)):
        fraction = f"add_{order} / add_{side}_{order}"
        board.write(f"{rate}_add_{order}", fraction if number else "1", "" if number else nobody)
    for name, shares, types in (("keep", kept_shares, kept_types), ("delete", deleted_shares, deleted_types)):
        board.write(f"s_{name}_{order}", repr(shares / _UNITS), "sum of the shares that the references agree with")
        board.write(f"{name}_out_{order}", types, "different n-grams, by the output")
        fraction = f"s_{name}_{order} / {name}_out_{order}"
        board.write(f"P_{name}_{order}", fraction if types else "1", "" if types else nobody)
    board.write(f"keep_{order}", kept, "by both")
    board.write(f"keep_ref_{order}", kept_theirs, "by the references")
    fraction = f"keep_{order} / keep_ref_{order}"
    board.write(f"R_keep_{order}", fraction if kept_theirs else "1", "" if kept_theirs else nobody)
    board.write(f"R_delete_{order}", f"P_delete_{order}", f"deletion is scored by {deletion} alone")


def _operation(board: Board, formula: SariFormula, name: str) -> None:
    orders = range(1, formula.max_order + 1)
    if formula.averaging == "rates":
        for rate in ("P", "R"):
            terms = ", ".join(f"{rate}_{name}_{order}" for order in orders)
            board.write(f"{rate}_{name}", f"sum({terms}) / {formula.max_order}")
        _f1(board, name)
        return
    for order in orders:
        _f1(board, f"{name}_{order}")
    terms = ", ".join(f"F_{name}_{order}" for order in orders)
    board.write(f"F_{name}", f"sum({terms}) / {formula.max_order}")


def _f1(board: Board, name: str) -> None:
    defined = board.known[f"P_{name}"] + board.known[f"R_{name}"] > 0
    board.write(f"F_{name}", f"2 * P_{name} * R_{name} / (P_{name} + R_{name})" if defined else "0")


def gec_gleu(
    board: Board,
    definition: Definition,
    texts: tuple[Text, Sequence[Text], Text],
    columns: Sequence[int],
) -> None:
    """GEC-GLEU of a segment: the mean over its references; symbols end in R and the number of the reference."""
    tokenizer, orders = definition.tokenizer, range(1, definition.formula.max_order + 1)
    output, references, source = texts
    ours, before = tokens_of(output, tokenizer), tokens_of(source, tokenizer)
    theirs = [tokens_of(reference, tokenizer) for reference in references]
    board.texts.append(marked("source", before, [ours], orders))
    board.texts.append(marked("output", ours, theirs, orders))
    board.texts.extend(marked(numbered(theirs, at), text, [ours], orders) for at, text in enumerate(theirs))
    suffixes = [f"_R{at}" if len(theirs) > 1 else "" for at in range(1, len(theirs) + 1)]
    rows = [
        _corrected(board, orders, ours, reference, before, suffix)
        for reference, suffix in zip(theirs, suffixes, strict=True)
    ]
    check("gec-gleu", [sum(column) for column in zip(*rows, strict=True)], columns)
    if len(theirs) > 1:
        board.step("Mean", "The mean over the references.")
        board.write("GLEU", f"({' + '.join(f'GLEU{suffix}' for suffix in suffixes)}) / {len(theirs)}")


def _corrected(board: Board, orders: range, ours: Tokens, reference: Tokens, source: Tokens, suffix: str) -> list[int]:
    """Work out the score against one reference, and return its counts."""
    of = f", reference {suffix.removeprefix('_R')}" if suffix else ""
    board.step(f"Lengths{of}", "Tokens of the output and of the reference. Every count of 0 is taken as 1.")
    _count(board, f"c{suffix}", len(ours))
    _count(board, f"r{suffix}", len(reference))
    matches, totals = [], []
    for order in orders:
        in_output, in_reference, in_source = (grams(text, order) for text in (ours, reference, source))
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
        _count(board, f"m_{order}{suffix}", matches[-1])
        _count(board, f"t_{order}{suffix}", totals[-1])
        board.write(f"p_{order}{suffix}", f"m_{order}{suffix} / t_{order}{suffix}")
    board.step(f"Score{of}", "The brevity penalty times the geometric mean of the precisions.")
    short = board.known[f"c{suffix}"] < board.known[f"r{suffix}"]
    penalty = f"exp(1 - r{suffix} / c{suffix})" if short else "1"
    board.write(f"BP{suffix}", penalty, f"the output is {'' if short else 'not '}shorter than the reference")
    board.write(f"w{suffix}", f"1 / {len(orders)}")
    logarithms = " + ".join(f"w{suffix} * log(p_{order}{suffix})" for order in orders)
    board.write(f"GLEU{suffix}", f"BP{suffix} * exp({logarithms})")
    return [len(ours), len(reference), *matches, *totals]


def _count(board: Board, symbol: str, number: int) -> None:
    board.write(symbol, number or 1, "" if number else "0, taken as 1")

"""The values of the kernels' plain twins for a case, where a twin has a whole metric."""

from __future__ import annotations

from collections.abc import Callable

from tests.kernels.twins import bleu, changes, characters, clipped, edits
from tests.vectors.plain.case import Case, Value
from tests.vectors.plain.tokenizers import tokens

RATES = {"wer": edits.word_error_rate, "cer": edits.word_error_rate, "mer": edits.match_error_rate}


def clipped_bleu(case: Case) -> float:
    options = case.options
    change = str.lower if options["lowercase"] else str
    rows = [
        clipped.row(
            tokens(change(hypothesis), options["tokenizer"]),
            [tokens(change(text), options["tokenizer"]) for text in group],
            options["max_order"],
        )
        for hypothesis, group in zip(case.hypotheses, case.references, strict=True)
    ]
    length, reference, *counts = (sum(column) for column in zip(*rows, strict=True))
    order = options["max_order"]
    rules = bleu.Rules(
        method=options["smoothing"],
        value=options["smoothing_value"] or 0.0,
        weights=(1 / order,) * order,
        effective=options["effective_order"],
        zero_when="any" if any(counts[:order]) else "no-match",
    )
    return bleu.bleu(bleu.Sums(length, reference, counts[:order], counts[order:]), rules)


def error_rate(case: Case) -> float:
    rate = case.options["rate"]
    change: Callable[[str], list[str]] = (lambda text: list(text.strip())) if rate == "cer" else str.split
    found = [
        edits.operations(change(group[0]), change(hypothesis))
        for hypothesis, group in zip(case.hypotheses, case.references, strict=True)
    ]
    total = edits.Operations(*(sum(numbers) for numbers in zip(*found, strict=True)))
    return RATES.get(rate, edits.information_lost)(total)


def chrf(case: Case) -> float:
    twin = characters.Twin(**case.options)
    rows = [twin.row(*pair) for pair in zip(case.hypotheses, case.references, strict=True)]
    return twin.percent([sum(column) for column in zip(*rows, strict=True)]) / 100


def sari(case: Case) -> float:
    def read(text: str) -> list[str]:
        return text.lower().split()

    references = [[read(text) for text in group] for group in case.references]
    return changes.corpus([*map(read, case.sources)], [*map(read, case.hypotheses)], references).sari


TWINS: dict[str, Callable[[Case], Value]] = {
    "bleu": clipped_bleu,
    "sentence-bleu": lambda case: [clipped_bleu(case.one(at)) for at in range(len(case.hypotheses))],
    "chrf": chrf,
    "wer": error_rate,
    "sari": sari,
}

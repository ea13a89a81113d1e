"""What a metric is given, and the mistakes that can be made with any of them."""

from __future__ import annotations

import itertools
import math
import struct
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Value = Any  # a number; a list of numbers at level "sentence"; lists of tokens for tokenizers


@dataclass(frozen=True)
class Case:
    """One case of a file, without what is expected."""

    id: str
    options: dict[str, Any]
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]] = ()
    sources: Sequence[str] = ()
    level: str = "corpus"

    def one(self, at: int) -> Case:
        """The case of one segment alone."""
        return self.pick([at])

    def pick(self, places: Sequence[int]) -> Case:
        """The case of these segments alone."""
        return replace(
            self,
            hypotheses=[self.hypotheses[at] for at in places],
            references=[self.references[at] for at in places] if self.references else (),
            sources=[self.sources[at] for at in places] if self.sources else (),
        )


SHARED = {
    "arguments-swapped": "The output is read as the reference and the reference as the output.",
    "references-transposed": "References are read as one list per reference set instead of one list per output.",
    "first-reference-only": "Only the first reference of each output is used.",
    "mean-of-sentences": "The corpus score is the mean of the sentence scores instead of one formula of summed counts.",
    "pooled-counts": "The corpus score is one formula of summed counts instead of the mean of the sentence scores.",
    "first-segment-only": "Only the first output is scored.",
    "bootstrap-mean": "The mean of bootstrap resamples is given in place of the score.",
    "empty-output-skipped": "Segments with an empty output are left out instead of counted.",
    "case-dropped": "Texts are lowercased although case is to be kept.",
    "case-kept": "Case is kept although it is to be ignored.",
    "nfc": "Texts are normalized to Unicode NFC first.",
    "bytes": "Characters are UTF-8 bytes instead of code points.",
    "utf-16": "Characters are UTF-16 units instead of code points.",
    "percent": "The score is multiplied by 100.",
    "single-precision": "The score is computed in single precision (float32).",
    "rounded": "The score is rounded to four decimals.",
}


def shared(*ids: str) -> dict[str, str]:
    """The sentences of mistakes that many metrics share."""
    return {each: SHARED[each] for each in ids}


def single(number: float) -> float:
    """The number in single precision."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


def mean(numbers: Sequence[float]) -> float:
    return math.fsum(numbers) / len(numbers) if numbers else 0.0


def change_texts(case: Case, change: Callable[[str], str]) -> Case:
    return replace(
        case,
        hypotheses=[change(text) for text in case.hypotheses],
        references=[[change(text) for text in group] for group in case.references],
        sources=[change(text) for text in case.sources],
    )


def misread(case: Case, mistake: str) -> Case:
    """The case as a program with a shared mistake reads it."""
    match mistake:
        case "arguments-swapped" if case.references:
            hypotheses = [group[0] for group in case.references]
            return replace(case, hypotheses=hypotheses, references=[[text] for text in case.hypotheses])
        case "references-transposed" if case.references:
            # sacrebleu, given references in this order, leaves out what has no partner.
            groups = list(zip(*case.references, strict=False))[: len(case.hypotheses)]
            sources = case.sources[: len(groups)]
            return replace(case, hypotheses=case.hypotheses[: len(groups)], references=groups, sources=sources)
        case "first-reference-only":
            return replace(case, references=[group[:1] for group in case.references])
        case "first-segment-only" if case.level == "corpus":
            return case.one(0)
        case "empty-output-skipped" if case.level == "corpus":
            return case.pick([at for at, text in enumerate(case.hypotheses) if text.strip()])
        case "case-dropped":
            return change_texts(case, str.lower)
        case "case-kept":
            return replace(case, options={**case.options, "lowercase": False})
        case "nfc":
            return change_texts(case, lambda text: unicodedata.normalize("NFC", text))
        case "bytes":
            return change_texts(case, lambda text: text.encode().decode("latin-1"))
        case "utf-16":
            return change_texts(case, utf_16_units)
    return case


def utf_16_units(text: str) -> str:
    """A code point outside the basic plane becomes two."""
    coded = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(unit) for (unit,) in struct.iter_unpack("<H", coded))


def run(score: Callable[[Case, str], Value], case: Case, mistake: str = "") -> Value:
    """What the metric, or the mutant, gives for the case."""
    read = misread(case, mistake)
    if case.level == "corpus" and mistake == "mean-of-sentences":
        return mean([score(case.one(at), "") for at in range(len(case.hypotheses))])
    if case.level == "corpus" and mistake == "bootstrap-mean" and len(case.hypotheses) <= 5:
        places = range(len(case.hypotheses))
        return mean([score(case.pick(drawn), "") for drawn in itertools.product(places, repeat=len(places))])
    value = score(read, mistake)
    changes: dict[str, Callable[[float], float]] = {
        "percent": lambda number: 100 * number,
        "single-precision": single,
        "rounded": lambda number: round(number, 4),
    }
    change = changes.get(mistake)
    if change is None:
        return value
    return [change(number) for number in value] if isinstance(value, list) else change(value)


@dataclass(frozen=True)
class Plain:
    """A metric in plain Python, and its mistakes."""

    score: Callable[[Case, str], Value]
    mistakes: dict[str, str] = field(default_factory=dict)

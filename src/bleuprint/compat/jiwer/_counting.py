"""The operations of texts, counted by the core on the paths that RapidFuzz takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bleuprint.compat._tokens import columns_of_lists, threads
from bleuprint.compat.jiwer import transforms as steps
from bleuprint.compat.jiwer.transforms import Compose, Transform
from bleuprint.core import counts

Words = Sequence[str]


class Operations(NamedTuple):
    """Sums over all texts."""

    hits: int
    substitutions: int
    deletions: int
    insertions: int

    def rates(self) -> dict[str, float]:
        """WER, MER, WIP and WIL by name; without a reference word they are ints, as in jiwer."""
        hits, substitutions, deletions, insertions = self
        errors = substitutions + deletions + insertions
        reference, hypothesis = hits + substitutions + deletions, hits + substitutions + insertions
        both = reference and hypothesis
        wip = (hits / reference) * (hits / hypothesis) if both else int(reference == hypothesis)
        return {
            "wer": errors / reference if reference else insertions,
            "mer": errors / (hits + errors) if reference else int(hypothesis > 0),
            "wip": wip,
            "wil": 1 - wip,
        }


def operations(references: Sequence[Words], hypotheses: Sequence[Words]) -> Operations:
    """The operations of texts in words or characters."""
    plan = counts.token_edits("none", False, "per-reference", divides=True)
    groups = [[reference] for reference in references]
    return Operations(*plan.total(*columns_of_lists(groups, [*hypotheses]), None, threads(hypotheses)))


def operations_of_strings(reference: object, hypothesis: object, *transforms: Transform) -> Operations | None:
    """The operations of whole texts, split by the core; None if the transforms or the texts are not the usual ones."""
    plan = _native_plan(*transforms)
    references = [reference] if isinstance(reference, str) else reference
    hypotheses = [hypothesis] if isinstance(hypothesis, str) else hypothesis
    if plan is None or not (isinstance(references, list) and isinstance(hypotheses, list)):
        return None
    if not references or len(references) != len(hypotheses):
        return None
    if not all(isinstance(text, str) for side in (references, hypotheses) for text in side):
        return None
    rest = [pair for pair in zip(references, hypotheses, strict=True) if not _is_usual(*pair)]
    if rest:
        usual = [pair for pair in zip(references, hypotheses, strict=True) if _is_usual(*pair)]
        references, hypotheses = [pair[0] for pair in usual], [pair[1] for pair in usual]
    texts = counts.column(hypotheses, groups=False, tokenized=False)
    sums = plan.total(texts, counts.column(references, groups=True, tokenized=False), None, threads(hypotheses))
    if rest:
        sides = [transform([pair[side] for pair in rest]) for side, transform in enumerate(transforms)]
        sums = tuple(sum(pair) for pair in zip(sums, operations(*sides), strict=True))
    return Operations(*sums)


def _is_usual(reference: str, hypothesis: str) -> bool:
    """Whether the core reads both as jiwer does: only U+0020 is whitespace, and there are no surrogates."""
    return reference.isprintable() and hypothesis.isprintable()


def _native_plan(*transforms: Transform) -> counts.Counts | None:
    both = [transform.transforms if isinstance(transform, Compose) else [transform] for transform in transforms]
    kinds = [*map(type, both[0])]
    if kinds != [*map(type, both[1])]:
        return None
    if kinds == [steps.RemoveMultipleSpaces, steps.Strip, steps.ReduceToListOfListOfWords]:
        delimiters = {each[-1].word_delimiter for each in both}  # type: ignore[attr-defined]
        if delimiters != {" "}:
            return None
        return counts.token_edits("whitespace", False, "per-reference", divides=True)
    if kinds == [steps.Strip, steps.ReduceToListOfListOfChars]:
        return counts.character_edits(False, "strip", "per-reference", divides=True)
    return None

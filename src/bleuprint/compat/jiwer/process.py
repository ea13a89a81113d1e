"""jiwer.process: operations, rates and alignments of texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from bleuprint.compat._tokens import columns_of_lists, threads, warn_of_scripts
from bleuprint.compat.jiwer import transforms as steps
from bleuprint.compat.jiwer.transformations import cer_default, wer_default
from bleuprint.compat.jiwer.transforms import Compose, Transform
from bleuprint.core import counts
from bleuprint.core.edit_paths import DELETE, EQUAL, INSERT, SUBSTITUTE, edit_path

__all__ = ["AlignmentChunk", "CharacterOutput", "WordOutput", "process_characters", "process_words"]

Texts = list[list[str]]
Words = Sequence[str]
_NAMES = {EQUAL: "equal", SUBSTITUTE: "substitute", DELETE: "delete", INSERT: "insert"}
_RUNS = re.compile("|".join(f"{kind}+" for kind in _NAMES))


@dataclass
class AlignmentChunk:
    """A stretch of the reference and the stretch of the hypothesis that stands for it."""

    type: str
    ref_start_idx: int
    ref_end_idx: int
    hyp_start_idx: int
    hyp_end_idx: int


@dataclass
class _Output:
    """An output that aligns its texts when the alignments are first read: rates and sums need none of them."""

    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]

    def __getattr__(self, name: str) -> Any:
        if name != "alignments" or "references" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        pairs = zip(self.references, self.hypotheses, strict=True)
        self.alignments = [_chunks(reference, hypothesis) for reference, hypothesis in pairs]
        return self.alignments


@dataclass
class WordOutput(_Output):
    """Operations, rates and alignments of words."""

    wer: float
    mer: float
    wil: float
    wip: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass
class CharacterOutput(_Output):
    """Operations, the error rate and alignments of characters."""

    cer: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


def process_words(
    reference: str | list[str],
    hypothesis: str | list[str],
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> WordOutput:
    """Count and align words."""
    if reference_transform is wer_default:
        warn_of_scripts("wer", "whitespace", hypothesis)
    return _process(WordOutput, reference, hypothesis, reference_transform, hypothesis_transform)


def process_characters(
    reference: str | list[str],
    hypothesis: str | list[str],
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> CharacterOutput:
    """Count and align characters, spaces included."""
    return _process(CharacterOutput, reference, hypothesis, reference_transform, hypothesis_transform)


Output = TypeVar("Output", WordOutput, CharacterOutput)


def _process(kind: type[Output], reference: object, hypothesis: object, *transforms: Transform) -> Output:
    """An output whose alignments are still to be found."""
    references, hypotheses = apply_transforms(reference, hypothesis, *transforms)
    found = operations(references, hypotheses)
    rates = found.rates() if kind is WordOutput else {"cer": found.rates()["wer"]}
    output = kind.__new__(kind)
    output.__dict__.update(references=references, hypotheses=hypotheses, **rates, **found._asdict())
    return output


def apply_transforms(
    reference: object, hypothesis: object, reference_transform: Transform, hypothesis_transform: Transform
) -> tuple[Texts, Texts]:
    """The words or characters of both sides, as many texts of each."""
    references = _words(reference, reference_transform, "reference")
    hypotheses = _words(hypothesis, hypothesis_transform, "hypothesis")
    if len(references) != len(hypotheses):
        raise ValueError(
            "After applying the transforms on the reference and hypothesis sentences, their lengths must match. "
            f"Instead got {len(references)} reference and {len(hypotheses)} hypothesis sentences."
        )
    return references, hypotheses


def _words(texts: object, transform: Transform, side: str) -> Texts:
    words = transform([texts] if isinstance(texts, str) else texts)
    if isinstance(words, list) and all(
        isinstance(text, list) and all(isinstance(word, str) for word in text) for text in words
    ):
        return words
    raise ValueError(
        f"After applying the transformation, each {side} should be a list of strings, with each string being a single "
        "word or character.Please ensure the given transformation reduces the input to a list of list strings."
    )


def _chunks(reference: Words, hypothesis: Words) -> list[AlignmentChunk]:
    chunks = []
    in_reference = in_hypothesis = 0
    for run in _RUNS.findall(edit_path(reference, hypothesis, divides=True)):
        kind, length = run[0], len(run)
        after_reference = in_reference if kind == INSERT else in_reference + length
        after_hypothesis = in_hypothesis if kind == DELETE else in_hypothesis + length
        chunks.append(AlignmentChunk(_NAMES[kind], in_reference, after_reference, in_hypothesis, after_hypothesis))
        in_reference, in_hypothesis = after_reference, after_hypothesis
    return chunks


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
    # The core reads printable texts as jiwer does: only U+0020 is whitespace, and there are no surrogates.
    if not all(isinstance(text, str) and text.isprintable() for side in (references, hypotheses) for text in side):
        return None
    texts = counts.column(hypotheses, groups=False, tokenized=False)
    sums = plan.total(texts, counts.column(references, groups=True, tokenized=False), None, threads(hypotheses))
    return Operations(*sums)


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

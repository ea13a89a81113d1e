"""Notes about texts and scores that usually come from a mistake.

A note is not an error: each of these can be meant. The command line prints them and refuses them with --strict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Self

from bleuprint.core import counts
from bleuprint.dataset import Block
from bleuprint.metrics.bleu import explain_zero
from bleuprint.results import MetricResult, Result

_OF_A_BLOCK = 2000  # segments of each block of a stream
_A_CORPUS = 3  # references that all texts share: those of a data set belong to their text
_MOSTLY = 0.5
_UNKNOWN = 0.05  # newspaper text has about 2 % words that a model of the same language has never seen


class TextGuard:
    """Notes about identical systems, references that all texts share, and references that are the sources.

    >>> TextGuard().look({"A": ["a cat"], "B": ["a cat"]}, [["the cat"]], None).notes()
    ['A and B are identical in every segment; is one of them the wrong file?']
    """

    def __init__(self) -> None:
        self._segments = 0
        self._copied = 0  # segments whose reference is the source
        self._identical: set[tuple[str, str]] | None = None
        self._shared: list[str] | None = None  # references that all segments have in common
        self._shares = True

    def look(
        self, systems: Mapping[str, Sequence[str]], references: Sequence[Sequence[str]], sources: Sequence[str] | None
    ) -> Self:
        """Take a block of texts, or all of them, into account."""
        self._segments += len(references)
        if references and self._shared is None:
            self._shared = list(references[0])
        self._shares = self._shares and all(list(texts) == self._shared for texts in references)
        pairs = set(combinations(systems, 2)) if self._identical is None else self._identical
        self._identical = {(a, b) for a, b in pairs if list(systems[a]) == list(systems[b])}
        if sources is not None and references:
            pairs_of_texts = zip(sources, references, strict=True)
            self._copied += sum(source != "" and source in texts for source, texts in pairs_of_texts)
        return self

    def look_at(self, block: Block) -> None:
        """Take the first segments of a block into account; a stream is not read as Python strings."""
        end = min(_OF_A_BLOCK, len(block))

        def texts(column: counts.Column) -> list[str]:
            return [str(group[0]) for group in counts.part_of_column(column, 0, end).unpack()]

        systems = {name: texts(column) for name, column in block.hypotheses.items()}
        given = () if block.references is None else counts.part_of_column(block.references, 0, end).unpack()
        references = [tuple(map(str, group)) for group in given]
        self.look(systems, references, None if block.sources is None else texts(block.sources))

    def notes(self) -> list[str]:
        """Return what was noticed."""
        notes = [
            f"{first} and {second} are identical in every segment; is one of them the wrong file?"
            for first, second in sorted(self._identical or ())
        ]
        if self._shares and self._segments > 1 and len(self._shared or ()) >= _A_CORPUS:
            notes.append(
                f"every text has the same {len(self._shared or ()):,} references; to score texts against a whole "
                "corpus, use cross_bleu, which takes linear time (command line: bleuprint score -m cross-bleu)"
            )
        if self._segments and self._copied >= _MOSTLY * self._segments:
            notes.append(
                f"{self._copied:,} of {self._segments:,} references are equal to their source; "
                "is one of the files the wrong one?"
            )
        return notes


def notes_on_scores(result: Result) -> list[str]:
    """Return notes about a BLEU of 0 of short texts, and about perplexities of texts with many unknown words."""
    notes, shares = [], dict[str, str]()
    for system in result.systems:
        for score in system.scores:
            matches, totals = (score.parts.get(name, ()) for name in ("matches", "totals"))
            counted = isinstance(matches, tuple) and isinstance(totals, tuple)
            if counted and (reason := explain_zero(score.value, matches, totals)):  # type: ignore[arg-type]
                notes.append(f"{system.name}: {reason}")
            if unknown := unknown_share(score):
                shares[system.name] = f"{100 * unknown:.0f} % of the tokens of {system.name}"
    if shares:
        notes.append(
            f"the language model does not know {', '.join(shares.values())}, so its perplexity says little; "
            "train the model with the tokenizer of the texts (-tok), or on more text"
        )
    return notes


def unknown_share(score: MetricResult) -> float:
    """The share of tokens that the language model of a perplexity does not know; 0 if it does not matter."""
    unknown, tokens = score.parts.get("unknown_words"), score.parts.get("tokens")
    counted = isinstance(unknown, int) and isinstance(tokens, int)
    return unknown / tokens if counted and unknown > _UNKNOWN * tokens else 0.0  # type: ignore[operator]

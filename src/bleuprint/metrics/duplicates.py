"""Duplicates: the share of texts that repeat an earlier one. Lower means more diverse.

    duplicates = 1 − different texts / all texts

Texts are equal if their tokens are. `groups` of the score lists which ones are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleuprint.core import counts
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import TokenPool, group_texts
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.pool import CountFormula, PoolScore


class DuplicatesFormula(CountFormula):
    """Texts that are not the first of their group, over all texts."""

    def groups(self, pool: counts.Pool, threads: int) -> list[list[int]]:
        """Groups of texts that are alike, as indices."""
        return group_texts(pool.duplicates(threads))

    def count(self, pool: counts.Pool, references: counts.Pool, threads: int) -> dict[str, int]:
        return count_groups(pool, self.groups(pool, threads))

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        return [(counted["grouped"] - counted["groups"]) / counted["N"]]

    def score(
        self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int
    ) -> DuplicateGroups:
        return DuplicateGroups(definition, pool, self.groups(pool, threads))


def count_groups(pool: counts.Pool, groups: list[list[int]]) -> dict[str, int]:
    """The texts, those in groups, and the groups."""
    return {"N": len(pool), "grouped": sum(map(len, groups)), "groups": len(groups)}


class DuplicateGroups(PoolScore):
    """The share of texts that repeat another, and the groups of texts that are alike."""

    def __init__(self, definition: Definition, pool: counts.Pool, groups: list[list[int]]) -> None:
        self._pool, self._groups = pool, groups
        (value,) = definition.formula.evaluate(count_groups(pool, groups))
        super().__init__(definition, len(pool), (), value=value)

    def groups(self) -> list[list[int]]:
        """Groups of texts that are alike, as indices, the largest group first."""
        return [list(group) for group in self._groups]

    def most_repeated(self, limit: int = 10) -> list[tuple[str, int]]:
        """The first text of the largest groups, as its tokens joined by blanks, with the number of texts."""
        groups = self._groups[:limit]
        texts = self._pool.tokens([group[0] for group in groups])
        return [(" ".join(map(str, tokens)), len(group)) for tokens, group in zip(texts, groups, strict=True)]


class Duplicates(TokenPool[DuplicateGroups]):
    """The share of texts that repeat an earlier one; lower is better.

    >>> score = Duplicates().corpus(["yes .", "no .", "yes.", "maybe ."])
    >>> score.value, score.groups(), score.most_repeated()
    (0.25, [[0, 2]], [('yes .', 2)])
    """

    name = "duplicates"
    higher_is_better = False

    def __init__(self, *, tokenizer: str | Tokenize = "nltk", lowercase: bool = False) -> None:
        super().__init__(DuplicatesFormula(), tokenizer, lowercase)

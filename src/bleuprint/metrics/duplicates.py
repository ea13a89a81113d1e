"""Duplicates: the share of texts that repeat an earlier one. Lower means more diverse.

    duplicates = 1 − different texts / all texts

Texts are equal if their tokens are. `groups` of the score lists which ones are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from bleuprint.core import counts
from bleuprint.core.arrays import Integers, Members, np
from bleuprint.core.pool import each_part
from bleuprint.core.tokenizers import Tokenize
from bleuprint.metrics._ngram_pool import TokenPool, group_texts
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.pool import Counted, CountFormula, PoolScore


class DuplicatesFormula(CountFormula):
    """Texts that are not the first of their group, over all texts."""

    is_quick = True

    def grouping(self, pool: counts.Pool, threads: int) -> Callable[[Integers], Integers]:
        """What gives a number to each of some texts, which is the same for those that are alike."""
        numbers = pool.duplicates(threads)
        return lambda kept: numbers[kept]

    def count_parts(self, pool: counts.Pool, members: Members, threads: int) -> Iterable[Counted]:
        group = self.grouping(pool, threads)
        return (count_groups(np.bincount(group(kept))) for kept in each_part(members))

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        return [(counted["grouped"] - counted["groups"]) / counted["N"]]

    def score(
        self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int
    ) -> DuplicateGroups:
        return DuplicateGroups(definition, pool, pool.duplicates(threads))


def count_groups(sizes: Integers) -> dict[str, int]:
    """The texts, those in groups, and the groups, from how many texts have each number."""
    repeated = sizes[sizes > 1]
    return {"N": int(sizes.sum()), "grouped": int(repeated.sum()), "groups": len(repeated)}


class DuplicateGroups(PoolScore):
    """The share of texts that repeat another, and the groups of texts that are alike."""

    def __init__(self, definition: Definition, pool: counts.Pool, numbers: Integers) -> None:
        self._pool, self._groups = pool, group_texts(numbers)
        (value,) = definition.formula.evaluate(count_groups(np.bincount(numbers)))
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

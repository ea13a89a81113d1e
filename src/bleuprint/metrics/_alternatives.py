"""References with alternatives, such as `{i am|i'm} here`: which of them is nearest to a hypothesis.

The result is that of passing every combination of alternatives as a reference of its own, without listing them. A
combination with E edits and L words has the rate E / L. Whether one has a rate below p / q is a shortest path: edits
cost q, words earn p, and the alternatives of a group are parallel ways. The least rate is found by starting from a rate
that is never exceeded and taking that of the cheapest combination until none is cheaper, usually three times
(Dinkelbach 1967, On nonlinear fractional programming).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bleuprint.core import counts
from bleuprint.core.arrays import Integers, np
from bleuprint.core.columns import Corpus, column
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.errors import NotTextError
from bleuprint.metrics.base.rows import WHOLE_TEXTS, RequestedRows

Words = list[str]
Groups = list[list[Words]]  # the alternatives of each group; a stretch without any is a group of one

_BRACES = re.compile(r"[{}]")
_STRINGS_ONLY = "alternatives are written in texts, so pass the text before tokenization"
_ALLOWED = "text in which alternatives are written as in '{i am|i'm} here'"


@dataclass(frozen=True, slots=True)
class _Unread(Tokenizer):
    """Leaves texts whole until their rows are counted: a tokenizer would split the groups."""

    reader: Tokenizer = field(kw_only=True)


class AlternativeRows(RequestedRows):
    """Edits to the nearest reference, after the nearest alternatives were put into each."""

    def __init__(self, reader: Tokenizer, nearest: str) -> None:
        self.reader = reader
        unread = _Unread(reader.name, WHOLE_TEXTS.scheme, False, argument=reader.argument, reader=reader)
        super().__init__(counts.token_edits("none", False, nearest), unread, _STRINGS_ONLY)

    def requests(self, corpus: Corpus) -> list[counts.Request]:
        hypotheses = [self.reader(str(text)) for (text,) in corpus.hypotheses.unpack()]
        references = [
            [
                nearest_words(str(text), words, self.reader, _name(segment, place, len(group)))
                for place, text in enumerate(group)
            ]
            for segment, (group, words) in enumerate(zip(corpus.references.unpack(), hypotheses, strict=True))
        ]
        texts = column([[words] for words in hypotheses], "hypotheses", groups=True, tokenized=True)
        return [(self.request, texts, column(references, "references", groups=True, tokenized=True), None)]


def _name(segment: int, place: int, texts: int) -> str:
    return f"references[{segment}]" + (f"[{place}]" if texts > 1 else "")


def nearest_words(reference: str, hypothesis: Words, reader: Tokenizer, name: str = "references") -> Words:
    """The words of the combination with the lowest word error rate; of equals, the one that is written first.

    >>> from bleuprint.core.tokenizers import resolve
    >>> nearest_words("{i am|i'm} {uh|} here", ["i'm", "here"], resolve("whitespace"))
    ["i'm", 'here']
    """
    groups = [[reader(text) for text in alternatives] for alternatives in _groups(reference, name)]
    if all(len(group) == 1 for group in groups):
        return [word for (words,) in groups for word in words]
    return [word for words in _nearest(groups, hypothesis) for word in words]


def _groups(reference: str, name: str) -> Iterator[list[str]]:
    """The alternatives of each group, and the text between groups."""
    end = 0
    braces = iter(_BRACES.finditer(reference))
    for opening in braces:
        closing = next(braces, None)
        start = opening.start()
        if opening[0] == "}":
            raise _fault(name, f"a '}}' at character {start + 1} that closes nothing")
        if closing is None:
            raise _fault(name, f"a '{{' at character {start + 1} that is not closed")
        if closing[0] == "{":
            raise _fault(name, f"a '{{' at character {closing.start() + 1} inside a group")
        alternatives = reference[start + 1 : closing.start()].split("|")
        if len(alternatives) < 2:
            raise _fault(name, f"a group without '|' at character {start + 1}")
        around = reference[start - 1 : start] + reference[closing.end() : closing.end() + 1]
        if around.strip():
            raise _fault(name, f"a group without spaces around it at character {start + 1}")
        yield [reference[end:start]]
        yield alternatives
        end = closing.end()
    yield [reference[end:]]


def _fault(name: str, problem: str) -> NotTextError:
    return NotTextError(name, _ALLOWED, problem, "correct it, or leave out alternatives=True")


def _nearest(groups: Groups, hypothesis: Words) -> list[Words]:
    first = [group[0] for group in groups]
    if not hypothesis:  # an empty reference has no edits, and every other has the rate 1
        return [[] for _ in groups] if all([] in group for group in groups) else first
    lattice = _Lattice(groups, hypothesis)
    edits, words = len(hypothesis), 1  # no combination has a higher rate
    nearest = first
    while True:
        cost, cheapest = lattice.cheapest(edits, words)
        if cost >= 0:
            return nearest if edits == len(hypothesis) and words == 1 else cheapest
        nearest = cheapest
        length = sum(map(len, cheapest))
        edits, words = (cost + edits * length) // words, length


class _Lattice:
    """Costs of ways through the groups, for each place of the hypothesis at once."""

    def __init__(self, groups: Groups, hypothesis: Words) -> None:
        self._groups = groups
        self._numbers = {word: number for number, word in enumerate(dict.fromkeys(hypothesis))}
        self._places = np.array([self._numbers[word] for word in hypothesis])
        self._steps = np.arange(len(hypothesis) + 1, dtype=np.int64)

    def cheapest(self, edits: int, words: int) -> tuple[int, list[Words]]:
        """The least of `words` · E - `edits` · L over all combinations, and the first that has it."""
        after = [words * self._steps[::-1]]
        for group in reversed(self._groups):
            ways = [self._extend(after[-1][::-1], way[::-1], edits, words, backward=True) for way in group]
            after.append(np.minimum.reduce(ways)[::-1])
        least = int(after[-1][0])
        before = words * self._steps
        path = []
        for group, rest in zip(self._groups, after[-2::-1], strict=True):
            for way in group:
                extended = self._extend(before, way, edits, words)
                if int((extended + rest).min()) == least:
                    before = extended
                    path.append(way)
                    break
        return least, path

    def _extend(self, costs: Integers, way: Words, edits: int, words: int, *, backward: bool = False) -> Integers:
        """The costs after the words of a way, read forward or backward."""
        for word in way:
            differs = self._places != self._numbers.get(word, -1)
            paired = costs[:-1] + words * (differs[::-1] if backward else differs)
            costs = costs + words  # the word is deleted
            costs[1:] = np.minimum(costs[1:], paired)
            insertions = words * self._steps
            costs = np.minimum.accumulate(costs - insertions) + insertions - edits
        return costs

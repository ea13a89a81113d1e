"""What the tests of pandas and polars share: texts with references, sources and groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

texts = st.text("ab .漢é", max_size=12)
keys = st.sampled_from(["A", "B", None])


@dataclass(frozen=True)
class Case:
    """Columns of a frame."""

    hypotheses: list[str]
    flat: list[str]
    lists: list[list[str]]
    sources: list[str]
    groups: list[str | None]

    @property
    def columns(self) -> dict[str, list[Any]]:
        return {
            "hyp": self.hypotheses,
            "ref": self.flat,
            "refs": self.lists,
            "src": self.sources,
            "system": self.groups,
        }

    def __len__(self) -> int:
        return len(self.hypotheses)

    def take(self, rows: list[int]) -> Case:
        return Case(*([column[row] for row in rows] for column in self.columns.values()))

    def by_group(self) -> dict[str | None, Case]:
        """The rows of every group, in the order that groups first come."""
        return {
            key: self.take([row for row, other in enumerate(self.groups) if other == key])
            for key in dict.fromkeys(self.groups)
        }


rows = st.tuples(texts, texts, st.lists(texts, min_size=1, max_size=3), texts, keys)


def cases(smallest: int = 1) -> st.SearchStrategy[Case]:
    return st.lists(rows, min_size=smallest, max_size=8).map(
        lambda found: Case(*map(list, zip(*found, strict=True))) if found else Case([], [], [], [], [])
    )


SYSTEMS = Case(
    hypotheses=["the cat sat on the mat", "a dog", "a cat is on a mat", "the dog", "so it is"],
    flat=["the cat sat on a mat", "a dog", "the cat sat on a mat", "a dog", "so it was"],
    lists=[["the cat sat on a mat"], ["a dog", "the dog"], ["the cat sat"], ["a dog", "dogs"], ["so it was"]],
    sources=["a cat was sitting", "dog", "a cat was sitting", "dog", "it was so"],
    groups=["B", "B", "A", "A", None],
)

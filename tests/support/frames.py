"""What the tests of pandas and polars share: texts with references, groups, and the metrics that need no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from bleuprint import LanguageModel
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.functions import ONE, THREE
from tests.support.tables import FITTED_TABLE, POOL_TABLE, TABLE

texts = st.text("ab .漢é", max_size=12)
keys = st.sampled_from(["A", "B", None])

SCORED_NAMES = sorted({*TABLE, *FITTED_TABLE, "perplexity", "bertscore"} & {*THREE, *ONE})
POOL_NAMES = sorted({*POOL_TABLE} & {*ONE})


def model() -> LanguageModel:
    return LanguageModel.train(["a b", "b a", "a a b"], order=2, discount_fallback=True)


def encode(texts: list[str]) -> list[tuple[list[str], list[tuple[float, float]]]]:
    """Every character is a token, and a direction of its own."""
    return [([*text] or [""], [(1.0, ord(token[:1] or "a") / 100) for token in [*text] or [""]]) for text in texts]


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


def options_of(name: str) -> dict[str, Any]:
    return {"lm": model()} if name == "perplexity" else {"encoder": encode} if name == "bertscore" else {}


def metric_of(name: str) -> Metric[Any]:
    from bleuprint.integrations._frames import SCORED

    return SCORED[name.replace("-", "_")](**options_of(name))

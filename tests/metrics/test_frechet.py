"""Fréchet distance: its closed forms, exact merging, and its errors; tests/with_torch/neural compares it with SciPy."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint import signature
from bleuprint.errors import (
    BareStringError,
    InputError,
    MergeError,
    NotTextError,
    OptionError,
    PoolError,
    SignatureError,
)
from bleuprint.metrics import Frechet
from bleuprint.statistics.scatter import LARGEST, Scatter
from tests.support.effort import examples
from tests.support.encoders import encoder
from tests.support.pools import references_in, texts_in

few_examples = settings(max_examples=examples(60), deadline=None)
points = st.lists(
    st.lists(st.floats(-4000, 4000, allow_nan=False, width=32), min_size=3, max_size=3), min_size=1, max_size=12
)


@few_examples
@given(rows=points, data=st.data())
def test_shards_merge_to_exactly_the_whole(rows: list[list[float]], data: st.DataObject) -> None:
    cloud = np.array(rows, dtype=np.float64)
    whole = Scatter().add(cloud)
    order = data.draw(st.permutations(range(len(rows))))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    merged = Scatter()
    for part in np.split(cloud[order], cuts):
        merged.merge(Scatter().add(part))
    assert merged.count == whole.count == len(rows)
    assert merged.mean().tolist() == whole.mean().tolist()
    assert merged.covariance().tolist() == whole.covariance().tolist()
    assert whole.mean() == pytest.approx(cloud.mean(axis=0), abs=2.0**-26)


@few_examples
@given(rows=points.filter(lambda rows: len(rows) > 1))
def test_equal_to_numpy_s_covariance(rows: list[list[float]]) -> None:
    steps = np.rint(np.array(rows) * 2.0**26) * 2.0**-26
    expected = np.cov(steps, rowvar=False)
    assert Scatter().add(np.array(rows)).covariance() == pytest.approx(expected, rel=1e-9, abs=1e-8)


def test_nothing_is_lost_far_from_the_origin() -> None:
    near = np.array([[0.0], [2.0**-20], [2.0**-19]])
    assert Scatter().add(near + 3000).covariance().tolist() == Scatter().add(near).covariance().tolist()
    assert Scatter().add(near).covariance()[0, 0] == pytest.approx(2.0**-40)


def test_points_are_checked() -> None:
    for bad in (np.array([[LARGEST]]), np.array([[np.nan]]), np.array([[np.inf]]), np.zeros((2, 2, 2))):
        with pytest.raises(OptionError, match="points must be"):
            Scatter().add(bad)
    with pytest.raises(OptionError, match="rows of 2 coordinates"):
        Scatter().add(np.zeros((1, 2))).merge(Scatter().add(np.zeros((1, 3))))
    assert Scatter().add(np.zeros((0, 3))).count == 0


def test_nothing_has_no_dimensions() -> None:
    assert (Scatter().dimensions, Scatter().mean().shape, Scatter().covariance().shape) == (0, (0,), (0, 0))
    assert texts_in(Frechet(encoder()).update([])) == 0


def spread(values: dict[str, list[float]]) -> Any:
    return lambda texts: [([text], [values[text]]) for text in texts]


def test_closed_forms() -> None:
    # Two clouds on one axis: d² = (difference of means)² + (difference of standard deviations)².
    axis = spread({"a": [0.0], "b": [2.0], "c": [10.0], "d": [16.0]})
    score = Frechet(encoder=axis).corpus(["a", "b"], ["c", "d"])
    assert score.mean_part == pytest.approx(144.0)
    assert score.covariance_part == pytest.approx((6 / 2**0.5 - 2 / 2**0.5) ** 2)
    assert score.squared == pytest.approx(152.0)
    assert score.distance == pytest.approx(152.0**0.5)
    assert float(score) == score.value == score.squared
    # Moved and not otherwise changed, it is the squared length of the move.
    moved = spread({"a": [0, 0], "b": [1, 0], "c": [0, 5], "A": [3, 4], "B": [4, 4], "C": [3, 9]})
    assert Frechet(encoder=moved).corpus(["a", "b", "c"], ["A", "B", "C"]).squared == pytest.approx(25.0)
    assert not Frechet(moved).higher_is_better
    assert str(Frechet(encoder=moved).corpus(["a", "b"], ["a", "b"])).startswith(
        "frechet d² = 0.0000, d = 0.0000 (2 texts"
    )


@few_examples
@given(seed=st.integers(0, 10**6), cut=st.integers(0, 12))
def test_laws(seed: int, cut: int) -> None:
    chance = random.Random(seed)
    texts, others = (["".join(chance.choices("abcdefgh", k=4)) for _ in range(12)] for _ in range(2))
    whole = Frechet(encoder()).add_references(others).update(texts).compute()
    first = Frechet(encoder()).add_references(others[cut:]).update(texts[:cut])
    second = Frechet(encoder()).update(texts[cut:][::-1]).add_references(others[:cut])
    merged = second.merge(first).compute()
    assert merged.squared == whole.squared >= 0
    assert merged.signature == whole.signature
    assert Frechet(encoder=encoder()).corpus(others, texts).squared == pytest.approx(whole.squared, abs=1e-9)
    assert Frechet(encoder=encoder()).corpus(texts, texts[::-1]).squared < 1e-9
    held = Frechet(encoder()).add_references(others)
    assert held.corpus(texts).squared == held.corpus(texts).squared == whole.squared
    assert texts_in(held) == 0


def test_pooling_and_empty_texts() -> None:
    texts, others = ["abc", "cd", "", "a"], ["gh", "f", "abf"]
    scores = {Frechet(encoder(), pooling=pooling).corpus(texts, others).squared for pooling in ("mean", "first")}
    assert len(scores) == 2
    with pytest.raises(OptionError, match="pooling must be mean or first"):
        Frechet(encoder(), pooling="last")


def test_texts_without_tokens_lie_at_the_origin() -> None:
    def words(texts: list[str]) -> list[tuple[list[str], Any]]:
        return [(text.split(), [[float(word), 1.0] for word in text.split()]) for text in texts]

    held = Frechet(words).add_references(["1", "2", "", "3 4"])
    assert held.corpus(["", "2", "1", "4 3"]).squared == pytest.approx(0, abs=1e-9)
    with pytest.raises(InputError, match="all 2 texts are empty, so the embedding size is unknown"):
        held.update(["", " "])


def test_signature_replays_with_the_encoder() -> None:
    score = Frechet(encoder=encoder(), pooling="first").corpus(["ab", "c"], ["a", "de"])
    named = signature.parse(score.signature).facts["references"]
    assert named.startswith("2-")
    assert Frechet(encoder=encoder()).corpus(["c"] * 3, ["de", "a"]).signature.count(f"references:{named}|") == 1
    assert named not in Frechet(encoder=encoder()).corpus(["ab", "c"], ["a", "df"]).signature
    held = Frechet(encoder()).add_references(["a", "de"])
    first = held.corpus(["ab", "c"])
    held.add_references(["ab"])
    assert f"references:{named}|" in first.signature, "a score stays that of the references it was computed with"
    again = Frechet.from_signature(score.signature, encoder=encoder()).add_references(["a", "de"])
    assert again.corpus(["ab", "c"]).squared == score.squared
    with pytest.raises(SignatureError, match="encoder=…"):
        Frechet.from_signature(score.signature)


def test_bad_input_is_refused() -> None:
    metric = Frechet(encoder())
    with pytest.raises(PoolError, match=r"frechet compares .* at least 2 of them, got 0"):
        metric.compute()
    with pytest.raises(PoolError, match=r"frechet with references"):
        metric.corpus(["a", "b"])
    with pytest.raises(BareStringError):
        metric.update("ab")
    with pytest.raises(NotTextError, match=r"references\[0\]"):
        metric.add_references([None])  # type: ignore[list-item]
    with pytest.raises(NotTextError, match="pass whole texts"):
        metric.update([["a"]])
    with pytest.raises(MergeError):
        metric.merge(Frechet(encoder(), pooling="first"))
    uneven = spread({"a": [0.0], "b": [1.0], "c": [0.0, 0.0], "d": [1.0, 1.0]})
    with pytest.raises(OptionError, match="encoder must be one whose vectors all have the same size, got '1 and 2'"):
        Frechet(encoder=uneven).corpus(["a", "b"], ["c", "d"])


def test_more_texts_than_are_in_memory_at_a_time() -> None:
    metric = Frechet(encoder()).add_references(["a", "b"] * 300)
    assert (references_in(metric), metric.corpus(["c"] * 300).texts) == (600, 300)
    assert metric.corpus(["a", "b"] * 300).squared == pytest.approx(0, abs=1e-9)

"""A state that was changed on the way gives an equal result or an error of ours, never a number out of range."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import BleuprintError, MergeError, OptionError, PoolError, StateError
from bleuprint.metrics import cards, registry
from bleuprint.models.encoders import CallableEncoder
from tests.laws.strategies import share
from tests.support.every import EVERY, ROWS, add, make
from tests.support.tables import REFERENCE_TABLE

HYPOTHESES = ["the cat sat on the mat", "a dog ran off", "so it goes"]
REFERENCES = [["the cat sat on a mat", "a cat sat"], ["the dog ran off"], ["so it went", "it goes"]]
odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.sampled_from([-1, 0, 1, 2**63, -(2**63), 2**2200, -(2**2200)]),
    st.floats(),
    st.text(max_size=3),
    st.lists(st.integers(-3, 99), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


def updated(name: str) -> Any:
    return add(make(name), ROWS[:3])


def places(state: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every part of a state."""
    yield path
    keys = state if isinstance(state, dict) else range(len(state)) if isinstance(state, list) else ()
    for key in keys:
        yield from places(state[key], (*path, key))


def changed(state: Any, path: tuple[Any, ...], how: str, value: Any) -> Any:
    """The state with one part replaced, removed or doubled."""
    if not path:
        return value
    copy = json.loads(json.dumps(state))
    parent = copy
    for key in path[:-1]:
        parent = parent[key]
    if how == "removed":
        del parent[path[-1]]
    elif how == "doubled" and isinstance(parent, list):
        parent.insert(path[-1], parent[path[-1]])
    else:
        parent[path[-1]] = value
    return copy


@pytest.mark.parametrize("name", EVERY)
@share(60, len(EVERY))
@given(data=st.data())
def test_a_changed_state_is_refused_or_harmless(name: str, data: Any) -> None:
    metric = updated(name)
    state, before = metric.state(), metric.compute().value
    path = data.draw(st.sampled_from(list(places(state))))
    broken = changed(state, path, data.draw(st.sampled_from(["replaced", "removed", "doubled"])), data.draw(odd))
    target = updated(name)
    try:
        score = target.add_state(broken).compute()
    except BleuprintError:
        assert target.state() == state  # all or nothing
        assert target.compute().value == before
        return
    lowest, highest = cards.load(name).limits
    assert lowest <= score.value <= highest
    alone = make(name).add_state(broken)
    try:
        assert lowest <= alone.compute().value <= highest
    except PoolError:
        assert alone.unit == "pool"  # a text is missing, and those left are too few


@pytest.mark.parametrize("name", EVERY)
def test_a_state_without_a_signature_is_refused(name: str) -> None:
    state = updated(name).state()
    del state["signature"]
    with pytest.raises(StateError, match="it has no signature"):
        make(name).add_state(state)


BROKEN: list[tuple[str, str, Any, str]] = [
    ("bleu", "total", [1, 2], r"total must hold 10 numbers, got 2"),
    ("bleu", "total", [5, 5, 9, 0, 0, 0, 5, 4, 3, 2], r"matches_1 must be at most totals_1, got 9 and 5"),
    ("bleu", "total", [-5, 5, 0, 0, 0, 0, 5, 4, 3, 2], r"hypothesis_length must be at least 0, got -5"),
    ("bleu", "total", [2**63] * 10, r"total must hold integers of at most 64 bits, got 9223372036854775808"),
    ("bleu", "total", [True] * 10, r"got True"),
    ("bleu", "total", [1.0] * 10, r"got 1\.0"),
    ("bleu", "total", "1234567890", r"total must be a list, got a str"),
    ("bleu", "sizes", [-7], r"sizes must be at least 0, or -1 if they vary, got -7"),
    ("self-bleu", "texts", [["a", "b"]], "texts must be a str, got a list"),
    ("self-bleu", "texts", "a b", "texts must hold texts: "),
    ("self-bleu", "texts", "\ud800", "texts must hold texts: string argument should contain only ASCII"),
    ("self-bleu", "texts", "AwABYQ==", "texts must hold texts: the bytes end too early"),
    ("self-bleu", "texts", "AQE=", "texts must hold texts: the bytes name a token before it appears"),
    ("self-bleu", "texts", "AQAC/2E=", "texts must hold texts: the bytes hold a token that is neither UTF-8 nor"),
    ("frechet", "count", 0, "count must be an integer of at least 1"),
    ("frechet", "count", True, "count must be an integer of at least 1"),
    ("frechet", "count", 5, "count and digest must be of the same texts, got 5 and 3"),
    ("frechet", "count", 1, "products must be those of points with these sums"),
    ("frechet", "sums", [1, 2], r"sums and products differ in size: \(2,\) and \(5, 5, 5\)"),
    ("frechet", "sums", [0.5] * 5, "sums must hold integers of at most 64 bits"),
    ("frechet", "sums", [2**63] * 5, "sums must hold integers of at most 64 bits"),
    ("frechet", "sums", [2**62] * 5, "sums must be those of 3 points within ±4096"),
    ("frechet", "sums", [2**39] * 5, "products must be those of points with these sums"),
    ("frechet", "sums", [[1], [2, 3]], "inhomogeneous"),
    ("frechet", "sums", "12345", "sums must hold integers"),
    ("frechet", "products", [], "products must hold integers"),
    ("frechet", "digest", [1], "not enough values"),
    ("frechet", "digest", [1.5, 3], "digest must hold two integers"),
    ("frechet", "digest", [2**2048, 3], r"digest must hold a sum below 2\*\*2048"),
    ("frechet", "digest", [1, 2], "count and digest must be of the same texts, got 3 and 2"),
]


@pytest.mark.parametrize(("name", "part", "value", "problem"), BROKEN)
def test_the_error_names_what_is_wrong(name: str, part: str, value: Any, problem: str) -> None:
    state = updated(name).state()
    where = state["texts"] if name == "frechet" else state
    where[part] = value
    place = "in texts, " if name == "frechet" else ""
    with pytest.raises(StateError, match=rf"not a valid state of {name}: {place}.*{problem}.*pass what state\(\)"):
        make(name).add_state(state)


def test_means_out_of_range_are_refused() -> None:
    state = bp.ROUGE().update(HYPOTHESES, REFERENCES).state()
    state["means"]["rouge1"][0] *= 10
    with pytest.raises(StateError, match="the mean rouge1 must be from 0 to 1"):
        bp.ROUGE().add_state(state)


def test_a_state_of_another_metric_is_refused() -> None:
    with pytest.raises(MergeError):
        bp.CER().add_state(bp.WER().update(HYPOTHESES, REFERENCES).state())
    with pytest.raises(StateError, match="must be a dict, got a list"):
        bp.CER().add_state([])  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [name for name, kind in REFERENCE_TABLE.items() if "value_range" in vars(kind)])
def test_the_range_of_a_metric_is_the_one_on_its_card(name: str) -> None:
    assert REFERENCE_TABLE[name].value_range == cards.load(name).limits


@pytest.mark.parametrize("name", [name for name in EVERY if registry.metrics()[name].unit == "pool"])
@pytest.mark.parametrize("part", ["texts", "references"])
def test_a_pool_names_the_part_that_is_wrong(name: str, part: str) -> None:
    state = add(make(name), ROWS).state()
    for value, problem in ((3, f"{part} must be a (str|dict), got a int"), (["a b"], "got a list")):
        with pytest.raises(StateError, match=problem):
            make(name).add_state({**state, part: value})
    del state[part]
    with pytest.raises(StateError, match=f"'{part}' is missing; it has 'signature', "):
        make(name).add_state(state)


def test_points_of_another_size_are_refused_whole() -> None:
    """Texts and references are added one after the other, so a check in between would leave half of them added."""
    metric: Any = make("frechet")
    other = bp.metrics.Frechet(
        CallableEncoder(lambda texts: [([text], [[1.0, 2.0]]) for text in texts], name="letters")
    )
    for state in (
        other.fresh().add_references(["a", "b"]).state(),
        {**updated("frechet").state(), "references": other.fresh().add_references(["a", "b"]).state()["references"]},
    ):
        target = updated("frechet")
        before = target.state()
        with pytest.raises(
            OptionError, match="encoder must be one whose vectors all have the same size, got '5 and 2'"
        ):
            target.add_state({**state, "signature": metric.signature})
        assert target.state() == before

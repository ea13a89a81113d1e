"""Stored results that someone has changed: every command that reads one works, or says in one line what is wrong."""

from __future__ import annotations

import copy
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import OutputError
from bleuprint.report import CHARTS
from bleuprint.results import Result
from bleuprint.runners.comparisons import compare_result
from tests.support.cli import invoke
from tests.support.effort import examples

WORDS = ["cat", "dog", "cow", "hen", "pig", "fox", "owl", "bee"]
REFERENCES = [f"the {word} sat on the mat" for word in WORDS]
SYSTEMS = {"A": [*REFERENCES[:3], *(f"a {word} on a mat" for word in WORDS[3:])], "B": ["the cat sat", *REFERENCES[1:]]}

Place = tuple[str | int, ...]


@cache
def model() -> bp.LanguageModel:
    return bp.LanguageModel.train(REFERENCES, order=2, discount_fallback=True)


@cache
def stored() -> dict[str, Any]:
    metrics: list[Any] = ["bleu", "ter", "chrf", bp.Perplexity(model()), "ibleu"]
    result = bp.evaluate(SYSTEMS, REFERENCES, metrics=metrics, sources=WORDS)
    result = compare_result(result, metrics={"perplexity": bp.Perplexity(model())}, resamples=200)
    fields: dict[str, Any] = json.loads(result.to_json())
    return fields


def commands(path: Path) -> list[list[str]]:
    name, folder = str(path), path.parent
    lm = ["-m", f"perplexity:lm={folder / 'model.blm'}"]
    return [
        ["report", name, "--force", *lm],
        ["replay", name, *lm],
        ["gate", name, "--min", "bleu=0.1"],
        ["gate", name, "--baseline", str(folder / "baseline.json"), *lm],
        ["gate", str(folder / "baseline.json"), "--baseline", name, *lm],
        *(["plot", name, "--chart", chart, "-o", str(folder / "chart.svg"), "--force"] for chart in CHARTS),
    ]


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """Every place in a document; of long lists only the ends."""
    yield place
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*place, key))
    elif isinstance(value, list):
        for index in {0, len(value) - 1} if value else ():
            yield from places(value[index], (*place, index))


def changed(place: Place, change: Callable[[Any, str | int], None]) -> dict[str, Any]:
    fields = copy.deepcopy(stored())
    owner: Any = fields
    for key in place[:-1]:
        owner = owner[key]
    change(owner, place[-1])
    return fields


def put(value: Any, owner: Any, key: str | int) -> None:
    owner[key] = value


def remove(owner: Any, key: str | int) -> None:
    del owner[key]


def check(fields: object, command: list[str]) -> str:
    """Let a command read the document; return what it says if it refuses it."""
    path = Path(next(argument for argument in command if argument.endswith("result.json")))
    path.write_text(fields if isinstance(fields, str) else json.dumps(fields))
    ended = invoke(*command)
    assert ended.exit_code in (0, 1, 2)
    assert ended.exit_code != 2 or ended.stderr.startswith("bleuprint: ")
    errors = [line for line in ended.stderr.splitlines() if not line.startswith("note: ")]
    assert len(errors) == (ended.exit_code == 2), ended.stderr
    assert "This is a bug" not in ended.stderr
    return ended.stderr


HOSTILE: list[Any] = [
    *(None, True, -1, 0, 10**15, 10**400, 1.5, -1e308, 1e308, float("nan"), float("inf")),
    *("", "x", "\ud800", "\x1b[31m\n", "bleu.1|tokenizer:13a", "gleu.1|tokenizer:spm%3A/x", "a\0b", "x" * 10_000),
    *([], {}, [[]], [None], [1.0] * 5, {"x": {}}, [{"name": "A"}], [0.5] * 200_000),
]
FOLDER = Path(tempfile.mkdtemp(prefix="hostile-results-"))
COMMANDS = commands(FOLDER / "result.json")
PLACES = [place for place in places(stored()) if place]


@pytest.fixture(scope="module", autouse=True)
def folder() -> Iterator[None]:
    (FOLDER / "baseline.json").write_text(json.dumps(stored()))
    model().save(FOLDER / "model.blm")
    yield
    shutil.rmtree(FOLDER)


def test_every_command_reads_the_result_as_it_is() -> None:
    assert not [command for command in COMMANDS if check(stored(), command)]


@given(place=st.sampled_from(PLACES), value=st.sampled_from(HOSTILE), command=st.sampled_from(COMMANDS))
@settings(max_examples=examples(100))
def test_any_field_replaced(place: Place, value: Any, command: list[str]) -> None:
    check(changed(place, partial(put, value)), command)


@given(place=st.sampled_from(PLACES), command=st.sampled_from(COMMANDS))
@settings(max_examples=examples(100))
def test_any_field_removed(place: Place, command: list[str]) -> None:
    check(changed(place, remove), command)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_field_replaced_or_removed(command: list[str]) -> None:
    for place in PLACES:
        check(changed(place, remove), command)
        for value in HOSTILE[:-1:3]:
            check(changed(place, partial(put, value)), command)


@given(text=st.text(max_size=20) | st.sampled_from(["[" * 100_000, '{"a":' * 100_000, "NaN", "1" * 5000]))
@settings(max_examples=10)
def test_what_is_no_result(text: str) -> None:
    for command in COMMANDS:
        assert "is not a valid bleuprint result" in check(text, command)


PAIR: Place = ("comparison", "metrics", 0, "pairs", 0)
CLUSTER: Place = ("comparison", "metrics", 0, "clusters", 0)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ((*PAIR, "better"), "nobody"),
        ((*PAIR, "verdict"), 7),
        ((*PAIR, "first"), ["A"]),
        ((*PAIR, "difference", "low"), "0.1"),
        ((*PAIR, "difference", "high"), -5.0),
        ((*PAIR, "difference", "level"), 7),
        (CLUSTER, []),
        (CLUSTER, "A"),
        (CLUSTER, ["nobody"]),
        (("comparison", "metrics"), 5),
        (("comparison", "metrics", 0, "systems", 0, "score"), None),
        (("comparison", "signature"), None),
    ],
)
def test_a_comparison_that_compare_did_not_write(place: Place, value: Any) -> None:
    fields = changed(place, partial(put, value))
    assert "is not a valid bleuprint result: " in check(fields, COMMANDS[0])


def test_a_pair_that_does_not_say_which_is_better() -> None:
    fields = changed((*PAIR, "better"), remove)
    assert "is not a valid bleuprint result: " in check(fields, COMMANDS[0])


def test_numbers_in_a_file_do_not_decide_how_much_is_allocated() -> None:
    """A size without segments, and as many precisions as fit."""
    empty = copy.deepcopy(stored())
    empty["size"], empty["references"], empty["sources"], empty["comparison"] = 10**12, [], None, None
    for system in empty["systems"]:
        system["hypotheses"] = []
        for score in system["scores"]:
            score["segments"] = []
    for command in COMMANDS:
        check(empty, command)
    result = Result.from_json(json.dumps(empty))
    for write in (result.to_pandas, result.to_polars):
        with pytest.raises(OutputError, match="the result has no segment scores for bleu"):
            write()
    without = replace(result, systems=tuple(replace(system, scores=()) for system in result.systems))
    with pytest.raises(OutputError, match="the result has neither texts nor scores"):
        without.to_pandas()
    for count, reading in ((17, COMMANDS), (200_000, [COMMANDS[0]])):
        many = copy.deepcopy(stored())
        for system in many["systems"]:
            system["scores"][0]["parts"]["precisions"] = [0.5] * count
            system["scores"][0]["value"] = 0.5
            system["scores"][0]["parts"]["brevity_penalty"] = 1.0
        for command in reading:
            check(many, command)

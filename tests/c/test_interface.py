"""The C interface: its own test in C, and the same numbers as the package's, bit by bit."""

from __future__ import annotations

import json
import random
import subprocess
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.metrics import CER, MER, TER, WER, WIL, WIP
from bleuprint.statistics.comparison import compare_samples
from tests.support.c_interface import Column, Metric, Rows, Tokens, compare
from tests.support.effort import examples
from tests.support.text_strategies import nasty_text
from tools import c_interface, make_case_tables

METRICS: dict[str, Callable[[], Any]] = {
    "bleu": bp.BLEU,
    "bleu|tokenizer:intl|lowercase:yes|smoothing:floor": lambda: bp.BLEU(
        tokenizer="intl", lowercase=True, smoothing="floor"
    ),
    "bleu|tokenizer:whitespace|max_order:2|smoothing:add-k(0.5)|effective_order:yes": lambda: bp.BLEU(
        tokenizer="whitespace", max_order=2, smoothing="add-k(0.5)", effective_order=True
    ),
    "bleu|tokenizer:none|smoothing:none|reference_length:shortest|zero_when:never": lambda: bp.BLEU(
        tokenizer="none", smoothing="none", reference_length="shortest", zero_when="never"
    ),
    "bleu|tokenizer:zh|smoothing:add-all|absent_order:zero|zero_precision:skip": lambda: bp.BLEU(
        tokenizer="zh", smoothing="add-all", absent_order="zero", zero_precision="skip"
    ),
    "chrf": bp.CHRF,
    "chrf|word_order:2|lowercase:yes|whitespace:yes|beta:1.5": lambda: bp.CHRF(
        word_order=2, lowercase=True, whitespace=True, beta=1.5
    ),
    "chrf|eps_smoothing:yes|char_order:3": lambda: bp.CHRF(eps_smoothing=True, char_order=3),
    "ter": TER,
    "ter|tokenizer:tercom-normalized-asian|lowercase:no": lambda: TER(
        normalized=True, asian_support=True, lowercase=False
    ),
    "rouge": bp.ROUGE,
    "rouge|types:rougeL+rouge3|stemmer:yes|tokenizer:unicode": lambda: bp.ROUGE(
        types=("rougeL", "rouge3"), stemmer=True, tokenizer="unicode"
    ),
    "rouge|types:rouge2|tokenizer:13a": lambda: bp.ROUGE(types="rouge2", tokenizer="13a"),
    "wer": WER,
    "wer|tokenizer:char|lowercase:yes": lambda: WER(tokenizer="char", lowercase=True),
    "mer": MER,
    "mer|tokenizer:13a": lambda: MER(tokenizer="13a"),
    "wil": WIL,
    "wip|lowercase:yes": lambda: WIP(lowercase=True),
    "cer": CER,
    "cer|lowercase:yes|whitespace:remove": lambda: CER(lowercase=True, whitespace="remove"),
}
POOLS: dict[str, Callable[[], Any]] = {
    "self-bleu": bp.SelfBLEU,
    "self-bleu|max_order:3|tokenizer:whitespace|smoothing:none": lambda: bp.SelfBLEU(
        max_order=3, tokenizer="whitespace", smoothing="none"
    ),
}
WORDS = ["the", "a", "cat", "dog", "sat", "on", "&quot;so&quot;", "ÄRGER", "Σίσυφος", "猫が好き", "7.5", ",", "."]


def sentences(count: int, seed: int, longest: int = 12) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randrange(longest))) for _ in range(count)]


def references(count: int, most: int = 3) -> list[list[str]]:
    groups = [sentences(count, seed) for seed in range(1, most + 1)]
    return [[group[i] for group in groups[: 1 + i % most]] for i in range(count)]


def run(program: Path) -> str:
    done = subprocess.run([str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_in_c() -> None:
    assert run(c_interface.library().parent / "interface") == "all passed\n"


def test_the_npm_package_has_the_version_of_the_python_package() -> None:
    package = json.loads((c_interface.ROOT / "web" / "npm" / "package.json").read_text(encoding="utf-8"))
    assert package["version"] == bp.__version__


@pytest.mark.slow
def test_in_c_under_sanitizers() -> None:
    assert run(c_interface.sanitized()) == "all passed\n"


def require_equal(description: str, metric: Any, outputs: list[str], others: list[list[str]]) -> None:
    rows = Rows.of(description, outputs, others)
    score = metric.corpus(outputs, others)
    values = rows.values()
    assert rows.table() == metric.statistics(outputs, others).rows.tolist()
    assert values["score" if "score" in values else next(iter(values))] == score.value
    assert rows.segments() == metric.sentences(outputs, others).tolist()
    for name, part in score.parts.items():
        flat = values.get(name, None if isinstance(part, tuple) else part)
        assert part == flat or name in {"precisions", "matches", "totals"} or name.endswith("_totals")
    for place, precision in enumerate(score.parts.get("precisions", ()), start=1):
        assert values[f"precision_{place}"] == precision


@pytest.mark.parametrize("description", METRICS)
def test_the_numbers_are_those_of_the_package(description: str) -> None:
    metric = METRICS[description]()
    require_equal(description, metric, sentences(40, 0), references(40))
    made = Metric.of(description)
    score = metric.corpus(["a"], ["a"])
    assert made.signature(sentence=False) == score.signature.partition("#")[0]
    assert made.signature(sentence=True) == score.segment_signature.partition("#")[0]
    assert Metric.of(score.signature).signature(sentence=False) == made.signature(sentence=False)


@pytest.mark.parametrize(
    "description", ["bleu", "chrf|word_order:2|lowercase:yes", "ter", "rouge", "wer", "mer", "wil", "cer"]
)
@settings(max_examples=examples(60), deadline=None)
@given(data=st.data())
def test_any_text_has_the_numbers_of_the_package(description: str, data: st.DataObject) -> None:
    pairs = data.draw(
        st.lists(st.tuples(nasty_text(), st.lists(nasty_text(), min_size=1, max_size=3)), min_size=1, max_size=4)
    )
    require_equal(
        description,
        METRICS[description]() if description in METRICS else bp.CHRF(word_order=2, lowercase=True),
        [output for output, _ in pairs],
        [group for _, group in pairs],
    )


@pytest.mark.parametrize("count", [1, 7, 24, 25, 31])
def test_means_of_many_reference_lengths_are_rounded_once(count: int) -> None:
    outputs = ["the cat sat", "a dog"]
    groups = [["the cat" + " x" * (place % 5) for place in range(count)] for _ in outputs]
    require_equal("ter", TER(), outputs, groups)


@pytest.mark.parametrize("description", POOLS)
def test_pools_have_the_numbers_of_the_package(description: str) -> None:
    outputs = sentences(30, 3)
    rows, score = Rows.of(description, outputs, None), POOLS[description]().corpus(outputs)
    values = rows.values()
    assert values.pop("score") == score.value
    assert tuple(values.values()) == score.per_order
    assert rows.segments() == score.per_text.tolist()
    assert rows.metric.signature(sentence=False) == score.signature.partition("#")[0]


def systems(count: int, kind: str) -> tuple[dict[str, list[str]], list[list[str]]]:
    wanted = references(count)
    chance = random.Random(kind)
    noise = {"alike": 0.0, "close": 0.02, "apart": 0.4}[kind]

    def spoil(text: str, share: float) -> str:
        return " ".join(word for word in text.split() if chance.random() >= share) or "x"

    firsts = [group[0] for group in wanted]
    shares = {"A": 0.2, "B": 0.2 + noise, "C": 0.2 + noise}
    if kind == "alike":
        same = [spoil(text, 0.2) for text in firsts]
        return {name: [*same[:-2], spoil(firsts[-2], share), "a b"] for name, share in shares.items()}, wanted
    return {name: [spoil(text, share) for text in firsts] for name, share in shares.items()}, wanted


@pytest.mark.parametrize("kind", ["alike", "close", "apart"])
@pytest.mark.parametrize("count", [3, 14, 70])
@pytest.mark.parametrize("description", ["bleu", "chrf", "ter", "rouge", "wer", "mer", "wil"])
def test_intervals_and_p_values_are_those_of_the_package(description: str, count: int, kind: str) -> None:
    outputs, wanted = systems(count, kind)
    metric = METRICS[description]()
    expected = compare_samples({name: metric.sample(texts, wanted) for name, texts in outputs.items()})
    names = [system.name for system in expected.systems]
    intervals, pairs = compare([Rows.of(description, outputs[name], wanted) for name in names])
    for system, interval in zip(expected.systems, intervals, strict=True):
        require_interval(interval, system.score)
    for pair, found in zip(expected.pairs, pairs, strict=True):
        require_interval(found.difference, pair.difference)
        assert (found.p_value, found.corrected) == (pair.p_value, pair.corrected_p_value)
        assert (found.test.decode(), found.trials) == (pair.test, pair.samples)
        assert found.level == pair.difference.level
        assert found.standard_error == pytest.approx(pair.standard_error, rel=1e-12, abs=1e-15)


def require_interval(found: Any, expected: Any) -> None:
    """NumPy adds up the scores of resamples in another order, so what follows from means is off by roundings."""
    assert (found.method.decode(), found.value) == (expected.method, expected.value)
    assert (found.low, found.high, found.mean) == pytest.approx(
        (expected.low, expected.high, expected.mean), rel=1e-9, abs=1e-12
    )


def test_share_of_items_has_the_exact_interval() -> None:
    outputs, wanted = ["a b c d"] * 9 + ["x"] * 3, ["a b c d"] * 12
    metric = WER()
    expected = compare_samples({"A": metric.sample(outputs, wanted), "B": metric.sample(wanted, wanted)})
    order = {"A": outputs, "B": wanted}
    intervals, pairs = compare([Rows.of("wer", order[system.name], wanted) for system in expected.systems])
    assert {interval.method for interval in intervals} <= {b"clopper-pearson", b"bound", b"t"}
    for system, interval in zip(expected.systems, intervals, strict=True):
        require_interval(interval, system.score)
    require_interval(pairs[0].difference, expected.pairs[0].difference)


@settings(max_examples=examples(200), deadline=None)
@given(outputs=st.lists(st.sampled_from("abc"), max_size=8), others=st.lists(st.sampled_from("abc"), max_size=8))
def test_the_matches_that_are_shown_are_those_that_count(outputs: list[str], others: list[str]) -> None:
    own, wanted = Column.of([" ".join(outputs)]), Column.of([" ".join(others)])
    metric = Metric.of("bleu|tokenizer:whitespace|max_order:1")
    shown = Tokens.made("matches", metric, own, wanted, 0, 0).all()
    assert [token for token, *_ in shown] == outputs
    rows = Rows.of("bleu|tokenizer:whitespace|max_order:1", [" ".join(outputs)], [" ".join(others)])
    assert sum(match for *_, match in shown) == rows.table()[0][2]
    pairs = Tokens.made("matches", Metric.of("bleu|tokenizer:whitespace|max_order:2"), own, wanted, 0, 0).all()
    assert all(match <= 2 for *_, match in pairs)


@settings(max_examples=examples(200), deadline=None)
@given(
    text=nasty_text(), tokenizer=st.sampled_from(["13a", "intl", "zh", "char", "nltk", "none"]), lowercase=st.booleans()
)
def test_tokens_are_those_of_the_package_and_stand_where_they_say(text: str, tokenizer: str, lowercase: bool) -> None:
    encoded = text.encode()
    found = Tokens.made("tokenize", tokenizer.encode(), int(lowercase), encoded, len(encoded)).all()
    assert [token for token, *_ in found] == bp.tokenize(text, tokenizer, lowercase=lowercase)
    places = [(begin, end) for _, begin, end, _ in found if end]
    assert places == sorted(places)
    assert all(begin < end <= len(encoded) for begin, end in places)


def test_the_case_tables_are_those_of_an_interpreter() -> None:
    """Letters that Unicode 3.2 had are the same in every version; all are where the version is that of the file."""
    source = make_case_tables.TARGET.read_text(encoding="utf-8")
    if f"from Unicode {unicodedata.unidata_version};" in source:
        assert source == make_case_tables.source()
    old = [point for point in map(chr, range(0x20, 0x20000)) if unicodedata.ucd_3_2_0.category(point) in {"Lu", "Ll"}]
    text = "".join(old)
    encoded = text.encode()
    found = Tokens.made("tokenize", b"char", 1, encoded, len(encoded)).all()
    assert "".join(token for token, *_ in found) == text.lower()

"""A signature names every option, reads back to what it was written from, and replays the score."""

from __future__ import annotations

import contextlib
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint import BLEU, __version__
from bleuprint import signature as signatures
from bleuprint.errors import OptionError, SignatureError
from bleuprint.metrics import SentenceBleu
from bleuprint.signature import Option

keys = st.text(string.ascii_lowercase + "_", min_size=1, max_size=12)
awkward = (
    "auto",
    "yes",
    "no",
    "1",
    "1.5",
    "nan",
    "-inf",
    "1e5",
    "1_0",
    "a|b",
    "a#b",
    "a:b",
    "a,",
    "%41",
    "'a",
    "",
    "é ٣",
)
values: st.SearchStrategy[Option] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.lists(st.floats(allow_nan=False), max_size=4).map(tuple),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(awkward),
)


@given(st.dictionaries(keys, values, max_size=6), st.integers(0, 99), st.dictionaries(keys, keys, max_size=3))
def test_options_read_back(options: dict[str, Option], version: int, facts: dict[str, str]) -> None:
    text = signatures.write("metric", version, options, facts)
    assert text.isprintable() or any(not str(value).isprintable() for value in options.values())
    parsed = signatures.parse(text)
    assert (parsed.metric, parsed.version, parsed.facts) == ("metric", version, facts)
    assert parsed.options == options
    # True equals 1 and 1 equals 1.0, so types are compared too.
    assert {key: type(value) for key, value in parsed.options.items()} == {
        key: type(value) for key, value in options.items()
    }
    assert signatures.write(parsed.metric, parsed.version, parsed.options, parsed.facts) == text


@st.composite
def bleu_options(draw: st.DrawFn) -> dict[str, Any]:
    orders = draw(st.integers(3, 16))
    shares = draw(st.lists(st.integers(0, 9), min_size=orders, max_size=orders).filter(any))
    choices: dict[str, st.SearchStrategy[Any]] = {
        "profile": st.sampled_from(("sacrebleu", "nltk", "hf", "torchmetrics", "axion", "moses")),
        "tokenizer": st.sampled_from(("13a", "intl", "zh", "char", "none", "whitespace")),
        "lowercase": st.booleans(),
        "max_order": st.just(orders),
        "weights": st.just(tuple(share / sum(shares) for share in shares)),
        "smoothing": st.sampled_from(("none", "floor(0.3)", "add-k(2)", "add-all", "exp", "method0", "method4(3)")),
        "effective_order": st.booleans(),
        "reference_length": st.sampled_from(("closest", "closest-first", "shortest")),
        "absent_order": st.sampled_from(("undefined", "one", "zero")),
        "zero_when": st.sampled_from(("no-match", "any-order-without-match", "never")),
        "zero_precision": st.sampled_from(("zero", "skip")),
        "context": st.sampled_from(("corpus", "last-segment")),
    }
    chosen = draw(st.sets(st.sampled_from(sorted(choices))))
    if "weights" in chosen:
        chosen.add("max_order")
    return {key: draw(choices[key]) for key in sorted(chosen)}


@given(bleu_options())
def test_a_metric_reads_back(options: dict[str, Any]) -> None:
    metric = BLEU(**options)
    again = BLEU.from_signature(metric.signature)
    assert again.signature == metric.signature
    assert again.options == metric.options
    assert again.definition.formula.weights == metric.definition.formula.weights
    assert again.merge(metric).signature == metric.signature


@given(bleu_options(), bleu_options())
def test_different_options_have_different_signatures(first: dict[str, Any], second: dict[str, Any]) -> None:
    a, b = BLEU(**first), BLEU(**second)
    assert (a.signature == b.signature) == (a.options == b.options)


def test_a_score_names_its_data_and_program() -> None:
    score = BLEU().corpus(["a b", "c"], [["a", "b"], ["c", "d"]])
    assert score.signature.endswith(f"#references:2|bleuprint:{__version__}")
    varying = BLEU().corpus(["a b", "c"], [["a", "b"], "c"])
    assert varying.signature.endswith(f"#references:varying|bleuprint:{__version__}")
    streamed = BLEU().update(["a b"], [["a", "b"]]).update(["c"], ["c"]).compute()
    assert (streamed.signature, streamed.references) == (varying.signature, varying.references)
    merged = BLEU().update(["a b"], [["a", "b"]]).merge(BLEU().update(["c"], ["c"])).compute()
    assert merged.signature == varying.signature
    assert BLEU().update(["a b"], [["a", "b"]]).compute().references == 2


def test_a_score_says_which_effective_order_it_used() -> None:
    assert "|effective_order:yes|" in BLEU().sentence("a", "a").signature
    assert "|effective_order:no|" in BLEU().corpus(["a"], ["a"]).signature
    assert "|effective_order:auto|" in BLEU().signature


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a signature must start with a name and a version, such as 'name.1|…', got ''."),
        ("bleu", "a signature must start with a name"),
        ("bleu.x", "a signature must start with a name"),
        (".1", "a signature must start with a name"),
        ("bleu.٣", "a signature must start with a name"),
        ("bleu." + "9" * 5000, "a signature must start with a name"),
        (
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
            "a signature must start with a name and a version, such as 'name.1|…', got 'nrefs:1|",
        ),
        (
            "bleu.1|max_order",
            "every field of a signature must be key:value, got 'max_order' in 'bleu.1|max_order'.",
        ),
        ("bleu.1#references", "every field of a signature must be key:value, got 'references' in"),
        ("bleu.1|max_order:4|max_order:5", "max_order appears twice in 'bleu.1|max_order:4|max_order:5'."),
        ("bleu.1|weights:a,b,", "'bleu.1|weights:a,b,' has an invalid value"),
        ("bleu.1|tokenizer:%FF", "'bleu.1|tokenizer:%FF' has an invalid value"),
        ("gleu.1", "BLEU reads signatures of bleu.1, got 'gleu.1'."),
        ("bleu.2|max_order:4", "BLEU reads signatures of bleu.1, got 'bleu.2|max_order:4'."),
        ("bleu.1|banana:4", "'bleu.1|banana:4' has options that BLEU does not know"),
        (3, "a signature must be a str, got int."),
        (None, "a signature must be a str, got NoneType."),
    ],
)
def test_bad_signatures(text: Any, message: str) -> None:
    with pytest.raises(SignatureError) as caught:
        BLEU.from_signature(text)
    assert str(caught.value).startswith(message)


@given(st.one_of(st.text(max_size=40), st.text("bleu.1|:#,%'0123456789AF", max_size=30).map("bleu.1|".__add__)))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(SignatureError, OptionError):
        BLEU.from_signature(text)


def test_bad_values_are_option_errors() -> None:
    with pytest.raises(OptionError, match="max_order must be an integer"):
        BLEU.from_signature("bleu.1|max_order:99")


def split_twice(text: str) -> list[str]:
    return text.split() * 2


def test_custom_tokenizers_are_named_and_must_be_passed_again() -> None:
    score = BLEU(tokenizer=split_twice).corpus(["a b"], ["a b"])
    assert "|tokenizer:custom(tests.test_signature.split_twice)|" in score.signature
    with pytest.raises(SignatureError) as caught:
        BLEU.from_signature(score.signature)
    assert str(caught.value) == (
        "tokenizer custom(tests.test_signature.split_twice) is a custom function: pass it as tokenizer=…."
    )
    again = BLEU.from_signature(score.signature, tokenizer=split_twice)
    replayed = again.corpus(["a b"], ["a b"])
    assert (replayed.value, replayed.signature) == (score.value, score.signature)
    assert again.sentence("a b", "a b").totals[0] == score.totals[0] == 4


def test_arguments_replace_options() -> None:
    metric = BLEU.from_signature(BLEU(max_order=2, smoothing="none").signature, smoothing="exp")
    assert metric.signature == BLEU(max_order=2).signature


def test_sentence_bleu_writes_and_reads_its_own_signature() -> None:
    metric = SentenceBleu(n_grams=3)
    assert metric.signature == "sentence-bleu.1|case_sensitive:no|n_grams:3|smoothing:yes"
    assert SentenceBleu.from_signature(metric.signature).signature == metric.signature
    with pytest.raises(SignatureError, match=r"SentenceBleu reads signatures of sentence-bleu\.1, got 'bleu\.1"):
        SentenceBleu.from_signature(BLEU().signature)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"),
        (
            {"lowercase": True, "smoothing": "floor", "tokenizer": "intl", "effective_order": True},
            "nrefs:1|case:lc|eff:yes|tok:intl|smooth:floor[0.10]|version:2.6.0",
        ),
        ({"max_order": 2}, None),
        ({"weights": (0.25,) * 4}, None),
        ({"smoothing": "method4"}, None),
        ({"tokenizer": "nltk"}, None),
        ({"reference_length": "shortest"}, None),
    ],
)
def test_the_signature_of_sacrebleu(options: dict[str, Any], expected: str | None) -> None:
    assert BLEU(**options).corpus(["a"], ["a"]).sacrebleu_signature == expected

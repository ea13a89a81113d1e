"""sacrebleu 2.6 and what stands in for it: one table of calls, made of both, answered alike."""

from __future__ import annotations

import importlib
import itertools
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint.errors import InputError, LengthMismatchError
from tests.compat.sides import Call, Sides
from tests.parity.corpora import Corpus, corpora, random_corpora
from tests.support.effort import MANY, examples
from tests.support.wmt22 import Wmt22

BOTH = Sides.of("bleuprint.compat.sacrebleu", "sacrebleu")
OURS, THEIRS = BOTH

HYPOTHESES = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him.", ""]
FIRST = ["The dog bit the man.", "It was not unexpected.", "The man bit him first.", "Nothing"]
SECOND = ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog.", ""]
HOLES = [None, "No one was surprised.", None, "x"]
STREAMS = [FIRST, SECOND]

FUNCTIONS = "corpus_bleu raw_corpus_bleu sentence_bleu corpus_chrf sentence_chrf corpus_ter sentence_ter"
BLEU_OPTIONS: list[dict[str, Any]] = [
    {},
    {"lowercase": True},
    {"force": True, "tokenize": "none"},
    *[{"tokenize": name} for name in ("13a", "intl", "zh", "char", "ja-mecab", "ko-mecab")],
    *[{"smooth_method": name} for name in ("none", "floor", "add-k", "exp")],
    {"smooth_method": "floor", "smooth_value": 0.5},
    {"smooth_method": "add-k", "smooth_value": 2.5, "effective_order": True},
    {"max_ngram_order": 2},
    {"max_ngram_order": 7, "effective_order": True},
    {"trg_lang": "zh"},
    {"trg_lang": "ja", "tokenize": "13a"},
    {"trg_lang": "ko", "tokenize": "char"},
]
CHRF_OPTIONS: list[dict[str, Any]] = [
    {},
    {"char_order": 3},
    {"word_order": 2},
    {"beta": 1},
    {"beta": 3, "lowercase": True},
    {"whitespace": True},
    {"eps_smoothing": True},
    {"word_order": 1, "eps_smoothing": True, "whitespace": True},
]
TER_OPTIONS: list[dict[str, Any]] = [
    dict(zip(("normalized", "no_punct", "asian_support", "case_sensitive"), chosen, strict=True))
    for chosen in itertools.product([False, True], repeat=4)
]
OPTIONS: dict[str, list[dict[str, Any]]] = {"BLEU": BLEU_OPTIONS, "CHRF": CHRF_OPTIONS, "TER": TER_OPTIONS}


def scored(name: str, options: dict[str, Any]) -> Call:
    """Everything one metric object is asked for."""

    def call(library: Any) -> object:
        metric = getattr(library.metrics, name)(**options)
        cached = getattr(library.metrics, name)(**options, references=STREAMS)
        return [
            metric.corpus_score(HYPOTHESES, STREAMS),
            metric.get_signature(),
            metric.corpus_score(HYPOTHESES, [FIRST, HOLES]),
            metric.get_signature(),
            *(metric.sentence_score(h, list(group)) for h, *group in zip(HYPOTHESES, *STREAMS, strict=True)),
            metric.get_signature(),
            cached.get_signature(),
            cached.corpus_score(HYPOTHESES, None),
            cached.corpus_score(HYPOTHESES, None, n_bootstrap=50),
            cached.get_signature(),
            metric._extract_corpus_statistics(HYPOTHESES, STREAMS),
        ]

    return call


TABLE: dict[str, Call] = {
    **{f"{name} {o}": scored(name, o) for name, several in OPTIONS.items() for o in several},
    "corpus_bleu": lambda s: s.corpus_bleu(HYPOTHESES, STREAMS),
    "corpus_bleu by position": lambda s: s.corpus_bleu(HYPOTHESES, STREAMS, "floor", 0.2, True, True, "intl", True),
    "raw_corpus_bleu": lambda s: s.raw_corpus_bleu(HYPOTHESES, STREAMS),
    "raw_corpus_bleu, value": lambda s: s.raw_corpus_bleu(HYPOTHESES, STREAMS, 0.01),
    "sentence_bleu": lambda s: [s.sentence_bleu(h, [r, t]) for h, r, t in zip(HYPOTHESES, *STREAMS, strict=True)],
    "sentence_bleu, no effective order": lambda s: s.sentence_bleu("a b", ["a b"], use_effective_order=False),
    "sentence_bleu of a tuple": lambda s: s.sentence_bleu("a b c d", ("a b c d", None)),
    "corpus_chrf": lambda s: s.corpus_chrf(HYPOTHESES, STREAMS, 4, 1, 3, False, True),
    "sentence_chrf": lambda s: s.sentence_chrf(HYPOTHESES[1], [FIRST[1]]),
    "corpus_ter": lambda s: s.corpus_ter(HYPOTHESES, STREAMS, True, True, True, True),
    "sentence_ter": lambda s: s.sentence_ter(HYPOTHESES[2], [FIRST[2], SECOND[2]]),
    "compute_bleu": lambda s: s.BLEU.compute_bleu([5, 3, 1, 0], [7, 6, 5, 4], 7, 9),
    "compute_bleu, add-k": lambda s: s.BLEU.compute_bleu([5, 3, 1, 0], [7, 6, 5, 4], 7, 9, "add-k", 2),
    "compute_bleu, short": lambda s: s.BLEU.compute_bleu([1], [2], 2, 1, "exp", max_ngram_order=1),
    "compute_bleu of nothing": lambda s: s.BLEU.compute_bleu([0] * 4, [0] * 4, 0, 0, "exp"),
    "tokenizers": lambda s: list(s.BLEU.TOKENIZERS),
    "smoothing": lambda s: s.BLEU.SMOOTH_DEFAULTS,
    "constants": lambda s: [s.BLEU.TOKENIZER_DEFAULT, s.CHRF.CHAR_ORDER, s.CHRF.WORD_ORDER, s.CHRF.BETA],
    "version": lambda s: s.__version__,
    "metrics": lambda s: list(s.metrics.METRICS),
    "tokenized input": lambda s: s.corpus_bleu(["a b c ."] * 100, [["a b c ."] * 100]),
    "tokenized input, forced": lambda s: s.corpus_bleu(["a b c ."] * 100, [["a b c ."] * 100], force=True),
    "signature before a score": lambda s: s.BLEU().get_signature(),
    "neither references nor cache": lambda s: s.BLEU().corpus_score(["a"], None),
    "unknown tokenizer": lambda s: s.BLEU(tokenize="14a"),
}


@pytest.mark.parametrize("name", TABLE)
def test_the_table(name: str) -> None:
    BOTH.same(TABLE[name])


# What both refuse; ours says which text, what is allowed, and the repair.
REFUSED: dict[str, tuple[Call, str]] = {
    "hypotheses of lists": (lambda s: s.corpus_bleu([["a"]], [["a"]]), r"hypotheses\[0\] must be a str, got list"),
    "hypothesis None": (lambda s: s.corpus_bleu(["a", None], [["a", "b"]]), r"hypotheses\[1\] must be a str, got None"),
    "a number as reference": (lambda s: s.corpus_bleu(["a"], [[1]]), r"references\[0\]\[0\] must be a str, got int"),
    "stream that is none": (lambda s: s.corpus_chrf(["a"], [1]), r"references\[0\] must be a list of texts, got int"),
    "sentence that is none": (lambda s: s.sentence_bleu(["a"], ["a"]), r"hypotheses\[0\] must be a str, got list"),
    "sentence with one reference": (lambda s: s.sentence_ter("a", "a"), "references must be a list .* single string"),
    "sentence with a number": (lambda s: s.sentence_chrf("a", [1]), r"references\[0\]\[0\] must be a str, got int"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_text_is_refused(name: str) -> None:
    call, said = REFUSED[name]
    with pytest.raises(TypeError):
        call(THEIRS)
    with pytest.raises(TypeError, match=said) as refused:
        call(OURS)
    assert isinstance(refused.value, InputError)


def test_a_flat_list_of_references_is_refused() -> None:
    """sacrebleu takes each reference for a stream, and its characters for references."""
    assert THEIRS.corpus_bleu(["a", "b"], ["ab", "ab"]).counts[0] == 2
    with pytest.raises(TypeError, match=r"references\[0\] must be a list of texts, got str; .* pass \[references\]"):
        OURS.corpus_bleu(["a", "b"], ["ab", "ab"])


def test_nothing_to_score_is_refused() -> None:
    with pytest.raises(RuntimeError, match="No references provided"):
        OURS.sentence_bleu("a", [])
    with pytest.raises(RuntimeError, match="No references provided"):
        OURS.corpus_bleu([], [[]])


@pytest.mark.parametrize("name", FUNCTIONS.split())
def test_functions_take_the_same(name: str) -> None:
    BOTH.same_parameters(name)
    assert getattr(OURS.compat, name) is getattr(OURS, name)


@pytest.mark.parametrize("name", ["metrics.BLEU", "metrics.CHRF", "metrics.TER", "significance.PairedTest"])
def test_classes_take_the_same(name: str) -> None:
    module, _, kind = name.partition(".")
    BOTH.module(module).same_parameters(kind)
    sides = Sides(*(getattr(side, kind) for side in BOTH.module(module)))
    methods = ("corpus_score", "sentence_score", "get_signature", "compute_bleu")
    sides.same_parameters(*(method for method in methods if hasattr(sides.theirs, method)))


@pytest.mark.parametrize("name", ["13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab"])
def test_tokenizers(name: str) -> None:
    lines = (*HYPOTHESES, "Sie kosten 3,50 €; „wirklich“?", "你好，世界 2024", "今日は雨です", "안녕하세요 여러분")
    sides = Sides(*(library.BLEU(tokenize=name).tokenizer for library in BOTH))
    sides.same(lambda tokenizer: [tokenizer.signature(), *map(tokenizer, lines)])


def test_a_tokenizer_of_the_users_own() -> None:
    def score(library: Any) -> object:
        base = importlib.import_module(f"{library.__name__}.tokenizers").BaseTokenizer
        vowels = type("Vowels", (base,), {"__call__": lambda self, line: " ".join(line.partition("o"))})
        metric = library.BLEU(lowercase=True)
        metric.tokenizer = vowels()
        return [metric.corpus_score(HYPOTHESES, STREAMS), metric.sentence_score("A dog", ["a dOg", "dog"])]

    BOTH.same(score)


def check(corpus: Corpus, name: str, options: dict[str, Any]) -> None:
    def score(library: Any) -> object:
        metric = getattr(library, name)(**options)
        return [metric.corpus_score(corpus.hypotheses, corpus.streams()), metric.get_signature()]

    BOTH.same(score)


SETTINGS = [(name, options) for name, several in OPTIONS.items() for options in several if "ja" not in str(options)]


@settings(max_examples=examples(150))
@given(corpus=corpora(), setting=st.sampled_from(SETTINGS))
def test_generated_corpora(corpus: Corpus, setting: tuple[str, dict[str, Any]]) -> None:
    check(corpus, *setting)


def test_odd_corpora() -> None:
    for corpus, setting in zip(random_corpora(7, 600), itertools.cycle(SETTINGS), strict=False):
        check(corpus, *setting)


def test_wmt22(wmt22_data: Wmt22) -> None:
    """Bit for bit, score by score; TER on a part, because sacrebleu takes its time."""
    for pair in ("en-de", "de-en", "en-zh"):
        streams, system = wmt22_data.references(pair), wmt22_data.systems(pair)[0]
        hypotheses = wmt22_data.output(pair, system)
        chosen: dict[str, dict[str, Any]] = {"BLEU": {"trg_lang": pair[3:]}, "CHRF": {"word_order": 2}, "TER": {}}
        for name, options in chosen.items():
            count = (100 if name == "TER" else 1000) // (1 if MANY else 5)
            part = Corpus(hypotheses[:count], [list(group)[:count] for group in zip(*streams, strict=True)][:count])
            check(part, name, options)


def test_streams_of_unequal_lengths_are_refused() -> None:
    """sacrebleu cuts all to the shortest and says 100."""
    assert THEIRS.corpus_bleu(["a b c d", "x"], [["a b c d"]]).score == pytest.approx(100)
    with pytest.raises(LengthMismatchError, match=r"2 .* 1"):
        OURS.corpus_bleu(["a b c d", "x"], [["a b c d"]])
    with pytest.raises(LengthMismatchError):
        OURS.corpus_bleu(["a b c d", "x"], [["a b c d", "x"], ["a"]])


@pytest.mark.parametrize("name", OPTIONS)
def test_metrics_and_scores_travel(name: str) -> None:
    """As workers need it, the references that a metric keeps included."""
    metric = getattr(OURS, name)(references=[FIRST, HOLES])
    there = pickle.loads(pickle.dumps(metric))
    score = there.corpus_score(HYPOTHESES, None)
    assert vars(pickle.loads(pickle.dumps(score))) == vars(metric.corpus_score(HYPOTHESES, None))
    assert str(there.get_signature()) == str(metric.get_signature())


def test_test_sets_are_not_there() -> None:
    with pytest.raises(AttributeError, match="downloads no test sets"):
        OURS.get_source_file  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'corpus_blue'"):
        OURS.corpus_blue  # noqa: B018


def test_models_are_not_downloaded(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    with pytest.raises(ValueError, match="is missing and is not downloaded"):
        OURS.BLEU(tokenize="flores200")

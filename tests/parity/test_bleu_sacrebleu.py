"""BLEU against sacrebleu: every smoothing with every effective order, order, case and tokenizer."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEUScore

import bleuprint
from bleuprint import BLEU
from bleuprint.compat import sacrebleu as drop_ins
from bleuprint.core import piece_models
from bleuprint.metrics.bleu import BleuScore
from tests.parity.corpora import Corpus, corpora, random_corpora
from tests.support import sentencepiece_models
from tests.support.effort import MANY

SMOOTHINGS = [
    ("none", None),
    ("floor", None),
    ("floor", 0.01),
    ("floor", 0.0),
    ("add-k", None),
    ("add-k", 2),
    ("add-k", 0.25),
    ("exp", None),
]
TOKENIZERS = ["13a", "intl", "zh", "char", "none"]
ORDERS = [1, 2, 3, 4, 6]


class Setting(NamedTuple):
    smoothing: tuple[str, float | None]
    effective: bool
    order: int
    lowercase: bool
    tokenizer: str

    def theirs(self) -> sacrebleu.BLEU:
        method, value = self.smoothing
        return sacrebleu.BLEU(
            lowercase=self.lowercase,
            tokenize=self.tokenizer,
            smooth_method=method,
            smooth_value=value,
            max_ngram_order=self.order,
            effective_order=self.effective,
        )

    def ours(self) -> BLEU:
        method, value = self.smoothing
        return BLEU(
            lowercase=self.lowercase,
            tokenizer=self.tokenizer,
            smoothing=method if value is None else f"{method}({value})",
            max_order=self.order,
            effective_order=self.effective,
        )


SETTINGS = [
    Setting(*setting) for setting in itertools.product(SMOOTHINGS, [False, True], ORDERS, [False, True], TOKENIZERS)
]


def assert_equal(ours: BleuScore, theirs: BLEUScore, smoothing: tuple[str, float | None]) -> None:
    assert ours.percent == pytest.approx(theirs.score, rel=1e-12, abs=1e-300)
    assert (ours.hypothesis_length, ours.reference_length) == (theirs.sys_len, theirs.ref_len)
    if ours.hypothesis_length:
        assert ours.brevity_penalty == pytest.approx(theirs.bp, rel=1e-12)
    else:
        # sacrebleu calls the penalty of nothing against nothing 1.0; the score is 0 all the same.
        assert ours.brevity_penalty == 0.0
    # add-k leaves its k in sacrebleu's counts from the second order on, unless there was nothing to score.
    method, value = smoothing
    added = 0 if method != "add-k" or not any(theirs.counts) else 1 if value is None else value
    extra = [0, *[added] * (len(theirs.counts) - 1)]
    assert [m + k for m, k in zip(ours.matches, extra, strict=True)] == list(theirs.counts)
    assert [t + k for t, k in zip(ours.totals, extra, strict=True)] == list(theirs.totals)
    if any(theirs.counts):
        assert [100 * p for p in ours.precisions] == pytest.approx(theirs.precisions, rel=1e-12)


def test_every_setting_on_generated_corpora() -> None:
    per_setting = 8 if MANY else 2
    corpora_left = random_corpora(1, per_setting * len(SETTINGS))
    compared = 0
    for setting in SETTINGS:
        ours, theirs = setting.ours(), setting.theirs()
        for corpus in itertools.islice(corpora_left, per_setting):
            score = ours.corpus(corpus.hypotheses, corpus.references)
            assert_equal(score, theirs.corpus_score(corpus.hypotheses, corpus.streams()), setting.smoothing)
            if setting.order == 4:
                assert score.sacrebleu_signature == theirs.get_signature().format()
            compared += 1
    assert compared == per_setting * len(SETTINGS) == (6_400 if MANY else 1_600)


@given(corpus=corpora(), setting=st.sampled_from(SETTINGS))
def test_any_setting_on_any_corpus(corpus: Corpus, setting: Setting) -> None:
    score = setting.ours().corpus(corpus.hypotheses, corpus.references)
    assert_equal(score, setting.theirs().corpus_score(corpus.hypotheses, corpus.streams()), setting.smoothing)


def test_sentences() -> None:
    """One at a time and as a row, both with effective order as sacrebleu.sentence_bleu has it."""
    for smoothing in SMOOTHINGS:
        method, value = smoothing
        name = method if value is None else f"{method}({value})"
        for corpus in random_corpora(2, 150 if MANY else 40):
            row = bleuprint.sentence_bleus(corpus.hypotheses, corpus.references, smoothing=name)
            for text, group, of_row in zip(corpus.hypotheses, corpus.references, row, strict=True):
                kept = [reference for reference in group if reference is not None]
                theirs = sacrebleu.sentence_bleu(text, kept, smooth_method=method, smooth_value=value)
                ours = bleuprint.sentence_bleu(text, group, smoothing=name)
                assert_equal(ours, theirs, smoothing)
                assert ours.value == of_row


def test_defaults() -> None:
    for corpus in random_corpora(3, 300):
        theirs = sacrebleu.corpus_bleu(corpus.hypotheses, corpus.streams())
        for ours in (BLEU(), BLEU(profile="sacrebleu")):
            assert_equal(ours.corpus(corpus.hypotheses, corpus.references), theirs, ("exp", None))


def test_signature_counts_references() -> None:
    metric = sacrebleu.BLEU(effective_order=True)
    for references in (["a"], ["a", "b"], ["a", "b", "c"]):
        metric.sentence_score("a b", references)
        ours = bleuprint.sentence_bleu("a b", references).sacrebleu_signature
        assert ours == metric.get_signature().format()


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_signatures_name_the_version_of_mecab(name: str) -> None:
    metric = sacrebleu.BLEU(tokenize=name)
    metric.corpus_score(["猫が座った"], [["猫が座った"]])
    ours = BLEU(tokenizer=name).corpus(["猫が座った"], ["猫が座った"])
    assert ours.sacrebleu_signature == metric.get_signature().format()


@pytest.fixture(scope="module")
def sentencepiece_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sentencepiece_models.trained(tmp_path_factory.mktemp("sentencepiece"))


@pytest.mark.filterwarnings("ignore:The 'warn' method is deprecated")  # sacrebleu calls it
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("flores101", "sacrebleu_tokenizer_spm.model"),
        ("spm", "sacrebleu_tokenizer_spm.model"),
        ("flores200", "flores200sacrebleuspm"),
    ],
)
def test_added_sentencepiece_models(
    name: str, file: str, sentencepiece_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """sacrebleu reads the model from its own folder, and does not check it; ours was added under the same name."""
    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_spm.SACREBLEU_DIR", str(tmp_path / "theirs"))
    (tmp_path / "theirs" / "models").mkdir(parents=True)
    (tmp_path / "theirs" / "models" / file).write_bytes(sentencepiece_model.read_bytes())
    monkeypatch.setenv("BLEUPRINT_DATA", str(tmp_path / "ours"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "empty"))
    piece_models.add(name, sentencepiece_model)
    theirs, ours, drop_in = sacrebleu.BLEU(tokenize=name), BLEU(tokenizer=name), drop_ins.BLEU(tokenize=name)
    for corpus in random_corpora(4, 40):
        wanted = theirs.corpus_score(corpus.hypotheses, corpus.streams())
        score = ours.corpus(corpus.hypotheses, corpus.references)
        assert_equal(score, wanted, ("exp", None))
        assert score.sacrebleu_signature == theirs.get_signature().format()
        same = drop_in.corpus_score(corpus.hypotheses, corpus.streams())
        assert (same.score, str(same)) == (wanted.score, str(wanted))
        assert drop_in.get_signature().format() == theirs.get_signature().format()


def test_the_drop_in_prefers_the_model_of_sacrebleu(
    sentencepiece_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = sentencepiece_models.trained(tmp_path, words=("ran", "hid"))
    monkeypatch.setenv("BLEUPRINT_DATA", str(tmp_path / "ours"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "theirs"))
    piece_models.add("flores200", other)
    text = "the cat sat on the mat. slept"
    assert drop_ins.BLEU(tokenize="flores200").tokenizer(text).split() == bleuprint.tokenize(text, f"spm:{other}")
    (tmp_path / "theirs" / "models").mkdir(parents=True)
    (tmp_path / "theirs" / "models" / "flores200sacrebleuspm").write_bytes(sentencepiece_model.read_bytes())
    pieces = bleuprint.tokenize(text, f"spm:{sentencepiece_model}")
    assert drop_ins.BLEU(tokenize="flores200").tokenizer(text).split() == pieces
    assert pieces != bleuprint.tokenize(text, "flores200")


@pytest.mark.parametrize(
    "options",
    [
        {"max_order": 2},
        {"weights": (0.1, 0.2, 0.3, 0.4)},
        {"profile": "nltk"},
        {"profile": "hf"},
        {"smoothing": "add-all"},
        {"smoothing": "method4"},
        {"tokenizer": "zh-corrected"},
        {"tokenizer": str.split},
    ],
)
def test_no_signature_of_theirs_for_what_they_have_not_got(options: dict[str, Any]) -> None:
    score = BLEU(**options).corpus(["a b c d"], ["a b c d"])
    assert score.sacrebleu_signature is None


class TestMoses:
    """multi-bleu.perl counts as sacrebleu does on split text without smoothing."""

    @pytest.mark.parametrize("lowercase", [False, True])
    def test_equals_sacrebleu_unsmoothed(self, lowercase: bool) -> None:
        theirs = sacrebleu.BLEU(tokenize="none", smooth_method="none", force=True, lowercase=lowercase)
        ours = BLEU(profile="moses", lowercase=lowercase)
        for corpus in random_corpora(4, 1_000):
            score = ours.corpus(corpus.hypotheses, corpus.references)
            assert_equal(score, theirs.corpus_score(corpus.hypotheses, corpus.streams()), ("none", None))

    def test_sentences_have_no_effective_order(self) -> None:
        assert BLEU(profile="moses").sentence("a b c", "a b c").value == 0.0

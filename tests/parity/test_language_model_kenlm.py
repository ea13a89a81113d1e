"""Queries against KenLM's own, word by word: models of ours that it reads, and models of others that both read."""

from __future__ import annotations

import math
from pathlib import Path

import kenlm
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bleuprint import LanguageModel, Perplexity
from tests.models.test_language_model_files import FOREIGN
from tests.support.effort import examples
from tests.support.language_models import (
    FALLBACK,
    GOLDEN,
    GOLDEN_MODELS,
    NEEDS_GOLDEN,
    corpora,
    lines,
    prunings,
    sentences,
)

SINGLE_PRECISION = 1e-5
QUIET = kenlm.Config()
QUIET.show_progress = False
QUIET.arpa_complain = kenlm.ARPALoadComplain.NONE


def assert_equal(ours: LanguageModel, theirs: kenlm.Model, text: str) -> None:
    score = ours.score(text)
    expected = list(theirs.full_scores(text))
    assert len(score.tokens) == len(expected)
    for token, (log, length, unknown) in zip(score.tokens, expected, strict=True):
        assert abs(token.log_probability - log) < SINGLE_PRECISION
        assert (token.ngram_length, token.unknown) == (length, unknown)
    assert score.log_probability == pytest.approx(theirs.score(text), rel=SINGLE_PRECISION, abs=SINGLE_PRECISION)
    # Its sum is in single precision, which the hundreds of a missing <unk> use up: hence the logarithm.
    assert math.log10(score.perplexity) == pytest.approx(math.log10(theirs.perplexity(text)), rel=1e-5, abs=1e-5)


def assert_open_ended_equal(ours: LanguageModel, theirs: kenlm.Model, text: str) -> None:
    inside = ours.score(text, bos=False, eos=False)
    assert inside.log_probability == pytest.approx(theirs.score(text, bos=False, eos=False), rel=1e-5, abs=1e-5)


@settings(
    max_examples=examples(40),
    suppress_health_check=[*settings().suppress_health_check, HealthCheck.function_scoped_fixture],
)
@given(
    corpus=corpora,
    order=st.integers(2, 6),
    prune=prunings,
    texts=st.lists(st.lists(st.sampled_from(["a", "b", "c", "東京", "unseen"]), max_size=9), max_size=5),
)
def test_models_of_ours(
    corpus: list[list[str]], order: int, prune: list[int], texts: list[list[str]], tmp_path: Path
) -> None:
    ours = LanguageModel.train(corpus, order=order, prune=prune[:order], discount_fallback=FALLBACK)
    ours.save(tmp_path / "model.arpa", overwrite=True)
    theirs = kenlm.Model(str(tmp_path / "model.arpa"), QUIET)
    for text in (*texts, *corpus[:3]):
        assert_equal(ours, theirs, " ".join(text))
        assert_open_ended_equal(ours, theirs, " ".join(text))


@settings(suppress_health_check=[*settings().suppress_health_check, HealthCheck.function_scoped_fixture])
@given(text=sentences)
def test_a_model_of_someone_elses(text: list[str], tmp_path: Path) -> None:
    """No <unk>, back-offs left out, an ending of an n-gram that is no n-gram; written as KenLM wants it, with tabs."""
    path = tmp_path / "model.arpa"
    path.write_text(
        FOREIGN.replace("some words before\n", "")
        .lstrip()
        .replace("-0.4 a -0.25", "-0.4\ta\t-0.25")
        .replace("-0.3 b </s> 0", "-0.3\tb </s>")
    )
    assert_equal(LanguageModel.load(path), kenlm.Model(str(path), QUIET), " ".join(text))


@NEEDS_GOLDEN
@pytest.mark.parametrize("name", GOLDEN_MODELS)
def test_golden_texts(name: str, tmp_path: Path) -> None:
    order, prune = GOLDEN_MODELS[name]
    ours = LanguageModel.train(lines("train"), order=order, prune=prune)
    ours.save(tmp_path / "model.arpa")
    theirs = kenlm.Model(str(tmp_path / "model.arpa"), QUIET)
    texts = lines("test")
    for text in texts:
        assert_equal(ours, theirs, text)
    score = Perplexity(ours).corpus(texts)
    logs = [(log, unknown) for text in texts for log, _, unknown in theirs.full_scores(text)]
    assert score.tokens == len(logs)
    assert score.unknown_words == sum(unknown for _, unknown in logs)
    assert score.value == pytest.approx(10 ** (-sum(log for log, _ in logs) / len(logs)), rel=SINGLE_PRECISION)
    known = [log for log, unknown in logs if not unknown]
    assert score.without_unknown == pytest.approx(10 ** (-sum(known) / len(known)), rel=SINGLE_PRECISION)
    golden = (GOLDEN / f"{name}.scores.tsv").read_text().splitlines()[1:]
    total = sum(float(row.split("\t")[0]) for row in golden)
    assert score.value == pytest.approx(10 ** (-total / score.tokens), rel=SINGLE_PRECISION)

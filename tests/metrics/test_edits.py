"""The edit metrics as users meet them: parts, text, options, guards."""

from __future__ import annotations

from typing import Any

import pytest

import bleuprint as bp
from bleuprint import CER, WER
from bleuprint.errors import NotTextError, OptionError, SurrogateError, UnusedSourcesError
from bleuprint.metrics import LevenshteinRatio
from tests.support.tables import TABLE

NAMES = ("wer", "cer", "mer", "wil", "wip", "levenshtein-ratio")


def test_parts_and_text() -> None:
    score = bp.corpus_wer(["the cat sat", "a very big dog"], ["the cat sat down", "a dog"])
    assert (score.hits, score.substitutions, score.deletions, score.insertions) == (5, 0, 1, 2)
    assert score.parts == {"hits": 5, "substitutions": 0, "deletions": 1, "insertions": 2}
    assert score.value == 3 / 6
    assert str(score) == "WER = 0.5000 (5 hits, 0 substitutions, 1 deletions, 2 insertions)"
    assert score.signature.startswith("wer.1|lowercase:no|tokenizer:whitespace#references:1|")
    assert not score.metric.higher_is_better


def test_a_rate_may_exceed_one_but_the_match_error_rate_may_not() -> None:
    assert bp.sentence_wer("a b c d e", "x").value == 5.0
    assert bp.metrics.MER().sentence("a b c d e", "x").value == 1.0
    assert bp.metrics.WIL().sentence("a b c d e", "x").value == 1.0
    assert bp.metrics.WIP().sentence("a b c d e", "x").value == 0.0


def test_a_corpus_pools_and_a_ratio_averages() -> None:
    hypotheses, references = ["a b c d", "x"], ["a b c e", "y"]
    assert bp.corpus_wer(hypotheses, references).value == 2 / 5
    assert bp.sentence_wers(hypotheses, references).tolist() == [1 / 4, 1.0]
    assert bp.metrics.LevenshteinRatio().corpus(hypotheses, references).value == (1 - 1 / 7) / 2


def test_repeating_a_corpus_changes_nothing_where_some_reference_has_words() -> None:
    hypotheses, references = ["a b", "c"], ["a", ""]
    once, twice = bp.corpus_wer(hypotheses, references), bp.corpus_wer(hypotheses * 2, references * 2)
    assert once.value == twice.value == 2.0


def test_white_space_of_characters() -> None:
    pair = " a  b\t", "a b"
    found = {space: CER(whitespace=space).sentence(*pair).columns for space in ("keep", "strip", "collapse", "remove")}
    assert found == {"keep": (3, 0, 0, 3), "strip": (3, 0, 0, 1), "collapse": (3, 0, 0, 0), "remove": (2, 0, 0, 0)}
    assert CER(lowercase=True).sentence("ΑΣ", "ας").value == 0.0


def test_words_by_a_tokenizer() -> None:
    assert bp.sentence_wer("Hello, world!", "hello world", tokenizer="13a", lowercase=True).insertions == 2
    assert WER(tokenizer=str.split).sentence("a b", "a b").value == 0.0
    assert bp.sentence_wer([7, "7"], [7, 7]).substitutions == 1


BAD: list[tuple[str, dict[str, Any]]] = [
    *((name, {"lowercase": value}) for name in NAMES for value in (1, "yes", None)),
    *((name, {"whitespace": value}) for name in ("cer", "levenshtein-ratio") for value in ("none", 1, None)),
    *(("wer", {"tokenizer": value}) for value in ("banana", 3)),
    *(("levenshtein-ratio", {"definition": value}) for value in ("ratio", 1)),
    ("levenshtein-ratio", {"profile": "difflib"}),
]


@pytest.mark.parametrize(("name", "options"), BAD)
def test_bad_options(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        TABLE[name](**options)


@pytest.mark.parametrize("name", NAMES)
def test_bad_input(name: str) -> None:
    metric = TABLE[name]()
    with pytest.raises(SurrogateError):
        metric.sentence("a\ud800", "a")
    with pytest.raises(NotTextError):
        metric.sentence(None, "a")
    with pytest.raises(UnusedSourcesError):
        metric.corpus(["a"], ["a"], sources=["a"])


@pytest.mark.parametrize("kind", [CER, LevenshteinRatio])
def test_tokens_have_no_characters(kind: type[CER | LevenshteinRatio]) -> None:
    metric = kind()
    with pytest.raises(NotTextError, match="hypotheses must be a list of str, got tokens; characters are compared"):
        metric.corpus([["a"]], [["a"]])
    with pytest.raises(NotTextError, match="hypothesis must be a str, got tokens"):
        metric.sentence(["a"], ["a"])

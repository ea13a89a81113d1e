"""Normalizers against the packages that have them, and what is refused."""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Any

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st
from whisper_normalizer.basic import BasicTextNormalizer
from whisper_normalizer.english import EnglishTextNormalizer

import bleuprint as bp
from bleuprint.core import normalizers
from bleuprint.errors import MissingExtraError, NotTextError, OptionError, SignatureError
from tests.support.text_strategies import nasty_text

WHISPER = {"whisper-en": EnglishTextNormalizer(), "whisper-basic": BasicTextNormalizer()}
KINDS: dict[str, Any] = {
    "wer": bp.WER,
    "mer": bp.metrics.MER,
    "wil": bp.metrics.WIL,
    "wip": bp.metrics.WIP,
    "cer": bp.CER,
}
SPOKEN = [
    "Mr. Smith won't pay $20.50 for twenty-one colours, [noise] okay (laughs)?",
    "Um, it's the 3rd of May — two thousand and one hundred percent!",
    "Größe: Œuvre, naïve façade; <unk> 1,000 km",
    "",
]
texts = st.one_of(st.sampled_from(SPOKEN), nasty_text())


@given(hypothesis=texts, reference=texts)
@pytest.mark.parametrize("name", WHISPER)
def test_rates_are_those_of_jiwer_on_normalized_texts(name: str, hypothesis: str, reference: str) -> None:
    ours, theirs = (" ".join(WHISPER[name](text).split()) for text in (hypothesis, reference))
    words, characters = jiwer.process_words(theirs, ours), jiwer.process_characters(theirs, ours)
    for rate, kind in KINDS.items():
        options = {"whitespace": "collapse"} if rate == "cer" else {}
        value = kind(normalizer=name, **options).sentence(hypothesis, reference).value
        expected = characters.cer if rate == "cer" else getattr(words, rate)
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", normalizers.NAMES)
@pytest.mark.parametrize("kind", [*KINDS.values(), bp.ExactMatch])
def test_corpora_streams_and_work(name: str, kind: Any) -> None:
    metric = kind(normalizer=name)
    hypotheses, references = SPOKEN, [*SPOKEN[1:], "the end"]
    rewritten = [[normalizers.resolve(name)(text) for text in side] for side in (hypotheses, references)]
    assert metric.corpus(hypotheses, references).columns == kind().corpus(*rewritten).columns
    assert metric.sentences(hypotheses, references).tolist() == kind().sentences(*rewritten).tolist()
    assert metric.sentence(SPOKEN[0], SPOKEN[0].upper()).value == kind().sentence("a", "a").value
    if kind is not bp.ExactMatch:
        assert bp.work(SPOKEN[0], SPOKEN[1], metric).value == metric.sentence(SPOKEN[0], SPOKEN[1]).value


def test_case_and_custom_tokenizers_come_after_the_normalizer() -> None:
    seen: list[str] = []

    def split(text: str) -> list[str]:
        seen.append(text)
        return text.split()

    assert bp.WER(normalizer="squad", tokenizer=split).sentence("The Cat", "a cat!").value == 0
    assert seen == ["cat", "cat"]
    assert bp.WER(normalizer="whisper-basic", tokenizer="13a", lowercase=True).sentence("A-B", "a b").value == 0


def test_signatures_name_the_version() -> None:
    recorded = f"whisper-en({version('whisper-normalizer')})"
    metric = bp.WER(normalizer="whisper-en")
    assert metric.signature == f"wer.1|lowercase:no|normalizer:{recorded}|tokenizer:whitespace"
    assert bp.WER.from_signature(metric.signature).definition == metric.definition
    assert bp.CER(normalizer="squad").signature == "cer.1|lowercase:no|normalizer:squad|whitespace:strip"
    older = metric.signature.replace(recorded, "whisper-en(0.0.1)")
    with pytest.raises(SignatureError, match=r"normalizer whisper-en\(0.0.1\) is not the installed whisper-en\(.*pass"):
        bp.WER.from_signature(older)
    assert bp.WER.from_signature(older, normalizer="whisper-en").definition == metric.definition


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match=r"normalizer must be None or one of squad, .* Did you mean whisper-en\?"):
        bp.WER(normalizer="whisper-eng")
    for wrong in (3, "", "whisper-en(0.0.1)"):
        with pytest.raises(OptionError, match="normalizer must be None or one of"):
            bp.WER(normalizer=wrong)  # type: ignore[arg-type]
    refusing: list[Any] = [bp.WER(normalizer="squad"), bp.SquadF1()]
    for metric in refusing:
        with pytest.raises(NotTextError, match="the normalizer reads whole texts"):
            metric.sentence(["a"], [["a"]])
    normalizers._whisper.cache_clear()
    monkeypatch.setitem(sys.modules, "whisper_normalizer.basic", None)
    with pytest.raises(MissingExtraError, match=r"normalizer='whisper-basic' needs whisper-normalizer: .*\[asr\]"):
        bp.WER(normalizer="whisper-basic")


def squad_words(text: str) -> list[str]:
    """SQuAD's rules, one after the other, as its script states them."""
    kept = "".join(letter for letter in text.lower() if letter not in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
    words, word = [], ""
    for letter in kept + " ":
        if letter.isalnum() or letter == "_":
            word += letter
        else:
            words += [" " if word in {"a", "an", "the"} else word, letter]
            word = ""
    return "".join(words).split()


def squad_f1(output: str, reference: str) -> float:
    ours, theirs = squad_words(output), squad_words(reference)
    left = list(theirs)
    shared = 0
    for word in ours:
        if word in left:
            left.remove(word)
            shared += 1
    if shared == 0:
        return 0.0
    precision, recall = shared / len(ours), shared / len(theirs)
    return 2 * precision * recall / (precision + recall)


answer_words = st.sampled_from(["the", "a", "An", "Paris", "paris!", "theatre", "x-y", "“q”", ",", "42"])
answers = st.one_of(st.lists(answer_words, max_size=6).map(" ".join), nasty_text())


@given(output=answers, references=st.lists(answers, min_size=1, max_size=3))
def test_squad_against_a_plain_version(output: str, references: list[str]) -> None:
    assert bp.SquadF1().sentence(output, references).value == max(squad_f1(output, text) for text in references)
    exact = any(squad_words(output) == squad_words(text) for text in references)
    assert bp.ExactMatch(normalizer="squad").sentence(output, references).value == exact


def test_squad_of_a_corpus() -> None:
    outputs = ["1976", "the year 1976", "in Paris"]
    references: list[list[str]] = [["1976"], ["1976", "the bicentennial year"], ["Berlin"]]
    assert bp.squad_f1(outputs, references).value == pytest.approx((1 + 2 / 3 + 0) / 3, rel=1e-15)
    assert bp.exact_match(outputs, references, normalizer="squad").value == 1 / 3
    assert bp.SquadF1().signature == "squad-f1.1|normalizer:squad"
    assert bp.SquadF1(normalizer=None).sentence("the a", "the b").value == 0.5

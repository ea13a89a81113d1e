"""GLEU against NLTK and the rule of Hugging Face's google_bleu; GEC-GLEU against its plain twin."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu, sentence_gleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

import bleuprint as bp
from bleuprint import GLEU
from bleuprint.core.columns import Corpus
from bleuprint.errors import InputError, MissingSourcesError, NoReferenceError, NoSegmentsError, OptionError
from bleuprint.metrics import GecGLEU
from bleuprint.runners import one_pass as together
from tests.kernels.twins import corrected as twin
from tests.support.effort import examples
from tests.support.text_strategies import random_texts
from tests.support.wmt22 import Wmt22

Tokens = list[str]
tokens = st.lists(st.sampled_from(["a", "b", "c", "the", "é"]), max_size=9)
segments = st.lists(st.tuples(tokens, st.lists(tokens, min_size=1, max_size=4)), min_size=1, max_size=6)


@given(segments, st.integers(1, 4), st.integers(0, 3))
def test_equals_nltk(corpus: list[tuple[Tokens, list[Tokens]]], low: int, more: int) -> None:
    hypotheses, references = [h for h, _ in corpus], [r for _, r in corpus]
    metric = GLEU(min_order=low, max_order=low + more)
    expected = [sentence_gleu(r, h, low, low + more) for h, r in corpus]
    assert metric.sentences(hypotheses, references).tolist() == pytest.approx(expected, rel=1e-12, abs=0)
    assert metric.corpus(hypotheses, references).value == pytest.approx(
        corpus_gleu(references, hypotheses, low, low + more), rel=1e-12
    )
    for (hypothesis, refs), value in zip(corpus, expected, strict=True):
        assert metric.sentence(hypothesis, refs).value == pytest.approx(value, rel=1e-12)


def test_equals_google_bleu_on_strings() -> None:
    """Hugging Face's google_bleu is NLTK's corpus_gleu on 13a tokens."""
    split = Tokenizer13a()  # type: ignore[no-untyped-call]
    texts = [" ".join(group) for group in zip(*[iter(random_texts(5, 3000))] * 2, strict=True)]
    hypotheses, references = texts[:-1], [[b, a] for a, b in pairwise(texts)]
    expected = corpus_gleu(
        [[split(r.rstrip()).split() for r in refs] for refs in references],
        [split(h.rstrip()).split() for h in hypotheses],
    )
    assert GLEU(profile="hf").corpus(hypotheses, references).value == pytest.approx(expected, rel=1e-12)


def test_equals_nltk_on_real_text(wmt22_data: Wmt22) -> None:
    hypotheses = wmt22_data.output("de-en", "Lan-Bridge")
    streams = wmt22_data.references("de-en")
    references = [list(refs) for refs in zip(*streams, strict=True)]
    values = bp.sentence_gleus(hypotheses, references, tokenizer="whitespace")
    expected = [
        sentence_gleu([ref.split() for ref in refs], hypothesis.split())
        for hypothesis, refs in zip(hypotheses, references, strict=True)
    ]
    assert np.abs(values - expected).max() <= 1e-15


@given(tokens, tokens)
def test_law_13_one_reference_is_symmetric(first: Tokens, second: Tokens) -> None:
    assert GLEU().sentence(first, second).value == GLEU().sentence(second, first).value


def test_parts_and_text() -> None:
    score = bp.sentence_gleu("the cat is on the mat", "there is a cat on the mat")
    assert (score.matches, score.precision, score.recall) == (8, 8 / 18, 8 / 22)
    assert str(score) == "GLEU = 0.3636 (precision = 0.4444, recall = 0.3636)"
    assert GLEU.from_signature(score.signature).sentence("a b", "a c").value == bp.sentence_gleu("a b", "a c").value


def test_bad_options_and_input() -> None:
    for options in ({"min_order": 0}, {"max_order": 17}, {"min_order": 3, "max_order": 2}, {"profile": "texygen"}):
        with pytest.raises(OptionError):
            GLEU(**options)
    with pytest.raises(NoReferenceError):
        bp.corpus_gleu(["a"], [[]])


corrections = st.lists(st.tuples(tokens, st.lists(tokens, min_size=1, max_size=3), tokens), min_size=1, max_size=4)


@given(corrections)
@settings(max_examples=examples(40))
def test_gec_gleu_equals_its_twin(corpus: list[tuple[Tokens, list[Tokens], Tokens]]) -> None:
    hypotheses, references, sources = (list(column) for column in zip(*corpus, strict=True))
    metric = GecGLEU()
    several = any(len(refs) > 1 for refs in references)
    expected = twin.corpus(hypotheses, references, sources, 500 if several else 1)
    assert metric.corpus(hypotheses, references, sources=sources).value == pytest.approx(expected, rel=1e-12)
    sentences = [
        sum(twin.score(twin.statistics(h, r, s), smooth=True) for r in refs) / len(refs) for h, refs, s in corpus
    ]
    assert metric.sentences(hypotheses, references, sources=sources).tolist() == pytest.approx(sentences, rel=1e-12)
    streamed = GecGLEU()
    for h, refs, s in corpus:
        streamed.merge(GecGLEU().update([h], [refs], sources=[s]))
    assert streamed.compute().value == metric.corpus(hypotheses, references, sources=sources).value
    if not several:
        rows = metric.statistics(hypotheses, [refs[0] for refs in references], sources=sources).rows
        assert rows.tolist() == [twin.statistics(h, refs[0], s) for h, refs, s in corpus]
    else:
        with pytest.raises(InputError, match="one reference"):
            metric.statistics(hypotheses, references, sources=sources)


# Corrections with two references, three and one.
CORRECTED = [
    ("he goes to the school every day", ["he goes to school every day", "every day he goes to school"]),
    (
        "she have two cats and a dog now",
        ["she has two cats and a dog now", "she owns two cats", "she has two cats now"],
    ),
    ("it rains", ["it is raining"]),
]
WRONG = ["he go to the school every day", "she have two cat and a dog now", "it raining"]


@pytest.mark.parametrize("references", [3, 1])
def test_gec_gleu_by_every_way(references: int) -> None:
    corpus = [(text, group[:references], wrong) for (text, group), wrong in zip(CORRECTED, WRONG, strict=True)]
    hypotheses, groups, sources = (list(column) for column in zip(*corpus, strict=True))
    metric = GecGLEU(iterations=20)
    rows = [twin.statistics(h.split(), r.split(), s.split()) for h, group, s in corpus for r in group]
    score = metric.corpus(hypotheses, groups, sources=sources)
    assert score.columns == tuple(map(sum, zip(*rows, strict=True)))
    assert (score.sentence, score.references) == (False, None if references > 1 else 1)
    each = metric.sentences(hypotheses, groups, sources=sources)
    alone = metric.sentence(hypotheses[0], groups[0], source=sources[0])
    assert (alone.sentence, alone.references) == (True, len(groups[0]))
    assert alone.signature == metric.definition.signature_of(sentence=True, references=len(groups[0]))
    assert alone.value == each[0]
    measured = together.measure({"m": metric}, {"A": Corpus.of(hypotheses, groups, sources)})["A"]["m"]
    assert (measured.score.value, measured.score.signature) == (score.value, score.signature)
    assert measured.segments.tolist() == each.tolist()
    streamed, later = GecGLEU(iterations=20), GecGLEU(iterations=20)
    together.update({"A": {"m": streamed}}, {"A": Corpus.of(hypotheses[:1], groups[:1], sources[:1])})
    streamed.add_state(later.update(hypotheses[1:2], groups[1:2], sources=sources[1:2]).state())
    streamed.merge(later.reset().update(hypotheses[2:], groups[2:], sources=sources[2:]))
    assert (streamed.compute().value, streamed.compute().signature) == (score.value, score.signature)
    if references > 1:
        assert measured.statistics is None
        return
    for counted in (measured.statistics, metric.statistics(hypotheses, groups, sources=sources)):
        assert counted is not None
        assert counted.rows.tolist() == rows
        assert (counted.names, counted.signature) == (metric.columns, metric.signature)


def test_gec_gleu_of_nothing() -> None:
    with pytest.raises(NoSegmentsError, match="gec-gleu has no segments"):
        GecGLEU().corpus([], [], sources=[])
    with pytest.raises(NoSegmentsError, match="gec-gleu has no segments"):
        GecGLEU().compute()
    assert GecGLEU().sentences([], [], sources=[]).shape == (0,)
    assert GecGLEU().corpus(["", "a"], ["", ""], sources=["a", ""]).value == 0.0
    assert GecGLEU(iterations=1).options["iterations"] == 1


def test_gec_gleu_takes_off_what_was_left_wrong() -> None:
    """An error kept from the source costs more than the same number of words that match nothing."""
    source, reference = "he go to school every day now", "he goes to school every day now"
    kept = GecGLEU().sentence(source, reference, source=source).value
    changed = GecGLEU().sentence("he went to school every day now", reference, source=source).value
    assert kept < changed < GecGLEU().sentence(reference, reference, source=source).value == 1.0


def test_gec_gleu_needs_sources() -> None:
    with pytest.raises(MissingSourcesError, match="gec-gleu compares with the sources"):
        GecGLEU().corpus(["a"], ["a"])
    with pytest.raises(OptionError):
        GecGLEU(iterations=0)

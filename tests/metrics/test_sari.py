"""SARI against its twins, published numbers, and the laws of a metric that reads sources."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import SARI
from bleuprint.errors import LengthMismatchError, MissingSourcesError, NoSegmentsError, OptionError, SurrogateError
from tests.kernels.twins import changes as twin
from tests.support.effort import examples
from tests.support.text_strategies import random_texts
from tests.support.wmt22 import Wmt22

# The example of Xu et al. (2016), as EASSE and Hugging Face print it.
SOURCE = "About 95 species are currently accepted ."
REFERENCES = [
    "About 95 species are currently known .",
    "About 95 species are now accepted .",
    "95 species are now accepted .",
]
OUTPUT = "About 95 you now get in ."

words = st.lists(st.sampled_from(["a", "b", "c", "the", "a word of more than sixteen bytes", ""]), max_size=8)
triples = st.lists(st.tuples(words, words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=4)
Triples = list[tuple[list[str], list[str], list[list[str]]]]
OPTIONS: list[dict[str, Any]] = [{}, {"deletion": "precision"}, {"averaging": "rates"}]


@pytest.mark.parametrize(
    ("output", "options", "expected"),
    [
        (OUTPUT, {"deletion": "precision"}, 26.953601953601954),  # EASSE, use_f1_for_deletion=False
        (OUTPUT, {"averaging": "rates"}, 31.882081425971503),  # EASSE, use_paper_version=True
        (OUTPUT, {"profile": "hf"}, 26.953601953601954),  # the example of evaluate's own documentation
        (SOURCE, {}, 21.873217526575058),  # EASSE of a copied source
        (SOURCE, {"profile": "hf"}, 55.20655085991707),  # evaluate of a copied source: nothing added is perfect there
    ],
)
def test_published_numbers(output: str, options: dict[str, Any], expected: float) -> None:
    assert bp.SARI(**options).sentence(output, REFERENCES, source=SOURCE).percent == pytest.approx(expected, abs=1e-9)
    assert bp.sari([output], [REFERENCES], sources=[SOURCE], **options).percent == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("options", OPTIONS)
@given(corpus=triples)
def test_equals_the_twin(options: dict[str, Any], corpus: Triples) -> None:
    sources, outputs, references = (list(column) for column in zip(*corpus, strict=True))
    metric = SARI(lowercase=False, **options)
    expected = twin.corpus(sources, outputs, references, **options)
    found = metric.corpus(outputs, references, sources=sources)
    assert [found["add"], found["keep"], found["delete"]] == pytest.approx(expected, rel=1e-12)
    assert found.value == pytest.approx(expected.sari, rel=1e-12)
    each = [twin.corpus([s], [o], [r], **options).sari for s, o, r in corpus]
    assert metric.sentences(outputs, references, sources=sources) == pytest.approx(each, rel=1e-12)


@given(corpus=triples)
def test_profile_hf_equals_the_twin(corpus: Triples) -> None:
    sources, outputs, references = (list(column) for column in zip(*corpus, strict=True))
    metric = SARI(profile="hf", lowercase=False)
    each = [twin.by_type(*segment) for segment in corpus]
    found = metric.corpus(outputs, references, sources=sources)
    assert found.value == pytest.approx(np.mean([parts.sari for parts in each]), abs=1e-10)
    for at, name in enumerate(("add", "keep", "delete")):
        assert found[name] == pytest.approx(np.mean([parts[at] for parts in each]), abs=1e-10)
    assert metric.sentences(outputs, references, sources=sources) == pytest.approx([p.sari for p in each], abs=1e-10)


def tokens(text: str) -> list[str]:
    return bp.tokenize(text, "13a", lowercase=True)


def assert_equals_twins(sources: list[str], outputs: list[str], references: list[list[str]]) -> None:
    split = list(map(tokens, sources)), list(map(tokens, outputs)), [list(map(tokens, r)) for r in references]
    expected = twin.corpus(*split)
    assert bp.sari(outputs, references, sources=sources).value == pytest.approx(expected.sari, rel=1e-12)
    each = [twin.by_type(*segment).sari for segment in zip(*split, strict=True)]
    found = bp.SARI(profile="hf").sentences(outputs, references, sources=sources)
    assert np.abs(found - each).max() <= 1e-10
    assert bp.sari(outputs, references, sources=sources, profile="hf").value == pytest.approx(np.mean(each), abs=1e-10)


def test_odd_text() -> None:
    texts = list(random_texts(31, 800))
    assert_equals_twins(texts[2:], texts[1:-1], [[a, b] for a, b in pairwise(texts[:-1])])


def test_real_text(wmt22_data: Wmt22) -> None:
    """One system's output rewritten into another's, against both references; English and German."""
    for pair, systems in {"de-en": ("Lan-Bridge", "Online-W"), "en-de": ("Online-B", "Online-W")}.items():
        sources, outputs = (wmt22_data.output(pair, system)[:300] for system in systems)
        references = [list(texts) for texts in zip(*wmt22_data.references(pair), strict=True)][:300]
        assert_equals_twins(sources, outputs, references)


@pytest.mark.parametrize("options", [*OPTIONS, {"profile": "hf"}])
@settings(max_examples=examples(50))
@given(corpus=triples, cut=st.integers(0, 4), order=st.randoms(use_true_random=False))
def test_streams_merging_and_signatures(options: dict[str, Any], corpus: Triples, cut: int, order: Any) -> None:
    sources, outputs, references = (list(column) for column in zip(*corpus, strict=True))
    metric = SARI(**options)
    whole = metric.corpus(outputs, references, sources=sources)
    first = SARI(**options).update(outputs[:cut], references[:cut], sources=sources[:cut])
    rest = SARI(**options).update(outputs[cut:], references[cut:], sources=sources[cut:])
    merged = first.merge(rest).compute()
    assert (merged.value, merged.columns, merged.parts) == (whole.value, whole.columns, whole.parts)
    again = SARI.from_signature(whole.signature).corpus(outputs, references, sources=sources)
    assert (again.value, again.signature) == (whole.value, whole.signature)
    shuffled = order.sample(corpus, len(corpus))
    s, o, r = (list(column) for column in zip(*shuffled, strict=True))
    assert metric.corpus(o, [refs[::-1] for refs in r], sources=s).parts == whole.parts
    alone = [metric.sentence(o, r, source=s) for s, o, r in corpus]
    assert metric.sentences(outputs, references, sources=sources).tolist() == [score.value for score in alone]
    assert all(0.0 <= value <= 1.0 for score in alone for value in score.parts.values() if isinstance(value, float))


def test_threads_change_nothing() -> None:
    texts = list(random_texts(33, 3000))
    columns = texts[1:], texts[:-1], texts[1:]
    for profile in (None, "hf"):
        metric = SARI(profile=profile)
        one, four = (metric.corpus(columns[0], columns[1], sources=columns[2], threads=n) for n in (1, 4))
        assert (one.value, one.columns) == (four.value, four.columns)


def test_a_perfect_rewriting() -> None:
    source, reference = "he was quite deceased when they found him", "he was dead when they found him"
    score = bp.SARI().sentence(reference, reference, source=source)
    assert score.value == 1.0
    assert bp.SARI(profile="hf").sentence(reference, reference, source=source).value == 1.0
    with pytest.raises(NoSegmentsError):
        bp.sari([], [], sources=[])
    spoilt = bp.SARI().sentence("zzz", reference, source=source)
    assert spoilt.value < score.value


def test_bad_options_and_input() -> None:
    bad: list[dict[str, Any]] = [{"deletion": "recall"}, {"averaging": "micro"}, {"counting": "all"}, {"max_order": 0}]
    for options in bad:
        with pytest.raises(OptionError):
            SARI(**options)
    with pytest.raises(OptionError, match="deletion must be 'precision' with counting='types'"):
        SARI(profile="hf", deletion="f1")
    with pytest.raises(OptionError, match="profile must be one of hf for sari"):
        SARI(profile="easse")
    with pytest.raises(MissingSourcesError):
        SARI().corpus(["a"], ["a"])
    with pytest.raises(LengthMismatchError):
        bp.sari(["a"], ["a"], sources=["a", "b"])
    with pytest.raises(SurrogateError):
        bp.SARI().sentence("a", "a", source="\ud800")

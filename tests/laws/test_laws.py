"""Laws that every metric of the table keeps; the numbers are those of the reliability plan's invariants."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.errors import NoSegmentsError, NotTextError
from bleuprint.metrics import cards
from bleuprint.metrics.base.metric import FittedMetric
from bleuprint.statistics.exact_mean import ExactMean
from tests.laws.cases import TRAINED, AnyMetric, Case, cases, default, keepers
from tests.laws.strategies import (
    LETTERS,
    Segment,
    Segments,
    columns_of,
    corpora,
    first_of,
    hypotheses_of,
    random_segments,
    references_of,
    segments,
    sentence_of,
    share,
)
from tests.support.tables import MODEL_TABLE, REFERENCE_TABLE, SOURCE_TABLE, TABLE

# What compares texts with references alone keeps laws about references.
ALIGNED = sorted(name for name, metric in TABLE.items() if not metric.needs_sources)
for_aligned_metrics = pytest.mark.parametrize("name", ALIGNED)
# All others keep the laws about segments, batches and rows too. With several references GEC-GLEU draws one of them, so
# that it has no rows, and the laws of what needs a neural model are in tests/metrics.
ELSEWHERE = {"gec-gleu", "bertscore", "neural-perplexity"}
EVERY = sorted({*REFERENCE_TABLE, *SOURCE_TABLE, *MODEL_TABLE} - ELSEWHERE)
for_every_metric = pytest.mark.parametrize("name", EVERY)
# Every metric of the table goes through every law.
fewer_examples = share(25, len(ALIGNED))
LONG = 20  # words: more than the highest order, so that every order exists


def score(metric: AnyMetric, corpus: Segments, threads: int | None = 1) -> float:
    return float(metric.corpus(**columns_of(metric, corpus), threads=threads))


def rows(metric: AnyMetric, corpus: Segments, threads: int | None = 1) -> list[list[int]]:
    statistics = metric.statistics(**columns_of(metric, corpus), threads=threads)
    return [list(map(int, row)) for row in statistics.rows]


def renamed(corpus: Segments, rename: Callable[[str], str]) -> Segments:
    return [Segment(rename(text), tuple(map(rename, references))) for text, references in corpus]


def perfect(metric: AnyMetric) -> float:
    return 1.0 if metric.higher_is_better else 0.0


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora())
def test_law_1_scores_lie_between_0_and_1(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric = data.draw(cases(name, "bounds")).make()
    lowest, highest = cards.load(name).limits
    for value in (score(metric, corpus), *metric.sentences(**columns_of(metric, corpus)).tolist()):
        assert lowest <= value <= highest


@for_aligned_metrics
@fewer_examples
@given(data=st.data(), corpus=corpora(shortest=LONG, longest=LONG + 3, references=1))
def test_law_2_a_corpus_against_itself_is_exactly_perfect(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric = data.draw(cases(name, "perfect corpus")).make()
    texts = [segment.references[0] for segment in corpus]
    assert float(metric.corpus(texts, texts)) == perfect(metric)


@for_aligned_metrics
@fewer_examples
@given(data=st.data(), segment=segments(shortest=LONG, longest=LONG + 3))
def test_law_3_one_equal_reference_is_enough(name: str, data: st.DataObject, segment: Segment) -> None:
    metric = data.draw(cases(name, "perfect")).make()
    hypothesis = data.draw(st.sampled_from(segment.references))
    assert float(metric.sentence(hypothesis, segment.references)) == perfect(metric)
    assert float(metric.corpus([hypothesis], [segment.references])) == perfect(metric)


@pytest.mark.parametrize("name", keepers(ALIGNED, "disjoint"))
@fewer_examples
@given(data=st.data(), corpus=corpora())
def test_law_4_nothing_in_common_scores_nothing(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric = data.draw(cases(name, "disjoint")).make()
    foreign = [text.translate(str.maketrans(LETTERS, "стуфхцчш")) for text in hypotheses_of(corpus)]
    value = float(metric.corpus(foreign, references_of(corpus)))
    assert value == 0.0 if metric.higher_is_better else value > 0.0 or not any(foreign)


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora(largest=4))
def test_law_8_segments_have_no_order(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric = data.draw(cases(name, "segment order")).make()
    assert score(metric, data.draw(st.permutations(corpus))) == score(metric, corpus)


@for_aligned_metrics
@fewer_examples
@given(data=st.data(), segment=segments(references=4))
def test_law_9_references_have_no_order(name: str, data: st.DataObject, segment: Segment) -> None:
    case = data.draw(cases(name, "reference order"))
    metric = case.make()
    shuffled = Segment(segment.hypothesis, tuple(data.draw(st.permutations(segment.references))))
    allowed = 0.0 if case.keeps("reference rounding") else 1e-14
    assert score(metric, [shuffled]) == pytest.approx(score(metric, [segment]), rel=allowed, abs=0)
    if case.keeps("reference rows"):
        assert rows(metric, [shuffled]) == rows(metric, [segment])


@for_aligned_metrics
@fewer_examples
@given(data=st.data(), corpus=corpora())
def test_law_10_a_reference_twice_changes_nothing(name: str, data: st.DataObject, corpus: Segments) -> None:
    """Or all references twice, where the mean over them counts."""
    case = data.draw(cases(name))
    again = 1 if case.keeps("one reference twice") else None
    doubled = [Segment(text, (*references, *references[:again])) for text, references in corpus]
    assert rows(case.make(), doubled) == rows(case.make(), corpus)


@pytest.mark.parametrize("name", keepers(EVERY, "repetition"))
@fewer_examples
@given(data=st.data(), corpus=corpora(), times=st.integers(2, 5))
def test_law_11_a_corpus_repeated_scores_the_same(name: str, data: st.DataObject, corpus: Segments, times: int) -> None:
    metric = data.draw(cases(name, "repetition")).make()
    assert score(metric, corpus * times) == score(metric, corpus)


# Letters that are stored in one, two and four bytes each; the last are the small letters of Deseret.
_ALPHABETS = ("hgfedcba", "àáâãäåæç", "бвгджзик", "".join(map(chr, range(0x10428, 0x10430))))


@for_aligned_metrics
@fewer_examples
@given(data=st.data(), corpus=corpora(), alphabet=st.sampled_from(_ALPHABETS))
def test_laws_12_and_15_names_of_tokens_and_width_of_letters_do_not_matter(
    name: str, data: st.DataObject, corpus: Segments, alphabet: str
) -> None:
    metric = data.draw(cases(name, "renaming")).make()
    table = str.maketrans(LETTERS, alphabet)
    assert rows(metric, renamed(corpus, lambda text: text.translate(table))) == rows(metric, corpus)


@for_aligned_metrics
@fewer_examples
@given(data=st.data(), corpus=corpora(), blanks=st.text(" \t\u3000", min_size=1, max_size=3))
def test_law_14_extra_blanks_change_nothing(name: str, data: st.DataObject, corpus: Segments, blanks: str) -> None:
    metric = data.draw(cases(name, "blanks")).make()
    spaced = renamed(corpus, lambda text: blanks + text.replace(" ", blanks) + blanks)
    assert rows(metric, spaced) == rows(metric, corpus)


class Text(str):
    """A str subclass that would give itself away if anything but its characters were read."""

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 0

    def __str__(self) -> str:
        return "something else"


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora())
def test_law_15_str_subclasses_are_texts(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric = data.draw(cases(name)).make()
    assert rows(metric, renamed(corpus, Text)) == rows(metric, corpus)


@for_every_metric
@fewer_examples
@given(data=st.data(), first=corpora(largest=3), second=corpora(largest=3))
def test_law_19_statistics_are_additive(name: str, data: st.DataObject, first: Segments, second: Segments) -> None:
    metric = data.draw(cases(name)).make()
    parts = [metric.statistics(**columns_of(metric, part)) for part in (first, second)]
    whole = metric.statistics(**columns_of(metric, first + second))
    assert [*parts[0].rows.tolist(), *parts[1].rows.tolist()] == whole.rows.tolist()
    assert (whole.names, whole.signature) == (metric.columns, metric.signature)
    assert len(whole) == len(first) + len(second)
    assert whole.total() == tuple(map(sum, zip(*(part.total() for part in parts), strict=True)))


def state(case: Case, corpus: Segments) -> AnyMetric:
    metric = case.make()
    return metric.update(**columns_of(metric, corpus))


@for_every_metric
@fewer_examples
@given(data=st.data(), parts=st.lists(corpora(0, 3), min_size=3, max_size=3).filter(any))
def test_law_20_merging_is_associative_with_a_zero(name: str, data: st.DataObject, parts: list[Segments]) -> None:
    case = data.draw(cases(name))
    a, b, c = parts
    whole = float(state(case, a + b + c).compute())
    left = state(case, a).merge(state(case, b)).merge(state(case, c))
    right = state(case, a).merge(state(case, b).merge(state(case, c)))
    padded = case.make().merge(state(case, a + b)).merge(case.make()).merge(state(case, c)).merge(case.make())
    assert [float(metric.compute()) for metric in (left, right, padded)] == [whole] * 3
    assert left.compute().columns == right.compute().columns == padded.compute().columns


@for_every_metric
@fewer_examples
@given(data=st.data(), a=corpora(1, 3), b=corpora(0, 3))
def test_law_20_merging_is_commutative(name: str, data: st.DataObject, a: Segments, b: Segments) -> None:
    case = data.draw(cases(name, "commutative"))
    there, back = state(case, a).merge(state(case, b)), state(case, b).merge(state(case, a))
    assert there.compute().columns == back.compute().columns
    assert float(there.compute()) == float(back.compute())


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora(1, 6))
def test_law_21_a_stream_equals_its_batch(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric = data.draw(cases(name)).make()
    cuts = [0, *sorted(data.draw(st.lists(st.integers(0, len(corpus)), max_size=4))), len(corpus)]
    for begin, end in pairwise(cuts):
        metric.update(**columns_of(metric, corpus[begin:end]))
    batch = metric.corpus(**columns_of(metric, corpus))
    streamed = metric.compute()
    assert (streamed.columns, streamed.value) == (batch.columns, batch.value)
    assert (streamed.signature, streamed.references) == (batch.signature, batch.references)
    nothing = columns_of(metric, [])
    assert metric.update(**nothing).compute().value == batch.value
    with pytest.raises(NoSegmentsError):
        metric.reset().compute()
    with pytest.raises(NoSegmentsError):
        metric.corpus(**nothing)
    assert metric.sentences(**nothing).shape == (0,)


@pytest.fixture(scope="module")
def long_corpus() -> Segments:
    """Enough bytes that threads are used, and a length that no number of threads divides."""
    return random_segments(21, 1553)


@for_every_metric
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_laws_21_and_31_threads_change_nothing(name: str, threads: int, long_corpus: Segments) -> None:
    metric = default(name)
    assert rows(metric, long_corpus, threads) == rows(metric, long_corpus, 1)
    assert score(metric, long_corpus, threads) == score(metric, long_corpus, 1)
    columns = columns_of(metric, long_corpus)
    single = metric.sentences(**columns, threads=1)
    assert metric.sentences(**columns, threads=threads).tobytes() == single.tobytes()


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora())
def test_one_segment_scores_alike_alone_and_in_a_row(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric = data.draw(cases(name)).make()
    together = metric.sentences(**columns_of(metric, corpus))
    alone = [sentence_of(metric, segment) for segment in corpus]
    assert together.tobytes() == np.array([float(one) for one in alone]).tobytes()
    assert [list(one.columns) for one in alone] == rows(metric, corpus)


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora())
def test_a_score_is_the_formula_of_the_sums(name: str, data: st.DataObject, corpus: Segments) -> None:
    """Or the mean of the formula of every row, where a metric averages."""
    metric = data.draw(cases(name, "segment order")).make()
    if not metric.definition.summary.additive:
        each = metric.sentences(**columns_of(metric, corpus))
        assert ExactMean().add(each).value == score(metric, corpus)
        return
    total = metric.statistics(**columns_of(metric, corpus)).total()
    assert metric.definition.formula(total) == score(metric, corpus)


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora())
def test_law_29_tokens_equal_the_text_they_make(name: str, data: st.DataObject, corpus: Segments) -> None:
    case = data.draw(cases(name))
    metric = case.make()
    if metric.options.get("tokenizer") == "char":
        return  # its tokens are not words
    columns = columns_of(metric, corpus)
    words: dict[str, Any] = {name: [split(text) for text in column] for name, column in columns.items()}
    if case.keeps("tokens"):
        assert metric.statistics(**words).rows.tolist() == rows(metric, corpus)
        return
    for scoring in (metric.statistics, metric.corpus, metric.sentences, metric.update):
        with pytest.raises(NotTextError):
            scoring(**words)
    with pytest.raises(NotTextError):
        metric.sentence(**first_of(words))


def split(text: Any) -> list[Any]:
    return text.split() if isinstance(text, str) else [each.split() for each in text]


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora())
def test_arguments_are_never_changed(name: str, data: st.DataObject, corpus: Segments) -> None:
    metric = data.draw(cases(name)).make()
    columns = columns_of(metric, corpus)
    if metric.needs_references:
        columns["references"] = [[*group, None] for group in columns["references"]]
    before = copy.deepcopy(columns)
    for scoring in (metric.corpus, metric.statistics, metric.sentences, metric.update):
        scoring(**columns)
    metric.sentence(**first_of(columns))
    assert columns == before
    once = {name: iter(column) for name, column in columns.items()}
    assert metric.corpus(**once).value == score(metric, corpus)


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora())
def test_a_signature_replays_its_score(name: str, data: st.DataObject, corpus: Segments) -> None:
    case = data.draw(cases(name))
    metric = case.make()
    scorings: list[Callable[[AnyMetric], Any]] = [
        lambda metric: metric.corpus(**columns_of(metric, corpus)),
        lambda metric: sentence_of(metric, corpus[0]),
    ]
    for scoring in scorings:
        original = scoring(metric)
        replaying = type(metric).from_signature(original.signature, **case.outside())
        replayed = scoring(replaying.fit(TRAINED) if isinstance(replaying, FittedMetric) else replaying)
        assert replayed.value == original.value
        assert replayed.signature == original.signature


@for_aligned_metrics
@fewer_examples
@given(data=st.data(), corpus=corpora(shortest=LONG, longest=LONG + 3, references=2))
def test_higher_is_better_agrees_with_spoiling_a_perfect_output(
    name: str, data: st.DataObject, corpus: Segments
) -> None:
    metric = data.draw(cases(name, "degradation")).make()
    perfect_corpus = [Segment(references[0], references) for _, references in corpus]
    spoilt = [Segment(_spoilt(text), references) for text, references in perfect_corpus]
    best, worse = score(metric, perfect_corpus), score(metric, spoilt)
    assert worse < best if metric.higher_is_better else worse > best
    assert math.isfinite(worse)


def _spoilt(text: str) -> str:
    """Every third word becomes one that no reference has."""
    return " ".join("zzz" if at % 3 == 1 else word for at, word in enumerate(text.split()))


@for_every_metric
@fewer_examples
@given(data=st.data(), corpus=corpora(largest=5))
def test_a_sample_scores_any_choice_of_segments_as_their_corpus(
    name: str, data: st.DataObject, corpus: Segments
) -> None:
    case = data.draw(cases(name, "segment order"))
    metric = case.make()
    sample = metric.sample(**columns_of(metric, corpus))
    places = data.draw(st.lists(st.integers(0, len(corpus) - 1), min_size=1, max_size=6))
    chosen = sample.rows[places].sum(axis=0, keepdims=True)
    # A sum of floats is rounded where the exact mean is not.
    allowed = 0.0 if metric.definition.summary.additive and case.keeps("exact sample") else 1e-13
    expected = score(metric, [corpus[place] for place in places])
    assert sample.score(chosen).item() == pytest.approx(expected, rel=allowed, abs=allowed)
    assert (sample.higher_is_better, sample.has_percent) == (metric.higher_is_better, metric.has_percent)

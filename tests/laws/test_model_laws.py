"""Laws of metrics that need a model and no references: the same as of all others, where they apply."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint import LanguageModel, NgramIndex, Perplexity, signature
from bleuprint.errors import (
    BareStringError,
    LengthMismatchError,
    MergeError,
    NoSegmentsError,
    NotTextError,
    SurrogateError,
    UnusedSourcesError,
)
from bleuprint.metrics import Contamination, Novelty, registry
from bleuprint.metrics.base.metric import Metric
from tests.laws.strategies import share
from tests.support.tables import MODEL_TABLE

AnyMetric = Metric[Any]
LETTERS = "abcdefgh"  # the model knows the first five
texts = st.lists(st.sampled_from(LETTERS), max_size=8).map(" ".join)
corpora = st.lists(texts, min_size=1, max_size=6)
few_examples = share(40, 5)


TRAINED = ["a b c d e", "a b c", "b c d", "e d c b a", "a a b", "c", ""]


@cache
def model(option: str, order: int) -> LanguageModel | NgramIndex:
    if option == "index":
        return NgramIndex.build(TRAINED, max_order=order, tokenizer="whitespace")
    return LanguageModel.train(TRAINED, order=order, discount_fallback=True)


# The model is the one of that order.
_RULES: list[dict[str, Any]] = [
    {"order": 2},
    {"order": 3, "profile": "palm"},
    {"order": 2, "profile": "llama2", "share": 0.5},
    {"order": 3, "short": "never", "unit": "tokens"},
]
CASES: dict[str, list[tuple[Any, dict[str, Any]]]] = {
    "perplexity": [(Perplexity, {"lm": order, "unknown": rule}) for order in (1, 3) for rule in ("include", "exclude")],
    "novelty": [(Novelty, {"index": 3, "order": order}) for order in (1, 3)],
    "contamination": [(Contamination, {"index": 3, **rule}) for rule in _RULES],
}
CASE_LIST = [
    pytest.param(name, case, id=f"{name}-{i}") for name, cases in CASES.items() for i, case in enumerate(cases)
]
for_every_case = pytest.mark.parametrize(("name", "case"), CASE_LIST)


def model_of(case: tuple[Any, dict[str, Any]]) -> dict[str, Any]:
    kind, options = case
    option = str(registry.model_option(kind))
    return {option: model(option, options[option])}


def make(case: tuple[Any, dict[str, Any]]) -> AnyMetric:
    kind, options = case
    metric: AnyMetric = kind(**{**options, **model_of(case)})
    return metric


def test_every_metric_of_the_table_is_here() -> None:
    # The laws of these are in tests/metrics, in test_bertscore.py, test_blend.py and test_neural_perplexity.py.
    assert set(CASES) | {"bertscore", "blend", "neural-perplexity"} == set(MODEL_TABLE)
    assert all(kind is MODEL_TABLE[name] for name, cases in CASES.items() for kind, _ in cases)


@for_every_case
@few_examples
@given(corpus=corpora)
def test_scores_are_in_their_range(name: str, case: Any, corpus: list[str]) -> None:
    metric = make(case)
    least, most = (1.0, float("inf")) if name == "perplexity" else metric.value_range
    assert least <= metric.corpus(corpus).value <= most
    assert all(least <= value <= most for value in metric.sentences(corpus))


@for_every_case
@few_examples
@given(corpus=corpora, data=st.data())
def test_segments_have_no_order(name: str, case: Any, corpus: list[str], data: st.DataObject) -> None:
    metric = make(case)
    assert metric.corpus(data.draw(st.permutations(corpus))).value == metric.corpus(corpus).value


@for_every_case
@few_examples
@given(corpus=corpora, times=st.integers(2, 4))
def test_a_corpus_repeated_scores_the_same(name: str, case: Any, corpus: list[str], times: int) -> None:
    assert make(case).corpus(corpus * times).value == make(case).corpus(corpus).value


@for_every_case
@few_examples
@given(corpus=corpora, cut=st.integers(0, 6))
def test_shards_merge_to_the_whole(name: str, case: Any, corpus: list[str], cut: int) -> None:
    whole, first, second = (make(case) for _ in range(3))
    merged = first.update(corpus[:cut]).merge(second.update(corpus[cut:])).compute()
    assert merged.value == whole.corpus(corpus).value == whole.update(corpus).compute().value
    assert merged.columns == whole.statistics(corpus).total() or not corpus
    assert merged.signature == whole.corpus(corpus).signature or not corpus


@for_every_case
@few_examples
@given(corpus=corpora)
def test_sentences_are_corpora_of_one(name: str, case: Any, corpus: list[str]) -> None:
    metric = make(case)
    rows = metric.sentences(corpus).tolist()
    assert rows == [metric.sentence(text).value for text in corpus] == [metric.corpus([text]).value for text in corpus]


@for_every_case
@few_examples
@given(corpus=corpora)
def test_references_are_not_looked_at_but_checked(name: str, case: Any, corpus: list[str]) -> None:
    metric = make(case)
    others = [["anything", "at all"] for _ in corpus]
    assert metric.corpus(corpus, others).value == metric.corpus(corpus).value
    assert metric.statistics(corpus, others).total() == metric.statistics(corpus).total()
    assert metric.sentences(corpus, others).tolist() == metric.sentences(corpus).tolist()
    assert "references:0" in metric.corpus(corpus, others).signature
    with pytest.raises(LengthMismatchError):
        metric.corpus([*corpus, "a"], others)


@for_every_case
def test_threads_do_not_matter(name: str, case: Any) -> None:
    metric = make(case)
    many = [f"{LETTERS[i % 8]} {LETTERS[i % 5]} a" for i in range(20_000)]
    assert metric.corpus(many, threads=1).columns == metric.corpus(many, threads=4).columns
    assert (metric.statistics(many, threads=3).rows == metric.statistics(many, threads=1).rows).all()


@for_every_case
@few_examples
@given(corpus=corpora.filter(bool))
def test_a_sample_scores_as_the_metric_does(name: str, case: Any, corpus: list[str]) -> None:
    metric = make(case)
    sample = metric.sample(corpus)
    assert sample.higher_is_better == metric.higher_is_better
    assert sample.score().item() == metric.corpus(corpus).value
    assert sample.score(sample.rows).tolist() == metric.sentences(corpus).tolist()


@for_every_case
def test_text_and_tokens_iterators_and_arguments(name: str, case: Any) -> None:
    metric = make(case)
    corpus = ["a b c", "f a"]
    before = copy.deepcopy(corpus)
    value = metric.corpus(corpus).value
    assert corpus == before
    assert metric.corpus(iter(corpus)).value == value
    assert metric.corpus([text.split() for text in corpus]).value == value
    assert metric.sentence(["a", "b", "c"]).value == metric.sentence("a b c").value


@for_every_case
def test_signature_replays_with_the_model(name: str, case: Any) -> None:
    metric = make(case)
    score = metric.corpus(["a b f"])
    parsed = signature.parse(score.signature)
    assert parsed.metric == name
    again = type(metric).from_signature(score.signature, **model_of(case))
    assert again.signature == metric.signature
    assert again.corpus(["a b f"]).value == score.value


@for_every_case
def test_bad_input_is_refused(name: str, case: Any) -> None:
    metric = make(case)
    with pytest.raises(BareStringError):
        metric.corpus("a b")
    with pytest.raises(NotTextError, match=r"hypotheses\[1\] must be a str, got None"):
        metric.corpus(["a", None])  # type: ignore[list-item]
    with pytest.raises(NotTextError, match="hypothesis must be"):
        metric.sentence(None)  # type: ignore[arg-type]
    with pytest.raises(NotTextError, match="references must be a str or a list of them, got int"):
        metric.sentence("a", 3)  # type: ignore[arg-type]
    with pytest.raises(SurrogateError, match=r"hypotheses\[0\]"):
        metric.corpus(["\ud800"])
    with pytest.raises(UnusedSourcesError):
        metric.corpus(["a"], sources=["a"])
    with pytest.raises(MergeError):
        metric.merge(make((type(metric), {**case[1], **dict.fromkeys(model_of(case), 4)})))
    with pytest.raises(NoSegmentsError):
        metric.corpus([])
    assert metric.sentences([]).shape == (0,)


@for_every_case
def test_hostile_texts(name: str, case: Any) -> None:
    metric = make(case)
    least = 1 if name == "perplexity" else 0
    assert metric.sentence("\x00 \u2028 <s> </s>").value >= least
    assert metric.corpus(["a b " * 200_000]).value >= least
    empty = metric.corpus(["", "", " "])
    assert empty.columns[1] == (0 if name == "novelty" else 3)
    assert empty.value >= least

"""Neural perplexity over a model that is written down: windows, profiles, laws, errors, and runs that were stopped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleuprint import BERTScore, compare, evaluate
from bleuprint.errors import (
    InputError,
    MergeError,
    NotTextError,
    OptionError,
    SignatureError,
)
from bleuprint.metrics import NeuralPerplexity
from bleuprint.models.causal_models import CallableModel, resolve
from tests.support.effort import examples
from tests.support.encoders import assert_texts_are_checked, bigram, encoder, letters_model

texts = st.text("abcdefgh ", max_size=40)
corpora = st.lists(texts, min_size=1, max_size=6)
few_examples = settings(max_examples=examples(60), deadline=None)


def logarithms(text: str, *, bos: bool) -> list[float]:
    """Of every scored letter; the model looks at one letter before, so windows of two or more change nothing."""
    ids = [0] * bos + [ord(letter) - 96 for letter in text if letter != " "]
    return [math.log(1 / 2 if (after - before) % 9 == 1 else 1 / 16) for before, after in pairwise(ids)]


@few_examples
@given(corpus=corpora, bos=st.booleans(), window=st.integers(2, 12), data=st.data())
def test_equal_to_the_sum_of_logarithms(corpus: list[str], bos: bool, window: int, data: st.DataObject) -> None:
    stride = data.draw(st.integers(1, window - 1))
    metric = NeuralPerplexity(letters_model(), bos=bos, max_length=window, stride=stride)
    expected = [logarithms(text, bos=bos) for text in corpus]
    rows = metric.statistics(corpus).rows.tolist()
    assert [tokens for _, tokens in rows] == [len(found) for found in expected]
    assert [total * 2.0**-28 for total, _ in rows] == pytest.approx([sum(found) for found in expected], abs=1e-8)
    every = [value for found in expected for value in found]
    assert metric.corpus(corpus).value == pytest.approx(math.exp(-sum(every) / max(1, len(every))))
    assert (metric.sentences(corpus) >= 1).all()


@pytest.mark.parametrize(("window", "stride", "context"), [(6, 3, 3), (6, 5, 1), (6, 1, 5)])
def test_every_token_is_scored_once_with_enough_before_it(window: int, stride: int, context: int) -> None:
    seen: list[Sequence[int]] = []

    def remember(windows: list[Sequence[int]]) -> list[list[float]]:
        seen.extend(windows)
        return [[-1.0] * (len(ids) - 1) for ids in windows]

    model = CallableModel(lambda text: list(range(1, len(text) + 1)), remember, window=window, bos=0, name="counted")
    score = NeuralPerplexity(model, stride=stride).sentence("x" * 20)
    assert score.columns[1] == 20
    assert all(len(ids) <= window for ids in seen)
    assert sorted({ids[-1] for ids in seen})[-1] == 20
    begins = sorted(ids[0] for ids in seen)
    assert begins == list(range(0, begins[-1] + 1, stride))
    assert window - stride == context


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([4, 3, 4, 4, 4, 4, 4], [[3, 4, 4, 4, 4], [4, 4]]),
        ([512] * 4, [[512] * 4]),
        ([683] * 3, [[683, 683], [683]]),
        ([3, 2100, 2], [[2, 3], [2100]]),
        ([1, 0], []),
    ],
)
def test_a_batch_holds_like_windows_and_not_too_many(sizes: list[int], expected: list[list[int]]) -> None:
    """As many as the model takes at once, and 2048 tokens unless one window has more; nothing is no batch."""
    seen: list[list[int]] = []

    def remember(windows: list[Sequence[int]]) -> list[list[float]]:
        seen.append([len(ids) for ids in windows])
        return [[-1.0] * (len(ids) - 1) for ids in windows]

    model = CallableModel(lambda text: [1] * len(text), remember, window=4096, name="counted")
    model.batch_size = 5
    NeuralPerplexity(model).corpus(["x" * size for size in sizes])
    assert seen == expected


@few_examples
@given(corpus=corpora, cut=st.integers(0, 6), average=st.sampled_from(["tokens", "texts"]))
def test_shards_streams_and_order(corpus: list[str], cut: int, average: str) -> None:
    corpus = [f"a{text}" for text in corpus]

    def make() -> NeuralPerplexity:
        return NeuralPerplexity(letters_model(), average=average)

    whole = make().corpus(corpus)
    merged = make().update(corpus[:cut]).merge(make().update(corpus[cut:])).compute()
    assert merged.value == whole.value == make().corpus(corpus[::-1]).value
    assert merged.columns == whole.columns
    segments = make().sentences(corpus)
    assert segments.tolist() == [make().corpus([text]).value for text in corpus]
    assert segments.tolist() == [make().sentence(text).value for text in corpus]
    if corpus:
        sample = make().sample(corpus)
        assert sample.score().item() == pytest.approx(whole.value)
        assert not sample.higher_is_better
        definition = make().definition
        others = definition.row_summary.without_each(definition, make().statistics(corpus).rows)
        assert len(corpus) == 1 or others[0] == pytest.approx(make().corpus(corpus[1:]).value)


def test_profiles() -> None:
    model, corpus = letters_model(), ["abc", "az", "hgfedcba"]
    hugging = NeuralPerplexity(model, profile="hf-evaluate")
    means = [math.exp(-sum(found) / len(found)) for found in (logarithms("abc", bos=True), logarithms("a", bos=True))]
    assert hugging.sentences(["abc", "a"]) == pytest.approx(means)
    assert hugging.corpus(["abc", "a"]).value == pytest.approx(sum(means) / 2)
    assert hugging.corpus(corpus).value != pytest.approx(NeuralPerplexity(model).corpus(corpus).value)
    cut = NeuralPerplexity(model, profile="hf-evaluate", max_length=4)
    assert cut.sentence("abcdefgh").columns == hugging.sentence("abc").columns
    assert hugging.sentence("a" * 11).columns[1] == 11
    with pytest.raises(InputError, match="reads at most 12 at once"):
        hugging.corpus(["a" * 12])
    wide = letters_model(window=1024)
    auto = NeuralPerplexity(wide, profile="autometrics")
    assert (auto.options["bos"], auto.options["stride"], auto.options["max_length"]) == (False, 512, 1024)
    assert auto.sentence("ab").columns[1] == 1
    with pytest.raises(InputError, match="'a' has no token to score"):
        auto.corpus(["ab", "a"])


def test_what_is_usual_stands_in_the_signature() -> None:
    usual, cut = NeuralPerplexity(letters_model()), NeuralPerplexity(letters_model(), profile="hf-evaluate")
    assert [(metric.options["max_length"], metric.options["stride"]) for metric in (usual, cut)] == [
        (12, 6),
        (None, None),
    ]
    assert (usual.options["stride"], usual.threshold) == (6, 100.0)
    score = usual.sentence("abh")
    assert score.percent == score.value
    other = NeuralPerplexity.from_signature(score.signature, model=letters_model(), average="texts")
    assert (other.options["average"], other.options["stride"]) == ("texts", 6)


def test_an_impossible_text_stays_finite() -> None:
    assert NeuralPerplexity(letters_model()).definition.formula((-800 << 28, 1)) == math.exp(700)


def test_the_start_token() -> None:
    silent = letters_model(bos=None)
    assert not NeuralPerplexity(silent).options["bos"]
    assert NeuralPerplexity(letters_model()).options["bos"]
    with pytest.raises(OptionError, match="bos must be False"):
        NeuralPerplexity(silent, bos=True)


def test_signature_replays_with_the_model() -> None:
    hugging = {"profile": "hf-evaluate", "max_length": 5}
    choices: list[dict[str, Any]] = [{}, hugging, {"stride": 2, "bos": False}, {"average": "texts"}]
    for options in choices:
        metric = NeuralPerplexity(letters_model(digest="abc"), **options)
        score = metric.corpus(["abc", "ah"])
        assert "model_digest:sha256-abc" in score.signature
        again = NeuralPerplexity.from_signature(score.signature, model=letters_model(digest="abc"))
        assert again.signature == metric.signature
        assert again.corpus(["abc", "ah"]).value == score.value
        with pytest.raises(SignatureError, match="the given model has the signature"):
            NeuralPerplexity.from_signature(score.signature, model=letters_model(digest="abd"))
    with pytest.raises(SignatureError, match="model=…"):
        NeuralPerplexity.from_signature(score.signature)


def test_bad_input_is_refused() -> None:
    metric = NeuralPerplexity(letters_model())
    assert_texts_are_checked(metric)
    with pytest.raises(NotTextError, match=r"hypotheses\[1\] must be a str, got None"):
        metric.corpus(["a", None])  # type: ignore[list-item]
    with pytest.raises(MergeError):
        metric.merge(NeuralPerplexity(letters_model(), stride=2))
    assert metric.sentences([]).shape == (0,)


@pytest.mark.parametrize("options", [{"stride": 12}, {"max_length": 1}, {"max_length": 13}, {"average": "all"}])
def test_options_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        NeuralPerplexity(letters_model(), **options)


def _always(answer: list[list[float]], windows: object) -> list[list[float]]:
    return answer


def test_models_are_checked() -> None:
    with pytest.raises(OptionError, match="a CausalModel"):
        resolve(3)
    for answer in ([[-1.0]], [[-1.0, -math.inf]], [[-1.0, 0.5]], [[math.nan, -1.0]]):
        model = CallableModel(lambda text: [1, 2, 3], partial(_always, answer), window=4, name="odd")
        with pytest.raises(OptionError, match="a finite log-probability for every token"):
            NeuralPerplexity(model).sentence("x")


def test_beside_other_metrics_and_in_comparisons() -> None:
    fluent, clumsy = ["abcd", "bcde", "cdef", "defg"] * 3, ["adbc", "bebc", "cccc", "dhdh"] * 3
    metric = NeuralPerplexity(letters_model())
    result = evaluate({"fluent": fluent, "clumsy": clumsy}, fluent, metrics=["chrf", metric])
    assert result.systems[0].score("neural-perplexity").value < result.systems[1].score("neural-perplexity").value
    outcome = compare({"fluent": fluent, "clumsy": clumsy}, fluent, metrics=[metric])
    assert "neural-perplexity: fluent is better than clumsy" in str(outcome)


class StoppedError(Exception):
    """What ends a run in the middle."""


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    hypotheses, references = ["abc", "def", "aab"] * 50, ["abd", "dfe", "ab"] * 50
    seen: list[int] = []

    def counted(windows: Any) -> list[list[float]]:
        seen.append(len(windows))
        if limit and sum(seen) > limit:
            raise StoppedError
        return bigram(windows)

    model = letters_model(digest="1")
    model._function = counted
    limit = 100
    with pytest.raises(StoppedError):
        evaluate(hypotheses, references, metrics=[NeuralPerplexity(model)], store=tmp_path)
    assert len(list(tmp_path.iterdir())) == 1, "one chunk of 64 was finished"
    limit, seen[:] = 0, []
    result = evaluate(hypotheses, references, metrics=[NeuralPerplexity(model)], store=tmp_path)
    assert sum(seen) == 150 - 64
    assert result.systems[0].scores[0].value == NeuralPerplexity(letters_model()).corpus(hypotheses).value


def test_rarity_is_learnt_from_all_chunks(tmp_path: Path) -> None:
    hypotheses, references = ["abc", "def", "aab"] * 50, [*["abd", "dfe", "ab"] * 49, "hgf", "ggg", "h"]
    metric = BERTScore(encoder(digest="1"), idf=True)
    result = evaluate(hypotheses, references, metrics=[metric], store=tmp_path)
    assert result.systems[0].scores[0].value == metric.corpus(hypotheses, references).value

"""A blend is a metric like any other: exact under merging, replayed from its signature, sent to other processes."""

from __future__ import annotations

import contextlib
import copy
import json
import math
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint import signature
from bleuprint.errors import (
    LengthMismatchError,
    MergeError,
    MissingSourcesError,
    ModelFileError,
    NoSegmentsError,
    NotTextError,
    OptionError,
    OutputError,
    SignatureError,
    StateError,
    UnusedSourcesError,
)
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.blend import BlendWeights
from tests.support.blends import PERFECT, blend, blend_document, weights_of
from tests.support.effort import examples
from tests.support.encoders import encoder
from tests.support.tables import TABLE

HYPOTHESES = ["the cat sat on the mat", "a dog ran off", "so it goes", ""]
REFERENCES = [["the cat sat on a mat", "a cat sat"], ["the dog ran off"], ["so it went", "it goes"], ["nothing"]]
SOURCES = ["the cat sits on a mat", "a dog run off", "so it go", "x"]
texts = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)
corpora = st.lists(st.tuples(texts, texts), min_size=1, max_size=6)


def source_blend() -> bp.metrics.Blend:
    return bp.metrics.Blend(weights_of(bp.SARI(), bp.CHRF()))


def by_hand(metrics: list[Metric[Any]], weights: BlendWeights, hypothesis: str, references: Any, source: Any) -> float:
    value = weights.intercept
    for metric, mean, scale, weight in zip(metrics, weights.means, weights.scales, weights.weights, strict=True):
        own = source if metric.needs_sources else None
        value += weight * ((metric.sentence(hypothesis, references, source=own).value - mean) / scale)
    return value


@pytest.mark.parametrize("name", [name for name in TABLE if name != "gec-gleu"])
def test_a_segment_is_the_weighted_sum_of_its_components(name: str) -> None:
    metrics = [TABLE[name](), bp.WER(tokenizer="char")]
    weights = weights_of(*metrics)
    made = bp.metrics.Blend(weights)
    sources = SOURCES if made.needs_sources else None
    scores = made.sentences(HYPOTHESES, REFERENCES, sources=sources)
    for place, (hypothesis, references, source) in enumerate(zip(HYPOTHESES, REFERENCES, SOURCES, strict=True)):
        assert scores[place] == by_hand(metrics, weights, hypothesis, references, source)
        given = source if made.needs_sources else None
        assert scores[place] == made.sentence(hypothesis, references, source=given).value
    assert made.corpus(HYPOTHESES, REFERENCES, sources=sources).value == pytest.approx(math.fsum(scores) / 4)


@settings(max_examples=examples(100))
@given(corpus=corpora, cut=st.integers(0, 6), data=st.data())
def test_shards_merge_to_the_whole_in_any_order(corpus: list[tuple[str, str]], cut: int, data: st.DataObject) -> None:
    whole = blend().corpus(*map(list, zip(*corpus, strict=True)))
    parts = [part for part in (corpus[:cut], corpus[cut:]) if part]
    merged = blend()
    for part in data.draw(st.permutations(parts)):
        merged.merge(blend().update(*map(list, zip(*part, strict=True))))
    assert merged.compute().value == whole.value
    assert merged.compute().parts == whole.parts
    assert blend().add_state(json.loads(json.dumps(merged.state()))).compute().value == whole.value
    shuffled = data.draw(st.permutations(corpus))
    assert blend().corpus(*map(list, zip(*shuffled, strict=True))).value == whole.value


def test_parts_are_the_mean_scores_of_the_components() -> None:
    score = blend().corpus(HYPOTHESES, REFERENCES)
    bleus = bp.sentence_bleus(HYPOTHESES, REFERENCES, tokenizer="whitespace")
    assert score["bleu"] == pytest.approx(bleus.mean())
    assert list(score.parts) == ["blend", "bleu", "ter"]
    two = bp.metrics.Blend(weights_of(bp.BLEU(), bp.BLEU(max_order=2)))
    assert list(two.corpus(HYPOTHESES, REFERENCES).parts) == ["blend", "bleu", "bleu_2"]


def test_a_perfect_text() -> None:
    assert blend().sentence("the cat sat on the mat", "the cat sat on the mat").value == PERFECT


@pytest.mark.parametrize("make", [blend, source_blend])
def test_a_signature_alone_recreates_a_blend(make: Any) -> None:
    metric = make()
    sources = SOURCES if metric.needs_sources else None
    score = metric.corpus(HYPOTHESES, REFERENCES, sources=sources)
    again = registry.from_signature(score.signature)
    assert type(again) is type(metric)
    assert again.signature == metric.signature
    assert again.corpus(HYPOTHESES, REFERENCES, sources=sources).value == score.value
    named = signature.parse(score.signature).options["components"]
    assert isinstance(named, str)
    assert len(named.split()) == 2


def test_a_blend_goes_to_other_processes() -> None:
    metric = blend().update(HYPOTHESES, REFERENCES)
    for twin in (pickle.loads(pickle.dumps(metric)), copy.copy(metric), copy.deepcopy(metric)):
        assert type(twin) is bp.metrics.Blend
        assert twin.definition == metric.definition
        assert twin.compute().value == metric.compute().value
    sources = pickle.loads(pickle.dumps(source_blend()))
    assert sources.needs_sources


def test_a_component_with_a_model_goes_with_the_blend() -> None:
    component = bp.BERTScore(encoder())
    weights = weights_of(bp.BLEU(), component)
    with pytest.raises(SignatureError, match=r"In a blend, pass this metric to Blend.load, in metrics"):
        bp.metrics.Blend(weights)


def test_a_component_with_a_tokenizer_of_ones_own(tmp_path: Path) -> None:
    component = bp.BLEU(tokenizer=str.split)
    weights = weights_of(component, bp.TER())
    path = tmp_path / "blend.json"
    weights.save(path)
    with pytest.raises(ModelFileError, match=r"blend.json: not a valid blend: .*custom function"):
        bp.metrics.Blend(path)
    made = bp.metrics.Blend.load(path, metrics=[component])
    expected = by_hand([component, bp.TER()], weights, HYPOTHESES[0], REFERENCES[0], None)
    assert made.sentence(HYPOTHESES[0], REFERENCES[0]).value == expected
    twin = pickle.loads(pickle.dumps(made))
    assert twin.sentence(HYPOTHESES[0], REFERENCES[0]).value == expected
    assert bp.metrics.Blend.from_signature(made.signature, metrics=[component]).signature == made.signature


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "blend.json"
    metric = blend()
    metric.save(path)
    assert bp.metrics.Blend(path).signature == bp.metrics.Blend(str(path)).signature == metric.signature
    assert bp.metrics.Blend.from_signature(metric.signature, fit=path).signature == metric.signature
    metric.save(path)  # the same content
    with pytest.raises(OutputError, match="already exists"):
        source_blend().save(path)
    source_blend().save(path, overwrite=True)
    with pytest.raises(SignatureError, match="the given fit has the signature"):
        bp.metrics.Blend.from_signature(metric.signature, fit=path)
    with pytest.raises(ModelFileError, match=r"nowhere.json: not a valid blend: No such file"):
        bp.metrics.Blend(tmp_path / "nowhere.json")


def test_functions_take_the_file(tmp_path: Path) -> None:
    path = tmp_path / "blend.json"
    path.write_bytes(blend_document())
    assert (
        bp.metrics.Blend(fit=path).corpus(HYPOTHESES, REFERENCES).value
        == bp.metrics.Blend(path).corpus(HYPOTHESES, REFERENCES).value
    )
    result = bp.evaluate(HYPOTHESES, REFERENCES, metrics=["bleu", "blend"], models={"blend": str(path)})
    assert result.systems[0].score("blend").value == bp.metrics.Blend(path).corpus(HYPOTHESES, REFERENCES).value


def test_functions_notice_that_a_file_was_written_again(tmp_path: Path) -> None:
    path = tmp_path / "blend.json"
    path.write_bytes(blend_document())
    before = bp.metrics.Blend(fit=path).corpus(HYPOTHESES, REFERENCES).value
    path.write_bytes(blend_document(intercept=1003.5))
    assert bp.metrics.Blend(fit=path).corpus(HYPOTHESES, REFERENCES).value == pytest.approx(before + 1000)
    model = tmp_path / "model.arpa"
    scores = []
    for texts in (["a b", "a c"], ["a b c d", "e f g h"]):
        model.write_bytes(bp.LanguageModel.train(texts, order=2, discount_fallback=True).to_arpa())
        scores.append(bp.perplexity(["a b"], lm=str(model)).value)
    assert scores[0] != scores[1]


def test_results_comparisons_and_gates_take_a_blend() -> None:
    better = [references[0] for references in REFERENCES]
    systems = {"A": HYPOTHESES * 5, "B": better * 5}
    result = bp.evaluate(systems, REFERENCES * 5, metrics=[blend(), "bleu"])
    assert (
        bp.results.Result.from_json(result.to_json()).systems[0].score("blend").value
        == result.systems[0].score("blend").value
    )
    assert bp.replay(result).same
    assert bp.gate(result, minimum={"blend": -100.0}).passed
    assert "blend" in result.to_html()
    comparison = bp.compare(systems, REFERENCES * 5, metrics=[blend()], resamples=100)
    assert [system.name for system in comparison.metrics[0].result.systems] == ["B", "A"]  # the best first


def test_thresholds() -> None:
    item = bp.dataset.DatasetItem(actual_output="a b c", expected_output="a b c")
    assert blend().with_threshold(PERFECT).score(item).passed
    assert not blend().with_threshold(PERFECT + 0.1).score(item).passed


def test_what_cannot_be_a_component() -> None:
    for metric, problem in (
        (bp.CIDEr(), "fitted"),
        (bp.metrics.GecGLEU(), "one row of integers"),
        (blend(), "a metric other than a blend"),
    ):
        with pytest.raises(OptionError, match=f"component {metric.name} must be .*{problem}"):
            bp.metrics.Blend(weights_of(bp.BLEU(), metric))
        with pytest.raises(OptionError, match=f"component {metric.name} must be .*{problem}"):
            bp.metrics.Blend.load(weights_of(bp.BLEU(), metric), metrics=[metric])


def test_bad_input_is_refused() -> None:
    with pytest.raises(OptionError, match=r"fit must be the path of a file that Fit\.save wrote, got 3"):
        bp.metrics.Blend(3)  # type: ignore[arg-type]
    with pytest.raises(UnusedSourcesError):
        blend().corpus(HYPOTHESES, REFERENCES, sources=SOURCES)
    with pytest.raises(MissingSourcesError):
        source_blend().corpus(HYPOTHESES, REFERENCES)
    with pytest.raises(NotTextError, match="pass whole texts"):
        blend().corpus([["a"]], [["a"]])
    with pytest.raises(NotTextError, match="compares with references"):
        blend().corpus(HYPOTHESES)
    with pytest.raises(LengthMismatchError):
        blend().corpus(HYPOTHESES, REFERENCES[:2])
    with pytest.raises(NoSegmentsError):
        blend().corpus([], [])
    with pytest.raises(MergeError):
        blend().merge(source_blend())
    state = blend().update(HYPOTHESES, REFERENCES).state()
    with pytest.raises(StateError):
        blend().add_state({**state, "total": [-1] * len(state["total"])})


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"weights": (math.nan, 1.0)}, "finite"),
        ({"intercept": math.inf}, "finite"),
        ({"scales": (1.0, 0.0)}, "scales must be positive"),
        ({"means": (1.0,)}, "means must hold 2 numbers"),
        ({"components": ()}, "1 to 100 components"),
    ],
)
def test_numbers_are_checked(changes: dict[str, Any], problem: str) -> None:
    fields = {name: getattr(weights_of(bp.BLEU(), bp.TER()), name) for name in BlendWeights.__slots__}
    with pytest.raises(SignatureError, match=f"this is not a blend: .*{problem}"):
        BlendWeights(**{**fields, **changes})


@pytest.mark.parametrize(
    "text",
    [
        "blend.1|components:bleu.1",
        "blend.2|components:bleu.1|intercept:1|means:0.0,|scales:1.0,|weights:1.0,",
        "blend.1|components:bleu.1|intercept:yes|means:0.0,|scales:1.0,|weights:1.0,",
        "blend.1|components:bleu.1|intercept:1|means:x|scales:1.0,|weights:1.0,",
        "blend.1|components:3|intercept:1|means:0.0,|scales:1.0,|weights:1.0,",
        "blend.1|components:bleu.1|intercept:nan|means:0.0,|scales:1.0,|weights:1.0,",
        "blend.1|components:bleu.1|intercept:1|means:0.0,|path:x|scales:1.0,|weights:1.0,",
    ],
)
def test_wrong_signatures_are_refused(text: str) -> None:
    with pytest.raises(SignatureError):
        bp.metrics.Blend.from_signature(text)


def test_blends_inside_blends_are_refused_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every level was read whole, so that a result of 170 KB held a gate for seconds; now no text is read often."""
    read: list[int] = []
    parse = signature.parse

    def counting(text: str) -> signature.Signature:
        read.append(len(text))
        return parse(text)

    monkeypatch.setattr(signature, "parse", counting)
    text = "bleu.1|max_order:2"
    for _ in range(40):
        numbers = dict.fromkeys(("means", "scales", "weights"), (0.5,))
        text = signature.write("blend", 1, {"components": text, "intercept": 1.0, **numbers}, {})
        read.clear()
        with contextlib.suppress(OptionError):
            registry.from_signature(text)
        assert sum(read) <= 4 * len(text), f"{sum(read)} characters were read of {len(text)}"
    with pytest.raises(OptionError, match="component blend must be a metric other than a blend"):
        registry.from_signature(text)

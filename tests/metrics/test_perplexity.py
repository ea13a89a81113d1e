"""Perplexity as a metric: the formula, fixed point, unknown words, signatures."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint import LanguageModel, Perplexity
from bleuprint.core import language_model as models
from bleuprint.dataset import DatasetItem
from bleuprint.errors import ModelFileError, OptionError, SignatureError
from bleuprint.metrics import from_signature
from bleuprint.results import Result
from bleuprint.runners import evaluate
from tests.support.language_models import SMALL

MODEL = LanguageModel.train(SMALL, order=3, discount_fallback=True)
TEXTS = ["the cat sat on the mat .", "the unseen cat .", "", "on the dog sat a mat ."]


def test_the_score_is_the_formula_over_the_words() -> None:
    tokens = [token for text in TEXTS for token in MODEL.score(text).tokens]
    score = bp.perplexity(TEXTS, lm=MODEL)
    assert score.tokens == len(tokens) == 7 + 4 + 0 + 7 + 4
    assert score.unknown_words == 1
    total = math.fsum(token.log_probability for token in tokens)
    assert score.log_probability == pytest.approx(total, abs=len(tokens) * 2**-29)
    assert score.value == pytest.approx(10 ** (-total / len(tokens)), rel=1e-8)
    known = [token.log_probability for token in tokens if not token.unknown]
    assert score.without_unknown == pytest.approx(10 ** (-math.fsum(known) / len(known)), rel=1e-8)
    assert bp.perplexity(TEXTS, lm=MODEL, unknown="exclude").value == score.without_unknown


def test_fixed_point_keeps_its_promise() -> None:
    """Rows hold multiples of 2⁻²⁸, so each word is within 2⁻²⁹ of its value."""
    assert models.LOG_PROBABILITY_SCALE == 2**28
    for text in TEXTS:
        row = Perplexity(MODEL).statistics([text]).total()
        score = MODEL.score(text)
        assert abs(row[0] / 2**28 - score.log_probability) <= len(score.tokens) * 2**-29


def test_names_of_columns_and_parts() -> None:
    metric = Perplexity(MODEL)
    assert metric.columns == ("log_probability", "tokens", "unknown_words", "unknown_log_probability")
    score = metric.corpus(TEXTS)
    assert score.parts == {
        "log_probability": score.log_probability,
        "tokens": 22,
        "unknown_words": 1,
        "with_unknown": score.value,
        "without_unknown": score.without_unknown,
    }
    assert "22 tokens" in str(score)
    assert score.percent == score.value


def test_functions_agree_with_the_model_and_with_its_file(tmp_path: Path) -> None:
    MODEL.save(tmp_path / "model.blm")
    for lm in (MODEL, tmp_path / "model.blm", str(tmp_path / "model.blm")):
        values = bp.Perplexity(lm=lm).sentences(TEXTS).tolist()
        assert values == [bp.Perplexity(lm=lm).sentence(text).value for text in TEXTS]
        assert values == pytest.approx([MODEL.perplexity(text) for text in TEXTS], rel=1e-7)


def test_the_signature_names_the_model() -> None:
    written = Perplexity(MODEL).signature
    assert written == f"perplexity.1|lm:sha256-{MODEL.digest}|lowercase:no|order:3|tokenizer:whitespace|unknown:include"
    with pytest.raises(SignatureError, match=r"only names its model: pass the model itself, as lm="):
        Perplexity.from_signature(written)
    with pytest.raises(SignatureError, match="the given model has the signature"):
        Perplexity.from_signature(written, lm=LanguageModel.train(SMALL, order=2))
    with pytest.raises(SignatureError, match=r"reads signatures of perplexity\.1"):
        Perplexity.from_signature("bleu.1|lowercase:no", lm=MODEL)
    assert Perplexity.from_signature(written, lm=MODEL, unknown="exclude").options["unknown"] == "exclude"
    without = Perplexity(MODEL, unknown="exclude").signature
    assert Perplexity.from_signature(without, lm=MODEL).options["unknown"] == "exclude"


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="unknown must be include or exclude"):
        Perplexity(MODEL, unknown="skip")
    with pytest.raises(OptionError, match="lm must be a LanguageModel or the path of one"):
        Perplexity(3)  # type: ignore[arg-type]
    with pytest.raises(ModelFileError, match="No such file"):
        Perplexity("no such model")


def test_a_model_with_impossible_words_stays_finite(tmp_path: Path) -> None:
    text = "\\data\\\nngram 1=2\nngram 2=1\n\n\\1-grams:\n0\t<s>\t-100\n-100\t</s>\n\n"
    text += "\\2-grams:\n-100\t<s> <s>\n\n\\end\\\n"
    (tmp_path / "model.arpa").write_text(text)
    metric = Perplexity(tmp_path / "model.arpa")
    assert metric.sentence("unseen").value == pytest.approx(10 ** ((200 + 100) / 2))
    assert all(map(math.isfinite, metric.sentences(["", "a b"])))
    assert metric.definition.formula((-400 * models.LOG_PROBABILITY_SCALE, 1, 0, 0)) == math.exp(700)


def test_it_is_evaluated_beside_metrics_with_references() -> None:
    metrics = {"bleu": bp.BLEU(), "perplexity": Perplexity(MODEL)}
    result = evaluate({"one": TEXTS}, [[text] for text in TEXTS], metrics=metrics)
    bleu, perplexity = result.systems[0].scores
    assert (bleu.higher_is_better, perplexity.higher_is_better) == (True, False)
    assert perplexity.value == bp.perplexity(TEXTS, lm=MODEL).value
    assert len(perplexity.segments) == len(TEXTS)
    assert Result.from_json(result.to_json()) == result


def test_a_plugin_tokenizer_of_the_model_is_used() -> None:
    model = LanguageModel.train(SMALL, order=2, tokenizer=lambda text: text.split("a"), discount_fallback=True)
    assert bp.Perplexity(lm=model).sentence("the cat sat .").tokens == 4
    assert model.score("the cat sat .").tokens[0].token == "the c"


def test_a_signature_finds_the_metric_whichever_it_is() -> None:
    written = Perplexity(MODEL).signature
    assert from_signature(written, lm=MODEL).signature == written
    with pytest.raises(SignatureError, match="pass the model itself"):
        from_signature(written)


def test_differences_of_perplexity_are_tested_like_others() -> None:
    fluent = [text for text in SMALL if text] * 4
    shuffled = [" ".join(reversed(text.split())) for text in fluent]
    metrics = {"perplexity": Perplexity(MODEL)}
    comparison = bp.compare({"fluent": fluent, "shuffled": shuffled}, fluent, metrics=metrics)
    (pair,) = comparison.metrics[0].result.pairs
    assert comparison.metrics[0].result.clusters[0] == ("fluent",)
    assert pair.p_value < 0.05


def test_single_outputs_are_judged() -> None:
    item = DatasetItem(actual_output="the cat sat on the mat .", expected_output="anything")
    verdict = Perplexity(MODEL).score(item)
    assert verdict.score == bp.Perplexity(lm=MODEL).sentence("the cat sat on the mat .").value
    assert (verdict.threshold, verdict.passed) == (100.0, True)
    assert not Perplexity(MODEL).with_threshold(2).score(item).passed

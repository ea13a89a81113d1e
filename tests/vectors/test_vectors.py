"""The vectors are current, right, few, and catch every mistake that we could think of."""

from __future__ import annotations

import importlib
import json
from collections import Counter
from functools import cache
from typing import Any

import pytest

from bleuprint.compat import jiwer
from bleuprint.compat import sacrebleu as sacrebleu_in
from bleuprint.compat.nltk import bleu_score, gleu_score, meteor_score, nist_score
from bleuprint.compat.rouge_score import rouge_scorer
from tests.vectors import ours, reading, twins
from tests.vectors.plain import METRICS
from tests.vectors.plain.case import run
from tests.vectors.reading import NAMES, Vector, VectorError
from tools.make_vectors import __main__ as generator

VECTORS = [vector for metric in NAMES for vector in reading.read(metric)]
MUTANTS = [(metric, mistake) for metric in NAMES for mistake in METRICS[metric].mistakes]


def vectors_of(*metrics: str) -> pytest.MarkDecorator:
    chosen = [vector for vector in VECTORS if vector.metric in metrics]
    return pytest.mark.parametrize("vector", chosen, ids=[vector.id for vector in chosen])


@cache
def generate() -> dict[str, str]:
    return generator.files()


FILES = [*(f"vectors/{metric}.json" for metric in NAMES), "vectors/mistakes.json", "bench/tables/vectors.md"]


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_what_the_packages_and_the_mutants_give(name: str) -> None:
    """Run `python -m tools.make_vectors` after a change of a case or of a mutant, or of a package."""
    assert (generator.ROOT / name).read_text(encoding="utf-8") == generate()[name]


def test_every_metric_has_a_file_and_a_plain_implementation() -> None:
    assert set(NAMES) == set(METRICS) == {suite.metric for suite in generator.SUITES} == set(ours.METRICS)


@vectors_of(*NAMES)
def test_the_plain_metric_passes(vector: Vector) -> None:
    assert vector.passed_by(run(METRICS[vector.metric].score, vector.case))


@pytest.mark.parametrize(("metric", "mistake"), MUTANTS, ids=[f"{metric}-{mistake}" for metric, mistake in MUTANTS])
def test_every_mutant_fails_somewhere(metric: str, mistake: str) -> None:
    score = METRICS[metric].score
    assert any(not vector.passed_by(run(score, vector.case, mistake)) for vector in reading.read(metric))


def test_the_documents_count_them_right() -> None:
    counts = f"{len(VECTORS)} cases for {len(MUTANTS)} mutants"
    assert counts in " ".join((generator.ROOT / "docs/metric-vectors.md").read_text(encoding="utf-8").split())
    changes = " ".join((generator.ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split())
    assert f"{len(VECTORS)} test cases for {len(NAMES)} metrics" in changes
    assert f"catch {len(MUTANTS)} mistakes" in changes


@vectors_of(*NAMES)
def test_no_case_can_be_left_out(vector: Vector) -> None:
    """Each case catches a mistake that no other one of its metric catches."""
    times = Counter(mistake for each in reading.read(vector.metric) for mistake in each.fields["mistakes"])
    assert vector.fields["catches"] == [mistake for mistake in vector.fields["mistakes"] if times[mistake] == 1]
    assert vector.fields["catches"]


@vectors_of(*NAMES)
def test_a_value_of_a_mistake_would_fail(vector: Vector) -> None:
    assert not any(vector.passed_by(value) for value in vector.fields["mistakes"].values())
    assert set(vector.fields["mistakes"]) <= set(METRICS[vector.metric].mistakes)


@vectors_of(*ours.METRICS)
def test_our_metrics_pass(vector: Vector) -> None:
    assert vector.passed_by(ours.METRICS[vector.metric](vector.case))


@vectors_of(*ours.FUNCTIONS)
def test_our_functions_pass(vector: Vector) -> None:
    assert vector.passed_by(ours.FUNCTIONS[vector.metric](vector.case))


@vectors_of(*twins.TWINS)
def test_the_twins_pass(vector: Vector) -> None:
    assert vector.passed_by(twins.TWINS[vector.metric](vector.case))


# What the generator imports from a package, and the drop-in that takes its place.
DROP_INS: dict[str, dict[str, Any]] = {
    "bleu": {"BLEU": sacrebleu_in.metrics.BLEU, "corpus_bleu": bleu_score.corpus_bleu},
    "tokenizers": {"TOKENIZERS": "bleuprint.compat.sacrebleu.tokenizers"},
    "chrf": {"CHRF": sacrebleu_in.metrics.CHRF},
    "ter": {"TER": sacrebleu_in.metrics.TER},
    "rouge": {"RougeScorer": rouge_scorer.RougeScorer},
    "wer": {"jiwer": jiwer},
    "meteor": {"meteor_score": meteor_score.meteor_score},
    "gleu": {"corpus_gleu": gleu_score.corpus_gleu},
    "nist": {"corpus_nist": nist_score.corpus_nist},
    "pools": {
        "sentence_bleu": bleu_score.sentence_bleu,
        "SmoothingFunction": bleu_score.SmoothingFunction,
    },
}


@pytest.mark.parametrize("module", DROP_INS)
def test_the_drop_ins_pass_in_place_of_the_packages(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The generator's own code runs, with our package under the other's name."""
    made = importlib.import_module(f"tools.make_vectors.{module}")
    for name, value in DROP_INS[module].items():
        assert hasattr(made, name)
        monkeypatch.setattr(made, name, value)
    for suite in made.SUITES:
        for vector in reading.read(suite.metric):
            found = suite.expected(vector.case)
            assert vector.passed_by(reading.expected_value(found)), vector.id
            for name, part in vector.fields["expected"].get("parts", {}).items():
                assert found["parts"][name] == pytest.approx(part), (vector.id, name)


def change_case(metric: str, **fields: Any) -> str:
    found = json.loads((reading.FOLDER / f"{metric}.json").read_text(encoding="utf-8"))
    for name, value in fields.items():
        if value is None:
            del found["cases"][1][name]
        else:
            found["cases"][1][name] = value
    return json.dumps(found)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"expected": None}, "bleu-sums: 'expected' is a required property"),
        ({"expected": {"score": "0.5"}}, "bleu-sums, expected, score: '0.5' is not of type 'number'"),
        ({"hypotheses": ["a"]}, "bleu-sums: 1 hypotheses and 3 lists of references"),
        ({"level": "sentence"}, "bleu-sums: at level 'sentence' one value"),
        ({"sources": ["a"]}, "bleu-sums: 3 hypotheses and 1 sources"),
        ({"id": "chrf-sums"}, "chrf-sums: the id must begin with bleu-"),
        ({"id": "bleu-clipping"}, "bleu.json: two cases have the same id"),
        ({"colour": "red"}, "bleu-sums: Additional properties are not allowed"),
        ({"catches": ["typo"]}, "bleu-sums: it catches mistakes of which it has no value"),
    ],
)
def test_a_malformed_vector_is_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(VectorError, match=message):
        reading.parse(change_case("bleu", **fields), "bleu")


def test_malformed_lists_of_values_are_named() -> None:
    text = change_case("sentence-bleu", expected={"scores": [0.5]})
    with pytest.raises(VectorError, match="sentence-bleu-nothing-shared: 3 hypotheses and 1 expected values"):
        reading.parse(text, "sentence-bleu")
    with pytest.raises(VectorError, match="it says that it is of 'bleu'"):
        reading.parse(change_case("bleu"), "chrf")

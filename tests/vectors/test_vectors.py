"""The vectors are what the packages give, and the drop-ins give the same."""

from __future__ import annotations

import importlib
from functools import cache, partial
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.compat import jiwer
from bleuprint.compat import sacrebleu as sacrebleu_in
from bleuprint.compat.nltk import bleu_score, gleu_score, meteor_score, nist_score
from bleuprint.compat.rouge_score import rouge_scorer
from tests.vectors import ours, reading
from tests.vectors.ours import wordnet_of
from tests.vectors.plain import METRICS
from tests.vectors.reading import NAMES
from tests.vectors.test_values import MUTANTS, VECTORS
from tools.make_vectors import __main__ as generator


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


def test_the_documents_count_them_right() -> None:
    counts = f"{len(VECTORS)} cases for {len(MUTANTS)} mutants"
    assert counts in " ".join((generator.ROOT / "docs/metric-vectors.md").read_text(encoding="utf-8").split())
    changes = " ".join((generator.ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split())
    assert f"{len(VECTORS)} test cases for {len(NAMES)} metrics" in changes
    assert f"catch {len(MUTANTS)} mistakes" in changes


def meteor_in(references: Any, hypothesis: Any, preprocess: Any, wordnet: Any, **weights: float) -> float:
    """The drop-in, which takes no WordNet of its own: it finds the one of the vectors in place of the bundled one."""
    names = wordnet_of(wordnet.synonyms)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meteor_score, "_metric", partial(bp.METEOR, wordnet=names))
        return meteor_score.meteor_score(references, hypothesis, preprocess, **weights)


# What the generator imports from a package, and the drop-in that takes its place.
DROP_INS: dict[str, dict[str, Any]] = {
    "bleu": {"BLEU": sacrebleu_in.metrics.BLEU, "corpus_bleu": bleu_score.corpus_bleu},
    "tokenizers": {"TOKENIZERS": "bleuprint.compat.sacrebleu.tokenizers"},
    "chrf": {"CHRF": sacrebleu_in.metrics.CHRF},
    "ter": {"TER": sacrebleu_in.metrics.TER},
    "rouge": {"RougeScorer": rouge_scorer.RougeScorer},
    "wer": {"jiwer": jiwer},
    "meteor": {"meteor_score": meteor_in},
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

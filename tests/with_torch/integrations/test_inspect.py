"""Scorers inside real evaluations of Inspect AI, with its model that says what it is told."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import grouped
from inspect_ai.scorer import scorer as plain_scorer

import bleuprint as bp
from bleuprint.errors import InputError, MergeError, OptionError
from bleuprint.integrations import inspect
from tests.support.tables import TABLE

OUTPUTS = ["the cat is on the mat", "a dog barks at night", "it rains today"]
TARGETS: list[str | list[str]] = [
    "there is a cat on the mat",
    ["a dog barks tonight", "the dog barks at night"],
    "it is raining today",
]
INPUTS = ["a cat is on the mat", "one dog barks at night", "it rains"]


def samples() -> MemoryDataset:
    languages = ("en", "de", "en")
    rows = zip(INPUTS, TARGETS, languages, strict=True)
    return MemoryDataset(
        [Sample(input=text, target=target, metadata={"language": language}) for text, target, language in rows]
    )


def says(outputs: Sequence[str] | Mapping[str, str]) -> Model:
    """One output after the other, or the one for an input."""
    if isinstance(outputs, Mapping):
        return get_model("mockllm/model", custom_outputs=lambda messages, *_: said(outputs[messages[-1].text]))
    return get_model("mockllm/model", custom_outputs=[said(text) for text in outputs])


def said(text: str) -> ModelOutput:
    """Usage is given, for counting it would fetch a vocabulary."""
    return ModelOutput.from_content("mockllm/model", text).model_copy(update={"usage": ModelUsage()})


def run(*scorers: Any, outputs: Sequence[str] = OUTPUTS, epochs: int = 1) -> Any:
    task = Task(samples(), scorer=list(scorers))
    (log,) = evaluate(task, model=says(outputs), max_samples=1, epochs=epochs, display="none")
    return log


def found(log: Any) -> dict[str, dict[str, float]]:
    assert log.status == "success", log.error
    values: dict[str, dict[str, float]] = {}
    for score in log.results.scores:
        values.setdefault(score.name, {}).update({name: metric.value for name, metric in score.metrics.items()})
    return values


def test_the_corpus_stands_beside_the_mean() -> None:
    log = run(inspect.bleu(), inspect.scorer("chrf", word_order=2), inspect.ter())
    values = found(log)
    sentences = bp.sentence_bleus(OUTPUTS, TARGETS)
    assert values["bleu"]["corpus"] == bp.corpus_bleu(OUTPUTS, TARGETS).value
    assert values["bleu"]["mean"] == pytest.approx(sentences.mean(), rel=1e-12)
    assert values["bleu"]["mean"] != pytest.approx(values["bleu"]["corpus"], rel=0.01)
    assert values["bleu"]["stderr"] == pytest.approx(sentences.std(ddof=1) / np.sqrt(3), rel=1e-9)
    assert values["chrf"]["corpus"] == bp.corpus_chrf(OUTPUTS, TARGETS, word_order=2).value
    assert values["ter"]["corpus"] == bp.corpus_ter(OUTPUTS, TARGETS).value
    assert [sample.scores["bleu"].value for sample in log.samples] == sentences.tolist()
    first = log.samples[0].scores["bleu"]
    assert first.answer == OUTPUTS[0]
    assert first.explanation == str(bp.sentence_bleu(OUTPUTS[0], TARGETS[0]))
    (row,) = bp.BLEU().statistics(OUTPUTS[:1], TARGETS[:1]).rows.tolist()
    assert first.metadata == {"signature": bp.BLEU().signature, "row": row}


@pytest.mark.parametrize("names", [sorted(TABLE)[::2], sorted(TABLE)[1::2]], ids=["even", "odd"])
def test_every_metric(names: list[str]) -> None:
    values = found(run(*(inspect.scorer(name) for name in names)))
    for name in names:
        metric = TABLE[name]()
        sources = INPUTS if metric.needs_sources else None
        expected = metric.corpus(OUTPUTS, TARGETS, sources=sources).value
        assert values[name.replace("-", "_")]["corpus"] == expected, name


def test_every_epoch_counts() -> None:
    again = ["a cat sits on the mat", "dogs bark", "rain today"]
    values = found(run(inspect.scorer("bleu"), outputs=[*OUTPUTS, *again], epochs=2))
    assert values["bleu"]["corpus"] == bp.corpus_bleu([*OUTPUTS, *again], [*TARGETS, *TARGETS]).value


def test_a_source_from_the_metadata() -> None:
    values = found(run(inspect.scorer("ibleu", source="language", alpha=0.5)))
    assert values["ibleu"]["corpus"] == bp.ibleu(OUTPUTS, TARGETS, sources=["en", "de", "en"], alpha=0.5).value
    log = run(inspect.scorer("ibleu", source="langauge"))
    assert log.status == "error"
    assert "source must be one of language, got 'langauge'. Did you mean language?" in log.error.message


@pytest.mark.parametrize("target", ["", [], ["", ""]])
def test_a_sample_without_a_target_is_an_error(target: str | list[str]) -> None:
    task = Task(MemoryDataset([Sample(id=7, input="a", target=target)]), scorer=inspect.scorer("bleu"))
    (log,) = evaluate(task, model=says(["a"]), display="none")
    assert log.status == "error"
    assert log.error.message == "InputError('sample 7 has no target, but bleu compares with references.')"
    task = Task(MemoryDataset([Sample(id=7, input="a", target=target)]), scorer=inspect.scorer("density"))
    (log,) = evaluate(task, model=says(["a"]), display="none")
    assert found(log)["density"]["corpus"] == bp.metrics.Density().corpus(["a"], sources=["a"]).value


def test_a_corpus_score_for_each_group() -> None:
    gleu = inspect.scorer("gleu")

    @plain_scorer(metrics=[grouped(inspect.corpus(), "language", all="groups")])  # type: ignore[untyped-decorator]
    def divided() -> Any:
        async def score(state: Any, target: Any) -> Any:
            return await gleu(state, target)

        return score

    values = found(run(divided()))["divided"]
    assert values["en"] == bp.corpus_gleu(OUTPUTS[::2], TARGETS[::2]).value
    assert values["de"] == bp.corpus_gleu(OUTPUTS[1:2], TARGETS[1:2]).value


def test_a_metric_with_a_model(tmp_path: Path) -> None:
    model = bp.LanguageModel.train([*OUTPUTS, *INPUTS], order=2, discount_fallback=True)
    model.save(tmp_path / "model.blm")
    values = found(run(inspect.scorer("perplexity", lm=str(tmp_path / "model.blm"))))
    assert values["perplexity"]["corpus"] == bp.perplexity(OUTPUTS, lm=model).value


def test_a_log_is_scored_once_more_from_the_command_line(tmp_path: Path) -> None:
    """The command finds the scorer through the entry point."""
    log = run(inspect.scorer("bleu"))
    copied = shutil.copy(log.location, tmp_path / "log.eval")
    command = [str(Path(sys.executable).parent / "inspect"), "score", str(copied), "--scorer", "bleuprint/chrf"]
    options = ["-S", "word_order=2", "--action", "append", "--overwrite", "--display", "plain"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    values = found(read_eval_log(str(copied)))
    assert values["chrf"]["corpus"] == bp.corpus_chrf(OUTPUTS, TARGETS, word_order=2).value
    assert values["bleu"]["corpus"] == bp.corpus_bleu(OUTPUTS, TARGETS).value


def test_faults_are_named() -> None:
    with pytest.raises(OptionError, match="Did you mean bleu"):
        inspect.scorer("blue")
    for name in ("self_bleu", "cider"):
        with pytest.raises(OptionError, match=f"that scores single samples: bertscore, bleu, cer, .*, got '{name}'"):
            inspect.scorer(name)
    with pytest.raises(OptionError, match="an option of bleu must be one of"):
        inspect.scorer("bleu", tokeniser="13a")
    with pytest.raises(AttributeError, match="has no attribute 'blue'"):
        inspect.blue  # noqa: B018


def test_scores_that_do_not_belong_together() -> None:
    from inspect_ai.scorer import SampleScore, Score

    def kept(metadata: dict[str, Any] | None) -> SampleScore:
        return SampleScore(score=Score(value=1.0, metadata=metadata), sample_id=7)

    corpus = inspect.corpus()
    bleu = {"signature": bp.BLEU(max_order=1).signature, "row": [2, 2, 1, 2]}
    assert corpus([kept(bleu), kept(bleu)]) == bp.corpus_bleu(["a b"] * 2, ["a c"] * 2, max_order=1).value
    assert np.isnan(corpus([]))
    with pytest.raises(InputError, match="the score of sample 7 has no row"):
        corpus([kept(bleu), kept(None)])
    with pytest.raises(MergeError):
        corpus([kept(bleu), kept({**bleu, "signature": bp.GLEU().signature})])

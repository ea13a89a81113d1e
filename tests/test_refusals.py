"""What is refused, by calls that few make: each time with the argument, what is allowed and what came."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bleuprint as bp
from bleuprint import BLEU, CHRF, evaluate
from bleuprint.dataset import Dataset
from bleuprint.dataset.arrow import is_saved_dataset
from bleuprint.errors import (
    BleuprintError,
    GateError,
    InputError,
    LengthMismatchError,
    NotTextError,
    OptionError,
    OutputError,
    PoolError,
    ResultError,
    UnusedSourcesError,
)
from bleuprint.metrics import Frechet, GecGLEU
from bleuprint.models.encoders import CallableEncoder
from bleuprint.results import Result
from bleuprint.runners import MetricRunner
from bleuprint.runners.comparisons import compare_result
from bleuprint.statistics.chance import Chance, draw_scores
from bleuprint.statistics.intervals import bootstrap_intervals
from tests.support.cli import assert_one_line, invoke, sample

TEXTS = ["the cat sat on the mat", "a dog ran"]
SEVERAL = [["the cat sat", "a cat sat"], ["a dog ran", "the dog ran"]]


def result() -> Result:
    return evaluate(TEXTS, TEXTS)


def _perplexity() -> bp.Perplexity:
    return bp.Perplexity(bp.LanguageModel.train(TEXTS, order=2, discount_fallback=True))


def without_texts(stored: Result) -> Result:
    systems = tuple(replace(system, hypotheses=()) for system in stored.systems)
    return replace(stored, systems=systems, references=(), sources=None)


REFUSED: dict[str, tuple[Callable[[], Any], type[BleuprintError], str]] = {
    "a source that nothing reads": (lambda: BLEU().sentence("a", "a", source="b"), UnusedSourcesError, "bleu"),
    "a metric that needs a model, by its name alone": (
        lambda: bp.evaluate(TEXTS, TEXTS, metrics=["bertscore"]),
        OptionError,
        "metric 'bertscore' needs encoder, which has no default: "
        "pass BERTScore(encoder=…), or bertscore with its model.",
    ),
    "no iterations": (
        lambda: GecGLEU(iterations=0),
        OptionError,
        "iterations must be an integer from 1 to 1,000,000, got 0.",
    ),
    "rows of several references": (
        lambda: GecGLEU().statistics(["a", "b"], SEVERAL, sources=["a", "b"]),
        InputError,
        "gec-gleu only has rows with one reference per segment: pick one from each list.",
    ),
    "drawing from several references": (
        lambda: bp.compare({"A": TEXTS, "B": TEXTS}, SEVERAL, sources=TEXTS, metrics=["gec-gleu"]),
        OptionError,
        "metrics must be metrics that have rows to resample with these options",
    ),
    "effects of unequal corpora": (
        lambda: bp.insight.contributions(_perplexity(), TEXTS, TEXTS[:1], None),  # type: ignore[arg-type]
        LengthMismatchError,
        "first has 2 segments but second has 1",
    ),
    "tokens in a result": (lambda: evaluate([["a", "b"]], [["a", "b"]]), NotTextError, "join the tokens"),  # type: ignore[list-item]
    "comparing what was stored without texts": (
        lambda: compare_result(without_texts(result())),
        ResultError,
        "it was stored without its texts, which a comparison needs",
    ),
    "a gate against a result without texts": (
        lambda: bp.gate(without_texts(result()), result()),
        GateError,
        "one of the results was stored without them",
    ),
    "replaying other systems": (
        lambda: bp.replay(result(), hypotheses={"other": TEXTS}, references=TEXTS),
        ResultError,
        "it has the systems hypotheses, but texts were given for other",
    ),
    "an unknown way to an interval": (
        lambda: bootstrap_intervals([BLEU().sample(TEXTS, TEXTS)], method="t"),
        OptionError,
        "method must be",
    ),
    "an encoder that is no function": (
        lambda: CallableEncoder(3),  # type: ignore[arg-type]
        OptionError,
        "encoder must be a callable that takes a list of texts, got 3.",
    ),
    "an encoder that gives no pairs": (
        lambda: CallableEncoder(lambda texts: [1 for _ in texts]).encode(["a"]),  # type: ignore[misc]
        OptionError,
        "encoder must be a function that returns (tokens, vectors) for every text",
    ),
    "an encoder that gives nothing": (
        lambda: CallableEncoder(lambda texts: 7).encode(["a"]),  # type: ignore[arg-type,return-value]
        OptionError,
        "encoder must be a function that returns (tokens, vectors) for every text, got 'int'.",
    ),
    "a table of segments that were not kept": (
        lambda: replace(result(), systems=_bare(result())).to_csv("segments"),
        OutputError,
        "the result has no segment scores for bleu",
    ),
}


def _bare(stored: Result) -> tuple[Any, ...]:
    return tuple(
        replace(system, scores=tuple(replace(score, segments=()) for score in system.scores))
        for system in stored.systems
    )


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what: str) -> None:
    call, kind, words = REFUSED[what]
    with pytest.raises(kind) as raised:
        call()
    assert words in str(raised.value)


def test_names_that_a_result_does_not_hold() -> None:
    with pytest.raises(KeyError, match="nobody"):
        result().system("nobody")
    with pytest.raises(KeyError, match="ter"):
        MetricRunner(metrics=["bleu"]).run_sync(Dataset.from_dicts([{"hypothesis": "a", "reference": "a"}]))[0]["ter"]


def test_a_dataset_of_nothing_and_of_something_else() -> None:
    assert len(Dataset.from_dicts([])) == 0
    assert len({Dataset.from_dicts([]), Dataset.from_dicts([])}) == 1
    with pytest.raises(NotTextError, match=r"rows\[0\] must be a dict, got str"):
        Dataset.from_dicts(["a"])  # type: ignore[list-item]


def test_a_name_that_no_file_can_have_is_no_saved_dataset() -> None:
    assert not is_saved_dataset("a\0b")


def test_the_distance_of_too_few_texts() -> None:
    metric = Frechet(lambda texts: [(["a"], np.ones((1, 2), dtype=np.float32)) for _ in texts])
    with pytest.raises(PoolError, match="references"):
        metric.update(["a", "b"]).compute()


def test_one_segment_is_drawn_again_and_again() -> None:
    """NumPy draws nothing where there is no choice, and neither do we."""
    sample = CHRF().sample(TEXTS[:1], TEXTS[1:])
    assert set(draw_scores([sample], 100, Chance(7, 1))[0].tolist()) == {sample.score().item()}


def test_a_folder_where_a_file_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert_one_line(invoke("demo", "--output", str(tmp_path / "file")).stderr, "File exists")
    assert_one_line(invoke("demo", "--output", str(tmp_path / "file" / "deeper")).stderr, "Not a directory")
    pair = (sample("system-a"), "-r", sample("ref-1"))
    assert_one_line(invoke("score", *pair, "--json", str(tmp_path)).stderr, "it is a folder; pass a file name")
    assert_one_line(invoke("score", *pair, "--json", str(tmp_path / "file" / "x")).stderr, "does not exist")


def test_one_file_for_two_things(tmp_path: Path) -> None:
    pair = (sample("system-a"), "-r", sample("ref-1"))
    both = str(tmp_path / "both")
    assert_one_line(invoke("score", *pair, "--json", both, "--plot", both).stderr, "--plot needs its own output file.")
    assert not Path(both).exists()


def test_a_step_summary_that_cannot_be_written(tmp_path: Path) -> None:
    stored = tmp_path / "result.json"
    result().write_json(stored)
    asked = ("gate", str(stored), "--min", "bleu=0.5", "--step-summary")
    nowhere = {"GITHUB_STEP_SUMMARY": str(tmp_path / "missing" / "summary.md")}
    assert_one_line(invoke(*asked, env=nowhere).stderr, "No such file")


def test_a_run_is_read_item_by_item_or_in_slices() -> None:
    rows = [{"hypothesis": text, "reference": text} for text in TEXTS]
    run = MetricRunner(metrics=["bleu", "chrf"]).run_sync(Dataset.from_dicts(rows))
    assert [item["chrf"].score for item in run[:5]] == [1.0, 1.0]
    assert run[-1].pretty().startswith("bleu: 1.0000")
    assert "\nchrf: 1.0000" in run[-1].pretty()


def test_a_claim_about_rouge_is_found_by_its_parts() -> None:
    texts, references = ["the cat sat", "a dog ran off"], ["the cat sat on the mat", "the dog ran"]
    recall = bp.corpus_rouge(texts, references)["rouge1_recall"]
    found = bp.reconcile(texts, references, f"{100 * recall:.4f}", metric="rouge")
    assert any("recall" in str(match.setting) for match in found.matches)

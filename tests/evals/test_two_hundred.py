"""The same two hundred items in every framework: the digits are those of `evaluate`, and errors are ours."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

import bleuprint as bp
from bleuprint.dataset.joining import join_tables
from bleuprint.errors import NotTextError, OptionError
from tests.support.documents import block_of, recipe
from tests.support.two_hundred import ANSWERS, OUTPUTS, REFERENCES, SOURCES, segments

PROVIDER = """
import json
ANSWERS = json.load(open("answers.json", encoding="utf-8"))
def call_api(prompt, options, context):
    return {"output": ANSWERS[context["vars"]["source"]]}
"""
MISSING = "expected_output must be a str or a list of them, got None"


def promptfoo(folder: Path, tests: list[dict[str, Any]], **config: Any) -> list[dict[str, Any]]:
    """What promptfoo writes about these tests under the assertion of the manual."""
    recipe("assertion.py", folder)
    (folder / "answers.json").write_text(json.dumps(ANSWERS), encoding="utf-8")
    (folder / "provider.py").write_text(PROVIDER, encoding="utf-8")
    whole = yaml.safe_load(block_of("promptfooconfig.yaml"))
    whole["defaultTest"]["assert"][0]["config"] = config
    whole |= {"prompts": ["{{source}}"], "tests": [{"vars": test} for test in tests]}
    (folder / "promptfooconfig.yaml").write_text(yaml.safe_dump(whole), encoding="utf-8")
    command = ["promptfoo", "eval", "--no-cache", "--no-table", "--no-progress-bar", "-o", "results.json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (folder / "results.json").exists(), done.stdout + done.stderr
    results: list[dict[str, Any]] = json.loads((folder / "results.json").read_text(encoding="utf-8"))["results"][
        "results"
    ]
    return sorted(results, key=lambda result: int(result["testIdx"]))


def test_promptfoo(folder: Path) -> None:
    tests = [
        {"source": source, "reference": group if len(group) > 1 else group[0]}
        for source, group in zip(SOURCES, REFERENCES, strict=True)
    ]
    results = promptfoo(folder, tests, metric="bleu", threshold=0.3)
    expected = segments("bleu")
    assert [result["response"]["output"] for result in results] == OUTPUTS
    assert [result["namedScores"]["bleu"] for result in results] == expected
    assert [result["success"] for result in results] == [score >= 0.3 for score in expected]
    log = folder / "results.json"
    joined = join_tables({"a": log, "b": log}, scores=["bleu", "passed"])
    numbers = [int(number) for number in joined.ids or ()]
    assert sorted(numbers) == list(range(200))
    assert joined.scores["bleu"]["a"] == [expected[number] for number in numbers]
    assert joined.scores["passed"]["b"] == [expected[number] >= 0.3 for number in numbers]
    assert joined.systems["a"] == [OUTPUTS[number] for number in numbers]
    assert joined.references == [tuple(REFERENCES[number]) for number in numbers]


@pytest.mark.parametrize(
    ("test", "config", "said"),
    [
        ({}, {"metric": "bleu", "threshold": 0.3}, MISSING),
        ({"reference": "a"}, {"metric": "bleu", "threshold": 30}, r"scores are fractions: 0.3, not 30"),
        ({"reference": "a"}, {"metric": "blue", "threshold": 0.3}, "There is no metric 'blue'. Did you mean bleu?"),
    ],
)
def test_promptfoo_shows_our_errors(folder: Path, test: Any, config: Any, said: str) -> None:
    (result,) = promptfoo(folder, [{"source": SOURCES[0], **test}], **config)
    assert not result["success"]
    assert said in result["error"].partition("Stack Trace")[0]


def test_deepeval(folder: Path) -> None:
    from deepeval import evaluate
    from deepeval.evaluate import AsyncConfig, DisplayConfig
    from deepeval.test_case import LLMTestCase

    kind = recipe("deepeval_metric.py", folder).Wording
    quiet: Any = {"display_config": DisplayConfig(show_indicator=False, print_results=False)}

    def scores(run_async: bool) -> dict[str, Any]:
        cases = [
            LLMTestCase(name=source, input=source, actual_output=output, expected_output=group[0])
            for source, output, group in zip(SOURCES, OUTPUTS, REFERENCES, strict=True)
        ]
        metrics = [kind(bp.BLEU(), threshold=0.3), kind(bp.TER(lowercase=True), threshold=0.6)]
        found = evaluate(cases, metrics, async_config=AsyncConfig(run_async=run_async), **quiet)
        return {
            result.name: {data.name: (data.score, data.success) for data in result.metrics_data}
            for result in found.test_results
        }

    firsts = [group[0] for group in REFERENCES]
    bleu, ter = segments("bleu", firsts), segments(bp.TER(lowercase=True), firsts)
    for run_async in (True, False):
        found = scores(run_async)
        assert [found[source]["bleu"] for source in SOURCES] == [(score, score >= 0.3) for score in bleu]
        assert [found[source]["ter"] for source in SOURCES] == [(score, score <= 0.6) for score in ter]
    with pytest.raises(OptionError, match=r"from 0 to 1 for bleu \(scores are fractions: 0.3, not 30\)"):
        kind(bp.BLEU(), threshold=30)
    with pytest.raises(NotTextError, match=MISSING):
        evaluate([LLMTestCase(input="a", actual_output="b")], [kind(bp.BLEU(), 0.3)], **quiet)


def test_weave(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    import weave

    kind = recipe("weave_scorer.py", folder).Wording
    kept: list[dict[str, Any]] = []

    class Kept(kind):  # type: ignore[misc, valid-type]
        @weave.op  # type: ignore[untyped-decorator]
        def summarize(self, score_rows: list[Any]) -> Any:
            kept.extend(score_rows)
            return kind.summarize(self, score_rows)

    @weave.op  # type: ignore[untyped-decorator]
    def answer(source: str) -> str:
        return ANSWERS[source]

    rows = [{"source": source, "reference": group} for source, group in zip(SOURCES, REFERENCES, strict=True)]
    evaluation = weave.Evaluation(dataset=rows, scorers=[Kept(metric="bleu", threshold=0.3)])
    summary = asyncio.run(evaluation.evaluate(answer))
    expected = segments("bleu")
    assert [row["bleu"] for row in kept] == expected
    assert summary["Kept"]["bleu"]["mean"] == pytest.approx(sum(expected) / len(expected), rel=1e-12)
    assert summary["Kept"]["passed"]["true_count"] == sum(score >= 0.3 for score in expected)
    for given, threshold, said in ((None, 0.3, MISSING), ("a", 30, "scores are fractions: 0.3, not 30")):
        with pytest.raises((NotTextError, OptionError), match=said):
            kind(threshold=threshold).score(output="a", reference=given)

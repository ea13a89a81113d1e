"""A pytest fixture with assertions on scores.

pytest loads this file wherever bleuprint is installed, so it imports only pytest until the fixture is used.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from bleuprint.metrics.base import Metric, Score
    from bleuprint.results import MetricResult, Result
    from bleuprint.runners.gates import Rule, Undecided

__all__ = ["Assertions", "bleuprint"]

_WORST = 3  # segments shown in a failure message


class Assertions:
    """The assertions that the fixture provides."""

    def assert_score(
        self,
        hypotheses: Iterable[str],
        references: Iterable[str | Sequence[str]],
        metric: str | Metric[Score] = "bleu",
        *,
        at_least: float | None = None,
        at_most: float | None = None,
        sources: Iterable[str] | None = None,
        ids: Iterable[str | int] | None = None,
    ) -> float:
        """Fail unless the corpus score is within the bounds; return the score. Failures name segments by `ids`."""
        __tracebackhide__ = True
        from bleuprint.runners import evaluate
        from bleuprint.runners.verdicts import checked_threshold, meets

        if at_least is None and at_most is None:
            raise TypeError("assert_score needs at_least=… or at_most=…")
        for option, bound in (("at_least", at_least), ("at_most", at_most)):
            if bound is not None:
                checked_threshold(option, (metric if isinstance(metric, str) else metric.name,), bound)
        result = evaluate(hypotheses, references, metrics=(metric,), sources=sources, ids=ids)
        score = result.systems[0].scores[0]
        for bound, side, is_floor in ((at_least, "below", True), (at_most, "above", False)):
            if bound is not None and not meets(score.value, bound, is_floor):
                _fail([f"{score.metric} = {score.value:.4f} is {side} {bound:g}", *_segments(result)])
        return score.value

    def assert_not_worse(
        self,
        hypotheses: Iterable[str],
        baseline: Iterable[str],
        references: Iterable[str | Sequence[str]],
        metric: str | Metric[Score] = "bleu",
        *,
        rule: Rule = "worse",
        max_drop: float = 0.0,
        alpha: float = 0.05,
        undecided: Undecided = "fail",
        sources: Iterable[str] | None = None,
        ids: Iterable[str | int] | None = None,
    ) -> None:
        """Fail if `gate` with these options does, which includes a drop that the data cannot decide on."""
        __tracebackhide__ = True
        from bleuprint.runners import evaluate
        from bleuprint.runners.gates import gate

        reference_list, source_list = list(references), None if sources is None else list(sources)
        new = evaluate(hypotheses, reference_list, metrics=(metric,), sources=source_list, ids=ids)
        old = evaluate(baseline, reference_list, metrics=(metric,), sources=source_list)
        report = gate(new, old, rule=rule, max_drop=max_drop, alpha=alpha, undecided=undecided)
        if report.undecided_checks and undecided == "warn":
            warnings.warn(report.checks[0].message, stacklevel=2)
        if not report.passed:
            message = report.checks[0].message.partition(", ")[2]
            if report.undecided_checks:
                message = f"undecided: {message}"
            _fail([message, *_segments(new, old.systems[0].scores[0])])


@pytest.fixture(scope="session")
def bleuprint() -> Assertions:
    """Assertions on scores: `bleuprint.assert_score(outputs, references, "bleu", at_least=0.3)`."""
    return Assertions()


def _fail(lines: Iterable[str]) -> None:
    """Fail with these lines; they quote texts, which may hold anything."""
    __tracebackhide__ = True
    from bleuprint.results.escaping import visible

    pytest.fail("\n".join(map(visible, lines)), pytrace=False)


def _segments(result: Result, before: MetricResult | None = None) -> list[str]:
    """The segments with the worst scores, or with the largest drops from before, by their names."""
    from bleuprint.results.naming import short_signature
    from bleuprint.runners.worst import worst_places

    score = result.systems[0].scores[0]
    old = () if before is None else before.segments
    lines = []
    for place in worst_places(score, old)[:_WORST]:
        was = f", was {old[place]:.4f}" if old else ""
        lines += ["", f"{result.segment_name(place)}: {score.metric} = {score.segments[place]:.4f}{was}"]
        lines += [
            f"  {line}" for line in _describe_changes(result.systems[0].hypotheses[place], result.references[place])
        ]
    return [*lines, "", short_signature(score.signature)]


def _describe_changes(hypothesis: str, references: Sequence[str]) -> list[str]:
    """The output, its nearest reference, and the [-missing-] and {+extra+} words between them."""
    from bleuprint.runners.worst import shorten, word_changes

    nearest, runs = word_changes(hypothesis, references)
    marks = {"same": "{}", "missing": "[-{}-]", "extra": "{{+{}+}}"}
    changes = " ".join(marks[kind].format(words) for kind, words in runs)
    shown = {"output": repr(shorten(hypothesis)), "reference": repr(shorten(nearest)), "changes": shorten(changes, 600)}
    return [f"{f'{role}:':<10} {text}" for role, text in shown.items()]

"""What a gate found: its checks, and the report as text, Markdown and JUnit XML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from bleuprint.results.display import Cell, Displayed, DisplayTable, words
from bleuprint.results.escaping import markdown_text, visible, xml_text

Outcome = Literal["passed", "failed", "undecided"]
Undecided = Literal["fail", "warn", "pass"]
UNDECIDED: tuple[Undecided, ...] = get_args(Undecided)


@dataclass(frozen=True, slots=True)
class Check:
    """One check and its outcome."""

    system: str
    metric: str
    rule: str
    outcome: Outcome
    message: str
    items: tuple[str, ...] = ()  # ids or numbers of the items that fail

    @property
    def passed(self) -> bool:
        return self.outcome == "passed"


_MARKS = {"passed": "ok  ", "failed": "FAIL", "undecided": "UNDECIDED"}
_SIGNS = {"passed": "✅", "failed": "❌", "undecided": "❔"}


@dataclass(frozen=True, slots=True, repr=False)
class GateReport(Displayed):
    """All checks; the gate passes if every one of them does, or is undecided where `undecided` is not "fail"."""

    checks: tuple[Check, ...]
    undecided: Undecided = "fail"

    @property
    def passed(self) -> bool:
        return not any(map(self._stops, self.checks))

    @property
    def undecided_checks(self) -> tuple[Check, ...]:
        """The checks that had too little data."""
        return tuple(check for check in self.checks if check.outcome == "undecided")

    def _stops(self, check: Check) -> bool:
        return check.outcome == "failed" or (check.outcome == "undecided" and self.undecided == "fail")

    def _outcome(self) -> str:
        open_ones = len(self.undecided_checks)
        aside = f" ({open_ones} undecided)" if open_ones else ""
        if self.passed:
            return f"gate passed{aside}"
        return f"gate failed: {sum(map(self._stops, self.checks))} of {len(self.checks)} checks{aside}"

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """The checks as a table."""
        tones: dict[Outcome, Literal["", "good", "bad"]] = {"passed": "good", "failed": "bad", "undecided": ""}
        rows = tuple(
            (
                Cell(check.outcome, tone=tones[check.outcome]),
                *words(check.system, check.metric, check.rule, check.message),
            )
            for check in self.checks
        )
        header = ("outcome", "system", "metric", "rule", "message")
        return (DisplayTable(header, rows, caption=self._outcome(), words=frozenset(range(5)), label="gate"),)

    def __repr__(self) -> str:
        return f"<GateReport of {len(self.checks)} checks: {self._outcome()}>"

    def pretty(self, *, percent: bool = False) -> str:  # type: ignore[override]
        """One line per check, then the outcome; `percent` changes nothing, because rules are given as fractions."""
        lines = (f"{_MARKS[check.outcome]}  {visible(check.message)}" for check in self.checks)
        return "\n".join([*lines, self._outcome()])

    def to_markdown(self, *, percent: bool = False) -> str:  # type: ignore[override]
        """A summary in Markdown, for a pull request or a CI job; `percent` changes nothing, as in `pretty`."""
        title = "## Gate passed" if self.passed else "## Gate failed"
        rows = []
        for check in self.checks:
            cells = map(markdown_text, (check.system, check.metric, check.message))
            rows.append(f"| {_SIGNS[check.outcome]} | {' | '.join(cells)} |")
        lines = [title, "", "| | system | metric | |", "|---|---|---|---|", *rows]
        if self.undecided_checks:
            consequence = "counts as failed" if self.undecided == "fail" else "does not fail this gate"
            lines += ["", f"❔ undecided: too little data for an answer, which {consequence}."]
        return "\n".join(lines) + "\n"

    def to_junit(self) -> str:
        """The checks as test cases in JUnit XML; an undecided check is a failure of that type, or skipped."""
        failed = sum(map(self._stops, self.checks))
        skipped = 0 if self.undecided == "fail" else len(self.undecided_checks)
        cases = "".join(_test_case(check, stops=self._stops(check)) for check in self.checks)
        counts = f'tests="{len(self.checks)}" failures="{failed}" errors="0" skipped="{skipped}"'
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<testsuites><testsuite name="bleuprint gate" {counts}>\n{cases}</testsuite></testsuites>\n'
        )


def _test_case(check: Check, *, stops: bool) -> str:
    name = xml_text(f"{check.metric}: {check.rule}")
    opening = f'<testcase classname="{xml_text(check.system)}" name="{name}"'
    message = xml_text(check.message)
    if check.passed:  # what the check names is said even so: items that fail, or that were left out
        return f"{opening}><system-out>{message}</system-out></testcase>\n" if check.items else f"{opening}/>\n"
    if not stops:
        return f'{opening}><skipped message="{message}"/></testcase>\n'
    return f'{opening}><failure type="{check.outcome}" message="{message}">{message}</failure></testcase>\n'

"""What a gate found: its checks, and the report as text, Markdown and JUnit XML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from bleuprint.results.display import Cell, Displayed, DisplayTable, words
from bleuprint.results.escaping import markdown_text, visible, xml_text
from bleuprint.runners.worst import Change, shorten

Outcome = Literal["passed", "failed", "undecided"]
Undecided = Literal["fail", "warn", "pass"]
UNDECIDED: tuple[Undecided, ...] = get_args(Undecided)


def outcome_of(passed: bool) -> Outcome:
    """The outcome of a check that is never undecided."""
    return "passed" if passed else "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """One check and its outcome."""

    system: str
    metric: str
    rule: str
    outcome: Outcome
    message: str
    items: tuple[str, ...] = ()  # ids or numbers of the items that fail, the worst first
    verdict: str = ""  # the message without the numbers below
    before: float | None = None
    now: float | None = None
    p_value: float | None = None
    doubt: str = ""  # why the rule is of no use on these items, if it is not

    @property
    def passed(self) -> bool:
        return self.outcome == "passed"


@dataclass(frozen=True, slots=True)
class Loss:
    """An item that lost much, with its outputs, and the words in which the new one differs from its reference."""

    item: str
    metric: str
    before: float
    now: float
    output_before: str
    output_now: str
    changes: tuple[tuple[Change, str], ...]

    def to_markdown(self) -> str:
        tags = {"same": "{}", "missing": "<del>{}</del>", "extra": "<ins>{}</ins>"}
        changes = " ".join(tags[kind].format(markdown_text(words)) for kind, words in self.changes)
        texts = (markdown_text(shorten(text)) or "(empty)" for text in (self.output_before, self.output_now))
        lines = (
            f"- {role}: {text}"
            for role, text in zip(("before", "now", "against the reference"), (*texts, changes), strict=True)
        )
        change = f"{markdown_text(self.metric)} {self.before:.4f} → {self.now:.4f}"
        return "\n".join((f"**{markdown_text(self.item)}**: {change}", "", *lines, ""))


_MARKS = {"passed": "ok  ", "failed": "FAIL", "undecided": "UNDECIDED"}
_SIGNS = {"passed": "✅", "failed": "❌", "undecided": "❔"}


@dataclass(frozen=True, slots=True, repr=False)
class GateReport(Displayed):
    """All checks; the gate passes if every one of them does, or is undecided where `undecided` is not "fail"."""

    checks: tuple[Check, ...]
    undecided: Undecided = "fail"
    losses: tuple[Loss, ...] = ()  # the items that lost most under one metric that did not pass

    @property
    def passed(self) -> bool:
        return not any(map(self._stops, self.checks))

    @property
    def undecided_checks(self) -> tuple[Check, ...]:
        """The checks that had too little data."""
        return tuple(check for check in self.checks if check.outcome == "undecided")

    @property
    def note(self) -> str:
        """Why the rule is of no use on these items; empty if it is of use."""
        doubtful = next((check for check in self.checks if check.doubt), None)
        if doubtful is None:
            return ""
        where = f"{doubtful.system}, {doubtful.metric}"
        return f"{where}: this rule {doubtful.doubt}; 'bleuprint gate audit' looks for a better one"

    def _stops(self, check: Check) -> bool:
        return check.outcome == "failed" or (check.outcome == "undecided" and self.undecided == "fail")

    def _outcome(self) -> str:
        open_ones = len(self.undecided_checks)
        aside = f" ({open_ones} undecided)" if open_ones else ""
        if self.passed:
            return f"gate passed{aside}"
        return f"gate failed: {sum(map(self._stops, self.checks))} of {len(self.checks)} checks{aside}"

    def display(self, *, percent: bool = False) -> tuple[DisplayTable, ...]:
        """The checks as a table: what each metric was before, is now, and what follows."""
        tones: dict[Outcome, Literal["", "good", "bad"]] = {"passed": "good", "failed": "bad", "undecided": ""}
        several = len({check.system for check in self.checks if check.system}) > 1
        rows = tuple(
            (
                Cell(f"{_SIGNS[check.outcome]} {check.outcome}", check.outcome, tone=tones[check.outcome]),
                *words(*([check.system] if several else []), check.metric),
                *map(_number, (check.before, check.now)),
                _number(None if check.before is None or check.now is None else check.now - check.before, "+.4f"),
                Cell("" if check.p_value is None else format_p_value(check.p_value, ""), check.p_value),
                Cell(check.verdict or check.message),
            )
            for check in self.checks
        )
        header = ("outcome", *(["system"] if several else []), "metric", "before", "now", "change", "p", "verdict")
        left = frozenset({*range(2 + several), len(header) - 1})
        return (DisplayTable(header, rows, caption=self._outcome(), words=left, label="gate"),)

    def __repr__(self) -> str:
        return f"<GateReport of {len(self.checks)} checks: {self._outcome()}>"

    def pretty(self, *, percent: bool = False) -> str:  # type: ignore[override]
        """One line per check, then the outcome; `percent` changes nothing, because rules are given as fractions."""
        lines = [f"{_MARKS[check.outcome]}  {visible(check.message)}" for check in self.checks]
        lines += [f"note: {visible(self.note)}"] if self.note else []
        return "\n".join([*lines, self._outcome()])

    def to_markdown(self, *, percent: bool = False) -> str:  # type: ignore[override]
        """A summary in Markdown, for a pull request or a CI job; `percent` changes nothing, as in `pretty`."""
        title = "## Gate passed" if self.passed else "## Gate failed"
        lines = [title, "", self.display()[0].markdown()]
        if self.undecided_checks:
            consequence = "counts as failed" if self.undecided == "fail" else "does not fail this gate"
            lines += [f"❔ undecided: too little data for an answer, which {consequence}.", ""]
        lines += [f"Note: {markdown_text(self.note)}.\n"] if self.note else []
        if self.losses:
            lines += ["### Items that lost most", "", *(loss.to_markdown() for loss in self.losses)]
        return "\n".join(lines)

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


def _number(value: float | None, form: str = ".4f") -> Cell:
    return Cell("" if value is None else format(value, form).replace("-", "−"), value)


def format_p_value(p_value: float, name: str = "p = ") -> str:
    """Write a p-value for a message, or without its name for a table."""
    return f"{name}{p_value:.4f}" if p_value >= 0.0001 else f"{name.replace('=', '<') or '< '}0.0001"


def _test_case(check: Check, *, stops: bool) -> str:
    name = xml_text(f"{check.metric}: {check.rule}")
    opening = f'<testcase classname="{xml_text(check.system)}" name="{name}"'
    message = xml_text(check.message)
    if check.passed:  # what the check names is said even so: items that fail, or that were left out
        return f"{opening}><system-out>{message}</system-out></testcase>\n" if check.items else f"{opening}/>\n"
    if not stops:
        return f'{opening}><skipped message="{message}"/></testcase>\n'
    return f'{opening}><failure type="{check.outcome}" message="{message}">{message}</failure></testcase>\n'

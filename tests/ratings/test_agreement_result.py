"""What stands below a table of agreement."""

from __future__ import annotations

import pytest

from bleuprint.ratings.agreement.result import Estimate, LevelAgreement, MetricAgreement, Settings, _level_notes


@pytest.mark.parametrize(
    ("level", "low", "resample", "explained"),
    [
        ("system", 0.3, "items", True),
        ("system", -0.1, "items", False),
        ("system", 0.3, "both", False),
        ("segment", 0.3, "items", False),
    ],
)
def test_an_interval_that_excludes_zero_beside_a_mark_is_explained(
    level: str, low: float, resample: str, explained: bool
) -> None:
    metric = MetricAgreement("bleu", {"pearson": Estimate(0.5, low, 0.7)}, 1, 1, 0.08, agrees=False)
    entry = LevelAgreement("mqm", level, "pearson", 60, 20, 3, (metric,), (), (("bleu",),))
    notes = _level_notes(entry, Settings(resample=resample))
    assert notes[0].startswith("†: not shown to agree")
    assert any("other segments of these systems" in note for note in notes) == explained

"""The chrF scores that the organisers of WMT22 published, made with sacrebleu 2.x.

`wmt22_chrf_record.json` is what sacrebleu 2.6 itself makes of the same texts: see `record_wmt22_chrf.py`.
"""

from __future__ import annotations

import json

import pytest

from bleuprint import CHRF
from tests.parity.record_wmt22_chrf import RECORD, references_of
from tests.support.wmt22 import Wmt22

_ROWS = 453
_WITH_TWO_REFERENCES = 73


def test_published_scores(wmt22_data: Wmt22) -> None:
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    exceptions = {(row["pair"], row["system"], row["metric"]): row["sacrebleu"] for row in record["not_reproduced"]}
    checked, several = 0, 0
    for row in wmt22_data.published("chrf"):
        references = references_of(wmt22_data, row)
        groups = [list(texts) for texts in zip(*references, strict=True)]
        score = CHRF().corpus(wmt22_data.output(row.pair, row.system), groups, threads=1)
        expected = exceptions.get((row.pair, row.system, row.metric), row.score)
        assert score.percent == pytest.approx(expected, rel=1e-12, abs=0), row
        checked += expected == row.score
        several += len(references) > 1
    print(f"{checked} published scores reproduced")
    assert checked == _ROWS == record["published_rows"] - len(exceptions)
    assert several == _WITH_TWO_REFERENCES

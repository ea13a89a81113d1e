"""Run sacrebleu's chrF over WMT22 once and record what the tests need of it.

    python -m tests.parity.record_wmt22_chrf FOLDER

FOLDER is where the archive is unpacked. It takes about five minutes, so the test reads the record instead.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import sacrebleu

from tests.support.wmt22 import PublishedScore, Wmt22, unpack

RECORD = Path(__file__).with_name("wmt22_chrf_record.json")

_REASONS = {
    ("ru-sah", "Lan-Bridge"): "its BLEU is not that of the released text either, so probably of another submission",
}


def references_of(data: Wmt22, row: PublishedScore) -> list[list[str]]:
    """The organisers' lists, the last one first.

    Of two references with equal scores the first counts, and 27 of the 73 scores with two references come out only
    in this order; the other 46 come out in both.
    """
    return data.references(row.pair, row.metric.removeprefix("chrf-"))[::-1]


def record(data: Wmt22) -> dict[str, object]:
    rows = data.published("chrf")
    differing = []
    for row in rows:
        score = sacrebleu.corpus_chrf(data.output(row.pair, row.system), references_of(data, row)).score
        if not math.isclose(score, row.score, rel_tol=1e-9):
            reason = _REASONS.get((row.pair, row.system), "unknown")
            differing.append({**row._asdict(), "sacrebleu": score, "reason": reason})
    return {"sacrebleu": sacrebleu.__version__, "published_rows": len(rows), "not_reproduced": differing}


if __name__ == "__main__":
    found = record(unpack(Path(sys.argv[1])))
    RECORD.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", encoding="utf-8")

"""Run sacrebleu over WMT22 once and record what the tests need of it.

    python -m tests.parity.record_wmt22 FOLDER

FOLDER is where the archive is unpacked. It takes about six minutes, so the test reads the record instead.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import sacrebleu

from tests.support.wmt22 import PublishedScore, Wmt22, unpack

RECORD = Path(__file__).with_name("wmt22_record.json")

# The organisers scored Japanese by characters, not with MeCab: only so do their 26 rows come out.
TOKENIZERS = {"zh": "zh", "ja": "char"}

_ANOTHER_TEXT = (
    "13a, intl and char all give 15 to 23, so the score is probably of another submission than the released text"
)
_REASONS = {("ru-sah", "Lan-Bridge"): _ANOTHER_TEXT}


def tokenizer_of(pair: str) -> str:
    return TOKENIZERS.get(pair.split("-")[1], "13a")


def sacrebleu_score(data: Wmt22, row: PublishedScore, tokenizer: str) -> float:
    references = data.references(row.pair, row.metric.removeprefix("bleu-"))
    return sacrebleu.corpus_bleu(data.output(row.pair, row.system), references, tokenize=tokenizer).score


def record(data: Wmt22) -> dict[str, object]:
    rows = data.published("bleu")
    differing = []
    for row in rows:
        score = sacrebleu_score(data, row, tokenizer_of(row.pair))
        if not math.isclose(score, row.score, rel_tol=1e-9):
            reason = _REASONS.get((row.pair, row.system), "unknown")
            differing.append({**row._asdict(), "sacrebleu": score, "reason": reason})
    japanese = [row for row in rows if row.pair == "en-ja" and row.metric == "bleu-A"]
    return {
        "sacrebleu": sacrebleu.__version__,
        "published_rows": len(rows),
        "not_reproduced": differing,
        "en-ja with ja-mecab": {row.system: sacrebleu_score(data, row, "ja-mecab") for row in japanese},
    }


if __name__ == "__main__":
    found = record(unpack(Path(sys.argv[1])))
    RECORD.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", encoding="utf-8")

"""Run sacrebleu over WMT22 once and record what the tests need of it.

    python -m tests.parity.record_wmt22 FOLDER

FOLDER is where the archive is unpacked. It takes about eleven minutes, so the test reads the records instead.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import sacrebleu

from tests.support.wmt22 import PublishedScore, Wmt22, unpack

RECORDS = {
    "bleu": Path(__file__).with_name("wmt22_record.json"),
    "chrf": Path(__file__).with_name("wmt22_chrf_record.json"),
}

# The organisers scored Japanese by characters, not with MeCab: only so do their 26 rows come out.
TOKENIZERS = {"zh": "zh", "ja": "char"}

# Of ru-sah by Lan-Bridge.
_REASONS = {
    "bleu": (
        "13a, intl and char all give 15 to 23, so the score is probably of another submission than the released text"
    ),
    "chrf": "its BLEU is not that of the released text either, so probably of another submission",
}


def tokenizer_of(pair: str) -> str:
    return TOKENIZERS.get(pair.split("-")[1], "13a")


def references_of(data: Wmt22, row: PublishedScore) -> list[list[str]]:
    """The organisers' lists; for chrF the last one first.

    Of two references with equal scores the first counts, and 27 of the 73 scores with two references come out only
    in this order; the other 46 come out in both.
    """
    metric, _, which = row.metric.partition("-")
    references = data.references(row.pair, which)
    return references[::-1] if metric == "chrf" else references


def sacrebleu_score(data: Wmt22, row: PublishedScore, tokenizer: str) -> float:
    texts, references = data.output(row.pair, row.system), references_of(data, row)
    if row.metric.startswith("chrf"):
        return sacrebleu.corpus_chrf(texts, references).score
    return sacrebleu.corpus_bleu(texts, references, tokenize=tokenizer).score


def record(data: Wmt22, metric: str) -> dict[str, object]:
    rows = data.published(metric)
    differing = []
    for row in rows:
        score = sacrebleu_score(data, row, tokenizer_of(row.pair))
        if not math.isclose(score, row.score, rel_tol=1e-9):
            known = (row.pair, row.system) == ("ru-sah", "Lan-Bridge")
            differing.append({**row._asdict(), "sacrebleu": score, "reason": _REASONS[metric] if known else "unknown"})
    found = {"sacrebleu": sacrebleu.__version__, "published_rows": len(rows), "not_reproduced": differing}
    if metric == "chrf":
        return found
    japanese = [row for row in rows if row.pair == "en-ja" and row.metric == "bleu-A"]
    return found | {"en-ja with ja-mecab": {row.system: sacrebleu_score(data, row, "ja-mecab") for row in japanese}}


if __name__ == "__main__":
    unpacked = unpack(Path(sys.argv[1]))
    for metric, path in RECORDS.items():
        path.write_text(json.dumps(record(unpacked, metric), indent=2, sort_keys=True) + "\n", encoding="utf-8")

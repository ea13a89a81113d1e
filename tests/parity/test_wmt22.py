"""The BLEU scores that the organisers of WMT22 published, made with sacrebleu 2.x.

`wmt22_record.json` is what sacrebleu 2.6 itself makes of the same texts: see `record_wmt22.py`.
"""

from __future__ import annotations

import json

import pytest

from bleuprint import BLEU
from tests.parity.record_wmt22 import RECORD, tokenizer_of
from tests.support.wmt22 import PublishedScore, Wmt22

_RECORD = json.loads(RECORD.read_text(encoding="utf-8"))
_EXCEPTIONS = {(row["pair"], row["system"], row["metric"]): row["sacrebleu"] for row in _RECORD["not_reproduced"]}
_ROWS = 453
_SEVERAL_REFERENCES = {"cs-en", "de-en", "en-cs", "en-de", "en-hr", "en-zh", "zh-en"}


def percent(data: Wmt22, pair: str, system: str, which: str, tokenizer: str) -> float:
    references = [list(texts) for texts in zip(*data.references(pair, which), strict=True)]
    return BLEU(tokenizer=tokenizer).corpus(data.output(pair, system), references, threads=1).percent


def published_percent(data: Wmt22, row: PublishedScore) -> float:
    return percent(data, row.pair, row.system, row.metric.removeprefix("bleu-"), tokenizer_of(row.pair))


def test_published_scores(wmt22_data: Wmt22) -> None:
    checked = []
    for row in wmt22_data.published("bleu"):
        score = published_percent(wmt22_data, row)
        expected = _EXCEPTIONS.get((row.pair, row.system, row.metric), row.score)
        assert score == pytest.approx(expected, rel=1e-9, abs=0), row
        if expected == row.score:
            checked.append(row)
    print(f"{len(checked)} published scores reproduced")
    assert len(checked) == _ROWS == _RECORD["published_rows"] - len(_EXCEPTIONS)
    assert {tokenizer_of(row.pair) for row in checked} == {"13a", "zh", "char"}
    several = {row.pair for row in checked if len(wmt22_data.references(row.pair, row.metric[5:])) > 1}
    assert several == _SEVERAL_REFERENCES


def test_japanese_with_mecab(wmt22_data: Wmt22) -> None:
    """The organisers scored Japanese by characters; these are sacrebleu's own scores with `ja-mecab`."""
    recorded = _RECORD["en-ja with ja-mecab"]
    assert len(recorded) == 13
    for system, expected in recorded.items():
        score = percent(wmt22_data, "en-ja", system, "A", "ja-mecab")
        assert score == pytest.approx(expected, rel=1e-9, abs=0), system

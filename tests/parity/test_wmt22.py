"""The BLEU and chrF scores that the organisers of WMT22 published, made with sacrebleu 2.x.

`wmt22_record.json` and `wmt22_chrf_record.json` are what sacrebleu 2.6 itself makes of the same texts: see
`record_wmt22.py`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from bleuprint import BLEU, CHRF
from bleuprint.metrics.base.metric import Metric
from tests.parity.record_wmt22 import RECORDS, references_of, tokenizer_of
from tests.support.wmt22 import Wmt22

_RECORDS = {metric: json.loads(path.read_text(encoding="utf-8")) for metric, path in RECORDS.items()}
_ROWS = 453
_ROWS_OF_THE_SAMPLE = 42
_SEVERAL_REFERENCES = {"cs-en", "de-en", "en-cs", "en-de", "en-hr", "en-zh", "zh-en"}
_WITH_TWO_REFERENCES = 73


def percent(metric: Metric[Any], hypotheses: list[str], references: list[list[str]]) -> float:
    groups = [list(texts) for texts in zip(*references, strict=True)]
    return float(metric.corpus(hypotheses, groups, threads=1).percent)


@pytest.mark.parametrize(("name", "precision"), [("bleu", 1e-9), ("chrf", 1e-12)])
def test_published_scores(name: str, precision: float, wmt22_data: Wmt22) -> None:
    record = _RECORDS[name]
    exceptions = {(row["pair"], row["system"], row["metric"]): row["sacrebleu"] for row in record["not_reproduced"]}
    checked, several = [], []
    for row in wmt22_data.published(name):
        references = references_of(wmt22_data, row)
        metric = BLEU(tokenizer=tokenizer_of(row.pair)) if name == "bleu" else CHRF()
        expected = exceptions.get((row.pair, row.system, row.metric), row.score)
        score = percent(metric, wmt22_data.output(row.pair, row.system), references)
        assert score == pytest.approx(expected, rel=precision, abs=0), row
        if expected == row.score:
            checked.append(row)
        if len(references) > 1:
            several.append(row.pair)
    print(f"{len(checked)} published scores reproduced")
    assert {tokenizer_of(row.pair) for row in checked} == {"13a", "zh", "char"}
    if wmt22_data.is_whole:
        assert len(checked) == _ROWS == record["published_rows"] - len(exceptions)
        assert set(several) == _SEVERAL_REFERENCES
        assert len(several) == _WITH_TWO_REFERENCES
    else:
        assert len(checked) == _ROWS_OF_THE_SAMPLE
        assert set(several) == {"en-de", "en-zh"}


def test_japanese_with_mecab(wmt22_data: Wmt22) -> None:
    """The organisers scored Japanese by characters; these are sacrebleu's own scores with `ja-mecab`."""
    recorded = _RECORDS["bleu"]["en-ja with ja-mecab"]
    assert len(recorded) == 13
    for system in set(recorded) & set(wmt22_data.systems("en-ja")):
        expected = recorded[system]
        texts, references = wmt22_data.output("en-ja", system), wmt22_data.references("en-ja", "A")
        score = percent(BLEU(tokenizer="ja-mecab"), texts, references)
        assert score == pytest.approx(expected, rel=1e-9, abs=0), system

"""What can be said about Spark without one; with one, see tests/integrations/spark."""

from __future__ import annotations

import pickle

import pytest

from bleuprint.errors import OptionError
from bleuprint.integrations.spark._shipping import pack
from bleuprint.metrics import SentenceBleu
from tests.support.tables import POOL_TABLE, TABLE


@pytest.mark.parametrize("name", sorted([*TABLE, *POOL_TABLE]))
def test_a_metric_is_made_again_from_its_parcel(name: str) -> None:
    metric = {**TABLE, **POOL_TABLE}[name]()
    opened = pickle.loads(pickle.dumps(pack({name: metric}))).open()[name]
    assert opened.signature == metric.signature
    assert opened.columns == metric.columns


def test_what_cannot_be_sent_is_refused() -> None:
    assert type(pack({"bleu": SentenceBleu()}).open()["bleu"]) is SentenceBleu
    with pytest.raises(OptionError, match="at least one metric"):
        pack({})

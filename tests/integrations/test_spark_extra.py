"""What can be said about Spark without one; with one, see tests/integrations/spark."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from bleuprint.errors import MissingExtraError, OptionError
from bleuprint.integrations import spark
from bleuprint.integrations.spark._shipping import Parcel, parcels
from bleuprint.metrics import SentenceBleu
from tests.support.tables import TABLE


@pytest.mark.parametrize("name", spark.__all__)
def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    function: Any = getattr(spark, name)
    needed: dict[str, dict[str, Any]] = {"samples": {"by": "system"}, "build_index": {"paths": ["a"], "output": "b"}}
    with pytest.raises(MissingExtraError, match=r"pip install 'bleuprint\[spark\]'"):
        function(None, **needed.get(name, {}))


@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_metric_is_made_again_from_its_parcel(name: str) -> None:
    import pickle

    metric = TABLE[name]()
    opened = pickle.loads(pickle.dumps(Parcel.of(metric))).open()
    assert opened.signature == metric.signature
    assert opened.columns == metric.columns


def test_what_cannot_be_sent_is_refused() -> None:
    assert type(Parcel.of(SentenceBleu()).open()) is SentenceBleu
    with pytest.raises(OptionError, match="at least one metric"):
        parcels({})

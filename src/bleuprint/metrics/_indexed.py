"""Metrics that look n-grams up in an index of a corpus."""

from __future__ import annotations

from os import PathLike
from typing import Any, Self

from bleuprint import signature
from bleuprint.errors import OptionError, SignatureError
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import AnyScore
from bleuprint.models.ngram_index import NgramIndex


def opened(index: NgramIndex | str | PathLike[str]) -> NgramIndex:
    """The index, opened if it is a path."""
    if not isinstance(index, NgramIndex | str | PathLike):
        raise OptionError("index", "an NgramIndex or the path of one", index)
    return index if isinstance(index, NgramIndex) else NgramIndex.open(index)


def recorded(index: NgramIndex) -> dict[str, Any]:
    """What a signature says about an index."""
    reader = index.tokenizer
    return {"index": f"sha256-{index.digest}", "tokenizer": reader.name, "lowercase": reader.lowercase}


class IndexMetric(Metric[AnyScore]):
    """A metric with an index, which its signature only names."""

    @classmethod
    def from_signature(cls, text: str, **replaced: Any) -> Self:
        """Recreate the metric from its signature; pass the index itself, or its path, as `index` to check it."""
        if "index" not in replaced:
            raise SignatureError(f"{text!r} only names its index: pass the index itself, as index=….")
        tokenizer = replaced.pop("tokenizer", None)
        if tokenizer is not None and not isinstance(replaced["index"], NgramIndex):
            replaced["index"] = NgramIndex.open(replaced["index"], tokenizer=tokenizer)
        parsed = signature.parse(text)
        own = {key: value for key, value in parsed.options.items() if key not in ("index", "tokenizer", "lowercase")}
        metric = super().from_signature(signature.write(parsed.metric, parsed.version, own, {}), **replaced)
        if {**metric.options, **own} != parsed.options:
            raise SignatureError(f"the given index has the signature {metric.signature!r}, not {text!r}.")
        return metric

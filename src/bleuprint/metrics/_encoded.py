"""Shared code of the metrics that use an encoder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bleuprint import signature
from bleuprint.errors import SignatureError
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.pool import NoRows, PoolSummary
from bleuprint.metrics.base.rows import MODEL_SPLITS, WHOLE_TEXTS
from bleuprint.metrics.base.score import Score
from bleuprint.models import encoders
from bleuprint.models.encoders import Encoder
from bleuprint.signature import Option


def encoded_definition(
    kind: type[Metric[Score]], options: Mapping[str, Option], pooling: str, summary: type[PoolSummary], encoder: Encoder
) -> Definition:
    """Definition of a metric of a pool of texts whose vectors an encoder computes."""
    rows = NoRows(WHOLE_TEXTS, MODEL_SPLITS.replace("model", "encoder"))
    return Definition(kind, options, rows, pooling, summary=summary, outside={"encoder": encoder})


def replayable(text: str, replaced: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Split a signature into the metric's own part and the given options with the encoder resolved.

    Raises SignatureError if the encoder differs from what the signature records, down to the digest of its weights.
    """
    if "encoder" not in replaced:
        raise SignatureError(f"{text!r} only names its encoder: pass the encoder itself, as encoder=….")
    encoder = encoders.resolve(replaced["encoder"])
    parsed = signature.parse(text)
    named = {key: value for key, value in parsed.options.items() if key in encoder.options}
    if named != encoder.options:
        got, wanted = (signature.write("encoder", 1, options, {}) for options in (encoder.options, named))
        raise SignatureError(f"the given encoder is {got!r}, not {wanted!r}.")
    own = {key: value for key, value in parsed.options.items() if key not in named}
    return signature.write(parsed.metric, parsed.version, own, {}), {**replaced, "encoder": encoder}

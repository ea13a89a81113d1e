"""Metrics with an encoder, a language model or an index, which their signatures only name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

from bleuprint import signature
from bleuprint.errors import SignatureError
from bleuprint.metrics.base.metric import Metric
from bleuprint.metrics.base.score import AnyScore


class ModelMetric(Metric[AnyScore]):
    """A metric with a model, which has to be passed again to recreate the metric."""

    model_option: ClassVar[str]
    model_noun: ClassVar[str] = "model"
    load_model: ClassVar[Callable[..., Any]]  # from whatever the option takes; its `options` identify the model

    @classmethod
    def from_signature(cls, text: str, **replaced: Any) -> Self:
        """Recreate the metric from its signature; pass the model itself, which is checked against the signature.

        If the model is a file that only names its tokenizer, pass that as `tokenizer`.
        """
        option, noun = cls.model_option, cls.model_noun
        if option not in replaced:
            raise SignatureError(f"{text!r} only names its {noun}: pass the {noun} itself, as {option}=….")
        parsed = signature.parse(text)
        reading = {"tokenizer": replaced.pop("tokenizer", None)} if "tokenizer" in parsed.options else {}
        model = cls.load_model(replaced[option], **reading)
        expected = {**parsed.options, **model.options}
        if expected != parsed.options and parsed.metric == cls.name:
            given = signature.write(parsed.metric, parsed.version, expected, {})
            raise SignatureError(f"the given {noun} has the signature {given!r}, not {text!r}.")
        own = {key: value for key, value in parsed.options.items() if key not in model.options}
        bare = signature.write(parsed.metric, parsed.version, own, {})
        return super().from_signature(bare, **{**replaced, option: model})

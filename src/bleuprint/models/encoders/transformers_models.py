"""Encoders that run transformers models."""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from bleuprint import checks
from bleuprint.models import torch_models
from bleuprint.models.encoders.protocol import Encoder, Encoding
from bleuprint.signature import Option

# The layers that correlate best with human judgment, from bert_score 0.3.13 (utils.py, model2layers).
LAYERS: dict[str, int] = json.loads(Path(__file__).with_name("layers.json").read_text(encoding="utf-8"))


class TransformersEncoder(Encoder):
    """Returns the hidden states of one layer of a transformers model; `model` is a folder or a hub name.

    `layer` counts from 0 (the embeddings); it defaults to the entry in `LAYERS` or, for other models, to the last.
    `prefix_space` adds a space before texts, as bert_score does for RoBERTa's tokenizer. Nothing is downloaded without
    `download=True`. Leading and trailing whitespace of texts is stripped.
    """

    def __init__(
        self,
        model: str | PathLike[str],
        *,
        layer: int | None = None,
        max_length: int | None = None,
        prefix_space: bool = False,
        batch_size: int = 32,
        device: str | None = None,
        dtype: str = "float32",
        download: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__(batch_size=batch_size)
        given = None if max_length is None else checks.integer("max_length", max_length)
        self._loaded = torch_models.load(
            "AutoModel",
            model,
            purpose="a transformers encoder",
            download=download,
            device=device,
            dtype=dtype,
            tokenizer_options={"add_prefix_space": True} if prefix_space else None,
        )
        self.name, self.digest = name or self._loaded.name, self._loaded.digest
        self._dtype, self._prefix_space = dtype, prefix_space
        layers = int(self._loaded.model.config.num_hidden_layers)
        self.layer = min(layers, LAYERS.get(self.name, layers)) if layer is None else layer
        checks.integer("layer", self.layer, 0, layers)
        limits = [self._loaded.tokenizer.model_max_length, _positions(self._loaded.model.config), given]
        self.max_length = min((limit for limit in limits if limit is not None and limit < 1 << 30), default=None)
        self.markers = frozenset(self._tokens(self._ids([""])[0]))

    @property
    def options(self) -> dict[str, Option]:
        return {**super().options, "dtype": self._dtype, "prefix_space": self._prefix_space}

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        encoded = self._loaded.tokenizer(
            [text.strip() for text in texts], truncation=self.max_length is not None, max_length=self.max_length
        )
        ids: list[list[int]] = encoded["input_ids"]
        return ids

    def _tokens(self, ids: Sequence[int]) -> list[str]:
        tokens: list[str] = self._loaded.tokenizer.convert_ids_to_tokens(ids)
        return tokens

    def tokens(self, texts: Sequence[str]) -> list[Sequence[str]]:
        return [self._tokens(row) for row in self._ids(texts)] if texts else []

    def _encode(self, texts: Sequence[str]) -> list[Encoding]:
        rows = self._ids(texts)
        _, output = self._loaded.run(rows, output_hidden_states=True)
        vectors = output.hidden_states[self.layer].float().cpu().numpy()
        return [Encoding(self._tokens(row), vectors[place, : len(row)]) for place, row in enumerate(rows)]


def _positions(config: object) -> int | None:
    """Return the maximum number of positions; RoBERTa never uses its first two."""
    places = getattr(config, "max_position_embeddings", None)
    if not isinstance(places, int) or places <= 0:
        return None
    padding = getattr(config, "pad_token_id", 0) if "roberta" in str(getattr(config, "model_type", "")) else None
    return places if padding is None else places - int(padding) - 1

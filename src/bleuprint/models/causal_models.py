"""Causal language models, which return the probability of each token given the tokens before it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from bleuprint import checks
from bleuprint.core.arrays import Floats, np
from bleuprint.errors import OptionError
from bleuprint.models import torch_models
from bleuprint.signature import Option

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["CallableModel", "CausalModel", "TransformersModel", "resolve"]

Ids = Sequence[int]


class CausalModel(ABC):
    """Base class of causal models: tokenizes texts to ids and returns log-probabilities for windows of ids."""

    name: str
    digest: str  # SHA-256 of everything that affects the probabilities; "" if unknown
    window: int  # maximum number of tokens per call
    bos: int | None  # the begin-of-text token, if there is one
    batch_size: int = 8

    @property
    def options(self) -> dict[str, Option]:
        """Options that identify the model in a signature."""
        return {"model": self.name, "model_digest": f"sha256-{self.digest}" if self.digest else None}

    @abstractmethod
    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text, without special tokens."""

    @abstractmethod
    def log_probabilities(self, windows: Sequence[Ids]) -> list[Floats]:
        """Return, for every window of n tokens, the n − 1 natural log-probabilities from the second token on."""


class CallableModel(CausalModel):
    """A model built from two functions.

    >>> import math
    >>> def uniform(windows):
    ...     return [[-math.log(26)] * (len(ids) - 1) for ids in windows]
    >>> model = CallableModel(lambda text: [ord(letter) for letter in text], uniform, window=64, name="monkey")
    >>> model.tokenize(["ab"]), len(model.log_probabilities([[97, 98]])[0])
    ([[97, 98]], 1)

    `tokenize` takes a text and returns integers; `log_probabilities` takes a list of such lists.
    """

    def __init__(
        self,
        tokenize: Callable[[str], Sequence[int]],
        log_probabilities: Callable[[list[Ids]], Sequence[ArrayLike]],
        *,
        window: int,
        bos: int | None = None,
        name: str,
        digest: str = "",
    ) -> None:
        if not callable(tokenize) or not callable(log_probabilities):
            raise OptionError("model", "built from two functions", (tokenize, log_probabilities))
        self.name, self.digest, self.window, self.bos = name, digest, window, bos
        self._tokenize, self._function = tokenize, log_probabilities

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        return [list(self._tokenize(text)) for text in texts]

    def log_probabilities(self, windows: Sequence[Ids]) -> list[Floats]:
        return [np.asarray(values, dtype=np.float64) for values in self._function(list(windows))]


class TransformersModel(CausalModel):
    """A causal transformers model, from a folder or by a hub name in the local cache.

    Nothing is downloaded without `download=True`. `dtype` affects the scores and is part of the signature.
    """

    def __init__(
        self,
        model: str | PathLike[str],
        *,
        batch_size: int = 8,
        device: str | None = None,
        dtype: str = "float32",
        download: bool = False,
    ) -> None:
        self.batch_size = checks.integer("batch_size", batch_size)
        self._loaded = torch_models.load(
            "AutoModelForCausalLM", model, purpose="neural perplexity", download=download, device=device, dtype=dtype
        )
        self.name, self.digest, self._dtype = self._loaded.name, self._loaded.digest, dtype
        limits = (getattr(self._loaded.model.config, key, None) for key in ("max_position_embeddings", "n_positions"))
        self.window = next((limit for limit in limits if isinstance(limit, int) and limit > 0), 1024)
        self.bos = self._loaded.tokenizer.bos_token_id

    @property
    def options(self) -> dict[str, Option]:
        return {**super().options, "dtype": self._dtype}

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        ids: list[list[int]] = self._loaded.tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        return ids

    def log_probabilities(self, windows: Sequence[Ids]) -> list[Floats]:
        torch = self._loaded.torch
        ids, output = self._loaded.run(windows)
        logits, log_probabilities = output.logits, []
        with torch.inference_mode():
            for row, window in enumerate(windows):
                # One row at a time: log-softmax over a whole batch with a large vocabulary would take another gigabyte.
                predictions = logits[row, : len(window) - 1]
                predictions = predictions if predictions.dtype == torch.float64 else predictions.float()
                actual = predictions.gather(1, ids[row, 1 : len(window), None]).squeeze(1)
                log_probabilities.append((actual - predictions.logsumexp(dim=1)).double().cpu().numpy())
        return log_probabilities


def resolve(model: object) -> CausalModel:
    """Return a CausalModel unchanged, or load the transformers model with this folder or name."""
    if isinstance(model, CausalModel):
        return model
    if isinstance(model, str | PathLike):
        return TransformersModel(model)
    raise OptionError("model", "a CausalModel, or the folder or name of a transformers model", model)

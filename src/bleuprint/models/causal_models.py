"""Causal language models: what says how likely each token of a text is after those before it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from bleuprint.errors import OptionError
from bleuprint.models import torch_models
from bleuprint.models.options import checked_size
from bleuprint.signature import Option

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CallableModel", "CausalModel", "TransformersModel", "resolve"]

Ids = Sequence[int]


class CausalModel(ABC):
    """Base of causal models: it splits texts into numbers and gives log-probabilities of windows of them."""

    name: str
    digest: str  # SHA-256 of what decides the probabilities; "" if nobody can know
    window: int  # how many tokens it reads at once
    bos: int | None  # the token that begins a text, if it has one
    batch_size: int = 8

    @property
    def options(self) -> dict[str, Option]:
        """What a signature says of the model."""
        return {"model": self.name, "model_digest": f"sha256-{self.digest}" if self.digest else None}

    @abstractmethod
    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of texts, with nothing put before or behind them."""

    @abstractmethod
    def log_probabilities(self, windows: Sequence[Ids]) -> list[NDArray[np.float64]]:
        """For every window of n tokens the n − 1 natural logarithms of its tokens from the second on."""


class CallableModel(CausalModel):
    """A model made of two functions.

    >>> import math
    >>> def uniform(windows):
    ...     return [[-math.log(26)] * (len(ids) - 1) for ids in windows]
    >>> model = CallableModel(lambda text: [ord(letter) for letter in text], uniform, window=64, name="monkey")
    >>> model.tokenize(["ab"]), len(model.log_probabilities([[97, 98]])[0])
    ([[97, 98]], 1)

    `tokenize` takes a text and gives whole numbers; `log_probabilities` takes a list of lists of them.
    """

    def __init__(
        self,
        tokenize: Callable[[str], Sequence[int]],
        log_probabilities: Callable[[list[Ids]], Sequence[Any]],
        *,
        window: int,
        bos: int | None = None,
        name: str,
        digest: str = "",
    ) -> None:
        if not callable(tokenize) or not callable(log_probabilities):
            raise OptionError("model", "made of two functions", (tokenize, log_probabilities))
        self.name, self.digest, self.window, self.bos = name, digest, window, bos
        self._tokenize, self._function = tokenize, log_probabilities

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        return [list(self._tokenize(text)) for text in texts]

    def log_probabilities(self, windows: Sequence[Ids]) -> list[NDArray[np.float64]]:
        import numpy as np

        return [np.asarray(values, dtype=np.float64) for values in self._function(list(windows))]


class TransformersModel(CausalModel):
    """A causal model of transformers, from a folder or by a hub name that is in the local cache.

    Only `download=True` fetches anything. `dtype` moves the numbers and stands in signatures. A missing extra is said
    in one line:

    >>> from bleuprint.errors import BleuprintError
    >>> try:
    ...     TransformersModel("no such folder")
    ... except BleuprintError as error:
    ...     print("no such folder" in str(error) or "pip install 'bleuprint[neural]'" in str(error))
    True
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
        self.batch_size = checked_size("batch_size", batch_size)
        self._loaded = torch_models.load(
            "AutoModelForCausalLM",
            model,
            purpose="neural perplexity",
            download=download,
            device=device,
            dtype=dtype,
        )
        self.name = torch_models.shown_name(model)
        self.digest = self._loaded.digest
        self._dtype = dtype
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

    def log_probabilities(self, windows: Sequence[Ids]) -> list[NDArray[np.float64]]:
        torch, _, model, device, _ = self._loaded
        ids, mask = torch_models.padded(torch, windows, device)
        found = []
        with torch.inference_mode():
            logits = model(input_ids=ids, attention_mask=mask).logits
            for row, window in enumerate(windows):
                # A row at a time: the logarithms of a batch over a large vocabulary would take a gigabyte more.
                own = logits[row, : len(window) - 1]
                own = own if own.dtype == torch.float64 else own.float()
                chosen = own.gather(1, ids[row, 1 : len(window), None]).squeeze(1)
                found.append((chosen - own.logsumexp(dim=1)).double().cpu().numpy())
        return found


def resolve(model: Any) -> CausalModel:
    """A model as it is, or the transformers model of that folder or name."""
    if isinstance(model, CausalModel):
        return model
    if isinstance(model, str | PathLike):
        return TransformersModel(model)
    raise OptionError("model", "a CausalModel, or the folder or name of a transformers model", model)

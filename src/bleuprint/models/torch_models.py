"""Load transformers models from a folder or the local cache; download only on request."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from os import PathLike, fspath
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from bleuprint import checks
from bleuprint.core.arrays import Integers, np
from bleuprint.errors import ExtraImport, OptionError
from bleuprint.files import is_folder

DTYPES = ("float32", "float16", "bfloat16", "float64")


class Loaded(NamedTuple):
    """A model on a device, its tokenizer, its name in signatures, and the SHA-256 of its weights and vocabulary."""

    name: str  # a hub name, or the last part of a path: the rest is machine-specific
    torch: ModuleType
    tokenizer: Any
    model: Any
    device: Any
    digest: str

    def run(self, rows: Sequence[Sequence[int]], **options: object) -> tuple[Any, Any]:
        """Return the padded ids on the device, and the output of the model for them."""
        ids, mask = (self.torch.from_numpy(array).to(self.device) for array in pad(rows))
        with self.torch.inference_mode():
            return ids, self.model(input_ids=ids, attention_mask=mask, **options)


def load(
    kind: str,
    name: str | PathLike[str],
    *,
    purpose: str,
    download: bool,
    device: str | None,
    dtype: str,
    tokenizer_options: Mapping[str, object] | None = None,
) -> Loaded:
    """Load the model with this folder or name; `kind` is the transformers class to use.

    Code shipped with a model is never run: neither its Python files nor pickled objects in its weights. If a folder has
    safetensors, they are used.
    """
    with ExtraImport(purpose, ("torch", "transformers"), "neural"):
        import torch
        import transformers
    checks.choice("dtype", dtype, DTYPES)
    place = fspath(name)
    where = {"local_files_only": not download, "trust_remote_code": False}
    try:
        with nullcontext() if download else _without_bars(transformers):
            tokenizer = transformers.AutoTokenizer.from_pretrained(place, **where, **(tokenizer_options or {}))
            model = getattr(transformers, kind).from_pretrained(place, **where, weights_only=True)
    except MemoryError:
        raise
    except Exception as error:  # broken weights, unknown kinds, and missing files raise different errors
        known = "a folder with a model, or a name in the local cache (download=True fetches it)"
        raise OptionError("model", f"{known}; transformers says: {one_line(error)}", place) from None
    target = _device(torch, device)
    digest = _digest(torch, tokenizer, model)
    model = model.to(device=target, dtype=getattr(torch, dtype)).eval()
    short = Path(place).resolve().name if is_folder(place) else place
    return Loaded(short, torch, tokenizer, model, target, digest)


def pad(rows: Sequence[Sequence[int]], least: int = 0) -> tuple[Integers, Integers]:
    """Return the rows of ids padded with zeros to the longest, or to `least`, and the attention mask.

    >>> [array.tolist() for array in pad([[7, 8], [9]])]
    [[[7, 8], [9, 0]], [[1, 1], [1, 0]]]
    """
    ids = np.zeros((len(rows), max([least, *map(len, rows)])), dtype=np.int64)
    mask = np.zeros_like(ids)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return ids, mask


@contextmanager
def _without_bars(transformers: ModuleType) -> Iterator[None]:
    """Hide transformers' progress bars: loading from disk takes a second."""
    logging = transformers.utils.logging
    enabled = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if enabled:
            logging.enable_progress_bar()


def one_line(error: Exception) -> str:
    """What another library says is wrong, short enough for a sentence of ours."""
    return " ".join(str(error).split())[:200] or type(error).__name__


def _device(torch: ModuleType, name: str | None) -> Any:
    if name is None:
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, TypeError) as error:
        raise OptionError("device", f"a device available to torch ({one_line(error)})", name) from None
    return device


def _digest(torch: ModuleType, tokenizer: Any, model: Any) -> str:
    """Hash the loaded weights, so that a folder, the cache, and a new download of a model have the same digest."""
    whole = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        flat = tensor.detach().cpu().contiguous()
        whole.update(f"{name}{tuple(flat.shape)}{flat.dtype}".encode())
        whole.update(memoryview(flat.reshape(-1).view(torch.uint8).numpy()))
    for word, number in sorted(tokenizer.get_vocab().items()):
        whole.update(f"{word}\0{number}\n".encode("utf-8", "surrogatepass"))
    return whole.hexdigest()

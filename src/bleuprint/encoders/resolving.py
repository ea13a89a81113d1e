"""Whatever stands for an encoder, as an encoder."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import Any

from bleuprint.encoders import bundled
from bleuprint.encoders.callables import CallableEncoder
from bleuprint.encoders.onnx_models import OnnxEncoder
from bleuprint.encoders.protocol import Encoder
from bleuprint.encoders.transformers_models import TransformersEncoder
from bleuprint.errors import OptionError

__all__ = ["resolve"]


def resolve(encoder: Any, *, layer: int | None = None) -> Encoder:
    """An encoder as it is; a function; one of the `BUNDLES` by name; an .onnx file; a folder; a name in the cache.

    >>> resolve(lambda texts: [(text.split(), [[1.0]] * len(text.split())) for text in texts]).encode(["a b"])[0].tokens
    ['a', 'b']
    """
    if isinstance(encoder, Encoder):
        if layer is not None:
            raise OptionError("layer", "left out where the encoder is made already: it has one", layer)
        return encoder
    if isinstance(encoder, str | PathLike):
        return _named(fspath(encoder), layer)
    if callable(encoder):
        return CallableEncoder(encoder, layer=layer)
    raise OptionError("encoder", f"an Encoder, a function, a path, or one of {', '.join(bundled.BUNDLES)}", encoder)


def _named(name: str, layer: int | None) -> Encoder:
    if name in bundled.BUNDLES:
        return bundled.load(name, layer=layer)
    path = Path(name)
    in_folder = path.is_dir() and not (path / "config.json").is_file() and any(path.glob("*.onnx"))
    if path.suffix == ".onnx" or in_folder:
        return OnnxEncoder(path, layer=layer)
    return TransformersEncoder(name, layer=layer)

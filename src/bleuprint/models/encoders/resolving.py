"""Resolve functions, names, and paths to encoders."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import Any

from bleuprint import checks
from bleuprint.errors import OptionError
from bleuprint.models.encoders import bundled
from bleuprint.models.encoders.callables import CallableEncoder
from bleuprint.models.encoders.onnx_models import OnnxEncoder
from bleuprint.models.encoders.protocol import Encoder
from bleuprint.models.encoders.transformers_models import TransformersEncoder


def resolve(encoder: Any, *, layer: int | None = None) -> Encoder:
    """Return an encoder for an Encoder, a function, a name in `BUNDLES`, an .onnx file, a folder, or a cached hub name.

    >>> resolve(lambda texts: [(text.split(), [[1.0]] * len(text.split())) for text in texts]).encode(["a b"])[0].tokens
    ['a', 'b']
    """
    checks.integer("layer", layer, least=-(1 << 31), optional=True, allowed="None or an integer")
    if isinstance(encoder, Encoder):
        if layer is not None:
            raise OptionError("layer", "None if encoder is an Encoder, which already has a layer", layer)
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

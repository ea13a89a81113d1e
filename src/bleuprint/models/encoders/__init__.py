"""Encoders turn a text into tokens with one vector each. Embedding-based metrics accept any of them.

| encoder | runs | extra |
|---|---|---|
| `CallableEncoder` | your own function | |
| `OnnxEncoder` | an ONNX model and its tokenizer, from files | ``embed`` |
| `TransformersEncoder` | a transformers model, from a folder or the local cache | ``neural`` |
| `bundled.load` | MiniLM weights from an installed package, if their SHA-256 matches | both |

Nothing is downloaded unless `TransformersEncoder` is asked to. Code shipped with a model is never run.
"""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from bleuprint import checks
from bleuprint.errors import OptionError
from bleuprint.files import is_folder
from bleuprint.models.encoders import bundled
from bleuprint.models.encoders.bundled import BUNDLES
from bleuprint.models.encoders.onnx_models import OnnxEncoder
from bleuprint.models.encoders.protocol import CallableEncoder, Encoder, Encoding
from bleuprint.models.encoders.transformers_models import TransformersEncoder

__all__ = ["BUNDLES", "CallableEncoder", "Encoder", "Encoding", "OnnxEncoder", "TransformersEncoder", "resolve"]


def resolve(encoder: object, *, layer: int | None = None) -> Encoder:
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
        name, path = fspath(encoder), Path(encoder)
        if name in BUNDLES:
            return bundled.load(name, layer=layer)
        in_folder = is_folder(path) and not (path / "config.json").is_file() and any(path.glob("*.onnx"))
        kind = OnnxEncoder if path.suffix == ".onnx" or in_folder else TransformersEncoder
        return kind(encoder, layer=layer)
    if callable(encoder):
        return CallableEncoder(encoder, layer=layer)
    raise OptionError("encoder", f"an Encoder, a function, a path, or one of {', '.join(BUNDLES)}", encoder)

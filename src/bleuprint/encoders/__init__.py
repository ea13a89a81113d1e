"""Encoders: what turns a text into tokens with a vector each. Metrics of meaning take any of them.

| encoder | what it runs | extra |
|---|---|---|
| `CallableEncoder` | a function of yours | |
| `OnnxEncoder` | an ONNX model with its tokenizer, from files | ``embed`` |
| `TransformersEncoder` | a transformers model, from a folder or from the local cache | ``neural`` |
| `bundled.load` | MiniLM weights out of a package that is installed, if their SHA-256 is the known one | both |

Nothing is fetched, unless `TransformersEncoder` is told to; no code that comes with a model is run.
"""

from bleuprint.encoders.bundled import BUNDLES as BUNDLES
from bleuprint.encoders.callables import CallableEncoder as CallableEncoder
from bleuprint.encoders.onnx_models import OnnxEncoder as OnnxEncoder
from bleuprint.encoders.protocol import Encoder as Encoder
from bleuprint.encoders.protocol import Encoding as Encoding
from bleuprint.encoders.resolving import resolve as resolve
from bleuprint.encoders.transformers_models import TransformersEncoder as TransformersEncoder

__all__ = ["BUNDLES", "CallableEncoder", "Encoder", "Encoding", "OnnxEncoder", "TransformersEncoder", "resolve"]

"""Encoders turn a text into tokens with one vector each. Embedding-based metrics accept any of them.

| encoder | runs | extra |
|---|---|---|
| `CallableEncoder` | your own function | |
| `OnnxEncoder` | an ONNX model and its tokenizer, from files | ``embed`` |
| `TransformersEncoder` | a transformers model, from a folder or the local cache | ``neural`` |
| `bundled.load` | MiniLM weights from an installed package, if their SHA-256 matches | both |

Nothing is downloaded unless `TransformersEncoder` is asked to. Code shipped with a model is never run.
"""

from bleuprint.encoders.bundled import BUNDLES as BUNDLES
from bleuprint.encoders.callables import CallableEncoder as CallableEncoder
from bleuprint.encoders.onnx_models import OnnxEncoder as OnnxEncoder
from bleuprint.encoders.protocol import Encoder as Encoder
from bleuprint.encoders.protocol import Encoding as Encoding
from bleuprint.encoders.resolving import resolve as resolve
from bleuprint.encoders.transformers_models import TransformersEncoder as TransformersEncoder

__all__ = ["BUNDLES", "CallableEncoder", "Encoder", "Encoding", "OnnxEncoder", "TransformersEncoder", "resolve"]

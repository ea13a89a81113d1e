"""Encoders turn a text into tokens with one vector each. Embedding-based metrics accept any of them.

| encoder | runs | extra |
|---|---|---|
| `CallableEncoder` | your own function | |
| `OnnxEncoder` | an ONNX model and its tokenizer, from files | ``embed`` |
| `TransformersEncoder` | a transformers model, from a folder or the local cache | ``neural`` |
| `bundled.load` | MiniLM weights from an installed package, if their SHA-256 matches | both |

Nothing is downloaded unless `TransformersEncoder` is asked to. Code shipped with a model is never run.
"""

from bleuprint.models.encoders.bundled import BUNDLES as BUNDLES
from bleuprint.models.encoders.callables import CallableEncoder as CallableEncoder
from bleuprint.models.encoders.onnx_models import OnnxEncoder as OnnxEncoder
from bleuprint.models.encoders.protocol import Encoder as Encoder
from bleuprint.models.encoders.protocol import Encoding as Encoding
from bleuprint.models.encoders.resolving import resolve as resolve
from bleuprint.models.encoders.transformers_models import TransformersEncoder as TransformersEncoder

__all__ = ["BUNDLES", "CallableEncoder", "Encoder", "Encoding", "OnnxEncoder", "TransformersEncoder", "resolve"]

"""The files that an ONNX model consists of.

A model may keep its weights in other files, which it names itself. onnxruntime opens them, so they are checked first,
and they belong to the digest of the model. The names are read from the protobuf messages that can hold a tensor
(onnx.proto of ONNX 1.16, https://github.com/onnx/onnx).
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path

from bleuprint.errors import OptionError
from bleuprint.files import is_plain_name

# For every message: the numbers of the fields that lead to tensors, and the messages in them.
_FIELDS = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "function": {7: "node", 11: "attribute"},
    "graph": {1: "node", 5: "tensor", 15: "sparse tensor"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse tensor", 23: "sparse tensor"},
    "sparse tensor": {1: "tensor", 2: "tensor"},
    "tensor": {13: "external data"},
    "external data": {1: "key", 2: "value"},
}
_VARINT, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5


def weight_files(model: Path) -> list[Path]:
    """The other files with weights of a model, in alphabetical order; an error unless all are files in its folder."""
    try:
        with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            names = sorted(_locations(content))
    except (OSError, ValueError, IndexError) as error:
        problem = f"a file that onnxruntime can load (it is not an ONNX model: {error})"
        raise OptionError("model", problem, str(model)) from None
    for name in names:
        if not is_plain_name(name) or not (model.parent / name).is_file():
            raise OptionError("model", f"an ONNX file whose weights are in files in its folder ({model})", name)
    return [model.parent / name for name in names]


def _locations(content: mmap.mmap) -> set[str]:
    names = set()
    pending = [("model", 0, len(content))]
    while pending:  # not recursive: graphs can be nested as deep as the file is long
        message, *span = pending.pop()
        texts = {}
        for number, begin, end in _fields(content, *span):
            inner = _FIELDS[message].get(number)
            if inner in ("key", "value"):
                texts[inner] = content[begin:end]
            elif inner is not None:
                pending.append((inner, begin, end))
        if texts.get("key") == b"location":
            names.add(texts.get("value", b"").decode())
    return names


def _fields(content: mmap.mmap, place: int, stop: int) -> Iterator[tuple[int, int, int]]:
    """The number, begin and end of every field of a message that holds bytes."""
    while place < stop:
        tag, place = _varint(content, place)
        kind = tag & 7
        if kind == _BYTES:
            size, place = _varint(content, place)
            yield tag >> 3, place, place + size
            place += size
        elif kind == _VARINT:
            _, place = _varint(content, place)
        elif kind in (_FIXED_64, _FIXED_32):
            place += 8 if kind == _FIXED_64 else 4
        else:
            raise ValueError(f"byte {place} is no field")
    if place != stop:
        raise ValueError(f"it ends before byte {place}")


def _varint(content: mmap.mmap, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7
        if shift > 63:
            raise ValueError(f"byte {place} is in no number")

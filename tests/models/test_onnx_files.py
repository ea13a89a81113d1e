"""Which files an ONNX model consists of; the models are written by hand, field by field."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.errors import OptionError
from bleuprint.models.encoders import OnnxEncoder
from bleuprint.models.encoders.onnx_files import weight_files


def number(value: int) -> bytes:
    head = b""
    while value > 0x7F:
        head += bytes([value & 0x7F | 0x80])
        value >>= 7
    return head + bytes([value])


def field(place: int, content: bytes) -> bytes:
    return number(place << 3 | 2) + number(len(content)) + content


def tensor(location: str) -> bytes:
    """A tensor of one float, with dimensions, type and where its bytes are."""
    entries = field(13, field(1, b"location") + field(2, location.encode())) + field(13, field(1, b"offset"))
    return b"\x08\x01\x10\x01" + field(8, b"weight") + entries + b"\x70\x01"


# Where a tensor can be in a model.
PLACES = {
    "initializer": lambda inner: field(7, field(5, inner)),
    "sparse initializer": lambda inner: field(7, field(15, field(1, inner))),
    "constant": lambda inner: field(7, field(1, field(5, field(5, inner)))),
    "constants": lambda inner: field(7, field(1, field(5, field(10, inner)))),
    "branch": lambda inner: field(7, field(1, field(5, field(6, field(5, inner))))),
    "branches": lambda inner: field(7, field(1, field(5, field(11, field(5, inner))))),
    "function": lambda inner: field(25, field(7, field(5, field(5, inner)))),
    "training": lambda inner: field(20, field(1, field(5, inner))),
}


def model(folder: Path, content: bytes) -> Path:
    path = folder / "model.onnx"
    path.write_bytes(b"\x08\x08" + field(2, b"a producer") + b"\x2d1234" + b"\x3112345678" + content)
    return path


@pytest.mark.parametrize("place", PLACES)
def test_weights_in_other_files(place: str, tmp_path: Path) -> None:
    (tmp_path / "b.data").write_bytes(b"1234")
    (tmp_path / "a.data").write_bytes(b"1234")
    path = model(tmp_path, PLACES[place](tensor("b.data")) + PLACES["initializer"](tensor("a.data")))
    assert weight_files(path) == [tmp_path / "a.data", tmp_path / "b.data"]
    assert weight_files(model(tmp_path, PLACES[place](b"\x08\x01" + field(9, b"1234")))) == []


@pytest.mark.parametrize("location", ["../secret", "/etc/passwd", "missing", "folder", "fifo", "", "*/_ORT_MEM_/*"])
def test_a_model_names_only_files_in_its_folder(location: str, tmp_path: Path) -> None:
    (tmp_path / "secret").touch()
    inner = tmp_path / "model"
    (inner / "folder").mkdir(parents=True)
    if hasattr(os, "mkfifo"):
        os.mkfifo(inner / "fifo")
    with pytest.raises(OptionError, match="an ONNX file whose weights are in files in its folder"):
        weight_files(model(inner, PLACES["initializer"](tensor(location))))


@given(st.binary(max_size=60))
def test_noise_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, noise: bytes) -> None:
    folder = tmp_path_factory.mktemp("noise")
    for content in (noise, PLACES["branch"](tensor("x"))[: len(noise)] + noise):
        (folder / "model.onnx").write_bytes(content)
        with suppress(OptionError):
            assert weight_files(folder / "model.onnx") == []


def test_deep_graphs(tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    content = field(5, tensor("x"))
    for _ in range(3000):
        content = field(1, field(5, field(6, content)))
    assert weight_files(model(tmp_path, field(7, content))) == [tmp_path / "x"]


def test_an_error_of_onnxruntime_is_ours() -> None:
    class Session:
        def run(self, *_: object) -> object:
            raise RuntimeError("[ONNXRuntimeError]\n index out of bounds")

    encoder = OnnxEncoder.__new__(OnnxEncoder)
    encoder.name, encoder._output, encoder._session = "tiny", "out", Session()
    with pytest.raises(OptionError, match=r"onnxruntime can run \(\[ONNXRuntimeError\] index out of bounds\), got"):
        encoder._run({})

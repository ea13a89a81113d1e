"""ONNX models with their tokenizers, run by onnxruntime."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any

from bleuprint import checks
from bleuprint.core.arrays import Integers, NDArray, np
from bleuprint.errors import ExtraImport, OptionError
from bleuprint.models.encoders.onnx_files import weight_files
from bleuprint.models.encoders.protocol import Encoder, Encoding
from bleuprint.models.torch_models import one_line, pad


class OnnxEncoder(Encoder):
    """An ONNX model that returns one vector per token; `model` is a file, or a folder with one model.

    `tokenizer` is a tokenizer.json or a vocab.txt (lowercase WordPiece); by default, it is found next to the model.
    The first output with three dimensions is read. Texts are truncated after `max_length` tokens.
    """

    def __init__(
        self,
        model: str | PathLike[str],
        *,
        tokenizer: str | PathLike[str] | None = None,
        layer: int | None = None,
        max_length: int = 512,
        batch_size: int = 32,
        name: str | None = None,
    ) -> None:
        with ExtraImport("an ONNX encoder", ("onnxruntime", "tokenizers"), "embed"):
            import onnxruntime
            import tokenizers
        file = _model_file(Path(model))
        words = _tokenizer_file(file.parent) if tokenizer is None else Path(tokenizer)
        if not words.is_file():
            raise OptionError("tokenizer", "the path of an existing file", str(words))
        self.max_length = checks.integer("max_length", max_length)
        super().__init__(batch_size=batch_size, layer=layer)
        self.name = file.parent.name if name is None else name
        self.digest = _digest(file, words, *weight_files(file))
        self._tokenizer = _load_tokenizer(tokenizers, words)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self.max_length)
        self.markers = frozenset(self._tokenizer.encode("").tokens)
        try:
            self._session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's errors derive directly from Exception
            raise OptionError("model", f"a file that onnxruntime can load ({one_line(error)})", str(file)) from None
        self._inputs = {item.name for item in self._session.get_inputs()}
        outputs = {item.name: len(item.shape) for item in self._session.get_outputs()}
        if 3 not in outputs.values():
            raise OptionError("model", "one with a token-level output", f"one with {', '.join(outputs)}")
        self._output = next(name for name, dimensions in outputs.items() if dimensions == 3)

    def tokens(self, texts: Sequence[str]) -> list[Sequence[str]]:
        return [item.tokens for item in self._tokenizer.encode_batch([text.strip() for text in texts])]

    def _encode(self, texts: Sequence[str]) -> list[Encoding]:
        encoded = self._tokenizer.encode_batch([text.strip() for text in texts])
        ids, mask = pad([item.ids for item in encoded], least=1)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        feed = {name: array for name, array in given.items() if name in self._inputs}
        vectors = self._run(feed)
        if vectors.ndim != 3 or vectors.shape[:2] != ids.shape:
            raise OptionError("model", f"one with a vector per token, for {ids.shape} tokens", vectors.shape)
        return [Encoding(item.tokens, vectors[row, : len(item.ids)]) for row, item in enumerate(encoded)]

    def _run(self, feed: dict[str, Integers]) -> NDArray[np.float32]:
        try:
            return np.asarray(self._session.run([self._output], feed)[0])
        except Exception as error:  # onnxruntime's errors derive directly from Exception
            raise OptionError("model", f"one that onnxruntime can run ({one_line(error)})", self.name) from None


def _model_file(path: Path) -> Path:
    if path.is_file():
        return path
    files = sorted(path.glob("*.onnx")) or sorted(path.glob("*/*.onnx"))
    if len(files) != 1:
        got = f"{path} with {len(files)} of them" if path.is_dir() else str(path)
        raise OptionError("model", "an .onnx file, or a folder with exactly one", got)
    return files[0]


def _tokenizer_file(folder: Path) -> Path:
    for place in (folder, folder.parent):
        for name in ("tokenizer.json", "vocab.txt"):
            if (place / name).is_file():
                return place / name
    problem = f"there is no tokenizer.json or vocab.txt next to the model in {folder}; pass tokenizer="
    raise OptionError.because(problem)


def _load_tokenizer(tokenizers: ModuleType, file: Path) -> Any:
    try:
        if file.suffix == ".txt":
            return tokenizers.BertWordPieceTokenizer(str(file), lowercase=True)
        return tokenizers.Tokenizer.from_file(str(file))
    except Exception as error:  # the Rust library raises plain Exception
        raise OptionError("tokenizer", f"a tokenizer.json or a vocab.txt ({one_line(error)})", str(file)) from None


def _digest(*files: Path) -> str:
    """Hash the files' digests, so that a large model is never held in memory."""
    whole = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()

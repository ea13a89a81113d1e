"""SentencePiece models: files that the caller passes, and files that were added under a name.

| name | model |
|---|---|
| ``spm:PATH`` | that file |
| ``flores101``, ``flores200`` | the file that was added under this name; ``spm`` is the older name of ``flores101`` |
| ``spm(sha256-DIGITS)`` | the added file with this digest, under any name: what signatures record |

Added files are in the folder `tokenizers` of `files.data_folder`, and their names hold their SHA-256. sacrebleu, whose
names these are, publishes no digests of its models, so a name means the file that was added, and a signature its bytes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from bleuprint.core.tokenizers import MODEL_ALIASES, MODEL_DIGEST, MODEL_NAMES, MODEL_PATH, STORED_MODELS
from bleuprint.errors import ExtraImport, OptionError, OutputError
from bleuprint.files import data_folder, translate_errors, write_files

_FOLDER = "tokenizers"
_DIGITS = 16  # of the SHA-256, as for language models


@dataclass(frozen=True)
class Pieces:
    """Splits texts into the pieces of a model; two copies of a model are the same tokenizer."""

    digest: str
    model: Any = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        """What signatures record."""
        return _recorded_name(self.digest)

    def __call__(self, text: str) -> list[str]:
        # Join and split again like sacrebleu, which breaks up pieces that contain whitespace.
        return " ".join(self.model.encode(text.rstrip(), out_type=str)).split()


class AddedModel(NamedTuple):
    """A file that was added under a name."""

    name: str
    digest: str
    path: Path

    @property
    def recorded(self) -> str:
        """What signatures record."""
        return _recorded_name(self.digest)


def _recorded_name(digest: str) -> str:
    return f"{MODEL_DIGEST}{digest[:_DIGITS]})"


def load(name: str) -> Pieces:
    """Return the tokenizer of a model, by any of the names above."""
    if name.startswith(MODEL_PATH):
        allowed = "'spm:' followed by the path of a SentencePiece model"
        return _load_file(Path(name.removeprefix(MODEL_PATH)), allowed, name)
    model = find(name)
    if model is None:
        how = f"bleuprint tokenizers add {name if name in MODEL_NAMES else 'NAME'} PATH"
        raise OptionError("tokenizer", f"added before its first use, with '{how}'", name)
    pieces = _load_file(model.path, f"a SentencePiece model; remove {model.name} and add it again", name)
    if pieces.digest != model.digest:
        allowed = f"unchanged since it was added as {model.name} with the SHA-256 {model.digest}; remove it and add it"
        raise OptionError("tokenizer", f"{allowed} again", pieces.digest)
    return pieces


def find(name: str) -> AddedModel | None:
    """Return the model that was added under a name, or that has the digest of a recorded name."""
    wanted = (name, MODEL_ALIASES.get(name))
    known = [model for model in list_models() if model.recorded == name or model.name in wanted]
    if len({model.digest for model in known}) > 1:
        shown = " and ".join(str(model.path) for model in known)
        raise OptionError("tokenizer", f"one model; remove {name} and add it again", shown)
    return known[0] if known else None


def list_models() -> list[AddedModel]:
    """Return all added models."""
    folder, models = data_folder(), []
    for path in sorted([] if folder is None else (folder / _FOLDER).glob("*.model")):
        match = re.fullmatch(r"(.+)-([0-9a-f]{64})\.model", path.name)
        if match is not None and match[1] in STORED_MODELS:
            models.append(AddedModel(match[1], match[2], path))
    return models


def add(name: str, path: Path, *, overwrite: bool = False) -> AddedModel:
    """Copy a model to where it is found under a name; another model of that name is only replaced if asked."""
    canonical = _canonical(name)
    pieces = _load_file(path, "added with the path of a SentencePiece model", str(path))
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest != pieces.digest:
        raise OptionError.because(f"{path} changed while it was read; add it again")
    folder = data_folder()
    if folder is None:
        raise OptionError.because("this user has no home folder; set BLEUPRINT_DATA to a folder for the models")
    model = AddedModel(canonical, digest, folder / _FOLDER / f"{canonical}-{digest}.model")
    others = [other for other in list_models() if other.name == canonical and other.digest != digest]
    if others and not overwrite:
        problem = f"it was added with the SHA-256 {others[0].digest}, not {digest}; pass --force to replace it"
        raise OutputError(f"the model of {canonical}", problem)
    with translate_errors(model.path.parent):
        model.path.parent.mkdir(parents=True, exist_ok=True)
    write_files({model.path: content}, overwrite=True)  # a damaged copy of the same model is replaced
    for other in others:
        _unlink(other)
    return model


def remove(name: str) -> list[AddedModel]:
    """Remove what was added under a name."""
    canonical = _canonical(name)
    models = [model for model in list_models() if model.name == canonical]
    if not models:
        raise OptionError("tokenizer", "one that was added (see 'bleuprint tokenizers list')", name)
    for model in models:
        _unlink(model)
    return models


def _canonical(name: str) -> str:
    if name not in MODEL_NAMES:
        raise OptionError("tokenizer", f"one of {', '.join(MODEL_NAMES)}; pass other models as 'spm:PATH'", name)
    return MODEL_ALIASES.get(name, name)


def _unlink(model: AddedModel) -> None:
    with translate_errors(model.path):
        model.path.unlink()


def _load_file(path: Path, allowed: str, given: str) -> Pieces:
    with ExtraImport("tokenizer 'spm'", ("sentencepiece",), "spm"):
        from sentencepiece import SentencePieceProcessor
    try:
        status = path.stat()
        if not path.is_file() or status.st_size == 0:  # sentencepiece takes no bytes for a model
            raise OSError("it is not a file, or is empty")
        return _of_file(SentencePieceProcessor, path, (status.st_mtime_ns, status.st_size))
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: not a model; ValueError: a NUL in the path
        raise OptionError("tokenizer", allowed, given) from error


@lru_cache(maxsize=8)
def _of_file(processor: Callable[..., Any], path: Path, stamp: tuple[int, int]) -> Pieces:
    """Load a model; `stamp` in the cache key reloads it when the file changes."""
    content = path.read_bytes()
    return Pieces(hashlib.sha256(content).hexdigest(), processor(model_proto=content))

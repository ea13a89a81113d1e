"""The WMT22 general task: sources, references, 190 system outputs and the scores its organisers published.

Without the data there is the sample in `tests/data`: some systems and pairs, most of them cut after the first lines.
"""

from __future__ import annotations

import os
import tarfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
_PREFIX = "generaltest2022"
SCORES = "scores/automatic-scores.tsv"
_SYSTEMS = 190
SAMPLE = REPOSITORY / "tests" / "data" / "wmt22-sample.tar.xz"


class PublishedScore(NamedTuple):
    pair: str
    system: str
    metric: str
    score: float


def archive() -> Path:
    """Where the data lies: a folder beside the checkout, or the one BLEUPRINT_SHARED names."""
    shared = os.environ.get("BLEUPRINT_SHARED")
    return (Path(shared) if shared else REPOSITORY.parent / "shared") / "data" / "wmt22.tar.xz"


def unpacked(folder: Path) -> bool:
    return (folder / SCORES).exists()


def unpack(folder: Path) -> Wmt22:
    """Unpack the archive, or the sample where there is none, unless an earlier run has."""
    if not unpacked(folder):
        with tarfile.open(archive() if archive().exists() else SAMPLE) as tar:
            extract(tar, folder)
    return Wmt22(folder)


def extract(tar: tarfile.TarFile, folder: Path) -> None:
    """Unpack an archive of ours; the filter came with Python 3.11.4, and some systems have an older one."""
    if hasattr(tarfile, "data_filter"):
        tar.extractall(folder, filter="data")
    else:
        tar.extractall(folder)


@cache
def read_lines(path: Path) -> list[str]:
    """The lines of a file, split on line feeds only: some lines hold other separators."""
    return path.read_bytes().decode().removesuffix("\n").split("\n")


@dataclass(frozen=True, slots=True)
class Wmt22:
    """The unpacked data."""

    folder: Path

    @property
    def is_whole(self) -> bool:
        """Whether this is all of the data, and not the sample."""
        return len(list((self.folder / "txt" / "system-outputs").iterdir())) >= _SYSTEMS

    def published(self, metric: str) -> list[PublishedScore]:
        """The organisers' scores of the metric, whatever the reference: bleu-A, bleu-B, bleu-all …"""
        rows = (line.split("\t") for line in read_lines(self.folder / SCORES)[1:])
        return [
            PublishedScore(pair, system, name, float(score))
            for pair, system, _, _, name, score in rows
            if name.startswith(f"{metric}-")
        ]

    def systems(self, pair: str) -> list[str]:
        """Who took part, by name."""
        names = (self.folder / "txt" / "system-outputs").glob(f"{_PREFIX}.{pair}.hyp.*")
        return sorted(path.name.split(".hyp.")[1].rpartition(".")[0] for path in names)

    def output(self, pair: str, system: str) -> list[str]:
        target = pair.split("-")[1]
        return read_lines(self.folder / "txt" / "system-outputs" / f"{_PREFIX}.{pair}.hyp.{system}.{target}")

    def references(self, pair: str, which: str = "all") -> list[list[str]]:
        """The reference translations of that name, or all: one list per translator."""
        target = pair.split("-")[1]
        pattern = f"{_PREFIX}.{pair}.ref.{'*' if which == 'all' else which}.{target}"
        return [read_lines(path) for path in sorted((self.folder / "txt" / "references").glob(pattern))]

    def texts(self) -> dict[str, list[str]]:
        """All references and sources by language."""
        found: dict[str, list[str]] = {}
        for kind in ("references", "sources"):
            for path in sorted((self.folder / "txt" / kind).iterdir()):
                found.setdefault(path.suffix.removeprefix("."), []).extend(read_lines(path))
        return found

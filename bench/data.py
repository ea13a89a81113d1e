"""The text the benchmarks run on: WMT22 into English where it is at hand, otherwise the sample beside this file."""

from __future__ import annotations

import os
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = Path(__file__).with_name("sample.tsv")
NOT_TRANSLATED = "NO TRANSLATION AVAILABLE"  # placeholder lines of WMT22


@dataclass(frozen=True)
class Corpus:
    """Aligned hypotheses and references, no line twice on either side."""

    source: str
    hypotheses: list[str]
    references: list[str]

    def __len__(self) -> int:
        return len(self.hypotheses)

    @property
    def text_bytes(self) -> int:
        return sum(len(line.encode()) for lines in (self.hypotheses, self.references) for line in lines)

    def head(self, segments: int) -> Corpus:
        return Corpus(self.source, self.hypotheses[:segments], self.references[:segments])

    def fresh(self, mark: int) -> tuple[list[str], list[str]]:
        """The lines as new str objects, each with the mark as its last word.

        sacrebleu and bleuscore remember tokenized lines, and a str remembers its UTF-8: a line that no repeat has
        seen before is the only one whose whole cost is measured.
        """
        return [f"{line} {mark}" for line in self.hypotheses], [f"{line} {mark}" for line in self.references]

    def write(self, path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            for pair in zip(self.hypotheses, self.references, strict=True):
                file.write("\t".join(line.replace("\t", " ") for line in pair) + "\n")

    @classmethod
    def read(cls, path: Path) -> Corpus:
        return cls(path.stem, *_distinct(_tab_separated(path)))


def load(segments: int) -> Corpus:
    """That many segments of the best text there is."""
    archive = _shared() / "data" / "wmt22.tar.xz"
    source, pairs = ("WMT22 into English", list(_wmt22(archive))) if archive.exists() else _sample()
    repeats = -(-segments // len(pairs))
    return Corpus(source, *_distinct((pairs * repeats)[:segments]))


def _shared() -> Path:
    return Path(os.environ.get("BLEUPRINT_SHARED", ROOT.parent / "shared"))


def _sample() -> tuple[str, list[tuple[str, str]]]:
    return "bundled sample, repeated with numbers", list(_tab_separated(SAMPLE))


def _tab_separated(path: Path) -> Iterator[tuple[str, str]]:
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            hypothesis, reference = line.rstrip("\n").split("\t")
            yield hypothesis, reference


def _distinct(pairs: Iterable[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """A line that comes again gets one more word, the number of times it was seen."""
    sides: tuple[list[str], list[str]] = ([], [])
    seen: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for pair in pairs:
        for line, lines, before in zip(pair, sides, seen, strict=True):
            lines.append(f"{line} {before[line]}" if before[line] else line)
            before[line] += 1
    return sides


def _wmt22(archive: Path) -> Iterator[tuple[str, str]]:
    """Every system against a reference; one system of each language pair in turn, so that few references come twice."""
    texts = _english_texts(archive)
    references: dict[str, list[list[str]]] = {}
    systems: dict[str, list[list[str]]] = {}
    for name in sorted(texts):
        _, pair, kind, *_ = name.split(".")
        (systems if kind == "hyp" else references).setdefault(pair, []).append(texts[name])
    for turn in range(max(map(len, systems.values()))):
        for pair, outputs in systems.items():
            if turn < len(outputs):
                reference = references[pair][turn % len(references[pair])]
                for lines in zip(outputs[turn], reference, strict=True):
                    if lines[1] != NOT_TRANSLATED:
                        yield lines


def _english_texts(archive: Path) -> dict[str, list[str]]:
    texts = {}
    with tarfile.open(archive, "r|xz") as members:
        for member in members:
            name = Path(member.name).name
            if member.isfile() and name.endswith(".en") and "-en." in name and (".hyp." in name or ".ref." in name):
                file = members.extractfile(member)
                assert file is not None
                texts[name] = file.read().decode("utf-8").removesuffix("\n").split("\n")
    return texts

"""Synonym tables for the core, built from WordNet's own files.

Lookup follows WordNet. A word and its base forms (from the exception lists or, for words not listed there, from suffix
rules) lead to synsets of each part of speech; the names in them are its synonyms. Multi-word names are never synonyms,
because a token is one word, but they still lead to the other names in their synset.

A table is UTF-8 text. For each part of speech (noun, verb, adjective, adverb) it has the synsets, one per line, an
empty line, the exceptions, one per line with the form followed by its base forms, and an empty line. A synset is a
list of names, looked up in lowercase. Names that contain "_" or start with "\\x01" are only looked up and are never
synonyms. Names that start with "\\x02" are only synonyms.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bleuprint.errors import DataFileError, OptionError
from bleuprint.files import is_folder

SHIPPED = "wordnet-3.0"
FILE = "wordnet-3.0.xz"
LICENCE = "wordnet-3.0-license.txt"
_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_FILE_NAMES = tuple(name for part in _PARTS for name in (f"index.{part}", f"data.{part}", f"{part}.exc"))
_MOST_NAMES = 0xFF  # in a synset: the count is stored as two hexadecimal digits
_ONLY_LOOKED_UP, _ONLY_SYNONYM = "\x01", "\x02"

Index = dict[str, list[int]]
Synset = frozenset[str]


class Table(NamedTuple):
    """A synonym table and a name that identifies its content."""

    name: str
    text: bytes


def load(wordnet: str | os.PathLike[str]) -> Table:
    """Return the bundled table by its name, or the table of a folder with WordNet's files.

    >>> load("wordnet-3.0").name
    'wordnet-3.0'
    """
    if wordnet == SHIPPED:
        return _load_shipped()
    folder = Path(wordnet)
    if not os.fspath(wordnet) or not is_folder(folder):
        raise OptionError("wordnet", f"{SHIPPED!r} or a folder with WordNet's files", str(wordnet))
    return _of_folder(folder.resolve(), tuple(_stamp(folder / name) for name in _FILE_NAMES))


@lru_cache(maxsize=1)
def _load_shipped() -> Table:
    import lzma
    from importlib import resources

    return Table(SHIPPED, lzma.decompress(resources.files("bleuprint.core.data").joinpath(FILE).read_bytes()))


@lru_cache(maxsize=4)
def _of_folder(folder: Path, stamps: tuple[object, ...]) -> Table:
    """Read a folder; `stamps` in the cache key reloads it when a file changes."""
    import hashlib

    text = read_folder(folder)
    return Table(f"{folder.name}@{hashlib.sha256(text).hexdigest()[:12]}", text)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        raise DataFileError(str(path), "missing from the WordNet folder") from None
    return status.st_mtime_ns, status.st_size


def read_folder(folder: Path) -> bytes:
    """Return the table for a folder with index.*, data.*, and *.exc of the four parts of speech."""
    lines: list[str] = []
    for part, letter in _PARTS.items():
        index = _read_index(folder / f"index.{part}", letter)
        synsets = _synsets(folder / f"data.{part}", index)
        lines += [*sorted(" ".join(sorted(synset)) for synset in _largest(synsets)), ""]
        words = (line.split() for _, line in _lines(folder / f"{part}.exc"))
        bases = {form: own for form, *own in filter(None, words)}
        lines += [*(" ".join([form, *filter(index.__contains__, bases[form])]) for form in sorted(bases)), ""]
    return "".join(f"{line}\n" for line in lines).encode()


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield numbered lines without the license, whose lines start with a space."""
    try:
        with path.open(encoding="utf-8") as file:
            yield from ((number, line) for number, line in enumerate(file, 1) if not line.startswith(" "))
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(str(path), f"cannot be read as a WordNet file: {error}") from error


def _read_index(path: Path, letter: str) -> Index:
    """Return the synsets of every lemma, as offsets into the data file."""
    index: Index = {}
    for number, line in _lines(path):
        fields = line.split()
        try:
            lemma, part, count, pointers = fields[0], fields[1], int(fields[2]), int(fields[3])
            offsets = [int(field) for field in fields[6 + pointers :]]
        except (IndexError, ValueError):
            raise _line_fault(path, number, "lemma, part of speech, counts, offsets") from None
        if part != letter or not 0 < count == len(offsets):
            raise _line_fault(path, number, f"a lemma of part of speech {letter} with {count} offsets")
        index[lemma] = offsets
    return index


def _read_names(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the offset and names of every synset, without adjective position markers such as "(p)"."""
    for number, line in _lines(path):
        fields = line.split(" ", 4)
        try:
            offset, count = int(fields[0]), int(fields[3], 16)
            names = fields[4].split(" ", 2 * count)[: 2 * count : 2]
        except (IndexError, ValueError):
            raise _line_fault(path, number, "offset, file, part of speech, count, names") from None
        if not 0 < count == len(names) <= _MOST_NAMES:
            raise _line_fault(path, number, f"{count} names, at most {_MOST_NAMES}")
        yield offset, [re.sub(r"\([^()]*\)$", "", name) for name in names]


def _synsets(path: Path, index: Index) -> list[Synset]:
    """Return the lemmas and names of each synset, dropping synsets without any single word."""
    lemmas_at: dict[int, set[str]] = {}
    for lemma, offsets in index.items():
        for offset in offsets:
            lemmas_at.setdefault(offset, set()).add(lemma)
    synsets = [_members(lemmas_at.pop(offset, set()), names) for offset, names in _read_names(path)]
    if lemmas_at:
        raise DataFileError(str(path), f"the index refers to a synset at {min(lemmas_at)} that does not exist")
    return [synset for synset in synsets if any("_" not in member for member in synset)]


def _members(lemmas: set[str], names: list[str]) -> Synset:
    synonyms = {name for name in names if "_" not in name}
    by_lemma = {
        name.lower(): name for name in sorted(synonyms, reverse=True) if name.isascii() and name.lower() in lemmas
    }
    by_both_ways = set(by_lemma.values())
    only_lemmas = lemmas - set(by_lemma)
    return frozenset(
        by_both_ways
        | {lemma if "_" in lemma else _ONLY_LOOKED_UP + lemma for lemma in only_lemmas}
        | {_ONLY_SYNONYM + name for name in synonyms - by_both_ways}
    )


def _largest(synsets: list[Synset]) -> list[Synset]:
    """Return the synsets that are not a subset of another; the subsets add no synonyms."""
    kept: list[Synset] = []
    holding: dict[str, list[Synset]] = {}
    for synset in sorted(set(synsets), key=len, reverse=True):
        rarest = min((holding.get(member, []) for member in synset), key=len)
        if any(synset <= other for other in rarest):
            continue
        kept.append(synset)
        for member in synset:
            holding.setdefault(member, []).append(synset)
    return kept


def _line_fault(path: Path, number: int, expected: str) -> DataFileError:
    return DataFileError(str(path), f"not a valid WordNet line: it must hold {expected}", line=number)

"""An exact index of all n-grams of a corpus in one file.

The file holds the corpus as word numbers and the place of every word, sorted by the words that follow: a suffix array
(Manber and Myers 1993), bounded to `max_order` words and to the text. Counts are exact for every n-gram up to
`max_order`, and seen spans of any length are found. The file is mapped, not loaded: a query reads a few pages, and
every block of 4 KB is compared with its checksum when it is first read.
"""

from __future__ import annotations

import bisect
import hashlib
import mmap
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import accumulate
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Self

from bleuprint import checks
from bleuprint.core import ngram_index as native
from bleuprint.core import scripts, tokenizers
from bleuprint.core.columns import Text, Texts, checked_column, column
from bleuprint.core.counts import Column, Counts
from bleuprint.core.ngram_matches import NgramMatches, SoughtNgrams
from bleuprint.errors import IndexFileError, InputError, OptionError
from bleuprint.files import write_file
from bleuprint.signature import Option


class IndexSource(NamedTuple):
    """Where consecutive texts of an index come from."""

    name: str
    first: int  # number of the first of these texts in the source, from 0
    texts: int


class Place(NamedTuple):
    """A place in the indexed corpus."""

    source: str  # the file
    text: int  # the line or row there, from 1
    token: int  # the token of that text, from 0
    number: int  # of the text in the whole index, from 0


class Span(NamedTuple):
    """Tokens of a text that stand in the corpus in this order, and one place where they do."""

    begin: int
    length: int
    place: Place

    @property
    def end(self) -> int:
        return self.begin + self.length


class NgramIndex:
    """All n-grams of a corpus, with their counts and places.

    >>> index = NgramIndex.build(["the cat sat on the mat", "the cat ran"], max_order=4, tokenizer="whitespace")
    >>> index
    <NgramIndex max_order 4, 2 texts, 9 tokens, 6 words>
    >>> index.count("the cat"), index.count("the dog")
    (2, 0)
    >>> [(place.text, place.token) for place in index.find("the cat")]
    [(1, 0), (2, 0)]
    >>> [(span.begin, span.length) for span in index.spans("then the cat sat down", minimum=2)]
    [(1, 3)]
    """

    def __init__(
        self,
        content: bytes | mmap.mmap,
        name: str,
        *,
        tokenizer: str | tokenizers.Tokenize | None = None,
        path: Path | None = None,
    ) -> None:
        """Read an index from bytes or a mapping; use `open` or `build` to get one."""
        self._name, self._path, self._content = name, path, content
        with self._reading():
            self.native = native.NgramIndex(content)
        self.size = len(content)  # in bytes
        self.max_order: int = self.native.max_order  # the longest n-grams that are counted
        self.texts: int = self.native.texts
        self.tokens: int = self.native.tokens  # of all texts
        self.words: int = self.native.words  # different tokens
        self.tokenizer, self.sources = _parse_note(self.native, name, tokenizer)

    @classmethod
    def open(cls, path: str | PathLike[str], *, tokenizer: str | tokenizers.Tokenize | None = None) -> NgramIndex:
        """Open an index file.

        It must not change while it is open. A query of a file that was cut since raises an IndexFileError; one that is
        cut during a query ends the process, as with every mapped file, so replace files by moving new ones there.

        Pass `tokenizer` only if the file names one that it cannot contain: a function or a SentencePiece model.
        """
        try:
            if not stat.S_ISREG(Path(path).stat().st_mode):  # opening a pipe waits for a writer
                raise IndexFileError(str(path), "it is no regular file; copy the index to one")
            with Path(path).open("rb") as file:
                content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise IndexFileError(str(path), error.strerror or str(error)) from None
        except ValueError as error:  # an empty file cannot be mapped; a path with a NUL
            raise IndexFileError(str(path), f"it cannot be read ({error})") from None
        return cls(content, str(path), tokenizer=tokenizer, path=Path(path))

    @classmethod
    def build(
        cls,
        texts: Texts,
        *,
        max_order: int = 13,
        tokenizer: str | tokenizers.Tokenize = "13a",
        lowercase: bool = False,
        name: str = "texts",
        threads: int = 1,
    ) -> NgramIndex:
        """Index texts that are in memory; `bleuprint.corpora.build_index` indexes files of any size."""
        reader = tokenizers.resolve(tokenizer, lowercase)
        builder = native.IndexBuilder(check_order(max_order))
        checked = checked_column(texts, "texts")
        scripts.warn_of_unread("index", reader, checked)
        read = reader.prepare_column(checked, "texts")
        native.prepare(*reader.reading)
        builder.add(read, 0, *reader.reading, 1 << 62)
        sources = [IndexSource(name, 0, builder.texts)]
        import tempfile

        with tempfile.TemporaryFile() as file:
            builder.write(file.fileno(), note(reader, sources), threads)
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return cls(content, name, tokenizer=reader.argument)

    @classmethod
    def resolve(
        cls, index: NgramIndex | str | PathLike[str], *, tokenizer: str | tokenizers.Tokenize | None = None
    ) -> NgramIndex:
        """Return the index, opened if it is a path."""
        if isinstance(index, NgramIndex):
            return index
        checks.instance("index", index, (str, PathLike), "an NgramIndex or the path of one")
        return cls.open(index, tokenizer=tokenizer)

    @property
    def options(self) -> dict[str, Option]:
        """Options that identify the index in a signature."""
        reader = self.tokenizer
        return {"index": f"sha256-{self.digest}", "tokenizer": reader.name, "lowercase": reader.lowercase}

    @cached_property
    def digest(self) -> str:
        """The first 64 bits of a SHA-256 that identifies the index, from the checksums of all its blocks."""
        return hashlib.sha256(self.native.seal).hexdigest()[:16]

    def verify(self) -> None:
        """Read the whole file and raise an IndexFileError if any byte of it was damaged."""
        with self._reading():
            self.native.verify()

    def count(self, ngram: Text) -> int:
        """How often the corpus contains this n-gram."""
        return self.counts([ngram])[0]

    def counts(self, ngrams: Iterable[Text]) -> list[int]:
        """How often the corpus contains each of these n-grams.

        >>> NgramIndex.build(["a b a b"], tokenizer="whitespace").counts(["a", "a b", "b b"])
        [2, 2, 0]
        """
        read = self.tokenizer.prepare_column(checked_column(ngrams, "ngrams"), "ngrams")
        with self._reading():
            found = self.native.counts(read, *self.tokenizer.reading)
        if -1 in found:
            raise InputError(f"ngrams[{found.index(-1)}] must have 1 to {self.max_order} tokens in this index.")
        return found

    def find(self, ngram: Text, *, limit: int = 10) -> list[Place]:
        """Where the corpus contains this n-gram; at most `limit` places, the first ones of the corpus first."""
        self.count(ngram)  # checks its length
        checks.integer("limit", limit)
        with self._reading():
            places = self.native.places(self._one(ngram), *self.tokenizer.reading, limit)
        return [self.place(text, token) for text, token in places]

    def spans(self, text: Text, *, minimum: int = 1) -> list[Span]:
        """The longest runs of tokens of a text that the corpus contains, none inside another, from left to right.

        Runs shorter than `minimum` are left out. They may be longer than `max_order`, and may overlap.
        """
        ((spans, _),) = self.spans_of(self._one(text))
        return [span for span in spans if span.length >= minimum]

    def spans_of(self, texts: Column) -> Iterator[tuple[list[Span], list[str]]]:
        """The longest runs and the tokens of each text of a prepared column."""
        with self._reading():
            found = self.native.seen_spans(texts, *self.tokenizer.reading)
        split = texts if texts.tokenized else texts.split(*self.tokenizer.reading)
        for lengths, (tokens,) in zip(found, split.unpack(), strict=True):
            spans, reached = [], 0
            for begin, (length, number, token) in enumerate(lengths):
                if begin + length > reached:
                    spans.append(Span(begin, length, self.place(number, token)))
                    reached = begin + length
            yield spans, [str(token) for token in tokens]

    def matches(self, sought: SoughtNgrams) -> NgramMatches:
        """What the corpus contains of n-grams of at most `max_order` tokens, read by the tokenizer of the index."""
        found = NgramMatches(sought)
        with self._reading():
            found.add_index(sought, self.native, self._begins, [source.first for source in self.sources])
        for number, source in enumerate(self.sources):
            found.finish_file(number, source.texts, b"")
        return found

    def words_at(self, number: int, begin: int, end: int) -> list[str]:
        """The tokens of an indexed text from `begin` to `end`."""
        with self._reading():
            return [str(word) for word in self.native.text_words(number, max(0, begin), max(0, end))]

    def place(self, number: int, token: int) -> Place:
        """The place of a token of an indexed text."""
        at = bisect.bisect_right(self._begins, number) - 1
        source = self.sources[at]
        return Place(source.name, source.first + number - self._begins[at] + 1, token, number)

    def seen_counts(self, orders: tuple[int, ...], *, whole: bool = False) -> Counts:
        """Return the counting request for metrics against this index."""
        self._check_whole()
        return native.seen_ngrams(self.native, *self.tokenizer.reading, orders, whole=whole)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn faults of the file into errors that name it."""
        self._check_whole()
        try:
            yield
        except native.IndexFault as fault:
            raise IndexFileError(self._name, str(fault)) from None

    def _check_whole(self) -> None:
        """Refuse a file that was cut: reading its mapping would end the process."""
        if isinstance(self._content, mmap.mmap) and self._content.size() < len(self._content):
            raise IndexFileError(self._name, "it was cut while it was open; build it again")

    @cached_property
    def _begins(self) -> list[int]:
        return [0, *accumulate(source.texts for source in self.sources)][:-1]

    def _one(self, text: Text) -> Column:
        one = column([text], "text", tokenized=isinstance(text, list | tuple), index=False)
        return self.tokenizer.prepare_column(one, "text")

    def __reduce__(self) -> tuple[object, ...]:
        argument = self.tokenizer.argument
        if self._path is not None:
            return _reopen, (type(self), str(self._path.absolute()), argument, self.digest)
        raise InputError("an index in memory cannot be sent to another process; save it, and open the file.")

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the index to a file."""
        sources = note(self.tokenizer, self.sources)
        with self._reading():
            write_file(
                Path(path),
                lambda descriptor: native.merge_indexes([self.native], descriptor, sources),
                overwrite=overwrite,
            )

    def __deepcopy__(self, memo: object) -> Self:
        return self  # nothing can change it

    def __copy__(self) -> Self:
        return self

    def __repr__(self) -> str:
        return (
            f"<NgramIndex max_order {self.max_order}, {self.texts:,} texts, {self.tokens:,} tokens, "
            f"{self.words:,} words>"
        )


def _reopen(kind: type[NgramIndex], path: str, tokenizer: str | tokenizers.Tokenize | None, digest: str) -> NgramIndex:
    index = kind.open(path, tokenizer=tokenizer)
    if index.digest != digest:
        raise IndexFileError(path, f"its digest is {index.digest}, not {digest}: it is another index")
    return index


def check_order(value: object) -> int:
    """Validate the longest order of an index."""
    return checks.order("max_order", value, largest=native.LARGEST_INDEX_ORDER)


def note(tokenizer: tokenizers.Tokenizer, sources: Sequence[IndexSource]) -> bytes:
    """What an index file says about its texts; sources that continue each other are one."""
    runs: list[IndexSource] = []
    for source in sources:
        last = runs[-1] if runs else None
        if last is not None and (last.name, last.first + last.texts) == (source.name, source.first):
            runs[-1] = last._replace(texts=last.texts + source.texts)
        elif source.texts > 0:
            runs.append(source)
    import json  # not for every import of the metrics

    content = {"lowercase": tokenizer.lowercase, "sources": runs, "tokenizer": tokenizer.name}
    return json.dumps(content, sort_keys=True, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _parse_note(
    index: native.NgramIndex, name: str, tokenizer: str | tokenizers.Tokenize | None
) -> tuple[tokenizers.Tokenizer, tuple[IndexSource, ...]]:
    import json

    try:
        content = json.loads(index.note)
        sources = tuple(IndexSource(*source) for source in content["sources"])
        recorded, lowercase = content["tokenizer"], content["lowercase"]
        whole = all(
            isinstance(source.name, str)
            and type(source.first) is type(source.texts) is int
            and source.first >= 0 < source.texts
            for source in sources
        )
        valid = whole and isinstance(recorded, str) and isinstance(lowercase, bool)
    except (ValueError, TypeError, KeyError, RecursionError):
        valid = False
    if not valid or sum(source.texts for source in sources) != index.texts:
        raise IndexFileError(name, "it does not say how its texts were read")
    absent = tokenizers.missing(recorded) if tokenizer is None else None
    if absent is not None:
        raise OptionError.because(f"the tokenizer of {name}, {recorded}, is {absent}")
    reader = tokenizers.resolve(recorded if tokenizer is None else tokenizer, lowercase)
    if reader.name != recorded:
        raise OptionError("tokenizer", f"the one that {name} was built with ({recorded})", reader.name)
    return reader, sources

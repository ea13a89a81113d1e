"""Find texts in a corpus that passes by once, without an index.

The texts are compiled into a table of their n-grams, and the files of the corpus are read in parallel. In how many
records each n-gram occurs is counted exactly, and its first places are kept. What is kept grows with the texts, not
with the corpus, and results of parts of the corpus add up to the result of the whole.

A journal holds what was found in the files that are done. It is replaced as a whole, so a search that was killed goes
on after them, and the journals of several machines can be merged.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from unicodedata import unidata_version

from bleuprint import __version__, checks, signature
from bleuprint.core import tokenizers
from bleuprint.core.columns import Texts, checked_column, column
from bleuprint.core.counts import Column
from bleuprint.core.ngram_index import LARGEST_INDEX_ORDER
from bleuprint.core.ngram_matches import NgramMatches, rows_of_matches, seek_ngrams
from bleuprint.core.threads import worker_count
from bleuprint.corpora.building import file_stamp, tokenizer_stamp
from bleuprint.corpora.seen import Effect, Judged
from bleuprint.dataset.arrow import is_saved_dataset
from bleuprint.dataset.opening import PathLike, check_paths, name_of, translate_errors
from bleuprint.dataset.stream import text_blocks
from bleuprint.errors import DataFileError, LengthMismatchError, OptionError
from bleuprint.files import check_targets, write_files
from bleuprint.metrics.contamination import by_rule, check_rule

CONTAMINATED, UNCLEAR, CLEAN = VERDICTS = ("contaminated", "unclear", "clean")
RARE = 10  # records that may contain a rare n-gram
_MOST = 0.5  # of the n-grams of a text
_LONG = 50  # tokens, as Lee et al. (2022), Deduplicating Training Data Makes Language Models Better
_SHOWN_SPANS = 3
_BETWEEN_JOURNALS = 2.0  # seconds
_VERSION = 1

File = tuple[int, str]  # its number in the whole corpus, and its path
Engine = Callable[[Callable[[File], bytes], Sequence[File]], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class StreamSpan:
    """Tokens of a text that stand in the corpus in this order, and the words around them there."""

    begin: int
    length: int
    file: str
    record: int  # from 1
    token: int  # of the record, from 0
    text: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a corpus contains of a text.

    The text is contaminated if half of its n-grams are found and rare, or if a run of 50 tokens is. It is unclear if an
    n-gram is rare, or if half of them are found. A text shorter than the n-grams may occur by chance: it is unclear at
    most.
    """

    verdict: str
    summary: str  # the evidence in words
    by_rule: bool  # whether the rule calls the text contaminated
    tokens: int
    ngrams: int
    rare: int  # n-grams found in few records
    matches: tuple[tuple[int, int, int, list[tuple[int, int, int]]], ...]
    """For each n-gram that was found: its number, its first token, in how many records of the corpus it occurs, and its
    place in the first of them: the number of the file, of the record, and of the token."""
    spans: tuple[StreamSpan, ...]  # the longest first


@dataclass(frozen=True, slots=True)
class StreamedItem:
    """What a corpus contains of an item: of its text, and of its answer if it has one."""

    number: int  # from 1
    verdict: str  # that of the text, or of an answer that is no shorter than the n-grams, whichever is worse
    text: Evidence
    answer: Evidence | None

    @property
    def contaminated(self) -> bool:
        """Whether that is the verdict."""
        return self.verdict == CONTAMINATED


@dataclass(frozen=True, slots=True, repr=False)
class CorpusMatches(Judged):
    """What a corpus contains of items; `with_effects` adds what that does to scores."""

    texts: tuple[StreamedItem, ...]
    signature: str
    files: tuple[str, ...]  # of the whole corpus
    records: int  # that were read
    effects: tuple[Effect, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def verdicts(self) -> dict[str, int]:
        """How many items have each verdict."""
        return {verdict: sum(item.verdict == verdict for item in self.texts) for verdict in VERDICTS}

    @property
    def by_rule(self) -> int:
        """How many items the rule calls contaminated, by their texts."""
        return sum(item.text.by_rule for item in self.texts)

    @property
    def found(self) -> list[StreamedItem]:
        """The items of which something was found, contaminated ones and long spans first."""
        some = [item for item in self.texts if item.text.matches or (item.answer is not None and item.answer.matches)]
        longest = {item.number: max((span.length for span in item.text.spans), default=0) for item in some}
        return sorted(some, key=lambda item: (VERDICTS.index(item.verdict), -longest[item.number]))

    def to_dict(self) -> dict[str, object]:
        """Everything, ready for JSON."""
        effects = [effect.to_dict() for effect in self.effects]
        return {"verdicts": self.verdicts, "by_rule": self.by_rule, **asdict(self), "effects": effects}

    def __repr__(self) -> str:
        return f"<CorpusMatches {self.verdicts[CONTAMINATED]:,} of {len(self.texts):,} items are contaminated>"


class CorpusSearch:
    """Texts to find in the files of a corpus, by the rule of a paper and by how rare what is found is.

    >>> import tempfile
    >>> corpus = Path(tempfile.mkdtemp()) / "corpus.txt"
    >>> _ = corpus.write_text("he said the cat sat on a mat today\\nnothing\\n")
    >>> result = CorpusSearch(["the cat sat on a chair", "the dog"], order=4).run(corpus)
    >>> [item.verdict for item in result.texts], result.texts[0].text.summary
    (['contaminated', 'clean'], '2 of 3 4-grams, in 1 record')
    >>> span = result.texts[0].text.spans[0]
    >>> span.before, span.text, span.after, span.record
    ('he said', 'the cat sat on a', 'mat today', 1)

    - `texts`: the texts of the items, such as questions
    - `answers`: their answers, which are judged apart
    - `rule`: the profile of `Contamination` whose verdict is given, too; `order`, `unit`, `share` and `short` change it
    - `rare`: in how many records a rare n-gram occurs at most
    - `tokenizer`, `lowercase`: how texts and corpus become tokens
    """

    def __init__(
        self,
        texts: Texts,
        *,
        answers: Texts | None = None,
        rule: str = "gpt3",
        order: int | None = None,
        unit: str | None = None,
        share: float | None = None,
        short: str | None = None,
        rare: int = RARE,
        tokenizer: str | tokenizers.Tokenize = "13a",
        lowercase: bool = False,
    ) -> None:
        rules = check_rule(rule, LARGEST_INDEX_ORDER, order=order, unit=unit, share=share, short=short)
        self.reader, self.rare = tokenizers.resolve(tokenizer, lowercase), checks.integer("rare", rare, 0)
        given = [checked_column(texts, "texts"), *([] if answers is None else [checked_column(answers, "answers")])]
        self._size = len(given[0])
        if len(given[-1]) != self._size:
            raise LengthMismatchError("texts", self._size, "answers", len(given[-1]))
        self._items = [text for one in given for (text,) in one.unpack()]
        self._options = {**rules, "rare": self.rare, "lowercase": self.reader.lowercase}
        self._answers, self._tokenizer = answers is not None, tokenizer
        read = self.reader.prepare_column(
            column(self._items, "texts", tokenized=any(one.tokenized for one in given)), "texts"
        )
        whole = rules["short"] == "whole"
        self.sought = seek_ngrams(read, *self.reader.reading, rules["order"], whole=whole)
        self._settings: dict[str, object] = {
            "version": [_VERSION, __version__, unidata_version],
            "texts": hashlib.sha256(repr(read.unpack()).encode()).hexdigest(),
            "order": [rules["order"], whole],
            "tokenizer": [self.reader.name, self.reader.lowercase, *map(str, tokenizer_stamp(tokenizer))],
        }

    def __reduce__(self) -> tuple[object, ...]:
        texts, answers = self._items[: self._size], self._items[self._size :] if self._answers else None
        return partial(CorpusSearch, answers=answers, **self._options, tokenizer=self._tokenizer), (texts,)

    def run(
        self,
        paths: Sequence[PathLike] | PathLike,
        *,
        column: str | None = None,
        errors: str = "strict",
        part: tuple[int, int] | None = None,
        journal: PathLike | None = None,
        restart: bool = False,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
        engine: Engine | None = None,
    ) -> CorpusMatches:
        """Read the files of a corpus and return what they contain of the texts.

        - `paths`: files of any format that bleuprint reads, folders of them, patterns such as "corpus/*.jsonl.zst", or
          "-" for standard input
        - `column`: the column of tables that holds the texts
        - `errors`: "replace" replaces invalid UTF-8
        - `part`: (3, 16) reads the third of sixteen parts of the files; `merge` puts their journals together
        - `journal`: a file for what was found in the files that are done; if it exists, the search goes on from there
        - `restart`: discard what the journal holds
        - `progress`: called with the number of bytes after each block
        - `engine`: maps a function over the files elsewhere, such as on a cluster
        """
        files = corpus_files(paths)
        number, parts = part or (1, 1)
        if not 1 <= number <= parts:
            raise OptionError("part", "(number, parts) with a number from 1 to parts", part)
        settings = {**self._settings, "files": files, "column": column, "errors": errors}
        goes_on = journal is not None and Path(journal).exists() and not restart
        if journal is not None:
            check_targets([journal], overwrite=restart or goes_on)
        stamps = {at: repr(file_stamp(files[at])).encode() for at in range(number - 1, len(files), parts)}
        matches = NgramMatches(self.sought)
        if journal is not None and goes_on:
            matches, _ = self._read(journal, settings)
            changed = [files[at] for at, (_, stamp) in matches.files().items() if stamps.get(at) != stamp]
            if changed:
                problem = "it has changed since the journal was written, or belongs to another part"
                raise DataFileError(changed[0], f"{problem}; pass --restart (restart=True) to start again")
        rest = [(at, files[at]) for at in stamps.keys() - matches.files().keys()]
        workers = worker_count(threads)
        scan = partial(self.scan, column=column, errors=errors, threads=max(1, workers // max(1, len(rest))))
        due = time.monotonic() + _BETWEEN_JOURNALS
        try:
            for content in engine(scan, rest) if engine else _in_threads(scan, rest, workers, progress):
                found = NgramMatches(self.sought)
                found.parse(content, len(files))
                for at, (records, _) in found.files().items():
                    found.finish_file(at, records, stamps[at])
                matches.merge(found)
                if journal is not None and (begin := time.monotonic()) > due:
                    _write(journal, settings, matches)
                    due = time.monotonic() + max(_BETWEEN_JOURNALS, 20 * (time.monotonic() - begin))
        finally:
            if journal is not None:
                _write(journal, settings, matches)
        notes = () if part is None else (f"part {number} of {parts}: {len(stamps):,} of {len(files):,} files",)
        return self._judge(matches, files, notes)

    def scan(
        self,
        file: File,
        *,
        column: str | None = None,
        errors: str = "strict",
        threads: int = 1,
        progress: Callable[[int], object] | None = None,
    ) -> bytes:
        """What one file contains of the texts, as bytes; `run` gives them their meaning."""
        (number, path), records, matches = file, 0, NgramMatches(self.sought)
        for block in text_blocks(path, column=column, errors=errors, progress=progress):
            matches.add(self.sought, self.reader.prepare_column(block, path), number, records, threads)
            records += len(block)
        matches.finish_file(number, records, b"")
        return matches.content()

    def mark(self, texts: Column, ngrams: Sequence[int]) -> list[tuple[int, int, int, list[int]]]:
        """Where texts contain some of the n-grams: the text, the first token, the one after the last, the n-grams."""
        return self.sought.mark(self.reader.prepare_column(texts, "texts"), ngrams)

    def merge(self, journals: Sequence[PathLike]) -> CorpusMatches:
        """The result of a whole corpus, from the journals of all its parts."""
        if not journals:
            raise OptionError("journals", "at least one", journals)
        whole, settings = self._read(journals[0], {})
        for path in journals[1:]:
            try:
                whole.merge(self._read(path, settings)[0])
            except ValueError:
                raise DataFileError(
                    name_of(path), "another journal has files of it, too; pass each part once"
                ) from None
        files: list[str] = settings["files"]
        missing = [name for at, name in enumerate(files) if at not in whole.files()]
        if missing:
            problem = f"{missing[0]} is in no journal, nor are {len(missing) - 1:,} other files; finish all parts first"
            raise DataFileError(" and ".join(map(name_of, journals)), problem)
        return self._judge(whole, files, ())

    def _read(self, path: PathLike, settings: Mapping[str, object]) -> tuple[NgramMatches, dict[str, Any]]:
        """What a journal holds, and the settings that it was written with."""
        with translate_errors(name_of(path)):
            head, _, content = Path(path).read_bytes().partition(b"\n")
        matches = NgramMatches(self.sought)
        try:
            header = json.loads(head)
            written: dict[str, Any] = header["bleuprint_seen"]
            is_whole = header["sha256"] == _digest(written, content) and all(
                isinstance(name, str) for name in written["files"]
            )
        except (ValueError, TypeError, KeyError, RecursionError):
            is_whole = False
        if not is_whole:
            raise DataFileError(name_of(path), "it is no journal of a search, or it is damaged")
        for key, expected in {**self._settings, **settings}.items():
            if written.get(key) != expected:
                problem = f"it was written with another {key}; pass the same, or --restart (restart=True)"
                raise DataFileError(name_of(path), problem)
        try:
            matches.parse(content, len(written["files"]))
        except ValueError as error:
            raise DataFileError(name_of(path), f"it is damaged ({error})") from None
        return matches, written

    def _judge(self, matches: NgramMatches, files: Sequence[str], notes: tuple[str, ...]) -> CorpusMatches:
        rows = rows_of_matches(matches, self.sought)
        flagged = by_rule(rows, self._options["unit"], self._options["share"]).tolist()
        judged = [
            self._evidence(matches, at, tokens, ngrams, bool(flagged[at]), files)
            for at, (tokens, ngrams, _, _) in enumerate(rows.tolist())
        ]
        items = []
        for number, text in enumerate(judged[: self._size]):
            answer = judged[self._size + number] if self._answers else None
            counted = [text, *([answer] if answer is not None and answer.tokens >= self._options["order"] else [])]
            verdict = min((one.verdict for one in counted), key=VERDICTS.index)
            items.append(StreamedItem(number + 1, verdict, text, answer))
        described = signature.write(
            "seen", _VERSION, {**self._options, "tokenizer": self.reader.name}, {"version": __version__}
        )
        read = sum(records for records, _ in matches.files().values())
        return CorpusMatches(tuple(items), described, tuple(files), read, notes=notes)

    def _evidence(
        self, matches: NgramMatches, at: int, tokens: int, ngrams: int, flagged: bool, files: Sequence[str]
    ) -> Evidence:
        rare, longest_rare, found, runs = matches.of_text(self.sought, at, self.rare, _SHOWN_SPANS)
        order, is_most = self._options["order"], len(found) >= _MOST * ngrams and bool(found)
        verdict, what = UNCLEAR if rare or is_most else CLEAN, f"{len(found):,} of {ngrams:,} {order}-grams"
        if tokens < order:
            verdict, what = UNCLEAR if rare else CLEAN, f"all {tokens} tokens"
        elif found and (rare >= _MOST * ngrams or longest_rare >= _LONG):
            verdict = CONTAMINATED
        counted = sorted(records for _, _, records, _ in found) or [0]
        least, middle, most = counted[0], counted[len(counted) // 2], counted[-1]
        where = f"{least:,}" if least == most else f"{least:,} to {most:,} (median {middle:,})"
        summary = f"{what}, in {where} record{'s' * (most > 1)}" if found else "nothing"
        spans = tuple(
            StreamSpan(begin, length, files[file], record + 1, token, *words)
            for begin, length, (file, record, token), *words in runs
        )
        return Evidence(verdict, summary, flagged, tokens, ngrams, rare, tuple(found), spans)


def corpus_files(paths: Sequence[PathLike] | PathLike) -> list[str]:
    """The files that paths, folders and patterns mean, in order."""
    found: list[str] = []
    for path in [paths] if isinstance(paths, str | os.PathLike) else paths:
        name, pattern = os.fspath(path), glob.has_magic(os.fspath(path)) and not os.path.lexists(path)
        if pattern or (Path(path).is_dir() and not is_saved_dataset(path)):
            inside = map(Path, glob.glob(name, recursive=True)) if pattern else Path(path).rglob("[!._]*")  # noqa: PTH207
            matching = sorted(str(file) for file in inside if file.is_file())
            if not matching:
                raise DataFileError(name, "there are no such files")
            found += matching
        else:
            found.append(name)
    check_paths(found)
    if not found or len(set(found)) < len(found):
        raise OptionError("paths", "at least one file, and each once", found)
    return found


def _digest(settings: Mapping[str, object], content: bytes) -> str:
    return hashlib.sha256(json.dumps(settings).encode() + content).hexdigest()


def _write(journal: PathLike, settings: Mapping[str, object], matches: NgramMatches) -> None:
    content = matches.content()
    header = json.dumps({"bleuprint_seen": settings, "sha256": _digest(settings, content)})
    write_files({Path(journal): header.encode() + b"\n" + content}, overwrite=True)


def _in_threads(
    scan: Callable[..., bytes], files: Sequence[File], workers: int, progress: Callable[[int], object] | None
) -> Iterator[bytes]:
    """Scan files in threads; what each of them gave comes when it is done."""
    stopped, lock = threading.Event(), threading.Lock()

    def report(count: int) -> None:
        if stopped.is_set():
            raise InterruptedError
        with lock:
            if progress is not None:
                progress(count)

    def work() -> None:
        while not stopped.is_set():
            with lock:
                file = next(waiting, None)
            if file is None:
                return
            try:
                done.put(scan(file, progress=report))
            except BaseException as error:
                done.put(error)

    waiting, done = iter(files), SimpleQueue[bytes | BaseException]()
    threads = [threading.Thread(target=work) for _ in range(min(workers, len(files)))]
    for thread in threads:
        thread.start()
    try:
        for _ in files:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        stopped.set()
        for thread in threads:
            thread.join()

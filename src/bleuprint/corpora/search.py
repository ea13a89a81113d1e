"""Find texts in a corpus: in an index of it, or in its files, which pass by once.

The texts are compiled into a table of their n-grams. In how many records of the corpus each of them occurs is counted
exactly, and its first places are kept. An index is asked for every n-gram. Files are read in parallel: what is kept
grows with the texts, not with the corpus, and results of parts of the corpus add up to the result of the whole.

A journal holds what was found so far. It is replaced as a whole, so a search that was killed goes on from there, and
the journals of several machines can be merged.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple
from unicodedata import unidata_version

from bleuprint import __version__, checks, signature
from bleuprint.core import tokenizers
from bleuprint.core.columns import Texts, checked_column
from bleuprint.core.columns import column as _column
from bleuprint.core.counts import Column, column_strings
from bleuprint.core.ngram_index import LARGEST_INDEX_ORDER
from bleuprint.core.ngram_matches import NgramMatches, rows_of_matches, seek_ngrams
from bleuprint.core.threads import worker_count
from bleuprint.corpora.building import file_stamp, tokenizer_stamp
from bleuprint.corpora.findings import CLEAN, CONTAMINATED, UNCLEAR, VERDICTS, Evidence, Seen, SeenItem, SeenSpan
from bleuprint.dataset.arrow import is_saved_dataset
from bleuprint.dataset.opening import PathLike, check_paths, name_of, translate_errors
from bleuprint.dataset.stream import text_blocks
from bleuprint.errors import DataFileError, LengthMismatchError, OptionError
from bleuprint.files import check_targets, write_files
from bleuprint.metrics.contamination import Contamination, by_rule, check_rule
from bleuprint.metrics.novelty import Novelty
from bleuprint.models.ngram_index import NgramIndex
from bleuprint.signature import Option

RARE = 10  # records that may contain a rare n-gram
_MOST = 0.5  # of the n-grams of a text
_LONG = 50  # tokens, as Lee et al. (2022), Deduplicating Training Data Makes Language Models Better
_SHOWN_SPANS = 3
_BETWEEN_JOURNALS = 2.0  # seconds
_PART = b"part of "  # before the stamp of a file that was not read to its end
_VERSION = 1

File = tuple[int, str, int]  # its number in the whole corpus, its path, and how many of its records are done


class Scanned(NamedTuple):
    """What the next records of a file contain of texts."""

    file: int  # its number
    records: int  # of the file that are done
    is_whole: bool  # whether these are all
    matches: bytes


Engine = Callable[[Callable[[File], Iterable[Scanned]], Sequence[File]], Iterable[Scanned]]


def seen(
    texts: Texts,
    index: NgramIndex | PathLike,
    *,
    answers: Texts | None = None,
    rule: str = "gpt3",
    order: int | None = None,
    unit: str | None = None,
    share: float | None = None,
    short: str | None = None,
    rare: int = RARE,
    threads: int | None = None,
) -> Seen:
    """Find the texts that an indexed corpus contains, and where.

    `rule` is the profile of `Contamination`; `order`, `unit`, `share` and `short` change it.

    - `answers`: the answers to texts that are questions, which are judged apart
    - `rare`: in how many records of the corpus a rare n-gram occurs at most

    >>> index = NgramIndex.build(["the cat sat on the mat all day"], max_order=4, name="corpus.txt")
    >>> result = seen(["he said the cat sat on a chair", "nothing is known"], index, order=4)
    >>> [(item.verdict, item.text.summary) for item in result.texts]
    [('unclear', '1 of 5 4-grams, in 1 record'), ('clean', 'nothing')]
    >>> span = result.texts[0].text.spans[0]
    >>> span.text, span.file, span.record
    ('the cat sat on', 'corpus.txt', 1)

    How much do contaminated texts help a system?

    >>> leaked, other = "the cat sat on the mat", "nothing is known"
    >>> result = seen([leaked, other], index, order=4)
    >>> (effect,) = result.with_effects({"A": [leaked, "not much"]}, [leaked, other], permutations=100).effects
    >>> round(effect.value, 2), effect.clean_value, effect.matters
    (0.78, 0.0, False)
    """
    corpus = NgramIndex.resolve(index)
    rules: dict[str, Any] = {"order": order, "unit": unit, "share": share, "short": short}
    Contamination(corpus, profile=rule, **rules)  # checks what the index can tell
    reader = corpus.tokenizer
    search = CorpusSearch(
        texts,
        answers=answers,
        rule=rule,
        **rules,
        rare=rare,
        tokenizer=reader.argument or reader.name,
        lowercase=reader.lowercase,
    )
    score = Novelty(corpus, order=1).corpus(texts, threads=threads)
    ngrams = score.columns[1::3]
    novelty = (share if total else None for share, total in zip(score.curve, ngrams, strict=True))
    files = [source.name for source in corpus.sources]
    return search.judge(corpus.matches(search.sought), files, novelty=tuple(novelty), index=corpus.options["index"])


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
            _column(self._items, "texts", tokenized=any(one.tokenized for one in given)), "texts"
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
    ) -> Seen:
        """Read the files of a corpus and return what they contain of the texts.

        - `paths`: files of any format that bleuprint reads, folders of them, patterns such as "corpus/*.jsonl.zst", or
          "-" for standard input
        - `column`: the column of tables that holds the texts
        - `errors`: "replace" replaces invalid UTF-8
        - `part`: (3, 16) reads the third of sixteen parts of the files; `merge` puts their journals together
        - `journal`: a file for what was found so far; if it exists, the search goes on from there
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
        done = matches.files()
        changed = [files[at] for at, (_, stamp) in done.items() if stamp.removeprefix(_PART) != stamps.get(at)]
        if changed:
            problem = "it has changed since the journal was written, or belongs to another part"
            raise DataFileError(changed[0], f"{problem}; pass --restart (restart=True) to start again")
        rest = [(at, files[at], done[at][0] if at in done else 0) for at in stamps if not _is_whole(done, at)]
        workers = worker_count(threads)
        scan = partial(self.scan, column=column, errors=errors, threads=max(1, workers // max(1, len(rest))))
        due = time.monotonic() + _BETWEEN_JOURNALS
        try:
            for scanned in engine(scan, rest) if engine else _in_threads(scan, rest, workers, progress):
                found = NgramMatches(self.sought)
                found.parse(scanned.matches, len(files))
                matches.merge(found)
                stamp = stamps[scanned.file]
                matches.finish_file(scanned.file, scanned.records, stamp if scanned.is_whole else _PART + stamp)
                if journal is not None and (begin := time.monotonic()) > due:
                    _write(journal, settings, matches)
                    due = time.monotonic() + max(_BETWEEN_JOURNALS, 20 * (time.monotonic() - begin))
        finally:
            if journal is not None:
                _write(journal, settings, matches)
        notes = () if part is None else (f"part {number} of {parts}: {len(stamps):,} of {len(files):,} files",)
        return self.judge(matches, files, notes=notes)

    def scan(
        self,
        file: File,
        *,
        column: str | None = None,
        errors: str = "strict",
        threads: int = 1,
        progress: Callable[[int], object] | None = None,
    ) -> Iterator[Scanned]:
        """Yield every few seconds what the next records of a file contain of the texts."""
        number, path, known = file
        records, matches, due = 0, NgramMatches(self.sought), time.monotonic() + _BETWEEN_JOURNALS
        for block in text_blocks(path, column=column, errors=errors, progress=progress):
            begin, records = records, records + len(block)
            if records <= known:
                continue
            if begin < known:
                block, begin = _column(column_strings(block)[known - begin :], path), known
            matches.add(self.sought, self.reader.prepare_column(block, path), number, begin, threads)
            if time.monotonic() > due:
                yield Scanned(number, records, False, matches.content())
                matches, due = NgramMatches(self.sought), time.monotonic() + _BETWEEN_JOURNALS
        yield Scanned(number, records, True, matches.content())

    def mark(self, texts: Column, ngrams: Sequence[int]) -> list[tuple[int, int, int, list[int]]]:
        """Where texts contain some of the n-grams: the text, the first token, the one after the last, the n-grams."""
        return self.sought.mark(self.reader.prepare_column(texts, "texts"), ngrams)

    def merge(self, journals: Sequence[PathLike]) -> Seen:
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
        missing = [name for at, name in enumerate(files) if not _is_whole(whole.files(), at)]
        if missing:
            others = f" and {len(missing) - 1:,} others were" if len(missing) > 1 else " was"
            problem = f"{missing[0]}{others} not searched to the end; finish all parts first"
            raise DataFileError(" and ".join(map(name_of, journals)), problem)
        return self.judge(whole, files)

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

    def judge(
        self,
        matches: NgramMatches,
        files: Sequence[str],
        *,
        notes: tuple[str, ...] = (),
        novelty: tuple[float | None, ...] = (),
        **corpus: Option,
    ) -> Seen:
        """The result, from what a corpus contains; `corpus` are options that identify it."""
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
            items.append(SeenItem(number + 1, verdict, text, answer))
        options = {**self._options, "tokenizer": self.reader.name, **corpus}
        described = signature.write("seen", _VERSION, options, {"version": __version__})
        read = sum(records for records, _ in matches.files().values())
        return Seen(tuple(items), described, tuple(files), read, novelty, notes=notes)

    def _evidence(
        self, matches: NgramMatches, at: int, tokens: int, ngrams: int, flagged: bool, files: Sequence[str]
    ) -> Evidence:
        rare, longest_rare, found, runs = matches.of_text(self.sought, at, min(self.rare, sys.maxsize), _SHOWN_SPANS)
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
            SeenSpan(begin, length, files[file], record + 1, token, *words)
            for begin, length, (file, record, token), *words in runs
        )
        words = tuple(self.sought.words(at)) if found else ()
        return Evidence(verdict, summary, flagged, tokens, words, ngrams, rare, tuple(found), spans)


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


def _is_whole(files: Mapping[int, tuple[int, bytes]], at: int) -> bool:
    """Whether a file was read to its end."""
    return at in files and not files[at][1].startswith(_PART)


def _digest(settings: Mapping[str, object], content: bytes) -> str:
    return hashlib.sha256(json.dumps(settings).encode() + content).hexdigest()


def _write(journal: PathLike, settings: Mapping[str, object], matches: NgramMatches) -> None:
    content = matches.content()
    header = json.dumps({"bleuprint_seen": settings, "sha256": _digest(settings, content)})
    write_files({Path(journal): header.encode() + b"\n" + content}, overwrite=True)


def _in_threads(
    scan: Callable[..., Iterable[Scanned]],
    files: Sequence[File],
    workers: int,
    progress: Callable[[int], object] | None,
) -> Iterator[Scanned]:
    """Scan files in threads; what they give comes as it is found."""
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
                for scanned in scan(file, progress=report):
                    done.put(scanned)
            except BaseException as error:
                done.put(error)

    waiting, done = iter(files), SimpleQueue[Scanned | BaseException]()
    threads = [threading.Thread(target=work) for _ in range(min(workers, len(files)))]
    for thread in threads:
        thread.start()
    try:
        left = len(files)
        while left > 0:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield found
            left -= found.is_whole
    finally:
        stopped.set()
        for thread in threads:
            thread.join()

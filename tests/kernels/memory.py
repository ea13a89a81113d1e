"""Every native call under every memory limit: it succeeds or raises a MemoryError.

`python -m tests.kernels.memory` prints how each call ended, in children that differ in their limit. A child is forked
for each limit, because memory that was freed before could be used again without growing.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow

from bleuprint.core import _native, counts, unicode

Call = Callable[[], object]
LINES = 1500
STEP, LARGEST = 1 << 12, 1 << 25  # bytes
MOST_CALLS = 1000  # of one walk
SMALL_PIECES = 12  # of each size up to 512 bytes
WHITESPACE = ("whitespace", False)
IMPLICIT = {"adopt_unicode", "after_fork", "prepare_exit", "unicode_adopted"}  # of the process, not of texts


def column(texts: list[Any], *, groups: bool = False, tokenized: bool = False) -> counts.Column:
    return _native.column_from_sequence(texts, groups, tokenized)


def write_index(texts: counts.Column) -> bytes:
    builder = _native.IndexBuilder(3)
    builder.add(texts, 0, *WHITESPACE, 1 << 40)
    with tempfile.TemporaryFile() as file:
        builder.write(file.fileno(), b"note", 1)
        file.seek(0)
        return file.read()


def native_calls() -> Iterator[tuple[str, Call]]:
    """Calls with arguments that are ready, so that only the core takes memory; named as the core names them."""
    lines = [f"word{n} and other{n % 7} more {n}" for n in range(LINES)]
    groups = [[line, line[::-1]] for line in lines]
    texts, others = column(lines), column(groups, groups=True)
    split = texts.split(*WHITESPACE)
    block = "\n".join(lines).encode()
    longest = column([" ".join(lines)])
    for name, call in {
        "flattened": others.flattened,
        "repeated": lambda: texts.repeated(others),
        "picked": lambda: texts.picked(np.arange(LINES, dtype=np.uint32)),
        "split": lambda: texts.split(*WHITESPACE),
        "sizes": others.sizes,
        "unpack": split.unpack,
        "texts": lambda: texts.texts,
        "tokenized": lambda: texts.tokenized,
        "group_size": lambda: others.group_size,
    }.items():
        yield f"Column.{name}", call
    yield "Column.unpack", others.unpack
    tokens, numbers = [line.split() for line in lines], [[1 << 70, n] for n in range(LINES)]
    yield "column_from_sequence", lambda: column(lines)
    yield "column_from_sequence", lambda: column(groups, groups=True)
    yield "column_from_sequence", lambda: column(tokens, tokenized=True)
    yield "column_from_sequence", lambda: column(numbers, tokenized=True)
    ids = np.arange(LINES * 20).reshape(LINES, 20)
    yield "column_from_ids", lambda: _native.column_from_ids(ids, 1, None, None)
    # Exported before, because pyarrow ends the process where memory ends.
    stored, lists = pyarrow.array(lines), pyarrow.array(groups)
    arrays: list[tuple[object, object]]
    nested: list[tuple[object, object]]
    arrays, nested = ([given.__arrow_c_array__() for _ in range(MOST_CALLS)] for given in (stored, lists))
    streams = [pyarrow.chunked_array([stored, stored]).__arrow_c_stream__() for _ in range(MOST_CALLS)]
    yield "column_from_arrow_array", lambda: _native.column_from_arrow_array(*arrays.pop(), groups=False)
    yield "column_from_arrow_array", lambda: _native.column_from_arrow_array(*nested.pop(), groups=True)
    yield "column_from_arrow_stream", lambda: _native.column_from_arrow_stream(streams.pop(), False)
    yield "invalid_utf8", lambda: _native.invalid_utf8(block)
    yield "line_column", lambda: _native.line_column(block)
    yield "part_of_column", lambda: _native.part_of_column(texts, 1, LINES)
    yield "columns_side_by_side", lambda: _native.columns_side_by_side([texts, texts])
    yield "column_strings", lambda: _native.column_strings(texts)
    yield "tokenize", lambda: _native.tokenize(" ".join(lines), *WHITESPACE)
    yield "script_letters", lambda: _native.script_letters(texts, LINES, 100)
    yield "script_letters_of_text", lambda: _native.script_letters_of_text("Съешь же ещё", 100)
    yield "porter_stem", lambda: _native.porter_stem("relational")
    yield from metric_calls(texts, others, lines)
    yield from pool_calls(texts)
    yield from index_calls(texts, longest)
    yield from model_calls(texts, longest)
    yield from array_calls(texts, others)


def metric_calls(texts: counts.Column, others: counts.Column, lines: list[str]) -> Iterator[tuple[str, Call]]:
    plan = _native.clipped_plan(*WHITESPACE, 4, "closest", 0)
    formula = _native.geometric_formula(4, [0.25] * 4, "exp", 1.0, False, False, False, "never")
    scorer = _native.PairScorer(plan, formula)
    table = "".join(f"{line.split()[0]} synonym\n" for line in lines).encode() + b"\n\n" * 4
    synonyms = _native.make_synonyms(table)
    yield "make_synonyms", lambda: _native.make_synonyms(table)
    yield "Synonyms.of", lambda: synonyms.of("run")
    rows = np.zeros((LINES, 10), np.int64)
    one, both = " ".join(lines[:200]), [" ".join(lines[100:300]), lines[0]]
    yield (
        "geometric_formula",
        lambda: _native.geometric_formula(4, [0.25] * 4, "exp", 1.0, False, False, False, "never"),
    )
    yield "harmonic_formula", lambda: _native.harmonic_formula(3)
    yield "mean_f_formula", lambda: _native.mean_f_formula(6, 4.0, False)
    yield "PairScorer", lambda: _native.PairScorer(plan, formula)
    yield "PairScorer.score", lambda: scorer.score(one, both)
    yield "PairScorer.records", lambda: scorer.records(("a",), tuple, len, one, both)
    yield "Plan.pair", lambda: plan.pair(one, both)
    yield "Plan.total", lambda: plan.total(texts, others, None, 1)
    yield "Plan.rows", lambda: plan.rows(texts, others, None, 1, rows)
    yield "rows_together", lambda: _native.rows_together([(plan, texts, others, None, rows)] * 2, 1)
    for name, other in {
        "characters_plan": _native.characters_plan(6, 2, False, False, 2.0, False),
        "best_match_plan": _native.best_match_plan(*WHITESPACE, True, ["1", "subsequence"]),
        "token_edits_plan": _native.token_edits_plan(*WHITESPACE, "per-reference"),
        "shifts_plan": _native.shifts_plan("whitespace", "whitespace", False),
    }.items():
        yield name, partial(other.total, texts, others, None, 1)


def pool_calls(texts: counts.Column) -> Iterator[tuple[str, Call]]:
    def filled() -> _native.Pool:
        pool = _native.Pool(*WHITESPACE)
        pool.add(texts, 1)
        return pool

    pool, other = filled(), filled()
    content = pool.content()
    every = list(range(LINES))
    matrix, vector = np.zeros((LINES, 6), np.int64), np.zeros(LINES, np.int64)
    places = np.zeros(LINES * 5, np.int64)
    members = np.full((5, LINES), 5, np.uint64)  # four words at a time, and one
    for name, call in {
        "": lambda: _native.Pool(*WHITESPACE, content),
        "content": pool.content,
        "add": filled,
        "append": lambda: _native.Pool(*WHITESPACE).append(other),
        "add_from": lambda: _native.Pool(*WHITESPACE).add_from(other, every),
        "leave_one_out": lambda: pool.leave_one_out(1, matrix),
        "cross": lambda: pool.cross(other, 1, matrix),
        "distinct_per_text": lambda: pool.distinct_per_text(1, matrix),
        "frequency_counts": lambda: pool.frequency_counts(500, 1),
        "ngram_numbers": lambda: pool.ngram_numbers(2, 1, places),
        "paired_counts": lambda: pool.paired_counts(other, 2, 1),
        "most_shared": lambda: pool.most_shared(1, LINES, 1),
        "tokens": lambda: pool.tokens(every),
        "duplicates": lambda: pool.duplicates(1, vector),
        "other_texts": lambda: pool.other_texts(1, 1, vector),
        "ngram_sets": lambda: pool.ngram_sets(1, False, 1),
        "parts": lambda: pool.parts(3, 1),
        "holders": lambda: pool.holders(2, 1),
        "window_types": lambda: pool.window_types(10, members, 1, np.zeros((320, 3), np.int64)),
        "stretches": lambda: pool.stretches(0.7, True, members, 1, np.zeros((320, 4), np.int64)),
        "joined": pool.joined,
        "loops": lambda: pool.loops(3, 2, vector),
        "leave_one_out_bytes": lambda: pool.leave_one_out_bytes(4, 1),
        "lengths": pool.lengths,
    }.items():
        yield f"Pool.{name}".rstrip("."), call
    yield from spilled_calls(texts, other)
    repeated, holders = pool.parts(2, 1), pool.holders(2, 1)
    formulas, means = (
        [_native.geometric_formula(2, [0.5, 0.5], "floor", 0.1, False, False, False, "never")],
        np.zeros((320, 1)),
    )
    yield "PoolParts.leave_one_out", lambda: repeated.leave_one_out(members, formulas, 1, means)
    yield "NgramHolders.shared", holders.shared
    yield "NgramHolders.frequencies", lambda: holders.frequencies(members, 1)
    yield "NgramHolders.other_texts", lambda: holders.other_texts(members, 1)
    yield "Prior", lambda: _native.Prior(texts, *WHITESPACE, 2, True, 1)
    prior = _native.Prior(texts, *WHITESPACE, 2, True, 1)
    content = prior.content()
    yield "Prior", lambda: _native.Prior(content, *WHITESPACE, 2, True)
    yield "Prior.content", prior.content
    yield "Prior.cosine_plan", lambda: prior.cosine_plan(True, 6.0)
    yield "Prior.informed_plan", lambda: _native.Prior(texts, *WHITESPACE, 2, False, 1).informed_plan()
    informed = _native.Prior(texts, *WHITESPACE, 2, False, 1).informed_plan()
    sums = np.zeros((LINES, 8), np.int64)
    yield "Plan.sums_without_each", lambda: informed.sums_without_each(texts, texts, 1, sums)


def spilled_calls(texts: counts.Column, other: _native.Pool) -> Iterator[tuple[str, Call]]:
    """Each with a file of its own, which a call that failed may leave unfinished."""

    def on_disk() -> tuple[_native.SpilledTexts, _native.Pool]:
        pool = _native.Pool(*WHITESPACE)
        pool.add(texts, 1)
        with tempfile.TemporaryFile(buffering=0) as file:
            spilled = _native.SpilledTexts(file.fileno(), 1 << 20)
        spilled.take(pool)
        return spilled, pool

    spilled, pool = on_disk()
    rows = [spilled.leave_one_out(pool, 4, 1 << 20, 1) for _ in range(MOST_CALLS // 10)]
    matrix = np.zeros((LINES, 6), np.int64)
    yield "SpilledTexts", on_disk
    yield "SpilledTexts.take", on_disk
    yield "SpilledTexts.append", lambda: on_disk()[0].append(spilled, pool, other)
    yield "SpilledTexts.leave_one_out", lambda: spilled.leave_one_out(pool, 4, 1 << 20, 1)
    yield "SpilledTexts.frequency_counts", lambda: spilled.frequency_counts(pool, 4, 1 << 20, 1)
    yield "SpilledRows.read", lambda: rows.pop().read(matrix)


def index_calls(texts: counts.Column, longest: counts.Column) -> Iterator[tuple[str, Call]]:
    content = write_index(texts)
    index = _native.NgramIndex(content)
    yield "IndexBuilder", lambda: _native.IndexBuilder(3)
    yield "IndexBuilder.add", lambda: write_index(texts)
    yield "IndexBuilder.write", lambda: write_index(texts)
    yield "IndexBuilder.texts", lambda: _native.IndexBuilder(3).texts
    yield "NgramIndex", lambda: _native.NgramIndex(content)
    for name in ("max_order", "words", "texts", "tokens", "note", "seal"):
        yield f"NgramIndex.{name}", partial(getattr, index, name)
    yield "NgramIndex.counts", lambda: index.counts(texts, *WHITESPACE)
    yield "NgramIndex.places", lambda: index.places(column(["and"]), *WHITESPACE, LINES)
    yield "NgramIndex.seen_spans", lambda: index.seen_spans(texts, *WHITESPACE)
    yield "NgramIndex.seen_spans", lambda: index.seen_spans(longest, *WHITESPACE)
    yield "NgramIndex.span_comparisons", lambda: index.span_comparisons(longest, *WHITESPACE)
    yield "NgramIndex.text_words", lambda: index.text_words(0, 0, 5)
    yield "NgramIndex.plan", lambda: index.plan(*WHITESPACE, [1, 2], True)
    yield "NgramIndex.verify", index.verify
    yield from match_calls(texts, index)
    file = os.open(os.devnull, os.O_WRONLY)
    yield "merge_indexes", lambda: _native.merge_indexes([index, index], file, b"note")


def match_calls(texts: counts.Column, index: _native.NgramIndex) -> Iterator[tuple[str, Call]]:
    def seek() -> _native.SoughtNgrams:
        return _native.SoughtNgrams(texts, *WHITESPACE, 3, False)

    def match(file: int = 0) -> _native.NgramMatches:
        matches = _native.NgramMatches(sought)
        matches.add(sought, texts, file, 0)
        matches.finish_file(file, LINES, b"stamp")
        return matches

    sought = seek()
    matches, other = match(), match(1)
    content = matches.content()
    yield "SoughtNgrams", seek
    yield "SoughtNgrams.detours", sought.detours
    yield "SoughtNgrams.words", lambda: sought.words(0)
    yield "SoughtNgrams.mark", lambda: sought.mark(texts, [0, 1, 2])
    for name in ("", ".add", ".finish_file"):
        yield f"NgramMatches{name}", match
    empty = [_native.NgramMatches(sought) for _ in range(MOST_CALLS)]  # a call that failed leaves a part behind
    yield "NgramMatches.merge", lambda: empty.pop().merge(other)
    yield "NgramMatches.add_index", lambda: _native.NgramMatches(sought).add_index(sought, index, [0], [0])
    yield "NgramMatches.content", matches.content
    yield "NgramMatches.parse", lambda: _native.NgramMatches(sought).parse(content, 1)
    yield "NgramMatches.rows", lambda: matches.rows(sought)
    yield "NgramMatches.of_text", lambda: matches.of_text(sought, 0, 10, 3)
    yield "NgramMatches.files", matches.files


def model_calls(texts: counts.Column, longest: counts.Column) -> Iterator[tuple[str, Call]]:
    def train() -> _native.LanguageModel:
        return _native.train_model(texts, *WHITESPACE, 2, [0, 0], [0.5, 1.0, 1.5], False, 1)

    model = train()
    packed, arpa = model.pack(b"note"), model.to_arpa()
    yield "train_model", train
    yield "read_arpa", lambda: _native.read_arpa(arpa)
    yield "unpack_model", lambda: _native.unpack_model(packed)
    for name in ("order", "counts", "vocabulary"):
        yield f"LanguageModel.{name}", partial(getattr, model, name)
    yield "LanguageModel.pack", lambda: model.pack(b"note")
    yield "LanguageModel.to_arpa", model.to_arpa
    yield "LanguageModel.steps", lambda: model.steps(longest, *WHITESPACE, True, True)
    yield "LanguageModel.plan", lambda: model.plan(*WHITESPACE)


def array_calls(texts: counts.Column, others: counts.Column) -> Iterator[tuple[str, Call]]:
    near = array("I", range(3000)), array("I", [number ^ 1 for number in range(3000)])
    yield "edit_path", lambda: _native.edit_path(*near, 3000)
    moved = array("I", range(300)), array("I", [*range(150, 300), *range(150)])
    yield "shift_path", lambda: _native.shift_path(*moved, 300)
    yield "common_subsequence", lambda: _native.common_subsequence([*range(3000)], [*range(3000)], 64)
    few = _native.part_of_column(texts, 0, 40)
    index = _native.PairIndex(few, *WHITESPACE, 4, 0)
    pairs = np.zeros(1600, np.uint32)
    yield "PairIndex", lambda: _native.PairIndex(texts, *WHITESPACE, 4, 0)
    yield "PairIndex.rows", lambda: index.rows(few, 0, 40, 1, pairs)
    all_pairs = np.zeros(LINES * 2, np.uint32)
    means = np.zeros((LINES, 14), np.int64)
    yield "group_pairs", lambda: _native.group_pairs(texts, others, *WHITESPACE, 4, 0, 0, LINES, 1, all_pairs)
    yield "rows_against_mean", lambda: _native.rows_against_mean(texts, others, *WHITESPACE, 4, 0, 0, LINES, 1, means)
    reals = np.linspace(0.1, 1, LINES)
    yield "pick", lambda: _native.pick(reals, np.zeros(LINES, np.uint32), np.zeros(LINES))
    yield "power_in_place", lambda: _native.power_in_place(reals, 1.0)
    yield "log_in_place", lambda: _native.log_in_place(np.ones(LINES))
    yield "exp_in_place", lambda: _native.exp_in_place(np.ones(LINES))
    yield "bounded", lambda: _native.bounded(np.ones(LINES, np.uint32), 7)
    sets = np.arange(LINES, dtype=np.uint32), np.arange(LINES + 1, dtype=np.uint64), np.ones(LINES, np.uint32)
    yield "similar_sets", lambda: _native.similar_sets(*sets, LINES, 0.5, LINES, 1)
    judged = np.zeros((8, LINES)), np.zeros((1, 2, 4), np.uint32), np.ones((1, 4, 4)), np.ones((1, 2))
    yield "judge_swaps", lambda: _native.judge_swaps(*judged, np.zeros(1, np.int64))
    for kind, rows in (("IntegerRows", np.ones((LINES, 4), np.int64)), ("RealRows", np.ones((LINES, 4)))):
        make: Any = getattr(_native, kind)
        sums, out = make(rows), np.zeros((32, 4), rows.dtype)
        yield kind, partial(make, rows)
        yield f"{kind}.drawn", partial(sums.drawn, 1, 0, 32, 1, out)
        yield f"{kind}.chosen", partial(sums.chosen, 1, 0, 32, 1, out)
        yield f"{kind}.drawn_at", partial(sums.drawn_at, np.zeros(32 * LINES, np.uint32), 1, out)
        yield f"{kind}.chosen_by", partial(sums.chosen_by, np.zeros(LINES, np.uint32), 1, out)


def all_names() -> set[str]:
    """What the core offers, without what is there for the process or for tests of tables."""
    names: set[str] = set()
    for name, value in vars(_native).items():
        if name.startswith("_") or name.endswith(("_plan", "_detours")) or name in IMPLICIT or name.isupper():
            continue
        if isinstance(value, type) and not issubclass(value, Exception):
            names |= {f"{name}.{member}" for member in vars(value) if not member.startswith("_")}
        elif callable(value) and not isinstance(value, type):
            names.add(name)
    return names


def set_limit(limit: int = resource.RLIM_INFINITY) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))


def fill(kept: list[bytes | None], begin: int) -> int:
    """Take what was freed before and could be used again without growing."""
    for size in (1 << 16, 1 << 12, 1 << 8, 1):
        with suppress(MemoryError):
            while begin < len(kept):
                kept[begin] = bytes(size)
                begin += 1
    return begin


def walk(call: Call) -> Counter[str]:
    """How a call ends under growing limits, up to the first that are high enough."""
    ends: Counter[str] = Counter()
    size = Path("/proc/self/statm")
    kept: list[bytes | None] = [None] * 1_000_000
    begin, limit = 0, 0
    while ends["result"] < 3 and limit < LARGEST:
        # Small pieces for nanobind, which ends the process if there is no memory to call a function at all.
        pieces = [bytes(length) for length in range(32, 544, 32) for _ in range(SMALL_PIECES)]
        now = int(size.read_text().split()[0]) * resource.getpagesize()
        try:
            set_limit(now)
            begin = fill(kept, begin)
            pieces.clear()
            set_limit(now + limit)
            call()
            end = "result"
        except MemoryError:
            end = "MemoryError"
        except BaseException as error:
            set_limit()
            end = f"{type(error).__name__}: {error}"
        set_limit()
        ends[end] += 1
        limit += max(STEP, limit // 25)
    return ends


def walk_in_child(call: Call) -> Counter[str]:
    with tempfile.TemporaryFile() as file:
        child = os.fork()
        if child == 0:
            call()
            os.write(file.fileno(), json.dumps(walk(call)).encode())
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        file.seek(0)
        return Counter({f"code {code}": 1} if code else json.load(file))


def main(chosen: list[str]) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    unicode.prepare("13a", True)
    found: dict[str, Counter[str]] = {}
    for name, call in native_calls():
        if not chosen or name in chosen:
            found.setdefault(name, Counter()).update(walk_in_child(call))
    json.dump({"calls": found, "missing": sorted(all_names() - found.keys())}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Calls of every native entry, good and failing, again and again: how much memory stays.

`python -m tests.kernels.leaks ROUNDS` prints the calls made and the resident bytes gained after a warm-up.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import bleuprint as bp
from bleuprint.core import _native, counts
from bleuprint.core.pool import Pool
from tests.support.tables import REFERENCE_TABLE

HYPOTHESES = ["the cat sat on the mat .", "a dog ran; it's 3.5 metres", "猫 が ΑΣ naïve", ""]
REFERENCES = [["the cat sat on a mat .", "the cat"], ["the dog ran away"], ["猫 は ας"], ["x"]]
SINGLE = [texts[0] for texts in REFERENCES]
Call = Callable[[], Any]


def column(texts: list[str]) -> counts.Column:
    return counts.column(list(texts), groups=False, tokenized=False)


def pooled() -> None:
    pool = Pool("whitespace", False)
    pool.add(column(HYPOTHESES), 1)
    pool.merge(pool)
    pool.leave_one_out(4, 1)
    pool.cross(pool, 2, 1)
    everything = np.ones((1, len(pool)), dtype=np.uint64)
    pool.holders(2, 1).frequencies(everything)
    pool.holders(2, 1).other_texts(everything)
    pool.window_types(3, everything, 1)
    pool.stretches(0.5, everything, 1)
    pool.join_texts()
    pool.frequency_counts(2, 1)
    pool.paired_counts(pool, 2, 1)
    pool.most_shared(1, 3, 1)
    pool.duplicates(1)
    pool.other_texts(2, 1)
    pool.ngram_sets(2, 1)
    pool.loops(3, 2)
    Pool("whitespace", False, pool.content())
    spilling = Pool("whitespace", False, memory=1 << 19, max_order=4)
    with spilling._file() as file:
        file.take(spilling._in_memory)
    spilling.merge(pool)
    spilling.merge(spilling)
    list(spilling.leave_one_out_blocks(4, 1))


def modelled() -> None:
    model = bp.LanguageModel.train(SINGLE, order=2, discount_fallback=True)
    model.score(HYPOTHESES[0])
    _native.unpack_model(_native.read_arpa(model.to_arpa()).pack(b""))


def resampled() -> None:
    rows, out = np.arange(12, dtype=np.int64).reshape(4, 3), np.zeros((2, 3), dtype=np.int64)
    _native.IntegerRows(rows).drawn(1, 0, 2, 1, out)
    _native.IntegerRows(rows).chosen(1, 0, 2, 1, out)
    _native.RealRows(rows.astype(np.float64)).drawn(1, 0, 2, 1, out.astype(np.float64))


def read_lines() -> None:
    block = b"one\ntwo\r\nthree"
    _native.invalid_utf8(block)
    lines = _native.line_column(block)
    _native.column_strings(_native.columns_side_by_side([_native.part_of_column(lines, 1, 3)] * 2))


def arrow() -> None:
    import pyarrow as pa

    counts.arrow_column(pa.array(SINGLE), groups=False)
    counts.arrow_column(pa.chunked_array([[["a", None], ["b"]]]), groups=True)


def scored(name: str) -> Call:
    metric = REFERENCE_TABLE[name]()
    sources = SINGLE if metric.needs_sources else None
    references = SINGLE if name == "gec-gleu" else REFERENCES  # whose rows are of one reference
    return lambda: metric.statistics(HYPOTHESES, references, sources=sources)


def refused(call: Call) -> Call:
    def run() -> None:
        try:
            call()
        except (ValueError, TypeError, IndexError):
            return
        raise AssertionError("that should have failed")

    return run


def calls() -> list[Call]:
    good: list[Call] = [scored(name) for name in REFERENCE_TABLE]
    good += [pooled, modelled, resampled, read_lines, arrow]
    good += [lambda: bp.sentence_bleu(HYPOTHESES[0], REFERENCES[0])] * 10
    good += [lambda: bp.pairwise(HYPOTHESES, SINGLE), lambda: bp.self_bleu(HYPOTHESES)]
    integers: list[list[str | int]] = [["a", 7], [1 << 70], [], ["b"]]
    good += [lambda: bp.corpus_bleu(integers, integers)]
    good += [lambda: bp.corpus_bleu([text.split() for text in HYPOTHESES], [[text] for text in SINGLE])]
    good += [lambda scheme=scheme: counts.tokenize(HYPOTHESES[1], scheme, True) for scheme in counts.SCHEMES]  # type: ignore[misc]
    bad: list[Call] = [
        lambda: bp.corpus_bleu(["a"], []),
        lambda: bp.corpus_bleu(["a", 3], ["a", "b"]),  # type: ignore[list-item]
        lambda: bp.sentence_bleu("\ud800", "a"),
        lambda: bp.corpus_bleu([["a", object()]], [["a"]]),  # type: ignore[list-item]
        lambda: bp.sentence_bleu("a", [None]),
        lambda: _native.read_arpa(b"\\data\\\nngram 1=9\n"),
        lambda: _native.unpack_model(b"bleulm\r\x01" + b"\xff" * 40),
        lambda: _native.make_synonyms(b"no table"),
        lambda: _native.tokenize("a", "banana", False),
        lambda: Pool("whitespace", False).tokens([3]),
        lambda: Pool("whitespace", False, b"\x02\x00\x01a"),
    ]
    return good + [refused(call) for call in bad] * 3


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def main(rounds: int) -> None:
    all_calls = calls()
    for _ in range(max(3, rounds // 20)):
        for call in all_calls:
            call()
    gc.collect()
    before = resident()
    for _ in range(rounds):
        for call in all_calls:
            call()
    gc.collect()
    print(json.dumps({"calls": rounds * len(all_calls), "gained": resident() - before}))


if __name__ == "__main__":
    main(int(sys.argv[1]))

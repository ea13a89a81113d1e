"""Leaks planted into WMT22 text are all found, and none is invented: every decision equals brute force."""

from __future__ import annotations

import random
from pathlib import Path

from bleuprint import NgramIndex, seen
from bleuprint.corpora import CorpusSearch
from tests.support.wmt22 import Wmt22

ORDER = 8


def ngrams(text: list[str]) -> set[tuple[str, ...]]:
    return {tuple(text[begin : begin + ORDER]) for begin in range(len(text) - ORDER + 1)}


def test_planted_leaks(wmt22_data: Wmt22, tmp_path: Path) -> None:
    corpus = [text.split() for pair in ("de-en", "cs-en", "zh-en") for text in wmt22_data.references(pair)[0]]
    items = [text.split() for text in wmt22_data.references("ja-en")[0]]
    items += [text.split() for text in wmt22_data.references("ru-en")[0][:500]]
    source = random.Random(1)
    long_texts = [number for number, text in enumerate(corpus) if len(text) >= 12]
    planted: dict[int, tuple[int, int]] = {}
    places = [number for number, item in enumerate(items) if len(item) >= 4]
    for number in source.sample(places, min(300, len(places) // 2)):
        leaked = corpus[source.choice(long_texts)]
        length = source.randint(ORDER, min(40, len(leaked)))
        begin, at = source.randint(0, len(leaked) - length), source.randint(0, len(items[number]))
        items[number][at:at] = leaked[begin : begin + length]
        planted[number] = (at, length)
    written = tmp_path / "corpus.txt"
    written.write_text("".join(" ".join(text) + "\n" for text in corpus), encoding="utf-8")
    by_index = seen(items, NgramIndex.build(corpus, tokenizer="whitespace"), order=ORDER, short="never")
    known = set().union(*map(ngrams, corpus))
    search = CorpusSearch([" ".join(item) for item in items], order=ORDER, short="never", tokenizer="whitespace")
    for result in (by_index, search.run(written)):
        for number, (found, item) in enumerate(zip(result.texts, items, strict=True)):
            text = found.text
            expected = [tuple(item[i : i + ORDER]) in known for i in range(len(item) - ORDER + 1)]
            assert text.by_rule == any(expected)
            assert [begin for _, begin, _, _ in text.matches] == [i for i, is_known in enumerate(expected) if is_known]
            inside = {i + k for i, is_known in enumerate(expected) if is_known for k in range(ORDER)}
            assert [place for place, is_seen in enumerate(text.seen) if is_seen] == sorted(inside)
            if number in planted:
                at, length = planted[number]
                assert any(span.begin <= at and span.begin + span.length >= at + length for span in text.spans)
            for span in text.spans:
                there = corpus[span.record - 1][span.token : span.token + span.length]
                assert there == item[span.begin : span.begin + span.length]
        assert result.by_rule >= len(planted)
        assert [item.text.matches for item in result.texts] == [item.text.matches for item in by_index.texts]

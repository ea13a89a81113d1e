"""Leaks planted into WMT22 text are all found, and none is invented: every decision equals brute force."""

from __future__ import annotations

import random

from bleuprint import NgramIndex, seen
from tests.support.wmt22 import Wmt22

ORDER = 8


def ngrams(text: list[str]) -> set[tuple[str, ...]]:
    return {tuple(text[begin : begin + ORDER]) for begin in range(len(text) - ORDER + 1)}


def test_planted_leaks(wmt22_data: Wmt22) -> None:
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
    index = NgramIndex.build(corpus, tokenizer="whitespace")
    result = seen(items, index, order=ORDER, short="never")
    known = set().union(*map(ngrams, corpus))
    for number, (text, item) in enumerate(zip(result.texts, items, strict=True)):
        expected = [tuple(item[i : i + ORDER]) in known for i in range(len(item) - ORDER + 1)]
        assert text.contaminated == any(expected)
        inside = {place for span in text.spans for place in range(span.begin, span.end)}
        assert inside == {i + k for i, found in enumerate(expected) if found for k in range(ORDER)}
        if number in planted:
            at, length = planted[number]
            assert any(span.begin <= at and span.end >= at + length for span in text.spans)
        for span in text.spans:
            there = corpus[span.place.number][span.place.token : span.place.token + span.length]
            assert there == item[span.begin : span.end]
    assert sum(text.contaminated for text in result.texts) >= len(planted)

"""Corpora and golden models that the tests of the language model share."""

from __future__ import annotations

import lzma
import os
from pathlib import Path

import pytest
from hypothesis import strategies as st

GOLDEN = Path(os.environ.get("BLEUPRINT_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "data" / "kenlm"
NEEDS_GOLDEN = pytest.mark.skipif(not GOLDEN.is_dir(), reason="no models of KenLM: see tests/data/README.md")
GOLDEN_MODELS = {"order3": (3, (0,)), "order5-pruned": (5, (0, 0, 1))}

# Every text is drawn from few words, so that n-grams come again and all orders have something to count.
WORDS = ["a", "b", "c", "d", "ä", "東京", "x\u200by"]
sentences = st.lists(st.sampled_from(WORDS), max_size=8)
corpora = st.lists(sentences, min_size=1, max_size=30)
prunings = st.lists(st.integers(0, 2), max_size=3).map(lambda rises: [0, *sorted(rises)])
FALLBACK = (0.5, 1.0, 1.5)

SMALL = [
    *("the cat sat on the mat .", "the dog sat on the log .", "the cat saw the dog .", "a dog saw a cat ."),
    *("the cat ran .", "the cat sat .", "a mat .", "the old dog sat on the old mat .", "", "the cat ran to the mat ."),
    *("on the mat sat the cat .", "the old cat ran .", "a dog .", "the dog ran to the cat ."),
]


def lines(name: str) -> list[str]:
    text = lzma.decompress((GOLDEN / f"{name}.txt.xz").read_bytes()).decode()
    return text.removesuffix("\n").split("\n")


def arpa_entries(content: bytes) -> dict[str, tuple[float, float]]:
    """The n-grams of an ARPA file with log10 probability and back-off, 0 where there is none."""
    found: dict[str, tuple[float, float]] = {}
    for line in content.decode().split("\n"):
        fields = line.split("\t")
        if len(fields) > 1:
            assert fields[1] not in found
            found[fields[1]] = (float(fields[0]), float(fields[2]) if len(fields) > 2 else 0.0)
    return found

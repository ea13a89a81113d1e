"""Compression ratio: how much smaller a compressor makes a pool of texts. Lower means more diverse.

    CR = bytes of the texts / bytes of the compressed texts

The tokens of all texts are joined by blanks, in the given order, and compressed as one stream. A tokenizer that returns
part-of-speech tags gives CR-POS, the repetition of sentence patterns.
Shaib, Barrow, Sun, Siu, Wallace, Nenkova (2024): Standardizing the Measurement of Text Diversity. arXiv:2403.00553.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Floats, Members, NDArray, np
from bleuprint.core.pool import has_part, used_parts
from bleuprint.core.threads import Beside, pause
from bleuprint.core.tokenizers import Tokenize
from bleuprint.errors import ExtraImport
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.pool import Counted, CountFormula, PoolScore
from bleuprint.statistics.pools import GROUPS

_BLOCK = 1 << 17  # bytes that are compressed at a time: 0.05 s of gzip
_LEAST = 8 << 15  # bytes of a stretch: eight times what gzip looks back


class _Compressor(Protocol):
    def compress(self, data: memoryview, /) -> bytes: ...
    def flush(self) -> bytes: ...


def _gzip() -> tuple[_Compressor, str]:
    import zlib

    return zlib.compressobj(9, zlib.DEFLATED, 31), f"zlib-{zlib.ZLIB_RUNTIME_VERSION}"  # 31: in a gzip container


def _xz() -> tuple[_Compressor, str]:
    import lzma

    return lzma.LZMACompressor(), "lzma"


def _zstd() -> tuple[_Compressor, str]:
    import sys

    if sys.version_info >= (3, 14):  # pragma: no cover
        from compression import zstd

        return zstd.ZstdCompressor(level=3), f"zstd-{zstd.zstd_version}"
    with ExtraImport("the compression ratio with zstd", ["zstandard"], "zstd"):
        import zstandard
    version = ".".join(map(str, zstandard.ZSTD_VERSION))
    return zstandard.ZstdCompressor(level=3).compressobj(), f"zstd-{version}"


_ALGORITHMS: dict[str, Callable[[], tuple[_Compressor, str]]] = {"gzip": _gzip, "xz": _xz, "zstd": _zstd}


class CompressionFormula(CountFormula):
    """Bytes before over bytes after."""

    def __init__(self, algorithm: str) -> None:
        super().__init__()
        self.algorithm = algorithm

    def evaluate(self, counted: Mapping[str, Value]) -> Sequence[Value]:
        return [counted["original"] / counted["compressed"]]

    def score(
        self, definition: Definition, pool: counts.Pool, references: counts.Pool, threads: int
    ) -> CompressionScore:
        return CompressionScore(definition, len(pool), *self._sizes(pool))

    def count(self, pool: counts.Pool, references: counts.Pool, threads: int) -> dict[str, int]:
        originals, compressed = self._sizes(pool)
        return {"original": originals[-1], "compressed": compressed[-1]}

    def count_parts(self, pool: counts.Pool, members: Members, threads: int) -> Iterable[Counted]:
        text, ends = pool.join_texts()
        sizes = np.diff(ends, prepend=0)

        def count(part: int) -> Counted:
            content = text[np.repeat(has_part(members, part), sizes)][:-1]
            return {"original": len(content), "compressed": self._compress(content, [len(content)])[-1]}

        with Beside(threads) as beside:
            return list(beside.map(count, used_parts(members).tolist()))

    def _sizes(self, pool: counts.Pool) -> tuple[list[int], list[int]]:
        """Bytes before and after, up to the end of each stretch if these are long enough, and in all."""

        def compress() -> tuple[list[int], list[int]]:
            text, ends = pool.join_texts()
            stretches = GROUPS if self.algorithm == "gzip" and len(text) >= GROUPS * _LEAST else 1
            originals = [*ends[np.arange(1, stretches) * len(ends) // stretches - 1].tolist(), len(text) - 1]
            return originals, self._compress(text, originals)

        return pool.once(("compressed", self.algorithm), compress)

    def _compress(self, text: NDArray[np.uint8], ends: Sequence[int]) -> list[int]:
        """The compressed sizes of the text up to each of these ends."""
        compressor: Any = _ALGORITHMS[self.algorithm]()[0]  # that of gzip can be copied
        written, sizes = 0, []
        for begin, end in pairwise([0, *ends]):
            for place in range(begin, end, _BLOCK):
                pause()
                written += len(compressor.compress(text[place : min(place + _BLOCK, end)].data))
            last = compressor if end == ends[-1] else compressor.copy()
            sizes.append(written + len(last.flush()))
        return sizes


class CompressionScore(PoolScore):
    """A compression ratio, and the sizes it comes from."""

    part_names = ("original", "compressed", "texts")

    def __init__(self, definition: Definition, texts: int, originals: list[int], compressed: list[int]) -> None:
        self.original, self.compressed, self._sizes = originals[-1], compressed[-1], (originals, compressed)
        counted = {"original": self.original, "compressed": self.compressed}
        super().__init__(definition, texts, value=definition.formula.evaluate(counted)[-1])

    def without_stretches(self) -> Floats | None:
        """The ratios without each of twenty stretches of the texts, from one compression; None for a short pool.

        gzip looks back 32 kB, so what it makes of a long stretch hardly depends on the rest.
        """
        if len(self._sizes[0]) < GROUPS:
            return None
        originals, compressed = (sizes[-1] - np.diff(sizes, prepend=0) for sizes in self._sizes)
        return np.array(originals / compressed)[:, None]

    @property
    def facts(self) -> dict[str, object]:
        # Versions of a compressor find different repetitions.
        _, library = _ALGORITHMS[self.definition.formula.algorithm]()
        return {**super().facts, "library": library}


class CompressionRatio(TokenPool[CompressionScore]):
    """How many times smaller a compressor makes the texts; lower means more diverse.

    - `algorithm`: "gzip" (level 9), "xz" or "zstd" (level 3); zstd needs an extra before Python 3.14
    - `tokenizer`: name of a tokenizer, or a function that returns the tokens or the tags of a text

    >>> score = CompressionRatio().corpus(["the cat sat on the mat"] * 50)
    >>> score.original, score.value > 20
    (1149, True)
    """

    name = "compression-ratio"
    higher_is_better = False
    has_percent = False

    def __init__(
        self, *, algorithm: str = "gzip", tokenizer: str | Tokenize = "whitespace", lowercase: bool = False
    ) -> None:
        chosen = checks.choice("algorithm", algorithm, tuple(_ALGORITHMS))
        super().__init__(CompressionFormula(chosen), tokenizer, lowercase, algorithm=chosen)

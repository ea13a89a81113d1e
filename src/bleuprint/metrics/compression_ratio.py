"""Compression ratio: how much smaller a compressor makes a pool of texts. Lower means more diverse.

    CR = bytes of the texts / bytes of the compressed texts

The tokens of all texts are joined by blanks, in the given order, and compressed as one stream. A tokenizer that returns
part-of-speech tags gives CR-POS, the repetition of sentence patterns.
Shaib, Barrow, Sun, Siu, Wallace, Nenkova (2024): Standardizing the Measurement of Text Diversity. arXiv:2403.00553.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Members, NDArray, np
from bleuprint.core.pool import has_part, used_parts
from bleuprint.core.tokenizers import Tokenize
from bleuprint.errors import ExtraImport
from bleuprint.metrics._ngram_pool import TokenPool
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import Value
from bleuprint.metrics.base.pool import Counted, CountFormula, PoolScore

_BLOCK = 1 << 17  # bytes that are compressed at a time: 0.05 s of gzip


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
        return CompressionScore(definition, len(pool), self.count(pool, references, threads))

    def count(self, pool: counts.Pool, references: counts.Pool, threads: int) -> dict[str, int]:
        return pool.once(("compressed", self.algorithm), lambda: self._sizes(pool.join_texts()[0][:-1]))

    def count_parts(self, pool: counts.Pool, members: Members, threads: int) -> Iterable[Counted]:
        text, ends = pool.join_texts()
        sizes = np.diff(ends, prepend=0)
        for part in used_parts(members).tolist():
            yield self._sizes(text[np.repeat(has_part(members, part), sizes)][:-1])

    def _sizes(self, text: NDArray[np.uint8]) -> dict[str, int]:
        compressor, _ = _ALGORITHMS[self.algorithm]()
        blocks = (text[place : place + _BLOCK].data for place in range(0, len(text), _BLOCK))
        written = sum(len(compressor.compress(block)) for block in blocks)
        return {"original": len(text), "compressed": written + len(compressor.flush())}


class CompressionScore(PoolScore):
    """A compression ratio, and the sizes it comes from."""

    part_names = ("original", "compressed", "texts")

    def __init__(self, definition: Definition, texts: int, counted: dict[str, int]) -> None:
        self.original, self.compressed = counted["original"], counted["compressed"]
        super().__init__(definition, texts, value=definition.formula.evaluate(counted)[-1])

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

"""The C interface through ctypes, as a program in another language sees it."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p
from functools import cache
from itertools import accumulate
from typing import Any, Self

from tools.c_interface import library

Texts = Sequence[str | Sequence[str]]


class Interval(ctypes.Structure):
    _fields_ = [*((name, c_double) for name in ("value", "low", "high", "mean")), ("method", c_char_p)]


class Settings(ctypes.Structure):
    _fields_ = [("alpha", c_double), ("resamples", c_size_t), ("swaps", c_size_t), ("seed", c_uint64)]


class Pair(ctypes.Structure):
    _fields_ = [
        ("difference", Interval),
        *((name, c_double) for name in ("standard_error", "level", "p_value", "corrected")),
        ("test", c_char_p),
        ("trials", c_uint64),
    ]


class Token(ctypes.Structure):
    _fields_ = [("bytes", c_void_p), *((name, c_size_t) for name in ("length", "begin", "end", "match"))]


@cache
def interface() -> Any:
    loaded = ctypes.CDLL(str(library()))
    loaded.bleuprint_error.restype = c_char_p
    loaded.bleuprint_metric_signature.restype = c_char_p
    loaded.bleuprint_metric_values.restype = c_size_t
    loaded.bleuprint_metric_value_name.restype = c_char_p
    loaded.bleuprint_metric_value_name.argtypes = [c_void_p, c_size_t]
    loaded.bleuprint_rows_data.restype = POINTER(c_int64)
    loaded.bleuprint_tokens_data.restype = POINTER(Token)
    for kind in ("column", "metric", "rows", "tokens"):
        getattr(loaded, f"bleuprint_{kind}_free").argtypes = [c_void_p]
    return loaded


def call(name: str, *arguments: object) -> None:
    status = getattr(interface(), f"bleuprint_{name}")(*arguments)
    if status:
        raise ValueError(interface().bleuprint_error().decode())


class Handle(c_void_p):
    """An object of the library, freed with this one."""

    kind: str

    @classmethod
    def made(cls, function: str, *arguments: object) -> Self:
        handle = cls()
        call(function, *arguments, byref(handle))
        return handle

    def __del__(self) -> None:
        getattr(interface(), f"bleuprint_{self.kind}_free")(self)


class Column(Handle):
    kind = "column"

    @classmethod
    def of(cls, texts: Texts) -> Column:
        groups = [[text] if isinstance(text, str) else list(text) for text in texts]
        encoded = [text.encode() for group in groups for text in group]
        ends = (c_size_t * len(encoded))(*accumulate(map(len, encoded)))
        segments = (c_size_t * len(groups))(*accumulate(map(len, groups)))
        size = c_size_t(len(encoded)), segments, c_size_t(len(groups))
        return cls.made("column_new", b"".join(encoded), ends, *size)


class Metric(Handle):
    kind = "metric"

    @classmethod
    def of(cls, description: str) -> Metric:
        return cls.made("metric_new", description.encode())

    def signature(self, *, sentence: bool) -> str:
        return str(interface().bleuprint_metric_signature(self, c_int(sentence)).decode())

    @property
    def names(self) -> list[str]:
        count = interface().bleuprint_metric_values(self)
        return [interface().bleuprint_metric_value_name(self, place).decode() for place in range(count)]


class Tokens(Handle):
    kind = "tokens"

    def all(self) -> list[tuple[str, int, int, int]]:
        count = c_size_t()
        data = interface().bleuprint_tokens_data(self, byref(count))
        return [
            (ctypes.string_at(token.bytes, token.length).decode(), token.begin, token.end, token.match)
            for token in data[: count.value]
        ]


class Rows(Handle):
    kind = "rows"
    metric: Metric

    @classmethod
    def of(cls, description: str, outputs: Texts, references: Texts | None) -> Rows:
        metric = Metric.of(description)
        others = None if references is None else Column.of(references)
        rows = cls.made("rows_new", metric, Column.of(outputs), others, None, None)
        rows.metric = metric
        return rows

    def table(self) -> list[list[int]]:
        segments, columns = c_size_t(), c_size_t()
        data = interface().bleuprint_rows_data(self, byref(segments), byref(columns))
        width = columns.value
        return [data[at : at + width] for at in range(0, segments.value * width, width)]

    def values(self) -> dict[str, float]:
        names = self.metric.names
        values = (c_double * len(names))()
        call("score", self, values)
        return dict(zip(names, values, strict=True))

    def segments(self) -> list[float]:
        scores = (c_double * len(self.table()))()
        call("segment_scores", self, scores)
        return list(scores)


def compare(systems: Sequence[Rows], settings: Settings | None = None) -> tuple[list[Interval], list[Pair]]:
    used = settings or Settings(0.05, 0, 0, 12345)
    count = len(systems)
    intervals, pairs = (Interval * count)(), (Pair * max(1, count * (count - 1) // 2))()
    handles = (c_void_p * count)(*(rows.value for rows in systems))
    call("compare", handles, c_size_t(count), byref(used), None, None, intervals, pairs)
    return list(intervals), list(pairs)[: count * (count - 1) // 2]

"""Check raw input and align it as a Corpus.

The shape is the same everywhere: ``references[i]`` belongs to ``hypotheses[i]`` and is a text or a list of texts. A
text is a str, or a list of tokens (str or int) if the hypotheses are token lists. Anything else raises an error that
names the position and the fix.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from bleuprint import checks
from bleuprint.core import counts
from bleuprint.core.arrays import Integers, NDArray, np
from bleuprint.core.unicode import has_surrogate
from bleuprint.errors import (
    BareStringError,
    InputError,
    InputWarning,
    LengthMismatchError,
    NoReferenceError,
    NotTextError,
    SurrogateError,
    TransposedReferencesError,
)

Token = str | int
Text = str | Sequence[Token]
Texts = Iterable[Text] | counts.Column
References = Iterable[Text | Sequence[Text | None]] | counts.Column
Tokenized = Callable[[Text], Sequence[Token]]

_LISTS = (list, tuple)  # a union would be built anew at every check, half a microsecond for a corpus of one segment
_BITS_64 = -(2**63), 2**63 - 1
_LOOKED_AT, _PADDED = 1024, 0.25  # rows of ids that are looked at for padding, and the share that it takes to warn
_REBUILD = "the column is damaged, so write it again"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Checked and aligned hypotheses, references and, if a metric needs them, sources."""

    hypotheses: counts.Column
    references: counts.Column
    sources: counts.Column | None = None
    tokenizer: str | None = None  # what `auto` chose for these texts

    @classmethod
    def of(
        cls, hypotheses: Texts, references: References, sources: Texts | None = None, *, name: str = "hypotheses"
    ) -> Corpus:
        """Return the aligned corpus, or raise an InputError that names the position and the fix.

        >>> len(Corpus.of(["a b", "c"], ["a b", ["c", "d"]]))
        2
        """
        listed, tokenized = _as_sequence(hypotheses, name)
        grouped, _ = _as_sequence(references, "references")
        if isinstance(listed, _LISTS) and isinstance(grouped, _LISTS):
            check_lengths(name, listed, grouped, tokenized=tokenized)
        if tokenized:
            _warn_of_empty_references(grouped)
        corpus = cls(
            column(listed, name, tokenized=tokenized),
            checked_column(grouped, "references", groups=True, tokenized=tokenized),
            None if sources is None else checked_column(sources, "sources", tokenized=tokenized),
        )
        for other, texts in (("references", corpus.references), ("sources", corpus.sources)):
            if texts is not None and len(texts) != len(corpus):
                raise LengthMismatchError(name, len(corpus), other, len(texts))
        return corpus

    @classmethod
    def alone(cls, hypotheses: Texts, sources: Texts | None = None, *, name: str = "hypotheses") -> Corpus:
        """Return a corpus for metrics without references; the hypotheses serve as placeholder references."""
        texts = checked_column(hypotheses, name)
        return cls.of(texts, texts, sources, name=name)

    @classmethod
    def of_systems(
        cls, systems: Mapping[str, Texts], references: References | None, sources: Texts | None = None
    ) -> dict[str, Corpus]:
        """Return one corpus per system; all of them share the columns of references and sources.

        Without references, the outputs of each system serve as placeholders.

        >>> corpora = Corpus.of_systems({"A": ["a b"], "B": ["c"]}, ["a b"])
        >>> corpora["A"].references is corpora["B"].references
        True
        """
        for name in systems:
            if not isinstance(name, str):
                raise InputError(f"the name of a system must be a str, got {name!r}.")
            if has_surrogate(name):
                raise SurrogateError(f"the name of system {name!r}")
        first, *others = systems
        if references is None:
            shared = cls.alone(systems[first], sources, name=first)
        else:
            shared = cls.of(systems[first], references, sources, name=first)
        corpora = {first: shared}
        for name in others:
            texts = checked_column(systems[name], name, tokenized=shared.hypotheses.tokenized)
            if len(texts) != len(shared):
                raise LengthMismatchError(name, len(texts), first if references is None else "references", len(shared))
            corpora[name] = cls(texts, texts if references is None else shared.references, shared.sources)
        return corpora

    @classmethod
    def of_one(cls, hypothesis: Text, references: object, source: Text | None = None) -> Corpus:
        """Return a corpus of one segment."""
        tokenized = isinstance(hypothesis, _LISTS)
        if tokenized:
            _warn_of_empty_references([references])
        return cls(
            column([hypothesis], "hypothesis", tokenized=tokenized, index=False),
            column([references], "references", groups=True, tokenized=tokenized, index=False),
            None if source is None else column([source], "source", tokenized=tokenized, index=False),
        )

    def __len__(self) -> int:
        return len(self.hypotheses)

    def part(self, begin: int, end: int) -> Corpus:
        """Return the segments from `begin` to `end`."""
        return self.map_columns(lambda texts, _: counts.part_of_column(texts, begin, end))

    def map_columns(self, prepare: Callable[[counts.Column, str], counts.Column], name: str = "hypotheses") -> Corpus:
        """Return the corpus with each column prepared, which is given with its name in errors."""
        sources = None if self.sources is None else prepare(self.sources, "sources")
        return Corpus(prepare(self.hypotheses, name), prepare(self.references, "references"), sources)


def checked_column(items: object, name: str, *, groups: bool = False, tokenized: bool | None = None) -> counts.Column:
    """Return one checked column; pass `tokenized` if another column decides whether texts are token lists."""
    listed, lists = _as_sequence(items, name)
    tokenized = lists if tokenized is None else tokenized
    if tokenized and not isinstance(listed, (*_LISTS, counts.Column)):
        got = type(listed).__name__
        raise NotTextError(name, "a list of token lists, like the other texts", got, "tokenize these too")
    return column(listed, name, groups=groups, tokenized=tokenized)


def token_ids(
    ids: object,
    *,
    lengths: object = None,
    pad: int | Sequence[int] | None = None,
    mask: object = None,
    eos: int | None = None,
) -> counts.Column:
    """Texts as rows of token ids, for every function that takes texts.

    >>> from bleuprint import sentence_bleus, token_ids
    >>> ids = [[5, 6, 7, 8, 0, 0], [5, 9, 0, 0, 0, 0]]
    >>> sentence_bleus(token_ids(ids, pad=0), token_ids([[5, 6, 7, 8], [5, 6, 0, 0]], pad=0)).tolist()
    [1.0, 0.5]

    - `ids`: integers with two dimensions, segments and tokens, or with three: segments, references, tokens. A NumPy
      array, a tensor in CPU memory (torch, JAX, anything with DLPack), or nested lists of equal length. Arrays of int32
      and int64 are read where they lie.
    - `lengths`: how many ids of each row count, as padded batches have them
    - `pad`: an id, or several such as `[0, -100]`, that are left out wherever they stand; `[]` if none is padding
    - `mask`: which ids count, as an attention mask: an array like `ids` with 0 where there is padding
    - `eos`: the id that ends a text; it and what follows are left out

    If none of these is given and rows end in a repeated id, as padding does, there is a warning.

    Scores equal those of lists of the same integers. Scores of subwords are not comparable with scores of words.
    """
    array = _integers(ids, "ids")
    if array.ndim not in (2, 3):
        raise NotTextError("ids", "integers with 2 or 3 dimensions", f"{array.ndim} of them", "reshape the array")
    group = 1 if array.ndim == 2 else array.shape[1]
    if group == 0 and len(array):
        raise NoReferenceError("ids[0]")
    pads: list[int] = [] if pad is None else [pad] if not isinstance(pad, Sequence) or isinstance(pad, str) else [*pad]
    for each in pads:
        checks.integer("pad", each, *_BITS_64, allowed="None, an integer of 64 bits or a list of them")
    checks.integer("eos", eos, *_BITS_64, optional=True, allowed="None or an integer of 64 bits")
    counted = _row_lengths(lengths, array)
    if pad is lengths is mask is eos is None:
        _warn_of_padding(array, "ids")
    if len(pads) > 1 or mask is not None or eos is not None:
        left_out = np.isin(array, pads)
        if mask is not None:
            left_out |= _mask(mask, array) == 0
        if eos is not None:
            left_out |= np.logical_or.accumulate(array == eos, axis=-1)
            pads.append(eos)
        # The core leaves out one id, so the others become that one, or one that no row has.
        unused = pads or set(range(array.size + 1)) - set(array.ravel().tolist())
        pads = [next(iter(unused))]
        array = np.where(left_out, pads[0], array)
    matrix = array.reshape(math.prod(array.shape[:-1]), array.shape[-1])
    return counts.column_from_ids(matrix, group or 1, counted, pads[0] if pads else None)


def _mask(mask: object, ids: NDArray[Any]) -> NDArray[Any]:
    array = _integers(mask, "mask", "biu")
    if array.shape != ids.shape:
        got = f"the shape {array.shape}"
        raise NotTextError("mask", f"an array of shape {ids.shape}", got, "give a 0 or a 1 for every id")
    return array


def _warn_of_padding(ids: NDArray[Any], name: str) -> None:
    """Warn if many rows end in one repeated id that stands nowhere else, except at the beginning as some models do."""
    looked_at = ids.reshape(-1, ids.shape[-1] or 1)[:_LOOKED_AT]
    twice = looked_at[looked_at[:, -1] == looked_at[:, -2]] if looked_at.shape[1] > 1 else looked_at[:0]
    if not len(twice):
        return
    values, counted = np.unique(twice[:, -1], return_counts=True)
    pad = int(values[counted.argmax()])
    runs = np.logical_and.accumulate(looked_at[:, ::-1] == pad, axis=1).sum(axis=1)
    padded = int(((runs > 1) & (runs < looked_at.shape[1])).sum())
    inside = int((looked_at[:, 1:] == pad).sum() - np.minimum(runs, looked_at.shape[1] - 1).sum())
    if padded >= _PADDED * len(looked_at) and padded and not inside:
        warn(
            InputWarning(
                f"{name}: {padded} of {len(looked_at)} rows end in {pad} and {pad}, which looks like padding and is "
                f"scored as tokens; pass token_ids(…, pad={pad}), or pad=[] if these are tokens."
            )
        )


def _row_lengths(lengths: object, ids: NDArray[Any]) -> Integers | None:
    if lengths is None:
        return None
    array = _integers(lengths, "lengths")
    if array.shape != ids.shape[:-1]:
        got = f"the shape {array.shape}"
        raise NotTextError(
            "lengths", f"an array of shape {ids.shape[:-1]}", got, "give one length for every row of ids"
        )
    wrong = (array < 0) | (array > ids.shape[-1])
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        where = "lengths" + "".join(f"[{position}]" for position in place)
        raise NotTextError(where, f"a number from 0 to {ids.shape[-1]}", str(array[place]), "count the ids of that row")
    return np.ascontiguousarray(array, dtype=np.int64).reshape(-1)


def _integers(values: object, name: str, kinds: str = "iu") -> NDArray[Any]:
    """The values as an array of int32 or int64, without a copy if they are one."""
    repair = "pass token ids as a NumPy array, a tensor in CPU memory, or lists of equal length"
    try:
        foreign: Any = None if isinstance(values, np.ndarray) or not hasattr(values, "__dlpack__") else values
        array = np.asarray(values) if foreign is None else np.from_dlpack(foreign)
    except (ValueError, TypeError, OverflowError, BufferError, RuntimeError) as error:
        raise NotTextError(name, "integers", f"a {type(values).__name__} ({error})", repair) from None
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.int64)  # what NumPy makes of lists without numbers
    if array.dtype.kind not in kinds:
        raise NotTextError(name, "integers", f"a {type(values).__name__} of {array.dtype}", repair)
    if array.dtype in (np.dtype("int32"), np.dtype("int64")):
        return array
    if array.dtype == np.dtype("uint64") and array.size and int(array.max()) >= 2**63:
        raise NotTextError(name, "integers below 2**63", str(array.max()), "renumber the tokens")
    return array.astype(np.int64)


def split_column(texts: counts.Column, name: str, tokenize: Tokenized) -> counts.Column:
    """Return the column with every text replaced by the tokens that `tokenize` returns for it."""
    split = [[tokenize(text) for text in group] for group in texts.unpack()]
    return column(split, name, groups=True, tokenized=True)


def column(
    items: object, name: str, *, groups: bool = False, tokenized: bool = False, index: bool = True
) -> counts.Column:
    """Return a native column from a column, a list, a tuple, or an object with the Arrow interface."""
    if isinstance(items, counts.Column):
        if not groups and items.texts != len(items):
            raise NotTextError(
                name, "a column with one text per segment", "a column with several", "select one of them"
            )
        return items
    if tokenized and not groups and isinstance(items, _LISTS):
        _warn_of_whole_texts(items, name)
    try:
        if isinstance(items, _LISTS):
            return counts.column(items, groups=groups, tokenized=tokenized)
        return counts.arrow_column(items, groups=groups)
    except ImportError:
        # pandas needs pyarrow for its Arrow interface, but not for iteration.
        return column(list(items), name, groups=groups)  # type: ignore[call-overload]
    except counts.Fault as fault:
        raise_fault(_with_nan(fault, items), name, groups=groups, tokenized=tokenized, index=index)


def _with_nan(fault: counts.Fault, items: object) -> counts.Fault:
    """Name a NaN, which is how pandas marks a missing text, where the core only sees a float."""
    kind, segment, inner, token, got = fault.args
    if got != "float" or not isinstance(items, _LISTS):
        return fault
    item = items[segment] if inner < 0 else items[segment][inner]
    return counts.Fault(kind, segment, inner, token, "NaN") if item != item else fault


def _warn_of_whole_texts(items: Sequence[object], name: str) -> None:
    """Warn if every token list is a single token with spaces: a text in brackets, which matches as a whole or not."""
    for tokens in items:
        if not isinstance(tokens, _LISTS) or len(tokens) != 1:
            return
        if not isinstance(tokens[0], str) or " " not in tokens[0].strip():
            return
    if items:
        warn(
            InputWarning(
                f"{name}: a list is a list of tokens, and here each is one token with spaces in it; "
                "pass a str to have it split into words."
            )
        )


def _warn_of_empty_references(items: object) -> None:
    """Warn if references are token lists of which none has a token, so that nothing can match."""
    for group in items if isinstance(items, _LISTS) else ():
        if not isinstance(group, _LISTS) or any(not isinstance(text, _LISTS) or len(text) for text in group):
            return
    if isinstance(items, _LISTS) and len(items):
        warn(InputWarning("references: none has a token ([[]] is one empty reference); pass lists of tokens."))


def warn(warning: InputWarning) -> None:
    """Issue a warning that names the line of the first caller outside the package."""
    import warnings

    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("bleuprint."):
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)


def raise_fault(fault: counts.Fault, name: str, *, groups: bool, tokenized: bool, index: bool = True) -> NoReturn:
    """Raise the Python error for a fault reported by the core."""
    kind, segment, inner, token, got = fault.args
    positions = [*([segment] if index else []), *(position for position in (inner, token) if position >= 0)]
    where = name + "".join(f"[{position}]" for position in positions)
    text = "a list of tokens" if tokenized else "a str"
    allowed = f"{text} or a list of them" if groups and inner < 0 else text
    match kind:
        case "surrogate":
            raise SurrogateError(where) from None
        case "bytes":
            raise NotTextError(where, "valid UTF-8", "invalid bytes", "decode the original bytes again") from None
        case "damaged":
            raise NotTextError(name, "a valid Arrow column", f"one with an error ({got})", _REBUILD) from None
        case "bounds":
            raise NotTextError(where, "text inside the buffers of its Arrow column", got, _REBUILD) from None
        case "empty":
            raise NoReferenceError(where) from None
        case "token":
            raise NotTextError(where, "a token (str or int)", got, "convert every token to str first") from None
        case "arrow":
            kinds = "a column of strings or of lists of strings" if groups else "a column of strings"
            raise NotTextError(name, kinds, got, "select a text column or cast this one") from None
        case "string":
            raise NotTextError(where, allowed, got, "tokenize this too, as the hypotheses are token lists") from None
    raise NotTextError(where, allowed, got, _repair(got, groups=groups, group=allowed != text)) from None


def _repair(got: str, *, groups: bool, group: bool) -> str:
    if got == "None":
        return "use '' for an empty text, or drop the segment"
    if got == "bytes":
        return "decode it first: item.decode('utf-8')"
    if got in {"list", "tuple"}:
        return (
            "token lists need hypotheses that are token lists too"
            if groups
            else "use either strings or token lists for all texts"
        )
    if got == "NaN":
        return "it stands for a missing text: use '' or drop the segment (in pandas, fillna('') or dropna())"
    if group and got not in {"int", "float"}:
        return "use list(item) for several texts or str(item) for one"
    return "convert it with str() if it is meant to be text"


def _as_sequence(items: object, name: str) -> tuple[object, bool]:
    """Return the items in a form that the core reads, and whether they are token lists."""
    if isinstance(items, (str, bytes)):
        raise BareStringError(name)
    if isinstance(items, counts.Column):
        return items, items.tokenized
    if not isinstance(items, _LISTS):
        items = _stored_column(items)
        if _is_arrow(items):
            return items, False
        if _is_id_matrix(items):
            array = _integers(items, name)
            _warn_of_padding(array, name)
            return token_ids(array, pad=[]), True
        items = _as_list(items, name)
    return items, bool(items) and isinstance(items[0], _LISTS)


def as_arrow(table: Any, *columns: str) -> Any:
    """Return a Hugging Face dataset, or columns of it, as an Arrow table with the rows in its order.

    Anything else is returned as it is, and so is a dataset whose values are computed when they are read.
    """
    if counts.library_of(table) != "datasets" or getattr(table, "format", {"type": "custom"})["type"] == "custom":
        return table
    chosen = table.select_columns(list(columns)) if columns else table
    try:
        # Of a shuffled or filtered dataset, `datasets` itself makes a table with an array for every row.
        return chosen.data.table.take(chosen._indices.column(0))
    except (AttributeError, ValueError):  # there are no indices, or the texts do not fit into one array
        return chosen.with_format("arrow")[:]


def _stored_column(items: Any) -> Any:
    """Return a column of a Hugging Face dataset as Arrow, anything else as it is."""
    dataset, name = getattr(items, "source", None), getattr(items, "column_name", "")
    table = as_arrow(dataset, name)
    return items if table is dataset else table[name]


def _is_arrow(items: object) -> bool:
    if hasattr(items, "columns") or str(getattr(items, "dtype", "")) == "object":
        return False  # a table is not a column, and a pandas object column can hold anything
    return hasattr(items, "__arrow_c_stream__") or hasattr(items, "__arrow_c_array__")


def _is_id_matrix(items: object) -> bool:
    """Whether the items are an array of integers that reads like nested lists of them."""
    kind = str(getattr(items, "dtype", "")).removeprefix("torch.")
    dimensions = getattr(items, "ndim", 0)
    return hasattr(items, "__dlpack__") and kind.startswith(("int", "uint")) and dimensions in (2, 3)


def _as_list(items: object, name: str) -> list[object]:
    got = type(items).__name__
    if hasattr(items, "columns"):
        raise NotTextError(name, "a list of texts", got, "select one column")
    if isinstance(items, dict | set | frozenset) or not isinstance(items, Iterable):
        raise NotTextError(name, "a list of texts", got, "pass a list, as segments need an order")
    items = items.tolist() if hasattr(items, "tolist") else list(items)
    if not isinstance(items, list):
        raise NotTextError(name, "a list of texts", f"a zero-dimensional {got}", "pass a list")
    # pandas reads lists from parquet files as arrays.
    return [item.tolist() if hasattr(item, "tolist") else item for item in items]


def check_lengths(name: str, hypotheses: Sequence[object], references: Sequence[object], *, tokenized: bool) -> None:
    """Raise an error unless there is one item of references per hypothesis; transposed ones are recognized."""
    count = len(hypotheses)
    if len(references) == count:
        return
    if references and all(_is_stream(item, count, tokenized=tokenized) for item in references):
        raise TransposedReferencesError(count, len(references))
    raise LengthMismatchError(name, count, "references", len(references))


def _is_stream(item: object, count: int, *, tokenized: bool) -> bool:
    """Whether the item could hold one reference for each of `count` hypotheses."""
    if not isinstance(item, _LISTS) or len(item) != count:
        return False
    return not tokenized or all(isinstance(text, _LISTS) for text in item)

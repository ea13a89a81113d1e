"""Check raw input and align it as a Corpus.

The shape is the same everywhere: ``references[i]`` belongs to ``hypotheses[i]`` and is a text or a list of texts. A
text is a str, or a list of tokens (str or int) if the hypotheses are token lists. Anything else raises an error that
names the position and the fix.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from bleuprint.core import counts
from bleuprint.core.unicode import has_surrogate
from bleuprint.errors import (
    BareStringError,
    InputError,
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

_REBUILD = "the column is damaged, so write it again"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Checked and aligned hypotheses, references and, if a metric needs them, sources."""

    hypotheses: counts.Column
    references: counts.Column
    sources: counts.Column | None = None

    @classmethod
    def of(
        cls, hypotheses: Texts, references: References, sources: Texts | None = None, *, name: str = "hypotheses"
    ) -> Corpus:
        """Return the aligned corpus, or raise an InputError that names the position and the fix.

        >>> len(Corpus.of(["a b", "c"], ["a b", ["c", "d"]]))
        2
        """
        listed, tokenized = _listed(hypotheses, name)
        grouped, _ = _listed(references, "references")
        if isinstance(listed, list | tuple) and isinstance(grouped, list | tuple):
            _check_lengths(name, listed, grouped, tokenized=tokenized)
        if tokenized and not isinstance(grouped, list | tuple | counts.Column):
            got = type(grouped).__name__
            raise NotTextError(
                "references", "a list of token lists, like the hypotheses", got, "tokenize the references too"
            )
        corpus = cls(
            column(listed, name, tokenized=tokenized),
            column(grouped, "references", groups=True, tokenized=tokenized),
            None if sources is None else column(_listed(sources, "sources")[0], "sources", tokenized=tokenized),
        )
        for other, texts in (("references", corpus.references), ("sources", corpus.sources)):
            if texts is not None and len(texts) != len(corpus):
                raise LengthMismatchError(name, len(corpus), other, len(texts))
        return corpus

    @classmethod
    def alone(cls, hypotheses: Texts) -> Corpus:
        """Return a corpus for metrics without references; the hypotheses serve as placeholder references."""
        texts = checked_column(hypotheses, "hypotheses")
        return cls(texts, texts)

    @classmethod
    def of_systems(
        cls, systems: Mapping[str, Texts], references: References, sources: Texts | None = None
    ) -> dict[str, Corpus]:
        """Return one corpus per system; all of them share the columns of references and sources.

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
        shared = cls.of(systems[first], references, sources, name=first)
        corpora = {first: shared}
        for name in others:
            texts = checked_column(systems[name], name, tokenized=shared.hypotheses.tokenized)
            if len(texts) != len(shared):
                raise LengthMismatchError(name, len(texts), "references", len(shared))
            corpora[name] = cls(texts, shared.references, shared.sources)
        return corpora

    @classmethod
    def of_one(cls, hypothesis: Text, references: object, source: Text | None = None) -> Corpus:
        """Return a corpus of one segment."""
        tokenized = isinstance(hypothesis, list | tuple)
        return cls(
            column([hypothesis], "hypothesis", tokenized=tokenized, index=False),
            column([references], "references", groups=True, tokenized=tokenized, index=False),
            None if source is None else column([source], "source", tokenized=tokenized, index=False),
        )

    def __len__(self) -> int:
        return len(self.hypotheses)

    def mapped(self, tokenize: Tokenized) -> Corpus:
        """Return the corpus with every text replaced by its tokens."""
        return Corpus(
            split_column(self.hypotheses, "hypotheses", tokenize),
            split_column(self.references, "references", tokenize),
            None if self.sources is None else split_column(self.sources, "sources", tokenize),
        )


def checked_column(items: object, name: str, *, groups: bool = False, tokenized: bool | None = None) -> counts.Column:
    """Return one checked column; pass `tokenized` if another column decides whether texts are token lists."""
    listed, lists = _listed(items, name)
    tokenized = lists if tokenized is None else tokenized
    if tokenized and not isinstance(listed, list | tuple | counts.Column):
        got = type(listed).__name__
        raise NotTextError(name, "a list of token lists, like the other texts", got, "tokenize these too")
    return column(listed, name, groups=groups, tokenized=tokenized)


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
    if tokenized and not groups and isinstance(items, list | tuple):
        _warn_of_whole_texts(items, name)
    try:
        if isinstance(items, list | tuple):
            return counts.column(items, groups=groups, tokenized=tokenized)
        return counts.arrow_column(items, groups=groups)  # type: ignore[arg-type]
    except ImportError:
        # pandas needs pyarrow for its Arrow interface, but not for iteration.
        return column(list(items), name, groups=groups)  # type: ignore[call-overload]
    except counts.Fault as fault:
        raise_fault(_with_nan(fault, items), name, groups=groups, tokenized=tokenized, index=index)


def _with_nan(fault: counts.Fault, items: object) -> counts.Fault:
    """Name a NaN, which is how pandas marks a missing text, where the core only sees a float."""
    kind, segment, inner, token, got = fault.args
    if got != "float" or not isinstance(items, list | tuple):
        return fault
    item = items[segment] if inner < 0 else items[segment][inner]
    return counts.Fault(kind, segment, inner, token, "NaN") if item != item else fault


def _warn_of_whole_texts(items: Sequence[object], name: str) -> None:
    """Warn if every token list is a single token with spaces: a text in brackets, which matches as a whole or not."""
    for tokens in items:
        if not isinstance(tokens, list | tuple) or len(tokens) != 1:
            return
        if not isinstance(tokens[0], str) or " " not in tokens[0].strip():
            return
    if items:
        import warnings

        warnings.warn(
            f"{name}: a list is a list of tokens, and here each is one token with spaces in it; "
            "pass a str to have it split into words.",
            stacklevel=_outside(),
        )


def _outside() -> int:
    """The stack level of the first caller outside the package, as warnings count them."""
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("bleuprint."):
        level, frame = level + 1, frame.f_back
    return level


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


def _listed(items: object, name: str) -> tuple[object, bool]:
    """Return the items in a form that the core reads, and whether they are token lists."""
    if isinstance(items, str | bytes):
        raise BareStringError(name)
    if isinstance(items, counts.Column):
        return items, items.tokenized
    if not isinstance(items, list | tuple):
        if _is_arrow(items):
            return items, False
        items = _ordered(items, name)
    return items, bool(items) and isinstance(items[0], list | tuple)


def _is_arrow(items: object) -> bool:
    if hasattr(items, "columns") or str(getattr(items, "dtype", "")) == "object":
        return False  # a table is not a column, and a pandas object column can hold anything
    return hasattr(items, "__arrow_c_stream__") or hasattr(items, "__arrow_c_array__")


def _ordered(items: object, name: str) -> list[object]:
    got = type(items).__name__
    if hasattr(items, "columns"):
        raise NotTextError(name, "a list of texts", got, "select one column")
    if isinstance(items, dict | set | frozenset) or not isinstance(items, Iterable):
        raise NotTextError(name, "a list of texts", got, "pass a list, as segments need an order")
    items = items.tolist() if hasattr(items, "tolist") else list(items)
    if not isinstance(items, list):
        raise NotTextError(name, "a list of texts", f"a zero-dimensional {got}", "pass a list")
    return items


def _check_lengths(name: str, hypotheses: Sequence[object], references: Sequence[object], *, tokenized: bool) -> None:
    count = len(hypotheses)
    if len(references) == count:
        return
    if references and all(_is_stream(item, count, tokenized=tokenized) for item in references):
        raise TransposedReferencesError(count, len(references))
    raise LengthMismatchError(name, count, "references", len(references))


def _is_stream(item: object, count: int, *, tokenized: bool) -> bool:
    """Whether the item could hold one reference for each of `count` hypotheses."""
    if not isinstance(item, list | tuple) or len(item) != count:
        return False
    return not tokenized or all(isinstance(text, list | tuple) for text in item)


__all__ = [
    "Corpus",
    "InputError",
    "References",
    "Text",
    "Texts",
    "checked_column",
    "column",
    "raise_fault",
    "split_column",
]

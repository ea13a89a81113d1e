"""Raw input to a checked, aligned Corpus.

One shape everywhere: ``references[i]`` belongs to ``hypotheses[i]`` and is a text or a list of texts. A text is a
str, or a list of tokens (str or int) when the hypotheses are lists of tokens. Everything else is refused with the
position and the repair.
"""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Corpus:
    """Hypotheses with their references and, where a metric needs them, their sources: aligned and checked."""

    hypotheses: counts.Column
    references: counts.Column
    sources: counts.Column | None = None

    @classmethod
    def of(
        cls, hypotheses: Texts, references: References, sources: Texts | None = None, *, name: str = "hypotheses"
    ) -> Corpus:
        """Check and align; raises an InputError that names the place and the repair.

        >>> len(Corpus.of(["a b", "c"], ["a b", ["c", "d"]]))
        2
        """
        listed, tokenized = _listed(hypotheses, name)
        grouped, _ = _listed(references, "references")
        if isinstance(listed, list | tuple) and isinstance(grouped, list | tuple):
            _check_lengths(name, listed, grouped, tokenized=tokenized)
        if tokenized and not isinstance(grouped, list | tuple | counts.Column):
            got = type(grouped).__name__
            raise NotTextError("references", "a list of token lists, as the hypotheses are", got, "split these too")
        corpus = cls(
            column(listed, name, tokenized=tokenized),
            column(grouped, "references", groups=True, tokenized=tokenized),
            None if sources is None else column(_listed(sources, "sources")[0], "sources", tokenized=tokenized),
        )
        for other, found in (("references", corpus.references), ("sources", corpus.sources)):
            if found is not None and len(found) != len(corpus):
                raise LengthMismatchError(name, len(corpus), other, len(found))
        return corpus

    @classmethod
    def alone(cls, hypotheses: Texts) -> Corpus:
        """Hypotheses for what looks at nothing else; they stand in for the references too."""
        texts = checked_column(hypotheses, "hypotheses")
        return cls(texts, texts)

    @classmethod
    def of_systems(
        cls, systems: Mapping[str, Texts], references: References, sources: Texts | None = None
    ) -> dict[str, Corpus]:
        """One corpus for each system; references and sources are read once, into columns that all of them share.

        >>> found = Corpus.of_systems({"A": ["a b"], "B": ["c"]}, ["a b"])
        >>> found["A"].references is found["B"].references
        True
        """
        for name in systems:
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
        """One segment."""
        tokenized = isinstance(hypothesis, list | tuple)
        return cls(
            column([hypothesis], "hypothesis", tokenized=tokenized, index=False),
            column([references], "references", groups=True, tokenized=tokenized, index=False),
            None if source is None else column([source], "source", tokenized=tokenized, index=False),
        )

    def __len__(self) -> int:
        return len(self.hypotheses)

    def mapped(self, tokenize: Tokenized) -> Corpus:
        """The same corpus with every text replaced by its tokens."""
        return Corpus(
            split_column(self.hypotheses, "hypotheses", tokenize),
            split_column(self.references, "references", tokenize),
            None if self.sources is None else split_column(self.sources, "sources", tokenize),
        )


def checked_column(items: object, name: str, *, groups: bool = False, tokenized: bool | None = None) -> counts.Column:
    """One column on its own; `tokenized` where another column decides whether texts are lists of tokens."""
    listed, lists = _listed(items, name)
    tokenized = lists if tokenized is None else tokenized
    if tokenized and not isinstance(listed, list | tuple | counts.Column):
        got = type(listed).__name__
        raise NotTextError(name, "a list of token lists, as the other texts are", got, "split these too")
    return column(listed, name, groups=groups, tokenized=tokenized)


def split_column(texts: counts.Column, name: str, tokenize: Tokenized) -> counts.Column:
    """The same column with every text, a str or a list of tokens, replaced by the tokens a function makes of it."""
    split = [[tokenize(text) for text in group] for group in texts.unpack()]
    return column(split, name, groups=True, tokenized=True)


def column(
    items: object, name: str, *, groups: bool = False, tokenized: bool = False, index: bool = True
) -> counts.Column:
    """One native column; `items` is one already, a list, a tuple, or speaks Arrow."""
    if isinstance(items, counts.Column):
        if not groups and items.texts != len(items):
            raise NotTextError(name, "a column of one text per segment", "a column of several", "select one of them")
        return items
    try:
        if isinstance(items, list | tuple):
            return counts.column(items, groups=groups, tokenized=tokenized)
        return counts.arrow_column(items, groups=groups)  # type: ignore[arg-type]
    except ImportError:
        # pandas needs pyarrow to speak Arrow; its items can be read without.
        return column(list(items), name, groups=groups)  # type: ignore[call-overload]
    except counts.Fault as fault:
        raise_fault(fault, name, groups=groups, tokenized=tokenized, index=index)


def raise_fault(fault: counts.Fault, name: str, *, groups: bool, tokenized: bool, index: bool = True) -> NoReturn:
    """Say in words what the core found."""
    kind, segment, inner, token, got = fault.args
    positions = [*([segment] if index else []), *(position for position in (inner, token) if position >= 0)]
    where = name + "".join(f"[{position}]" for position in positions)
    text = "a list of tokens" if tokenized else "a str"
    allowed = f"{text} or a list of them" if groups and inner < 0 else text
    match kind:
        case "surrogate":
            raise SurrogateError(where) from None
        case "bytes":
            raise NotTextError(where, "UTF-8", "bytes that are not", "decode the original bytes again") from None
        case "empty":
            raise NoReferenceError(where) from None
        case "token":
            raise NotTextError(where, "a token (str or int)", got, "convert every token to str first") from None
        case "arrow":
            kinds = "a column of strings or of lists of strings" if groups else "a column of strings"
            raise NotTextError(name, kinds, got, "select or cast a column of texts") from None
        case "string":
            raise NotTextError(where, allowed, got, "the hypotheses are lists of tokens, so split this too") from None
    raise NotTextError(where, allowed, got, _repair(got, groups=groups, group=allowed != text)) from None


def _repair(got: str, *, groups: bool, group: bool) -> str:
    if got == "None":
        return "use '' for an empty text, or drop the segment"
    if got == "bytes":
        return "decode it first: item.decode('utf-8')"
    if got in {"list", "tuple"}:
        return "token lists are scored when the hypotheses are token lists too" if groups else "join or split all alike"
    if group and got not in {"int", "float"}:
        return "write list(item) if it holds several texts, str(item) if it is one"
    return "convert it with str() if it really is a text"


def _listed(items: object, name: str) -> tuple[object, bool]:
    """The items as something the core reads, and whether they are lists of tokens."""
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
        return False  # a table is not a column, and an object column of pandas is a list of anything
    return hasattr(items, "__arrow_c_stream__") or hasattr(items, "__arrow_c_array__")


def _ordered(items: object, name: str) -> list[object]:
    got = type(items).__name__
    if hasattr(items, "columns"):
        raise NotTextError(name, "a list of texts", got, "select one column")
    if isinstance(items, dict | set | frozenset) or not isinstance(items, Iterable):
        raise NotTextError(name, "a list of texts", got, "segments need an order: give a list")
    items = items.tolist() if hasattr(items, "tolist") else list(items)
    if not isinstance(items, list):
        raise NotTextError(name, "a list of texts", f"{got} without a dimension", "give a list")
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

"""Raw input to a checked, aligned Corpus.

One shape everywhere: ``references[i]`` belongs to ``hypotheses[i]`` and is a text or a list of texts. A text is a
str, or a list of tokens (str or int) when the hypotheses are lists of tokens. Everything else is refused with the
position and the repair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from bleuprint import counts
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
Texts = Iterable[Text]
References = Iterable[Text | Sequence[Text | None]]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Hypotheses with their references, aligned and checked."""

    hypotheses: counts.Column
    references: counts.Column

    @classmethod
    def of(cls, hypotheses: Texts, references: References) -> Corpus:
        """Check and align; raises an InputError that names the place and the repair.

        >>> len(Corpus.of(["a b", "c"], ["a b", ["c", "d"]]))
        2
        """
        listed, tokenized = _listed(hypotheses, "hypotheses")
        grouped, _ = _listed(references, "references")
        if isinstance(listed, list | tuple) and isinstance(grouped, list | tuple):
            _check_lengths(listed, grouped)
        corpus = cls(
            column(listed, "hypotheses", tokenized=tokenized),
            column(grouped, "references", groups=True, tokenized=tokenized),
        )
        if len(corpus.hypotheses) != len(corpus.references):
            raise LengthMismatchError("hypotheses", len(corpus.hypotheses), "references", len(corpus.references))
        return corpus

    def __len__(self) -> int:
        return len(self.hypotheses)

    def mapped(self, tokenize: Callable[[str], Sequence[Token]]) -> Corpus:
        """The same corpus with every text replaced by its tokens."""
        if self.hypotheses.tokenized:
            return self
        return Corpus(
            column([tokenize(text) for (text,) in self.hypotheses.unpack()], "hypotheses", tokenized=True),
            column(
                [[tokenize(text) for text in texts] for texts in self.references.unpack()],
                "references",
                groups=True,
                tokenized=True,
            ),
        )


def column(items: object, name: str, *, groups: bool = False, tokenized: bool = False) -> counts.Column:
    """One native column; `items` is a list, a tuple or speaks Arrow."""
    try:
        if isinstance(items, list | tuple):
            return counts.column(items, groups=groups, tokenized=tokenized)
        return counts.arrow_column(items)  # type: ignore[arg-type]
    except counts.Fault as fault:
        raise_fault(fault, name, groups=groups, tokenized=tokenized)


def raise_fault(fault: counts.Fault, name: str, *, groups: bool, tokenized: bool, index: bool = True) -> NoReturn:
    """Say in words what the core found."""
    kind, segment, inner, got = fault.args
    where = (f"{name}[{segment}]" if index else name) + (f"[{inner}]" if inner >= 0 else "")
    text = "a list of tokens" if tokenized else "a str"
    allowed = f"{text} or a list of them" if groups and inner < 0 else text
    match kind:
        case "surrogate":
            raise SurrogateError(where) from None
        case "empty":
            raise NoReferenceError(where) from None
        case "token":
            raise NotTextError(where, "a token (str or int)", got, "convert every token to str first") from None
        case "arrow":
            raise NotTextError(name, "a column of strings or of lists of strings", got, "select one column") from None
        case "string":
            raise NotTextError(where, allowed, got, "the hypotheses are lists of tokens, so split this too") from None
    raise NotTextError(where, allowed, got, _repair(got, groups=groups, tokenized=tokenized)) from None


def _repair(got: str, *, groups: bool, tokenized: bool) -> str:
    if got == "None":
        return "use '' for an empty text, or drop the segment"
    if got == "bytes":
        return "decode it first: item.decode('utf-8')"
    if got in {"list", "tuple"} and not tokenized:
        return "token lists are scored when the hypotheses are token lists too" if groups else "join or split all alike"
    return "convert it with str() if it really is a text"


def _listed(items: object, name: str) -> tuple[object, bool]:
    """The items as something the core reads, and whether they are lists of tokens."""
    if isinstance(items, str | bytes):
        raise BareStringError(name)
    if not isinstance(items, list | tuple):
        if hasattr(items, "__arrow_c_stream__") and not hasattr(items, "columns"):
            return items, False
        if isinstance(items, dict | set | frozenset) or not isinstance(items, Iterable):
            raise NotTextError(name, "a list of texts", type(items).__name__, "segments need an order: give a list")
        items = list(items)
    return items, bool(items) and isinstance(items[0], list | tuple)


def _check_lengths(hypotheses: Sequence[object], references: Sequence[object]) -> None:
    count = len(hypotheses)
    if len(references) == count:
        return
    streams = [item for item in references if isinstance(item, list | tuple)]
    if references and len(streams) == len(references) and all(len(stream) == count for stream in streams):
        raise TransposedReferencesError(count, len(references))
    raise LengthMismatchError("hypotheses", count, "references", len(references))


__all__ = ["Corpus", "InputError", "References", "Text", "Texts", "column", "raise_fault"]

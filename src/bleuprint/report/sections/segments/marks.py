"""Where the tokens of a text stand in it, in the few characters the page needs to cut them out again.

The page marks the n-grams that were counted, so it must see the very tokens the metric saw, and the text as it was
written. A text is cut at white space and at the places in `cuts`; the pieces are the tokens, but for those in `others`:
there stands the token the tokenizer made of a piece, or nothing where it dropped the piece.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

# What str.split() takes for white space. The page has the same list.
_BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B)))
_BLANKS += "\u2028\u2029\u202f\u205f\u3000"
_BLANK = frozenset(_BLANKS)
_FIRST, _STEPS = 35, 88  # distances 1 … 88 are the characters $ … {; a | is 88 without a cut
_NEAR = 4096  # how much of a text a tokenizer may drop at once; without an end to it the search would be quadratic
_QUOTES = {"``": '"', "''": '"'}


@dataclass(frozen=True, slots=True)
class Marked:
    """A text, where it is cut beside its white space, and the tokens that are not what stands there."""

    text: str
    cuts: str = ""
    others: dict[int, str | None] = field(default_factory=dict)
    rewritten: bool = False  # the tokens could not be found in the text, so they are shown instead of it
    tokens: int = 0

    def to_json(self) -> object:
        """The text alone where that says it all."""
        if not (self.cuts or self.others or self.rewritten):
            return self.text
        entry: list[object] = [self.text, self.cuts]
        if self.others or self.rewritten:
            entry.append(self.others)
        return [*entry, 1] if self.rewritten else entry


def mark(text: str, tokenize: Callable[[str], Sequence[str]], *, lowercase: bool) -> Marked:
    """The text with its tokens.

    >>> mark("Hello, world!", lambda text: ["Hello", ",", "world", "!"], lowercase=False)
    Marked(text='Hello, world!', cuts='(*', others={}, rewritten=False, tokens=4)
    >>> mark("A B", lambda text: ["a", "b"], lowercase=True).others
    {}
    """
    tokens = tokenize(text)
    cuts = _cuts(text, tokens, lowercase=lowercase)
    if cuts is not None:
        return Marked(text, _encode_cuts(cuts), tokens=len(tokens))
    # Schemes of words are in lower case whether asked for or not.
    spans = (None if lowercase else _spans(text, text, tokens)) or _spans(text, text.lower(), tokens)
    if spans is None:
        shown, spans = _spell_out(tokens)
        return _encode(shown, tokens, spans, lowercase=lowercase, rewritten=True)
    return _encode(text, tokens, spans, lowercase=lowercase, rewritten=False)


def _cuts(text: str, tokens: Sequence[str], *, lowercase: bool) -> list[int] | None:
    """Where words are cut into tokens, if the tokens are all of the text but its white space, as they mostly are.

    It takes a sixth of the time that a search for each token takes.
    """
    if lowercase and not text.isascii():
        return None
    text = text.lower() if lowercase else text
    cuts: list[int] = []
    at, following = 0, iter(tokens)
    for word in text.split():
        at = text.index(word, at)
        end = at + len(word)
        token = next(following, "")
        if token != word:
            while token and len(token) < end - at and text.startswith(token, at):
                at += len(token)
                cuts.append(at)
                token = next(following, "")
            if token != text[at:end]:
                return None
        at = end
    return cuts if next(following, None) is None else None


def _encode_cuts(places: Iterable[int]) -> str:
    steps, last = [], 0
    for place in places:
        whole, rest = divmod(place - last - 1, _STEPS)
        steps.append("|" * whole + chr(_FIRST + rest + 1))
        last = place
    return "".join(steps)


def _key(piece: str, lowercase: bool) -> str:
    """What the page takes a piece for. Python and browsers agree on the lower case of ASCII; the rest is spelt out."""
    return piece.lower() if lowercase and piece.isascii() else piece


def _spell_out(tokens: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """The tokens with blanks between them; those that could not be seen have a sign."""
    shown = [token if token.split() else "␣" for token in tokens]
    ends = list(accumulate(len(token) + 1 for token in shown))
    return " ".join(shown), [(end - 1 - len(token), end - 1) for token, end in zip(shown, ends, strict=True)]


def _spans(text: str, lowered: str, tokens: Sequence[str]) -> list[tuple[int, int]] | None:
    """Where each token stands, one after the other; None where one cannot be found."""
    if len(lowered) != len(text):
        return None
    spans, at = [], 0
    for token in tokens:
        while at < len(text) and text[at] in _BLANK:
            at += 1
        span = _find(lowered, token, at) if token else None
        if span is None or not text[slice(*span)].split():
            return None
        spans.append(span)
        at = span[1]
    return spans


def _find(text: str, token: str, at: int) -> tuple[int, int] | None:
    if text.startswith(token, at):
        return at, at + len(token)
    # A quotation mark that NLTK turned round, an entity that 13a resolved, a piece of SentencePiece.
    escaped = html.escape(token)
    forms = [token, *([escaped] if escaped != token else []), token.lstrip("▁")]
    if token in _QUOTES:
        forms.append(_QUOTES[token])
    for form in forms:
        if form and text.startswith(form, at):
            return at, at + len(form)
    near = at + _NEAR
    places = [(place, place + len(form)) for form in forms if form and (place := text.find(form, at, near)) >= 0]
    return min(places, default=None)


def _encode(
    text: str, tokens: Sequence[str], spans: Sequence[tuple[int, int]], *, lowercase: bool, rewritten: bool
) -> Marked:
    cuts: list[int] = []
    others: dict[int, str | None] = {}
    number = at = 0
    for token, (begin, end) in zip(tokens, spans, strict=True):
        dropped = len(text[at:begin].split())
        inner = text[begin:end].split()
        # White space inside a token: its first piece stands for it, the others for nothing.
        others |= dict.fromkeys(range(number, number + dropped + len(inner)))
        if [token] == [_key(piece, lowercase) for piece in inner]:
            del others[number + dropped]
        else:
            others[number + dropped] = token
        number += dropped + len(inner)
        for place in (begin, end):
            inside = (cuts[-1] if cuts else 0) < place < len(text)
            if inside and text[place - 1] not in _BLANK and text[place] not in _BLANK:
                cuts.append(place)
        at = end
    others |= dict.fromkeys(range(number, number + len(text[at:].split())))
    return Marked(text, _encode_cuts(cuts), others, rewritten, len(tokens))

"""Text that breaks tokenizers: Hypothesis strategies, and a seeded generator for bulk comparisons.

Both draw from the same pieces. Lone surrogates are left out: no two peers treat them alike.
"""

from __future__ import annotations

import random
import sys
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

from hypothesis import strategies as st

CODE_POINTS = [point for point in range(sys.maxunicode + 1) if not 0xD800 <= point <= 0xDFFF]
WHITE_SPACE = [chr(point) for point in CODE_POINTS if chr(point).isspace()]


def _words(text: str) -> list[str]:
    return text.split()


ASCII_PUNCTUATION = list("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
QUOTES = _words("' \" '' `` ` “ ” ‘ ’ « » „ ‚ ‹ › 「 」 ´")
DASHES = _words("- -- --- – — ― − \u2010 \u2011 \u00ad")
# Escapes that 13a undoes in one fixed order: whole, doubled, cut short and in capitals.
ENTITIES = _words("""
    &quot; &amp; &lt; &gt; &amp;lt; &amp;amp; &amp;quot; &amp;amp;gt; &AMP; &apos; &#39; &quot quot; & &;
    &l t; &&quot;; &lt;skipped&gt;
""")
MARKERS = _words("<skipped> <skipped skipped> <skip<skipped>ped> <SKIPPED>")
LINE_BREAKS = ["-\n", "-\n-\n", "\n", "\r\n", "-\r\n", "<skipped>-\n"]
NUMBERS = _words("""
    1.,.2 1.2 1,000.50 .5 5. 3-4 3--4 -5 10-20 1-a a-1 2004. 1., ,.1 1/2 .. ... .... ,, .,.,. $3.88 50% 12:30
    1e-5 ٣.٤ ३,४ １．２ 2² Ⅳ. ½,¾
""")
CONTRACTIONS = _words("""
    don't DON'T I'll we've they're she'd it's o'clock rock'n'roll cannot Cannot gonna gotta wanna gimme
    lemme d'ye more'n 'tis 'Twas whaddya n't 's s' dogs' 'em don’t l'été whatcha finna 'm 'll've can't.
    're' y'all
""")
ABBREVIATIONS = _words("U.S.A. e.g. Mr. Ph.D. a.m. etc.). end. end.' end.\" end.) end.]] x.y")
MARK_RUNS = _words("?! !!! @user #tag a@b.c http://x.y/z?q=1&r=2 (a) [b] {c} <d> a/b a;b * :) ... …")
EMOJI = _words("😀 👩\u200d👩\u200d👧 🇩🇪 👍🏽 ❤️ 1️⃣ 🏴\U000e0067\U000e0062\U000e007f ☃ → √ ™ ¶ €")
CONTROLS = [
    *map(chr, [0, 1, 8, 0x0E, 0x1B, 0x7F, 0x80, 0x84, 0x9F, 0x200B, 0x200C, 0x200D, 0x2060, 0x061C, 0x202E]),
    *map(chr, [0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0xFE0F, 0xE000, 0xE0001, 0x10FFFF]),
]
MARKS = list("\u0301\u0300\u0345\u0307\u0327\u20dd\u093f\u0e31\u302a\U0001d167")
# Lower case is not one code point for one: capital sigma goes by its neighbours, dotted I gives two.
CASES = _words("Σ ΑΣ ΑΣ. ΣΑ Α\u0301Σ Α.Σ ΑΣ\u0301Α İ I\u0307 ẞ ǅ \u2126 \u212a 𐐀 𞤀 Ⅷ Ⓐ Ꭰ")

SPECIALS = [
    *(*ASCII_PUNCTUATION, *QUOTES, *DASHES, *ENTITIES, *MARKERS, *LINE_BREAKS, *NUMBERS, *CONTRACTIONS),
    *(*ABBREVIATIONS, *MARK_RUNS, *EMOJI, *CONTROLS, *MARKS, *CASES, *WHITE_SPACE),
]


@cache
def alphabets() -> list[str]:
    """The letters and marks of every script Unicode names, up to 64 of each, one string per script."""
    found: dict[str, list[str]] = {}
    for point in CODE_POINTS:
        character = chr(point)
        if unicodedata.category(character)[0] in "LM":
            found.setdefault(unicodedata.name(character, "NO-NAME").split()[0], []).append(character)
    chooser = random.Random(7)
    return ["".join(chooser.sample(letters, min(len(letters), 64))) for letters in found.values()]


@cache
def of_category(first: str) -> str:
    """Every character whose general category begins with this letter."""
    return "".join(chr(point) for point in CODE_POINTS if unicodedata.category(chr(point)).startswith(first))


def _word(chooser: random.Random) -> str:
    letters = chooser.choice(alphabets())
    return "".join(chooser.choices(letters, k=chooser.randint(1, 6)))


def _latin(chooser: random.Random) -> str:
    return "".join(chooser.choices("abcdeXYZ", k=chooser.randint(1, 4)))


def _number(chooser: random.Random) -> str:
    return "".join(chooser.choices("0123456789.,--", k=chooser.randint(1, 7)))


def _foreign_number(chooser: random.Random) -> str:
    return "".join(chooser.choice(of_category("N")) + chooser.choice(["", ".", ",", "-"]) for _ in range(3))


def _marks(chooser: random.Random) -> str:
    return "".join(chooser.choice(of_category("P")) for _ in range(chooser.randint(1, 3)))


def _any_character(chooser: random.Random) -> str:
    return chr(chooser.choice(CODE_POINTS))


_MAKERS: list[tuple[int, Callable[[random.Random], str]]] = [
    (6, lambda chooser: chooser.choice(SPECIALS)),
    (3, _latin),
    (2, _word),
    (2, _number),
    (1, _foreign_number),
    (1, _marks),
    (1, lambda chooser: chooser.choice(of_category("S"))),
    (1, lambda chooser: chooser.choice(WHITE_SPACE)),
    (1, _any_character),
]
_WEIGHTS = [weight for weight, _ in _MAKERS]
_FUNCTIONS = [maker for _, maker in _MAKERS]


def random_text(chooser: random.Random, most_pieces: int = 14) -> str:
    """A text of odd pieces, blanks between some of them."""
    makers = chooser.choices(_FUNCTIONS, _WEIGHTS, k=chooser.randint(0, most_pieces))
    blanks = chooser.random()
    return "".join(maker(chooser) + (" " if chooser.random() < blanks else "") for maker in makers)


def random_texts(seed: int, count: int) -> Iterator[str]:
    """The same texts for the same seed."""
    chooser = random.Random(seed)
    return (random_text(chooser) for _ in range(count))


def characters() -> st.SearchStrategy[str]:
    return st.characters(exclude_categories=["Cs"])


@cache  # a strategy takes longer to make than to draw from
def _text_in(letters: str) -> st.SearchStrategy[str]:
    return st.text(letters, min_size=1, max_size=4)


def _letters() -> st.SearchStrategy[str]:
    return st.sampled_from(alphabets()).flatmap(_text_in)


def pieces() -> st.SearchStrategy[str]:
    return st.one_of(
        st.sampled_from(SPECIALS),
        st.text("ab1.,-' ", max_size=5),
        st.deferred(_letters),
        characters(),
    )


def nasty_text(most_pieces: int = 12) -> st.SearchStrategy[str]:
    return st.lists(pieces(), max_size=most_pieces).map("".join)

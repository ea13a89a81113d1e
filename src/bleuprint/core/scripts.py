"""The scripts of texts, and whether a tokenizer can read them.

Some tokenizers drop the letters of most scripts, as ROUGE's does with all but a to z. Others split at spaces, which
Chinese, Japanese, Thai, Lao, Khmer, Burmese and Tibetan do not have: a line is one token, so two lines match as a whole
or not at all. Scores of such texts are formally right and surely not meant.
"""

from __future__ import annotations

from functools import lru_cache

from bleuprint.core import counts
from bleuprint.core.columns import warn
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.errors import TokenizerWarning

Letters = tuple[int, ...]  # of each script, in the order of the core; empty if all are Latin

_LOOKED_AT, _BYTES = 64, 256  # texts of a column, and bytes of each, that are looked at to warn
_ALL = 1 << 62
_MOSTLY = 0.5
SOME = 0.1  # letters that `auto` lets a tokenizer miss, such as names in another script

_NAMES = ("Latin", "Chinese", "Japanese", "Thai, Lao, Burmese or Khmer", "Tibetan, Javanese or Yi", "non-Latin")
_HAN, _KANA, _OTHER = 1, 2, 5
# Words of the scripts that do without spaces, one behind the other, and one of a script that has them.
_PROBES = {1: "天地玄黄宇宙洪荒", 2: "いろはにほへとちりぬるを", 3: "กขคงจฉชซญดตถท", 4: "ཀཁགངཅཆཇཉཏཐདན", 5: "слово"}


def look_at(texts: counts.Column | str) -> Letters | None:
    """The letters by script at the beginnings of up to 64 texts, at equal distances; None if all are Latin."""
    if isinstance(texts, str):
        return counts.script_letters_of_text(texts, _BYTES)
    return counts.script_letters(texts, _LOOKED_AT, _BYTES)


def letters_of(*columns: counts.Column) -> Letters:
    """The letters of all texts by script, whatever their order; empty if all are Latin."""
    counted = [letters for column in columns if (letters := counts.script_letters(column, _ALL, _ALL)) is not None]
    return tuple(map(sum, zip(*counted, strict=True)))


def missed_by(tokenizer: Tokenizer) -> tuple[int, ...]:
    """The scripts that a tokenizer cannot read: it drops their letters, or leaves words together."""
    try:
        return _missed_scripts(tokenizer)
    except Exception:
        if callable(tokenizer.argument):  # a custom function that reads no other texts than the caller's
            return ()
        raise


@lru_cache(maxsize=256)
def _missed_scripts(tokenizer: Tokenizer) -> tuple[int, ...]:
    tokens = {script: tokenizer(probe) for script, probe in _PROBES.items()}
    unsplit = (script for script, found in tokens.items() if script != _OTHER and max(map(len, found), default=9) > 4)
    return tuple(unsplit) if tokens[_OTHER] else tuple(_PROBES)


def are_missed(letters: Letters, missed: tuple[int, ...], share: float = _MOSTLY) -> bool:
    """Whether more than this share of the letters belongs to scripts that are missed.

    >>> from bleuprint.core.tokenizers import resolve
    >>> chinese = (20, 80, 0, 0, 0, 0)
    >>> are_missed(chinese, missed_by(resolve("13a"))), are_missed(chinese, missed_by(resolve("zh")))
    (True, False)
    """
    return sum([letters[script] for script in missed]) > share * sum(letters)


def describe(letters: Letters, missed: tuple[int, ...]) -> str:
    """What a tokenizer does to texts in scripts that it misses.

    >>> describe((20, 80, 0, 0, 0, 0), (1,))
    'does not split Chinese text into words, so a whole line is one token'
    """
    most = max(range(len(letters)), key=letters.__getitem__)
    script = _NAMES[_KANA if most == _HAN and letters[_KANA] > SOME * letters[_HAN] else most]
    if _OTHER in missed:
        return f"drops the letters of {script} text, so hardly anything is left to compare"
    return f"does not split {script} text into words, so a whole line is one token"


def warn_of_unread(user: str, tokenizer: Tokenizer, texts: counts.Column) -> None:
    """Warn if the tokenizer cannot read most of the texts that something is made from."""
    letters, missed = look_at(texts), missed_by(tokenizer)
    if letters is not None and are_missed(letters, missed):
        problem = f"the tokenizer {tokenizer.name} {describe(letters, missed)}"
        warn(TokenizerWarning(f"{user}: {problem}; pass another one, such as tokenizer='char'"))

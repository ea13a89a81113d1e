"""Snowball stemmers by language, for texts that the core does not stem."""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import import_module

from bleuprint.core import rules
from bleuprint.core.columns import Text
from bleuprint.core.rules import Rules
from bleuprint.core.tokenizers import Tokenizer, split_by_line
from bleuprint.errors import ExtraImport, OptionError

SHORTEST = 4  # letters of a word that is stemmed
_PACKAGE = "snowballstemmer"
_ENDING = "_stemmer"  # of the package's modules
_REMEMBERED = 1 << 16  # words


@dataclass(frozen=True, slots=True)
class StemmedTokenizer(Tokenizer):
    """Splits texts line by line, with a "\\n" between lines, and stems the words."""

    words: Tokenizer = field(kw_only=True)
    stemmer: Rules = field(kw_only=True)

    @classmethod
    def of(cls, words: Tokenizer, stemmer: Rules) -> StemmedTokenizer:
        return cls(words.name, "whitespace", False, None, words.argument, words=words, stemmer=stemmer)

    @property
    def native(self) -> bool:
        return False

    def split(self, text: Text) -> Sequence[str | int]:
        tokens = split_by_line(text, self.words) if isinstance(text, str) else text
        return [self.stemmer(token) if isinstance(token, str) else token for token in tokens]


def resolve(language: object) -> Rules:
    """The Snowball stemmer of a language, for words of at least four letters.

    A version after the language must be the installed one.

    >>> resolve("german")("häusern")
    'haus'
    """
    if not isinstance(language, str):
        raise OptionError("stemmer", "True, False or the name of a language, such as 'german'", language)
    table = _languages(language)
    return rules.find("stemmer", language, table, f"True, False or a language of snowballstemmer: {', '.join(table)}")


def missing(recorded: object) -> str | None:
    """Why a stemmer in a signature cannot be used here, and what to do; None if it can."""
    return rules.missing("stemmer", recorded, _languages(recorded)) if "(" in str(recorded) else None


def _languages(asked: object) -> rules.Table:
    with ExtraImport(f"stemmer={asked!r}", (_PACKAGE,), "stemmers"):
        import snowballstemmer
    modules = sorted(module.name for module in pkgutil.iter_modules(snowballstemmer.__path__))
    languages = (name.removesuffix(_ENDING) for name in modules if name.endswith(_ENDING))
    return {language: partial(_of, language) for language in languages}


@lru_cache(maxsize=64)
def _of(language: str) -> Rules:
    # The class itself: snowballstemmer.stemmer() gives one of PyStemmer's instead, another version, if it is installed.
    module = import_module(f"{_PACKAGE}.{language}{_ENDING}")
    kind = getattr(module, f"{language}{_ENDING}".title().replace("_", ""))

    @lru_cache(maxsize=_REMEMBERED)
    def stem(word: str) -> str:
        # A stemmer of its own, as threads cannot share one.
        return str(kind().stemWord(word)) if len(word) >= SHORTEST else word

    return Rules(f"{language}({rules.installed_version(_PACKAGE)})", stem)

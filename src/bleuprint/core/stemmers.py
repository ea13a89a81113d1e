"""Snowball stemmers by language, for texts that the core does not stem."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module

from bleuprint.core import versions
from bleuprint.core.columns import Text
from bleuprint.core.tokenizers import Tokenizer, split_by_line
from bleuprint.errors import ExtraImport, OptionError, closest

SHORTEST = 4  # letters of a word that is stemmed
_PACKAGE = "snowballstemmer"
_ENDING = "_stemmer"  # of the package's modules
_REMEMBERED = 1 << 16  # words


@dataclass(frozen=True, slots=True)
class Stemmer:
    """Stems words of at least four letters; two with the same name do the same."""

    name: str
    stem: Callable[[str], str] = field(compare=False, repr=False)

    def __call__(self, token: str | int) -> str | int:
        return self.stem(token) if isinstance(token, str) and len(token) >= SHORTEST else token


@dataclass(frozen=True, slots=True)
class StemmedTokenizer(Tokenizer):
    """Splits texts line by line, with a "\\n" between lines, and stems the words."""

    words: Tokenizer = field(kw_only=True)
    stemmer: Stemmer = field(kw_only=True)

    @classmethod
    def of(cls, words: Tokenizer, stemmer: Stemmer) -> StemmedTokenizer:
        return cls(words.name, "whitespace", False, None, words.argument, words=words, stemmer=stemmer)

    @property
    def native(self) -> bool:
        return False

    def split(self, text: Text) -> Sequence[str | int]:
        if not isinstance(text, str):
            return [self.stemmer(token) for token in text]
        return [self.stemmer(token) for token in split_by_line(text, self.words)]


def resolve(language: object) -> Stemmer:
    """The Snowball stemmer of a language; a version after it must be the installed one.

    >>> resolve("german")("häusern")
    'haus'
    """
    if not isinstance(language, str):
        raise OptionError("stemmer", "True, False or the name of a language, such as 'german'", language)
    with ExtraImport(f"stemmer={language!r}", (_PACKAGE,), "stemmers"):
        import snowballstemmer
    modules = [module.name for module in pkgutil.iter_modules(snowballstemmer.__path__)]
    languages = sorted(name.removesuffix(_ENDING) for name in modules if name.endswith(_ENDING))
    base = versions.base_name(language)
    if base in languages:
        stemmer = _of(base)
        if language in (base, stemmer.name):
            return stemmer
    allowed = f"True, False or a language of snowballstemmer: {', '.join(languages)}"
    raise OptionError("stemmer", allowed, language, meant=closest(base, languages))


@lru_cache(maxsize=64)
def _of(language: str) -> Stemmer:
    # The class itself: snowballstemmer.stemmer() gives one of PyStemmer's instead, another version, if it is installed.
    module = import_module(f"{_PACKAGE}.{language}{_ENDING}")
    kind = getattr(module, f"{language}{_ENDING}".title().replace("_", ""))

    @lru_cache(maxsize=_REMEMBERED)
    def stem(word: str) -> str:
        return str(kind().stemWord(word))  # a stemmer of its own, as threads cannot share one

    return Stemmer(versions.name_with_version(language, _PACKAGE), stem)


def missing(recorded: object) -> str | None:
    """Why a stemmer in a signature cannot be used here, and what to do; None if it can."""
    if not isinstance(recorded, str) or recorded == versions.base_name(recorded):
        return None
    return versions.problem_of("stemmer", recorded, resolve(versions.base_name(recorded)).name)

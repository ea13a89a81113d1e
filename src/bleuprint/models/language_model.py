"""N-gram language models, trained here or read from ARPA files.

Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998: An Empirical Study of Smoothing Techniques for
Language Modeling, Harvard TR-10-98), following KenLM's lmplz wherever the paper leaves a choice (Heafield et
al. 2013: Scalable Modified Kneser-Ney Language Model Estimation, ACL). lmplz counts the last n-gram of each lower order
by its occurrences when it estimates discounts; here, the paper's rule holds for every n-gram. Every text is a sentence
between <s> and </s>; words missing from the training texts are <unk>. All logarithms have base 10, as in ARPA files.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import zlib
from collections.abc import Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Self

from bleuprint import checks
from bleuprint.core import counts, scripts, tokenizers
from bleuprint.core import language_model as models
from bleuprint.core.columns import Text, Texts, checked_column, column
from bleuprint.core.threads import worker_count
from bleuprint.errors import ModelFileError, OptionError, OutputError, TrainingError
from bleuprint.files import write_files
from bleuprint.signature import Option

_MAGIC = b"bleulm\r"
_KENLM_MAGIC = b"mmap lm http://kheafield.com/code"
# Real models compress by a factor of 4 to 10; a decompression bomb by a factor of about 1000.
_LARGEST_RATIO, _USUAL_SIZE = 100, 1 << 24
_DISCOUNTS = (0.5, 1.0, 1.5)  # the defaults of lmplz --discount_fallback


class TokenScore(NamedTuple):
    """The probability of one word given the words before it."""

    token: str | int
    log_probability: float  # log10
    ngram_length: int  # length of the longest known n-gram that ends in this word
    unknown: bool


class TextScore(NamedTuple):
    """The probability of a text, word by word."""

    log_probability: float  # log10 of the whole text
    tokens: tuple[TokenScore, ...]

    @property
    def perplexity(self) -> float:
        """The perplexity of the text, including unknown words and </s>, as in KenLM."""
        return float(10 ** (-self.log_probability / len(self.tokens))) if self.tokens else 1.0

    @property
    def unknown_words(self) -> int:
        """The number of words that the model does not know."""
        return sum(token.unknown for token in self.tokens)


class LanguageModel:
    """An n-gram language model.

    >>> texts = ["the cat sat on the mat", "the dog sat on the log", "the cat saw the dog"]
    >>> model = LanguageModel.train(texts, order=2, discount_fallback=True)
    >>> model
    <LanguageModel order 2, 11 words, 25 n-grams>
    >>> round(model.perplexity("the cat sat on the log"), 2), round(model.perplexity("log the on"), 2)
    (4.25, 11.63)
    >>> [(word, length) for word, _, length, _ in model.score("the cat ran").tokens]
    [('the', 2), ('cat', 2), ('ran', 1), ('</s>', 1)]
    """

    def __init__(self, native: models.LanguageModel, tokenizer: tokenizers.Tokenizer) -> None:
        """Wrap a native model; use `train` or `load` to get one."""
        self._native = native
        self.tokenizer = tokenizer  # used to read texts

    @classmethod
    def train(
        cls,
        texts: Texts,
        *,
        order: int = 5,
        prune: Sequence[int] = (0,),
        tokenizer: str | tokenizers.Tokenize = "whitespace",
        lowercase: bool = False,
        discount_fallback: bool | Sequence[float] = False,
        skip_symbols: bool = False,
        threads: int | None = None,
    ) -> LanguageModel:
        """Train a model on these texts.

        `prune` holds a threshold per order; the last one applies to all higher orders. N-grams with that count or less
        are dropped. If the corpus is too small or too regular to estimate the discounts of an order, training fails
        unless `discount_fallback` is True (0.5, 1, 1.5) or three numbers. Texts that contain <s>, </s>, or <unk> are
        refused, unless `skip_symbols` drops these words.

        >>> LanguageModel.train(["a b", "a c"], order=2, discount_fallback=True).ngram_counts
        (6, 5)
        """
        split = tokenizers.resolve(tokenizer, checks.flag("lowercase", lowercase))
        discounts = _discounts(discount_fallback)
        thresholds = _thresholds(prune, checks.order("order", order, largest=models.LARGEST_MODEL_ORDER))
        checked = checked_column(texts, "texts")
        scripts.warn_of_unread("language model", split, checked)
        read = split.prepare_column(checked, "texts")
        if len(read) == 0:
            raise TrainingError("there are no texts")
        workers = worker_count(threads)
        skip = checks.flag("skip_symbols", skip_symbols)
        try:
            return cls(models.train_model(read, split.reading, thresholds, discounts, skip, workers), split)
        except models.ModelFault as fault:
            raise TrainingError(_training_problem(*fault.args)) from None

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        *,
        tokenizer: str | tokenizers.Tokenize | None = None,
        lowercase: bool | None = None,
    ) -> LanguageModel:
        """Load a model from a file written by `save` or from an ARPA file, optionally compressed with gzip or xz.

        `tokenizer` and `lowercase` set how texts are read. They default to the settings stored by `save`; for an ARPA
        file, to "whitespace" and False.
        """
        content = _content(Path(path), str(path))
        try:
            if content.startswith(_MAGIC):
                native, note = models.unpack_model(content)
                stored, lowered = _parse_note(note, str(path))
            else:
                native, stored, lowered = models.read_arpa(content), "whitespace", False
        except models.ModelFault as fault:
            problem, line = fault.args
            raise ModelFileError(str(path), problem, line=line or None) from None
        absent = tokenizers.missing(stored) if tokenizer is None else None
        if absent is not None:
            raise OptionError.because(f"the tokenizer of {path}, {stored}, is {absent}")
        split = tokenizers.resolve(
            stored if tokenizer is None else tokenizer,
            lowered if lowercase is None else checks.flag("lowercase", lowercase),
        )
        if tokenizers.is_sentencepiece(stored) and tokenizers.is_sentencepiece(split.name) and split.name != stored:
            raise OptionError("tokenizer", f"the model that {path} was trained with ({stored})", split.name)
        return cls(native, split)

    @classmethod
    def resolve(
        cls, lm: LanguageModel | str | PathLike[str], *, tokenizer: str | tokenizers.Tokenize | None = None
    ) -> LanguageModel:
        """Return the model, loaded if it is a path."""
        if isinstance(lm, LanguageModel):
            return lm
        checks.instance("lm", lm, (str, PathLike), "a LanguageModel or the path of one")
        return cls.load(lm, tokenizer=tokenizer)

    @property
    def options(self) -> dict[str, Option]:
        """Options that identify the model in a signature."""
        return {
            "lm": f"sha256-{self.digest}",
            "order": self.order,
            "tokenizer": self.tokenizer.name,
            "lowercase": self.tokenizer.lowercase,
        }

    @property
    def order(self) -> int:
        """The maximum n-gram length."""
        return self._native.order

    @cached_property
    def ngram_counts(self) -> tuple[int, ...]:
        """The number of n-grams of each order."""
        return tuple(self._native.counts)

    @cached_property
    def vocabulary(self) -> tuple[str | int, ...]:
        """The words of the model, after <unk>, <s>, and </s>."""
        return tuple(self._native.vocabulary)

    @cached_property
    def digest(self) -> str:
        """The first 64 bits of the SHA-256 of its words, n-grams, and numbers, regardless of its file."""
        return hashlib.sha256(self._native.pack(b"")).hexdigest()[:16]

    def word_counts(self) -> counts.Counts:
        """Return the counting request for metrics with this model."""
        return counts.model_words(self._native, *self.tokenizer.reading)

    def score(self, text: Text, *, bos: bool = True, eos: bool = True) -> TextScore:
        """Return the log10 probability of a text and of each of its words.

        Without `bos`, the text does not start a sentence; without `eos`, it does not end one.
        """
        one = column([text], "text", tokenized=isinstance(text, list | tuple), index=False)
        read = self.tokenizer.prepare_column(one, "text")
        steps = self._native.steps(read, *self.tokenizer.reading, bos, eos)
        return TextScore(sum(log for _, log, _, _ in steps), tuple(map(TokenScore._make, steps)))

    def perplexity(self, text: Text) -> float:
        """Return the perplexity of one text, including unknown words and </s>."""
        return self.score(text).perplexity

    def to_bytes(self) -> bytes:
        """Return the content of the compact file that `save` writes."""
        import json

        note = {"tokenizer": self.tokenizer.name, "lowercase": self.tokenizer.lowercase}
        return self._native.pack(json.dumps(note, sort_keys=True).encode())

    def to_arpa(self) -> bytes:
        """Return the model as an ARPA file.

        >>> model = LanguageModel.train(["a b", "a"], order=1, discount_fallback=True)
        >>> model.to_arpa().decode().splitlines()[4].split()
        ['-0.90309', '<unk>']
        """
        try:
            return self._native.to_arpa()
        except models.ModelFault as fault:
            word = self.vocabulary[fault.args[1] - 1]
            why = "ARPA files separate words by spaces and read <UNK> as <unk>"
            raise OutputError("an ARPA file", f"the word {word!r} cannot be written, as {why}") from None

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the model: as an ARPA file if the name ends in .arpa or .arpa.gz, which compresses it.

        Otherwise, the file is compact and also stores the tokenizer settings.
        """
        name = str(path)
        content = self.to_arpa() if name.endswith((".arpa", ".arpa.gz")) else self.to_bytes()
        packed = gzip.compress(content, mtime=0) if name.endswith(".arpa.gz") else content
        write_files({Path(path): packed}, overwrite=overwrite)

    def __reduce__(self) -> tuple[object, ...]:
        split = self.tokenizer
        given = split.name if split.argument is None else split.argument
        return _unpack, (type(self), self._native.pack(b""), given, split.name, split.lowercase)

    def __deepcopy__(self, memo: object) -> Self:
        return self  # nothing can change it

    def __copy__(self) -> Self:
        return self

    def __repr__(self) -> str:
        return f"<LanguageModel order {self.order}, {self.ngram_counts[0]:,} words, {sum(self.ngram_counts):,} n-grams>"


def _unpack(
    kind: type[LanguageModel], content: bytes, tokenizer: str | tokenizers.Tokenize, name: str, lowercase: bool
) -> LanguageModel:
    split = tokenizers.resolve(tokenizer, lowercase)
    if split.name != name:
        raise OptionError("tokenizer", f"the one that the language model was trained with ({name})", split.name)
    return kind(models.unpack_model(content)[0], split)


def _content(path: Path, name: str) -> bytes:
    try:
        content = path.read_bytes()
        limit = _USUAL_SIZE + _LARGEST_RATIO * len(content)
        for magic, unpack in ((b"\x1f\x8b", gzip.open), (b"\xfd7zXZ\x00", lzma.open)):
            if content.startswith(magic):
                with unpack(io.BytesIO(content)) as packed:
                    content = packed.read(limit + 1)
                break
        if len(content) > limit:
            raise ModelFileError(
                name, f"it decompresses to more than {_LARGEST_RATIO} times its size, which no real model does"
            )
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise ModelFileError(name, f"it cannot be decompressed ({error})") from None
    except OSError as error:
        raise ModelFileError(name, error.strerror or str(error)) from None
    except ValueError as error:  # the path contains a NUL
        raise ModelFileError(name, str(error)) from None
    if content.startswith(_KENLM_MAGIC):
        raise ModelFileError(name, "it is a KenLM binary file; pass the ARPA file it was built from")
    return content


def _parse_note(note: bytes, name: str) -> tuple[str, bool]:
    import json

    try:
        match json.loads(note):
            case {"tokenizer": str(tokenizer), "lowercase": bool(lowercase)}:
                return tokenizer, lowercase
    except (ValueError, RecursionError):
        pass
    raise ModelFileError(name, "it has no valid tokenizer settings")


def _training_problem(fault: str, number: int) -> str:
    if fault == "discounts":
        return (
            f"the discounts of {number}-grams cannot be estimated, which needs n-grams that occur once, twice, and "
            "three times, in decreasing numbers; add text, drop duplicates, or allow discount_fallback "
            "(--discount-fallback on the command line)"
        )
    return f"texts[{number - 1}] contains {fault}, a reserved symbol; drop it or set skip_symbols"


def _thresholds(prune: object, order: int) -> list[int]:
    given = list(prune) if isinstance(prune, list | tuple) else []
    whole = all(isinstance(item, int) and not isinstance(item, bool) and 0 <= item < 2**63 for item in given)
    if not 1 <= len(given) <= order or not whole or given[0] != 0 or given != sorted(given):
        allowed = f"1 to {order} non-decreasing integers that start with 0, as words are never dropped"
        raise OptionError("prune", allowed, prune)
    return given + given[-1:] * (order - len(given))


def _discounts(fallback: object) -> list[float]:
    if isinstance(fallback, bool):
        return list(_DISCOUNTS) if fallback else []
    given = list(fallback) if isinstance(fallback, list | tuple) else []
    numbers = [float(item) for item in given if isinstance(item, int | float) and not isinstance(item, bool)]
    fits = len(numbers) == len(given) == 3 and all(0 <= number <= most for most, number in enumerate(numbers, start=1))
    if not fits:
        raise OptionError(
            "discount_fallback", "True, False, or three numbers from 0 to 1, 0 to 2, and 0 to 3", fallback
        )
    return numbers

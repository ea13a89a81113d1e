"""All exceptions that bleuprint raises deliberately."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known name that a misspelled word most likely means, or None if none is similar.

    >>> closest("Tokenise", ["tokenizer", "smoothing"])
    'tokenizer'
    """
    from difflib import get_close_matches  # 5 ms, and only a mistake needs it

    spellings = {_letters(name): name for name in known}
    return next((spellings[match] for match in get_close_matches(_letters(word), spellings, n=1, cutoff=0.7)), None)


def _letters(name: str) -> str:
    return "".join(character for character in name.lower() if character not in "-_ ")


class BleuprintError(Exception):
    """Base class of all errors that bleuprint raises deliberately."""

    def __reduce__(self) -> tuple[object, ...]:
        # The default pickles `args`, which is the message, not the parameters of __init__. Process pools would fail to
        # unpickle it.
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[Exception], args: tuple[object, ...], attributes: dict[str, object]) -> Exception:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(attributes)
    return error


class BleuprintDeprecationWarning(FutureWarning):
    """A name or an option works today and will be removed.

    It stays for two minor versions; that is computed here, so that no warning can promise less.

    >>> print(BleuprintDeprecationWarning("old_name", since="0.3", instead="use new_name"))
    old_name is deprecated since bleuprint 0.3 and will be removed in 0.5; use new_name.
    """

    def __init__(self, name: str, *, since: str, instead: str) -> None:
        major, minor = since.split(".")
        super().__init__(
            f"{name} is deprecated since bleuprint {since} and will be removed in {major}.{int(minor) + 2}; {instead}."
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.args, self.__dict__)


class InputWarning(UserWarning):
    """The number is right for the texts that were passed, but they are surely not what was meant."""


class TokenizerWarning(InputWarning):
    """The tokenizer cannot read most of the texts: it drops their letters, or does not split them into words."""


class InputError(BleuprintError, ValueError):
    """The input cannot be scored."""


class BareStringError(InputError, TypeError):
    """A single string was passed instead of a list of segments."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} must be a list with one item per segment, got a single string; "
            f"for a single segment, pass [{name}] or call the sentence-level function."
        )


class LengthMismatchError(InputError):
    """Hypotheses and references (or sources) differ in length."""

    def __init__(self, first: str, first_count: int, second: str, second_count: int) -> None:
        super().__init__(
            f"{first} has {first_count} segments but {second} has {second_count}; "
            f"{second}[i] belongs to {first}[i], so both must have the same length."
        )


class TransposedReferencesError(LengthMismatchError):
    """References were passed as streams, references[k][i], as in sacrebleu."""

    def __init__(self, hypotheses: int, streams: int) -> None:
        InputError.__init__(
            self,
            f"references has {streams} lists of {hypotheses} texts for {hypotheses} hypotheses, so it is transposed; "
            "references[i] must hold the references of hypotheses[i]: pass list(zip(*references)).",
        )


class NotTextError(InputError, TypeError):
    """An item is not text."""

    def __init__(self, where: str, allowed: str, got: str, repair: str) -> None:
        super().__init__(f"{where} must be {allowed}, got {got}; {repair}.")


class SurrogateError(InputError):
    """A text contains a lone surrogate."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} holds a lone surrogate (U+D800..U+DFFF), which cannot be encoded as UTF-8; "
            "decode the original bytes again, or use text.encode('utf-8', 'replace').decode()."
        )


class NoReferenceError(InputError):
    """A segment has no reference."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} holds no reference, but every segment needs at least one that is not None; "
            "drop the segment from hypotheses and references, or use '' for an empty reference."
        )


class NoSegmentsError(InputError):
    """A score was asked for without any segment to score."""

    def __init__(self, metric: str) -> None:
        super().__init__(f"{metric} has no segments to score; pass at least one hypothesis with its references.")


class MissingSourcesError(InputError):
    """A metric that needs sources got none."""

    def __init__(self, metric: str) -> None:
        super().__init__(
            f"{metric} compares with the sources; pass sources, one per hypothesis (-s FILE, or --source-column NAME)."
        )


class UnusedSourcesError(InputError):
    """A metric that does not use sources got some."""

    def __init__(self, metric: str) -> None:
        super().__init__(f"{metric} does not use sources; remove them.")


class PoolError(InputError):
    """There are too few texts to compare with each other."""

    def __init__(self, metric: str, needed: int, got: int) -> None:
        super().__init__(f"{metric} compares texts with each other, so it needs at least {needed} of them, got {got}.")


class FitError(InputError):
    """A metric that weights n-grams by a corpus has none, or one that is too small."""

    def __init__(self, metric: str, problem: str) -> None:
        super().__init__(
            f"{metric} weights n-grams by a corpus of references, but {problem}; "
            "use metric = metric.fit(references) with the references of a whole test set."
        )


class TrainingError(InputError):
    """A language model cannot be estimated from these texts."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"cannot train a language model: {problem}.")


class DataFileError(InputError):
    """A file cannot be read as segments."""

    def __init__(self, file: str, problem: str, *, line: int | None = None, place: str = "line") -> None:
        place = file if line is None else f"{file}, {place} {line}"
        super().__init__(f"{place}: {problem}.")


class LineCountError(DataFileError):
    """Parallel files differ in their number of lines."""

    def __init__(
        self, first: str, first_count: int | str, second: str, second_count: int | str, *, unit: str = "lines"
    ) -> None:
        InputError.__init__(
            self,
            f"{first} has {first_count} {unit} but {second} has {second_count}; "
            f"{unit} with the same number belong together, so all files must have the same number of {unit}.",
        )


class OptionError(BleuprintError, ValueError):
    """An option has an invalid value."""

    def __init__(self, option: str, allowed: str, got: object, *, meant: str | None = None) -> None:
        hint = "" if meant is None else f" Did you mean {meant}?"
        super().__init__(f"{option} must be {allowed}, got {got!r}.{hint}")

    @classmethod
    def because(cls, sentence: str) -> Self:
        """An error in words of its own, for options that do not fit each other or the data.

        >>> print(OptionError.because("cannot draw 'sweep': the result has no iBLEU scores"))
        cannot draw 'sweep': the result has no iBLEU scores.
        """
        error = cls.__new__(cls)
        ValueError.__init__(error, f"{sentence}.")
        return error


class UnknownOptionError(OptionError, TypeError):
    """A metric has no option of that name."""


class SignatureError(BleuprintError, ValueError):
    """A signature cannot be read or replayed."""


class MergeError(BleuprintError, ValueError):
    """Two states belong to different metrics or options."""

    def __init__(self, first: str, second: str) -> None:
        options = [dict(field.partition(":")[::2] for field in text.split("|")[1:]) for text in (first, second)]
        both = ((name, value, options[1].get(name, value)) for name, value in options[0].items())
        which = "".join(
            f"{name} is {one} in one and {other} in the other; " for name, one, other in both if one != other
        )
        super().__init__(
            f"states can only be merged if metric and options are the same: {which}{first} is not {second}."
        )


class StateError(BleuprintError, ValueError):
    """A saved state cannot be read."""

    def __init__(self, metric: str, problem: str) -> None:
        super().__init__(
            f"this is not a valid state of {metric}: {problem}; "
            "pass what state() of a metric with the same options returned."
        )


class ResultError(BleuprintError, ValueError):
    """A stored result cannot be read."""

    def __init__(self, source: str, problem: str) -> None:
        super().__init__(f"{source} is not a valid bleuprint result: {problem}.")


class ModelFileError(BleuprintError, ValueError):
    """A language model cannot be read."""

    def __init__(self, file: str, problem: str, *, line: int | None = None) -> None:
        place = file if line is None else f"{file}, line {line}"
        super().__init__(f"{place}: not a valid language model: {problem}.")


class IndexFileError(BleuprintError, ValueError):
    """An n-gram index cannot be read."""

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(f"{file}: not a valid n-gram index: {problem}.")


class GateError(BleuprintError, ValueError):
    """A gate cannot decide."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"the gate cannot decide: {problem}.")


class OutputError(BleuprintError):
    """A file or stream cannot be written."""

    def __init__(self, target: str, problem: str) -> None:
        super().__init__(f"cannot write {target}: {problem}.")


class MissingExtraError(BleuprintError, ImportError):
    """A package that not every installation has is missing: one of an extra, or one that bleuprint-core leaves out."""

    def __init__(self, purpose: str, packages: Iterable[str], extra: str | None = None) -> None:
        installed = "bleuprint" if extra is None else f"'bleuprint[{extra}]'"
        super().__init__(f"{purpose} needs {' and '.join(packages)}: pip install {installed}")


class ExtraImport:
    """Imports of packages that not every installation has; one that is missing is a MissingExtraError."""

    def __init__(self, purpose: str, packages: Iterable[str], extra: str | None = None) -> None:
        self._missing = MissingExtraError(purpose, packages, extra)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, ImportError):
            raise self._missing from error


__all__ = sorted(name for name, kind in globals().items() if isinstance(kind, type) and issubclass(kind, Exception))

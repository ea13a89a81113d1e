"""Every exception bleuprint raises on purpose.

BleuprintError
├── InputError             what was given to score cannot be scored
│   ├── BareStringError        one string where a list of segments belongs
│   ├── LengthMismatchError    unequal numbers of segments
│   ├── TransposedReferencesError  references[k][i] instead of references[i][k]
│   ├── NotTextError           an item that is not text
│   ├── SurrogateError         half a UTF-16 pair, which no encoding can write
│   ├── NoReferenceError       a segment without any reference
│   ├── MissingSourcesError    a metric that reads the sources got none
│   ├── UnusedSourcesError     a metric that does not read the sources got some
│   ├── FitError               a metric that weighs by a corpus has no corpus to weigh by
│   ├── PoolError              too few texts for what is measured between them
│   ├── TrainingError          texts that no language model can be estimated from
│   └── DataFileError          a file that cannot be read as segments
│       └── LineCountError         parallel files with unequal numbers of lines
├── OptionError            an option has a value it cannot have
├── SignatureError         a signature that cannot be read or replayed
├── MergeError             two states that do not measure the same thing
├── ModelFileError         a language model that cannot be read
├── ResultError            a stored result that cannot be read
├── GateError              a gate that can say neither yes nor no
├── OutputError            a file or stream that cannot be written
└── MissingExtraError      an optional package is not installed
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "BareStringError",
    "BleuprintError",
    "DataFileError",
    "FitError",
    "GateError",
    "InputError",
    "LengthMismatchError",
    "LineCountError",
    "MergeError",
    "MissingExtraError",
    "MissingSourcesError",
    "ModelFileError",
    "NoReferenceError",
    "NotTextError",
    "OptionError",
    "OutputError",
    "PoolError",
    "ResultError",
    "SignatureError",
    "SurrogateError",
    "TrainingError",
    "TransposedReferencesError",
    "UnusedSourcesError",
]


class BleuprintError(Exception):
    """Base of all errors that bleuprint raises on purpose."""

    def __reduce__(self) -> tuple[object, ...]:
        # By its arguments an error could not be made again: they are what the message is made of, and pools of
        # processes would break at it.
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[BleuprintError], args: tuple[object, ...], attributes: dict[str, object]) -> BleuprintError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(attributes)
    return error


class InputError(BleuprintError, ValueError):
    """The texts that were given cannot be scored."""


class BareStringError(InputError, TypeError):
    """One string stands where a list of segments belongs."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} must be a list with one item per segment, not one string; "
            f"for a single segment write [{name}], or call the sentence-level function."
        )


class LengthMismatchError(InputError):
    """Hypotheses and references (or sources) are not equally many."""

    def __init__(self, first: str, first_count: int, second: str, second_count: int) -> None:
        super().__init__(
            f"{first} has {first_count} segments but {second} has {second_count}; "
            f"{second}[i] belongs to {first}[i], so both must have the same length."
        )


class TransposedReferencesError(LengthMismatchError):
    """References came as streams, references[k][i], the way sacrebleu takes them."""

    def __init__(self, hypotheses: int, streams: int) -> None:
        InputError.__init__(
            self,
            f"references has {streams} lists of {hypotheses} texts for {hypotheses} hypotheses: it is transposed. "
            "references[i] must hold the references of hypotheses[i]; write list(zip(*references)).",
        )


class NotTextError(InputError, TypeError):
    """An item is not text."""

    def __init__(self, where: str, allowed: str, got: str, repair: str) -> None:
        super().__init__(f"{where} must be {allowed}, got {got}; {repair}.")


class SurrogateError(InputError):
    """A text holds a lone surrogate."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} holds a lone surrogate (U+D800..U+DFFF), which is half a character and cannot be encoded; "
            "decode the original bytes again, or write text.encode('utf-8', 'replace').decode()."
        )


class NoReferenceError(InputError):
    """A segment has no reference."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} holds no reference: every segment needs at least one text that is not None; "
            "an empty string is a legal reference, a missing one is not: drop the segment on both sides."
        )


class MissingSourcesError(InputError):
    """A metric that compares with the sources got none."""

    def __init__(self, metric: str) -> None:
        super().__init__(f"{metric} compares with the sources, so sources (one text per hypothesis) must be given.")


class UnusedSourcesError(InputError):
    """A metric that does not look at sources got some."""

    def __init__(self, metric: str) -> None:
        super().__init__(f"{metric} does not look at sources: leave them out.")


class PoolError(InputError):
    """Too few texts for what is measured between them."""

    def __init__(self, metric: str, needed: int, got: int) -> None:
        super().__init__(f"{metric} compares texts with each other and needs at least {needed} of them, got {got}.")


class FitError(InputError):
    """A metric that weighs n-grams by a corpus has no corpus, or too small a one."""

    def __init__(self, metric: str, problem: str) -> None:
        super().__init__(
            f"{metric} weighs n-grams by a corpus of references, and {problem}; "
            "write metric = metric.fit(references), with the references of a whole test set."
        )


class TrainingError(InputError):
    """A language model cannot be estimated from these texts."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"no language model can be trained: {problem}.")


class DataFileError(InputError):
    """A file cannot be read as segments."""

    def __init__(self, file: str, problem: str, *, line: int | None = None, place: str = "line") -> None:
        place = file if line is None else f"{file}, {place} {line}"
        super().__init__(f"{place}: {problem}.")


class LineCountError(DataFileError):
    """Parallel files do not have equally many lines."""

    def __init__(self, first: str, first_count: int, second: str, second_count: int, *, unit: str = "lines") -> None:
        InputError.__init__(
            self,
            f"{first} has {first_count} {unit} but {second} has {second_count}; "
            f"the same {unit.removesuffix('s')} of each file belongs together, so all must have equally many.",
        )


class OptionError(BleuprintError, ValueError):
    """An option has a value it cannot have."""

    def __init__(self, option: str, allowed: str, got: object) -> None:
        super().__init__(f"{option} must be {allowed}, got {got!r}.")


class SignatureError(BleuprintError, ValueError):
    """A signature cannot be read or replayed."""


class MergeError(BleuprintError, ValueError):
    """Two states measure different things."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"only states of the same metric with the same options merge: {first} is not {second}.")


class ResultError(BleuprintError, ValueError):
    """A stored result cannot be read."""

    def __init__(self, source: str, problem: str) -> None:
        super().__init__(f"{source} is no result that bleuprint can read: {problem}.")


class ModelFileError(BleuprintError, ValueError):
    """A language model cannot be read."""

    def __init__(self, file: str, problem: str, *, line: int | None = None) -> None:
        place = file if line is None else f"{file}, line {line}"
        super().__init__(f"{place}: this is no language model that bleuprint can read: {problem}.")


class GateError(BleuprintError, ValueError):
    """A gate cannot say yes or no."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"the gate cannot decide: {problem}.")


class OutputError(BleuprintError):
    """A file or stream cannot be written."""

    def __init__(self, target: str, problem: str) -> None:
        super().__init__(f"cannot write {target}: {problem}.")


class MissingExtraError(BleuprintError, ImportError):
    """An optional package is not installed."""

    def __init__(self, purpose: str, packages: Iterable[str], extra: str) -> None:
        super().__init__(f"{purpose} needs {' and '.join(packages)}: pip install 'bleuprint[{extra}]'")

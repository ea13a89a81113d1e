"""The numbers of a blend, and the JSON file that holds them.

A file is read strictly: it names metrics by their signatures, which never make us open another file, and every number
must be finite.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from bleuprint import signature
from bleuprint.errors import BleuprintError, ModelFileError, SignatureError
from bleuprint.files import write_files

FORMAT = "bleuprint-blend"
VERSION = 1

_MOST_COMPONENTS = 100
_LARGEST_FILE = 1 << 20  # a hundred components with long signatures take a tenth of that
_LARGEST = 1e150  # far beyond any score or rating, and products of two stay finite
_SMALLEST_SCALE = 1e-150


@dataclass(frozen=True, slots=True)
class BlendWeights:
    """The signatures of the components, and for each the mean and scale of its scores and its weight."""

    components: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float
    facts: Mapping[str, Any] = field(default_factory=dict, compare=False)  # where the numbers come from

    def __post_init__(self) -> None:
        problem = self._problem()
        if problem:
            raise SignatureError(f"this is not a blend: {problem}.")

    def _problem(self) -> str:
        count = len(self.components)
        if not 1 <= count <= _MOST_COMPONENTS:
            return f"it must have 1 to {_MOST_COMPONENTS} components, got {count}"
        if len(set(self.components)) < count:
            return "a component appears twice"
        for name in ("means", "scales", "weights"):
            if len(getattr(self, name)) != count:
                return f"{name} must hold {count} numbers, one per component, got {len(getattr(self, name))}"
        for number in (*self.means, *self.scales, *self.weights, self.intercept):
            if not abs(number) <= _LARGEST:
                return f"its numbers must be finite and at most {_LARGEST:g}, got {number}"
        if min(self.scales) < _SMALLEST_SCALE:
            return f"scales must be positive, got {min(self.scales)}"
        return ""

    @property
    def numbers(self) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
        """Means, scales and weights."""
        return self.means, self.scales, self.weights

    @property
    def options(self) -> dict[str, signature.Option]:
        """All of it as options of a signature; a space separates the components, whose signatures hold none."""
        return {
            "components": " ".join(self.components),
            "means": self.means,
            "scales": self.scales,
            "weights": self.weights,
            "intercept": self.intercept,
        }

    @classmethod
    def of_options(cls, options: Mapping[str, Any], text: str) -> BlendWeights:
        """Restore the numbers from the options in a signature."""
        names = ("components", "intercept", "means", "scales", "weights")
        if sorted(options) != list(names):
            raise SignatureError(f"{text!r} must have the options {', '.join(names)}, got {', '.join(options)}.")
        for name, kind in zip(names, (str, int | float, tuple, tuple, tuple), strict=True):
            if not isinstance(options[name], kind) or isinstance(options[name], bool):
                raise SignatureError(f"{text!r} has an invalid value of {name}: {options[name]!r}.")
        components = tuple(options["components"].split())
        return cls(components, options["means"], options["scales"], options["weights"], _float(options["intercept"]))

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the numbers as JSON."""
        listed = [
            {"signature": component, "mean": mean, "scale": scale, "weight": weight}
            for component, mean, scale, weight in zip(self.components, *self.numbers, strict=True)
        ]
        document = {
            "format": FORMAT,
            "version": VERSION,
            "intercept": self.intercept,
            "components": listed,
            "facts": dict(self.facts),
        }
        import json  # not for every import of the metrics

        content = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
        write_files({Path(path): content.encode()}, overwrite=overwrite)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> BlendWeights:
        """Read the file that `save` wrote."""
        import json

        name = str(path)
        try:
            with Path(path).open("rb") as file:
                content = file.read(_LARGEST_FILE + 1)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the path
            raise _fault(name, getattr(error, "strerror", None) or str(error)) from None
        if len(content) > _LARGEST_FILE:
            raise _fault(name, f"it is larger than {_LARGEST_FILE >> 20} MiB")
        try:
            document = json.loads(content, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise _fault(name, f"it is not valid JSON ({error})") from None
        try:
            return cls._of_document(document)
        except _MalformedError as error:
            raise _fault(name, str(error)) from None
        except BleuprintError as error:
            raise _fault(name, str(error).removesuffix(".")) from None

    @classmethod
    def _of_document(cls, document: object) -> BlendWeights:
        fields = _fields(document, "the document", ("components", "facts", "format", "intercept", "version"))
        if fields["format"] != FORMAT or fields["version"] != VERSION:
            raise _MalformedError(
                f"its format must be {FORMAT!r} and its version {VERSION}, got {fields['format']!r:.60} and "
                f"{fields['version']!r:.60}; write it with bleuprint ratings fit"
            )
        if not isinstance(fields["components"], list):
            raise _MalformedError(f"components must be a list, got {type(fields['components']).__name__}")
        if not isinstance(fields["facts"], dict):
            raise _MalformedError(f"facts must be a dict, got {type(fields['facts']).__name__}")
        if len(fields["components"]) > _MOST_COMPONENTS:
            raise _MalformedError(f"it must have 1 to {_MOST_COMPONENTS} components, got {len(fields['components'])}")
        listed = [
            _fields(component, f"components[{place}]", ("mean", "scale", "signature", "weight"))
            for place, component in enumerate(fields["components"])
        ]
        means, scales, weights = (
            tuple(_number(component[name], f"components[{place}].{name}") for place, component in enumerate(listed))
            for name in ("mean", "scale", "weight")
        )
        components = tuple(_signature(component["signature"], place) for place, component in enumerate(listed))
        intercept = _number(fields["intercept"], "intercept")
        return cls(components, means, scales, weights, intercept, fields["facts"])


class _MalformedError(Exception):
    """A problem in the JSON, raised before the name of the file is added to the message."""


def _fault(name: str, problem: str) -> ModelFileError:
    return ModelFileError(name, problem, kind="blend")


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _fields(value: object, where: str, names: Sequence[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _MalformedError(f"{where} must be a dict, got {type(value).__name__}")
    if sorted(value) != list(names):
        raise _MalformedError(f"{where} must have the fields {', '.join(names)}, got {', '.join(value)[:200]}")
    return value


def _signature(value: object, place: int) -> str:
    where = f"components[{place}].signature"
    if not isinstance(value, str):
        raise _MalformedError(f"{where} must be a str, got {type(value).__name__}")
    if value != "".join(value.split()):
        raise _MalformedError(f"{where} must not contain white space, got {value!r:.80}")
    return value


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _MalformedError(f"{where} must be a number, got {type(value).__name__}")
    number = _float(value)
    if not math.isfinite(number):
        raise _MalformedError(f"{where} must be a finite number, got {value!r:.60}")
    return number


def _float(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf

"""The options of a metric: those given to its constructor, and the signatures of functions that pass them on."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

from bleuprint.errors import UnknownOptionError, closest

Call = TypeVar("Call", bound=Callable[..., Any])
_NO_OPTIONS = {"self", "__class__", "profile"}


def options_in(scope: Mapping[str, Any]) -> dict[str, Any]:
    """The options among the `locals()` of a constructor that has no other variables yet; a profile is none.

    >>> class Ruler:
    ...     def __init__(self, *, profile=None, unit="cm", digits=2):
    ...         self.options = options_in(locals())
    >>> Ruler(digits=3).options
    {'unit': 'cm', 'digits': 3}
    """
    return {name: value for name, value in scope.items() if name not in _NO_OPTIONS}


def check_options(init: Callable[..., None]) -> Callable[..., None]:
    """A constructor that names what is meant by an unknown option; all are known where it takes `**options`."""
    _, *parameters = inspect.signature(init).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return init
    known = {parameter.name: None for parameter in parameters}

    @wraps(init)
    def check(self: Any, *arguments: Any, **options: Any) -> None:
        for option in options.keys() - known.keys():
            meant, allowed = closest(option, known), f"one of {', '.join(known)}"
            raise UnknownOptionError(f"an option of {self.name}", allowed, option, meant=meant and repr(meant))
        init(self, *arguments, **options)

    return check


def options_of(kind: type[Any]) -> Callable[[Call], Call]:
    """Replace `**options` in the signature of a function by the options of the class that receives them.

    >>> class Ruler:
    ...     def __init__(self, *, unit="cm", digits=2): ...
    >>> @options_of(Ruler)
    ... def measure(text, *, digits=0, **options): ...
    >>> inspect.signature(measure)
    <Signature (text, *, digits=0, unit='cm')>

    `help()` and notebooks read the signature; `tools/make_stubs.py` writes it down for type checkers and editors.
    """

    def describe(call: Call) -> Call:
        signature = inspect.signature(call)
        own = {name: part for name, part in signature.parameters.items() if part.kind is not part.VAR_KEYWORD}
        passed_on = [
            option.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for name, option in inspect.signature(kind).parameters.items()
            if name not in own
        ]
        call.__signature__ = signature.replace(parameters=[*own.values(), *passed_on])  # type: ignore[attr-defined]
        return call

    return describe

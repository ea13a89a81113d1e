"""Rules for texts and words by name; signatures record those of an installed package with its version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bleuprint.errors import OptionError, closest


@dataclass(frozen=True, slots=True)
class Rules:
    """What is done to a text or a word; two with the same name do the same."""

    name: str
    apply: Callable[[str], Any] = field(compare=False, repr=False)

    def __call__(self, text: str) -> Any:
        return self.apply(text)


Table = Mapping[str, Callable[[], Rules]]  # loads rules by their name without a version


def installed_version(package: str) -> str:
    """The version of an installed package.

    >>> installed_version("no-such-package")
    'unknown'
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:  # copied without its metadata
        return "unknown"


def find(option: str, given: object, table: Table, allowed: str) -> Rules:
    """The rules with this name; a version after it must be the installed one."""
    base = given.partition("(")[0] if isinstance(given, str) else ""
    if base in table:
        rules = table[base]()
        if given in (base, rules.name):
            return rules
    raise OptionError(option, allowed, given, meant=closest(base, table) if base else None)


def missing(option: str, recorded: object, table: Table) -> str | None:
    """Why rules in a signature cannot be used here, and what to do; None if they can."""
    base = recorded.partition("(")[0] if isinstance(recorded, str) else ""
    installed = base if base == recorded or base not in table else table[base]().name
    if base not in table or recorded in (installed, base):
        return None
    use = f"install those versions, or pass {option}={base!r} to use the installed ones"
    return f"not the installed {installed}: {use}"

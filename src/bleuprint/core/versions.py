"""Names of rules that come with an installed package: signatures record them with its version."""

from __future__ import annotations


def versioned(name: str, package: str) -> str:
    """The name with the version of the installed package.

    >>> versioned("german", "no-such-package")
    'german(unknown)'
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{name}({version(package)})"
    except PackageNotFoundError:  # copied without its metadata
        return f"{name}(unknown)"


def base_name(recorded: str) -> str:
    """The name without a version."""
    return recorded.partition("(")[0]


def problem_of(option: str, recorded: str, installed: str) -> str | None:
    """Why a recorded name cannot be replayed with the installed version; None if it can."""
    if recorded in (installed, base_name(installed)):
        return None
    return (
        f"not the installed {installed}: install that version, or pass {option}={base_name(installed)!r} "
        "to use the installed one"
    )

"""Names of rules that come with an installed package: signatures record them with its version."""

from __future__ import annotations


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


def name_with_version(name: str, package: str) -> str:
    """The name with the version of the installed package."""
    return f"{name}({installed_version(package)})"


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

"""Profiles: the options under which a metric reproduces the numbers of another library.

A profile fills in options; an option passed explicitly wins. Each profile is tested against the real package if it can
be installed, otherwise against its published rules. Scores stay unrounded and are
not multiplied by 100, whatever the library prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from bleuprint.errors import OptionError, closest
from bleuprint.metrics.base.options import options_in
from bleuprint.signature import Option


@cache
def table() -> dict[str, dict[str, dict[str, Option]]]:
    """The options of every profile by metric; the file also says what each of them follows."""
    from json import loads  # not loaded with the metrics, as BLEU alone does without them
    from pathlib import Path

    content = loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return {
        metric: {name: profile["options"] for name, profile in by_name.items()} for metric, by_name in content.items()
    }


def names(metric: str) -> tuple[str, ...]:
    """Names of a metric's profiles.

    >>> names("bleu")
    ('sacrebleu', 'nltk', 'hf', 'torchmetrics', 'axion', 'moses')
    """
    return tuple(table().get(metric, {}))


def find(metric: str, profile: str | None) -> dict[str, Option]:
    """Options of a profile; empty for None."""
    if profile is None:
        return {}
    if not isinstance(profile, str) or profile not in names(metric):
        meant = closest(profile, names(metric)) if isinstance(profile, str) else None
        raise OptionError(
            "profile", f"one of {', '.join(names(metric)) or '(none)'} for {metric}", profile, meant=meant
        )
    return dict(table()[metric][profile])


def fill(
    metric: str, profile: str | None, defaults: Mapping[str, object], given: Mapping[str, object]
) -> dict[str, Any]:
    """The options given to a constructor; in place of None, what the profile has, else the default.

    >>> fill("gleu", "nltk", {"tokenizer": "13a", "lowercase": False}, {"lowercase": True, "max_order": 4})
    {'tokenizer': 'nltk', 'lowercase': True, 'max_order': 4}
    """
    usual = {**defaults, **find(metric, profile)}
    options = options_in(given)
    return {**usual, **{name: options[name] for name in options if options[name] is not None or name not in usual}}

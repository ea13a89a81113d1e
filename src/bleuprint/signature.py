"""Signatures: a metric's options as one canonical line of text, and back.

A signature names the metric, the version of its definition, and every option that can change the score, in
alphabetical order: ``bleu.1|effective_order:no|lowercase:no|max_order:4|…``. Facts about the data or the program
(number of references, bleuprint version) follow after ``#``; they are not needed to replay the score.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from bleuprint.errors import SignatureError

Option = str | bool | int | float | tuple[float, ...] | None

# Metrics that were renamed keep their name in signatures, so that scores recorded before can be compared and replayed.
RECORDED: dict[str, str] = {}  # by the name of today; `bleuprint.metrics` knows them


class Signature(NamedTuple):
    metric: str
    version: int
    options: dict[str, Option]
    facts: dict[str, str]


def write(metric: str, version: int, options: Mapping[str, Option], facts: Mapping[str, object]) -> str:
    """Return the signature for these options and facts.

    >>> write("bleu", 1, {"tokenizer": "13a", "lowercase": False}, {"references": 1})
    'bleu.1|lowercase:no|tokenizer:13a#references:1'
    """
    named = RECORDED.get(metric, metric)
    fields = [f"{named}.{version}", *(f"{key}:{_encode(options[key])}" for key in sorted(options))]
    tail = "|".join(f"{key}:{value}" for key, value in facts.items())
    return "|".join(fields) + (f"#{tail}" if tail else "")


def parse(text: str) -> Signature:
    """Return the parts of a signature.

    >>> parse("bleu.1|lowercase:no|tokenizer:13a#references:1").options
    {'lowercase': False, 'tokenizer': '13a'}
    """
    if not isinstance(text, str):
        raise SignatureError(f"a signature must be a str, got {type(text).__name__}.")
    body, _, tail = text.strip().partition("#")
    head, *fields = body.split("|")
    name, _, version = head.rpartition(".")
    if not name or not re.fullmatch(r"[0-9]{1,9}", version):
        raise SignatureError(f"a signature must start with a name and a version, such as 'name.1|…', got {text!r}.")
    pairs, facts = _pairs(fields, text), _pairs(tail.split("|") if tail else [], text)
    try:
        options = {key: _decode(value) for key, value in pairs.items()}
    except ValueError as error:
        raise SignatureError(f"{text!r} has an invalid value: {error}.") from None
    today = next((today for today, recorded in RECORDED.items() if recorded == name), name)
    return Signature(today, int(version), options, facts)


def _pairs(fields: list[str], text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for field in fields:
        key, colon, value = field.partition(":")
        if not colon:
            raise SignatureError(f"every field of a signature must be key:value, got {field!r} in {text!r}.")
        if key in pairs:
            raise SignatureError(f"{key} appears twice in {text!r}.")
        pairs[key] = value
    return pairs


# Characters with a special meaning in signatures are written as %XX.
_RESERVED = re.compile(r"[%|#:,\s]")


def _encode(value: Option) -> str:
    match value:
        case None:
            return "auto"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ",".join(repr(float(item)) for item in value) + ","
        case str():
            quoted = _RESERVED.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), value)
            # A quote says that the text is a string, where decoding it would give something else.
            is_plain = not quoted.startswith("'") and isinstance(_decode(quoted), str)
            return quoted if is_plain else f"'{quoted}"
        case _:
            return repr(value)


def _decode(text: str) -> Option:
    if text.startswith("'"):
        return _unquote(text[1:])
    if text in {"auto", "yes", "no"}:
        return {"auto": None, "yes": True, "no": False}[text]
    if text.endswith(","):
        return tuple(float(item) for item in text[:-1].split(",") if item)
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return _unquote(text)


def _unquote(text: str) -> str:
    return re.sub(r"(?:%[0-9A-F]{2})+", lambda match: bytes.fromhex(match[0].replace("%", "")).decode(), text)

"""Tables of options: the default of each, what is allowed, and what it means.

Nothing is written down twice. Defaults come from signatures and meanings from docstrings. What is allowed is what the
package itself says when it refuses a value, so a table cannot promise more than the code takes.
"""

from __future__ import annotations

import inspect
import math
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import bleuprint
from bleuprint.core import tokenizers
from bleuprint.corpora import build_index
from bleuprint.errors import BleuprintError, OptionError
from bleuprint.metrics import registry
from bleuprint.models.causal_models import CallableModel
from bleuprint.statistics.settings import Settings
from tools.docs_site import docstrings

TOKENIZERS = "[tokenizer](../reference/tokenizers.md)"
# Sizes of the models that options are tried with; tables name the model in place of its size.
_WINDOW, _LONGEST = 4099, 13
_SIZES = {
    f"to {_WINDOW}": "to the window of the model",
    f"to {_WINDOW - 1}": "to the window of the model minus 1",
    f"to {_LONGEST}": "to the order of the index",
}
_EVERYWHERE = {"lowercase", "tokenizer"}  # options that mean the same whatever their default


@dataclass(frozen=True, slots=True)
class Option:
    """A row of a table; everything but the name is Markdown."""

    name: str
    default: str
    allowed: str
    meaning: str


# What inputs mean wherever a docstring does not say more: by name, or by name and type where the name says too little.
_INPUTS = {
    "hypothesis": "the output",
    "hypotheses": "the outputs, one text per segment",
    "hypotheses: PathLike": "the file of the outputs",
    "hypotheses: Mapping[str, PathLike] | PathLike": "the file of the outputs, or files by the name of their system",
    "actual_output": "the output",
    "expected_output": "the reference, or several in a list",
    "references": "for each segment one text, or a list of several",
    "references: PathLike | Sequence[PathLike]": "the file of the references, or several",
    "references: Sequence[PathLike]": "the files of the references",
    "references: Text | Sequence[Text | None] | None": "the reference, or several in a list",
    "references: Text | Sequence[Text] | None": "the reference, or several in a list",
    "source": "the text that the output was made from",
    "source: PathLike | None": "the file of the source texts",
    "source: str": "where the text comes from, for errors",
    "query": "the same as `source`",
    "input": "the same as `source`",
    "sources": "the source texts, one per segment",
    "texts": "the texts, in any order",
    "texts: Sequence[str]": "the texts",
    "text": "the text",
    "text: str": "the text, or the signature",
    "first: Texts": "the outputs of one system, or the texts of the rows",
    "second: Texts": "the outputs of the other system",
    "second: Texts | None": "the texts of the columns; those of the rows if left out",
    "first: str": "the name of a system",
    "second: str": "the name of the other system",
    "rows": "how many rows to return at a time; all by default",
    "rows: Iterable[Mapping[str, object]]": "a dict for each item",
    "columns: ColumnNames | None": "the keys of each role; common names are recognized",
    "table": "a table of one of these libraries",
    "item": "a `DatasetItem`, or an object with the same attributes",
    "items": "the items",
    "dataset: Iterable[Item]": "the items",
    "candidates": "the candidates of each segment",
    "metric": "the name of a metric, or a metric with its options",
    "metrics": "metrics by name, for those that a signature cannot make again",
    "metrics: Mapping[str, Metric[Score]]": "metrics by the name they should have in the result",
    "start": "the definition to start from: a profile, a signature or a metric",
    "end": "the definition to arrive at",
    "end: int": "the place after the last token",
    "result": "what was scored, as returned or read from a file",
    "new": "the result to judge",
    "rule": "the rule of a paper: a profile of contamination",
    "k": "how many texts to choose",
    "percent": "show scores multiplied by 100",
    "path": "the file",
    "overwrite": "replace a file that exists",
    "name: str | None": "what to call it",
    "id": "the name of the item, for gates, reports and tables",
    "metadata": "anything else to keep, by name",
    "count": "how many",
    "other: Self": "a metric with the same options",
    "state: Mapping[str, Any]": "what `state` returned",
}
# Names for types that several signatures share, and what they stand for.
TYPES = {
    "Text": "A text, or its tokens: a `str`, or a sequence of `str` or `int`.",
    "Texts": "Texts in a list, an array, an Arrow or pandas column, or the rows of `token_ids`.",
    "References": "For each segment one text, or a list of several; also columns of lists.",
    "Metrics": 'A name such as `"bleu"`, several names, metric objects, or a dict of metrics by name.',
    "Columns": 'Scores from elsewhere by column and system: `{"comet": {"A": [0.8, …], "B": […]}}`.',
    "Progress": "A function that is called with the name of a metric and the share of its work that is done.",
    "AnyMetric": "A metric of segments or of pools, with any kind of score.",
}


class _Refused:
    """A value that no option takes."""

    def __repr__(self) -> str:
        return "…"


def of_metric(kind: Any) -> list[Option]:
    """The options of a metric class."""
    options = registry.options_of(kind)
    meanings = _meanings(kind)
    used = dict(kind(**_models(kind)).options)  # what the metric puts in place of None
    for name, text in meanings.items():
        if "by default" in text:  # the text says what None means, which may depend on the model
            used.pop(name, None)
    return [
        Option(name, _default(option, used.get(name)), _allowed_by_metric(kind, option), meanings.get(name, ""))
        for name, option in options.items()
    ]


def of_call(call: Callable[..., Any]) -> list[Option]:
    """The parameters of a function or a class."""
    meanings = _meanings(call)
    metrics = [receiver for receiver in _receivers(call) if receiver in registry.class_names().values()]
    inputs = {} if is_record(call) else _INPUTS
    rows = []
    for item in _parameters(call).values():
        takers = [metric for metric in metrics if item.name in registry.options_of(metric)]
        allowed = _allowed_by_metric(takers[0], item) if takers else _allowed_by_type(call, item)
        typed = f"{item.name}: {docstrings.annotation(item.annotation)}"
        meaning = meanings.get(item.name) or inputs.get(typed, inputs.get(item.name, ""))
        rows.append(Option(item.name, _default(item), allowed, meaning))
    return [row for row in rows if row.name not in {"self", "cls"}]


def is_record(call: Any) -> bool:
    """Whether a class only holds what the package puts into it, so that its parameters are no options."""
    made = getattr(getattr(call, "__dataclass_params__", None), "init", False)
    return inspect.isclass(call) and (made or issubclass(call, Exception | tuple))


def table(options: Iterable[Option]) -> str:
    """The table in Markdown of the options with a meaning; the others say in the signature all there is to say."""
    shown = [item for item in options if item.meaning]
    rows = [f"| `{item.name}` | {item.default} | {item.allowed} | {item.meaning} |" for item in shown]
    return "\n".join(["| name | default | allowed | meaning |\n|---|---|---|---|", *rows]) if rows else ""


def _parameters(call: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(call).parameters
    except (TypeError, ValueError):
        return {}


def _meanings(call: Any) -> dict[str, str]:
    """What the docstring says of each option; of options that are passed on, what the docstrings it names say."""
    found = _own_meanings(call)
    if is_record(call):
        return found
    missing = {name: item for name, item in _parameters(call).items() if name not in found}
    receivers = _receivers(call)
    # Options mean the same everywhere: one of the same name, type and default is explained where it is best known.
    for receiver in (*receivers, bleuprint.BLEU, bleuprint.compare, bleuprint.evaluate) if missing else ():
        known = _parameters(receiver).items()
        defaults = {name: item for name, item in known if item.kind is item.KEYWORD_ONLY}  # not the inputs
        for name, text in _own_meanings(receiver).items():
            is_same = name in defaults and name in missing and _is_same(missing[name], defaults[name])
            if name in missing and (receiver in receivers or name in _EVERYWHERE or is_same):
                found.setdefault(name, text)
    return found


def _is_same(one: inspect.Parameter, other: inspect.Parameter) -> bool:
    types = {docstrings.annotation(item.annotation) for item in (one, other)}
    return one.default == other.default and len(types - {""}) <= 1


def _receivers(call: Any) -> list[Any]:
    """The public functions and classes that a docstring names: they take the options that are passed on."""
    named = re.findall(r"`(\w+)`", inspect.getdoc(call) or "")
    classes = registry.class_names()
    return [
        classes[name] if name in classes else getattr(bleuprint, name)
        for name in named
        if name in classes or name in bleuprint.__all__
    ]


def _own_meanings(call: Any) -> dict[str, str]:
    texts = [inspect.getdoc(call.__init__) if inspect.isclass(call) else None, inspect.getdoc(call)]
    listed = [item for text in texts for item in docstrings.listed(text or "")]
    return {name: _cell(text) for names, text in listed for name in names}


def _default(option: inspect.Parameter, used: object = None) -> str:
    if option.default is option.empty:
        return "" if option.kind in {option.VAR_POSITIONAL, option.VAR_KEYWORD} else "required"
    return _value(option.default) if used is None or option.default is not None else f"`None` ({_value(used)})"


def _value(value: object) -> str:
    return f'`"{value}"`' if isinstance(value, str) else f"`{docstrings.default(value)}`"


def _allowed_by_metric(kind: Any, option: inspect.Parameter) -> str:
    said = _refusal(kind, {**_models(kind), option.name: _Refused()}, option.name)
    if option.name == "tokenizer":
        more = [name for name in _listed(said) if name not in tokenizers.names()]
        return f"a {TOKENIZERS}, a function{''.join(f', `{name}`' for name in more)}"
    for size, words in _SIZES.items():
        said = re.sub(rf"{size}$", words, said)
    said = re.sub(r"\b\d+ numbers", "one number per order", said) if option.name == "weights" else said
    said = said.removesuffix(f" for {kind.name}")
    return _in_code(said) if said else _allowed_by_type(kind, option)


def _refusal(call: Callable[..., Any], given: Mapping[str, Any], name: str) -> str:
    """What a call says is allowed when it refuses a value."""
    try:
        call(**given)
    except OptionError as error:
        said = re.match(rf"{name} must be (.*), got …", str(error), re.DOTALL)
        return said[1] if said is not None else ""
    except BleuprintError:
        return ""
    return ""


def _listed(said: str) -> list[str]:
    return said.partition("one of ")[2].split(", ") if "one of " in said else []


def _in_code(said: str) -> str:
    """The values of a list as code."""
    if re.fullmatch(r"True(, False)? or (False|None)", said):
        return ", ".join(f"`{value}`" for value in re.findall(r"True|False|None", said))
    values, comma, rest = said.removeprefix("one of ").partition(", optionally")
    names = re.split(", | or ", values)
    if not said.startswith("one of ") and any(" " in name for name in names):
        return _cell(said)
    return _cell(", ".join(map(_value, names)) + comma + rest)


def _allowed_by_type(call: Callable[..., Any], option: inspect.Parameter) -> str:
    if option.name == "tokenizer":
        return f"a {TOKENIZERS}, a function"
    if option.name in _settings() and option.default == inspect.signature(Settings).parameters[option.name].default:
        return _settings()[option.name]
    hint = _hints(call).get(option.name)
    if hint is bool:
        return _in_code("True or False")
    if get_origin(hint) is Literal:
        return ", ".join(map(_value, get_args(hint)))
    text = docstrings.annotation(option.annotation)
    linked = "".join(f" {{ref}}`{name} <type-{name.lower()}>`" for name in TYPES if re.search(rf"\b{name}\b", text))
    return f"`{text}`".replace("|", "\\|") + linked if text else ""


@cache
def _settings() -> Mapping[str, str]:
    """What is allowed for each setting of a comparison."""
    said = {name: _refusal(Settings, {name: _Refused()}, name) for name in inspect.signature(Settings).parameters}
    return {name: _in_code(text) for name, text in said.items() if text}


def _hints(call: Callable[..., Any]) -> Mapping[str, Any]:
    try:
        return get_type_hints(call.__init__ if isinstance(call, type) else call)  # type: ignore[misc]
    except (NameError, TypeError):  # names that only type checkers import
        return {}


def _models(kind: Any) -> dict[str, Any]:
    """A small model for the option that has to be given; nothing for metrics without one."""
    name = registry.model_option(kind)
    return {} if name is None or name not in _small_models() else {name: _small_models()[name]}


@cache
def _small_models() -> Mapping[str, Any]:
    texts = ["the cat sat on the mat"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.txt"
        file.write_text("\n".join(texts), encoding="utf-8")
        index = build_index(file, Path(folder) / "texts.bpi", max_order=_LONGEST)
    return {
        "encoder": lambda text: [(text, [1.0])],
        "index": index,
        "lm": bleuprint.LanguageModel.train(texts, order=2, discount_fallback=True),
        "model": CallableModel(
            lambda text: list(map(ord, text)),
            lambda windows: [[-math.log(2)] * (len(ids) - 1) for ids in windows],
            window=_WINDOW,
            name="small",
        ),
    }


def _cell(text: str) -> str:
    return text.replace("|", "\\|")

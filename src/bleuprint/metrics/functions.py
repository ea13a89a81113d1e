"""Functions that need no object, for the metrics that people type from memory.

Metrics that other libraries offer as functions have three: `corpus_x`, `sentence_x` and `sentence_xs`. Others of every
day have one, under their own name. Their signatures list the options; `tools/make_stubs.py` writes the same for type
checkers. All other metrics are classes in `bleuprint.metrics`.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any

from bleuprint.core.columns import Corpus, References, Text, Texts, checked_column
from bleuprint.core.threads import worker_count
from bleuprint.metrics import registry
from bleuprint.metrics.base import Definition
from bleuprint.metrics.registry import Kind

_TEXTS, _REFERENCES, _THREADS = "Texts", "References", "int | None"
_ONE, _GROUP = "Text", "Text | Sequence[Text | None]"
_ARRAY = "NDArray[np.float64]"
_SOURCES = ("sources", "source")
_BATCH = 1 << 16  # texts of an iterator that are in memory at a time
_BY_PLACE, _BY_NAME = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY


Call = Callable[..., object]


# What other libraries offer as functions has three: for a corpus, for one segment, and for many.
THREE = ("bleu", "cer", "chrf", "gleu", "meteor", "nist", "rouge", "ter", "wer")
# Other metrics of every day have one under their own name, which scores a corpus or a pool.
ONE = (
    *("bertscore", "cider", "cross-bleu", "distinct", "exact-match", "ibleu", "near-duplicates", "perplexity", "sari"),
    *("self-bleu", "squad-f1"),
)


# The metric and what is scored, by the name of the function; no metric is loaded to know them.
_FUNCTIONS = {
    **{f"corpus_{metric}": (metric, "corpus") for metric in THREE},
    **{f"sentence_{metric}": (metric, "sentence") for metric in THREE},
    **{f"sentence_{metric}s": (metric, "sentences") for metric in THREE},
    **{metric.replace("-", "_"): (metric, "whole") for metric in ONE},
}


def names() -> list[str]:
    """The names of all functions.

    >>> [name for name in names() if name.endswith(("ter", "ters"))]
    ['corpus_ter', 'sentence_ter', 'sentence_ters']
    """
    return sorted(_FUNCTIONS)


def kind_of(function: str) -> Kind:
    """The metric class that a function belongs to."""
    return registry.find(_FUNCTIONS[function][0])


@cache
def load(name: str) -> Call:
    """The function of that name; only its metric is loaded."""
    kind, level = kind_of(name), _FUNCTIONS[name][1]
    if level == "whole":
        level = "pool" if kind.unit == "pool" else "corpus"
    return _describe(name, kind, level)


def _score_many(kind: Kind, score: Callable[[Definition, Corpus, int], object]) -> Call:
    def many(
        hypotheses: Texts,
        references: References | None = None,
        *,
        sources: Texts | None = None,
        threads: int | None = None,
        **options: Any,
    ) -> object:
        definition = _definition(kind, options) if options else _usual[kind]
        return score(definition, definition.read(hypotheses, references, sources), worker_count(threads))

    return many


def _score_one(kind: Kind) -> Call:
    def one(hypothesis: Text, references: object = None, *, source: Text | None = None, **options: Any) -> object:
        definition = _definition(kind, options) if options else _usual[kind]
        return definition.sentence_score(hypothesis, references, source)

    return one


def _score_pool(kind: Kind) -> Call:
    def pool(texts: Texts, references: Texts | None = None, *, threads: int | None = None, **options: Any) -> object:
        definition, workers = _definition(kind, options) if options else _usual[kind], worker_count(threads)
        if options.get("memory") is None:
            return definition.corpus_score(definition.read(texts, references, None), workers)
        return read_pool(definition, texts, workers).score_with_warning(workers)

    return pool


def read_pool(definition: Definition, texts: Texts, threads: int) -> Any:
    """The summary of a pool, of which some texts at a time are read from an iterator."""
    metric, read = definition.metric(), 0
    if not isinstance(texts, Iterator):
        return metric.update(texts, threads=threads).summary
    while batch := list(islice(texts, _BATCH)):
        # So that an error names the place of a text among all.
        metric.update(checked_column(batch, f"texts[{read}:]" if read else "texts"), threads=threads)
        read += len(batch)
    return metric.summary


# What each kind of function scores, and how.
_LEVELS: dict[str, tuple[str, Callable[[Kind], Call]]] = {
    "corpus": ("a corpus", lambda kind: _score_many(kind, Definition.corpus_score)),
    "sentence": ("one segment", _score_one),
    "sentences": ("every segment, as an array", lambda kind: _score_many(kind, Definition.segment_scores)),
    "pool": ("a pool of texts", _score_pool),
}


def _definition(kind: Kind, options: Mapping[str, Any]) -> Definition:
    model = options.get(_model_option(kind))  # type: ignore[arg-type]  # a class is hashable
    named = [(name, value if type(value) is str else _with_types(value)) for name, value in options.items()]
    key = kind, _stamp(model), *named
    try:
        definition = _definitions.get(key)
    except TypeError:  # an option that cannot be hashed, such as weights in an array
        return kind(**options).definition
    if definition is None:
        definition = kind(**options).definition
        if len(_definitions) >= _MOST_DEFINITIONS:
            _definitions.clear()
        _definitions[key] = definition
    return definition


class _Usual(dict[Kind, Definition]):
    """Definitions without options, which cost one look-up."""

    def __missing__(self, kind: Kind) -> Definition:
        # To resolve a name takes longer than all else in a first call; it says what a metric without its model lacks.
        named = _model_option(kind)  # type: ignore[arg-type]  # a class is hashable
        return self.setdefault(kind, registry.resolve(kind.name).definition if named else _definition(kind, {}))


_usual = _Usual()
_definitions: dict[tuple[object, ...], Definition] = {}
_MOST_DEFINITIONS = 256


@cache
def _model_option(kind: Kind) -> str:
    return registry.model_option(kind) or ""


def _stamp(model: object) -> tuple[int, int] | None:
    """What changes when the file of a model is written again."""
    if not isinstance(model, str | os.PathLike):
        return None
    try:
        status = os.stat(model)  # noqa: PTH116
    except (OSError, ValueError):  # the metric says what is wrong with it
        return None
    return status.st_mtime_ns, status.st_size


def _with_types(value: Any) -> tuple[object, ...]:
    """What an option is known by. 1 equals True, and what is refused must not find what is allowed."""
    kind = type(value)
    if kind is not list and kind is not tuple:
        return kind, value
    return kind, *[item if type(item) is str else _with_types(item) for item in value]


def _inputs(kind: Kind, level: str) -> dict[str, str]:
    """The texts that a function takes, with their types."""
    if level == "pool":
        return {"texts": _TEXTS} | ({"references": _TEXTS} if kind.needs_references else {})
    one = level == "sentence"
    texts = {"hypothesis": _ONE} if one else {"hypotheses": _TEXTS}
    if kind.needs_references:
        texts["references"] = _GROUP if one else _REFERENCES
    if kind.needs_sources:
        texts |= {"source": _ONE} if one else {"sources": _TEXTS}
    return texts


def _score_name(kind: Any) -> str:
    """The name of the class of a metric's scores: what the metric's base class is subscripted with."""
    (base, *_) = kind.__orig_bases__
    (score, *_) = base.__args__
    return str(score.__name__)


def _describe(name: str, kind: Kind, level: str) -> Call:
    """The function with its own name, signature and documentation."""
    call, inputs = _LEVELS[level][1](kind), _inputs(kind, level)
    texts = [
        inspect.Parameter(text, _BY_NAME if text in _SOURCES else _BY_PLACE, annotation=hint)
        for text, hint in inputs.items()
    ]
    options = [option.replace(kind=_BY_NAME) for option in registry.options_of(kind).values()]
    if level != "sentence":
        options.append(inspect.Parameter("threads", _BY_NAME, default=None, annotation=_THREADS))
    returned = _ARRAY if level == "sentences" else _score_name(kind)
    call.__signature__ = inspect.Signature([*texts, *options], return_annotation=returned)  # type: ignore[attr-defined]
    call.__name__ = call.__qualname__ = name
    call.__module__ = "bleuprint"
    call.__doc__ = "\n".join(_documentation(name, kind, inputs, level))
    return call


def _documentation(name: str, kind: Kind, inputs: Iterable[str], level: str) -> Iterator[str]:
    metric, docstring = kind.__name__, inspect.getdoc(kind) or ""
    described = re.search(r"^- `.*?(?=\n>>>|\Z)", docstring, flags=re.DOTALL | re.MULTILINE)
    options = f"The options are those of `{metric}`{':' if described else '.'}"
    yield from (f"{metric} of {_LEVELS[level][0]}.", "", options, "")
    yield from [*described[0].rstrip().splitlines(), ""] if described else ()
    if registry.model_option(kind) is not None:
        yield f">>> from bleuprint.metrics import {metric}"
        example = re.search(r"^>>>.*?(?=\n\s*\n|\Z)", docstring, flags=re.DOTALL | re.MULTILINE)
        yield from example[0].splitlines() if example else ()  # none under -OO
        return
    value = "texts[0]" if level == "sentence" else "texts"
    given = ", ".join(f"{text}={value}" if text in _SOURCES else value for text in inputs)
    method, ending = "corpus" if level == "pool" else level, ".tolist()" if level == "sentences" else ".value"
    yield f">>> from bleuprint import {name}"
    yield f">>> from bleuprint.metrics import {metric}"
    yield '>>> texts = ["the cat sat on the mat", "a dog barked", "the dog sat on a log"]'
    yield f">>> {name}({given}){ending} == {metric}().{method}({given}){ending}"
    yield "True"

"""Runs the tests of a module with the module changed.

Quickly first: a process imports everything and collects the tests once, and for each change forks a child in which the
module takes over the changed code, defaults and constants. A change that cannot be shown in this way is tried slowly: a
new process imports the package with the changed module in its place.
"""

from __future__ import annotations

import ast
import doctest
import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import NamedTuple

import pytest

from tools.mutation_testing.operators import Mutant

_SLOWEST = 10  # times the processor time of a module's tests unchanged; a loop without end stops there
_FLAGS = ("-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=few")
_SURVIVED, _KILLED, _NOT_SHOWN = range(3)
# Imported once by the first process; nothing of the package itself, which is imported with the change made.
_PRELOADED = ("numpy", "hypothesis", "hypothesis.strategies", "click", "rich", "jinja2", "orjson", "nltk", "sacrebleu")


@dataclass(frozen=True)
class Subject:
    """A module, its file and its tests: `tests/x.py` is all of a file, `tests/x.py:word` what has it in its name."""

    module: str
    file: Path
    tests: Sequence[str]
    slow: Sequence[str] = ()  # words in the names of tests that are left out

    def wants(self, identifier: str) -> bool:
        if any(word in identifier for word in self.slow):
            return False
        parts = (test.partition(":") for test in self.tests)
        return any(identifier.startswith(f"{file}::") and word in identifier[len(file) :] for file, _, word in parts)

    def tree(self) -> ast.Module:
        return ast.parse(self.file.read_text(encoding="utf-8"))

    def pytest_arguments(self) -> list[str]:
        return [*_FLAGS, *sorted({test.partition(":")[0] for test in self.tests})]


def preload() -> None:
    """Imports what all processes need, once."""
    for name in _PRELOADED:
        importlib.import_module(name)


def survivors(subject: Subject, mutants: Sequence[Mutant]) -> list[Mutant]:
    """The changes that neither an example nor a test notices; what does not end in time is noticed."""
    quick = _quickly(subject, mutants)
    tree = subject.tree()
    if quick.unshown and _killed_slowly(subject, tree, quick):
        raise SystemExit(f"{subject.module}: its tests do not pass unchanged in a new process.")
    left = [at for at in quick.unshown if not _killed_slowly(subject, mutants[at].applied(tree), quick)]
    return [mutants[at] for at in sorted([*quick.left, *left])]


# --- quickly: one process that has collected the tests, and a fork of it for each change ---


class _Quick(NamedTuple):
    """Seconds of each test, the time limit of a run, the changes not noticed and those that could not be shown."""

    seconds: dict[str, float]
    limit: float
    left: list[int]
    unshown: list[int]


def _quickly(subject: Subject, mutants: Sequence[Mutant]) -> _Quick:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _silence()
        server = _Server(subject, mutants)
        status = pytest.main(subject.pytest_arguments(), plugins=[server])
        with os.fdopen(writing, "w") as out:
            json.dump([int(status), server.seconds, server.limit, server.left, server.unshown], out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        status, *found = json.loads(answer.read() or "[1, {}, 0, [], []]")
    os.waitpid(child, 0)
    quick = _Quick(*found)
    if status != 0 or not quick.seconds:
        raise SystemExit(f"{subject.module}: its tests do not pass unchanged, or there are none (pytest: {status}).")
    return quick


class _Server:
    """Takes the place of pytest's loop over the tests."""

    def __init__(self, subject: Subject, mutants: Sequence[Mutant]) -> None:
        self.subject, self.mutants = subject, mutants
        self.seconds: dict[str, float] = {}
        self.limit = 0.0
        self.left: list[int] = []
        self.unshown: list[int] = []
        self.entered: dict[str, list[str]] = {}
        self.failed = False

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self.subject.wants(item.nodeid)]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        live = _Live(self.subject)
        gc.freeze()  # what is there now is shared by all children
        if not self._baseline(session):
            session.testsfailed = 1
            return True
        self.limit = max(10.0, _SLOWEST * self.limit)
        session.items.sort(key=lambda item: self.seconds.get(item.nodeid, 0.0))
        tree = self.subject.tree()
        # What is noticed where nothing is changed would be noticed always: the order of the tests, or taking code over.
        controls: list[tuple[list[pytest.Item], ast.Module | None]] = [(session.items, None), ([], tree)]
        if any(self._outcome(items, session.config, live, same) == _KILLED for items, same in controls):
            session.testsfailed = 1
            return True
        for at, mutant in enumerate(self.mutants):
            outcome = self._outcome(self._noticing(session, live, mutant), session.config, live, mutant.applied(tree))
            if outcome in (_SURVIVED, _NOT_SHOWN):
                (self.left if outcome == _SURVIVED else self.unshown).append(at)
        return True

    def _baseline(self, session: pytest.Session) -> bool:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            start = time.process_time()
            failed = self._fails(session.items, session.config, watched=True)
            with os.fdopen(writing, "w") as out:
                json.dump([failed, time.process_time() - start, self.seconds, self.entered], out)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as answer:
            failed, self.limit, self.seconds, self.entered = json.loads(answer.read() or "[true, 0, {}, {}]")
        os.waitpid(child, 0)
        return not failed

    def _noticing(self, session: pytest.Session, live: _Live, mutant: Mutant) -> list[pytest.Item]:
        """The tests that enter the function of a change; all of them for one outside functions."""
        if mutant.function not in {function.__qualname__ for function in live.functions}:
            return session.items
        return [item for item in session.items if mutant.function in self.entered.get(item.nodeid, ())]

    def _outcome(self, items: list[pytest.Item], config: pytest.Config, live: _Live, changed: ast.Module | None) -> int:
        child = os.fork()
        if child == 0:
            signal.setitimer(signal.ITIMER_PROF, self.limit)  # ends the process
            try:
                shown = changed is None or live.becomes(changed)
                outcome = (_KILLED if self._fails(items, config) else _SURVIVED) if shown else _NOT_SHOWN
            except BaseException:
                outcome = _KILLED
            os._exit(outcome)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def _fails(self, items: list[pytest.Item], config: pytest.Config, *, watched: bool = False) -> bool:
        if doctest.testmod(sys.modules[self.subject.module], optionflags=doctest.FAIL_FAST).failed:
            return True
        for item, following in zip_longest(items, items[1:]):
            names: set[str] = set()
            if watched:
                sys.setprofile(_Watcher(str(self.subject.file), names))
            config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            sys.setprofile(None)
            self.entered[item.nodeid] = sorted(names)
            if self.failed:
                return True
        return False


class _Watcher:
    """Notes the functions of a file that are entered."""

    def __init__(self, file: str, names: set[str]) -> None:
        self.file, self.names = file, names

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename == self.file:
            self.names.add(frame.f_code.co_qualname)


class _Live:
    """A module as it was imported, with all functions that it made."""

    def __init__(self, subject: Subject) -> None:
        self.file, self.module = subject.file, importlib.import_module(subject.module)
        gc.unfreeze()  # what the tests' settings froze is not listed
        everything: Sequence[object] = gc.get_objects()
        functions = (found for found in everything if isinstance(found, FunctionType))
        self.functions = [function for function in functions if function.__module__ == subject.module]

    def becomes(self, changed: ast.Module) -> bool:
        """Takes the changed code, defaults and constants over; False where that cannot show the change."""
        compiled = compile(changed, str(self.file), "exec")
        new = {(code.co_qualname, code.co_firstlineno): code for code in _codes(compiled)}
        shown = False
        for function in self.functions:
            code = new.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
            if code is None or code == function.__code__:
                continue
            if code.co_freevars != function.__code__.co_freevars:
                return False
            function.__code__ = code
            shown = True
        return shown or self._takes_values(compiled)

    def _takes_values(self, compiled: CodeType) -> bool:
        fresh: dict[str, object] = {**self.module.__dict__}
        exec(compiled, fresh)
        shown = _take_plain(self.module, fresh)
        for name, value in fresh.items():
            old = self.module.__dict__.get(name)
            if isinstance(value, type) and isinstance(old, type) and value.__module__ == self.module.__name__:
                shown = _take_plain(old, vars(value)) or shown
        for function in self.functions:
            shown = _take_defaults(function, fresh) or shown
        return shown


def _take_plain(owner: ModuleType | type, new: Mapping[str, object]) -> bool:
    """Sets numbers, texts and collections of them that are others now, wherever the package has them by that name."""
    changed = {name: new[name] for name, old in vars(owner).items() if name in new and _differ(old, new[name])}
    holders = [module for name, module in sys.modules.items() if name.startswith("bleuprint")]
    for name, value in changed.items():
        old = vars(owner)[name]
        for holder in [owner, *(holders if isinstance(owner, ModuleType) else [])]:
            if vars(holder).get(name) is old:
                setattr(holder, name, value)
    return bool(changed)


def _take_defaults(function: FunctionType, fresh: Mapping[str, object]) -> bool:
    found: object = None
    for part in function.__qualname__.split("."):
        found = fresh.get(part) if found is None else vars(found).get(part)
        if found is None:
            return False
    found = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
    if not isinstance(found, FunctionType) or found.__code__.co_firstlineno != function.__code__.co_firstlineno:
        return False
    shown = _differ(found.__defaults__, function.__defaults__) or _differ(found.__kwdefaults__, function.__kwdefaults__)
    function.__defaults__, function.__kwdefaults__ = found.__defaults__, found.__kwdefaults__
    return shown


_PLAIN = (bool, int, float, str, type(None))


def _differ(old: object, new: object) -> bool:
    return _is_plain(old) and _is_plain(new) and repr(old) != repr(new)


def _is_plain(value: object) -> bool:
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    if isinstance(value, tuple | list | frozenset | set):
        return all(map(_is_plain, value))
    return isinstance(value, _PLAIN)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


# --- slowly: a process that imports the package with the changed module in its place ---


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module in code that is given to it."""

    def __init__(self, module: str, file: Path, code: CodeType) -> None:
        self.module, self.file, self.code = module, file, code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.module:
            return None
        folders = [str(self.file.parent)] if self.file.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            fullname, self.file, loader=self, submodule_search_locations=folders
        )

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)


class _Chosen:
    """Keeps the tests that are wanted, quickest first."""

    def __init__(self, subject: Subject, seconds: dict[str, float]) -> None:
        self.subject, self.seconds = subject, seconds

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self.subject.wants(item.nodeid)]
        items.sort(key=lambda item: self.seconds.get(item.nodeid, 0.0))


def _killed_slowly(subject: Subject, changed: ast.Module, quick: _Quick) -> bool:
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, 2 * quick.limit)
        _silence()
        code = compile(changed, str(subject.file), "exec")
        sys.meta_path.insert(0, _Changed(subject.module, subject.file, code))
        try:
            module = importlib.import_module(subject.module)
            failed = doctest.testmod(module, optionflags=doctest.FAIL_FAST).failed
            failed = failed or pytest.main(subject.pytest_arguments(), plugins=[_Chosen(subject, quick.seconds)])
        except BaseException:
            failed = 1
        os._exit(1 if failed else 0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


def _silence() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)

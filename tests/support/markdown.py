"""Examples in Markdown files: fenced blocks, taken out and run.

A Python block holds examples with `>>>`; a shell block (`sh`) is run by bash, and an `output` block under it says what
it prints, where … stands for anything in a line, and a line that is only … for any lines. A Python or YAML block whose
first line is a comment with a file name is that file; if it is a workflow, its steps are run. A word after the
language, as in `sh spark`, names the suite of tests that can run the block.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

_FENCE = re.compile(
    r"^(?P<indent> *)(?P<ticks>```+)(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=indent)(?P=ticks) *$", re.MULTILINE | re.DOTALL
)
_FILE = re.compile(r"# (?P<name>[\w./-]+\.(?:py|ya?ml|toml|cfg|ini))\n")
PYTHON = ("python", "pycon")


class _AnyTag(yaml.SafeLoader):  # type: ignore[misc]
    """Files of other programs have tags of their own, which those understand."""


_AnyTag.add_multi_constructor("!", lambda loader, suffix, node: suffix)


@dataclass(frozen=True)
class Block:
    """One fenced block; `suite` is empty for blocks that run everywhere."""

    language: str
    suite: str
    text: str
    line: int

    @property
    def file(self) -> str:
        """The name of the file that the block is, if it is one."""
        found = _FILE.match(self.text)
        return found["name"] if found is not None and ">>>" not in self.text else ""


def blocks_of(text: str) -> list[Block]:
    found = []
    for match in _FENCE.finditer(text):
        language, suite = f"{match['info'].strip()}  ".split(" ")[:2]
        line = text.count("\n", 0, match.start()) + 2
        found.append(Block(language, suite, textwrap.dedent(match["text"]), line))
    return found


def _unfenced(text: str) -> str:
    """The text with its fences blanked: what follows an output must not look like part of it."""
    return re.sub(r"^\s*```.*$", "", text, flags=re.MULTILINE)


def examples_of(text: str) -> list[tuple[str, str]]:
    """Every example and what it prints."""
    return [(example.source, example.want) for example in doctest.DocTestParser().get_examples(_unfenced(text))]


def failures_of(path: Path, names: dict[str, Any] | None = None) -> str:
    """What doctest says about the examples of a file that do not print what stands under them."""
    return _doctest(_unfenced(path.read_text(encoding="utf-8")), dict(names or {}), path, 0)


def run_document(
    path: Path,
    names: dict[str, Any] | None = None,
    *,
    suite: str = "",
    languages: Container[str] | None = None,
    programs: Sequence[Path] = (),
) -> str:
    """Run the blocks of a suite in order, in the current folder; what went wrong, in words.

    Blocks in other than these languages are left out, if any are named. Shell blocks find programs in the folders
    `programs`, and then in that of the interpreter.
    """
    namespace = dict(names or {})
    blocks = blocks_of(path.read_text(encoding="utf-8"))
    followers = [*blocks[1:], None][: len(blocks)]
    said = [
        failure
        for block, follower in zip(blocks, followers, strict=True)
        if block.suite == suite and (languages is None or block.language in languages)
        for failure in _failures(block, follower, path, namespace, programs)
    ]
    return "\n".join(said)


def _failures(
    block: Block, follower: Block | None, path: Path, namespace: dict[str, Any], programs: Sequence[Path]
) -> Iterator[str]:
    place = f"{path.name}:{block.line}"
    if block.file:
        target = Path(block.file)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(block.text, encoding="utf-8")
        if block.language == "yaml":
            for command in _commands(yaml.load(block.text, _AnyTag)):
                yield from filter(None, [_shell(command, None, place, programs)])
        elif block.language in PYTHON:
            compile(block.text, block.file, "exec")
    elif block.language == "yaml":
        yaml.safe_load(block.text)
    elif block.language in PYTHON:
        if ">>>" not in block.text:
            yield f"{place}: a Python block has examples with >>>, or begins with a comment that names its file"
        yield from filter(None, [_doctest(block.text, namespace, path, block.line)])
    elif block.language == "sh":
        wanted = follower.text if follower is not None and follower.language == "output" else None
        yield from filter(None, [_shell(block.text, wanted, place, programs)])


def _commands(workflow: dict[str, Any]) -> Iterator[str]:
    """What a workflow of GitHub's or GitLab's would run, but for installing packages."""
    jobs = workflow.get("jobs", workflow).values()
    for job in (job for job in jobs if isinstance(job, dict)):
        given = [*(step.get("run", "") for step in job.get("steps", ())), *job.get("script", ())]
        yield from (command for command in given if command and not command.startswith("pip install"))


def _doctest(text: str, namespace: dict[str, Any], path: Path, line: int) -> str:
    said: list[str] = []
    test = doctest.DocTestParser().get_doctest(text, namespace, path.stem, str(path), line)
    test.globs = namespace  # the parser copies it; blocks of one page share their names
    doctest.DocTestRunner(verbose=False).run(test, out=said.append, clear_globs=False)
    return "".join(said)


def _shell(text: str, wanted: str | None, place: str, programs: Sequence[Path]) -> str:
    """Run a block as bash does; nothing it starts may ask for input."""
    path = os.pathsep.join([*map(str, [*programs, Path(sys.executable).parent]), os.environ.get("PATH", "")])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PATH": path, "COLUMNS": "120", "GITHUB_STEP_SUMMARY": "step-summary.md"},
        timeout=600,
    )
    if done.returncode:
        return f"{place}: exit {done.returncode}\n{text}\n{done.stdout}{done.stderr}"
    if wanted is not None and not _agrees(done.stdout, wanted):
        return f"{place}: expected\n{wanted}\ngot\n{done.stdout}{done.stderr}"
    return ""


def _agrees(printed: str, wanted: str) -> bool:
    """Line by line, without spaces at the ends of lines."""
    pieces = []
    for line in wanted.strip().splitlines():
        inside = ".*?".join(map(re.escape, line.rstrip().split("…")))
        pieces.append(r"(?:.*\n)*?" if line.strip() == "…" else inside + r"\n")
    lines = "".join(f"{line.rstrip()}\n" for line in printed.strip().splitlines())
    return re.fullmatch("".join(pieces), lines) is not None

"""Text leaves the package through few functions, and each of them escapes what it writes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "bleuprint"

# The calls that write for people or for programs that act on what they read, and the only files that make them.
EXITS = {
    "print": set(),
    "click.echo": set(),
    "click.secho": set(),
    "sys.stdout.write": {"cli/_terminal.py"},
    "sys.stdout.buffer.write": {"cli/_terminal.py"},
    # Without click there is no command line to import the terminal from.
    "sys.stderr.write": {"__main__.py", "cli/_terminal.py"},
    "sys.stdout.writelines": set(),
    "Console": {"cli/_terminal.py", "runners/progress.py"},
    "traceback.print_exception": set(),
    "traceback.print_exc": set(),
    "pytest.fail": {"integrations/pytest_plugin.py"},
    "csv.writer": {"results/display.py"},
    "quoteattr": set(),
    "escape": {"results/escaping.py"},
    "html.escape": {"report/sections/segments/marks.py"},  # builds a pattern that finds tokens, not output
}
# Files that write must import what escapes.
ESCAPE = {"visible", "visible_lines", "json_text", "xml_text", "spreadsheet_cell"}


def calls(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


def files() -> list[Path]:
    # Functions for Hugging Face evaluate are generated and print nothing.
    return sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_text_leaves_through_one_writer(path: Path) -> None:
    name = path.relative_to(SOURCE).as_posix()
    bypassing = {call for call in calls(path) if call in EXITS and name not in EXITS[call]}
    assert not bypassing


ESCAPED_ELSEWHERE = {"report/sections/segments/marks.py"}  # it builds a pattern


@pytest.mark.parametrize("name", sorted(set().union(*EXITS.values()) - ESCAPED_ELSEWHERE))
def test_what_writes_escapes(name: str) -> None:
    path = SOURCE / name
    assert set(calls(path)) & ESCAPE or "visible" in path.read_text(encoding="utf-8")


def test_there_is_one_list_of_characters_that_act() -> None:
    """Only one file decides what a terminal must not get; the report's page has its own rule for HTML."""
    listing = [path for path in files() if "\\x7f-\\x9f" in path.read_text(encoding="utf-8")]
    assert [path.relative_to(SOURCE).as_posix() for path in listing] == ["results/escaping.py"]


def test_exits_are_found_where_they_stand() -> None:
    """The tests above can fail."""
    assert "sys.stdout.write" in set(calls(SOURCE / "cli" / "_terminal.py"))
    assert "csv.writer" in set(calls(SOURCE / "results" / "display.py"))
    assert "Console" in set(calls(SOURCE / "runners" / "progress.py"))

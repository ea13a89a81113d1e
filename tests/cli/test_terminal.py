"""What a person at a terminal sees: ruled tables, rendered cards and a bar for long work, on their own streams."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable

import pytest

from bleuprint.cli import _terminal
from bleuprint.errors import OutputError
from bleuprint.results.display import Cell, DisplayTable
from bleuprint.runners import progress as bars


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


class Broken(Screen):
    """A terminal that has gone away."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error

    def write(self, text: str) -> int:
        raise self.error

    def flush(self) -> None:
        raise self.error


def test_a_table_is_ruled_and_shows_control_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", screen := Screen())
    _terminal.draw_rows(["system", "bleu"], [["a\x1b[2J", "0.1234"]])
    head, rule, row = [line.rstrip() for line in screen.getvalue().splitlines() if line.strip()]
    assert "bleu" in head
    assert "─" in rule
    assert "0.1234" in row
    assert "\x1b[2J" not in screen.getvalue()


def test_markdown_is_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", screen := Screen())
    _terminal.draw_markdown("# Title\n\nsome **bold** words\n")
    assert "Title" in screen.getvalue()
    assert "**" not in screen.getvalue()


def test_a_terminal_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Broken(OSError(5, "Input/output error")))
    calls: list[Callable[[], None]] = [
        lambda: _terminal.draw_rows(["system"], [["a"]]),
        lambda: _terminal.draw_markdown("# a"),
        lambda: _terminal.write("a"),
        _terminal.flush,
    ]
    for call in calls:
        with pytest.raises(OutputError, match="cannot write standard output: Input/output error"):
            call()
    _terminal.settle()
    monkeypatch.setattr(sys, "stdout", Broken(BrokenPipeError(32, "Broken pipe")))
    with pytest.raises(OutputError, match="the reading program closed the pipe"):
        _terminal.flush()


def test_closed_output_is_an_error_and_a_closed_side_channel_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    with pytest.raises(OutputError, match="it is closed"):
        _terminal.write_json("{}")
    _terminal.note("nobody listens")
    with bars.progress("scoring", 3) as advance:
        advance(3)


@pytest.mark.parametrize("total", [4, None])
def test_a_bar_for_what_takes_long(monkeypatch: pytest.MonkeyPatch, total: int | None) -> None:
    monkeypatch.setattr(sys, "stderr", shown := Screen())
    monkeypatch.setattr(bars, "_PATIENCE", -1.0)
    with bars.progress("scoring", total) as advance:
        advance(1)
        advance(2)
    assert "scoring" in shown.getvalue()


def test_no_bar_for_what_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", shown := Screen())
    monkeypatch.setattr(bars, "_PATIENCE", 1e9)
    with bars.progress("scoring", 4) as advance:
        advance(4)
    assert shown.getvalue() == ""


def test_a_bar_for_work_that_does_not_advance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Native code may compute for long before it reports anything, so a timer draws the bar."""
    monkeypatch.setattr(sys, "stderr", shown := Screen())
    monkeypatch.setattr(bars, "_PATIENCE", 0.0)
    with bars.progress("training", None):
        assert bars._Display.current is not None
        bars._Display.current.timer.join()
    assert "training" in shown.getvalue()
    assert bars._Display.current is None


def test_bars_of_nested_work_are_drawn_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", shown := Screen())
    monkeypatch.setattr(bars, "_PATIENCE", -1.0)
    with bars.progress("scoring", None) as outer:
        outer(1)
        with bars.progress("bertscore", 2) as inner:
            inner(1)
        outer(1)
    assert "scoring" in shown.getvalue()
    assert "bertscore" in shown.getvalue()


def shown_rows(screen: Screen) -> list[str]:
    text = re.sub("\x1b\\[[0-9;]*m", "", screen.getvalue())
    return [line.rstrip() for line in text.splitlines() if line.strip() and "─" not in line]


def test_the_best_and_its_ties_are_marked_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [["a", "0.5", "9"], ["b", "0.5", "8"], ["c", "0.4", "7"]]
    cells_of = [tuple(Cell(cell, best=cell == "0.5") for cell in row) for row in rows]
    table = DisplayTable(("system", "bleu", "x"), tuple(cells_of))
    monkeypatch.setattr(sys, "stdout", screen := Screen())
    _terminal.draw(table)
    cells = [line.split() for line in shown_rows(screen)]
    assert cells[1:4] == [["a", "0.5*", "9"], ["b", "0.5*", "8"], ["c", "0.4", "7"]]
    assert shown_rows(screen)[-1] == "* best; several if they are equal"
    assert [line.split() for line in table.lines()] == [["system", "bleu", "x"], *rows]


def test_columns_that_do_not_fit_follow_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = [f"metric-{number}" for number in range(12)]
    rows = [["system-with-a-name", *("0.1234 [0.1, 0.2]" for _ in names)]] * 2
    monkeypatch.setattr(sys, "stdout", screen := Screen())
    best = tuple(Cell(cell, best=place == 1) for place, cell in enumerate(rows[0]))
    _terminal.draw(DisplayTable(("system", *names), (best, tuple(map(Cell, rows[1])))))
    lines = shown_rows(screen)
    assert max(map(len, lines)) <= 80
    heads = [line for line in lines if line.lstrip().startswith("system ")]
    assert len(heads) > 1
    assert [word for line in heads for word in line.split() if word.startswith("metric")] == names
    assert sum(line.count("0.1234") for line in lines) == 24


def test_sentences_are_broken_between_words_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    sentence = " ".join(["A-long-name is better than another-long-name."] * 5)
    _terminal.write_sentences([sentence])
    assert capsys.readouterr().out == f"{sentence}\n"
    monkeypatch.setattr(sys, "stdout", screen := Screen())
    _terminal.write_sentences([sentence])
    assert max(map(len, screen.getvalue().splitlines())) <= 80
    assert screen.getvalue().split() == sentence.split()

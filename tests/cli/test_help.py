"""Help, lists and suggestions."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from bleuprint.cli import COMMANDS, program
from bleuprint.cli._command import Command
from bleuprint.core import tokenizers
from bleuprint.metrics import profiles, registry
from tests.support.cli import assert_one_line, invoke

ROOT = Path(__file__).resolve().parents[2]


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(program, **program.context_settings)
    for name in COMMANDS:
        command = program.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from (((name, part), child) for part, child in command.commands.items())
        elif name != "sacrebleu":  # which has a help of its own
            yield (name,), command


@pytest.mark.parametrize(
    ("name", "command"), list(commands()), ids=lambda value: "-".join(value) if isinstance(value, tuple) else ""
)
def test_every_command_has_two_examples_that_parse_and_says_where_to_read_on(
    name: tuple[str, ...], command: click.Command
) -> None:
    assert isinstance(command, Command)
    assert len(command.examples) >= 2
    shown = invoke(*name, "--help").stdout
    for example in command.examples:
        assert f"  {example}\n" in shown
        words = shlex.split(re.split(r" [|>]", example)[0])
        assert words[: len(name) + 1] == ["bleuprint", *name]
        command.make_context("bleuprint", words[len(name) + 1 :])
    assert "Read on: " in shown
    for word in command.more.replace(",", "").split():
        assert not word.startswith("docs/") or (ROOT / word).is_file()


@pytest.mark.parametrize("name", ["score", "compare"])
def test_options_are_grouped(name: str) -> None:
    shown = invoke(name, "--help").stdout
    headings = [line for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")]
    expected = ["Input:", "Metrics:", "Test:", "Output:", "Speed:", "Other:", "Examples:"]
    assert headings == [heading for heading in expected if heading != "Test:" or name == "compare"]
    assert shown[shown.index("Other:") :].splitlines()[1:3] == ["  -h, --help  Show this message and exit.", ""]


def test_lists() -> None:
    metrics = invoke("list", "metrics").stdout
    assert [line.split()[0] for line in metrics.splitlines()] == [*registry.metrics("segment"), *registry.announced()]
    names = [line.split()[0] for line in invoke("list", "tokenizers").stdout.splitlines()[1:]]
    assert names == list(tokenizers.names())
    listed = invoke("list", "profiles").stdout
    for metric in profiles.PROFILES:
        for profile in profiles.names(metric):
            assert f"{metric}:profile={profile} " in listed


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["scores"], "There is no command 'scores'. Did you mean score?"),
        (["selfbleu"], "Did you mean self-bleu?"),
        (["list", "tokenizer"], "tokenizers"),
        (["gate", "x.json", "--treshold", "bleu=1"], "There is no option --treshold. Did you mean --threshold?"),
        (["lm", "train", "x", "-o", "y", "--ordr", "3"], "Did you mean --order?"),
    ],
)
def test_what_is_misspelled_gets_a_suggestion(words: list[str], expected: str) -> None:
    shown = invoke(*words)
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert_one_line(shown.stderr, expected)

"""Help, lists and suggestions."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from bleuprint import cli
from bleuprint.cli import COMMANDS, GROUPS, program
from bleuprint.cli._command import MANUAL, Command, Option
from bleuprint.core import tokenizers
from bleuprint.metrics import profiles, registry
from tests.support.cli import invoke, refuse

ROOT = Path(__file__).resolve().parents[2]


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(program, **program.context_settings)
    for name in COMMANDS:
        command = program.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from (((name, part), child) for part, child in command.commands.items())
        else:
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
    shown_pages = shown.partition("See also:\n")[2]
    assert command.more
    for place in command.more.split(", "):
        assert not place.startswith("docs/") or (ROOT / place).is_file()
        assert f"  {place.replace('docs/', f'{MANUAL}/', 1) if place.startswith('docs/') else place}\n" in shown_pages


def test_help_points_to_the_pages_that_the_project_names() -> None:
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    assert urls["Documentation"].replace("/tree/", "/blob/") == MANUAL


@pytest.mark.parametrize("name", ["score", "compare"])
def test_options_are_grouped(name: str) -> None:
    shown = invoke(name, "--help").stdout
    headings = [line for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")]
    expected = ["Input:", "Metrics:", "Test:", "Output:", "Speed:", "Other:", "Examples:", "See also:"]
    assert headings == [heading for heading in expected if heading != "Test:" or name == "compare"]
    assert shown[shown.index("Other:") :].splitlines()[1:3] == ["  -h, --help  Show this message and exit.", ""]


def test_there_are_few_commands() -> None:
    assert len(COMMANDS) <= 24


@pytest.mark.parametrize(("name", "command"), list(commands()), ids=str)
def test_every_option_has_a_group_and_a_help_text(name: tuple[str, ...], command: click.Command) -> None:
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert isinstance(parameter, Option), f"{parameter.opts} of {name} has no group"
            assert parameter.help


@pytest.mark.parametrize(("arguments", "code"), [((), 2), (("--help",), 0)])
def test_commands_are_shown_in_groups(arguments: tuple[str, ...], code: int) -> None:
    shown = invoke(*arguments)
    assert shown.exit_code == code
    text = shown.stdout if arguments else shown.stderr
    assert (shown.stderr if arguments else shown.stdout) == ""
    headings = [line for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["Options:", *(f"{group}:" for group in GROUPS)]
    places = [text.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("word", sorted(word for word in cli._ANSWERS if word not in COMMANDS))
def test_a_word_of_another_name_is_answered_with_the_command(word: str) -> None:
    answer = cli._ANSWERS[word]
    shown = refuse(f"There is no command '{word}'. Use 'bleuprint {answer}'.", word, "x.txt")
    assert ("'bleuprint diversity FILE'" in shown.stderr) == (word == "self-bleu")
    command, *rest = answer.split()
    assert command in COMMANDS or command in ("--help", "--version")
    if rest and not rest[0].startswith("-") and rest[0] != "FILE":
        assert f"\n  {rest[0]}" in invoke(command, "--help").stdout or invoke(command, *rest).exit_code == 0
    for option in rest:
        assert not option.startswith("-") or option in invoke(command, "--help").stdout


@pytest.mark.parametrize("metric", ["bleu", "chrf", "rouge", "Distinct"])
def test_the_name_of_a_metric_is_answered_with_its_command(metric: str) -> None:
    refuse(f"Use 'bleuprint score -m {metric.lower()}'.", metric, "x.txt")


def test_lists() -> None:
    listed = invoke("list", "metrics").stdout.splitlines()
    names = [line.split()[0] for line in listed if line.startswith("  ")]
    assert sorted(names) == sorted([*registry.metrics(), *registry.plug_ins()])
    headings = [line for line in listed if line and not line.startswith(" ")]
    assert "Other:" not in headings, "every kind of card has a heading"
    diversity = listed.index("Diversity (start with self-bleu and distinct):")
    assert [line.split()[0] for line in listed[diversity + 1 : diversity + 3]] == ["self-bleu", "distinct"]
    names = [line.split()[0] for line in invoke("list", "tokenizers").stdout.splitlines()[1:]]
    assert names == list(tokenizers.names())
    profiles_listed = invoke("list", "profiles").stdout
    for metric in profiles.table():
        for profile in profiles.names(metric):
            assert f"{metric}:profile={profile} " in profiles_listed


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["scores"], "There is no command 'scores'. Did you mean score?"),
        (["selfbleu"], "Did you mean 'bleuprint score FILE -m self-bleu'?"),
        (["list", "tokenizer"], "tokenizers"),
        (["gate", "x.json", "--treshold", "bleu=1"], "There is no option --treshold. Did you mean --threshold?"),
        (["lm", "train", "x", "-o", "y", "--ordr", "3"], "Did you mean --order?"),
    ],
)
def test_what_is_misspelled_gets_a_suggestion(words: list[str], expected: str) -> None:
    refuse(expected, *words)

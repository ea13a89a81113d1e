"""File names may hold anything: no command lets one act on the terminal or break a line, whether it works or fails."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.cli import NEEDS_POSIX, invoke, sample

NAME = "a\x1b]0;owned\x07\x1b[31m\u202e\u061c\ufeff\U000e0041\x9b2J\nb"
ACTING = "\x07\x1b\u202e\u061c\ufeff\U000e0041\x9b\r"

# Each command with a hostile name for what it reads or writes. {h} is a file of outputs, {r} of references,
# {j} a result.
WORKING = {
    "score": "score {h} -r {r}",
    "score two": "score {h} {g} -r {r} -m bleu -m chrf",
    "score json": "score {h} -r {r} --json -",
    "score segments": "score {h} -r {r} --sentence-level",
    "score markdown": "gate {j} --min bleu=0 --markdown {o} --junit {p}",
    "compare": "compare {h} {g} -r {r} --resamples 50",
    "compare json": "compare {h} {g} -r {r} --resamples 50 --json -",
    "gate": "gate {j} --min bleu=0.99",
    "replay": "replay {j}",
    "report": "report {j} -o {o}",
    "plot": "plot {j} --chart scores -o {s}",
    "score pools": "score {h} {g} -m self-bleu,distinct",
    "score pools json": "score {h} -m self-bleu --json -",
    "diversity": "diversity {h} {g} --no-intervals",
    "explain": "explain {h} -r {r} --from moses --to axion",
    "reconcile": "reconcile {h} -r {r} --claimed 0.5",
    "lm train": "lm train {h} -o {o} --order 2 --discount-fallback",
    "perplexity": "score {h} -m perplexity:lm={m}",
    "perplexity lines": "score {h} -m perplexity:lm={m} --sentence-level",
    "demo": "demo --output {o}",
}
COMMANDS = {command.split()[0] for command in WORKING.values()}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("hostile")
    paths = {
        letter: str(folder / f"{letter}-{NAME}{end}")
        for letter, end in {
            "h": ".txt",
            "g": ".txt",
            "r": ".txt",
            "j": ".json",
            "o": "",
            "p": "",
            "s": ".svg",
            "m": ".bin",
        }.items()
    }
    for letter, name in {"h": "system-a", "g": "system-b", "r": "ref-1"}.items():
        shutil.copy(sample(name), paths[letter])
    made = [
        invoke("score", paths["h"], paths["g"], "-r", paths["r"], "-m", "bleu", "-m", "chrf", "--json", paths["j"]),
        invoke("lm", "train", paths["r"], "-o", paths["m"], "--order", "2", "--discount-fallback"),
    ]
    assert [done.exit_code for done in made] == [0, 0], [done.stderr for done in made]
    return paths


def check(*texts: str) -> None:
    for text in texts:
        assert not set(text) & set(ACTING), text


@NEEDS_POSIX
@pytest.mark.parametrize("name", WORKING)
def test_no_command_prints_a_name_as_it_is(name: str, files: dict[str, str]) -> None:
    for letter in "ops":
        path = Path(files[letter])
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)
    arguments = [part.format_map(files) for part in WORKING[name].split()]
    done = invoke(*arguments)
    assert done.exit_code in {0, 1}, done.stderr
    check(done.stdout, done.stderr)
    assert "\nb.txt" not in done.stdout + done.stderr, "a name broke a line"
    for letter in "op":
        if name == "score markdown":
            check(Path(files[letter]).read_text(encoding="utf-8"))


@NEEDS_POSIX
@pytest.mark.parametrize("name", sorted(COMMANDS - {"demo"}))
def test_no_error_prints_a_name_as_it_is(name: str, files: dict[str, str]) -> None:
    command = next(command for command in WORKING.values() if command.split()[0] == name)
    absent = {letter: f"{path}-absent\x1b[2J" for letter, path in files.items()}
    arguments = [absent.get(part.strip("{}"), part) if "{" in part else part for part in command.split()]
    for debug in ("", "1") if name == "score" else ("",):
        done = invoke(*arguments, env={"BLEUPRINT_DEBUG": debug})
        assert done.exit_code == 2
        assert debug or done.stderr.count("\n") == 1, done.stderr
        check(done.stdout, done.stderr)


@NEEDS_POSIX
def test_wrong_arguments_are_not_printed_as_they_are() -> None:
    for arguments in ([NAME], ["score", f"--{NAME}"], ["cards", NAME], ["score", "x", "-r", "x", "-m", NAME]):
        done = invoke(*arguments)
        assert done.exit_code == 2
        check(done.stdout, done.stderr)

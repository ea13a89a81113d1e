"""Completion in real shells: lines are typed into an interactive shell, each with a Tab, and it prints the words."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bleuprint.cli import COMMANDS, completion
from bleuprint.core import tokenizers
from tests.support.cli import NEEDS_POSIX, invoke
from tests.support.effort import MANY

pytestmark = NEEDS_POSIX
SHELLS = ("bash", "zsh", "fish")
LIMIT = 120  # seconds until a shell that does not answer is an error


def needs(shell: str) -> str:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed; as root: apt-get install {shell}")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("system-a.txt", "reference file.txt"):
        (tmp_path / name).write_text("x\n")
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "bleuprint").symlink_to(Path(sys.executable).with_name("bleuprint"))
    for shell in SHELLS:
        (tools / f"completion.{shell}").write_text(completion.script(shell))
    return tmp_path


# What is typed, and what the last word of it becomes.
LINES = [
    ("bleuprint sco", "score"),
    ("bleuprint score Mine=sys", "Mine=system-a.txt"),
    ("bleuprint score -m bleu,chrf:word", "bleu,chrf:word_order="),
    ("bleuprint score -m bleu:tokenizer=int", "bleu:tokenizer=intl"),
    ("bleuprint score sys", "system-a.txt"),
    ("bleuprint score -m ibleu:al", "ibleu:alpha="),
    ("bleuprint compare x -r ref", "reference file.txt"),
    ("bleuprint score --profile axi", "axion"),
    ("bleuprint compare -tok ja", "ja-mecab"),
    ("bleuprint score --sentence", "--sentence-level"),
    ("bleuprint tokenizers add spm ref", "reference file.txt"),
]
TYPED = LINES if MANY else LINES[:5]


def environment(folder: Path) -> dict[str, str]:
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(folder), "TERM": "dumb", "LC_ALL": "C.UTF-8"}


@pytest.mark.parametrize(
    ("shell", "options", "setup"),
    [
        ("bash", ["--norc", "--noprofile", "-i"], "bind 'set bell-style none'"),
        ("zsh", ["-f", "-i"], "unsetopt beep; autoload -Uz compinit; compinit -u -D"),
    ],
    ids=["bash", "zsh"],
)
def test_bash_and_zsh(shell: str, options: list[str], setup: str, folder: Path) -> None:
    import pty

    path = needs(shell)
    process, screen = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execve(path, [shell, *options], environment(folder))
    try:
        os.write(screen, f"{setup}; . bin/completion.{shell}\n".encode())
        last_words = []
        for number, (line, _) in enumerate(TYPED):
            # Ctrl-A goes to the start of the line, so that the completed words become arguments of printf.
            os.write(screen, f"{line}\t\x01printf '<%s>' {number} \n".encode())
            shown = b""
            while not (found := re.search(rb"^<%d>(?:<[^<>]*>)*<([^<>]*)>" % number, shown, re.MULTILINE)):
                ready, _, _ = select.select([screen], [], [], LIMIT)
                assert ready, f"{shell} said only {shown!r}"
                shown += os.read(screen, 4096).replace(b"\r", b"\n")
            last_words.append((line, found[1].decode()))
    finally:
        os.write(screen, b"exit\n")
        os.close(screen)
        os.waitpid(process, 0)
    assert last_words == TYPED


def test_fish(folder: Path) -> None:
    script = "source bin/completion.fish; " + "; ".join(f"complete -C {line!r}" for line, _ in TYPED)
    done = subprocess.run(
        [needs("fish"), "--no-config", "-c", script],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [row.partition("\t")[0] for row in done.stdout.splitlines()]
    assert rows == [word for _, word in TYPED], done.stderr


def completed(line: str) -> list[str]:
    """What the program answers to bash."""
    asked = {"COMP_WORDS": line, "COMP_WORDBREAKS": "", "_BLEUPRINT_COMPLETE": "bash_complete"}
    script = Path(sys.executable).with_name("bleuprint")
    done = subprocess.run([script], env={**os.environ, **asked}, capture_output=True, text=True, check=False)
    return [row.partition(",")[2] for row in done.stdout.splitlines()]


def test_lists_are_complete() -> None:
    assert completed("bleuprint ") == list(COMMANDS)
    assert completed("bleuprint ratings agreement ratings.tsv --human x --level ") == ["system", "segment"]
    named = [name.replace("PATH", "") for name in tokenizers.names()]
    assert completed("bleuprint tokenize -tok ") == named
    assert completed("bleuprint tokenizers add ") == ["flores101", "flores200", "spm"]
    assert completed("bleuprint score -m rouge:types=rouge2") == ["rouge:types=rouge2"]
    assert completed("bleuprint score -m bleu,self-") == ["bleu,self-bleu", "bleu,self-repetition"]
    assert completed("bleuprint score -m self-bleu:samp") == ["self-bleu:sample="]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_prints_the_script(shell: str) -> None:
    assert invoke("completion", shell).stdout == completion.script(shell)

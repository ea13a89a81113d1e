"""What systems are called, and which files are systems."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuprint.cli._inputs import named_files
from bleuprint.results import Result
from tests.support.cli import invoke, refuse, sample, succeed


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (
            ["wmt/generaltest2022.en-de.hyp.Online-B.de", "wmt/generaltest2022.en-de.hyp.JDExplore.de"],
            ["Online-B", "JDExplore"],
        ),
        (["runs/a/out.txt", "runs/b/out.txt"], ["a", "b"]),
        (["a/out.txt", "b/out.txt", "b/other.txt"], ["a/out", "b/out", "b/other"]),
        (["out.txt", "out.v2.txt"], ["out", "out.v2"]),
        (["Mine=out.txt", "Theirs=a.b/c.txt"], ["Mine", "Theirs"]),
        (["Mine=out.txt", "x.a.txt", "x.b.txt"], ["Mine", "a", "b"]),
        (["-", "x.txt"], ["stdin", "x"]),
        (["folder/a=b.txt"], ["a=b"]),
        (["alone.en-de.txt"], ["alone.en-de"]),
    ],
)
def test_names_are_the_shortest_that_distinguish_the_files(files: list[str], names: list[str]) -> None:
    assert list(named_files(files)) == names


@given(st.lists(st.lists(st.sampled_from(["a", "b", "out", "v.2"]), min_size=1, max_size=3).map("/".join)))
def test_names_are_unique_and_every_file_has_one(files: list[str]) -> None:
    named = named_files(files)
    assert len(named) == len(files)
    assert all(named)
    assert list(named.values()) == files


def test_a_name_given_twice_is_refused() -> None:
    refuse(
        "two systems are called A", "score", f"A={sample('system-a')}", f"A={sample('system-b')}", "-r", sample("ref-1")
    )


@pytest.mark.parametrize("command", ["score", "compare"])
def test_given_names_are_the_names_of_the_result(command: str) -> None:
    files = [f"Base={sample('system-a')}", f"Big model={sample('system-b')}", "-r", sample("ref-1")]
    shown = invoke(command, *files, "--json", "-")
    assert [system.name for system in Result.from_json(shown.stdout).systems] == ["Base", "Big model"]


def test_a_file_with_an_equals_sign_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a=b.txt", "ref.txt"):
        Path(name).write_text("x\n")
    assert invoke("score", "a=b.txt", "-r", "ref.txt", "-q").stdout == "0.0000\n"


def test_a_second_file_after_r_does_not_silently_become_a_system() -> None:
    files = [sample("system-a"), "-r", sample("ref-1"), sample("ref-2")]
    refuse(f"write -r {sample('ref-2')} for a second reference", "score", *files)
    several = succeed("score", "-r", sample("ref-1"), sample("system-a"), sample("system-b"))
    assert several.stderr.startswith("note: ")
    assert "are systems; for more references, write -r before each of them" in several.stderr
    one = invoke("score", "-r", sample("ref-1"), sample("system-a"))
    assert (one.exit_code, one.stderr) == (0, "")

"""The commands tokenize, choose and frechet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bleuprint as bp
from tests.support.cli import SYSTEMS, invoke, lines, refuse, sample, succeed
from tests.support.encoders import encoder


class TestTokenize:
    @pytest.mark.parametrize("tokenizer", ["13a", "intl", "zh", "char", "nltk"])
    def test_tokens_are_those_of_the_metric(self, tokenizer: str) -> None:
        shown = invoke("tokenize", sample("system-a"), "-tok", tokenizer)
        assert shown.stdout.splitlines() == [" ".join(bp.tokenize(text, tokenizer)) for text in lines("system-a")]

    def test_standard_input_case_and_json(self) -> None:
        shown = invoke("tokenize", "-lc", "--json", stdin="Hello, “World”!\n\n".encode())
        assert [json.loads(line) for line in shown.stdout.splitlines()] == [["hello", ",", "“world”", "!"], []]

    def test_tokens_with_spaces_are_noted(self) -> None:
        text = b"a  b"
        shown = invoke("tokenize", "-tok", "char", stdin=text)
        assert shown.stderr == ""
        refuse("tokenizer must be", "tokenize", "-tok", "nonsense", stdin=text)


class TestChooseWithoutReferences:
    def test_files_are_read_side_by_side(self, tmp_path: Path) -> None:
        output, stored = tmp_path / "out.txt", tmp_path / "out.json"
        files = [f"{name[-1]}={sample(name)}" for name in SYSTEMS]
        shown = invoke("choose", *files, "-tok", "intl", "-o", str(output), "--json", str(stored))
        assert (shown.exit_code, shown.stderr) == (0, "")
        groups = list(zip(*map(lines, SYSTEMS), strict=True))
        expected = bp.choose(groups, metric=bp.BLEU(tokenizer="intl"))
        assert output.read_text().splitlines() == [choice.text for choice in expected]
        choices = json.loads(stored.read_text())["choices"]
        assert [(choice["index"], choice["bleu"]) for choice in choices] == [
            (choice.index, choice.value) for choice in expected
        ]
        assert [choice["candidate"] for choice in choices] == ["abc"[choice.index] for choice in expected]

    def test_a_table_of_lists(self, tmp_path: Path) -> None:
        path = tmp_path / "samples.jsonl"
        groups = [["a cat sat", "the cat sat", "the cat sat down"], ["yes", "no", "no"]]
        path.write_text("".join(json.dumps({"outputs": group}) + "\n" for group in groups))
        shown = invoke("choose", str(path), "--column", "outputs", "--exclude-self")
        assert shown.stdout.splitlines() == [choice.text for choice in bp.choose(groups, include_self=False)]
        refuse("there is no column 'candidates', only outputs; pass --column NAME", "choose", str(path))

    def test_what_cannot_be_read(self, tmp_path: Path) -> None:
        refuse("pass several, a table of lists, or an n-best list", "choose", sample("system-a"))
        path = tmp_path / "samples.jsonl"
        path.write_text(json.dumps({"candidates": ["a\nb"]}) + "\n")
        refuse("row 1 has several lines; use --json -", "choose", str(path))
        assert json.loads(invoke("choose", str(path), "--json", "-").stdout)["choices"][0]["text"] == "a\nb"


class TestFrechet:
    @pytest.fixture(autouse=True)
    def letters(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """An encoder by name that needs no weights."""
        monkeypatch.setattr("bleuprint.models.encoders.TransformersEncoder", lambda name, layer: encoder())

    def test_table_and_json(self, tmp_path: Path) -> None:
        stored = tmp_path / "out.json"
        files = [f"A={sample('system-a')}", sample("system-b"), "-r", sample("ref-1")]
        files += ["-m", "frechet:encoder=letters"]
        shown = succeed("score", *files, "--json", str(stored), "--signatures")
        scores = [
            bp.metrics.Frechet(encoder=encoder()).corpus(lines(name), lines("ref-1"))
            for name in ("system-a", "system-b")
        ]
        rows = [line.split() for line in shown.stdout.splitlines()[1:3]]
        for row, name, score in zip(rows, ("A", "system-b"), scores, strict=True):
            numbers = (score.squared, score.distance, score.mean_part, score.covariance_part)
            assert row == [name, *(f"{number:.4f}" for number in numbers)]
        assert shown.stdout.endswith(f"\n\n{scores[0].signature}\n")
        assert [system["scores"][0]["value"] for system in json.loads(stored.read_text())["systems"]] == [
            score.value for score in scores
        ]
        printed = invoke("score", *files, "--json", "-")
        assert json.loads(printed.stdout) == json.loads(stored.read_text())

    def test_real_texts_in_any_number(self, tmp_path: Path) -> None:
        real = tmp_path / "real.txt"
        real.write_text("".join(f"{line}\n" for line in lines("ref-1")[:40]), encoding="utf-8")
        shown = invoke("score", sample("system-a"), "-r", str(real), "-m", "frechet:encoder=letters", "--json", "-")
        score = bp.metrics.Frechet(encoder=encoder()).corpus(lines("system-a"), lines("ref-1")[:40])
        assert json.loads(shown.stdout)["systems"][0]["scores"][0]["value"] == score.value

    def test_outputs_are_checked_first(self) -> None:
        refuse("does not exist", "score", "x", "-r", "y", "-m", "frechet:encoder=z", "--json", "absent/out.json")

"""The small commands: replay, report, self-bleu, doctor."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import bleuprint as bp
from bleuprint.cli import doctor
from bleuprint.cli.doctor import EXTRAS
from bleuprint.errors import SignatureError
from bleuprint.insight.bucketing import ranges
from bleuprint.models.encoders.bundled import Bundle
from bleuprint.results import Result
from tests.support.cli import SYSTEMS, invoke, lines, refuse, sample, succeed


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "result.json"
    files = [*map(sample, SYSTEMS), "-r", sample("ref-1"), "-r", sample("ref-2"), "-s", sample("source")]
    succeed("score", *files, "-m", "bleu", "-m", "rouge", "-m", "ibleu", "--json", str(path))
    return path


class TestReplay:
    def test_every_score_comes_out_the_same(self, stored: Path) -> None:
        shown = invoke("replay", str(stored))
        assert (shown.exit_code, shown.stderr) == (0, "")
        rows = [line.split() for line in shown.stdout.splitlines()[1:]]
        assert [row[0] for row in rows] == [name for name in SYSTEMS for _ in range(3)]
        assert all(row[2] == row[3] and row[4] == "same" for row in rows)

    def test_a_score_that_differs_is_a_failure(self, stored: Path) -> None:
        fields = json.loads(stored.read_text())
        fields["systems"][1]["scores"][0]["value"] += 1e-12
        fields["versions"]["unicode"] = "1.1"
        stored.write_text(json.dumps(fields))
        shown = invoke("replay", str(stored))
        assert shown.exit_code == 1
        assert [line.split()[-1] for line in shown.stdout.splitlines()[1:]].count("DIFFERS") == 1
        assert "note: unicode was 1.1 when the result was saved and is now" in shown.stderr

    def test_files_must_be_those_that_were_measured(self, stored: Path) -> None:
        files = [option for name in SYSTEMS for option in ("--hypothesis", sample(name))]
        references = ["-r", sample("ref-1"), "-r", sample("ref-2"), "-s", sample("source")]
        succeed("replay", str(stored), *files, *references)
        problem = "the texts of references are not the ones that were scored (their digest differs)"
        refuse(problem, "replay", str(stored), *files, "-r", sample("ref-1"))
        refuse("--hypothesis must be given 3 times", "replay", str(stored), "--hypothesis", sample("system-a"))

    def test_references_of_pools_are_a_corpus_of_any_size(self, tmp_path: Path) -> None:
        texts, corpus, stored = tmp_path / "p.txt", tmp_path / "q.txt", tmp_path / "r.json"
        texts.write_text("a b c\na b d\n")
        corpus.write_text("a b\nc d\nx y\n")
        succeed("score", str(texts), "-r", str(corpus), "-m", "cross-bleu", "--json", str(stored))
        assert "same" in succeed("replay", str(stored), "--hypothesis", str(texts), "-r", str(corpus)).stdout

    def test_files_can_be_named(self, stored: Path) -> None:
        files = [option for name in reversed(SYSTEMS) for option in ("--hypothesis", f"{name}={sample(name)}")]
        succeed("replay", str(stored), *files)
        files[1] = f"other={sample('system-c')}"
        refuse("--hypothesis must name every system once, as NAME=HYP", "replay", str(stored), *files)

    def test_a_result_without_texts_needs_them(self, stored: Path) -> None:
        fields = json.loads(stored.read_text())
        fields["references"], fields["sources"] = [], []
        for system in fields["systems"]:
            system["hypotheses"] = []
        stored.write_text(json.dumps(fields))
        refuse("it was stored without its texts", "replay", str(stored))
        result = Result.read_json(stored)
        texts = {name: lines(name) for name in SYSTEMS}
        references = list(zip(lines("ref-1"), lines("ref-2"), strict=True))
        assert bp.replay(result, hypotheses=texts, references=references, sources=lines("source")).same

    @pytest.mark.parametrize("content", [None, b"{", b"\xff", b"[]"])
    def test_what_is_no_result(self, tmp_path: Path, content: bytes | None) -> None:
        path = tmp_path / "x.json"
        if content is not None:
            path.write_bytes(content)
        for name in ("replay", "report"):
            refuse("there is no such file" if content is None else "is not a valid bleuprint result", name, str(path))


class TestReport:
    def test_the_page_is_the_one_that_score_writes(self, stored: Path, tmp_path: Path) -> None:
        shown = invoke("report", str(stored))
        page = stored.with_suffix(".html")
        assert (shown.exit_code, shown.stdout) == (0, f"wrote {page}\n")
        assert "<title>" in page.read_text()
        page.write_text("mine")
        refuse("it already exists; pass --force", "report", str(stored))
        assert page.read_text() == "mine"
        succeed("report", str(stored), "-o", str(tmp_path / "other.html"))
        assert (tmp_path / "other.html").exists()

    def test_scores_by_rare_words(self, stored: Path, tmp_path: Path) -> None:
        path = tmp_path / "rare.html"
        succeed("report", str(stored), "--corpus", sample("ref-2"), "-o", str(path))
        assert "rarest word" in path.read_text()
        references = [list(texts) for texts in Result.read_json(stored).references]
        names, numbers = ranges("bleu", references, by="frequency", corpus=lines("ref-2"))
        made = bp.insight.buckets("bleu", lines("system-a"), references, by="frequency", corpus=lines("ref-2"))
        assert [bucket.label for bucket in made] == [names[number] for number in sorted(set(numbers))]
        assert [bucket.segments for bucket in made] == [numbers.count(number) for number in sorted(set(numbers))]
        files = ["--corpus", "none.txt", "-o", str(tmp_path / "x.html")]
        refuse("none.txt: there is no such file", "report", str(stored), *files)


class TestSelfBleu:
    def test_table_shared_ngrams_and_copies(self, tmp_path: Path) -> None:
        path = tmp_path / "texts.txt"
        path.write_text("the cat sat on the mat\na dog barks\nthe cat sat on the mat\na cow\n")
        shown = invoke("score", str(path), "-m", "self-bleu", "-tok", "whitespace", "--signatures")
        score = bp.self_bleu(path.read_text().splitlines(), tokenizer="whitespace")
        assert shown.exit_code == 0
        head, row, *_ = shown.stdout.splitlines()
        assert head.split()[:4] == ["system", "self-bleu", "order", "1"]
        assert row.split() == ["texts", *(f"{value:.4f}" for value in (score.value, *score.per_order))]
        assert shown.stdout.endswith(f"\n{score.signature}\n")
        behind = invoke("diversity", str(path), "-tok", "whitespace", "--no-intervals")
        assert "texts: copies:\n  2 texts: the cat sat on the mat\n" in behind.stdout
        assert "n-grams shared by the most texts:\n  2 texts: the cat sat on the\n" in behind.stdout

    def test_json_and_single_scores(self, tmp_path: Path) -> None:
        command = ("score", sample("system-a"), "-m", "self-bleu")
        printed = json.loads(invoke(*command, "--json", "-").stdout)
        score = bp.self_bleu(lines("system-a"))
        (made,) = printed["systems"][0]["scores"]
        assert made["value"] == score.value
        assert made["segments"] == score.per_text.tolist()
        stored = invoke(*command, "--json", str(tmp_path / "s.json"), "--sentence-level", "-q", "-w", "3")
        assert stored.stdout.splitlines() == [f"{value:.3f}" for value in score.per_text]
        assert json.loads((tmp_path / "s.json").read_text()) == printed

    def test_options_of_the_metric(self) -> None:
        options = "self-bleu:profile=texygen,sample=10,seed=7"
        shown = invoke("score", sample("system-a"), "-m", options, "-q", "-w", "6")
        score = bp.self_bleu(lines("system-a"), profile="texygen", sample=10, seed=7)
        assert shown.stdout == f"{score.value:.6f}\n"

    def test_too_few_texts(self) -> None:
        refuse("needs at least 2 of them, got 1", "score", "-", "-m", "self-bleu", stdin=b"one\n")


class TestDoctor:
    def test_what_is_there_and_what_is_missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("bleuprint.cli.doctor._version", lambda name: None if name == "polars" else "1.0")
        monkeypatch.setattr("bleuprint.cli.doctor.BUNDLES", {})
        shown = succeed("doctor")
        assert f"bleuprint  {bp.__version__}\n" in shown.stdout
        polars = next(line for line in shown.stdout.splitlines() if line.startswith("polars"))
        assert polars.split() == [
            "polars",
            "no",
            "pip",
            "install",
            "'bleuprint[polars]'",
            "Result.to_polars",
        ]
        assert shown.stdout.count("pip install") == 1

    def test_an_extra_that_installs_nothing_is_there(self) -> None:
        assert doctor._state("zstd", ()) == ("yes", "")

    def test_weights_that_are_missing_there_or_not_the_known_ones(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        known, other = tmp_path / "known", tmp_path / "other"
        known.write_bytes(b"weights")
        other.write_bytes(b"others")
        digest = hashlib.sha256(b"weights").hexdigest()
        places = {"there": known, "changed": other, "missing": None}
        monkeypatch.setattr("bleuprint.models.encoders.bundled._place", lambda package, path: places[package])
        bundles = {name: Bundle(((name, "file", digest),), "testing") for name in places}
        monkeypatch.setattr("bleuprint.cli.doctor.BUNDLES", bundles)
        found = {line.split()[0]: line for line in invoke("doctor").stdout.splitlines() if line.endswith("testing")}
        assert found["there"].split() == ["there", "yes", "testing"]
        assert "no         " in found["missing"]
        assert "pip install --no-deps missing" in found["missing"]
        assert "other files  pip install --no-deps changed --force-reinstall" in found["changed"]

    def test_it_knows_every_extra_of_the_package(self) -> None:
        import tomllib

        root = Path(__file__).resolve().parents[2]
        extras = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        assert set(EXTRAS) == set(extras) - {"bench", "fuzz", "test"}
        for name, (packages, _) in EXTRAS.items():
            required = " ".join(extras[name])
            assert all(package in required for package in packages)


class TestModels:
    """A signature only names a language model; the commands that score again are given it."""

    @pytest.fixture
    def model(self, tmp_path: Path) -> str:
        bp.LanguageModel.train(lines("ref-1"), order=2, discount_fallback=True).save(tmp_path / "model.blm")
        return str(tmp_path / "model.blm")

    def test_replay_and_gate(self, model: str, tmp_path: Path) -> None:
        perplexity = bp.Perplexity(model)
        result = bp.evaluate(lines("system-a"), lines("ref-1"), metrics=["bleu", perplexity])
        path = str(tmp_path / "result.json")
        result.write_json(path)
        refuse("only names its model", "replay", path)
        succeed("replay", path, "-m", f"perplexity:lm={model}")
        succeed("gate", path, "--baseline", path, "-m", f"perplexity:lm={model}")
        assert invoke("gate", path, "--max", "perplexity=1").exit_code == 1
        bp.LanguageModel.train(lines("ref-2"), order=2, discount_fallback=True).save(tmp_path / "other.blm")
        assert invoke("replay", path, "-m", f"perplexity:lm={tmp_path / 'other.blm'}").exit_code == 2

    def test_a_metric_that_is_not_the_one_that_was_measured(self) -> None:
        result = bp.evaluate(lines("system-a"), lines("ref-1"))
        with pytest.raises(SignatureError, match="is not the bleu of the result"):
            bp.replay(result, metrics={"bleu": bp.BLEU(max_order=2)})

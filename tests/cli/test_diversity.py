"""bleuprint diversity, and bleuprint compare --pool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from bleuprint.dataset import read_text
from bleuprint.metrics.self_bleu import SelfBleuFormula
from bleuprint.results.digits import has_percent
from bleuprint.runners.guards import notes_on_texts
from tests.support.cli import assert_one_line, invoke

TEXTS = ["the cat sat on the mat", "the cat sat on the log", "no no no no", "birds sing at dawn", "birds sing at dawn"]
OTHERS = ["a dog barked at the cat", "the dog sat on the mat", "rain fell", "the sun rose", "birds sing at dawn"]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    content = {"a": TEXTS, "b": OTHERS, "real": [*OTHERS, "one more"], "by": ["1", "1", "2", "2", "2"]}
    for name, lines in content.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {name: str(tmp_path / f"{name}.txt") for name in content} | {"folder": str(tmp_path)}


def test_one_table_with_everything(files: dict[str, str]) -> None:
    done = invoke("diversity", files["a"], "--train", files["b"], "-r", files["real"], "--by", files["by"])
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["measure", "more", "diverse", "value", "low", "high"]
    shown = {line.split()[0]: line.split() for line in lines[1:30]}
    assert shown["distinct-2"][2] == f"{bp.distinct(TEXTS, max_order=5).per_order[1]:.4f}"
    assert shown["train-bleu"][1] == "lower"
    assert "backward-bleu" in shown
    assert "within 2 groups (the mean of the groups)" in done.stdout
    assert "line 3, tokens 1 to 4: no" in done.stdout
    assert "2 texts: birds sing at dawn" in done.stdout
    assert "self-bleu.1|" in done.stdout


def test_several_files_side_by_side(files: dict[str, str]) -> None:
    done = invoke("diversity", files["a"], files["b"], "--no-intervals")
    assert done.stdout.splitlines()[0].split() == ["measure", "more", "diverse", "a", "b"]
    uneven = invoke("diversity", files["a"], files["real"], "--no-intervals")
    assert "--size 5 makes them equal" in uneven.stderr
    drawn = invoke("diversity", files["a"], files["real"], "--no-intervals", "--size", "5")
    assert "makes them equal" not in drawn.stderr


def test_notes_name_the_file_they_belong_to(files: dict[str, str]) -> None:
    large = Path(files["folder"]) / "large.txt"
    large.write_text("".join(f"text {number} has {number % 7} parts\n" for number in range(600)), encoding="utf-8")
    done = invoke("diversity", files["a"], str(large), "--no-intervals")
    assert "note: large: vendi is that of 500 texts, with a standard error of" in done.stderr
    assert "--size 5 makes them equal" in done.stderr


def test_files(files: dict[str, str]) -> None:
    folder = Path(files["folder"])
    stored, page = folder / "d.json", folder / "d.html"
    done = invoke("diversity", files["a"], "--json", str(stored), "--report", str(page))
    assert done.exit_code == 0
    content = json.loads(stored.read_text(encoding="utf-8"))
    assert content["systems"][0]["texts"] == 5
    values = {measure["name"]: measure["value"] for measure in content["systems"][0]["measures"]}
    assert values["duplicates"] == 0.2
    html = page.read_text(encoding="utf-8")
    assert "near-duplicates" in html
    assert "homogenization (rouge-l)" in html
    assert "more diverse →" in html
    assert "vendi.1|<wbr>" in html
    assert ".measures .interval-text { display: block; }" in html
    again = invoke("diversity", files["b"], "--json", str(stored))
    assert again.exit_code == 2
    printed = invoke("diversity", files["a"], "--json", "-", "--no-intervals")
    assert json.loads(printed.stdout)["systems"][0]["measures"][0]["low"] is None


def test_percent_leaves_measures_with_their_own_scale(files: dict[str, str]) -> None:
    arguments = ["diversity", files["a"], files["b"], "--no-intervals"]
    fractions, percents = (
        {line.rsplit(maxsplit=3)[0]: line.split()[-2:] for line in invoke(*arguments, *more).stdout.splitlines()[1:25]}
        for more in ([], ["--percent"])
    )
    own_scale = {name for name in fractions if fractions[name] == percents[name]}
    assert own_scale == {
        *("ngram-diversity", "entropy-1", "entropy-4", "zipf", "mtld", "compression-ratio (gzip)"),
        *("compression-ratio (zstd)", "self-repetition", "vendi"),
    }
    assert fractions["distinct-1"] == [f"{float(value) / 100:.4f}" for value in percents["distinct-1"]]
    pooled = invoke("compare", "--pool", files["a"], files["b"], "-m", "vendi", "-m", "distinct", "--percent")
    vendi, distinct = ([float(cell) for cell in line.split()[3:5]] for line in pooled.stdout.splitlines()[1:3])
    assert vendi == [pytest.approx(bp.metrics.Vendi().corpus(texts).value, abs=1e-4) for texts in (TEXTS, OTHERS)]
    assert distinct == [pytest.approx(bp.distinct(texts).percent, abs=0.01) for texts in (TEXTS, OTHERS)]
    assert bp.metrics.Vendi().corpus(TEXTS).percent == bp.metrics.Vendi().corpus(TEXTS).value
    alone = invoke("diversity", files["a"], "-m", "vendi", "-m", "mtld", "--percent")
    assert_one_line(alone.stderr, "--percent does not apply to vendi, mtld")


def test_files_beside_the_texts_are_read_once(files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    from bleuprint.cli import _inputs

    read: list[str] = []

    def counted(path: str) -> object:
        read.append(path)
        return read_text(path)

    monkeypatch.setattr(_inputs, "read_text", counted)
    options = ["--train", files["real"], "-r", files["by"], "--no-intervals"]
    assert invoke("diversity", files["a"], files["b"], *options).exit_code == 0
    assert sorted(read) == sorted([files["a"], files["b"], files["real"], files["by"]])


def test_the_report_shows_the_self_bleu_of_the_drawn_texts(
    files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page, calls, compute = Path(files["folder"]) / "size.html", list[int](), SelfBleuFormula.score

    def counted(self: SelfBleuFormula, *given: Any) -> Any:
        calls.append(len(given[1]))
        return compute(self, *given)

    monkeypatch.setattr(SelfBleuFormula, "score", counted)
    done = invoke("diversity", files["a"], "--no-intervals", "--size", "3", "--report", str(page))
    assert done.exit_code == 0
    assert calls == [3]
    assert "3 texts, how much they repeat each other" in page.read_text(encoding="utf-8")


def test_a_picture_of_all_measures(files: dict[str, str]) -> None:
    folder = Path(files["folder"])
    for name, arguments in {"one.svg": [files["a"]], "two.svg": [files["a"], files["b"], "--no-intervals"]}.items():
        done = invoke("diversity", *arguments, "--plot", str(folder / name))
        assert done.exit_code == 0
        svg = (folder / name).read_text(encoding="utf-8")
        assert "more diverse →" in svg
        measures = bp.diversity(TEXTS, confidence=None).measures
        shares = sum(has_percent(measure.signature) for measure in measures)
        assert svg.count('class="series"') == (2 * len(measures) if name == "two.svg" else shares)
    refused = invoke("diversity", files["a"], "--plot", str(folder / "picture.gif"))
    assert_one_line(refused.stderr, "a file that ends in .svg, .png or .pdf")
    single = invoke("diversity", files["a"], "-m", "distinct", "--plot", "x.svg")
    assert_one_line(single.stderr, "--plot does not go with -m")


def test_single_metrics(files: dict[str, str]) -> None:
    options = ["-m", "distinct", "-m", "cross-bleu", "-m", "ms-jaccard", "-r", files["real"], "--max-order", "2"]
    done = invoke("diversity", files["a"], *options, "--json", "-")
    distinct, cross, jaccard = json.loads(done.stdout)["systems"]
    assert distinct["value"] == bp.distinct(TEXTS, max_order=2).value
    assert cross["value"] == bp.cross_bleu(TEXTS, [*OTHERS, "one more"], max_order=2).value
    assert jaccard["per_order"] == list(
        bp.metrics.MSJaccard(max_order=2).corpus(TEXTS, [*OTHERS, "one more"]).per_order
    )
    table = invoke("diversity", files["a"], *options)
    assert table.stdout.splitlines()[1].split()[2:4] == ["distinct", f"{distinct['value']:.4f}"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["a", "-m", "cross-bleu"], "pass them with -r"),
        (["a", "-m", "distinct", "-r", "b"], "-r does not apply to distinct"),
        (["a", "-m", "bleu"], "bleu is a metric of segments, and this takes metrics of pools"),
        (["a", "-m", "distinct", "--train", "b"], "--train does not go with -m"),
        (["a", "--max-order", "2"], "--max-order needs -m"),
        (["a", "--by", "real"], "has 6 lines but"),
        (["a", "--size", "9"], "size must be an integer from 2 to 5"),
        (["a", "--confidence", "95"], "confidence must be"),
        (["missing"], "missing"),
    ],
)
def test_mistakes_are_one_line(files: dict[str, str], arguments: list[str], expected: str) -> None:
    done = invoke("diversity", *(files.get(argument, argument) for argument in arguments))
    assert done.exit_code == 2
    assert done.stdout == ""
    assert_one_line(done.stderr, expected)


class TestComparePool:
    def test_a_table_and_json(self, files: dict[str, str]) -> None:
        options = ["--pool", files["a"], files["b"], "-m", "self-bleu", "-m", "distinct", "--resamples", "19"]
        done = invoke("compare", *options)
        assert done.exit_code == 0
        assert [line.split()[:3] for line in done.stdout.splitlines()[1:3]] == [
            ["self-bleu", "a", "b"],
            ["distinct", "a", "b"],
        ]
        assert "5 texts of each; 19 permutations of texts" in done.stdout
        content = json.loads(invoke("compare", *options, "--json", "-").stdout)
        expected = bp.pools.compare_pools({"a": TEXTS, "b": OTHERS}, permutations=19)
        assert content["pairs"][0]["p_value"] == expected.pairs[0].p_value
        assert content["pairs"][1]["low"] == expected.pairs[1].low

    def test_defaults_and_other_texts(self, files: dict[str, str]) -> None:
        done = invoke("compare", "--pool", files["a"], files["real"], "--resamples", "9")
        assert "5 texts were drawn from larger pools" in done.stderr
        against = ["--pool", files["a"], files["b"], "-r", files["real"], "-m", "ms-jaccard", "--resamples", "9"]
        assert invoke("compare", *against).exit_code == 0

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (["a"], "at least two files"),
            (["a", "b", "-m", "bleu"], "bleu is a metric of segments, and this takes metrics of pools"),
            (["a", "b", "--report", "x.html"], "--report does not go with --pool"),
        ],
    )
    def test_mistakes_are_one_line(self, files: dict[str, str], arguments: list[str], expected: str) -> None:
        done = invoke("compare", "--pool", *(files.get(argument, argument) for argument in arguments))
        assert done.exit_code == 2
        assert_one_line(done.stderr, expected)


def test_a_whole_corpus_as_references_is_noted() -> None:
    (note,) = notes_on_texts({"A": ["a cat", "a dog"]}, [OTHERS, OTHERS], None, {})
    assert "every text has the same 5 references" in note
    assert "cross_bleu" in note
    assert "diversity -m cross-bleu" in note
    assert notes_on_texts({"A": ["a cat", "a dog"]}, [["x", "y"], ["x", "z"]], None, {}) == []
    assert notes_on_texts({"A": ["a cat"]}, [OTHERS], None, {}) == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["compare", "--pool", "a", "b", "-m", "cross-bleu"],
            "cross-bleu compares with other texts; pass them with -r",
        ),
        (["compare", "--pool", "a", "b", "-m", "distinct", "-r", "real"], "-r does not apply to distinct"),
        (
            ["compare", "--pool", "a", "one"],
            "compare_pools of one compares texts with each other, so it needs at least 2",
        ),
        (["diversity", "a", "one"], "diversity of one compares texts with each other, so it needs at least 2 of them"),
    ],
)
def test_what_cannot_be_compared_is_named(files: dict[str, str], arguments: list[str], expected: str) -> None:
    one = Path(files["folder"]) / "one.txt"
    one.write_text("a single text\n", encoding="utf-8")
    paths = {**files, "one": str(one)}
    done = invoke(*(paths.get(argument, argument) for argument in arguments))
    assert done.exit_code == 2
    assert_one_line(done.stderr, expected)


def test_texts_without_words(files: dict[str, str]) -> None:
    blank = Path(files["folder"]) / "blank.txt"
    blank.write_text("\n\n\n\n", encoding="utf-8")
    result = bp.diversity(["", "", "", ""])
    for measure in result.measures:
        assert measure.low is None or measure.high is None or measure.low <= measure.value <= measure.high
    assert invoke("diversity", str(blank)).exit_code == 0

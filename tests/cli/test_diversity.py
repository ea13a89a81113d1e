"""bleuprint diversity, and bleuprint compare --pool."""

from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import bleuprint as bp
from bleuprint import checks
from bleuprint.metrics.self_bleu import SelfBleuFormula
from bleuprint.pools.diversity import Measure
from bleuprint.results import Result
from bleuprint.runners.guards import TextGuard
from tests.support.cli import invoke, refuse, succeed

TEXTS = ["the cat sat on the mat", "the cat sat on the log", "no no no no", "birds sing at dawn", "birds sing at dawn"]
OTHERS = ["a dog barked at the cat", "the dog sat on the mat", "rain fell", "the sun rose", "birds sing at dawn"]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    content = {"a": TEXTS, "b": OTHERS, "real": [*OTHERS, "one more"], "by": ["1", "1", "2", "2", "2"]}
    for name, lines in content.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {name: str(tmp_path / f"{name}.txt") for name in content} | {"folder": str(tmp_path)}


def test_one_table_with_everything(files: dict[str, str]) -> None:
    done = succeed("diversity", files["a"], "--train", files["b"], "-r", files["real"], "--by", files["by"])
    lines = done.stdout.splitlines()
    assert lines[1:3] == ["Diversity (5 texts).", lines[2]]
    assert lines[2].split() == ["group", "measure", "more", "diverse", "value"]
    assert (
        f"distinct-2                higher        {bp.distinct(TEXTS, max_order=5).per_order[1]:.4f} [" in done.stdout
    )
    assert "other texts               train-bleu                lower" in done.stdout
    assert "backward-bleu" in done.stdout
    assert "vocabulary: How many different words and phrases are there?" in done.stdout
    assert "Diversity within groups (their mean) (5 texts)." in done.stdout
    assert "line 3, tokens 1 to 4: no" in done.stdout
    assert "2 texts: birds sing at dawn" in done.stdout
    assert "self-bleu.1|" not in done.stdout
    assert "self-bleu.1|" in succeed("diversity", files["a"], "--no-intervals", "--signatures").stdout


def test_several_files_side_by_side(files: dict[str, str]) -> None:
    done = invoke("diversity", files["a"], files["b"], "--no-intervals")
    first, second, _, caption, head, *_ = done.stdout.splitlines()
    assert first.startswith("a and b: self-bleu-5 0.")
    assert first.endswith("; without intervals, only a test (compare) tells more.")
    assert "mattr" in second
    assert caption == "Diversity (a: 5 texts, b: 5 texts)."
    assert head.split() == ["group", "measure", "more", "diverse", "a", "b"]
    uneven = invoke("diversity", files["a"], files["real"], "--no-intervals")
    assert "--size 5 makes them equal" in uneven.stderr
    drawn = invoke("diversity", files["a"], files["real"], "--no-intervals", "--size", "5")
    assert "makes them equal" not in drawn.stderr


def test_two_pools_begin_with_what_differs(files: dict[str, str]) -> None:
    """The sentence, the marks and the intervals of both pools in every format."""
    folder = Path(files["folder"])
    draw = random.Random(1)
    words = {"GAN": 9, "LM": 40}
    pools = {
        name: [" ".join(f"w{draw.randrange(many)}" for _ in range(9)) for _ in range(60)]
        for name, many in words.items()
    }
    pools["GAN"][20:] = [draw.choice(pools["GAN"][:20]) for _ in range(40)]
    for name, texts in pools.items():
        (folder / f"{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    arguments = ["diversity", str(folder / "GAN.txt"), str(folder / "LM.txt")]
    shown = succeed(*arguments).stdout
    assert shown.startswith("GAN repeats itself more than LM: self-bleu-")
    assert "(95 % of the difference: +0." in shown.splitlines()[0]
    assert "self-bleu-2†" in shown
    assert "†: the interval of the largest difference excludes 0." in shown
    rows = list(csv.DictReader(succeed(*arguments, "--format", "csv").stdout.splitlines()))
    assert list(rows[0]) == [
        *("group", "measure", "more diverse"),
        *("GAN", "GAN low", "GAN high", "LM", "LM low", "LM high"),
    ]
    duplicates = {row["measure"]: row for row in rows}["duplicates"]
    assert float(duplicates["GAN low"]) < float(duplicates["GAN"]) == 40 / 60 < float(duplicates["GAN high"])
    assert "0.6667 {[}0." in succeed(*arguments, "--format", "latex").stdout
    page = folder / "page.html"
    succeed(*arguments, "--report", str(page))
    html = page.read_text(encoding="utf-8")
    assert html.index("GAN repeats itself more than LM") < html.index('class="figures headline"')
    assert html.index('class="figures headline"') < html.index('class="scores measures"') < html.index("GAN minus LM")
    assert "40 texts repeat an earlier one" in html
    assert f"<bdi>{Counter(pools['GAN']).most_common(1)[0][0]}</bdi>" in html


def test_notes_name_the_file_they_belong_to(files: dict[str, str]) -> None:
    large = Path(files["folder"]) / "large.txt"
    large.write_text("".join(f"text {number} has {number % 7} parts\n" for number in range(600)), encoding="utf-8")
    done = invoke("diversity", files["a"], str(large), "--no-intervals")
    assert "note: large: vendi is that of 500 texts, with a standard error of" in done.stderr
    assert "--size 5 makes them equal" in done.stderr


def test_texts_that_take_more_memory_have_fewer_measures(
    files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "OUTSIDE", checks.LEAST_MEMORY - (1 << 20))
    large = Path(files["folder"]) / "large.txt"
    large.write_text(
        "".join(f"text {number % 90} has {number % 7} parts\n" for number in range(30000)), encoding="utf-8"
    )
    done = invoke("diversity", str(large), files["a"], "--memory", "258MB", "--json", "-")
    said = "large: the whole table would take more than memory=258MB, so there are no intervals, and no homogenization"
    assert said in done.stderr
    on_disk, in_memory = json.loads(done.stdout)["systems"]
    assert on_disk["measures"] == json.loads(json.dumps([asdict(measure) for measure in counted(large)]))
    assert in_memory == json.loads(json.dumps({"name": "a", **bp.diversity(TEXTS).to_dict()}))
    shown = succeed("diversity", str(large), files["a"], "--memory", "258MB")
    assert "distinct-5" in shown.stdout
    assert "mattr" not in shown.stdout
    assert "Brackets: 95 %" in shown.stdout
    limited = ["diversity", files["a"], "--memory", "1GB"]
    for option in ("--write-clean", "--write-pairs", "--report"):
        refuse("need all texts; leave out --memory", *limited, option, str(large.with_suffix(".new")))
    refuse("pass either by or memory", *limited, "--by", files["by"])


def counted(path: Path) -> list[Measure]:
    """The measures without intervals that need no texts, only what is counted in them."""
    names = "self-bleu-{2,3,4,5} distinct-{1,2,3,4,5} ngram-diversity entropy-{1,4} repetition-rate zipf"
    measures = bp.diversity(path.read_text(encoding="utf-8").splitlines(), confidence=None).measures
    pattern = re.compile("|".join(re.sub(r"\{(.*?)\}", r"[\1]", name) for name in [*names.split(), "expected.*"]))
    return [measure for measure in measures if pattern.fullmatch(measure.name)]


def test_files(files: dict[str, str]) -> None:
    folder = Path(files["folder"])
    stored, page = folder / "d.json", folder / "d.html"
    succeed("diversity", files["a"], "--json", str(stored), "--report", str(page))
    content = json.loads(stored.read_text(encoding="utf-8"))
    assert content["systems"][0]["texts"] == 5
    values = {measure["name"]: measure["value"] for measure in content["systems"][0]["measures"]}
    assert values["duplicates"] == 0.2
    html = page.read_text(encoding="utf-8")
    assert "near-duplicates" in html
    assert "homogenization (rouge-l)" in html
    assert "more diverse →" in html
    assert "vendi.1|<wbr>" in html
    assert ".measures .interval-text, .headline .interval-text { display: block; }" in html
    again = invoke("diversity", files["b"], "--json", str(stored))
    assert again.exit_code == 2
    printed = invoke("diversity", files["a"], "--json", "-", "--no-intervals")
    assert json.loads(printed.stdout)["systems"][0]["measures"][0]["low"] is None


def _columns(shown: str) -> str:
    """The table on the terminal as comma-separated values."""
    lines = [line for line in shown.splitlines() if re.search(r" (higher|lower|more diverse) ", line)]
    return "\n".join(",".join(re.split(r"  +", line)[-4:]) for line in lines)


def test_percent_leaves_measures_with_their_own_scale(files: dict[str, str]) -> None:
    arguments = ["diversity", files["a"], files["b"], "--no-intervals"]
    fractions, percents = (
        {row["measure"]: [row["a"], row["b"]] for row in csv.DictReader(table.splitlines())}
        for table in (_columns(invoke(*arguments, *more).stdout) for more in ([], ["--percent"]))
    )
    own_scale = {name for name in fractions if fractions[name] == percents[name]}
    assert own_scale == {
        *("ngram-diversity", "entropy-1", "entropy-4", "zipf", "mtld", "compression-ratio (gzip)"),
        *("compression-ratio (zstd)", "self-repetition", "vendi"),
    }
    assert fractions["distinct-1"] == [f"{float(value) / 100:.4f}" for value in percents["distinct-1"]]
    pooled = invoke("compare", "--pool", files["a"], files["b"], "-m", "vendi", "-m", "distinct", "--percent")
    rows = [line.split()[:2] for line in pooled.stdout.splitlines() if line.startswith(("a  ", "b  "))]
    vendi, distinct = ({name: float(value) for name, value in part} for part in (rows[:2], rows[2:]))
    texts = {"a": TEXTS, "b": OTHERS}
    assert vendi == {name: pytest.approx(bp.metrics.Vendi().corpus(texts[name]).value, abs=1e-3) for name in texts}
    assert distinct == {name: pytest.approx(bp.distinct(texts[name]).percent, abs=0.01) for name in texts}
    assert bp.metrics.Vendi().corpus(TEXTS).percent == bp.metrics.Vendi().corpus(TEXTS).value


def test_files_beside_the_texts_are_read_once(files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    from bleuprint.cli import _inputs

    read: list[str] = []
    stream_lines = _inputs.stream_lines

    def counted(path: str, errors: str) -> Iterator[str]:
        read.append(path)
        return stream_lines(path, errors)

    monkeypatch.setattr(_inputs, "stream_lines", counted)
    options = ["--train", files["real"], "-r", files["by"], "--no-intervals"]
    succeed("diversity", files["a"], files["b"], *options)
    assert sorted(read) == sorted([files["a"], files["b"], files["real"], files["by"]])


def test_the_report_shows_the_self_bleu_of_the_drawn_texts(
    files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page, calls, compute = Path(files["folder"]) / "size.html", list[int](), SelfBleuFormula.score

    def counted(self: SelfBleuFormula, *given: Any) -> Any:
        calls.append(len(given[1]))
        return compute(self, *given)

    monkeypatch.setattr(SelfBleuFormula, "score", counted)
    succeed("diversity", files["a"], "--no-intervals", "--size", "3", "--report", str(page))
    assert calls == [3]
    assert "3 texts, how much they repeat each other" in page.read_text(encoding="utf-8")


def test_a_picture_of_all_measures(files: dict[str, str]) -> None:
    folder = Path(files["folder"])
    for name, arguments in {"one.svg": [files["a"]], "two.svg": [files["a"], files["b"], "--no-intervals"]}.items():
        succeed("diversity", *arguments, "--plot", str(folder / name))
        svg = (folder / name).read_text(encoding="utf-8")
        assert "more diverse →" in svg
        measures = bp.diversity(TEXTS, confidence=None).measures
        pools = 2 if name == "two.svg" else 1
        assert svg.count('class="series"') == pools * len(measures)
        assert svg.count('class="number"') == pools * len(measures)


def test_single_metrics_compare_with_any_number_of_texts(files: dict[str, str]) -> None:
    options = ["-m", "distinct", "-m", "cross-bleu", "-m", "ms-jaccard", "-r", files["real"], "--max-order", "2"]
    done = invoke("score", files["a"], *options, "--json", "-")
    distinct, cross, jaccard = Result.from_json(done.stdout).systems[0].scores
    assert distinct.value == bp.distinct(TEXTS, max_order=2).value
    assert cross.value == bp.cross_bleu(TEXTS, [*OTHERS, "one more"], max_order=2).value
    expected = bp.metrics.MSJaccard(max_order=2).corpus(TEXTS, [*OTHERS, "one more"])
    assert jaccard.parts["per_order"] == tuple(expected.per_order)
    table = invoke("score", files["a"], *options)
    assert table.stdout.splitlines()[1].split()[1] == f"{distinct.value:.4f}"
    refuse("has 5 lines but", "score", files["a"], "-r", files["real"], "-m", "bleu,cross-bleu")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["score", "a", "-m", "vendi", "-m", "mtld", "--percent"], "--percent does not apply to vendi, mtld"),
        (["diversity", "a", "--plot", "picture.gif"], "a file that ends in .svg, .png or .pdf"),
        (["diversity", "a", "--by", "real"], "has 6 lines but"),
        (["diversity", "a", "--size", "9"], "size must be an integer from 2 to 5"),
        (["diversity", "a", "--confidence", "95"], "confidence must be"),
        (["diversity", "missing"], "missing"),
        (["diversity", "a", "one"], "diversity of one compares texts with each other, so it needs at least 2 of them"),
        (["compare", "--pool", "a"], "at least two systems, got 1"),
        (
            ["compare", "--pool", "a", "b", "-m", "bleu"],
            "bleu is a metric of segments, and this takes metrics of pools",
        ),
        (["compare", "--pool", "a", "b", "--test", "exact"], "--test does not go with --pool"),
        (
            ["compare", "--pool", "a", "b", "-m", "cross-bleu"],
            "Missing option '-r' / '--reference': cross-bleu compares with references",
        ),
        (["compare", "--pool", "a", "b", "-m", "distinct", "-r", "real"], "-r does not apply to distinct"),
        (
            ["compare", "--pool", "a", "one"],
            "self-bleu compares texts with each other, so it needs at least 2",
        ),
    ],
)
def test_mistakes_are_one_line(files: dict[str, str], arguments: list[str], expected: str) -> None:
    one = Path(files["folder"]) / "one.txt"
    one.write_text("a single text\n", encoding="utf-8")
    paths = {**files, "one": str(one)}
    refuse(expected, *(paths.get(argument, argument) for argument in arguments))


class TestComparePool:
    def test_a_table_and_a_result(self, files: dict[str, str], tmp_path: Path) -> None:
        page, saved = tmp_path / "page.html", tmp_path / "result.json"
        options = ["--pool", files["a"], files["b"], "-m", "self-bleu", "-m", "distinct", "--resamples", "19"]
        done = succeed("compare", *options, "--json", str(saved), "--report", str(page))
        assert [line.split()[:2] for line in done.stdout.splitlines() if line.startswith("system")] == [
            ["system", "self-bleu"],
            ["system", "distinct"],
        ]
        stored = bp.results.Result.read_json(saved)
        expected = bp.compare({"a": TEXTS, "b": OTHERS}, metrics=["self-bleu", "distinct"], resamples=19)
        assert stored.comparison == expected
        assert "self-bleu" in page.read_text(encoding="utf-8")
        assert invoke("gate", str(saved), "--max", "self-bleu=1").exit_code == 0

    def test_defaults_and_other_texts(self, files: dict[str, str]) -> None:
        done = invoke("compare", "--pool", files["a"], files["real"], "--resamples", "9")
        assert "5 texts were drawn from larger pools" in done.stderr
        against = ["--pool", files["a"], files["b"], "-r", files["real"], "-m", "ms-jaccard", "--resamples", "9"]
        succeed("compare", *against)


def test_a_whole_corpus_as_references_is_noted() -> None:
    (note,) = TextGuard().look({"A": ["a cat", "a dog"]}, [OTHERS, OTHERS], None).notes()
    assert "every text has the same 5 references" in note
    assert "cross_bleu" in note
    assert "score -m cross-bleu" in note
    assert TextGuard().look({"A": ["a cat", "a dog"]}, [["x", "y"], ["x", "z"]], None).notes() == []
    assert TextGuard().look({"A": ["a cat"]}, [OTHERS], None).notes() == []


def test_texts_without_words(files: dict[str, str]) -> None:
    blank = Path(files["folder"]) / "blank.txt"
    blank.write_text("\n\n\n\n", encoding="utf-8")
    result = bp.diversity(["", "", "", ""])
    for measure in result.measures:
        assert measure.low is None or measure.high is None or measure.low <= measure.value <= measure.high
    succeed("diversity", str(blank))

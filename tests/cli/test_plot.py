"""Pictures from the command line: files by their ending, sizes in inches, systems by name, several results."""

from __future__ import annotations

import json
import re
import struct
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import bleuprint as bp
from bleuprint.report import CHARTS, merge_results, picture, quadrant_plot
from bleuprint.report.pictures import picture_bytes, pixels
from bleuprint.results import Result
from tests.support.cli import SYSTEMS, assert_one_line, invoke, lines, refuse, sample, succeed

SVG = "{http://www.w3.org/2000/svg}"
SCORED = [*(f"{name[-1].upper()}={sample(name)}" for name in SYSTEMS), "-r", sample("ref-1"), "-s", sample("source")]


def test_score_draws_what_the_result_has(tmp_path: Path) -> None:
    path = tmp_path / "scores.svg"
    succeed("score", sample("system-a"), sample("system-b"), "-r", sample("ref-1"), "--plot", str(path))
    drawn = path.read_text(encoding="utf-8")
    assert "system-a" in drawn
    assert "0.6332" in drawn


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "model.blm"
    bp.LanguageModel.train([*lines("ref-1"), *lines("ref-2")], order=2, tokenizer="13a", discount_fallback=True).save(
        path
    )
    return path


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory, model_file: Path) -> Path:
    path = tmp_path_factory.mktemp("stored") / "result.json"
    succeed("score", *SCORED, "-m", f"bleu,ibleu,perplexity:lm={model_file}", "--json", str(path))
    return path


def pdf_size(content: bytes) -> tuple[float, float]:
    """In inches."""
    box = re.search(rb"/MediaBox ?\[ ?0 0 ([0-9.]+) ([0-9.]+)", content)
    assert box is not None
    return float(box[1]) / 72, float(box[2]) / 72


def png_size(content: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def texts_of(path: Path) -> list[str]:
    return [element.text or "" for element in ElementTree.parse(path).iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("chart", "width"), [*((chart, "3.3in") for chart in CHARTS), ("scores", "8.4cm"), ("scores", "672px")]
)
def test_every_chart_is_as_wide_as_asked(chart: str, width: str, stored: Path, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    succeed("plot", str(stored), "--chart", chart, "--width", width, "-o", str(path))
    root = ElementTree.parse(path).getroot()
    assert float(root.attrib["width"]) == pytest.approx(pixels(width), abs=0.01)


def test_the_ending_decides_the_format(stored: Path, tmp_path: Path) -> None:
    """A file called plot.png held SVG."""
    for ending, start in ((".svg", b"<svg "), (".png", b"\x89PNG"), (".PDF", b"%PDF")):
        path = tmp_path / f"chart{ending}"
        succeed("plot", str(stored), "--chart", "scores", "--width", "3.3in", "-o", str(path))
        assert path.read_bytes().startswith(start)
    assert pdf_size((tmp_path / "chart.PDF").read_bytes())[0] == pytest.approx(3.3, abs=0.001)
    assert png_size((tmp_path / "chart.png").read_bytes())[0] == pytest.approx(3.3 * 300, abs=1)


def test_a_pdf_is_the_same_every_time_and_holds_its_fonts(stored: Path) -> None:
    svg = quadrant_plot(bp.insight.quadrants(Result.read_json(stored)))
    content = picture_bytes(svg, "x.pdf")
    assert content == picture_bytes(svg, "x.pdf")
    assert b"/FontFile" in content


def test_height_and_title(stored: Path, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    options = ["--width", "3.3in", "--height", "2in", "--title", "Scores <&> more", "-o", str(path)]
    succeed("plot", str(stored), "--chart", "scores", *options)
    root = ElementTree.parse(path).getroot()
    assert float(root.attrib["height"]) == pytest.approx(192, abs=0.01)
    assert "Scores <&> more" in texts_of(path)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-o", "x.jpg"), "output must be a file that ends in .svg, .png or .pdf, got 'x.jpg'"),
        (("-o", "x"), "output must be a file that ends in"),
        (("--width", "3.3"), "a number above 0 with a unit: 3.3in, 8.4cm, 84mm, 240pt or 320px, got '3.3'"),
        (("--width", "3,3in"), "a number above 0 with a unit"),
        (("--width", "1in"), "width must be from 240 to 10,000 pixels"),
        (("--height", "1cm"), "height must be from"),
        (("--system", "nobody"), "system must be one of A, "),
        (("--system", "A", "--system", "A"), "systems must be different names"),
        (("--metric", "ter"), "metric must be one of bleu, ibleu, perplexity"),
    ],
)
def test_what_is_refused(stored: Path, arguments: tuple[str, ...], words: str) -> None:
    refuse(words, "plot", str(stored), "--chart", "scores", *arguments)


def test_charts_of_one_or_two_systems(stored: Path, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    for chart, systems, words in (
        ("origin", ("A", "B"), "one system for the chart origin"),
        ("versus", ("A",), "2 systems for the chart versus"),
        ("versus", ("A", "B", "C"), "2 systems for the chart versus"),
    ):
        named = [argument for system in systems for argument in ("--system", system)]
        refuse(words, "plot", str(stored), "--chart", chart, *named, "-o", str(path))
    succeed("plot", str(stored), "--chart", "versus", "--system", "C", "--system", "B", "-o", str(path))
    first, second = (score.segments for score in (Result.read_json(stored).system(n).score("bleu") for n in "CB"))
    ahead = sum(x > y for x, y in zip(first, second, strict=True))
    assert f"BLEU of C: higher in {ahead} of 48 →" in texts_of(path)


def test_names_are_shown_as_given(stored: Path, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    succeed("plot", str(stored), "--chart", "distribution", "--system", "B", "--system", "A", "-o", str(path))
    shown = texts_of(path)
    assert shown.index("B") < shown.index("A")
    assert "C" not in shown


def test_several_results_are_drawn_together(tmp_path: Path) -> None:
    files = []
    for name in SYSTEMS:
        path = tmp_path / f"{name}.json"
        succeed("score", f"mine={sample(name)}", "-r", sample("ref-1"), "--json", str(path))
        files.append(str(path))
    path = tmp_path / "chart.svg"
    succeed("plot", *files, "--chart", "scores", "-o", str(path))
    shown = texts_of(path)
    for file, name in zip(files, SYSTEMS, strict=True):
        value = Result.read_json(file).systems[0].scores[0].value
        assert name in shown
        assert f"{value:.4f}" in shown


def test_results_that_do_not_belong_together(tmp_path: Path) -> None:
    one = bp.evaluate({"a": ["a b"]}, ["a b"])
    for other, words in (
        (bp.evaluate({"b": ["a b"]}, ["a c"]), "its references are not those of one.json"),
        (bp.evaluate({"b": ["a b"]}, ["a b"], metrics=[bp.BLEU(lowercase=True)]), "was not measured with the options"),
        (bp.evaluate({"b": ["a b"]}, ["a b"], metrics=["bleu", "ter"]), "ter was not measured with the options"),
    ):
        with pytest.raises(bp.errors.ResultError, match=words):
            merge_results({"one.json": one, "two.json": other})
    same = merge_results({"x/one.json": one, "y/two.json": bp.evaluate({"a": ["b"], "c": ["c"]}, ["a b"])})
    assert [system.name for system in same.systems] == ["one", "two: a", "c"]


@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf"])
def test_every_command_with_a_plot_knows_the_endings(
    ending: str, model_file: Path, stored: Path, tmp_path: Path
) -> None:
    start = {".svg": b"<svg ", ".png": b"\x89PNG", ".pdf": b"%PDF"}[ending]
    commands = {
        "score": ["score", *SCORED, "-m", f"bleu,perplexity:lm={model_file}"],
        "sweep": ["score", *SCORED, "-m", "ibleu"],
        "perplexity": ["score", *(sample(name) for name in SYSTEMS), "-m", f"perplexity:lm={model_file}"],
    }
    for name, command in commands.items():
        path = tmp_path / f"{name}{ending}"
        succeed(*command, "--plot", str(path))
        assert path.read_bytes().startswith(start)
        refused = invoke(*command, "--plot", str(tmp_path / f"{name}.gif"))
        assert refused.exit_code == 2
        assert_one_line(refused.stderr, "plot must be a file that ends in .svg, .png or .pdf")
        assert refused.stdout == "", "before any work is done"


def test_without_the_extra_nothing_is_computed(stored: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    for command in (["plot", str(stored), "--chart", "scores", "-o"], ["score", *SCORED, "-m", "bleu", "--plot"]):
        for ending in ("png", "pdf"):
            refuse("pip install 'bleuprint[pictures]'", *command, str(tmp_path / f"x.{ending}"))


class TestSweep:
    @pytest.mark.parametrize("command", ["score", "compare"])
    def test_the_table_holds_the_halves_and_the_scores_of_every_alpha(self, command: str) -> None:
        done = succeed(command, *SCORED, "-m", "ibleu", "-w", "6")
        rows = [line.split() for line in done.stdout.splitlines()]
        begin = next(place for place, row in enumerate(rows) if row[:3] == ["ibleu", "references", "source"])
        for name, system in (*zip("ABC", SYSTEMS, strict=True), ("copy of the source", "source")):
            score = bp.ibleu(lines(system), lines("ref-1"), sources=lines("source"))
            row = next(row for row in rows[begin:] if " ".join(row).startswith(name))
            values = [score.adequacy, score.similarity, *map(score.at, (0.5, 0.6, 0.7, 0.8, 0.9))]
            assert row[-7:] == [f"{value.value:z.6f}" for value in values]
        assert "Alpha is 0.9: ibleu = 0.9 · references − 0.1 · source." in done.stdout
        assert "A is the best system for every alpha from 0.5 to 1." in done.stdout
        copied = bp.ibleu(lines("source"), lines("ref-1"), sources=lines("source")).value
        assert f"Copying the source scores {copied:.6f}, " in done.stdout

    def test_a_result_without_ibleu_has_no_such_table(self) -> None:
        assert "alpha" not in succeed("score", *SCORED, "-m", "sari").stdout

    def test_the_plot_of_scoring_and_that_of_the_stored_result_are_equal(self, tmp_path: Path) -> None:
        plot, stored, again = tmp_path / "plot.svg", tmp_path / "result.json", tmp_path / "again.svg"
        succeed("score", *SCORED, "-m", "ibleu", "--plot", str(plot), "--json", str(stored))
        succeed("plot", str(stored), "--chart", "sweep", "-o", str(again))
        assert plot.read_text() == again.read_text()
        assert "copy of the source" in plot.read_text()

    def test_systems_can_be_left_out(self, stored: Path) -> None:
        drawn = str(picture(Result.read_json(stored), "sweep", systems=["B"]))
        assert ">B<" in drawn
        assert ">A<" not in drawn


class TestChoose:
    def test_the_best_lines_are_written(self, tmp_path: Path) -> None:
        output, stored = tmp_path / "best.txt", tmp_path / "best.json"
        done = succeed("choose", *SCORED, "-m", "ibleu:alpha=0.7", "-o", str(output), "--json", str(stored))
        groups = list(zip(*map(lines, SYSTEMS), strict=True))
        expected = bp.choose(groups, lines("ref-1"), sources=lines("source"), metric=bp.IBLEU(alpha=0.7))
        assert output.read_text().splitlines() == [choice.text for choice in expected]
        document = json.loads(stored.read_text())
        assert [(choice["index"], choice["ibleu"]) for choice in document["choices"]] == [
            (choice.index, choice.value) for choice in expected
        ]
        assert bp.metrics.registry.from_signature(document["signature"]).name == "ibleu"
        counted = [line.split() for line in done.stdout.splitlines()]
        assert counted[0] == ["candidate", "chosen"]
        assert [int(count) for _, count in counted[1:]] == [
            sum(c.index == place for c in expected) for place in range(3)
        ]

    def test_a_table_of_lists_and_standard_output(self, tmp_path: Path) -> None:
        path, reference = tmp_path / "samples.jsonl", tmp_path / "ref.txt"
        groups = [["a cat", "the cat sat"], ["no", "yes"]]
        path.write_text("".join(json.dumps({"candidates": group}) + "\n" for group in groups))
        reference.write_text("the cat sat\nyes\n")
        done = invoke("choose", str(path), "-r", str(reference))
        assert done.stdout == "the cat sat\nyes\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("choose", *SCORED[:-2], "-m", "bleu,chrf"), "choose takes one metric"),
        (("choose", *SCORED[:-2], "-m", "ibleu"), "sources"),
    ],
)
def test_what_choose_refuses(arguments: tuple[str, ...], words: str) -> None:
    refuse(words, *arguments)


def test_a_significant_pair_across_zero_is_marked(tmp_path: Path) -> None:
    """An older result, or one whose test and interval differ: the picture says so."""
    path, drawn = tmp_path / "result.json", tmp_path / "chart.svg"
    files = (*map(sample, SYSTEMS), "-r", sample("ref-1"))
    fields = json.loads(succeed("compare", *files, "--resamples", "200", "--json", "-").stdout)
    pairs = fields["comparison"]["metrics"][0]["pairs"]
    across = next(pair for pair in pairs if pair["better"] is not None)
    across["difference"] |= {"low": -1.0, "high": 1.0}
    path.write_text(json.dumps(fields), encoding="utf-8")
    succeed("plot", str(path), "--chart", "systems", "-o", str(drawn))
    texts = texts_of(drawn)
    assert [text.endswith("*") for text in texts if text.startswith(("+", "-")) and len(text) > 6].count(True) == 1
    assert any("*: clear by the test alone" in text for text in texts)

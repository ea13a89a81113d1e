"""Fidelity beside fluency: quadrants by name, as a table, as a picture, and in one command on the sample."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from bleuprint import Perplexity, evaluate
from bleuprint.errors import InputError, OptionError
from bleuprint.insight.quadrants import NAMES, quadrants
from bleuprint.models.language_model import LanguageModel
from bleuprint.report import quadrant_plot, render
from bleuprint.results import Result
from tests.support.cli import assert_one_line, invoke, lines, sample

SYSTEMS = ("system-a", "system-b", "system-c")


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("model") / "model.blm"
    done = invoke("lm", "train", sample("ref-1"), sample("ref-2"), "-o", str(path), "--order", "3", "-tok", "13a")
    assert done.exit_code == 0
    return str(path)


@pytest.fixture(scope="module")
def result(model_file: str) -> Result:
    references = list(zip(lines("ref-1"), lines("ref-2"), strict=True))
    systems = {name: lines(name) for name in SYSTEMS}
    return evaluate(systems, references, metrics=["bleu", "perplexity"], models={"perplexity": model_file})


def test_thresholds_are_medians_of_all_systems(result: Result) -> None:
    found = quadrants(result)
    bleu = [value for system in result.systems for value in system.score("bleu").segments]
    assert (found.fidelity.metric, found.fidelity.threshold) == ("bleu", median(bleu))
    assert found.fluency.metric == "perplexity"
    for system in result.systems:
        for place, name in enumerate(found.systems[system.name]):
            faithful = system.score("bleu").segments[place] >= found.fidelity.threshold
            fluent = system.score("perplexity").segments[place] <= found.fluency.threshold
            assert name == NAMES[faithful, fluent]
        assert sum(found.counts(system.name).values()) == result.size
    assert {name for names in found.systems.values() for name in names} == set(NAMES.values())


def test_thresholds_that_are_given(result: Result) -> None:
    everything = quadrants(result, fidelity_threshold=0, fluency_threshold=1e9)
    nothing = quadrants(result, fidelity_threshold=1, fluency_threshold=1)
    for name in SYSTEMS:
        perfect = sum(value == 1 for value in result.system(name).score("bleu").segments)
        assert everything.counts(name)["faithful and fluent"] == result.size
        assert nothing.counts(name)["neither"] == result.size - perfect
    shown = quadrants(result, fidelity_threshold=0.5).pretty()
    assert shown.endswith(f"faithful: bleu ≥ 0.5; fluent: {quadrants(result).fluency.in_words()}")
    with pytest.raises(OptionError, match="fidelity_threshold must be a number"):
        quadrants(result, fidelity_threshold=float("nan"))


def test_what_a_result_must_have(result: Result) -> None:
    with pytest.raises(OptionError, match="the result has no metric of fluency; pass fluency, one of"):
        quadrants(evaluate(["a"], ["a"]))
    with pytest.raises(OptionError, match=r"fidelity must be a metric of the result \(bleu, perplexity\), got 'ter'"):
        quadrants(result, fidelity="ter")
    bare = replace(result.systems[0], scores=tuple(replace(score, segments=()) for score in result.systems[0].scores))
    with pytest.raises(InputError, match="does not contain the segment scores of"):
        quadrants(replace(result, systems=(bare,)))


def test_metrics_under_other_names(model_file: str) -> None:
    metric = Perplexity(LanguageModel.load(model_file))
    other = evaluate(["a b", "c"], ["a b", "d"], metrics={"plain": metric, "chrf": metric})
    with pytest.raises(OptionError, match="fidelity"):
        quadrants(other)
    assert quadrants(other, fidelity="chrf", fluency="plain").fidelity.higher_is_better is False


def test_the_picture(result: Result) -> None:
    named = replace(result, systems=(replace(result.systems[0], name='<a> & "b"\x01'), *result.systems[1:]))
    root = ElementTree.fromstring(quadrant_plot(quadrants(named)))
    space = "{http://www.w3.org/2000/svg}"
    dots = "".join(path.attrib["d"] for path in root.iter(f"{space}path"))
    assert dots.count("h0") == 3 * result.size
    texts = [element.text for element in root.iter(f"{space}text")]
    assert '<a> & "b"␁' in texts
    assert f"neither: {quadrants(result).counts('system-b')['neither']}" in texts
    for x, y in re.findall(r"M([0-9.]+) ([0-9.]+)h0", dots):
        assert 0 < float(x) < 328
        assert 20 < float(y) < 320
    flat = evaluate(["a", "a"], ["a", "a"], metrics=["bleu", "chrf"])
    assert ElementTree.fromstring(quadrant_plot(quadrants(flat, fluency="chrf"))) is not None


def test_terminal_plot_and_report_count_the_same_quadrants(result: Result) -> None:
    """The report took each system's own medians; one definition holds for all."""
    assignment = quadrants(result)
    page, plot = render(result), quadrant_plot(assignment)
    for system in assignment.systems:
        for name, count in assignment.counts(system).items():
            assert page.count(f"{name}: {count}<") == plot.count(f"{name}: {count}<") > 0
    for rule in (assignment.fidelity.in_words(), assignment.fluency.in_words()):
        assert rule in page
        assert rule in plot
    assert 'data-logarithmic="1 0"' in page, "perplexity, but not BLEU"
    sides = re.findall(r'data-sides="(\d+)"', page)
    names = list(NAMES.values())
    assert sorted(sides) == sorted("".join(str(names.index(at)) for at in row) for row in assignment.systems.values())


def test_one_command_on_the_sample(model_file: str, tmp_path: Path) -> None:
    plot, stored = tmp_path / "plot.svg", tmp_path / "result.json"
    command = ["score", *map(sample, SYSTEMS), "-r", sample("ref-1"), "-r", sample("ref-2"), "-m", "bleu"]
    command += ["-m", f"perplexity:lm={model_file}", "--plot", str(plot), "--json", str(stored)]
    done = invoke(*command)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].split() == ["system", "bleu", "perplexity"]
    assert "system    faithful and fluent  faithful but clumsy  fluent but wrong  neither\n" in done.stdout
    found = quadrants(Result.read_json(stored))
    assert plot.read_text(encoding="utf-8") == quadrant_plot(found)
    page = (Path(__file__).resolve().parents[2] / "docs" / "how-to" / "fluency.md").read_text(encoding="utf-8")
    assert "\n".join(done.stdout.splitlines()[:4]) in page, "the page shows this table"
    assert found.pretty() in page
    assert done.stdout.endswith(f"{found.pretty()}\n")
    assert_one_line(invoke("plot", str(stored), "--chart", "fluency", "-o", str(plot)).stderr, "--force")


def test_models_are_asked_for_by_name(model_file: str) -> None:
    pair = (sample("system-a"), "-r", sample("ref-1"))
    for metric, option in (("perplexity", "lm"), ("bertscore", "encoder"), ("neural-perplexity", "model")):
        refused = invoke("score", *pair, "-m", metric)
        assert refused.exit_code == 2
        assert_one_line(refused.stderr, f"{metric} needs a model: write -m {metric}:{option}=….")
    unused = invoke("score", *pair, "-m", f"bleu:lm={model_file}")
    assert_one_line(unused.stderr, "bleu has no option 'lm'")
    flag = invoke("score", *pair, "--lm", model_file)
    assert_one_line(flag.stderr, "As an option of a metric, write it with the metric: -m perplexity:lm=…")
    with pytest.raises(OptionError, match=r"Perplexity\(lm=…\)"):
        evaluate(["a"], ["a"], metrics=["perplexity"])
    compared = invoke("compare", *map(sample, SYSTEMS), "-r", sample("ref-1"), "-m", f"perplexity:lm={model_file}")
    assert "system-a is better than system-b: the difference of" in compared.stdout

"""Metrics of other packages: the example under examples/, installed as its readers would."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.dataset import DatasetItem
from bleuprint.errors import MergeError, NotTextError, OptionError
from bleuprint.metrics import find, from_signature, registry
from bleuprint.metrics.base.plain import PlainMetric
from tests.laws.strategies import Segments, corpora, hypotheses_of, references_of
from tests.support.cli import assert_one_line, invoke, sample

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "custom_metric"


def example() -> Any:
    spec = importlib.util.spec_from_file_location("length_ratio", EXAMPLE / "length_ratio.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.LengthRatio


LengthRatio = example()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What pip leaves behind of the example: the module and its announcement."""
    (tmp_path / "length_ratio.py").write_text((EXAMPLE / "length_ratio.py").read_text())
    info = tmp_path / "bleuprint_length_ratio-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bleuprint-length-ratio\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[bleuprint.metrics]\nlength-ratio = length_ratio:LengthRatio\nbad = os:sep\n"
        "missing = no_such_module:Metric\nbroken = broken_plugin:Metric\nbleu = length_ratio:LengthRatio\n"
        "self-bleu = length_ratio:LengthRatio\ntwice = length_ratio:LengthRatio\n"
    )
    (tmp_path / "broken_plugin.py").write_text("raise RuntimeError('no\\nlicense')\n")
    (tmp_path / "second-1.0.dist-info").mkdir()
    (tmp_path / "second-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: second\nVersion: 1.0\n")
    (tmp_path / "second-1.0.dist-info" / "entry_points.txt").write_text(
        "[bleuprint.metrics]\ntwice = length_ratio:LengthRatio\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("length_ratio", None)


def test_it_is_short() -> None:
    code = (EXAMPLE / "length_ratio.py").read_text()
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 30


@given(corpora(), corpora())
def test_it_keeps_the_laws(first: Segments, second: Segments) -> None:
    metric = LengthRatio()
    rows = [tuple(row) for row in metric.statistics(hypotheses_of(first), references_of(first)).rows.tolist()]
    assert rows == [metric.row(text, list(references), None) for text, references in first]
    whole = metric.corpus(hypotheses_of(first + second), references_of(first + second))
    parts = [LengthRatio().update(hypotheses_of(part), references_of(part)) for part in (first, second)]
    assert parts[0].merge(parts[1]).compute().value == whole.value
    singles = [metric.sentence(text, references).value for text, references in first]
    assert metric.sentences(hypotheses_of(first), references_of(first)).tolist() == singles
    sampled = metric.sample(hypotheses_of(first), references_of(first))
    assert sampled.score().item() == metric.corpus(hypotheses_of(first), references_of(first)).value


def test_it_stands_beside_the_others() -> None:
    texts = [f"{'a ' * (place + 1)}b" for place in range(12)]
    references = [f"{'a ' * 14}b"] * 12
    result = bp.evaluate({"A": texts, "B": references}, references, metrics=[LengthRatio(cap=2.0), "bleu"])
    assert result.metrics == ("length-ratio", "bleu")
    compared = bp.compare({"A": texts, "B": references}, references, metrics=[LengthRatio()])
    assert compared.metric("length-ratio").pair("A", "B").better == "B"
    assert not bp.gate(result, minimum={"length-ratio": 3}).passed
    verdict = LengthRatio().score(DatasetItem(actual_output="a b", expected_output="a b c d"))
    assert (verdict.score, verdict.threshold, verdict.band, verdict.passed) == (0.5, 0.5, "", True)
    with pytest.raises(MergeError):
        LengthRatio().merge(LengthRatio(cap=2.0))


@pytest.mark.usefixtures("installed")
def test_an_announced_metric_is_found_by_name() -> None:
    metric = registry.resolve("length-ratio")
    signature = metric.corpus(["a"], ["a b"]).signature
    assert from_signature(signature).signature == metric.signature
    result = bp.evaluate(["a"], ["a b"], metrics=["length-ratio"])
    assert bp.replay(result).same
    with pytest.raises(OptionError, match=r"a subclass of bleuprint\.metrics\.PlainMetric where bad is announced"):
        find("bad")
    with pytest.raises(OptionError, match="There is no metric 'none'"):
        find("none")


@pytest.mark.usefixtures("installed")
def test_a_plugin_that_cannot_be_imported_is_named() -> None:
    for name, value, problem in (
        ("missing", "no_such_module:Metric", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("broken", "broken_plugin:Metric", "RuntimeError: no license"),
    ):
        expected = f"failed to import from the plug-in bleuprint-length-ratio ({value}): {problem}"
        with pytest.raises(OptionError, match=re.escape(expected)):
            find(name)
        failed = invoke("score", sample("system-a"), "-r", sample("ref-1"), "-m", name)
        assert failed.exit_code == 2
        assert_one_line(failed.stderr, expected)


@pytest.mark.usefixtures("installed")
def test_doctor_says_which_plugins_are_used() -> None:
    told = invoke("doctor").stdout.splitlines()
    own = "bleuprint-length-ratio (length_ratio:LengthRatio)"
    assert f"metric length-ratio comes from {own}" in told
    for name in ("bleu", "self-bleu"):
        assert f"metric {name} of {own} is not used, because bleuprint has a metric of that name" in told
        assert registry.metrics()[name].__module__.startswith("bleuprint.")
        assert name not in registry.plug_ins()
    used = registry.origin_of(registry.plug_ins()["twice"])
    assert f"metric twice comes from {used}" in told
    (unused,) = [line for line in told if line.startswith("metric twice of ")]
    assert unused.endswith(f"is not used, because {used} has one of the same name")
    for name in ("missing", "broken", "bad"):
        (line,) = [line for line in told if line.startswith(f"metric {name} of ")]
        assert "cannot be used: metric " in line


@pytest.mark.usefixtures("installed")
def test_an_announced_metric_on_the_command_line() -> None:
    shown = invoke("score", sample("system-a"), "-r", sample("ref-1"), "-m", "length-ratio", "-m", "bleu")
    assert shown.exit_code == 0, shown.stderr
    assert shown.stdout.splitlines()[0].split() == ["system", "length-ratio", "bleu"]


@given(st.lists(st.sampled_from([(1,), (1, 2, 3), (1.5, "2"), (1, 2)])))
def test_a_row_of_the_wrong_shape_is_refused(rows: list[tuple[object, ...]]) -> None:
    class Wrong(LengthRatio):  # type: ignore[misc, valid-type]
        def row(self, hypothesis: str, references: list[str], source: str | None) -> Any:
            return rows[int(hypothesis)]

    texts = [str(place) for place in range(len(rows))]
    if all(row == (1, 2) for row in rows):
        assert Wrong().statistics(texts, texts).rows.dtype == np.int64
    else:
        with pytest.raises(OptionError, match=r"the row of length-ratio for segment [0-9]+ must be 2 finite numbers"):
            Wrong().statistics(texts, texts)


def test_tokens_are_refused() -> None:
    with pytest.raises(NotTextError, match="this metric reads whole texts"):
        LengthRatio().corpus([["a"]], [["a"]])
    assert issubclass(LengthRatio, PlainMetric)


def define(**attributes: Any) -> Any:
    """A metric that counts the words that an output lacks, with these class attributes."""
    methods = {
        "row": lambda self, hypothesis, references, source: (len(references[0].split()) - len(hypothesis.split()), 1),
        "formula": lambda self, columns, *, sentence=False: columns[0] / columns[1],
    }
    return type("Missing", (PlainMetric,), {"name": "missing", "names": ("words", "items"), **methods, **attributes})


@pytest.mark.parametrize(
    ("attribute", "meant"),
    [
        *((name, "higher_is_better") for name in ("lower_is_better", "greater_is_better", "higher_better", "maximize")),
        ("direction", "higher_is_better"),
        ("needs_reference", "needs_references"),
        ("need_sources", "needs_sources"),
        ("default_treshold", "default_threshold"),
        ("value_ranges", "value_range"),
        ("has_percents", "has_percent"),
    ],
)
def test_a_class_attribute_that_would_change_nothing_is_refused(attribute: str, meant: str) -> None:
    """`lower_is_better = True` was ignored, and the verdict of a comparison was reversed."""
    with pytest.raises(OptionError, match=rf"Missing\.{attribute} has no effect: did you mean {meant}\?"):
        define(**{attribute: True})
    with pytest.raises(OptionError, match=r"Missing\.higher_is_better must be True or False, got 'no'"):
        define(higher_is_better="no")
    kept = define(higher_is_better=False, _direction="mine", vocabulary=("a",), MODEL="x")
    outputs = {"A": ["a b"] * 8, "B": ["a"] * 8}
    assert bp.compare(outputs, ["a b c"] * 8, metrics=[kept()]).metric("missing").pairs[0].better == "A"


def test_all_class_attributes_are_documented() -> None:
    page = (EXAMPLE.parents[1] / "docs" / "how-to" / "custom-metric.md").read_text(encoding="utf-8")
    settings = [name for name in bp.metrics.base.metric.Metric.__annotations__ if name[0] != "_"]
    assert [name for name in settings if f"`{name}`" not in page] == ["definition"]


@pytest.mark.usefixtures("installed")
def test_plug_ins_are_listed_and_have_cards() -> None:
    origin = "plug-in of bleuprint-length-ratio (length_ratio:LengthRatio)"
    for command in (("list", "metrics"), ("cards",)):
        assert re.search(rf"length-ratio +{re.escape(origin)}", invoke(*command).stdout), command
    card = invoke("cards", "Length_Ratio").stdout
    assert card.startswith("# length-ratio\n\nWords of the outputs")
    for line in ("- Higher is better", "- Needs: references", f"- P{origin[1:]}", "- `-m length-ratio:cap=…`"):
        assert line in card
    assert_one_line(invoke("cards", "missing").stderr, "failed to import from the plug-in")

"""One run has one number per name: every door returns, stores or prints the number of the metric object.

The metrics come from the registry, so a new one joins by itself. Numbers are compared with `==`; a text must contain
the formatted number. Spark has its own room (tests/integrations/spark), and so have the packages that need torch
(tests/with_torch/integrations).
"""

from __future__ import annotations

import base64
import gzip
import json
import pickle
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import pandas as pd
import polars as pl
import pytest

import bleuprint as bp
from bleuprint.dataset import DatasetItem, FileStream
from bleuprint.errors import BleuprintError, InputError, OptionError
from bleuprint.integrations._items import Record, record_item, score_records
from bleuprint.integrations.pytest_plugin import Assertions
from bleuprint.metrics import registry
from bleuprint.metrics.base.metric import FittedMetric, Metric
from bleuprint.metrics.base.summaries import ExactMeans
from bleuprint.metrics.functions import ONE, THREE
from bleuprint.report import render
from bleuprint.report.sections.segments.data import SCORE_STEPS
from bleuprint.results import Result
from bleuprint.results.digits import Digits
from bleuprint.runners import MetricRunner
from bleuprint.runners.gates import gate
from bleuprint.runners.replaying import replay
from bleuprint.runners.streaming import score_stream
from tests.support.cli import invoke, lines, sample
from tests.support.encoders import encoder, letters_model

NAMES = sorted(registry.metrics("segment"))
POOLS = sorted(registry.metrics("pool"))
POOLS_BY_NAME = sorted(registry.scored_by_name("pool"))
# Commands load models from files, and of these tests' models only the language model and the index are such.
IN_COMMANDS = sorted({*registry.scored_by_name("segment"), "contamination", "novelty", "perplexity"})
FIRST, SECOND = "system-a", "system-b"
SYSTEMS = {name: lines(name) for name in (FIRST, SECOND)}
REFERENCES = [list(pair) for pair in zip(lines("ref-1"), lines("ref-2"), strict=True)]
SOURCES = lines("ref-2")[::-1]
# With several references GEC-GLEU draws one of them, so that it has no rows to resample.
COMPARED = [name for name in IN_COMMANDS if name != "gec-gleu"]
for_every_metric = pytest.mark.parametrize("name", [*NAMES, *POOLS])
for_every_segment_metric = pytest.mark.parametrize("name", NAMES)
for_every_metric_in_commands = pytest.mark.parametrize("name", IN_COMMANDS)
for_every_compared_metric = pytest.mark.parametrize("name", COMPARED)
for_every_pool = pytest.mark.parametrize("name", POOLS)
for_every_pool_by_name = pytest.mark.parametrize("name", POOLS_BY_NAME)


def shown(name: str, value: float) -> str:
    """A score as tables write it: four decimals, or as many as its size asks for if it has a scale of its own."""
    return Digits(by_size=not registry.find(name).has_percent)(value)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the language model and the sources, in which the commands write."""
    folder = tmp_path_factory.mktemp("doors")
    bp.LanguageModel.train([text for group in REFERENCES for text in group], order=2).save(folder / "model.blm")
    bp.NgramIndex.build(lines("system-a")[::2]).save(folder / "corpus.bpi")
    (folder / "sources.txt").write_text("\n".join(SOURCES) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def metrics(files: Path) -> dict[str, Metric[Any]]:
    return {name: kind(**models_of(kind, files)) for name, kind in registry.metrics().items()}


@pytest.fixture(scope="module")
def values(metrics: dict[str, Metric[Any]]) -> dict[str, dict[str, float]]:
    """The one number of each metric and system."""
    return {
        name: {key: metric.corpus(texts, **data(metric)).value for key, texts in SYSTEMS.items()}
        for name, metric in metrics.items()
    }


@pytest.fixture(scope="module")
def segments(metrics: dict[str, Metric[Any]]) -> dict[str, dict[str, list[float]]]:
    """The one number of each metric, system and segment; a pool may have none."""

    def each(metric: Metric[Any], texts: list[str]) -> list[float]:
        if metric.unit == "pool":
            alone = metric.corpus(texts, **data(metric)).per_text
            return [] if alone is None else list(alone.tolist())
        return list(metric.sentences(texts, **data(metric)).tolist())

    return {name: {key: each(metric, texts) for key, texts in SYSTEMS.items()} for name, metric in metrics.items()}


@pytest.fixture(scope="module")
def result(metrics: dict[str, Metric[Any]]) -> Result:
    return bp.evaluate(SYSTEMS, REFERENCES, sources=SOURCES, metrics=metrics, threads=2)


@pytest.fixture(scope="module")
def scored(files: Path) -> str:
    """What `bleuprint score` prints, with its JSON and its report beside it."""
    done = invoke("score", *inputs(files), "--json", str(files / "result.json"), "--report", str(files / "page.html"))
    assert done.exit_code == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def compared(files: Path) -> str:
    """What `bleuprint compare` prints, with its JSON and its report beside it."""
    output = ("--json", str(files / "compared.json"), "--report", str(files / "compared.html"))
    done = invoke("compare", *inputs(files, COMPARED), *output, "--resamples", "100")
    assert done.exit_code == 0, done.stderr
    return done.stdout


def models_of(kind: Any, files: Path | None = None) -> dict[str, Any]:
    """The model that a metric has to be given."""
    option = registry.model_option(kind)
    if option in ("lm", "index") and files is not None:
        opened = (
            bp.LanguageModel.load(files / "model.blm") if option == "lm" else bp.NgramIndex.open(files / "corpus.bpi")
        )
        return {option: opened}
    models = {"encoder": encoder(), "model": letters_model()}
    return {} if option is None else {option: models[option]}


def with_model(name: str, files: Path) -> str:
    """A metric with its model, as it is written after -m."""
    models = {"lm": files / "model.blm", "index": files / "corpus.bpi"}
    option = registry.model_option(registry.metrics()[name])
    return name if option is None else f"{name}:{option}={models[option]}"


def given_models(files: Path, names: Sequence[str] | None = None) -> list[str]:
    needing = [name for name in names or IN_COMMANDS if registry.model_option(registry.metrics()[name]) is not None]
    return [word for name in needing for word in ("-m", with_model(name, files))]


def made_with(metric: Metric[Any]) -> dict[str, Any]:
    """The options that the metric was made with."""
    return dict(metric.definition.outside)


def data(metric: Metric[Any]) -> dict[str, Any]:
    """The texts besides the outputs that a metric reads; those of a pool belong to no segment."""
    references: list[Any] = REFERENCES if metric.unit == "segment" else [text for group in REFERENCES for text in group]
    given: dict[str, Any] = {"references": references} if metric.needs_references else {}
    return given | ({"sources": SOURCES} if metric.needs_sources else {})


def inputs(files: Path, names: Sequence[str] = IN_COMMANDS) -> list[str]:
    """The same texts and metrics for a command."""
    given = [sample(FIRST), sample(SECOND), "-r", sample("ref-1"), "-r", sample("ref-2")]
    given += ["-s", str(files / "sources.txt")]
    return given + [word for name in names for word in ("-m", with_model(name, files))]


def streaming(metric: Metric[Any]) -> Metric[Any]:
    """The metric, ready for batches."""
    if isinstance(metric, FittedMetric) and not metric.can_stream:
        return metric.fit(REFERENCES)
    return metric.fresh()


@for_every_metric
def test_functions(name: str, metrics: Any, values: Any, segments: Any) -> None:
    metric, function = metrics[name], name.replace("-", "_")
    options = made_with(metric)
    for key, texts in SYSTEMS.items():
        if name in THREE:
            assert getattr(bp, f"corpus_{function}")(texts, **data(metric), **options).value == values[name][key]
            many = getattr(bp, f"sentence_{function}s")
            assert many(texts, **data(metric), **options).tolist() == segments[name][key]
        elif name in ONE:
            assert getattr(bp, function)(texts, **data(metric), **options).value == values[name][key]


@for_every_segment_metric
def test_a_mean_is_the_mean_of_what_is_listed(name: str, metrics: Any, values: Any, segments: Any) -> None:
    """Sentence BLEU of a set was a corpus BLEU with its settings, printed beside the threshold of an item."""
    assert issubclass(metrics["item-bleu"].definition.summary, ExactMeans)
    if issubclass(metrics[name].definition.summary, ExactMeans):
        assert values[name] == {key: mean(listed) for key, listed in segments[name].items()}


@for_every_segment_metric
def test_batches_merged_saved_and_restored(name: str, metrics: Any, values: Any) -> None:
    metric = metrics[name]
    whole = data(metric)
    for key, texts in SYSTEMS.items():
        parts = []
        for part in (slice(0, 17), slice(17, None)):
            batch = {column: texts_of[part] for column, texts_of in whole.items()}
            parts.append(streaming(metric).update(texts[part], **batch))
        merged = parts[0].merge(parts[1])
        assert merged.compute().value == values[name][key]
        assert streaming(metric).add_state(json.loads(json.dumps(merged.state()))).compute().value == values[name][key]
        if not metric.definition.outside:  # a language model cannot be pickled
            assert pickle.loads(pickle.dumps(merged)).compute().value == values[name][key]


@for_every_segment_metric
def test_single_items(name: str, metrics: Any, segments: Any) -> None:
    metric = streaming(metrics[name])
    item = DatasetItem(actual_output=SYSTEMS[SECOND][3], expected_output=REFERENCES[3], source=SOURCES[3])
    assert metric.score(item).score == segments[name][SECOND][3]


@for_every_metric
def test_evaluate_and_its_json(name: str, result: Result, values: Any, segments: Any) -> None:
    for stored in (result, Result.from_json(result.to_json())):
        for key in SYSTEMS:
            score = stored.system(key).score(name)
            assert (score.value, list(score.segments)) == (values[name][key], segments[name][key])
    assert all(shown(name, value) in result.pretty() for value in values[name].values())


@for_every_segment_metric
def test_the_runner(name: str, metrics: Any, values: Any, segments: Any) -> None:
    texts = zip(SYSTEMS[FIRST], REFERENCES, SOURCES, strict=True)
    items = [DatasetItem(actual_output=output, expected_output=group, source=source) for output, group, source in texts]
    run = MetricRunner(metrics={name: metrics[name]}).run_sync(items)
    assert run.result.systems[0].score(name).value == values[name][FIRST]
    assert [item.score for item in run] == segments[name][FIRST]
    assert run.pretty().splitlines()[1].split()[1] == shown(name, values[name][FIRST])


@for_every_metric_in_commands
def test_the_score_command(name: str, scored: str, files: Path, values: Any, segments: Any) -> None:
    head, *rows = (line.split() for line in scored.splitlines()[:3])
    for row in rows:
        assert row[head.index(name)] == shown(name, values[name][row[0]])
    written = Result.read_json(files / "result.json")
    for key in SYSTEMS:
        score = written.system(key).score(name)
        assert (score.value, list(score.segments)) == (values[name][key], segments[name][key])


def test_the_sentence_level(files: Path, segments: Any) -> None:
    done = invoke("score", *inputs(files), "--sentence-level")
    head, *rows = (re.split(r"\s{2,}", line.strip()) for line in done.stdout.splitlines()[:49])
    assert len(rows) == len(REFERENCES)
    for column, title in enumerate(head[1:], start=1):
        key, name = title.split(" ")
        assert [row[column] for row in rows] == [shown(name, value) for value in segments[name][key]]


def test_replaying(result: Result, metrics: Any, values: Any) -> None:
    modelled = {name: metric for name, metric in metrics.items() if registry.model_option(type(metric)) is not None}
    again = replay(Result.from_json(result.to_json()), metrics=modelled)
    assert again.same
    assert {(score.system, score.metric): score.computed for score in again.scores} == {
        (system, name): value for name, by_system in values.items() for system, value in by_system.items()
    }


def test_the_replay_command(scored: str, files: Path, values: Any) -> None:
    done = invoke("replay", str(files / "result.json"), *given_models(files))
    assert done.exit_code == 0, done.stdout
    for line in done.stdout.splitlines()[1:]:
        key, name, stored, now, verdict = line.split()
        assert (float(stored), float(now), verdict) == (values[name][key], values[name][key], "same")


@for_every_compared_metric
def test_comparing(name: str, compared: str, files: Path, metrics: Any, values: Any) -> None:
    sources = SOURCES if metrics[name].needs_sources else None
    drawn: dict[str, Any] = {"resamples": 50}
    comparison = bp.compare(SYSTEMS, REFERENCES, metrics={name: metrics[name]}, sources=sources, **drawn)
    for system in comparison.metric(name).systems:
        assert system.value == values[name][system.name]
    written = Result.read_json(files / "compared.json")
    assert {key: written.system(key).score(name).value for key in SYSTEMS} == values[name]
    for key in SYSTEMS:
        assert re.search(rf"{key}.* {shown(name, values[name][key])}\b", compared)


@for_every_metric
def test_the_gate(name: str, result: Result, metrics: Any, values: Any) -> None:
    """A bound at the very number passes, and the message shows the number."""
    best, worst = max(values[name].values()), min(values[name].values())
    report = gate(result, minimum={name: worst}, maximum={name: best})
    assert report.passed
    for check in report.checks:
        assert f"{values[name][check.system]:.4f}" in check.message


def test_the_gate_command(compared: str, files: Path, values: Any) -> None:
    bounds = [word for name in COMPARED for word in ("--min", f"{name}={min(values[name].values())!r}")]
    stored = str(files / "compared.json")
    done = invoke("gate", stored, "--baseline", stored, *given_models(files, COMPARED), *bounds)
    assert done.exit_code == 0, done.stdout
    for name in COMPARED:
        for key in SYSTEMS:
            assert re.search(rf"{key}, {name}: {values[name][key]:.4f}\b", done.stdout)


@for_every_metric_in_commands
def test_explaining(name: str, metrics: Any, values: Any, files: Path) -> None:
    metric = metrics[name]
    if metric.needs_sources or not metric.needs_references:
        return
    given = [sample(FIRST), "-r", sample("ref-1"), "-r", sample("ref-2"), "-m", name]
    done = invoke("explain", *given, "--from", metric.signature, "--to", metric.signature)
    assert done.exit_code == 0, done.stderr
    assert {line.split()[3] for line in done.stdout.splitlines()[1:]} == {f"{values[name][FIRST]:.4f}"}


@for_every_metric_in_commands
def test_the_report(name: str, scored: str, compared: str, files: Path, values: Any, segments: Any) -> None:
    for page in ("page.html", "compared.html") if name in COMPARED else ("page.html",):
        html = (files / page).read_text(encoding="utf-8")
        for key in SYSTEMS:
            assert f"{key}: {shown(name, values[name][key])}" in html
        content = embedded(html)
        place = [entry["name"] for entry in content["metrics"]].index(name)
        for key in SYSTEMS:
            stored = content["scores"][place][content["systems"].index(key)]
            assert stored == [round(value * SCORE_STEPS) for value in segments[name][key]]


def embedded(html: str) -> dict[str, Any]:
    """The data that the script of a page reads."""
    block = re.search(r'<script [^>]*id="data">([^<]*)</script>', html)
    assert block is not None
    digits = block[1].strip().encode().translate(bytes.maketrans(b",:.", b"<>&"))
    content: dict[str, Any] = json.loads(zlib.decompress(base64.b85decode(digits), -15))
    return content


@for_every_metric
def test_the_pytest_plugin(name: str, metrics: Any, values: Any) -> None:
    metric = metrics[name]
    sources = SOURCES if metric.needs_sources else None
    for key, texts in SYSTEMS.items():
        found = Assertions().assert_score(texts, REFERENCES, metric, at_least=values[name][key], sources=sources)
        assert found == values[name][key]


@for_every_metric
def test_columns_of_data_frames(name: str, metrics: Any, values: Any, segments: Any) -> None:
    metric, given = metrics[name], data(metrics[name])
    for series in (pd.Series, pl.Series):
        columns: dict[str, Any] = {role: series(texts) for role, texts in given.items()}
        assert metric.corpus(series(SYSTEMS[FIRST]), **columns).value == values[name][FIRST]
        if metric.unit == "segment":
            assert metric.sentences(series(SYSTEMS[FIRST]), **columns).tolist() == segments[name][FIRST]


@for_every_metric
def test_metrics_by_name(name: str, metrics: Any, values: Any) -> None:
    """The door behind Hugging Face evaluate, Inspect and lm-eval."""
    metric = metrics[name]
    named, given = registry.resolve(name, made_with(metric)), data(metric)
    if metric.unit == "pool":  # its references belong to no single text
        assert named.corpus(SYSTEMS[FIRST], given.get("references")).value == values[name][FIRST]
        return
    references, sources = (given.get(role) or [None] * len(SYSTEMS[FIRST]) for role in ("references", "sources"))
    items = zip(SYSTEMS[FIRST], references, sources, strict=True)
    records = [record_item(named, text, group or (), source)[1] for text, group, source in items]
    again = [Record(*fields) for fields in json.loads(json.dumps(records))]
    assert score_records(again) == values[name][FIRST]


def test_self_bleu_on_the_command_line(files: Path) -> None:
    expected = bp.self_bleu(SYSTEMS[FIRST])
    outputs = ["--json", str(files / "self.json"), "--report", str(files / "self.html")]
    done = invoke("score", sample(FIRST), "-m", "self-bleu", *outputs)
    (system,) = json.loads((files / "self.json").read_text(encoding="utf-8"))["systems"]
    (stored,) = system["scores"]
    assert (stored["value"], stored["segments"]) == (expected.value, expected.per_text.tolist())
    assert done.stdout.splitlines()[1].split()[1] == f"{expected.value:.4f}"
    assert f"{expected.value:.4f}" in (files / "self.html").read_text(encoding="utf-8")


@for_every_pool_by_name
def test_comparing_pools(name: str, metrics: Any, values: Any) -> None:
    comparison = bp.compare(SYSTEMS, data(metrics[name]).get("references"), metrics={name: metrics[name]}, resamples=20)
    for system in comparison.metric(name).systems:
        assert system.value == values[name][system.name]
        assert system.score.low <= system.value <= system.score.high
    (pair,) = comparison.metric(name).pairs
    assert pair.difference.value == values[name][pair.first] - values[name][pair.second]
    assert 1 / 21 <= pair.p_value <= 1


@pytest.mark.parametrize("name", sorted(set(POOLS) - set(POOLS_BY_NAME)))
def test_what_would_be_encoded_anew_is_not_compared(name: str, metrics: Any) -> None:
    with pytest.raises(OptionError, match="which would encode the texts anew many times"):
        bp.compare(SYSTEMS, REFERENCES, metrics={name: metrics[name]})


@for_every_pool_by_name
def test_pools_added_in_batches_and_restored(name: str, metrics: Any, values: Any) -> None:
    metric = metrics[name].fresh()
    for part in (slice(0, 17), slice(17, None)):
        metric.update(SYSTEMS[FIRST][part], REFERENCES[part] if metric.needs_references else None)
    assert metric.compute().value == values[name][FIRST]
    restored = metrics[name].fresh().add_state(json.loads(json.dumps(metric.state())))
    assert restored.compute().value == values[name][FIRST]


@for_every_pool
def test_a_pool_alone_needs_no_references(name: str, metrics: Any, values: Any) -> None:
    found = bp.evaluate(SYSTEMS, data(metrics[name]).get("references"), metrics={name: metrics[name]})
    assert {key: found.system(key).score(name).value for key in SYSTEMS} == values[name]
    assert all(shown(name, value) in render(found) for value in values[name].values())


@for_every_pool
def test_what_judges_single_items_refuses_pools(name: str, metrics: Any) -> None:
    """The only door that is closed: a pool has no pass or fail for one item."""
    item = DatasetItem(actual_output="a b c", expected_output="a b")
    for opening in (lambda: MetricRunner(metrics={name: metrics[name]}), lambda: metrics[name].score(item)):
        with pytest.raises(BleuprintError, match=f"{name} (is a metric of pools|scores all texts together)"):
            opening()


@for_every_pool
def test_what_a_pool_has_not_is_said(name: str, metrics: Any, segments: Any) -> None:
    metric = metrics[name]
    for scoring, given in ((metric.statistics, SYSTEMS[FIRST]), (metric.sentence, "a b c")):
        with pytest.raises(InputError, match=f"{name} scores all texts together, so a single one has no row and no"):
            scoring(given, **data(metric))
    if not segments[name][FIRST]:
        with pytest.raises(InputError, match=f"{name} scores all texts together and has no score for each"):
            metric.sentences(SYSTEMS[FIRST], **data(metric))


@for_every_metric
@pytest.mark.parametrize("block", [1, 300, 1 << 20])
def test_law_28_a_stream_in_any_blocks(
    name: str, block: int, metrics: Any, values: Any, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = metrics[name]
    if not metric.can_stream:
        return
    monkeypatch.setattr("bleuprint.dataset.lines.BLOCK", block)
    source = files / "sources.txt" if metric.needs_sources else None
    with FileStream({FIRST: sample(FIRST)}, [sample("ref-1"), sample("ref-2")], source) as stream:
        found = score_stream(stream, {name: metric})
    assert float(found[FIRST][name]) == values[name][FIRST]


@for_every_metric_in_commands
def test_law_28_every_way_gives_the_same_bits(name: str, files: Path, values: Any, tmp_path: Path) -> None:
    content = Path(sample(FIRST)).read_bytes()
    packed, returns = tmp_path / "packed.txt.gz", tmp_path / "returns.txt"
    packed.write_bytes(gzip.compress(content))
    returns.write_bytes(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"))
    given = ["-r", sample("ref-1"), "-r", sample("ref-2"), "-m", with_model(name, files)]
    if registry.metrics()[name].needs_sources:
        given += ["-s", str(files / "sources.txt")]

    def printed(hypothesis: str, *more: str, stdin: bytes | None = None) -> str:
        done = invoke("score", hypothesis, *given, *more, stdin=stdin)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    for hypothesis, stdin in ((sample(FIRST), None), (str(packed), None), ("-", content)):
        assert printed(hypothesis, "-q", "-w", "17", stdin=stdin).split()[0] == f"{values[name][FIRST]:.17f}"
    stored = json.loads(printed(str(returns), "--json", "-"))
    assert stored["systems"][0]["scores"][0]["value"] == values[name][FIRST]

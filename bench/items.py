"""Tables of other libraries as texts and as items, and the verdicts of a run, at growing sizes."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import bleuprint
from bench.harness import Run, compared, peer
from bench.results import Row, Section
from bench.self_bleu import slope
from bleuprint.dataset import Dataset
from bleuprint.runners import MetricRunner

SIZES = (125_000, 250_000, 500_000)
METRICS = ("bleu", "chrf", "ter", "rouge", "gleu")
Job = Callable[[], object]


def sections(run: Run) -> Iterator[Section]:
    sizes = (200, 400) if run.quick else SIZES
    for title, jobs in (("Corpus BLEU of two columns", _columns), ("A dataset of a table", _tables), ("A run", _run)):
        times: dict[str, list[float]] = {}
        for size in sizes:
            for name, job in jobs(_table(size)).items():
                times.setdefault(name, []).append(_seconds(job))
        rows = [Row(name, [found[-1] / sizes[-1] * 1e6]) for name, found in times.items()]
        notes = []
        for name, found in times.items():
            points = [(math.log(size), math.log(max(each, 1e-6))) for size, each in zip(sizes, found, strict=True)]
            notes.append(f"{name}: {found[-1]:.2f} s, fitted exponent {slope(points):.2f}.")
        notes.append(f"Exponents from {sizes[0]:,} to {sizes[-1]:,} rows; one thread.")
        yield Section(f"{title}, {sizes[-1]:,} rows, CPU time", "µs/item", compared(rows), notes, rate="item")


def _seconds(job: Job) -> float:
    gc.collect()
    start = time.process_time()
    job()
    return time.process_time() - start


def _table(size: int) -> Any:
    import pyarrow

    hypotheses = [f"the cat sat on the mat number {place}" for place in range(size)]
    return pyarrow.table({"hyp": hypotheses, "ref": [text.replace("the mat", "a mat") for text in hypotheses]})


def _sources(table: Any) -> dict[str, Any]:
    """The same table in several libraries; those that are not installed are left out."""
    sources = {"pyarrow": table}
    datasets, duckdb = peer("datasets"), peer("duckdb")
    if datasets is not None:
        sources["Hugging Face"] = datasets.Dataset(table)
        sources["Hugging Face, shuffled"] = sources["Hugging Face"].shuffle(seed=1)
    if duckdb is not None:
        sources["DuckDB"] = duckdb.connect().from_arrow(table)
    return sources


def _columns(table: Any) -> dict[str, Job]:
    lists = table["hyp"].to_pylist(), table["ref"].to_pylist()
    pairs = {name: (source["hyp"], source["ref"]) for name, source in _sources(table).items() if name != "DuckDB"}
    return {name: _corpus_bleu(*pair) for name, pair in {**pairs, "lists": lists}.items()}


def _corpus_bleu(hypotheses: Any, references: Any) -> Job:
    return lambda: bleuprint.corpus_bleu(hypotheses, references, threads=1)


def _tables(table: Any) -> dict[str, Job]:
    jobs = {name: _dataset(source) for name, source in _sources(table).items()}
    return {**jobs, "pyarrow, lists, ids and metadata": _dataset(_with_lists(table))}


def _with_lists(table: Any) -> Any:
    """The table with two references in a list, an id, and two columns that become metadata."""
    import pyarrow

    references = [[text, text.replace("sat", "lay")] for text in table["ref"].to_pylist()]
    places = pyarrow.array(range(len(references)))
    table = table.set_column(1, "ref", pyarrow.array(references)).append_column("place", places)
    return table.append_column("id", places.cast("string")).append_column("lang", pyarrow.array(["en"] * len(places)))


def _dataset(source: Any) -> Job:
    return lambda: Dataset.from_table(source)


def _run(table: Any) -> dict[str, Job]:
    dataset = Dataset.from_table(table)
    runner = MetricRunner(METRICS, threads=1)
    results = runner.run_sync(dataset)
    return {
        f"run_sync under {len(METRICS)} metrics": lambda: runner.run_sync(dataset),
        "whether each item passes": lambda: [item.passed for item in results],
        "every verdict": lambda: [verdict.score for item in results for verdict in item.verdicts],
    }

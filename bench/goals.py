"""The paths that have a goal: `python -m bench --suite goals` prints the last table of bench/tables/speed.md."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from bench import bleu, edits, language_model, pairwise, rouge, self_bleu, spark_growth
from bench.data import Corpus
from bench.harness import Contestant, Run, compared, hashing_gain, peer_installed, race
from bench.results import Goal, Row, Section
from bench.row_contestants import Scores

MOST_MEGABYTES = 250
SPARK_TIMES = 6


def sections(run: Run) -> Iterator[Section]:
    corpus, pairs = run.corpus, run.large.head(edits.PAIRS)
    yield bleu.timed("Corpus BLEU from strings", race(list_field, corpus, run))
    yield bleu.timed("Corpus BLEU from tokens and ids", race(bleu.token_field, corpus, run))
    calls = bleu.nearest_length(corpus, bleu.PAIR_TOKENS - 1, 5 if run.quick else 1000)
    yield bleu.timed("sentence_bleu, call by call", race(call_field, calls, run))
    yield Section("Edit distance on ready word lists", "µs/pair", race(edits.word_lists, pairs, run))
    for definition in ("levenshtein", "indel"):
        rows = race(edits.ratios(definition), pairs, run)
        yield Section(f"Levenshtein ratio of a column, {definition}", "µs/pair", rows)
    yield rouge.timed("ROUGE-1/2/L of a column", race(rouge_field, corpus, run))
    yield rouge.timed("RougeScorer.score, call by call", race(rouge.drop_in_entries, corpus.head(rouge.FEW), run))
    texts = corpus.head(8 if run.quick else pairwise.MATRIX)
    rows = race(pairwise.metrics_field, texts, run)
    yield Section(f"All pairs of {len(texts)} texts", "µs/pair", rows, rate="pair")
    training = corpus.head(language_model.TRAINING_LINES)
    yield Section("Language model, training", "µs/token", race(language_model.training_field, training, run))
    yield Section("Language model, queries", "µs/token", race(language_model.query_field, corpus, run))
    yield threads_section(run)
    yield from self_bleu_sections(run)
    if not run.quick:
        yield spark_section()


def list_field(corpus: Corpus) -> list[Contestant[Scores]]:
    """Only peers with a goal."""
    return [entry for entry in bleu.list_field(corpus) if entry.goal is not None or entry.name == "bleuprint"]


def call_field(corpus: Corpus) -> list[Contestant[Scores]]:
    return [entry for entry in bleu.pair_field(corpus) if entry.goal is not None]


def rouge_field(corpus: Corpus) -> list[Contestant[Scores]]:
    ours = rouge.corpus_entry(corpus, rouge.TYPES, False)
    return [ours, *rouge.rust_entry(corpus), *rouge.batch_entry(corpus)]


def threads_section(run: Run) -> Section:
    """What a second thread gains, over what it gains for hashing in the same moment."""
    shares: dict[str, list[float]] = {}
    for source, field in bleu.thread_fields().items():
        for _ in range(run.repeat):
            two, one = race(field, run.large, Run(run.corpus, run.large, 1, run.quick), clock="wall")
            shares.setdefault(source, []).append(one.value / two.value / hashing_gain())
    goal = Goal(at_least=0.97, of="value")
    rows = [Row(f"corpus BLEU from {source}", values, goal=goal) for source, values in shares.items()]
    return Section("Two threads against one, wall time", "of what hashing gains", rows)


def self_bleu_sections(run: Run) -> Iterator[Section]:
    size = 400 if run.quick else 1_000_000
    figures = {name: self_bleu.grown(size, threads) for threads, name in enumerate(("one thread", "two threads"), 1)}
    goal = Goal(at_most=MOST_MEGABYTES, of="value")
    memory = [Row(name, [found["megabytes"]], goal=goal) for name, found in figures.items()]
    yield Section(f"Self-BLEU-5 of {size:,} texts, memory beyond the texts", "MB", memory)
    times = [Row(name, [found["cpu"] / size * 1e6]) for name, found in figures.items()]
    yield Section(f"Self-BLEU-5 of {size:,} texts, CPU time", "µs/text", compared(times))


def spark_section() -> Section:
    """What a further text costs, without the start of the session; without rows where Spark cannot run."""
    first, last = spark_growth.SIZES
    title = f"Self-BLEU-5 on local Spark, from {first:,} to {last:,} texts, CPU time"
    if not peer_installed("pyspark") or shutil.which("java") is None:
        return Section(title, "µs/text", [], ["Spark was not measured: it needs pyspark and Java."])
    costs = spark_growth.margin([spark_growth.run(size) for size in spark_growth.SIZES])
    rows = compared([Row("one machine", [costs["one machine"]]), Row("Spark", [costs["spark"]])])
    rows[1].goal = Goal(at_most=SPARK_TIMES)
    parts = ", ".join(f"{name} {costs[name]:.2f}" for name in spark_growth.PROCESSES)
    return Section(title, "µs/text", rows, [f"Spark in µs/text: {parts}."])

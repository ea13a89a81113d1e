"""One of the jobs that `python -m bench.instructions` counts: python -s -S -P instruction_jobs.py JOB MARKS FOLDER...

The folders hold the packages: without a site-packages of its own, the interpreter runs no start-up code of others. A
job runs twice, on new strings, and the second run is counted: modules are loaded and tables are made by then.
"""

from __future__ import annotations

import ctypes
import gc
import random
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).with_name("sample.tsv")
Lines = list[str]
Job = Callable[[], object]


def first_score(_: Any, hypotheses: Lines, references: Lines) -> Job:
    """Import of the package and one `sentence_bleu`, in a new process"""
    return lambda: import_module("bleuprint").sentence_bleu(hypotheses[0], references[:1])


def sentence_bleu(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`sentence_bleu`, call by call"""
    pairs = [(hypothesis, [reference]) for hypothesis, reference in zip(hypotheses, references, strict=True)]
    return lambda: [bp.sentence_bleu(*pair) for pair in pairs]


def corpus_bleu(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`corpus_bleu` of strings"""
    return lambda: bp.corpus_bleu(hypotheses, references, threads=1)


def token_bleu(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`corpus_bleu` of lists of tokens"""
    columns = [[line.split() for line in lines] for lines in (hypotheses, references)]
    return lambda: bp.corpus_bleu(columns[0], [[tokens] for tokens in columns[1]], threads=1)


def sentence_bleus(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`sentence_bleus` of a column"""
    return lambda: bp.sentence_bleus(hypotheses, references, threads=1)


def chrf(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`sentence_chrfs` of a column, chrF++"""
    return lambda: bp.sentence_chrfs(hypotheses, references, word_order=2, threads=1)


def ter(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`corpus_ter`"""
    return lambda: bp.corpus_ter(hypotheses, references, threads=1)


def rouge(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`sentence_rouges` of a column: ROUGE-1, 2 and L"""
    return lambda: bp.sentence_rouges(hypotheses, references, threads=1)


def meteor(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`sentence_meteors` of a column"""
    return lambda: bp.sentence_meteors(hypotheses, references, threads=1)


def tokenize(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`tokenize` with `intl`, line by line"""
    return lambda: [bp.tokenize(line, "intl") for lines in (hypotheses, references) for line in lines]


def self_bleu(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`self_bleu`"""
    return lambda: bp.self_bleu(hypotheses, threads=1)


def diversity(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`diversity`: all measures, without intervals"""
    return lambda: bp.diversity(hypotheses, confidence=None, threads=1)


def near_duplicates(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`near_duplicates`"""
    return lambda: bp.near_duplicates(hypotheses + references, threshold=0.5, threads=1)


def choose(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`choose`: MBR decoding of groups of 16"""
    groups = [hypotheses[start : start + 16] for start in range(0, len(hypotheses), 16)]
    return lambda: bp.choose(groups, threads=1)


def train(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`LanguageModel.train`, order 3"""
    return lambda: bp.LanguageModel.train(references, order=3, discount_fallback=True, threads=1)


def perplexity(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`perplexity` of a column"""
    metric = bp.Perplexity(train(bp, hypotheses, references)())
    return lambda: metric.sentences(hypotheses, threads=1)


def index(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`NgramIndex.build`, and `seen` against it"""
    return lambda: bp.seen(hypotheses, bp.NgramIndex.build(references), order=5, threads=1)


def evaluate(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`evaluate` of two systems with four metrics, to JSON"""
    systems = {"A": hypotheses, "B": [line.partition(" ")[2] for line in hypotheses]}
    metrics = ["bleu", "chrf", "ter", "rouge"]
    return lambda: bp.evaluate(systems, references, metrics=metrics, threads=1).to_json()


def compare(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """`compare` of two systems: intervals and tests"""
    systems = {"A": hypotheses, "B": [line.partition(" ")[2] for line in hypotheses]}
    return lambda: bp.compare(systems, references, metrics=["bleu", "chrf"], resamples=200, threads=1)


def report(bp: Any, hypotheses: Lines, references: Lines) -> Job:
    """The HTML report of one system"""
    result = bp.evaluate(hypotheses, references, metrics=["bleu", "chrf"], threads=1)
    return lambda: result.to_html()


JOBS: dict[str, tuple[int, Callable[[Any, Lines, Lines], Job]]] = {
    job.__name__: (segments, job)
    for job, segments in (
        (first_score, 1),
        (sentence_bleu, 400),
        (corpus_bleu, 2000),
        (token_bleu, 1000),
        (sentence_bleus, 1000),
        (chrf, 300),
        (ter, 200),
        (rouge, 1000),
        (meteor, 300),
        (tokenize, 300),
        (self_bleu, 1000),
        (diversity, 40),
        (near_duplicates, 500),
        (choose, 96),
        (train, 300),
        (perplexity, 1000),
        (index, 100),
        (evaluate, 100),
        (compare, 100),
        (report, 10),
    )
}


def texts(segments: int, seed: int) -> tuple[Lines, Lines]:
    """Hypotheses and references: lines of the sample, one word in five replaced."""
    chooser = random.Random(seed)
    pairs = [line.split("\t") for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    words = sorted({word for pair in pairs for side in pair for word in side.split()})
    words += [f"{word}{number}" for number in range(20) for word in words]

    def varied(line: str) -> str:
        return " ".join(
            words[int(chooser.random() ** 2 * len(words))] if chooser.random() < 0.2 else word for word in line.split()
        )

    chosen = [[varied(side) for side in pairs[number % len(pairs)]] for number in range(segments)]
    return [pair[0] for pair in chosen], [pair[1] for pair in chosen]


def main(arguments: Sequence[str]) -> None:
    name, marks, *folders = arguments
    sys.path += folders
    counter = ctypes.CDLL(marks)
    counter.run_threads_at_once()
    segments, prepare = JOBS[name]
    package = None
    if prepare is not first_score:
        package = import_module("bleuprint")
        prepare(package, *texts(segments, 1))()
    job = prepare(package, *texts(segments, 2))
    gc.collect()
    gc.disable()
    counter.start_counting()
    job()
    counter.stop_counting()


if __name__ == "__main__":
    main(sys.argv[1:])

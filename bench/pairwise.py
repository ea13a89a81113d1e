"""Pairwise BLEU and minimum Bayes risk decoding: every pair of many texts."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import bleuprint
from bench.data import Corpus
from bench.harness import (
    EXACT,
    SINGLE_PRECISION,
    Contestant,
    Run,
    compared,
    largest_difference,
    peak_memory,
    peer,
    race,
)
from bench.results import Goal, Row, Section
from bleuprint.metrics.base.metric import Metric

CANDIDATES, GROUPS = 64, 200
SMALL, LARGE, PART, MATRIX = 2_000, 20_000, 64, 400
MOST_MEGABYTES = 100

Groups = list[list[str]]
Winners = list[tuple[int, float]]  # position and expected utility
Scores = Iterable[float]
Score = Callable[[str, str], float]


def sections(run: Run) -> Iterator[Section]:
    candidates, groups, part = (4, 3, 2) if run.quick else (CANDIDATES, GROUPS, 3)
    yield Section(
        f"MBR decoding, {candidates} candidates × {groups} groups, one thread, CPU time",
        "µs/pair",
        race(partial(decoding_field, candidates=candidates, part=part), run.corpus.head(groups), run),
        [
            f"sacrebleu's double loops take {part} of the groups and are scaled by pairs. A difference is that of the "
            "winners' expected utilities, 1 if another candidate wins by more than rounding.",
            "Candidates are the segment's translation and reference with one to nine words dropped, moved or taken "
            "from each other.",
        ],
        rate="pair",
    )
    yield Section(
        f"MBR decoding under other metrics, {candidates} candidates × {groups} groups, one thread, CPU time",
        "µs/pair",
        race(partial(utility_field, candidates=candidates, part=part), run.corpus.head(groups), run),
        [f"TER and fastchrf take {part} of the groups. A goal is on the figure itself."],
        rate="pair",
    )
    large = run.large.head(LARGE)
    for size in sorted({min(size, len(large)) for size in (SMALL, LARGE)}):
        rows = min(size, SMALL)
        yield Section(
            f"Pairwise BLEU, {rows:,} texts against {size:,}, one thread, CPU time",
            "µs/pair",
            race(partial(matrix_field, rows=rows), large.head(size), run),
            [f"The loops take the pairs of {PART} texts and are scaled."],
            rate="pair",
        )
    texts = run.corpus.head(8 if run.quick else MATRIX)
    yield Section(
        f"Matrices of {len(texts):,} texts under other metrics, one thread, CPU time",
        "µs/pair",
        race(metrics_field, texts, run),
        ["A goal is on the figure itself. TER searches shifts for every pair; a reference is taken apart once."],
        rate="pair",
    )
    yield memory_section(run, large)


def metrics_field(corpus: Corpus) -> list[Contestant[Scores]]:
    metrics: dict[str, Metric[Any]] = {
        "BLEU": bleuprint.BLEU(),
        "chrF": bleuprint.CHRF(),
        "GLEU": bleuprint.GLEU(),
        "ROUGE-L": bleuprint.ROUGE(types="rougeL"),
        "WER": bleuprint.WER(),
        "TER": bleuprint.TER(),
    }

    def entry(name: str, metric: Metric[Any]) -> Contestant[Scores]:
        def prepare(mark: int) -> Callable[[], Scores]:
            lines, others = corpus.fresh(mark)
            return lambda: bleuprint.pairwise(lines, others, metric=metric, threads=1)[-1].tolist()

        return Contestant(name, len(corpus) ** 2, prepare, goal=Goal(at_most=1, of="value"))

    return [entry(name, metric) for name, metric in metrics.items()]


def variants(hypothesis: str, reference: str, count: int, seed: int) -> list[str]:
    """Texts like a model's samples: between two translations, none quite like another."""
    chooser = random.Random(seed)
    texts = []
    for number in range(count):
        words, others = (side.split() or [""] for side in (hypothesis, reference)[:: 1 if number % 2 else -1])
        for _ in range(number * 9 // count + 1):
            at = chooser.randrange(len(words))
            change = chooser.choice(["drop", "move", "take"])
            word = chooser.choice(others) if change == "take" else words.pop(at)
            if change != "drop" or not words:
                words.insert(chooser.randrange(len(words) + 1), word)
        texts.append(" ".join(words))
    return texts


def groups_of(corpus: Corpus, candidates: int, mark: int) -> Groups:
    lines = zip(*corpus.fresh(mark), strict=True)
    return [variants(*pair, candidates, seed) for seed, pair in enumerate(lines)]


def decoding_field(corpus: Corpus, candidates: int, part: int) -> list[Contestant[Winners]]:
    def ours(groups: Groups) -> Winners:
        return [(choice.index, choice.value) for choice in bleuprint.choose(groups, threads=1)]

    def entry(name: str, lines: Corpus, decode: Callable[[Groups], Winners], goal: Goal | None) -> Contestant[Winners]:
        def prepare(mark: int) -> Callable[[], Winners]:
            groups = groups_of(lines, candidates, mark)
            return lambda: decode(groups)

        def difference(mark: int, winners: Winners) -> float:
            return worst_winner(winners, ours(groups_of(lines, candidates, mark)))

        pairs = len(lines) * candidates**2
        return Contestant(name, pairs, prepare, None if decode is ours else difference, EXACT, goal)

    entries = [entry("bleuprint", corpus, ours, None)]
    for name, score in sacrebleu_scores():
        entries.append(entry(name, corpus.head(part), double_loop(score), Goal(at_least=20)))
    return entries


UTILITIES: dict[str, Metric[Any]] = {
    "chrF": bleuprint.CHRF(),
    "GLEU": bleuprint.GLEU(),
    "ROUGE-L": bleuprint.ROUGE(types="rougeL"),
    "WER": bleuprint.WER(),
}


def utility_field(corpus: Corpus, candidates: int, part: int) -> list[Contestant[Winners]]:
    def decoded(groups: Groups, utility: str | Metric[Any]) -> Winners:
        choices = bleuprint.choose(groups, metric=utility, threads=1)
        return [(choice.index, choice.value) for choice in choices]

    def entry(
        label: str, lines: Corpus, decode: Callable[[Groups], Winners], goal: Goal | None, peer_of: str = ""
    ) -> Contestant[Winners]:
        def prepare(mark: int) -> Callable[[], Winners]:
            groups = groups_of(lines, candidates, mark)
            return lambda: decode(groups)

        def difference(mark: int, winners: Winners) -> float:
            return worst_winner(winners, decoded(groups_of(lines, candidates, mark), peer_of))

        return Contestant(
            label, len(lines) * candidates**2, prepare, difference if peer_of else None, SINGLE_PRECISION, goal
        )

    few = corpus.head(part)
    goal = Goal(at_most=1.0, of="value")
    entries = [
        entry(f"bleuprint, {label}", corpus, partial(decoded, utility=utility), goal)
        for label, utility in UTILITIES.items()
    ]
    entries.append(entry("bleuprint, TER", few, partial(decoded, utility="ter"), None))
    if fastchrf := peer("fastchrf"):

        def decode(groups: Groups) -> Winners:
            means = [[sum(row) / len(row) / 100 for row in matrix] for matrix in fastchrf.pairwise_chrf(groups, groups)]
            return [(row.index(max(row)), max(row)) for row in means]

        entries.append(entry("fastchrf, chrF", few, decode, None, "chrf"))
    return entries


def worst_winner(winners: Winners, ours: Winners) -> float:
    distances = (
        1.0 if index != our_index and abs(utility - our_utility) > EXACT else abs(utility - our_utility)
        for (index, utility), (our_index, our_utility) in zip(winners, ours, strict=True)
    )
    return largest_difference(distances, [0.0] * len(ours))


def double_loop(score: Score) -> Callable[[Groups], Winners]:
    def decode(groups: Groups) -> Winners:
        winners = []
        for group in groups:
            utilities = [sum(score(text, other) for other in group) / len(group) for text in group]
            winners.append((utilities.index(max(utilities)), max(utilities)))
        return winners

    return decode


def sacrebleu_scores() -> list[tuple[str, Score]]:
    sacrebleu = peer("sacrebleu")
    if sacrebleu is None:
        return []
    metric = sacrebleu.BLEU(effective_order=True)
    return [
        (
            "sacrebleu.sentence_bleu, double loop",
            lambda text, other: sacrebleu.sentence_bleu(text, [other]).score / 100,
        ),
        ("sacrebleu, one BLEU object", lambda text, other: metric.sentence_score(text, [other]).score / 100),
    ]


def matrix_field(corpus: Corpus, rows: int) -> list[Contestant[Scores]]:
    texts = corpus.head(PART)

    def prepare(mark: int) -> Callable[[], Scores]:
        lines, _ = corpus.fresh(mark)
        return lambda: last_scores(lines[:rows], lines)

    def all_pairs(lines: Sequence[str]) -> tuple[list[str], list[str]]:
        return [first for first in lines for _ in lines], [second for _ in lines for second in lines]

    def prepare_column(mark: int) -> Callable[[], Scores]:
        lines, _ = texts.fresh(mark)
        return lambda: bleuprint.sentence_bleus(*all_pairs(lines), threads=1).tolist()

    def prepare_loop(score: Score) -> Callable[[int], Callable[[], Scores]]:
        def prepare(mark: int) -> Callable[[], Scores]:
            lines, _ = texts.fresh(mark)
            return lambda: [score(first, second) for first in lines for second in lines]

        return prepare

    def difference(mark: int, scores: Scores) -> float:
        lines, _ = texts.fresh(mark)
        return largest_difference(scores, bleuprint.pairwise(lines).reshape(-1).tolist())

    pairs = len(texts) ** 2
    entries = [
        Contestant("bleuprint", min(rows, len(corpus)) * len(corpus), prepare),
        Contestant("bleuprint, pair by pair in a column", pairs, prepare_column, difference, 0.0),
    ]
    for name, score in sacrebleu_scores():
        entries.append(Contestant(name, pairs, prepare_loop(score), difference))
    return entries


def last_scores(first: list[str], second: list[str], threads: int = 1) -> Scores:
    """Every score, of which the last row's are kept."""
    row: list[float] = []
    for _, rows in bleuprint.pairwise(first, second, rows="auto", threads=threads):
        row = rows[-1].tolist()
    return row


def memory_field(corpus: Corpus) -> list[Contestant[Scores]]:
    def by_rows(mark: int) -> Callable[[], Scores]:
        lines, _ = corpus.fresh(mark)
        return lambda: last_scores(lines, lines, threads=2)

    def whole(mark: int) -> Callable[[], Scores]:
        lines, _ = corpus.head(SMALL).fresh(mark)
        return lambda: [float(bleuprint.pairwise(lines, threads=2)[-1, -1])]

    return [
        Contestant("all texts, by rows", len(corpus), by_rows),
        Contestant("a tenth of them, the whole matrix", len(corpus), whole),
    ]


def memory_section(run: Run, corpus: Corpus) -> Section:
    names = [contestant.name for contestant in memory_field(corpus.head(1))]
    rows = compared([Row(name, raw) for name, raw in peak_memory("pairwise", names, corpus, run).items()])
    rows[0].goal = Goal(at_most=MOST_MEGABYTES, of="value")
    title = f"Peak extra memory, pairwise BLEU of {len(corpus):,} texts among themselves, a process each"
    return Section(title, "MB", rows, [f"The whole matrix of all would be {len(corpus) ** 2 * 8 / 2**20:,.0f} MB."])

"""BLEU: corpora, single pairs, columns of scores, memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import bleuprint
from bench.data import Corpus
from bench.harness import (
    SINGLE_PRECISION,
    Contestant,
    Field,
    Run,
    compared,
    peak_memory,
    peer,
    race,
    second_thread,
)
from bench.results import Goal, Row, Section
from bench.row_contestants import Prepare, Scores, entry

PAIR_TOKENS = 25
BYTES_PER_SEGMENT = 64  # what we may use beside the input's own size


def sections(run: Run) -> Iterator[Section]:
    corpus = run.corpus
    yield timed("Corpus BLEU, 13a, lists of str, one thread, CPU time", race(list_field, corpus, run))
    if peer("pyarrow"):
        yield timed("Corpus BLEU from Arrow, one thread, CPU time", race(arrow_field, run.large, run))
    yield timed("Corpus BLEU from tokens and ids, one thread, CPU time", race(token_field, corpus, run))
    yield from thread_sections(run)
    pairs = nearest_length(corpus, PAIR_TOKENS - 1, 5 if run.quick else 1000)  # the mark is one token more
    yield timed(
        f"sentence_bleu, call by call, new pairs of {PAIR_TOKENS} tokens, CPU time", race(pair_field, pairs, run)
    )
    same = Corpus(pairs.source, pairs.hypotheses[:1] * len(pairs), pairs.references[:1] * len(pairs))
    yield timed(
        f"sentence_bleu, one pair of {PAIR_TOKENS} tokens repeatedly, CPU time",
        race(pair_field, same, run),
        "A library that remembers lines has the advantage here.",
    )
    yield timed("sentence_bleus for a column, against a loop, CPU time", race(column_field, corpus, run))
    yield memory_section(run)


def thread_sections(run: Run) -> Iterator[Section]:
    for source, field in thread_fields().items():
        rows = race(field, run.large, run, clock="wall")
        yield timed(f"Corpus BLEU from {source}, two threads against one, wall time", rows, second_thread(run.repeat))


def timed(title: str, rows: list[Row], *notes: str) -> Section:
    return Section(title, "µs/segment", rows, list(notes), rate="segment")


def corpus_score(hypotheses: list[str], references: list[str]) -> Scores:
    return [bleuprint.corpus_bleu(hypotheses, references, threads=1).value]


def nltk_score(hypotheses: list[str], references: list[str]) -> Scores:
    # By NLTK's definition a text too short for an order counts as 0 of 1 there; in WMT22 that moves the fifth digit.
    return [bleuprint.corpus_bleu(hypotheses, references, profile="nltk", tokenizer="13a").value]


def prepare_ours(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
    return lambda: corpus_score(hypotheses, references)


def list_field(corpus: Corpus) -> list[Contestant[Scores]]:
    entries = [entry("bleuprint", corpus, prepare_ours)]
    entries += sacrebleu_corpus(corpus, Goal(at_least=80)) + bleuscore_corpus(corpus, Goal(at_least=15))
    return entries + nltk_corpus(corpus) + torchmetrics_corpus(corpus.head(500))


def sacrebleu_corpus(corpus: Corpus, goal: Goal | None = None) -> list[Contestant[Scores]]:
    sacrebleu = peer("sacrebleu")
    if sacrebleu is None:
        return []

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        return lambda: [sacrebleu.corpus_bleu(hypotheses, [references]).score / 100]

    return [entry("sacrebleu", corpus, prepare, corpus_score, goal=goal)]


def bleuscore_corpus(corpus: Corpus, goal: Goal | None = None) -> list[Contestant[Scores]]:
    bleuscore = peer("bleuscore")
    if bleuscore is None:
        return []

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        groups = [[reference] for reference in references]
        return lambda: [bleuscore.compute(groups, hypotheses, ref_len_method="closest")["bleu"]]

    return [entry("bleuscore", corpus, prepare, corpus_score, goal=goal)]


def nltk_corpus(corpus: Corpus) -> list[Contestant[Scores]]:
    scores, tokenize = peer("nltk") and peer("nltk.translate.bleu_score"), sacrebleu_tokens()
    if scores is None or tokenize is None:
        return []

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        tokens, groups = list(map(tokenize, hypotheses)), [[tokenize(line)] for line in references]
        return lambda: [scores.corpus_bleu(groups, tokens)]

    def prepare_with_tokens(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        return lambda: prepare(hypotheses, references)()

    return [
        entry("nltk, with sacrebleu's 13a", corpus, prepare_with_tokens, nltk_score),
        entry("nltk, already in tokens", corpus, prepare, nltk_score),
    ]


def sacrebleu_tokens() -> Callable[[str], list[str]] | None:
    module = peer("sacrebleu") and peer("sacrebleu.tokenizers.tokenizer_13a")
    if module is None:
        return None
    tokenizer: Callable[[str], str] = module.Tokenizer13a()
    return lambda line: tokenizer(line).split()


def torchmetrics_corpus(corpus: Corpus) -> list[Contestant[Scores]]:
    text = peer("torchmetrics") and peer("torchmetrics.text")
    if text is None:
        return []

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        groups = [[reference] for reference in references]
        return lambda: [float(text.SacreBLEUScore()(hypotheses, groups))]

    return [entry(f"torchmetrics, {len(corpus)} segments", corpus, prepare, corpus_score, tolerance=SINGLE_PRECISION)]


def prepare_arrow(kind: str, threads: int = 1) -> Prepare:
    arrow = peer("pyarrow")
    assert arrow is not None

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        text = getattr(arrow, kind)()
        columns = [arrow.chunked_array([lines], type=text) for lines in (hypotheses, references)]
        return lambda: [bleuprint.corpus_bleu(*columns, threads=threads).value]

    return prepare


def arrow_field(corpus: Corpus) -> list[Contestant[Scores]]:
    goal = Goal(at_most=1)
    return [
        entry("list of str", corpus, prepare_ours),
        entry("Arrow string", corpus, prepare_arrow("string"), corpus_score, goal=goal),
        entry("Arrow string_view", corpus, prepare_arrow("string_view"), corpus_score, goal=goal),
    ]


def prepare_tokens(convert: Callable[[list[list[str]]], Callable[[], Any]]) -> Prepare:
    """The lines as 13a tokens, in a form that `convert` makes once; what it returns is called when the clock runs."""

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        sides = [convert([bleuprint.tokenize(line) for line in lines]) for lines in (hypotheses, references)]
        return lambda: [bleuprint.corpus_bleu(*(side() for side in sides), threads=1).value]

    return prepare


def token_field(corpus: Corpus) -> list[Contestant[Scores]]:
    """What a subword model hands over: the same tokens as strings, as numbers, and as padded matrices."""
    vocabulary: dict[str, int] = {}
    pad = -1

    def ids(lines: list[list[str]]) -> list[list[int]]:
        return [[vocabulary.setdefault(token, len(vocabulary)) for token in line] for line in lines]

    def matrix(lines: list[list[str]]) -> Any:
        rows = np.full((len(lines), max(map(len, lines), default=0)), pad)
        for row, numbers in zip(rows, ids(lines), strict=True):
            row[: len(numbers)] = numbers
        return rows

    def padded(lines: list[list[str]]) -> Callable[[], Any]:
        rows = matrix(lines)
        return lambda: bleuprint.token_ids(rows, pad=pad)

    def with_lengths(lines: list[list[str]]) -> Callable[[], Any]:
        rows, lengths = matrix(lines), np.array([len(line) for line in lines])
        return lambda: bleuprint.token_ids(rows, lengths=lengths)

    def kept(items: Any) -> Callable[[], Any]:
        return lambda: items

    like_strings, of_a_matrix = Goal(at_most=1), Goal(at_most=1.5, of="value")
    forms: dict[str, tuple[Callable[[list[list[str]]], Callable[[], Any]], Goal]] = {
        "lists of tokens": (kept, like_strings),
        "lists of ids": (lambda lines: kept(ids(lines)), like_strings),
        "NumPy ids with padding": (padded, of_a_matrix),
        "NumPy ids with lengths": (with_lengths, of_a_matrix),
    }
    return [
        entry("list of str", corpus, prepare_ours),
        *(entry(name, corpus, prepare_tokens(form), corpus_score, goal) for name, (form, goal) in forms.items()),
    ]


def thread_fields() -> Mapping[str, Field[Scores]]:
    return {"lists of str": thread_field} | ({"Arrow": arrow_thread_field} if peer("pyarrow") else {})


def thread_field(corpus: Corpus) -> list[Contestant[Scores]]:
    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        return lambda: [bleuprint.corpus_bleu(hypotheses, references, threads=2).value]

    return [
        entry("two threads", corpus, prepare, corpus_score),
        entry("one thread", corpus, prepare_ours, goal=Goal(at_least=1.7)),
    ]


def arrow_thread_field(corpus: Corpus) -> list[Contestant[Scores]]:
    return [
        entry("two threads", corpus, prepare_arrow("string", threads=2), corpus_score),
        entry("one thread", corpus, prepare_arrow("string"), goal=Goal(at_least=1.7)),
    ]


def nearest_length(corpus: Corpus, tokens: int, segments: int) -> Corpus:
    """The segments whose hypotheses come nearest to that many tokens."""
    distance = [abs(len(bleuprint.tokenize(line)) - tokens) for line in corpus.hypotheses]
    chosen = sorted(range(len(corpus)), key=distance.__getitem__)[:segments]
    return Corpus(corpus.source, [corpus.hypotheses[i] for i in chosen], [corpus.references[i] for i in chosen])


def loop(score: Callable[[str, list[str]], float]) -> Prepare:
    """One call per segment, as a training loop or a service makes them."""

    def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
        pairs = [(line, [reference]) for line, reference in zip(hypotheses, references, strict=True)]
        return lambda: [score(line, group) for line, group in pairs]

    return prepare


def row_of_scores(hypotheses: list[str], references: list[str]) -> Scores:
    return bleuprint.sentence_bleus(hypotheses, references, threads=1)


def unsmoothed_scores(hypotheses: list[str], references: list[str]) -> Scores:
    return bleuprint.sentence_bleus(hypotheses, references, smoothing="none", effective_order=False)


def method1_scores(hypotheses: list[str], references: list[str]) -> Scores:
    # NLTK's tokens come from 13a here, the rest of its definition from its profile.
    return bleuprint.sentence_bleus(hypotheses, references, profile="nltk", tokenizer="13a", smoothing="method1")


def pair_field(corpus: Corpus) -> list[Contestant[Scores]]:
    ours = loop(lambda line, group: bleuprint.sentence_bleu(line, group).value)
    entries = [entry("bleuprint", corpus, ours, row_of_scores, Goal(at_most=3.5, of="value"))]
    if sacrebleu := peer("sacrebleu"):
        theirs = loop(lambda line, group: sacrebleu.sentence_bleu(line, group).score / 100)
        entries.append(entry("sacrebleu", corpus, theirs, row_of_scores, goal=Goal(at_least=50)))
    return entries + sentence_peers(corpus)


def column_field(corpus: Corpus) -> list[Contestant[Scores]]:
    entries = [entry("bleuprint", corpus, lambda lines, references: lambda: row_of_scores(lines, references))]
    few = corpus.head(2000)
    if sacrebleu := peer("sacrebleu"):
        metric = sacrebleu.BLEU(effective_order=True)
        theirs = loop(lambda line, group: metric.sentence_score(line, group).score / 100)
        entries.append(entry("sacrebleu, one BLEU object", few, theirs, row_of_scores))
    return entries + sentence_peers(few)


def sentence_peers(corpus: Corpus) -> list[Contestant[Scores]]:
    entries = []
    if bleuscore := peer("bleuscore"):
        score = loop(lambda line, group: bleuscore.compute([group], [line], ref_len_method="closest")["bleu"])
        entries.append(entry("bleuscore, no smoothing", corpus, score, unsmoothed_scores, Goal(at_least=10)))
    scores, tokenize = peer("nltk") and peer("nltk.translate.bleu_score"), sacrebleu_tokens()
    if scores is not None and tokenize is not None:
        method1 = scores.SmoothingFunction().method1

        def prepare(hypotheses: list[str], references: list[str]) -> Callable[[], Scores]:
            pairs = [(tokenize(h), [tokenize(r)]) for h, r in zip(hypotheses, references, strict=True)]
            return lambda: [scores.sentence_bleu(g, h, smoothing_function=method1) for h, g in pairs]

        entries.append(entry("nltk method1, already in tokens", corpus, prepare, method1_scores))
    return entries


def memory_field(corpus: Corpus) -> list[Contestant[Scores]]:
    return [entry("bleuprint", corpus, prepare_ours), *sacrebleu_corpus(corpus), *bleuscore_corpus(corpus)]


def memory_section(run: Run) -> Section:
    corpus = run.large
    budget = (corpus.text_bytes + BYTES_PER_SEGMENT * len(corpus)) / 2**20
    names = [contestant.name for contestant in memory_field(corpus.head(1))]
    rows = compared([Row(name, raw) for name, raw in peak_memory("bleu", names, corpus, run).items()])
    rows[0].goal = Goal(at_most=budget, of="value")
    note = f"The text is {corpus.text_bytes / 2**20:.1f} MB; the goal adds {BYTES_PER_SEGMENT} bytes a segment."
    return Section(f"Peak extra memory, corpus BLEU, {len(corpus):,} segments, a process each", "MB", rows, [note])

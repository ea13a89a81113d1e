"""Eight Python threads at once over everything that starts threads or is shared by them: the same numbers as alone.

ThreadSanitizer runs this file too (make sanitize): what it would report need not make a number wrong.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

from bleuprint import (
    BLEU,
    LanguageModel,
    SelfBLEU,
    cider,
    corpus_bleu,
    corpus_chrf,
    corpus_meteor,
    corpus_rouge,
    corpus_ter,
    distinct,
    evaluate,
    pairwise,
    self_bleu,
    sentence_bleu,
)
from bleuprint.core import counts
from bleuprint.core.pool import Pool
from tests.support.processes import run_python

THREADS = 8


def texts(count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    words = [f"Word{number}" for number in range(300)]
    return [" ".join(chance.choices(words, k=12)) for _ in range(count)]


def at_once(works: list[Callable[[], Any]]) -> list[Any]:
    """What each of them gives, all started together; fails with the first error."""
    answers: list[Any] = [None] * len(works)
    start = threading.Barrier(len(works))

    def run(number: int) -> None:
        start.wait()
        try:
            answers[number] = works[number]()
        except BaseException as error:
            answers[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
    return answers


def test_every_threaded_call_at_once() -> None:
    hypotheses, references = texts(1500, 1), texts(1500, 2)
    model = LanguageModel.train(references, order=3, discount_fallback=True, threads=2)
    works: list[Callable[[], Any]] = [
        lambda: corpus_bleu(hypotheses, references, threads=3).columns,
        lambda: corpus_chrf(hypotheses[:300], references[:300], threads=2).columns,
        lambda: corpus_ter(hypotheses[:100], references[:100], threads=2).columns,
        lambda: corpus_rouge(hypotheses, references, threads=2).columns,
        lambda: corpus_meteor(hypotheses[:300], references[:300], threads=2).columns,
        lambda: cider(hypotheses, references, threads=2).value,
        lambda: self_bleu(hypotheses, threads=3).value,
        lambda: distinct(hypotheses, threads=2).value,
        lambda: pairwise(hypotheses[:60], references[:60], threads=2).tobytes(),
        lambda: LanguageModel.train(hypotheses, order=3, discount_fallback=True, threads=2).digest,
        lambda: model.perplexity(hypotheses[0]),
        lambda: evaluate(hypotheses, references, metrics=["bleu", "gleu", "wer"]).to_json(),
    ]
    alone = [work() for work in works]
    assert at_once(works) == alone
    assert at_once(works[::-1]) == alone[::-1]


def test_one_metric_updated_by_eight_threads() -> None:
    parts = [(texts(200, seed), texts(200, 100 + seed)) for seed in range(THREADS)]
    together, alone = SelfBLEU(), SelfBLEU()
    at_once([lambda part=part: together.update(part[0]) for part in parts])  # type: ignore[misc]
    for part in parts:
        alone.update(part[0])
    assert sorted(together.compute().per_text) == sorted(alone.compute().per_text)
    bleu = BLEU()
    for part in parts:
        bleu.update(*part)
    assert bleu.compute().columns == corpus_bleu(*map(sum_lists, zip(*parts, strict=True))).columns


def sum_lists(lists: tuple[list[str], ...]) -> list[str]:
    return [text for part in lists for text in part]


def test_a_pool_that_grows_while_it_is_counted() -> None:
    """Whoever counts finds the pool as it was before or after an addition, never in between."""
    pool = Pool("whitespace", False)
    batches = [counts.column(list(texts(400, seed)), groups=False, tokenized=False) for seed in range(6)]
    pool.add(batches[0], 1)

    def grow() -> None:
        for batch in batches[1:]:
            pool.add(batch, 2)
        pool.merge(pool)

    def count() -> set[int]:
        return {sum(count * words for count, words in pool.frequency_counts(1, 2)[0].items()) for _ in range(6)}

    found = at_once([grow, count, count, count])
    whole = 400 * 12
    assert set.union(*found[1:]) <= {whole * size for size in (1, 2, 3, 4, 5, 6, 12)}
    assert len(pool) == 400 * 6 * 2


def test_references_that_vanish_while_they_are_counted() -> None:
    """A long reference is read without the interpreter lock, while another thread takes it out of its list."""
    long = " ".join(texts(4000, 9))
    references: list[str] = []
    scored = threading.Event()

    def score() -> set[float]:
        found = set()
        for _ in range(6):
            references[:] = [f"{long} x"]
            found.add(round(sentence_bleu(long, references).value, 3))
        scored.set()
        return found

    def take_away() -> None:
        while not scored.wait(0.001):
            references[:] = ["y"]

    found, _ = at_once([score, take_away])
    assert found <= {1.0, 0.0}


def test_threads_that_bring_the_character_tables_at_once() -> None:
    """The first call in lower case hands the interpreter's tables over; of eight first calls at once only one does."""
    script = (
        "import threading; from bleuprint import corpus_bleu\n"
        "start, found = threading.Barrier(8), []\n"
        "def work():\n"
        "    start.wait()\n"
        "    found.append(corpus_bleu(['ΑΣ ÀÉ x'] * 3000, ['ας àé x'] * 3000, lowercase=True, threads=2).value)\n"
        "threads = [threading.Thread(target=work) for _ in range(8)]\n"
        "[thread.start() for thread in threads]; [thread.join() for thread in threads]\n"
        "assert len(found) == 8 and len(set(found)) == 1, found\n"
    )
    run_python("-c", script)

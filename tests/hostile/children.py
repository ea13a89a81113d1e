"""What the cases of processes run, each function in a process of its own: it prints its findings or fails.

With --tokens before its name all texts are lists of tokens.
"""

from __future__ import annotations

import gc
import itertools
import json
import multiprocessing
import os
import random
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from bleuprint import BLEU, LanguageModel, corpus_bleu, sentence_bleu, sentence_bleus, sentence_cer, sentence_wer
from bleuprint.core import _native
from bleuprint.errors import InputError

Corpus = tuple[list[Any], list[Any]]
MEGABYTE = 2**20
TOKENS = sys.argv[1:2] == ["--tokens"]


def given(text: str) -> Any:
    """The text as it is handed over."""
    return text.split() if TOKENS else text


def corpus(segments: int, words: int = 20, seed: int = 0) -> Corpus:
    chance = random.Random(seed)
    types = [f"word{number}" for number in range(500)]
    hypotheses = [" ".join(chance.choices(types, k=words)) for _ in range(segments)]
    references = [text.replace("word1", "word2") for text in hypotheses]
    return [given(text) for text in hypotheses], [given(text) for text in references]


def endless() -> Corpus:
    """About a minute of counting for one thread, in a few megabytes: the same long texts again and again."""
    hypotheses, references = corpus(100, words=2000)
    return hypotheses * 2000, references * 2000


def long_call(threads: int = 2) -> Callable[[], object]:
    """A call that uses about a minute of processor time: many words to count, or two lists of tokens to align."""
    if TOKENS:
        chance = random.Random(6)
        first, second = (chance.choices("abcdefgh", k=1_500_000) for _ in range(2))
        return lambda: sentence_wer(first, second)
    texts = endless()
    return lambda: corpus_bleu(*texts, threads=threads)


def begin(*calls: Callable[[], object]) -> None:
    """Start the calls in daemon threads, and return when they have worked for a while: they are inside the core."""
    before = _work_of_others()
    for call in calls:
        threading.Thread(target=call, daemon=True).start()
    while _work_of_others() - before < 0.5 * len(calls):
        time.sleep(0.01)


def _work_of_others() -> float:
    """Processor time that the other threads of this process have used."""
    return time.process_time() - time.thread_time()


def fork_after_use(*meanwhile: Callable[[], object]) -> None:
    """The child of a process that has used threads scores as its parent did."""
    texts = corpus(3000)
    score = corpus_bleu(*texts, threads=4).value
    begin(*meanwhile)
    child = os.fork()
    if child == 0:
        os._exit(0 if corpus_bleu(*texts, threads=4).value == score else 3)
    assert os.waitpid(child, 0)[1] == 0


def fork_during_use() -> None:
    """So does the child of a process where another thread is inside the core at that moment."""
    fork_after_use(long_call())


def worker_processes() -> None:
    """Workers of both kinds, started by a process that has used threads."""
    texts = corpus(300)
    score = corpus_bleu(*texts, threads=4).value
    for kind in ("fork", "spawn"):
        with multiprocessing.get_context(kind).Pool(2) as workers:
            assert workers.map(_corpus_score, [texts] * 4) == [score] * 4


def _corpus_score(texts: Corpus) -> float:
    return corpus_bleu(*texts, threads=2).value


def eight_threads() -> None:
    """Eight threads that score at once, each several times and some of them one metric together."""
    corpora = [corpus(400 + 50 * number, seed=number) for number in range(8)]
    shared = BLEU()
    alone = [_all_scores(shared, texts) for texts in corpora]
    found: list[list[object]] = [[] for _ in corpora]

    def work(number: int) -> None:
        for _ in range(5):
            found[number].append(_all_scores(shared, corpora[number]))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[expected] * 5 for expected in alone]


def _all_scores(metric: BLEU, texts: Corpus) -> tuple[float, bytes, bytes]:
    rows = metric.statistics(*texts, threads=2).rows.tobytes()
    return metric.corpus(*texts, threads=3).value, metric.sentences(*texts).tobytes(), rows


def changed_meanwhile() -> None:
    """Another thread empties and refills the lists being scored: an answer or an error, never a crash."""
    hypotheses, references = corpus(2000)
    stop = threading.Event()

    def change() -> None:
        saved = hypotheses.copy()
        while not stop.is_set():
            hypotheses.clear()
            hypotheses.extend(saved)
            references[random.randrange(len(references))] = given("x " * random.randrange(100))

    changer = threading.Thread(target=change)
    changer.start()
    answers = 0
    for _ in range(100):
        try:
            answers += 0.0 <= corpus_bleu(hypotheses, references, threads=2).value <= 1.0
        except InputError:
            answers += 1
    stop.set()
    changer.join()
    assert answers == 100


def until_interrupted(call: Callable[..., object], *arguments: object, **options: object) -> None:
    """Say when the call begins, and the processor time it had used when Ctrl-C arrived."""
    print("ready", flush=True)
    try:
        call(*arguments, **options)
    except KeyboardInterrupt:
        print(time.process_time(), flush=True)


def interrupted(threads: str) -> None:
    until_interrupted(long_call(int(threads)))
    # Nothing is left behind that would spoil the next call.
    assert corpus_bleu(["a b c d"], ["a b c d"]).value == 1.0


def interrupted_update() -> None:
    """An update that Ctrl-C stopped has added nothing."""
    metric = BLEU().update(["a b c d"], ["a b c d"])
    before = metric.compute().columns
    until_interrupted(metric.update, *endless())
    assert metric.compute().columns == before


def interrupted_conversion() -> None:
    """A signal while lists of tokens are read, which needs the interpreter's lock all the time."""
    texts = [["a"] * 2000] * 15_000
    found: list[object] = []
    signal.signal(signal.SIGPROF, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_PROF, 0.02)  # of processor time: the call has begun, and is not over
    with suppress(KeyboardInterrupt):
        # The interpreter looks for signals after `extend`, so a call that did not look has left its column here.
        found.extend(map(_native.column_from_sequence, [texts], [False], [True]))
    assert not found


def interrupted_alignment() -> None:
    """Two unlike lines of ten megabytes would take an hour to align."""
    chance = random.Random(5)
    first, second = ("".join(chance.choices("abcdefgh ", k=10_000_000)) for _ in range(2))
    until_interrupted(sentence_cer, first, second)
    assert sentence_cer("a", "a").value == 0.0


def interrupted_training() -> None:
    """Twelve million words, counted in six orders."""
    texts = corpus(100, words=2000)[0] * 60
    until_interrupted(LanguageModel.train, texts, order=6, discount_fallback=True)
    assert LanguageModel.train(["a b"], order=2, discount_fallback=True).ngram_counts == (5, 3)


def exit_inside() -> None:
    """The interpreter ends while daemon threads are inside the core."""
    begin(long_call(1), long_call(2))


def others_run() -> None:
    """Another thread runs again and again during a call; if that kept the interpreter's lock, it might run twice."""
    hypotheses, references = corpus(3000)
    texts = hypotheses * 100, references * 100
    ticks, stop = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.wait(0.002):
            ticks += 1

    ticker = threading.Thread(target=tick)
    ticker.start()
    found = 0
    for _ in range(100):  # on a busy machine other processes may keep it from running
        before = ticks
        corpus_bleu(*texts, threads=1)
        if (found := ticks - before) >= 10:
            break
    stop.set()
    ticker.join()
    assert found >= 10, found


def memory_limits() -> None:
    """Every call under every limit answers right or raises MemoryError; prints how often which."""
    many, text = corpus(20_000, words=10), given("a b c d e f g " * 200_000)
    short = [given("a b c d")] * 255  # a block of 256 with the long one, so that two threads have one each
    tokens = [[str(number) for number in range(100_000)]]
    calls: list[tuple[Callable[[], Any], Any]] = [
        (lambda: corpus_bleu(*many, threads=4).columns, corpus_bleu(*many).columns),
        (lambda: sentence_bleus(*many, threads=4).tobytes(), sentence_bleus(*many).tobytes()),
        (lambda: sentence_bleu(text, text).value, 1.0),
        (lambda: corpus_bleu([text, *short] * 2, [given("a b c d")] * 512, threads=4).columns[2], 512 * 4),
        (lambda: corpus_bleu(tokens, tokens).value, 1.0),
    ]
    outcomes = {"right": 0, "memory": 0}
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    for (call, expected), headroom in itertools.product(calls, (0, 1, 2, 4, 6, 9, 13, 20, 40, 80, 400)):
        gc.collect()
        resource.setrlimit(resource.RLIMIT_AS, (_address_space() + headroom * MEGABYTE // 4, hard))
        try:
            assert call() == expected
            outcomes["right"] += 1
        except MemoryError:
            outcomes["memory"] += 1
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    print(json.dumps(outcomes))


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def fingerprint() -> None:
    """Numbers that no hash seed and no switch of the interpreter may move."""
    texts = corpus(2000)
    print(
        json.dumps(
            {
                "corpus": [BLEU(smoothing=name).corpus(*texts).value.hex() for name in ("exp", "floor", "method4")],
                "sentences": sentence_bleus(*texts, lowercase=True, tokenizer="intl").tobytes().hex(),
                "rows": BLEU(max_order=6).statistics(*texts).rows.tobytes().hex(),
                "signature": corpus_bleu(*texts).signature,
                "errors": [_message(call) for call in _FAILING],
            }
        )
    )


_FAILING: list[Callable[[], object]] = [
    lambda: corpus_bleu(["a"], []),
    lambda: corpus_bleu(["a", 3], ["a", "b"]),  # type: ignore[list-item]
    lambda: corpus_bleu("a", "a"),
    lambda: sentence_bleu("a", []),
    lambda: sentence_bleu("\ud800", "a"),
    lambda: BLEU(max_order=0),
    lambda: BLEU(smoothing="banana"),
    lambda: BLEU.from_signature("banana"),
]


def _message(call: Callable[[], object]) -> str:
    try:
        call()
    except ValueError as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


def growth(kind: str) -> None:
    """Resident bytes gained by thousands of calls, good or failing, after a warm-up."""
    texts = corpus(3)
    split = texts if TOKENS else [[text.split() for text in side] for side in texts]

    def good() -> None:
        corpus_bleu(*texts)
        sentence_bleu(texts[0][0], [texts[1][0], None])
        sentence_bleus(*split)

    def bad() -> None:
        for call in _FAILING:
            _message(call)

    call, times = (good, 5_000 if TOKENS else 20_000) if kind == "good" else (bad, 20_000 // len(_FAILING))
    for _ in range(1000):
        call()
    gc.collect()
    before = _resident()
    for _ in range(times):
        call()
    gc.collect()
    print(_resident() - before)


def kept_after_use() -> None:
    """Resident bytes that stay after a hundred megabytes of texts were scored and dropped."""
    corpus_bleu(*corpus(1000), threads=2)
    gc.collect()
    before = _resident()
    texts = [given(f"{number} " * 10) for number in range(500_000)]
    corpus_bleu(texts, texts, threads=2)
    del texts
    gc.collect()
    print(_resident() - before)


def _batches(number: int) -> Iterator[Corpus]:
    """Batches of a thousand different segments."""
    left, right = corpus(997, words=6, seed=1)[0], corpus(991, words=6, seed=2)[0]
    for batch in range(number):
        numbers = range(1000 * batch, 1000 * (batch + 1))
        hypotheses = [f"{left[n % 997]} {right[n % 991]} {n}" for n in numbers]
        yield hypotheses, [f"{left[n % 997]} {right[7 * n % 991]}" for n in numbers]


def long_stream(thousands: str) -> None:
    """A stream of so many segments: equal to the batch, and how much the peak rose on the way."""
    metric, rows = BLEU(), _batches(int(thousands))
    metric.update(*next(rows))
    before = _peak()
    for batch in rows:
        metric.update(*batch)
    risen = _peak() - before
    hypotheses, references = (
        list(itertools.chain.from_iterable(part)) for part in zip(*_batches(int(thousands)), strict=True)
    )
    score = corpus_bleu(hypotheses, references)
    assert len(hypotheses) == 1000 * int(thousands)
    assert metric.compute().columns == score.columns
    assert metric.compute().value == score.value
    assert 0.0 < score.value < 1.0
    print(risen)


if __name__ == "__main__":
    name, *arguments = sys.argv[1 + TOKENS :]
    globals()[name](*arguments)

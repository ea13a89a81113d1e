"""A digest of everything the core counts, to be compared between processes with different seeds of their tables."""

from __future__ import annotations

import hashlib
import json
import random

import numpy as np

from bleuprint import LanguageModel, pairwise, self_bleu, sentence_bleus
from bleuprint.core import counts
from bleuprint.core.pool import Pool
from bleuprint.core.prior import Prior
from tests.support.tables import REFERENCE_TABLE


def texts(count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    words = [*"abcdefg", "naïve", "猫", "a-token-of-more-than-sixteen-bytes", *map(str, range(200))]
    return [" ".join(chance.choices(words, k=chance.randrange(1, 30))) for _ in range(count)]


def rows(name: str, hypotheses: list[str], references: list[str]) -> bytes:
    metric = REFERENCE_TABLE[name]()
    sources = texts(len(hypotheses), 3) if metric.needs_sources else None
    counted: bytes = metric.statistics(hypotheses, references, sources=sources).rows.tobytes()
    return counted


def pools(found: dict[str, bytes], hypotheses: list[str], references: list[str]) -> None:
    pool, other = Pool("whitespace", False), Pool("whitespace", False)
    pool.add(counts.column(list(hypotheses), groups=False, tokenized=False), 2)
    other.add(counts.column(list(references), groups=False, tokenized=False), 1)
    found["content"] = pool.content()
    found["frequencies"] = repr(pool.frequency_counts(2, 2)).encode()
    found["sets"] = b"".join(part.tobytes() for part in pool.ngram_sets(2, 2)[:3])
    found["paired"] = pool.paired_counts(other, 2, 2).tobytes()
    found["shared"] = repr(pool.most_shared(2, 50, 2)).encode()
    found["duplicates"] = pool.duplicates(1).tobytes()
    found["left out"] = pool.leave_one_out(4, 2).tobytes()
    column = counts.column(list(hypotheses), groups=False, tokenized=False)
    for by_segment in (False, True):
        prior = Prior(column, "whitespace", False, 3, by_segment=by_segment, threads=2)
        found[f"prior {by_segment}"] = prior.name.encode()


def digests() -> dict[str, str]:
    hypotheses, references = texts(60, 1), texts(60, 2)
    found: dict[str, bytes] = {}
    for name in REFERENCE_TABLE:
        found[name] = rows(name, hypotheses, references)
    pools(found, hypotheses, references)
    model = LanguageModel.train(references, order=3, discount_fallback=True)
    found["model"] = model.to_bytes()
    found["pairs"] = pairwise(hypotheses[:20], references[:20]).tobytes()
    found["self"] = np.asarray(self_bleu(hypotheses).per_text).tobytes()
    found["sentences"] = sentence_bleus(hypotheses, references).tobytes()
    return {name: hashlib.sha256(content).hexdigest() for name, content in found.items()}


if __name__ == "__main__":
    print(json.dumps(digests()))

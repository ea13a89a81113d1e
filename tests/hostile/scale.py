"""Cases of size: what is too long, too many or made to collide, with answers that can be written down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from tests.hostile.apis import APIS, Api, Made, both
from tests.hostile.case import Case, Right

TOKENS = APIS[1]
ORDER = 4
MERSENNE = 2**61 - 1  # Python's hash of an integer is its remainder by this


def totals(length: int, order: int = ORDER) -> list[int]:
    return [max(0, length - n) for n in range(order)]


def perfect(length: int, segments: int = 1, order: int = ORDER) -> tuple[tuple[int, ...], float]:
    """What equal texts of so many words count."""
    counted = [segments * total for total in totals(length, order)]
    return (segments * length, segments * length, *counted, *counted), 1.0


def equal_texts(text: Callable[[], str], length: int, segments: int = 1, **options: Any) -> Callable[[Api], Made]:
    def call(api: Api) -> object:
        given = [api.text(text())] * segments
        return api.bleu(given, given, **options)

    return lambda api: (lambda: call(api), Right(lambda: perfect(length, segments, options.get("max_order", ORDER))))


@cache
def colliding_words(count: int) -> list[str]:
    """Words of one length that differ in two letters only, which weak hashes of strings map to few places."""
    letters = [chr(code) for code in range(0x21, 0x7F)]
    return [
        f"Aa{first}BB{second}Aa{third}"
        for first in letters
        for second in letters
        for third in letters[: -(-count // 8836)]
    ][:count]


def colliding_numbers(count: int) -> list[int]:
    """Numbers with one hash in Python, whose dictionaries take a minute for thirty thousand of them."""
    return [1 + MERSENNE * number for number in range(count)]


def one_word_against_many(count: int) -> Callable[[Api], Made]:
    """A million times the same word, of which the reference has a hundred thousand."""
    few = count // 10
    matched = [few - n for n in range(ORDER)]
    return lambda api: (
        lambda: api.bleu([api.text("a " * count)], [[api.text("a " * few)]]),
        Right(
            lambda: (
                (count, few, *matched, *totals(count)),
                geometric_mean([(few - n) / (count - n) for n in range(ORDER)]),
            )
        ),
    )


def geometric_mean(values: Sequence[float]) -> float:
    product = 1.0
    for value in values:
        product *= value
    return float(product ** (1 / len(values)))


def empty_lines(count: int) -> Callable[[Api], Made]:
    def call(api: Api) -> object:
        given = [api.text("")] * count
        return api.bleu(given, given if not api.tokenized else [[text] for text in given])

    return lambda api: (lambda: call(api), Right(lambda: ((0,) * (2 + 2 * ORDER), 0.0)))


def many_references(count: int) -> Callable[[Api], Made]:
    """Only one of them has the last word, and each has one word more than the hypothesis."""

    def call(api: Api) -> object:
        references = [api.text(f"a b c r{number} s") for number in range(count)]
        return api.bleu([api.text(f"a b c r{count - 1}")], [references])

    return lambda api: (
        lambda: call(api),
        Right(lambda: ((4, 5, 4, 3, 2, 1, 4, 3, 2, 1), 2.718281828459045 ** (1 - 5 / 4))),
    )


def long_against_short(count: int) -> Callable[[Api], Made]:
    return lambda api: (
        lambda: api.bleu([api.text("a b c d")], [[api.text("a b c d " * count)]])[0],
        Right(lambda: (4, 4 * count, 4, 3, 2, 1, 4, 3, 2, 1)),
    )


def high_order(count: int) -> Callable[[Api], Made]:
    """Every 16-gram is another, so nothing is pruned."""
    return equal_texts(lambda: " ".join(f"{number * number % 10007}" for number in range(count)), count, max_order=16)


SCALE = [
    *both(
        {
            "line-of-10-mb": equal_texts(lambda: "word " * 2_000_000, 2_000_000),
            "word-of-10-mb": equal_texts(lambda: f"{'x' * 10_000_000} a b c", 4),
            "one-word-a-million-times": one_word_against_many(1_000_000),
            "a-million-empty-lines": empty_lines(1_000_000),
            "100000-references": many_references(100_000),
            "counts-above-65536": one_word_against_many(700_000),
            "crafted-collisions": equal_texts(lambda: " ".join(colliding_words(200_000)), 200_000),
            "a-million-types": equal_texts(lambda: " ".join(map(str, range(1_000_000))), 1_000_000),
            "200000-segments": equal_texts(lambda: "a b c d e", 5, segments=200_000),
            "long-against-short": long_against_short(250_000),
            "order-16-on-long-text": high_order(100_000),
        }
    ),
    *both(
        {
            "colliding-numbers": lambda api: (
                lambda: api.bleu([colliding_numbers(100_000)], [[colliding_numbers(100_000)]]),
                Right(lambda: perfect(100_000)),
            ),
            "numbers-of-1000-digits": lambda api: (
                lambda: api.bleu(*[[[10**1000 + number for number in range(2000)]]] * 2),
                Right(lambda: perfect(2000)),
            ),
        },
        [TOKENS],
    ),
]

GROUPS: dict[str, list[Case]] = {"scale": SCALE}

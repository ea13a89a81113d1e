"""What the pool kernels compute, said plainly: the oracle they are compared with."""

from collections import Counter
from collections.abc import Sequence

from tests.kernels.twins.clipped import Token, clipped_matches, reference_length

Text = Sequence[Token]
Ngram = tuple[Token, ...]


def ngrams(text: Text, order: int) -> list[Ngram]:
    """All n-grams of a text, in order."""
    return [tuple(text[start : start + order]) for start in range(len(text) - order + 1)]


def closest_length(text: Text, references: Sequence[Text]) -> int:
    """The reference length nearest to the text's own, the shorter of two equally near; 0 if there is none."""
    lengths = [len(reference) for reference in references]
    return reference_length("closest", len(text), lengths) if lengths else 0


def cross(queries: Sequence[Text], references: Sequence[Text], max_order: int) -> list[list[int]]:
    """Clipped matches of each query against all references, per order."""
    return [[clipped_matches(query, references, n) for n in range(1, max_order + 1)] for query in queries]


def cross_lengths(queries: Sequence[Text], references: Sequence[Text]) -> list[int]:
    return [closest_length(query, references) for query in queries]


def others(texts: Sequence[Text], index: int) -> list[Text]:
    return [*texts[:index], *texts[index + 1 :]]


def leave_one_out(texts: Sequence[Text], max_order: int) -> list[list[int]]:
    """Clipped matches of each text against all the others, per order: quadratic, as the definition is."""
    return [cross([text], others(texts, index), max_order)[0] for index, text in enumerate(texts)]


def leave_one_out_lengths(texts: Sequence[Text]) -> list[int]:
    return [closest_length(text, others(texts, index)) for index, text in enumerate(texts)]


def counts(texts: Sequence[Text], order: int) -> Counter[Ngram]:
    """How often each n-gram occurs, in order of first appearance."""
    return Counter(ngram for text in texts for ngram in ngrams(text, order))


def distinct(texts: Sequence[Text], max_order: int) -> list[tuple[int, int]]:
    """Per order: different n-grams, all n-grams."""
    tables = [counts(texts, order) for order in range(1, max_order + 1)]
    return [(len(table), table.total()) for table in tables]


def distinct_per_text(texts: Sequence[Text], max_order: int) -> list[list[int]]:
    return [[different for different, _ in distinct([text], max_order)] for text in texts]


def frequency_counts(texts: Sequence[Text], max_order: int) -> list[Counter[int]]:
    """Per order: how many different n-grams occur how often."""
    return [Counter(counts(texts, order).values()) for order in range(1, max_order + 1)]


def paired_counts(first: Sequence[Text], second: Sequence[Text], order: int) -> list[tuple[int, int]]:
    """For each n-gram of either side: its count in the one and in the other."""
    left, right = counts(first, order), counts(second, order)
    return [(left[ngram], right[ngram]) for ngram in counts([*first, *second], order)]


def most_shared(texts: Sequence[Text], order: int, limit: int) -> list[tuple[int, Ngram]]:
    """The n-grams in the most texts; of equal counts, the one that appears first."""
    table = Counter(ngram for text in texts for ngram in dict.fromkeys(ngrams(text, order)))
    return [(count, ngram) for ngram, count in table.most_common(limit)]


def duplicates(texts: Sequence[Text]) -> list[int]:
    """A number per text, equal for equal texts; numbers follow the first text of each."""
    numbers: dict[Ngram, int] = {}
    return [numbers.setdefault(tuple(text), len(numbers)) for text in texts]


def ngram_numbers(texts: Sequence[Text], order: int) -> list[int]:
    """A number per token: from 1 on for n-grams that occur again, 0 for those that do not, -1 where none starts."""
    table, numbers, row = counts(texts, order), dict[Ngram, int](), list[int]()
    for text in texts:
        for ngram in ngrams(text, order):
            row.append(numbers.setdefault(ngram, len(numbers) + 1) if table[ngram] > 1 else 0)
        row.extend([-1] * min(len(text), order - 1))
    return row


def other_texts(texts: Sequence[Text], order: int) -> list[int]:
    """Per text, over its different n-grams: how many other texts have them, in all."""
    holders = Counter(ngram for text in texts for ngram in set(ngrams(text, order)))
    return [sum(holders[ngram] - 1 for ngram in set(ngrams(text, order))) for text in texts]


def ngram_sets(texts: Sequence[Text], order: int, *, repeats_count: bool) -> list[frozenset[tuple[Ngram, int]]]:
    """The n-grams of each text, each with a 0, or with how often the text had it before."""
    sets = []
    for text in texts:
        before = Counter[Ngram]()
        elements = set()
        for ngram in ngrams(text, order):
            elements.add((ngram, before[ngram] if repeats_count else 0))
            before[ngram] += 1
        sets.append(frozenset(elements))
    return sets


def window_types(texts: Sequence[Text], window: int) -> int:
    """The different tokens of all windows of the texts read as one."""
    tokens = [token for text in texts for token in text]
    return sum(len(set(tokens[start : start + window])) for start in range(len(tokens) - window + 1))


def stretches(texts: Sequence[Text], threshold: float, *, backward: bool) -> tuple[int, int, int]:
    """Stretches that end where the share of different tokens has fallen to the threshold, and the rest."""
    tokens = [token for text in texts for token in text]
    complete, rest = 0, list[Token]()
    for token in reversed(tokens) if backward else tokens:
        rest.append(token)
        if len(set(rest)) / len(rest) <= threshold:
            complete, rest = complete + 1, []
    return complete, len(rest), len(set(rest))


def loops(texts: Sequence[Text], max_period: int, times: int) -> list[tuple[int, int, int, int]]:
    """The longest spans of each period that repeat their first tokens at least so many times."""
    found = []
    for place, text in enumerate(texts):
        for period in range(1, max_period + 1):
            begin = 0
            while begin + period <= len(text):
                end = begin + period
                while end < len(text) and text[end] == text[end - period]:
                    end += 1
                if end - begin >= times * period:
                    found.append((place, begin, end, period))
                begin = end - period + 1
    return found


def content(texts: Sequence[Text]) -> bytes:
    """Each text as its length and the numbers of its tokens; where a token appears first, its bytes follow."""
    known, written = dict[Token, int](), bytearray()
    for text in texts:
        written += varint(len(text))
        for token in text:
            is_new = token not in known
            written += varint(known.setdefault(token, len(known)))
            if is_new:
                coded = token.encode() if isinstance(token, str) else b"\xff" + hex(token).encode()
                written += varint(len(coded)) + coded
    return bytes(written)


def varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    return bytes([number]) if number < 0x80 else bytes([number & 0x7F | 0x80]) + varint(number >> 7)


def texts_of(content: bytes) -> list[list[Token]]:
    """The texts of such bytes, or a ValueError."""
    at = 0

    def take(size: int) -> bytes:
        nonlocal at
        at += size
        if at > len(content):
            raise ValueError("the bytes end too early")
        return content[at - size : at]

    def number() -> int:
        value = 0
        for shift in range(0, 64, 7):
            byte = take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value % (1 << 64)
        raise ValueError("the bytes hold a number of more than 64 bits")

    known, texts = list[Token](), list[list[Token]]()
    while at < len(content):
        texts.append([])
        for _ in range(number()):
            place = number()
            if place > len(known):
                raise ValueError("the bytes name a token before it appears")
            if place == len(known):
                known.append(token_of(take(number())))
            texts[-1].append(known[place])
    return texts


def token_of(coded: bytes) -> Token:
    """A str as UTF-8, or a byte that is not part of UTF-8 and an int as Python writes it in base 16."""
    if coded[:1] != b"\xff":
        return coded.decode()
    number = int(coded[1:], 16)
    if hex(number).encode() != coded[1:]:
        raise ValueError("the bytes hold a token that is neither UTF-8 nor a number")
    return number

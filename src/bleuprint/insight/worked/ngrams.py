"""What metrics of n-grams count: tables with the n-grams of each order, and the columns that follow from them."""

from __future__ import annotations

import math
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import chain
from operator import or_

from bleuprint.core import counts
from bleuprint.core.arrays import Integers, np
from bleuprint.core.columns import Corpus, Text
from bleuprint.core.edit_paths import common_subsequence
from bleuprint.core.prior import Prior
from bleuprint.insight.worked.board import Board, Segment, Token, Tokens, check, tokens_of, which_reference
from bleuprint.insight.worked.model import Cell, MarkedText, WorkTable
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import exp, ratio, sum_of
from bleuprint.metrics.base.terms import Term, maximum
from bleuprint.metrics.bleu import BleuFormula
from bleuprint.metrics.smoothing import Smoothing

Gram = tuple[Token, ...]
Texts = Mapping[str, Tokens]  # by their names

_OF_OUTPUT, _OF_REFERENCE = "n-grams of the output", "n-grams of the reference"


def grams(tokens: Sequence[Token], order: int) -> Counter[Gram]:
    """Every n-gram with its number of occurrences, in order of first appearance."""
    return Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))


def _most(texts: Iterable[Tokens], order: int) -> Counter[Gram]:
    """How often any one of the texts has each n-gram."""
    counted = [grams(text, order) for text in texts]
    return reduce(or_, counted) if counted else Counter()


def ngram_table(
    order: int, listed: Iterable[Gram], columns: Mapping[str, Mapping[Gram, Cell]], separator: str = " "
) -> WorkTable:
    """A row for each n-gram."""
    name = f"{order}-gram" if order > 1 else "word" if separator else "character"
    rows = ((separator.join(map(str, gram)), *(column.get(gram, 0) for column in columns.values())) for gram in listed)
    return WorkTable((name, *columns), tuple(rows))


def _clipped_table(
    order: int,
    ours: Tokens,
    theirs: Iterable[Tokens],
    where: str = "in the reference",
    separator: str = " ",
    more: Mapping[str, Mapping[Gram, Cell]] | None = None,
) -> WorkTable:
    """The n-grams of the output, which count at most as often as any one of the other texts has them."""
    mine, limits = grams(ours, order), _most(theirs, order)
    columns = {"in the output": mine, where: limits, "counted": mine & limits, **(more or {})}
    return ngram_table(order, mine, columns, separator)


def mark(role: str, tokens: Tokens, others: Iterable[Tokens], orders: range, separator: str = " ") -> MarkedText:
    """A text with the n-grams marked that it shares with any one of the others."""
    marks, compared = [0] * len(tokens), list(others)
    for order in orders:
        left = _most(compared, order)
        for at in range(len(tokens) - order + 1):
            gram = tokens[at : at + order]
            if left.get(gram, 0) > 0:
                left[gram] -= 1
                marks[at : at + order] = [order] * order
    return MarkedText(role, tokens, tuple(marks), separator)


def _show_texts(
    board: Board, ours: Tokens, theirs: Texts, orders: range, only: str | None = None, separator: str = " "
) -> None:
    """Mark what the output shares with the references, or with the only one that counts."""
    compared = [name for name in theirs if only in (None, name)]
    board.texts.append(mark("output", ours, [theirs[name] for name in compared], orders, separator))
    for name, text in theirs.items():
        board.texts.append(mark(name, text, [ours] * (name in compared), orders, separator))


def bleu(board: Board, segment: Segment) -> None:
    """BLEU, sentence BLEU, or iBLEU: then symbols with R are against the references, those with I against the input."""
    definition = segment.definition if isinstance(segment.formula, BleuFormula) else segment.formula.bleu
    orders = range(1, definition.formula.max_order + 1)
    ours, theirs = segment.tokens()
    _show_texts(board, ours, theirs, orders)
    if segment.source is None:
        _show_matches(board, definition, ours, theirs, 0, "")
    else:
        before = segment.tokens_of(segment.source)
        board.texts.append(mark("input", before, [ours], orders))
        _show_matches(board, definition, ours, theirs, 0, "_R")
        _show_matches(board, definition, ours, {"input": before}, len(board.columns) // 2, "_I")
    smoothing: Smoothing = definition.formula.smoothing
    value = "" if smoothing.value is None else f"{smoothing.value:g}"
    summary = smoothing.rules.summary.format(value=value)
    smoothed = f"Matches divided by totals. Smoothing: {summary[:1].lower()}{summary[1:]}"
    board.headings |= dict.fromkeys("pqab", ("Precisions", smoothed))


def _show_matches(board: Board, definition: Definition, ours: Tokens, theirs: Texts, start: int, suffix: str) -> None:
    """Lengths and clipped matches; their columns begin at `start`, and their symbols end in `suffix`."""
    lengths = ", ".join(f"{name}: {len(text)}" for name, text in theirs.items())
    rule = f" Rule for several lengths: {definition.options['reference_length']}." if len(theirs) > 1 else ""
    board.step("Tokens and lengths", f"Tokens: {len(ours)} in the output; {lengths}.{rule}")
    check("length", len(ours), board.columns[start])
    where = "in the reference" if len(theirs) == 1 else "most in one reference"
    orders = range(1, definition.formula.counted_orders + 1)
    tables = [_clipped_table(order, ours, theirs.values(), where) for order in orders]
    text = "An n-gram counts at most as often as any one reference has it (clipping)."
    beyond = " The smoothing method also looks at this order."
    texts = [text + beyond * (order > definition.formula.max_order) for order in orders]
    _show_orders(board, "Clipped matches of order {}", texts, tables, start, suffix)


def _show_orders(
    board: Board, name: str, texts: Sequence[str], tables: Sequence[WorkTable], start: int, suffix: str
) -> None:
    """Show the lengths in the current step, and a step for each order; the last cell of a row says what counts."""
    board.column(start, f"c{suffix}")
    board.column(start + 1, f"r{suffix}")
    for order, (text, table) in enumerate(zip(texts, tables, strict=True), start=1):
        matches, total = start + 1 + order, start + 1 + len(tables) + order
        check(f"matches of order {order}", max(0, sum(int(row[-1]) for row in table.rows)), board.columns[matches])
        short = " The text is too short for this order, which counts as 0 of 1."
        board.step(name.format(order), text + short * bool(not table.rows and board.columns[total]), table)
        board.column(matches, f"m_{order}{suffix}")
        board.column(total, f"t_{order}{suffix}")


def gleu(board: Board, segment: Segment) -> None:
    """The n-grams of all orders that GLEU counts together."""
    options, (ours, theirs) = segment.definition.options, segment.tokens()
    orders = range(int(options["min_order"]), int(options["max_order"]) + 1)
    best = segment.best_reference(board)
    _show_texts(board, ours, theirs, orders, best)
    matches: list[Term] = []
    totals: tuple[list[Term], list[Term]] = ([], [])
    which = which_reference("the one with the highest GLEU", theirs, best)
    for order in orders:
        table = _clipped_table(order, ours, [theirs[best]])
        text = f"An n-gram counts at most as often as the reference has it.{which if order == orders.start else ''}"
        board.step(f"Clipped matches of order {order}", text, table)
        matches.append(board.count(f"m_{order}", sum(int(row[3]) for row in table.rows)))
        totals[0].append(board.count(f"h_{order}", grams(ours, order).total(), _OF_OUTPUT))
        totals[1].append(board.count(f"r_{order}", grams(theirs[best], order).total(), _OF_REFERENCE))
    board.step("Sums", "The n-grams of all orders are counted together.")
    board.write("m", sum_of(matches), place=0, note="matches")
    output = board.write("h", sum_of(totals[0]), place=2, note=_OF_OUTPUT)
    reference = board.write("r", sum_of(totals[1]), place=3, note=_OF_REFERENCE)
    board.write("larger", maximum(output, reference), place=1)


def chrf(board: Board, segment: Segment) -> None:
    """The runs of characters and words that chrF counts."""
    formula, options = segment.formula, segment.definition.options

    def units(text: Text) -> tuple[Tokens, Tokens]:
        letters = str(text).lower() if options["lowercase"] else str(text)
        return tuple(letters if options["whitespace"] else "".join(letters.split())), tuple(_chrf_words(letters))

    ours, theirs = segment.read(units)
    best = segment.best_reference(board)
    kinds = [(0, "characters", "", order) for order in range(1, formula.char_order + 1)]
    kinds += [(1, "words", "w", order) for order in range(1, formula.word_order + 1)]
    first, highest = kinds[0][0], formula.char_order or formula.word_order
    shown = {name: text[first] for name, text in theirs.items()}
    _show_texts(board, ours[first], shown, range(1, highest + 1), best, " " * first)
    for place, (unit, of, letter, order) in enumerate(kinds):
        hypothesis, reference, matches = range(3 * place, 3 * place + 3)
        which = which_reference("the one with the highest score", theirs, best) if place == 0 else ""
        runs = of.capitalize() if order == 1 else f"Runs of {order} {of}"
        rule = f"{runs}, at most as often as the reference has them.{which}"
        table = _clipped_table(order, ours[unit], [theirs[best][unit]], separator=" " * unit)
        board.step(f"{of.capitalize()}, order {order}", rule, table)
        board.column(matches, f"m_{letter}{order}")
        board.column(hypothesis, f"h_{letter}{order}", _OF_OUTPUT)
        board.column(reference, f"r_{letter}{order}", _OF_REFERENCE)


def _chrf_words(text: str) -> list[str]:
    """Words, with one punctuation mark split off the end of each, or else off its beginning."""
    words: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def rouge(board: Board, segment: Segment) -> None:
    """The units of every type of ROUGE."""
    ours, theirs = segment.read(lambda text: _lines(segment.definition, text))
    types = segment.formula.types
    chosen = [segment.best_reference(board, slice(3 * place, 3 * place + 3)) for place in range(len(types))]
    longest = int(types[0][-1]) if types[0][-1].isdigit() else 1
    flat = {name: _flatten(lines) for name, lines in theirs.items()}
    _show_texts(board, _flatten(ours), flat, range(1, longest + 1), chosen[0])
    board.shows_parts = True
    for place, (kind, best) in enumerate(zip(types, chosen, strict=True)):
        name = kind.removeprefix("rouge")
        text, table = _rouge_units(name, ours, theirs[best])
        board.step(f"ROUGE-{name}", text + which_reference("the one with the highest F", theirs, best), table)
        board.column(3 * place, f"m_{name}")
        board.column(3 * place + 1, f"h_{name}", "units of the output")
        board.column(3 * place + 2, f"r_{name}", "units of the reference")


def _rouge_units(name: str, ours: list[Tokens], theirs: list[Tokens]) -> tuple[str, WorkTable]:
    """What is matched, and the matches."""
    if name.isdigit():
        units = "Words" if name == "1" else f"{name}-grams"
        text = f"{units}, at most as often as the reference has them."
        return text, _clipped_table(int(name), _flatten(ours), [_flatten(theirs)])
    if name == "L":
        ours, theirs = [_flatten(ours)], [_flatten(theirs)]
        text = "The words of a longest common subsequence: same order, gaps allowed."
    else:
        text = (
            "Per line of the reference, the union of its longest common subsequences with every line of the output; "
            "no word more often than the output has it."
        )
    left, matched = Counter(_flatten(ours)), []
    for line in theirs:
        for at in sorted({place for other in ours for place in common_subsequence(line, other)}):
            if left[line[at]] > 0:
                matched.append((str(line[at]),))
            left[line[at]] -= 1
    return text, WorkTable(("matched word",), tuple(matched))


def _lines(definition: Definition, text: Text) -> list[Tokens]:
    """The words of each line, stemmed if the metric does that."""
    tokenizer = definition.tokenizer
    lines: list[list[Token]] = [[]]
    if isinstance(text, str) and tokenizer.native:
        lines = [list(tokens_of(line, tokenizer)) for line in text.split("\n")]
    else:
        for token in tokens_of(text, tokenizer):
            if token == "\n":
                lines.append([])
            else:
                lines[-1].append(token)
    if definition.options["stemmer"] is True:  # a stemmer of another package stems the tokens
        lines = [[counts.stem(w) if isinstance(w, str) and len(w) > 3 else w for w in line] for line in lines]
    return [tuple(line) for line in lines]


def _flatten(lines: Iterable[Tokens]) -> Tokens:
    return tuple(chain.from_iterable(lines))


def nist(board: Board, segment: Segment) -> None:
    """The information of n-grams, weighted by the segment's own references or by those that were fitted."""
    orders = range(1, segment.formula.max_order + 1)
    ours, theirs = segment.tokens()
    _show_texts(board, ours, theirs, orders)
    lengths = 0
    where = "the fitted references, at least 1" if segment.learned_before else "the references"
    for order in orders:
        carried = dict(zip(theirs, _information(segment.rows_alone, order), strict=True))
        # Sums that are equal but for rounding are equal, and ties go to the longest.
        best = max(carried, key=lambda name: (round(carried[name], 9), len(theirs[name])))
        lengths += len(theirs[best])
        listed = list(grams(ours, order))
        each = _column_of([list(gram) for gram in listed])
        alone = _information(segment.definition.rows.count(Corpus(each, each), 1), order)
        limits = grams(theirs[best], order)
        weights = {gram: round(bits, 4) * (limits[gram] > 0) for gram, bits in zip(listed, alone, strict=True)}
        which = f" {best.capitalize()} gives the most." if len(theirs) > 1 else ""
        rule = f"Information of a match: log2(occurrences of all but its last word / occurrences), in {where}.{which}"
        table = _clipped_table(order, ours, [theirs[best]], more={"information": weights})
        board.step(f"Information of order {order}", rule, table)
        board.column(3 * order - 1, f"u_{order}", "the sum over the matches, in units of 2^−20")
        board.column(3 * order, f"v_{order}", "and the rest of it, in units of 2^−40")
        board.column(3 * order + 1, f"t_{order}", _OF_OUTPUT)
    check("nist", lengths, board.columns[1])
    board.step("Lengths", "Words of the output, and of the references that were used, summed over the orders.")
    board.column(0, "c")
    board.column(1, "r")
    penalty = "Brevity penalty", "BP is 1/2 for an output with two thirds of the words."
    board.headings |= dict.fromkeys(("lengths", "BP"), penalty)


def _information(rows: Integers, order: int) -> list[float]:
    """The information that rows of NIST have of one order."""
    whole, rest = rows[:, 3 * order - 1], rows[:, 3 * order]
    information: list[float] = (whole * 2.0**-20 + rest * 2.0**-40).tolist()
    return information


def _column_of(texts: list[list[Token]]) -> counts.Column:
    return counts.column(list(texts), groups=False, tokenized=True)


def cider(board: Board, segment: Segment) -> None:
    """CIDEr of a segment; symbols end in R and the number of the reference if there are several."""
    definition = segment.definition
    fitted = definition.prior.segments() if isinstance(definition.prior, Prior) else []
    orders = range(1, segment.formula.max_order + 1)
    clipped, sigma = definition.options["variant"] == "cider-d", float(definition.options["sigma"])
    ours, theirs = segment.tokens()
    _show_texts(board, ours, theirs, orders)
    suffixes = [f"_R{at}" if len(theirs) > 1 else "" for at in range(1, len(theirs) + 1)]
    penalties: list[Term | float] = [1.0] * len(theirs)
    if clipped:
        board.step("Length penalty", "A Gaussian of the difference between the lengths of output and reference.")
        length = board.count("c", len(ours), "words of the output")
        for at, (suffix, text) in enumerate(zip(suffixes, theirs.values(), strict=True)):
            difference = length - board.count(f"r{suffix}", len(text), "words of the reference")
            penalties[at] = board.write(f"L{suffix}", exp(-(difference**2 / (2 * sigma**2))))
    rule = "the smaller of both counts times that of the reference" if clipped else "the product of both counts"
    for order in orders:
        mine = grams(ours, order)
        others = {f"in {name}" if suffixes[0] else "in the reference": grams(t, order) for name, t in theirs.items()}
        listed = dict.fromkeys(chain(mine, *others.values()))
        seen: Counter[Gram] = Counter()
        for texts in fitted:
            seen.update({gram for text in texts for gram in grams(text, order)} & listed.keys())
        weights = {gram: math.log(len(fitted)) - math.log(max(1, seen[gram])) for gram in listed}
        rounded = {gram: round(weight, 4) for gram, weight in weights.items()}
        cells: dict[str, Mapping[Gram, Cell]] = {"segments": seen, "weight": rounded, "in the output": mine, **others}
        board.step(
            f"Cosine of order {order}",
            f"The weight of an n-gram is log({len(fitted)} / segments that have it), of {len(fitted)} segments that "
            f"were fitted; one that no segment has counts as in one. d sums weight² times {rule}; g and h are the "
            "squared lengths of output and reference.",
            ngram_table(order, listed, cells),
        )
        squares = board.count(f"g_{order}", _dot(mine, mine, weights))
        cosines = []
        for suffix, other, penalty in zip(suffixes, others.values(), penalties, strict=True):
            dot = board.count(f"d_{order}{suffix}", _dot(mine & other if clipped else mine, other, weights))
            length = board.count(f"h_{order}{suffix}", _dot(other, other, weights))
            cosines.append(board.write(f"cos_{order}{suffix}", penalty * ratio(dot, (squares * length) ** 0.5)))
        mean = sum_of(cosines) / len(cosines)
        # The core rounds the cosine of each reference, and their mean, to a unit.
        check("cider", abs(mean.value - board.columns[order - 1] * 2.0**-36) <= 2 * 2.0**-36, True)
        several = ", of the mean over the references" if len(theirs) > 1 else ""
        board.column(order - 1, f"u_{order}", f"the cosine in units of 2^−36{several}")


def _dot(first: Mapping[Gram, int], second: Mapping[Gram, int], weights: Mapping[Gram, float]) -> float:
    """The product of two vectors of weighted counts."""
    return float(sum(weights[gram] ** 2 * first.get(gram, 0) * count for gram, count in second.items()))


def _read_source(board: Board, segment: Segment, orders: range) -> tuple[Tokens, Tokens, Texts]:
    """Show the texts, and return the tokens of source, output and references."""
    ours, theirs = segment.tokens()
    assert segment.source is not None
    before = segment.tokens_of(segment.source)
    board.texts.append(mark("source", before, [ours], orders))
    _show_texts(board, ours, theirs, orders)
    return before, ours, theirs


def sari(board: Board, segment: Segment) -> None:
    """What is added, kept and deleted."""
    by_type, orders = segment.formula.by_type, range(1, segment.formula.max_order + 1)
    before, ours, theirs = _read_source(board, segment, orders)
    # Hugging Face's SARI splits an empty text into one empty word.
    empty: Tokens = ("",) if by_type else ()
    texts = [text or empty for text in (before, ours, *theirs.values())]
    request = counts.changes("none", False, 1, shares=by_type)
    columns = [name.split("_")[:2] for name in request.names]
    text = "What is added, kept and deleted, and by whom. Added n-grams count once."
    text += " Each kept or deleted n-gram has one vote, shared by its occurrences." * by_type
    several = f" Counts of source and output are multiplied by {len(theirs)}, the number of references."
    text += several * (len(theirs) > 1)
    for order in orders:
        source, output, *references = (grams(text, order) for text in texts)
        in_references: Counter[Gram] = sum(references, Counter())
        listed = list(source | output | in_references)
        rows = _count_each(request, listed, output, references, source)
        start = 9 * (order - 1)
        check(f"sari of order {order}", tuple(rows.sum(axis=0).tolist()), board.columns[start : start + 9])
        cells: dict[str, Mapping[Gram, Cell]] = {
            "in the source": source,
            "in the output": output,
            "in the references": in_references,
        }
        for operation in ("added", "kept", "deleted"):
            cells[operation] = {gram: _join(row, columns, operation) for gram, row in zip(listed, rows, strict=True)}
        board.step(f"Changes of order {order}", text, ngram_table(order, listed, cells))
        for place in range(start, start + 9):
            board.column(place, segment.definition.columns[place])


def _count_each(
    request: counts.Counts,
    listed: Sequence[Gram],
    output: Counter[Gram],
    references: Sequence[Counter[Gram]],
    source: Counter[Gram],
) -> Integers:
    """What the core counts of each n-gram: a segment in which it is the only token, as often as each text has it.

    A token that all texts share keeps them from being empty; its own row is subtracted.
    """

    def repeat(texts: Counter[Gram]) -> list[list[Token]]:
        return [[0, *[1] * number] for number in (0, *(texts[gram] for gram in listed))]

    groups = [list(group) for group in zip(*map(repeat, references), strict=True)]
    expected = counts.column(list(groups), groups=True, tokenized=True)
    rows = request.rows(_column_of(repeat(output)), expected, _column_of(repeat(source)), 1)
    return np.asarray(rows[1:] - rows[0])


def _join(row: Integers, columns: Sequence[Sequence[str]], operation: str) -> str:
    """What happens to an n-gram by one operation: the numbers of its columns that are not 0."""
    numbers = {whose: number for number, (kind, whose) in zip(row.tolist(), columns, strict=True) if kind == operation}
    shown = {whose: number * 2.0**-36 if whose == "shares" else number for whose, number in numbers.items() if number}
    return ", ".join(f"{whose} {number:.4g}" for whose, number in shown.items())


def gec_gleu(board: Board, segment: Segment) -> None:
    """The matches of GEC-GLEU with each reference; symbols end in R and the number of the reference."""
    orders = range(1, segment.formula.max_order + 1)
    before, ours, theirs = _read_source(board, segment, orders)
    for number, reference in enumerate(theirs.values(), start=1):
        of, suffix = (f", reference {number}", f"_R{number}") if len(theirs) > 1 else ("", "")
        start = len(segment.definition.columns) * (number - 1)
        board.step(f"Lengths{of}", "Tokens of the output and of the reference.")
        tables = [_corrections(order, ours, reference, before) for order in orders]
        text = (
            "An n-gram counts at most as often as the reference has it. One that the reference lacks but the source "
            "has was left uncorrected and is subtracted; the sum is at least 0."
        )
        _show_orders(board, f"Matches of order {{}}{of}", [text] * len(tables), tables, start, suffix)


def _corrections(order: int, ours: Tokens, reference: Tokens, before: Tokens) -> WorkTable:
    mine, wanted, left = (grams(text, order) for text in (ours, reference, before))
    counted = {gram: min(n, wanted[gram]) if wanted[gram] else -min(n, left[gram]) for gram, n in mine.items()}
    columns = {"in the output": mine, "in the reference": wanted, "in the source": left, "counted": counted}
    return ngram_table(order, mine, columns)

"""What GLEU, chrF, ROUGE and NIST count: n-grams shared with one reference."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from math import log2

from bleuprint.core import counts
from bleuprint.core.columns import Text
from bleuprint.core.prior import Prior
from bleuprint.insight.worked.model import Board, MarkedText, WorkTable, check
from bleuprint.insight.worked.reading import (
    Gram,
    Segment,
    Token,
    Tokens,
    find,
    grams,
    marked,
    ngram_table,
    numbered,
    tokens_of,
)
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.base.formulas import sum_of
from bleuprint.metrics.base.terms import Term, maximum


def _which(name: str, references: Sequence[object], at: int) -> str:
    several = len(references) > 1
    return f" With several references, the one with the highest {name} counts: reference {at + 1}." if several else ""


def gleu(board: Board, segment: Segment) -> None:
    """The n-grams of all orders that GLEU counts together."""
    options, (ours, theirs) = segment.definition.options, segment.tokens()
    orders = range(int(options["min_order"]), int(options["max_order"]) + 1)

    def row(reference: Tokens) -> list[int]:
        shared = sum((grams(ours, n) & grams(reference, n)).total() for n in orders)
        totals = [sum(grams(text, n).total() for n in orders) for text in (ours, reference)]
        return [shared, max(totals), *totals]

    at = find("gleu", [row(reference) for reference in theirs], board.columns)
    _texts(board, ours, theirs, at, orders)
    sums: list[list[Term]] = [[], [], []]
    for order in orders:
        mine, other = grams(ours, order), grams(theirs[at], order)
        table = ngram_table(order, mine, other, "in the reference")
        text = "An n-gram counts at most as often as the reference has it."
        which = _which("GLEU", theirs, at) if order == orders.start else ""
        board.step(f"Clipped matches of order {order}", text + which, table if table.rows else None)
        sums[0].append(board.count(f"m_{order}", (mine & other).total()))
        sums[1].append(board.count(f"h_{order}", mine.total(), "n-grams of the output"))
        sums[2].append(board.count(f"r_{order}", other.total(), "n-grams of the reference"))
    board.step("Sums", "The n-grams of all orders are counted together.")
    matches, output, reference = map(sum_of, sums)
    board.write("m", matches, place=0, note="matches")
    larger = maximum(
        board.write("h", output, place=2, note="n-grams of the output"),
        board.write("r", reference, place=3, note="n-grams of the reference"),
    )
    board.write("larger", larger, place=1)
    rule = "The smaller of precision and recall: matches over the larger number of n-grams."
    board.headings["GLEU"] = "Score", rule


def _texts(board: Board, ours: Tokens, theirs: Sequence[Tokens], at: int, orders: range, separator: str = " ") -> None:
    """The texts, with the n-grams marked that the output shares with the reference that counts."""
    board.texts.append(marked("output", ours, [theirs[at]], orders, separator))
    for place, text in enumerate(theirs):
        role = numbered(theirs, place)
        plain = MarkedText(role, text, (0,) * len(text), separator)
        board.texts.append(marked(role, text, [ours], orders, separator) if place == at else plain)


def chrf(board: Board, segment: Segment) -> None:
    """The runs of characters and words that chrF counts."""
    formula, options = segment.formula, segment.definition.options

    def units(text: str) -> tuple[Tokens, Tokens]:
        text = text.lower() if options["lowercase"] else text
        return tuple(text if options["whitespace"] else "".join(text.split())), tuple(_chrf_words(text))

    ours, *theirs = (units(str(text)) for text in (segment.output, *segment.references))
    kinds = [("", 0, n) for n in range(1, formula.char_order + 1)]
    kinds += [("w", 1, n) for n in range(1, formula.word_order + 1)]

    def row(reference: tuple[Tokens, Tokens]) -> list[int]:
        cells: list[int] = []
        for _, side, n in kinds:
            first, second = grams(ours[side], n), grams(reference[side], n)
            cells += [first.total() if second else 0, second.total(), (first & second).total()]
        return cells

    at = find("chrf", [row(reference) for reference in theirs], board.columns)
    side = 0 if formula.char_order else 1
    longest = formula.word_order if side else formula.char_order
    _texts(board, ours[side], [text[side] for text in theirs], at, range(1, longest + 1), " " if side else "")
    for place, (kind, unit, n) in enumerate(kinds):
        table = ngram_table(
            n, grams(ours[unit], n), grams(theirs[at][unit], n), "in the reference", " " if unit else ""
        )
        of = "words" if unit else "characters"
        which = _which("score", theirs, at) if place == 0 else ""
        hypothesis, reference, matches = range(3 * place, 3 * place + 3)
        present = board.columns[hypothesis] and board.columns[reference]
        short = "" if present else " A text is too short for this order."
        runs = of.capitalize() if n == 1 else f"Runs of {n} {of}"
        rule = f"{runs}, at most as often as the reference has them.{which}{short}"
        board.step(f"{of.capitalize()}, order {n}", rule, table if table.rows else None)
        board.column(matches, f"m_{kind}{n}")
        board.column(hypothesis, f"h_{kind}{n}", "n-grams of the output")
        board.column(reference, f"r_{kind}{n}", "n-grams of the reference")
    rule = f"The F-score: recall counts β² = {formula.beta**2:g} times as much as precision."
    means = "Means", "Precision and recall, averaged over the orders that both texts are long enough for."
    board.headings = {**dict.fromkeys("PR", means), "chrF": ("Score", rule)}
    if formula.eps_smoothing:
        rates = "F-scores", "The F-score of each order; 1e-16 stands for an order that does not exist."
        board.headings = {**dict.fromkeys("PRF", rates), "chrF": ("Score", "The mean of the F-scores of all orders.")}


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
    ours, *theirs = (_lines(segment.definition, text) for text in (segment.output, *segment.references))
    types = segment.formula.types
    rows = [[_rouge_row(kind, ours, reference) for reference in theirs] for kind in types]
    chosen = [find(kind, rows[n], board.columns[3 * n : 3 * n + 3]) for n, kind in enumerate(types)]
    first = int(types[0].removeprefix("rouge")) if types[0][-1].isdigit() else 1
    _texts(board, _flatten(ours), list(map(_flatten, theirs)), chosen[0], range(1, first + 1))
    board.shows_parts = True
    for place, (kind, at) in enumerate(zip(types, chosen, strict=True)):
        name = kind.removeprefix("rouge")
        text, table = _rouge_units(name, ours, theirs[at])
        board.step(f"ROUGE-{name}", text + _which("F", theirs, at), table if table.rows else None)
        board.column(3 * place, f"m_{name}")
        board.column(3 * place + 1, f"h_{name}", "units of the output")
        board.column(3 * place + 2, f"r_{name}", "units of the reference")
    rates = "Precision, recall and F", "Matches over the units of each text, and the harmonic mean of both."
    board.headings |= dict.fromkeys(("precision", "recall", "F"), rates)
    board.headings["ROUGE"] = "Score", f"The value is the F of the first type, {types[0]}."


def _rouge_units(name: str, ours: list[Tokens], theirs: list[Tokens]) -> tuple[str, WorkTable]:
    """What is matched, and the matches."""
    if name.isdigit():
        words = grams(_flatten(ours), int(name)), grams(_flatten(theirs), int(name))
        units = "Words" if name == "1" else f"{name}-grams"
        text = f"{units}, at most as often as the reference has them."
        return text, ngram_table(int(name), *words, "in the reference")
    if name == "L":
        matched, text = _subsequence(_flatten(theirs), _flatten(ours)), "The words of a longest common subsequence: "
        text += "same order, gaps allowed."
    else:
        matched, text = _union(ours, theirs), "Per line of the reference, the union of its longest common subsequences "
        text += "with every line of the output; no word more often than the output has it."
    return text, WorkTable(("matched word",), tuple((str(word),) for word in matched))


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


def _flatten(lines: Sequence[Tokens]) -> Tokens:
    return tuple(token for line in lines for token in line)


def _rouge_row(kind: str, ours: list[Tokens], theirs: list[Tokens]) -> list[int]:
    name, mine, other = kind.removeprefix("rouge"), _flatten(ours), _flatten(theirs)
    if name == "L":
        return [len(_subsequence(other, mine)), len(mine), len(other)]
    if name == "Lsum":
        return [len(_union(ours, theirs)), len(mine), len(other)]
    first, second = grams(mine, int(name)), grams(other, int(name))
    return [(first & second).total(), first.total(), second.total()]


def _places(rows: Tokens, columns: Tokens) -> list[int]:
    """The rows that one longest common subsequence takes, walking back from the end."""
    lengths = [[0] * (len(columns) + 1)]
    for word in rows:
        line = [0]
        for at, other in enumerate(columns):
            line.append(lengths[-1][at] + 1 if word == other else max(lengths[-1][at + 1], line[-1]))
        lengths.append(line)
    row, column, taken = len(rows), len(columns), []
    while row and column:
        if rows[row - 1] == columns[column - 1]:
            row, column = row - 1, column - 1
            taken.append(row)
        elif lengths[row][column - 1] > lengths[row - 1][column]:
            column -= 1
        else:
            row -= 1
    return taken[::-1]


def _subsequence(rows: Tokens, columns: Tokens) -> list[Token]:
    return [rows[at] for at in _places(rows, columns)]


def _union(ours: list[Tokens], theirs: list[Tokens]) -> list[Token]:
    left = Counter(_flatten(ours))
    words = []
    for line in theirs:
        for at in sorted({place for other in ours for place in _places(line, other)}):
            if left[line[at]] > 0:
                words.append(line[at])
            left[line[at]] -= 1
    return words


def nist(board: Board, segment: Segment) -> None:
    """The information of n-grams, weighted by the segment's own references or by those that were fitted."""
    orders = range(1, segment.formula.max_order + 1)
    ours, theirs = segment.tokens()
    prior = segment.definition.prior
    weighing = [text for texts in prior.segments() for text in texts] if isinstance(prior, Prior) else theirs
    seen: Counter[Gram] = Counter()
    for text in weighing:
        for order in orders:
            seen.update(grams(text, order))
    words = sum(map(len, weighing))

    def information(gram: Gram) -> float:
        # What was never seen counts as seen once.
        return log2(max(1, seen[gram[:-1]] if len(gram) > 1 else words) / max(1, seen[gram]))

    def carried(text: Tokens, order: int) -> float:
        return sum(information(gram) * count for gram, count in (grams(ours, order) & grams(text, order)).items())

    board.texts.append(marked("output", ours, theirs, orders))
    board.texts.extend(marked(numbered(theirs, at), text, [ours], orders) for at, text in enumerate(theirs))
    lengths = 0
    where = "the references" if prior is None else "the fitted references, at least 1"
    for order in orders:
        # Sums that are equal but for rounding are equal, and ties go to the longest.
        at = max(range(len(theirs)), key=lambda at: (round(carried(theirs[at], order), 9), len(theirs[at])))
        lengths += len(theirs[at])
        mine = grams(ours, order)
        plain = ngram_table(order, mine, grams(theirs[at], order), "in the reference")
        rows = tuple(
            (*row, round(information(gram), 4) if row[3] else 0.0) for gram, row in zip(mine, plain.rows, strict=True)
        )
        table = WorkTable((*plain.header, "information"), rows)
        which = f" Reference {at + 1} gives the most." if len(theirs) > 1 else ""
        rule = f"Information of a match: log2(occurrences of all but its last word / occurrences), in {where}.{which}"
        board.step(f"Information of order {order}", rule, table if rows else None)
        board.column(3 * order - 1, f"u_{order}", "the sum over the matches, in units of 2^−20")
        board.column(3 * order, f"v_{order}", "and the rest of it, in units of 2^−40")
        board.column(3 * order + 1, f"t_{order}", "n-grams of the output")
    check("nist", [lengths], [board.columns[1]])
    board.step("Lengths", "Words of the output, and of the references that were used, summed over the orders.")
    board.column(0, "c")
    board.column(1, "r")
    board.headings |= {
        **dict.fromkeys("IE", ("Information per n-gram", "The information of the matches over the n-grams.")),
        "lengths": ("Brevity penalty", "BP is 1/2 for an output with two thirds of the words."),
        "NIST": ("Score", "The information per n-gram, summed over the orders, times the brevity penalty."),
    }

"""GLEU, chrF, ROUGE and NIST: n-grams shared with one reference."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Callable, Sequence
from math import log2

from bleuprint.core import counts
from bleuprint.core.columns import Text
from bleuprint.core.prior import Prior
from bleuprint.insight.worked.equations import literal
from bleuprint.insight.worked.model import Board, MarkedText, WorkTable
from bleuprint.insight.worked.reading import (
    Gram,
    Token,
    Tokens,
    disagree,
    grams,
    marked,
    ngram_table,
    numbered,
    tokens_of,
)
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.chrf import ChrfFormula

__all__ = ["chrf", "gleu", "nist", "rouge"]

_EPSILON = "1e-16"  # in place of an undefined ratio
_BEST = "With several references, the one with the highest {} counts"


def best(metric: str, references: Sequence[Tokens], columns: Sequence[int], row: Callable[[Tokens], list[int]]) -> int:
    """The first reference whose counts are those of the score."""
    rows = [row(reference) for reference in references]
    if list(columns) not in rows:
        disagree(metric, rows, columns)
    return rows.index(list(columns))


def _which(name: str, references: Sequence[object], at: int) -> str:
    return f" {_BEST.format(name)}: reference {at + 1}." if len(references) > 1 else ""


def gleu(
    board: Board, definition: Definition, output: Text, references: Sequence[Text], columns: Sequence[int]
) -> None:
    ours = tokens_of(output, definition.tokenizer)
    theirs = [tokens_of(reference, definition.tokenizer) for reference in references]
    orders = range(int(definition.options["min_order"]), int(definition.options["max_order"]) + 1)

    def row(reference: Tokens) -> list[int]:
        shared = sum((grams(ours, n) & grams(reference, n)).total() for n in orders)
        totals = [sum(grams(text, n).total() for n in orders) for text in (ours, reference)]
        return [shared, max(totals), *totals]

    at = best("gleu", theirs, columns, row)
    board.texts.append(marked("output", ours, [theirs[at]], orders))
    board.texts.extend(
        marked(numbered(theirs, place), text, [ours], orders) if place == at else _plain(numbered(theirs, place), text)
        for place, text in enumerate(theirs)
    )
    for order in orders:
        table = ngram_table(order, grams(ours, order), grams(theirs[at], order), "in the reference")
        text = "An n-gram counts at most as often as the reference has it."
        which = _which("GLEU", theirs, at) if order == orders.start else ""
        board.step(f"Clipped matches of order {order}", text + which, table if table.rows else None)
        board.write(f"m_{order}", (grams(ours, order) & grams(theirs[at], order)).total())
        board.write(f"h_{order}", grams(ours, order).total(), "n-grams of the output")
        board.write(f"r_{order}", grams(theirs[at], order).total(), "n-grams of the reference")
    board.step("Sums", "The n-grams of all orders are counted together.")
    for symbol, note in (("m", "matches"), ("h", "n-grams of the output"), ("r", "n-grams of the reference")):
        board.write(symbol, " + ".join(f"{symbol}_{order}" for order in orders), note)
    board.step("Score", "The smaller of precision and recall: matches over the larger number of n-grams.")
    empty = not columns[1]
    board.write("GLEU", "0" if empty else "m / max(h, r)", "neither text has n-grams" if empty else "")


def _plain(role: str, tokens: Tokens, separator: str = " ") -> MarkedText:
    return MarkedText(role, tokens, (0,) * len(tokens), separator)


def chrf(board: Board, definition: Definition, output: str, references: Sequence[str], columns: Sequence[int]) -> None:
    formula, options = definition.formula, definition.options

    def units(text: str) -> tuple[Tokens, Tokens]:
        text = text.lower() if options["lowercase"] else text
        return tuple(text if options["whitespace"] else "".join(text.split())), tuple(_chrf_words(text))

    ours, theirs = units(output), [units(reference) for reference in references]
    kinds = [("", 0, n) for n in range(1, formula.char_order + 1)]
    kinds += [("w", 1, n) for n in range(1, formula.word_order + 1)]

    def row(reference: tuple[Tokens, Tokens]) -> list[int]:
        cells: list[int] = []
        for _, side, n in kinds:
            first, second = grams(ours[side], n), grams(reference[side], n)
            cells += [first.total() if second else 0, second.total(), (first & second).total()]
        return cells

    rows = [row(reference) for reference in theirs]
    if list(columns) not in rows:
        disagree("chrf", rows, columns)
    at = rows.index(list(columns))
    side = 0 if formula.char_order else 1
    separator = " " if side else ""
    shared = range(1, (formula.word_order if side else formula.char_order) + 1)
    board.texts.append(marked("output", ours[side], [theirs[at][side]], shared, separator))
    for place, text in enumerate(theirs):
        role = numbered(theirs, place)
        chosen = place == at
        board.texts.append(
            marked(role, text[side], [ours[side]], shared, separator) if chosen else _plain(role, text[side], separator)
        )
    present, orders = [], []
    for place, (kind, unit, n) in enumerate(kinds):
        symbol = f"{kind}{n}"
        orders.append(symbol)
        hypothesis, reference, matches = columns[3 * place : 3 * place + 3]
        mine, other = grams(ours[unit], n), grams(theirs[at][unit], n)
        table = ngram_table(n, mine, other, "in the reference", " " if unit else "")
        of = "words" if unit else "characters"
        which = _which("score", theirs, at) if place == 0 else ""
        short = "" if hypothesis and reference else " A text is too short for this order."
        runs = of.capitalize() if n == 1 else f"Runs of {n} {of}"
        rule = f"{runs}, at most as often as the reference has them.{which}{short}"
        board.step(f"{of.capitalize()}, order {n}", rule, table if table.rows else None)
        board.write(f"m_{symbol}", matches)
        board.write(f"h_{symbol}", hypothesis, "n-grams of the output")
        board.write(f"r_{symbol}", reference, "n-grams of the reference")
        if hypothesis and reference:
            present.append(symbol)
        if formula.eps_smoothing or (hypothesis and reference):
            board.write(f"P_{symbol}", f"m_{symbol} / h_{symbol}" if hypothesis else _EPSILON)
            board.write(f"R_{symbol}", f"m_{symbol} / r_{symbol}" if reference else _EPSILON)
    if formula.eps_smoothing:
        _mean_of_f_scores(board, formula, orders)
        return
    board.step("Means", "Precision and recall, averaged over the orders that both texts are long enough for.")
    for symbol in ("P", "R"):
        terms = " + ".join(f"{symbol}_{order}" for order in present)
        board.write(symbol, f"({terms}) / {len(present)}" if present else "0")
    board.step("Score", "The F-score: recall counts β² times as much as precision.")
    board.write("β", literal(formula.beta))
    undefined = not (formula.beta**2 * board.known["P"] + board.known["R"] > 0)
    board.write("chrF", "0" if undefined else "(1 + β**2) * P * R / (β**2 * P + R)", "nothing matches" * undefined)


def _mean_of_f_scores(board: Board, formula: ChrfFormula, orders: Sequence[str]) -> None:
    board.step("F-scores", "The F-score of each order; 1e-16 stands for an order that does not exist.")
    board.write("β", literal(formula.beta))
    for order in orders:
        defined = formula.beta**2 * board.known[f"P_{order}"] + board.known[f"R_{order}"] > 0
        f_score = f"(1 + β**2) * P_{order} * R_{order} / (β**2 * P_{order} + R_{order})"
        board.write(f"F_{order}", f_score if defined else _EPSILON)
    board.step("Score", "The mean of the F-scores of all orders.")
    board.write("chrF", f"({' + '.join(f'F_{order}' for order in orders)}) / {len(orders)}")


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


def rouge(
    board: Board,
    definition: Definition,
    output: Text,
    references: Sequence[Text],
    columns: Sequence[int],
) -> None:
    ours = _lines(definition, output)
    theirs = [_lines(definition, reference) for reference in references]
    types = definition.formula.types
    chosen = []
    for place, kind in enumerate(types):
        rows = [_rouge_row(kind, ours, reference) for reference in theirs]
        counted = list(columns[3 * place : 3 * place + 3])
        if counted not in rows:
            disagree(kind, rows, counted)
        chosen.append(rows.index(counted))
    first = int(types[0].removeprefix("rouge")) if types[0][-1].isdigit() else 1
    flat = [_flat(lines) for lines in theirs]
    board.texts.append(marked("output", _flat(ours), [flat[chosen[0]]], range(1, first + 1)))
    for place, text in enumerate(flat):
        role = numbered(theirs, place)
        is_chosen = place == chosen[0]
        board.texts.append(marked(role, text, [_flat(ours)], range(1, first + 1)) if is_chosen else _plain(role, text))
    for place, (kind, at) in enumerate(zip(types, chosen, strict=True)):
        _rouge_type(board, kind, ours, theirs, at, columns[3 * place : 3 * place + 3])
    if len(types) > 1:
        board.step("Score", f"The value is the F of the first type, {types[0]}.")
    board.write("ROUGE", f"F_{types[0].removeprefix('rouge')}")


def _rouge_type(
    board: Board,
    kind: str,
    ours: list[Tokens],
    theirs: Sequence[list[Tokens]],
    at: int,
    counted: Sequence[int],
) -> None:
    name = kind.removeprefix("rouge")
    which = _which("F", theirs, at)
    table: WorkTable | None
    if name.isdigit():
        order = int(name)
        words = grams(_flat(ours), order), grams(_flat(theirs[at]), order)
        table = ngram_table(order, *words, "in the reference")
        text = f"{'Words' if order == 1 else f'{order}-grams'}, at most as often as the reference has them.{which}"
    else:
        matched = _subsequence(_flat(theirs[at]), _flat(ours)) if name == "L" else _union(ours, theirs[at])
        table = WorkTable(("matched word",), tuple((str(word),) for word in matched))
        text = (
            f"The words of a longest common subsequence: same order, gaps allowed.{which}"
            if name == "L"
            else "Per line of the reference, the union of its longest common subsequences with every line of the "
            f"output; no word more often than the output has it.{which}"
        )
    board.step(f"ROUGE-{name}", text, table if table.rows else None)
    board.write(f"m_{name}", counted[0])
    board.write(f"h_{name}", counted[1], "units of the output")
    board.write(f"r_{name}", counted[2], "units of the reference")
    board.write(f"precision_{name}", f"m_{name} / h_{name}" if counted[1] else "0")
    board.write(f"recall_{name}", f"m_{name} / r_{name}" if counted[2] else "0")
    precision, recall = f"precision_{name}", f"recall_{name}"
    f_score = f"2 * {precision} * {recall} / ({precision} + {recall})"
    board.write(f"F_{name}", f_score if counted[0] else "0", "" if counted[0] else "nothing matches")


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


def _flat(lines: Sequence[Tokens]) -> Tokens:
    return tuple(token for line in lines for token in line)


def _rouge_row(kind: str, ours: list[Tokens], theirs: list[Tokens]) -> list[int]:
    name, mine, other = kind.removeprefix("rouge"), _flat(ours), _flat(theirs)
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
    left = Counter(_flat(ours))
    words = []
    for line in theirs:
        for at in sorted({place for other in ours for place in _places(line, other)}):
            if left[line[at]] > 0:
                words.append(line[at])
            left[line[at]] -= 1
    return words


def nist(
    board: Board, definition: Definition, output: Text, references: Sequence[Text], columns: Sequence[int]
) -> None:
    """NIST of a segment that is weighted by its own references, or by those that were fitted."""
    orders = range(1, definition.formula.max_order + 1)
    ours = tokens_of(output, definition.tokenizer)
    theirs = [tokens_of(reference, definition.tokenizer) for reference in references]
    prior = definition.prior
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
    for order in orders:
        # Sums that are equal but for rounding are equal, and ties go to the longest.
        at = max(range(len(theirs)), key=lambda at: (round(carried(theirs[at], order), 9), len(theirs[at])))
        lengths += len(theirs[at])
        whole, rest, total = columns[3 * order - 1 : 3 * order + 2]
        mine, other = grams(ours, order), grams(theirs[at], order)
        plain = ngram_table(order, mine, other, "in the reference")
        rows = tuple(
            (*row, round(information(gram), 4) if row[3] else 0.0) for gram, row in zip(mine, plain.rows, strict=True)
        )
        table = WorkTable((*plain.header, "information"), rows)
        which = f" Reference {at + 1} gives the most." if len(theirs) > 1 else ""
        where = "the references" if prior is None else "the fitted references, at least 1"
        rule = f"Information of a match: log2(occurrences of all but its last word / occurrences), in {where}.{which}"
        board.step(f"Information of order {order}", rule, table if rows else None)
        board.write(f"I_{order}", repr(whole * 2.0**-20 + rest * 2.0**-40), "the sum over the matches")
        board.write(f"t_{order}", total)
        board.write(f"E_{order}", f"I_{order} / t_{order}" if total else "0")
    if lengths != columns[1]:
        disagree("nist", lengths, columns[1])
    board.step("Brevity penalty", "BP is 1/2 for an output with two thirds of the words.")
    board.write("N", len(orders), "orders")
    board.write("c", columns[0], "words of the output")
    board.write("r", columns[1], "words of the references that were used, summed over the orders")
    if columns[1] and 0 < len(orders) * columns[0] / columns[1] < 1:
        board.write("β", "log(0.5) / log(1.5)**2")
        board.write("BP", "exp(β * log(N * c / r)**2)")
    else:
        present = bool(columns[0] and columns[1])
        board.write("BP", "1" if present else "0", "not shorter" if present else "a text is empty")
    board.step("Score", "The information per n-gram, summed over the orders, times the brevity penalty.")
    board.write("NIST", f"sum({', '.join(f'E_{order}' for order in orders)}) * BP")

"""BLEU and what is made of it: sentence BLEU, iBLEU, and the BLEU of one text in a pool."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from bleuprint.core.columns import Text
from bleuprint.insight.worked.equations import literal
from bleuprint.insight.worked.model import Board
from bleuprint.insight.worked.reading import Tokens, check, grams, marked, ngram_table, numbered, tokens_of
from bleuprint.metrics.base.definition import Definition
from bleuprint.metrics.bleu import BleuFormula

__all__ = ["bleu", "ibleu"]

_LENGTH_RULES = {
    "closest": "The closest reference length counts; on ties, the shorter one.",
    "closest-first": "The closest reference length counts; on ties, the first one.",
    "shortest": "The length of the shortest reference counts.",
}
_SMOOTHING = {
    "none": "There is no smoothing.",
    "floor": "Smoothing: an order without a match counts as {value} of a match.",
    "add-k": "Smoothing: {value} is added to the matches and totals from order 2 on.",
    "add-all": "Smoothing: {value} is added to the matches and totals of every order.",
    "exp": "Smoothing: successive orders without a match count as 1/2, 1/4, 1/8, … of a match.",
    "method0": "Smoothing: a precision of 0 becomes the smallest floating-point number.",
    "method4": "Smoothing: like exp, but divided by {value} / log(c), so shorter texts get less.",
    "method5": "Smoothing: each precision is averaged with its neighbors; before the first stands q_1 + 1, beyond the "
    "last b, the precision of order 5.",
    "method6": "Smoothing: from order 3 on, precisions are interpolated with the trend of the two orders before.",
    "method7": "Smoothing: method4 first, then each precision is averaged with its neighbors as in method5.",
}


def bleu(
    board: Board,
    definition: Definition,
    output: Text,
    references: Sequence[Text],
    columns: Sequence[int],
    *,
    suffix: str = "",
    symbol: str = "BLEU",
    roles: tuple[str, Sequence[str]] | None = None,
) -> None:
    """Work out BLEU of one segment; `columns` are the counts of its score."""
    formula, options = definition.formula, definition.options
    ours = tokens_of(output, definition.tokenizer)
    theirs = [tokens_of(reference, definition.tokenizer) for reference in references]
    names = [numbered(theirs, at) for at in range(len(theirs))] if roles is None else roles[1]
    _texts(board, "output" if roles is None else roles[0], ours, names, theirs, formula.max_order)
    work = _Bleu(board, formula, suffix, tuple(columns), str(options["absent_order"]))
    work.lengths(ours, theirs, names, str(options["reference_length"]))
    work.matches(ours, theirs)
    work.precisions()
    work.brevity_penalty()
    work.score(symbol)


def _texts(board: Board, role: str, ours: Tokens, names: Sequence[str], theirs: Sequence[Tokens], orders: int) -> None:
    shared = range(1, orders + 1)
    if role:
        board.texts.append(marked(role, ours, theirs, shared))
    board.texts.extend(marked(name, text, [ours], shared) for name, text in zip(names, theirs, strict=True))


class _Bleu:
    """The steps of BLEU in order; symbols end in `suffix`."""

    def __init__(self, board: Board, formula: BleuFormula, suffix: str, columns: tuple[int, ...], absent: str) -> None:
        self._board, self._formula, self._suffix, self._absent = board, formula, suffix, absent
        counted = formula.counted_orders
        self._columns = columns
        self._length, self._reference_length = columns[:2]
        self._matches, self._totals = columns[2 : 2 + counted], columns[2 + counted : 2 + 2 * counted]
        self._orders = range(1, formula.max_order + 1)

    def _name(self, symbol: str, order: int | None = None) -> str:
        return f"{symbol}{'' if order is None else f'_{order}'}{self._suffix}"

    def lengths(self, ours: Tokens, theirs: Sequence[Tokens], names: Sequence[str], rule: str) -> None:
        check("length", [len(ours)], [self._length])
        listed = ", ".join(f"{name}: {len(text)}" for name, text in zip(names, theirs, strict=True))
        several = f" {_LENGTH_RULES[rule]}" if len(theirs) > 1 else ""
        self._board.step("Tokens and lengths", f"Tokens: {len(ours)} in the output; {listed}.{several}")
        self._board.write(self._name("c"), self._length)
        self._board.write(self._name("r"), self._reference_length)

    def matches(self, ours: Tokens, theirs: Sequence[Tokens]) -> None:
        text = "An n-gram counts at most as often as any one reference has it (clipping)."
        where = "in the reference" if len(theirs) == 1 else "most in one reference"
        for order in range(1, self._formula.counted_orders + 1):
            limits = grams((), order)
            for reference in theirs:
                limits |= grams(reference, order)
            counted = ngram_table(order, grams(ours, order), limits, where)
            check(f"matches of order {order}", [sum(row[3] for row in counted.rows)], [self._matches[order - 1]])
            absent = not counted.rows and self._totals[order - 1]
            note = " The text is too short for this order, which counts as 0 of 1." if absent else ""
            extra = "" if order <= self._formula.max_order else " The smoothing method also looks at this order."
            name = f"Clipped matches of order {order}"
            self._board.step(name, f"{text}{extra}{note}", counted if counted.rows else None)
            self._board.write(self._name("m", order), self._matches[order - 1])
            self._board.write(self._name("t", order), self._totals[order - 1])

    def precisions(self) -> None:
        smoothing = self._formula.smoothing
        value = "" if smoothing.value is None else literal(smoothing.value)
        text = f"Matches divided by totals. {_SMOOTHING[smoothing.method].format(value=value)}"
        self._board.step("Precisions", text)
        if smoothing.method in {"method5", "method7"}:
            self._averaged(smoothing.method)
            return
        for order, (expression, note) in zip(self._orders, self._plain(smoothing.method), strict=True):
            absent = self._absent == "zero" and not self._totals[order - 1]
            reason = "an order without n-grams has precision 0" if absent else note
            self._board.write(self._name("p", order), "0" if absent else expression, reason)

    def _plain(self, method: str) -> Iterator[tuple[str, str]]:
        """The expression of each precision, and why it is not matches over totals."""
        value = literal(self._formula.smoothing.value or 0)
        zeros = 0
        for order in self._orders:
            matches, total = self._matches[order - 1], self._totals[order - 1]
            m, t = self._name("m", order), self._name("t", order)
            plain = (f"{m} / {t}", "") if total else ("0", f"there are no n-grams of order {order}")
            match method:
                case "floor" if not matches and total:
                    yield f"{value} / {t}", "no match, so this share of one is counted"
                case "add-k" | "add-all" if (method == "add-all" or order > 1) and (total or float(value)):
                    yield f"({m} + {value}) / ({t} + {value})", ""
                case "exp" if not matches and total:
                    zeros += 1
                    yield f"1 / (2**{zeros} * {t})", f"no match in {zeros} order{'s' * (zeros > 1)} so far"
                case "method0" if not matches:
                    yield repr(sys.float_info.min), "no match, so the smallest number stands for 0"
                case "method4" | "method7" if not matches and self._length > 1:
                    zeros += 1
                    scaled = f"1 / (2**{zeros} * {value} / log({self._name('c')})) / {t}"
                    yield (scaled, f"no match in {zeros} order{'s' * (zeros > 1)} so far") if total else plain
                case "method6" if order > 2:
                    yield self._trend(order, value)
                case _:
                    yield plain

    def _trend(self, order: int, alpha: str) -> tuple[str, str]:
        grams_here = max(0, self._length - order + 1)
        if not self._matches[2]:
            return "0", "no 3-gram matches"
        if not grams_here + float(alpha):
            return "0", f"there are no n-grams of order {order}"
        before, earlier = self._name("p", order - 1), self._name("p", order - 2)
        trend = f"{before} * {before} / {earlier}" if self._board.known[earlier] else "0"
        return f"({self._name('m', order)} + {alpha} * ({trend})) / ({grams_here} + {alpha})", ""

    def _averaged(self, method: str) -> None:
        plain = self._plain("none" if method == "method5" else method)
        for order, (expression, note) in zip(self._orders, plain, strict=True):
            self._board.write(self._name("q", order), expression, note)
        fifth = f"{self._name('m', 5)} / {self._name('t', 5)}" if self._totals[4] else "0"
        self._board.write(self._name("b"), fifth, "the precision of order 5")
        # An order that counts as 0 because the text is too short for it still is a neighbor.
        absent = [self._absent == "zero" and not self._totals[order - 1] for order in self._orders]
        mean = "a" if any(absent) else "p"
        for order in self._orders:
            before = self._name(mean, order - 1) if order > 1 else f"{self._name('q', 1)} + 1"
            after = self._name("q", order + 1) if order < self._formula.max_order else self._name("b")
            self._board.write(self._name(mean, order), f"({before} + {self._name('q', order)} + {after}) / 3")
        for order in self._orders if any(absent) else ():
            note = "an order without n-grams has precision 0" if absent[order - 1] else ""
            self._board.write(self._name("p", order), "0" if absent[order - 1] else self._name("a", order), note)

    def brevity_penalty(self) -> None:
        c, r = self._name("c"), self._name("r")
        self._board.step("Brevity penalty", "BP = 1 if c ≥ r, exp(1 − r/c) if c < r.")
        if not self._length:
            self._board.write(self._name("BP"), "0", "the output has no tokens")
        elif self._length >= self._reference_length:
            self._board.write(self._name("BP"), "1", "the output is not shorter than the reference")
        else:
            self._board.write(self._name("BP"), f"exp(1 - {r} / {c})", "the output is shorter than the reference")

    def score(self, symbol: str) -> None:
        self._board.step("Score", "The brevity penalty times the weighted geometric mean of the precisions.")
        weights = self._weights()
        known = {order: self._board.known[self._name("p", order)] for order in self._orders}
        zeros = [order for order in self._orders if weights[order - 1] and not known[order]]
        zero = self._zero(zeros, weights)
        if zero:
            self._board.write(f"{symbol}{self._suffix}", "0", zero)
            return
        used = [order for order in self._orders if weights[order - 1] and known[order]]
        terms = " + ".join(f"{self._weight(order)} * log({self._name('p', order)})" for order in used)
        note = f"p_{zeros[0]} = 0 is left out of the mean" if zeros else ""
        self._board.write(f"{symbol}{self._suffix}", f"{self._name('BP')} * exp({terms or 0})", note)

    def _weight(self, order: int) -> str:
        """The symbol of a weight: all orders share one if they weigh the same."""
        return self._name("w", None if self._uniform else order)

    @property
    def _uniform(self) -> bool:
        return set(self._formula.weights) == {1 / self._formula.max_order}

    def _weights(self) -> list[float]:
        """Write down the weights of the orders that have one, and return all."""
        formula = self._formula
        weights = list(formula.weights)
        written = [f"1 / {formula.max_order}" if self._uniform else repr(weight) for weight in weights]
        rescaled = (
            formula.effective(True) and not self._totals[formula.max_order - 1] and formula.smoothing.method != "add-k"
        )
        if rescaled:
            weights = [weight if total else 0.0 for weight, total in zip(weights, self._totals, strict=False)]
        kept = ", ".join(text for text, weight in zip(written, weights, strict=True) if weight)
        note = "only orders that the output is long enough for" if rescaled else ""
        for order in self._orders:
            if weights[order - 1] and self._weight(order) not in self._board.known:
                weight = f"({written[order - 1]}) / sum({kept})" if rescaled else written[order - 1]
                self._board.write(self._weight(order), weight, note)
        return weights

    def _zero(self, zeros: Sequence[int], weights: Sequence[float]) -> str:
        """Why the score is 0; empty if it is not."""
        formula = self._formula
        if formula.zero_when == "no-match" and not self._matches[0]:
            return "no word matches"
        if formula.zero_when == "any-order-without-match" and not self._matches[formula.max_order - 1]:
            return "an order has no match"
        if formula.smoothing.method == "method6" and not self._matches[2]:
            return "no 3-gram matches"
        if zeros and not formula.skip_zero:
            return f"p_{zeros[0]} = 0, so the product is 0"
        if not any(weights):
            return "the output has no n-grams"
        return ""


def ibleu(
    board: Board,
    definition: Definition,
    alpha: float,
    texts: tuple[Text, Sequence[Text], Text],
    columns: Sequence[int],
) -> None:
    """Work out iBLEU: BLEU against the references (symbols with R), then against the input (symbols with I)."""
    output, references, source = texts
    half = len(columns) // 2
    bleu(board, definition, output, references, columns[:half], suffix="_R")
    bleu(board, definition, output, [source], columns[half:], suffix="_I", roles=("", ["input"]))
    board.step("iBLEU", "Similar to the references, different from the input.")
    board.write("alpha", literal(alpha))
    board.write("iBLEU", "alpha * BLEU_R - (1 - alpha) * BLEU_I")

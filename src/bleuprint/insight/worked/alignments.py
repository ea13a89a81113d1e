"""WER, MER, WIL, WIP, CER, TER and METEOR: words of the output paired with words of a reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bleuprint.core import counts
from bleuprint.core import wordnet as wordnets
from bleuprint.core.columns import Text
from bleuprint.core.edit_paths import DELETE, EQUAL, INSERT, SUBSTITUTE, edit_path
from bleuprint.core.normalizers import NormalizedTokenizer
from bleuprint.core.shifts import apply_shift, shift_path
from bleuprint.core.staged_match import synonyms
from bleuprint.core.tokenizers import Tokenizer
from bleuprint.insight.worked.equations import literal
from bleuprint.insight.worked.model import Board, MarkedText, WorkTable
from bleuprint.insight.worked.reading import Token, Tokens, check, disagree, numbered, tokens_of
from bleuprint.metrics._alternatives import AlternativeRows, nearest_words
from bleuprint.metrics.base.definition import Definition

__all__ = ["error_rate", "meteor", "ter"]


class Pair(NamedTuple):
    """One step of an alignment; None where a side has no word."""

    kind: str  # hit, substitution, deletion or insertion
    reference: int | None
    output: int | None


_NONE = "–"


def error_rate(
    board: Board, definition: Definition, output: Text, references: Sequence[Text], columns: Sequence[int]
) -> None:
    """Work out WER, MER, WIL, WIP or CER."""
    name = definition.name.upper()
    characters = definition.name == "cer"
    read = _characters(definition) if characters else lambda text: tokens_of(text, definition.tokenizer)
    if isinstance(definition.rows, AlternativeRows):
        ours, theirs = _with_alternatives(definition.rows.reader, str(output), references)
    else:
        ours, theirs = read(output), [read(reference) for reference in references]
    alignments = [_alignment(text, ours) for text in theirs]
    rows = [_operations(pairs) for pairs in alignments]
    if list(columns) not in rows:
        disagree(definition.name, rows, columns)
    at = rows.index(list(columns))
    _texts(board, ours, theirs, at, alignments[at], "" if characters else " ")
    which = f" With several references, the one with the lowest rate counts: reference {at + 1}." * (len(theirs) > 1)
    board.step(
        "Alignment",
        "A shortest sequence of edits from the reference to the output: substitutions (S), deletions (D) and "
        f"insertions (I); everything else is a hit (H).{which}",
        _pair_table(alignments[at], theirs[at], ours),
    )
    for symbol, number in zip("HSDI", columns, strict=True):
        board.write(symbol, number)
    board.step("Score", "Edits over the words of the reference." if definition.name in {"wer", "cer"} else "The rate.")
    hits, substitutions, deletions, insertions = columns
    in_reference, in_output = hits + substitutions + deletions, hits + substitutions + insertions
    match definition.name:
        case "mer":
            board.write(name, "(S + D + I) / (H + S + D + I)" if sum(columns) else "0")
        case "wil" | "wip" as kind:
            shares = [
                f"H / (H + S + {'D' if side == 0 else 'I'})" if total else "0"
                for side, total in enumerate((in_reference, in_output))
            ]
            preserved = f"{shares[0]} * ({shares[1]})" if in_reference + in_output else "1"
            board.write(name, preserved if kind == "wip" else f"1 - {preserved}")
        case _:
            empty = "" if in_reference else "the reference is empty, so the insertions are counted"
            board.write(name, "(S + D + I) / (H + S + D)" if in_reference else "I", empty)


def _with_alternatives(reader: Tokenizer, output: str, references: Sequence[Text]) -> tuple[Tokens, list[Tokens]]:
    """The words of the output, and those of each reference with its nearest alternatives."""
    words = reader(output)
    return tuple(words), [tuple(nearest_words(str(reference), words, reader)) for reference in references]


def _characters(definition: Definition) -> Callable[[Any], Tokens]:
    tokenizer = definition.tokenizer
    normalizer = tokenizer.normalizer if isinstance(tokenizer, NormalizedTokenizer) else str

    def read(text: str) -> Tokens:
        text = normalizer(text)
        text = text.lower() if definition.options["lowercase"] else text
        match definition.options["whitespace"]:
            case "strip":
                text = text.strip()
            case "collapse":
                text = " ".join(text.split())
            case "remove":
                text = "".join(text.split())
        return tuple(text)

    return read


def _texts(
    board: Board, ours: Tokens, theirs: Sequence[Tokens], at: int, pairs: Sequence[Pair], separator: str = " "
) -> None:
    """Mark what is aligned without an edit."""
    hits = [pair for pair in pairs if pair.kind not in {"substitution", "deletion", "insertion"}]
    in_output, in_reference = {pair.output for pair in hits}, {pair.reference for pair in hits}
    board.texts.append(MarkedText("output", ours, tuple(int(n in in_output) for n in range(len(ours))), separator))
    for place, text in enumerate(theirs):
        marks = tuple(int(place == at and n in in_reference) for n in range(len(text)))
        board.texts.append(MarkedText(numbered(theirs, place), text, marks, separator))


def _pair_table(pairs: Sequence[Pair], reference: Tokens, output: Tokens) -> WorkTable | None:
    rows = tuple(
        (
            kind,
            _NONE if at is None else str(reference[at]),
            _NONE if place is None else str(output[place]),
        )
        for kind, at, place in pairs
    )
    return WorkTable(("", "reference", "output"), rows) if rows else None


def _operations(pairs: Sequence[Pair]) -> list[int]:
    kinds = [pair.kind for pair in pairs]
    return [kinds.count(kind) for kind in ("hit", "substitution", "deletion", "insertion")]


_KINDS = {EQUAL: "hit", SUBSTITUTE: "substitution", DELETE: "deletion", INSERT: "insertion"}


def _alignment(reference: Tokens, output: Tokens) -> list[Pair]:
    return _pairs(edit_path(reference, output))


def _pairs(path: str) -> list[Pair]:
    pairs, in_reference, in_output = [], 0, 0
    for step in path:
        ours, theirs = step != DELETE, step != INSERT
        pairs.append(Pair(_KINDS[step], in_reference if theirs else None, in_output if ours else None))
        in_reference, in_output = in_reference + theirs, in_output + ours
    return pairs


class Edits(NamedTuple):
    """The moves that the search makes, the words after them, and the edits that are left."""

    moves: list[tuple[Tokens, Tokens]]  # the words that move, and all words after the move
    words: Tokens
    pairs: list[Pair]

    @property
    def number(self) -> int:
        return len(self.moves) + sum(pair.kind != "hit" for pair in self.pairs)


def ter(board: Board, definition: Definition, output: Text, references: Sequence[Text], columns: Sequence[int]) -> None:
    tokenizer = definition.tokenizer
    twice = f"{tokenizer.scheme}-twice" if tokenizer.scheme.startswith("tercom-normalized") else None
    ours = tokens_of(output, tokenizer)
    theirs = [tokens_of(reference, tokenizer, twice) for reference in references]
    found = [_edits(ours, text) for text in theirs]
    at = min(range(len(found)), key=lambda place: found[place].number)
    edits = found[at]
    check("edits", [edits.number], [columns[0]])
    _texts(board, edits.words, theirs, at, edits.pairs)
    if edits.moves:
        board.texts[0] = MarkedText("output after moves", edits.words, board.texts[0].marks)
        board.texts.insert(0, MarkedText("output", ours, (0,) * len(ours)))
    which = f" With several references, the one that needs the fewest edits counts: reference {at + 1}."
    moves = WorkTable(
        ("moved", "the output after the move"),
        tuple((" ".join(map(str, run)), " ".join(map(str, words))) for run, words in edits.moves),
    )
    text = "Each move takes a run of words to another place, if that lowers the edit distance."
    board.step("Moves", text + which * (len(theirs) > 1), moves if moves.rows else None)
    board.write("M", len(edits.moves), "moves")
    operations = _operations(edits.pairs)
    text = "What is left after the moves: substitutions (S), deletions (D) and insertions (I)."
    board.step("Alignment", text, _pair_table(edits.pairs, theirs[at], edits.words))
    for symbol, number in zip("SDI", operations[1:], strict=True):
        board.write(symbol, number)
    board.write("edits", "M + S + D + I")
    lengths = [len(text) for text in theirs]
    board.step("Score", "Edits over the mean length of the references.")
    if sum(lengths):
        # With a mean such as 17/3, edits / (17/3) would round twice.
        mean = "length" if len(lengths) == 1 else f"({' + '.join(map(str, lengths))}) / {len(lengths)}"
        board.write("length", lengths[0] if len(lengths) == 1 else mean, "mean length of the references")
        exact = f"{len(lengths)} * edits / ({' + '.join(map(str, lengths))})"
        board.write("TER", "edits / length" if len(lengths) == 1 else exact)
    else:
        board.write("TER", "1" if edits.number else "0", "there are no reference words")


def _edits(output: Tokens, reference: Tokens) -> Edits:
    """tercom's greedy search as run by sacrebleu: always the move that lowers the edit distance most."""
    shifts, path = shift_path(reference, output)
    moves: list[tuple[Tokens, Tokens]] = []
    words = output
    for shift in shifts:
        run = words[shift.start : shift.start + shift.length]
        words = apply_shift(words, shift)
        moves.append((run, words))
    return Edits(moves, words, _pairs(path))


def meteor(
    board: Board,
    definition: Definition,
    output: Text,
    references: Sequence[Text],
    columns: Sequence[int],
) -> None:
    formula, stages = definition.formula, str(definition.options["stages"]).split("+")
    ours = tokens_of(output, definition.tokenizer)
    theirs = [tokens_of(reference, definition.tokenizer) for reference in references]
    lookup = _lookup(definition) if "synonym" in stages else None
    alignments = [_staged(ours, text, stages, lookup) for text in theirs]
    rows = [[len(pairs), _chunks(pairs), len(ours), len(text)] for pairs, text in zip(alignments, theirs, strict=True)]
    if list(columns) not in rows:
        disagree("meteor", rows, columns)
    at = rows.index(list(columns))
    pairs = alignments[at]
    _texts(board, ours, theirs, at, pairs)
    which = f" With several references, the best one counts: reference {at + 1}." * (len(theirs) > 1)
    text = f"Words are matched one to one, in stages: {', '.join(stages)}. A chunk is a run of matches that are "
    board.step("Matches", f"{text}adjacent in both texts.{which}", _pair_table(pairs, theirs[at], ours))
    for symbol, number in zip(("matches", "chunks", "c", "r"), columns, strict=True):
        note = {"c": "words of the output", "r": "words of the reference"}.get(symbol, "")
        board.write(symbol, number, note)
    matches, _, length, reference_length = columns
    board.step("Precision and recall", "Matches over the words of each text, and their weighted mean.")
    board.write("P", "matches / c" if length else "0")
    board.write("R", "matches / r" if reference_length else "0")
    board.write("α", literal(formula.alpha))
    defined = formula.alpha * board.known["P"] + (1 - formula.alpha) * board.known["R"]
    board.write("F", "P * R / (α * P + (1 - α) * R)" if defined else "0", "" if defined else "nothing matches")
    board.step("Penalty", "Scattered matches cost more: the penalty grows with the number of chunks per match.")
    board.write("β", literal(formula.beta))
    board.write("γ", literal(formula.gamma))
    board.write("penalty", f"γ * ({'chunks / matches' if matches else '0'})**β")
    board.step("Score", "F, reduced by the penalty.")
    board.write("METEOR", "(1 - penalty) * F")


def _lookup(definition: Definition) -> Callable[[str], Sequence[str]]:
    table = wordnets.load(definition.outside.get("wordnet", wordnets.SHIPPED))
    return lambda word: synonyms(word.lower(), table)


def _staged(
    output: Tokens, reference: Tokens, stages: Sequence[str], lookup: Callable[[str], Sequence[str]] | None
) -> list[Pair]:
    """Matches by stage: each goes through the output from its end and takes the last free word that fits."""
    ours, theirs = dict(enumerate(output)), dict(enumerate(reference))
    pairs: list[Pair] = []
    for stage in stages:
        if stage == "stem":
            for side in (ours, theirs):
                side.update({at: counts.stem(word) for at, word in side.items() if isinstance(word, str)})
        for place, word in sorted(ours.items(), reverse=True):
            known = lookup(word) if stage == "synonym" and lookup and isinstance(word, str) else ()
            fitting = [at for at, other in theirs.items() if _equal(word, other) or other in known]
            if fitting:
                at = max(fitting)
                pairs.append(Pair(stage, at, place))
                del ours[place], theirs[at]
    return sorted(pairs, key=lambda pair: pair.output or 0)


def _equal(word: Token, other: Token) -> bool:
    return word == other


def _chunks(pairs: Sequence[Pair]) -> int:
    places = {(pair.output, pair.reference) for pair in pairs}
    return sum((at - 1, other - 1) not in places for at, other in places)  # type: ignore[operator]

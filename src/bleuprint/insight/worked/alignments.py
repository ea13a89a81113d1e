"""What WER, MER, WIL, WIP, CER, TER and METEOR pair: words of the output with words of a reference."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from bleuprint.core import counts
from bleuprint.core import wordnet as wordnets
from bleuprint.core.edit_paths import DELETE, EQUAL, INSERT, SUBSTITUTE, apply_shift, edit_path, shift_path
from bleuprint.core.normalizers import NormalizedTokenizer
from bleuprint.core.staged_match import match_words, synonyms
from bleuprint.insight.worked.board import Board, Segment, Token, Tokens, check, tokens_of, which_reference
from bleuprint.insight.worked.model import MarkedText, WorkTable
from bleuprint.metrics._alternatives import AlternativeRows, nearest_words

_KINDS = {EQUAL: "hit", SUBSTITUTE: "substitution", DELETE: "deletion", INSERT: "insertion"}
_EDITS = ("substitution", "deletion", "insertion")
_SPACES: dict[str, Callable[[str], str]] = {
    "keep": str,
    "strip": str.strip,
    "collapse": lambda text: " ".join(text.split()),
    "remove": lambda text: "".join(text.split()),
}


class Pair(NamedTuple):
    """One step of an alignment; None where a side has no word."""

    kind: str  # hit, substitution, deletion or insertion; for METEOR the stage
    reference: int | None
    output: int | None


def error_rate(board: Board, segment: Segment) -> None:
    """The alignment of WER, MER, WIL, WIP or CER."""
    definition = segment.definition
    characters = definition.name == "cer"
    ours, theirs = segment.read(lambda text: _characters(segment, str(text))) if characters else segment.tokens()
    if isinstance(definition.rows, AlternativeRows):
        reader = definition.rows.reader
        ours = tuple(reader(str(segment.output)))
        _, theirs = segment.read(lambda text: tuple(nearest_words(str(text), list(map(str, ours)), reader)))
    best = segment.best_reference(board)
    pairs = _pairs(edit_path(theirs[best], ours))
    _show_texts(board, ours, theirs, best, pairs, "" if characters else " ")
    which = which_reference("the one with the lowest rate", theirs, best)
    board.step(
        "Alignment",
        "A shortest sequence of edits from the reference to the output: substitutions (S), deletions (D) and "
        f"insertions (I); everything else is a hit (H).{which}",
        _pair_table(pairs, theirs[best], ours),
    )
    check("hits", sum(pair.kind == "hit" for pair in pairs), board.columns[0])
    for place, symbol in enumerate("HSDI"):
        board.column(place, symbol)


def _characters(segment: Segment, text: str) -> Tokens:
    tokenizer, options = segment.definition.tokenizer, segment.definition.options
    text = tokenizer.normalizer(text) if isinstance(tokenizer, NormalizedTokenizer) else text
    return tuple(_SPACES[options["whitespace"]](text.lower() if options["lowercase"] else text))


def _pairs(path: str) -> list[Pair]:
    pairs, in_reference, in_output = [], 0, 0
    for step in path:
        ours, theirs = step != DELETE, step != INSERT
        pairs.append(Pair(_KINDS[step], in_reference if theirs else None, in_output if ours else None))
        in_reference, in_output = in_reference + theirs, in_output + ours
    return pairs


def _show_texts(
    board: Board, ours: Tokens, theirs: Mapping[str, Tokens], best: str, pairs: Sequence[Pair], separator: str = " "
) -> None:
    """Mark what is aligned without an edit."""
    hits = [pair for pair in pairs if pair.kind not in _EDITS]
    board.texts.append(_mark("output", ours, {pair.output for pair in hits}, separator))
    for name, text in theirs.items():
        board.texts.append(_mark(name, text, {pair.reference for pair in hits} if name == best else (), separator))


def _mark(role: str, tokens: Tokens, places: Collection[int | None], separator: str = " ") -> MarkedText:
    return MarkedText(role, tokens, tuple(int(place in places) for place in range(len(tokens))), separator)


def _pair_table(pairs: Iterable[Pair], reference: Tokens, output: Tokens) -> WorkTable:
    def word(tokens: Tokens, place: int | None) -> str:
        return "–" if place is None else str(tokens[place])

    rows = tuple((kind, word(reference, at), word(output, place)) for kind, at, place in pairs)
    return WorkTable(("", "reference", "output"), rows)


def ter(board: Board, segment: Segment) -> None:
    """The moves and the edits of TER: tercom's greedy search as run by sacrebleu."""
    tokenizer = segment.definition.tokenizer
    twice = f"{tokenizer.scheme}-twice" if tokenizer.scheme.startswith("tercom-normalized") else None
    _, theirs = segment.read(lambda text: tokens_of(text, tokenizer, twice))
    ours = words = segment.tokens_of(segment.output)
    best = segment.best_reference(board, slice(1))  # the mean length is that of all references
    shifts, path = shift_path(theirs[best], ours)
    moves = []
    for shift in shifts:
        run = words[shift.start : shift.start + shift.length]
        words = apply_shift(words, shift)
        moves.append((" ".join(map(str, run)), " ".join(map(str, words))))
    pairs = _pairs(path)
    _show_texts(board, words, theirs, best, pairs)
    if moves:
        board.texts[0] = MarkedText("output after moves", words, board.texts[0].marks)
        board.texts.insert(0, MarkedText("output", ours, (0,) * len(ours)))
    text = "Each move takes a run of words to another place, if that lowers the edit distance."
    which = which_reference("the one that needs the fewest edits", theirs, best)
    board.step("Moves", text + which, WorkTable(("moved", "the output after the move"), tuple(moves)))
    edits = board.count("M", len(moves), "moves")
    text = "What is left after the moves: substitutions (S), deletions (D) and insertions (I)."
    board.step("Alignment", text, _pair_table(pairs, theirs[best], words))
    for symbol, kind in zip("SDI", _EDITS, strict=True):
        edits = edits + board.count(symbol, sum(pair.kind == kind for pair in pairs))
    board.write("edits", edits, place=0)
    lengths = " + ".join(str(len(text)) for text in theirs.values())
    mean = f": ({lengths}) / {len(theirs)}" if len(theirs) > 1 else ""
    exact = any(board.columns[2:])
    digits = f" It is kept exactly, with two digits in base {counts.LENGTH_BASE} after the point." if exact else ""
    board.step("Length", f"The mean length of the references in words{mean}.{digits}")
    board.column(1, "words")
    for place in (2, 3) if exact else ():
        board.column(place, f"digit_{place - 1}")


def meteor(board: Board, segment: Segment) -> None:
    """The matches of METEOR, stage by stage."""
    stages = str(segment.definition.options["stages"]).split("+")
    ours, theirs = segment.tokens()
    best = segment.best_reference(board)
    pairs = _match_in_stages(ours, theirs[best], stages, segment.definition.outside.get("wordnet", wordnets.SHIPPED))
    _show_texts(board, ours, theirs, best, pairs)
    which = which_reference("the best one", theirs, best)
    text = f"Words are matched one to one, in stages: {', '.join(stages)}. A chunk is a run of matches that are "
    board.step("Matches", f"{text}adjacent in both texts.{which}", _pair_table(pairs, theirs[best], ours))
    check("matches", len(pairs), board.columns[0])
    for place, symbol in enumerate(("matches", "chunks", "c", "r")):
        board.column(place, symbol, {"c": "words of the output", "r": "words of the reference"}.get(symbol, ""))


def _match_in_stages(output: Tokens, reference: Tokens, stages: Sequence[str], wordnet: str) -> list[Pair]:
    ours, theirs = dict(enumerate(output)), dict(enumerate(reference))

    def names(word: Token) -> Iterable[Token]:
        if stage == "synonym" and isinstance(word, str):
            return (word, *synonyms(word.lower(), wordnets.load(wordnet)))
        return (word,)

    pairs: list[Pair] = []
    for stage in stages:
        if stage == "stem":
            for side in (ours, theirs):
                side.update({at: counts.stem(word) for at, word in side.items() if isinstance(word, str)})
        pairs += [Pair(stage, at, place) for place, at in match_words(ours, theirs, names)]
    return sorted(pairs, key=lambda pair: pair.output or 0)

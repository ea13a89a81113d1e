"""What WER, MER, WIL, WIP, CER, TER and METEOR pair: words of the output with words of a reference."""

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
from bleuprint.insight.worked.model import Board, MarkedText, WorkTable
from bleuprint.insight.worked.reading import Segment, Token, Tokens, find, numbered, tokens_of
from bleuprint.metrics._alternatives import AlternativeRows, nearest_words
from bleuprint.metrics.base.definition import Definition


class Pair(NamedTuple):
    """One step of an alignment; None where a side has no word."""

    kind: str  # hit, substitution, deletion or insertion
    reference: int | None
    output: int | None


_NONE = "–"


def error_rate(board: Board, segment: Segment) -> None:
    """The alignment of WER, MER, WIL, WIP or CER."""
    definition = segment.definition
    characters = definition.name == "cer"
    if isinstance(definition.rows, AlternativeRows):
        ours, theirs = _with_alternatives(definition.rows.reader, str(segment.output), segment.references)
    elif characters:
        ours, *theirs = map(_characters(definition), (segment.output, *segment.references))
    else:
        ours, theirs = segment.tokens()
    alignments = [_alignment(text, ours) for text in theirs]
    at = find("rate", [_operations(pairs) for pairs in alignments], board.columns)
    _texts(board, ours, theirs, at, alignments[at], "" if characters else " ")
    which = f" With several references, the one with the lowest rate counts: reference {at + 1}." * (len(theirs) > 1)
    board.step(
        "Alignment",
        "A shortest sequence of edits from the reference to the output: substitutions (S), deletions (D) and "
        f"insertions (I); everything else is a hit (H).{which}",
        _pair_table(alignments[at], theirs[at], ours),
    )
    for place, symbol in enumerate("HSDI"):
        board.column(place, symbol)
    rule = "Edits over the words of the reference." if definition.name in {"wer", "cer"} else "The rate."
    board.headings[definition.name.upper()] = "Score", rule


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


def ter(board: Board, segment: Segment) -> None:
    """The moves and the edits of TER."""
    tokenizer = segment.definition.tokenizer
    twice = f"{tokenizer.scheme}-twice" if tokenizer.scheme.startswith("tercom-normalized") else None
    ours = tokens_of(segment.output, tokenizer)
    theirs = [tokens_of(reference, tokenizer, twice) for reference in segment.references]
    found = [_edits(ours, text) for text in theirs]
    at = min(range(len(found)), key=lambda place: found[place].number)
    edits = found[at]
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
    number = board.count("M", len(edits.moves), "moves")
    text = "What is left after the moves: substitutions (S), deletions (D) and insertions (I)."
    board.step("Alignment", text, _pair_table(edits.pairs, theirs[at], edits.words))
    for symbol, operations in zip("SDI", _operations(edits.pairs)[1:], strict=True):
        number = number + board.count(symbol, operations)
    board.write("edits", number, place=0)
    lengths = " + ".join(str(len(text)) for text in theirs)
    mean = f": ({lengths}) / {len(theirs)}" if len(theirs) > 1 else ""
    exact = any(board.columns[2:])
    digits = f" It is kept exactly, with two digits in base {counts.LENGTH_BASE} after the point." if exact else ""
    board.step("Length", f"The mean length of the references in words{mean}.{digits}")
    board.column(1, "words")
    for place in (2, 3) if exact else ():
        board.column(place, f"digit_{place - 1}")
    board.headings["length"] = "Length", ""
    board.headings["TER"] = "Score", "Edits over the mean length of the references."


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


def meteor(board: Board, segment: Segment) -> None:
    """The matches of METEOR, stage by stage."""
    stages = str(segment.definition.options["stages"]).split("+")
    ours, theirs = segment.tokens()
    lookup = _lookup(segment.definition) if "synonym" in stages else None
    alignments = [_match_in_stages(ours, text, stages, lookup) for text in theirs]
    rows = [[len(pairs), _chunks(pairs), len(ours), len(text)] for pairs, text in zip(alignments, theirs, strict=True)]
    at = find("meteor", rows, board.columns)
    _texts(board, ours, theirs, at, alignments[at])
    which = f" With several references, the best one counts: reference {at + 1}." * (len(theirs) > 1)
    text = f"Words are matched one to one, in stages: {', '.join(stages)}. A chunk is a run of matches that are "
    board.step("Matches", f"{text}adjacent in both texts.{which}", _pair_table(alignments[at], theirs[at], ours))
    for place, symbol in enumerate(("matches", "chunks", "c", "r")):
        board.column(place, symbol, {"c": "words of the output", "r": "words of the reference"}.get(symbol, ""))
    rates = "Precision and recall", "Matches over the words of each text, and their weighted mean."
    penalty = "Penalty", "Scattered matches cost more: the penalty grows with the number of chunks per match."
    board.headings |= {**dict.fromkeys("PRF", rates), "penalty": penalty}
    board.headings["METEOR"] = "Score", "F, reduced by the penalty."


def _lookup(definition: Definition) -> Callable[[str], Sequence[str]]:
    table = wordnets.load(definition.outside.get("wordnet", wordnets.SHIPPED))
    return lambda word: synonyms(word.lower(), table)


def _match_in_stages(
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

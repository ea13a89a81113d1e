"""jiwer.alignment: alignments and errors as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from bleuprint.compat.jiwer.process import AlignmentChunk, CharacterOutput, WordOutput

__all__ = ["collect_error_counts", "visualize_alignment", "visualize_error_counts"]

Output = WordOutput | CharacterOutput
_LETTERS = {"equal": " ", "substitute": "S", "delete": "D", "insert": "I"}
_HEADS = "REF: ", "HYP: ", "     "


def visualize_alignment(
    output: Output, show_measures: bool = True, skip_correct: bool = True, line_width: int | None = None
) -> str:
    """References and hypotheses below each other, with a letter under each error."""
    separator = "" if isinstance(output, CharacterOutput) else " "
    parts = []
    segments = zip(output.references, output.hypotheses, output.alignments, strict=True)
    for number, (reference, hypothesis, chunks) in enumerate(segments, start=1):
        if skip_correct and (not chunks or (len(chunks) == 1 and chunks[0].type == "equal")):
            continue
        columns = _columns(reference, hypothesis, chunks)
        parts.append(f"=== SENTENCE {number} ===\n\n{_render(columns, separator, line_width)}\n")
    text = "".join(parts)
    return text + _summary(output) if show_measures else text[:-1]


def _columns(
    reference: list[str], hypothesis: list[str], chunks: list[AlignmentChunk]
) -> Iterator[tuple[str, str, str]]:
    """Each step as a word of the reference, one of the hypothesis and a letter, all equally wide."""
    for chunk in chunks:
        above = reference[chunk.ref_start_idx : chunk.ref_end_idx]
        below = hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx]
        if chunk.type == "delete":
            below = ["*"] * len(above)
        elif chunk.type == "insert":
            above = ["*"] * len(below)
        for one, two in zip(above, below, strict=False):
            width = max(len(one), len(two), 1)
            if one == "*":
                one = "*" * width
            elif two == "*":
                two = "*" * width
            yield f"{one:>{width}}", f"{two:>{width}}", f"{_LETTERS[chunk.type]:>{width}}"


def _render(columns: Iterator[tuple[str, str, str]], separator: str, line_width: int | None) -> str:
    blocks, lines = [], list(_HEADS)
    for column in columns:
        if line_width is not None and len(lines[0]) + len(column[0]) > line_width:
            blocks.append(lines)
            lines = list(_HEADS)
        lines = [line + word + separator for line, word in zip(lines, column, strict=True)]
    # As in jiwer, a line always loses its last character if there is a separator, a block without words too.
    end = -1 if separator else None
    return "\n".join("".join(f"{line[:end]}\n" for line in block) for block in (*blocks, lines))


def _summary(output: Output) -> str:
    if isinstance(output, CharacterOutput):
        rates = f"\ncer={output.cer * 100:.2f}%\n"
    else:
        names = ("mer", "wil", "wip", "wer")
        rates = "".join(f"\n{name}={getattr(output, name) * 100:.2f}%" for name in names) + "\n"
    return (
        f"=== SUMMARY ===\nnumber of sentences: {len(output.alignments)}\n"
        f"substitutions={output.substitutions} deletions={output.deletions} insertions={output.insertions} "
        f"hits={output.hits}\n{rates}"
    )


Frequencies = Mapping[str, int] | Mapping[tuple[str, str], int]
Errors = tuple[defaultdict[tuple[str, str], int], defaultdict[str, int], defaultdict[str, int]]


def collect_error_counts(output: Output) -> Errors:
    """How often each stretch was substituted, inserted and deleted."""
    separator = " " if isinstance(output, WordOutput) else ""
    errors: Errors = (defaultdict(int), defaultdict(int), defaultdict(int))
    substitutions, insertions, deletions = errors
    for number, chunks in enumerate(output.alignments):
        for chunk in chunks:
            above = separator.join(output.references[number][chunk.ref_start_idx : chunk.ref_end_idx])
            below = separator.join(output.hypotheses[number][chunk.hyp_start_idx : chunk.hyp_end_idx])
            if chunk.type == "substitute":
                substitutions[above, below] += 1
            elif chunk.type == "insert":
                insertions[below] += 1
            elif chunk.type == "delete":
                deletions[above] += 1
    return errors


def visualize_error_counts(
    output: Output,
    show_substitutions: bool = True,
    show_insertions: bool = True,
    show_deletions: bool = True,
    top_k: int | None = None,
) -> str:
    """The errors as a list, the most frequent first."""
    titles = ("SUBSTITUTIONS", "INSERTIONS", "DELETIONS")
    shown = (show_substitutions, show_insertions, show_deletions)
    errors: tuple[Frequencies, ...] = collect_error_counts(output)
    parts = [
        f"=== {title} ===\n{_format_counts(counts, top_k)}"
        for title, counts, show in zip(titles, errors, shown, strict=True)
        if show
    ]
    return "\n".join(parts).removesuffix("\n")


def _format_counts(counts: Frequencies, top_k: int | None) -> str:
    if not counts:
        return "none"
    rows = [(key if isinstance(key, tuple) else (key,), count) for key, count in counts.items()]
    rows = sorted(rows, key=lambda row: row[1], reverse=True)[:top_k]
    width = max(len(text) for key, _ in rows for text in key)
    return "".join(" --> ".join(f"{text:<{width}}" for text in key) + f" = {count}x\n" for key, count in rows)

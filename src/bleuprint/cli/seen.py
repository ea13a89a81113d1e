"""bleuprint seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from bleuprint import checks
from bleuprint.cli import _notes, _terminal
from bleuprint.cli._command import option, subcommand, test_option
from bleuprint.cli._inputs import named_files, read_lines
from bleuprint.cli._metrics import build_metrics, metric_options
from bleuprint.cli._options import shared_options
from bleuprint.cli._output import Output, document, output_options
from bleuprint.core import counts
from bleuprint.corpora.cleaning import MANIFEST, write_clean
from bleuprint.corpora.findings import PERMUTATIONS, Seen
from bleuprint.corpora.search import RARE, CorpusSearch, corpus_files, seen
from bleuprint.dataset.stream import text_blocks
from bleuprint.errors import LineCountError
from bleuprint.models.ngram_index import NgramIndex
from bleuprint.results.digits import Digits
from bleuprint.runners.progress import progress


@subcommand(
    "seen",
    examples=(
        "bleuprint seen test.jsonl --index corpus.bpi --report seen.html",
        "bleuprint seen test.txt --index corpus.bpi --rule palm --max 0.01",
        "bleuprint seen test.txt --index corpus.bpi -i out.txt -r ref.txt -m bleu",
        "bleuprint seen test.jsonl --in 'corpus/*.jsonl.zst' --write-clean clean/",
        "bleuprint seen test.jsonl --in 'corpus/*' --part 3/16 --journal part-3.seen",
        "bleuprint seen test.jsonl --merge 'part-*.seen'",
    ),
    more="'bleuprint cards contamination', docs/seen-before.md",
    epilog="Exit status 1: more items are contaminated than --max allows.",
)
@click.argument("texts", metavar="TEXTS")
@option("Input", "--index FILE", "Index to search; see 'bleuprint index build'.")
@option(
    "Input",
    "--in FILE",
    "File of the corpus, folder, or quoted pattern, to search without an index; repeatable.",
    name="corpus",
    multiple=True,
)
@option("Input", "--merge FILE", "Journal of a part of the corpus, or quoted pattern; repeatable.", multiple=True)
@option("Input", "--column NAME", "Column of a table that holds the texts [default: text].")
@option("Input", "--answer-column NAME", "Column of a table that holds the answers, which are judged apart.")
@option("Input", "--in-column NAME", "Column of the corpus that holds its texts [default: text].", name="inside")
@shared_options("errors")
@test_option(
    "--rule",
    "Paper whose rule decides which texts are contaminated.",
    type=click.Choice(["gpt3", "palm", "llama2"]),
    default="gpt3",
)
@test_option("--order N", "Length of the n-grams [default: the rule's].", type=int)
@test_option(
    "--share SHARE",
    "Minimum share of seen text for an item to count as contaminated; 0 for any [default: the rule's].",
    type=float,
)
@test_option(
    "--rare N",
    "Records of the corpus that may contain a rare n-gram.",
    type=click.IntRange(0),
    default=RARE,
)
@option("Input", "-i, --input HYP", "File of outputs for these texts; repeatable.", name="inputs", multiple=True)
@shared_options("references", "source")
@metric_options("bleu")
@test_option(
    "--permutations N", "Random sets of items to compare the contaminated ones with.", type=int, default=PERMUTATIONS
)
@shared_options("seed")
@test_option(
    "--max SHARE", "Fail if a larger share of items is contaminated.", name="maximum", type=click.FloatRange(0, 1)
)
@option("Output", "--write-clean DIR", "Copy the corpus without the records that contaminate items.", name="clean")
@option("Output", "--cut", "Cut what was found from these records instead of leaving them out.")
@option("Output", "--journal FILE", "Save what was found; run the same command again to resume.")
@option("Speed", "--part K/N", "Read only part K of N of the files; --merge puts the journals together.")
@option("Speed", "--restart", "Start again instead of resuming from the journal.")
@option("Output", "--limit N", "Contaminated items to print.", type=click.IntRange(0), default=20)
@output_options(
    "width", "percent", "json", "strict", "force", report="Write an HTML report with the seen spans highlighted."
)
@shared_options("threads")
def command(
    texts: str,
    column: str | None,
    index: str | None,
    corpus: tuple[str, ...],
    merge: tuple[str, ...],
    answer_column: str | None,
    clean: str | None,
    inputs: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    metrics: tuple[str, ...],
    permutations: int,
    seed: int,
    maximum: float | None,
    limit: int,
    output: Output,
    threads: int | None,
    **options: Any,
) -> None:
    """Find texts that a corpus contains, such as test items in training data.

    TEXTS is a file with one text per line, or a table. The corpus is an index from 'bleuprint index build', or files
    that are read once. With -i, the outputs for these texts are also scored without the contaminated ones, and a
    permutation test tells whether that matters.
    """
    if (index is not None) + bool(corpus) + bool(merge) != 1:
        raise click.UsageError("Pass one of --index, --in and --merge.")
    if not inputs and (references or source is not None):
        raise click.UsageError("-r and -s need outputs to score: pass them with -i.")
    rule = {name: options.pop(name) for name in ("rule", "order", "share", "rare")}
    streamed = {name: options.pop(name) for name in ("part", "journal", "restart", "inside", "errors", "cut")}
    if index is not None and (clean or any(streamed[name] for name in ("part", "journal", "restart", "inside"))):
        options_of_files = "--write-clean, --part, --journal, --restart and --in-column"
        raise click.UsageError(f"{options_of_files} need --in; an index is searched at once.")
    if streamed["cut"] and clean is None:
        raise click.UsageError("--cut needs --write-clean DIR.")
    opened = None if index is None else NgramIndex.open(index)
    items = _read(texts, column)

    def lines(path: str) -> list[str]:
        segments = read_lines(path)
        if len(segments) != len(items):
            raise LineCountError(texts, len(items), path, len(segments))
        return segments

    expected = list(zip(*map(lines, references), strict=True))
    systems = {name: lines(path) for name, path in named_files(inputs).items()}
    sources = None if source is None else lines(source)
    built = build_metrics(metrics, {**options, "index": index}, unit="segment") if systems else {}
    answers = None if answer_column is None else _read(texts, answer_column)
    if opened is None:
        reading: dict[str, Any] = {name: options[name] for name in ("tokenizer", "lowercase") if options[name]}
        search = CorpusSearch(items, answers=answers, **rule, **reading)
        result = _stream(search, corpus, merge, clean, threads, **streamed)
    else:
        with progress("searching", None):
            result = seen(items, opened, answers=answers, **rule, threads=threads)
    with progress("scoring", None):
        if systems:
            result = result.with_effects(
                systems,
                expected or None,
                sources=sources,
                metrics=built,
                permutations=permutations,
                seed=seed,
                threads=threads,
            )
    _notes.show(result.notes)

    def report() -> str:
        from bleuprint.report import render_seen

        return render_seen(result, name=texts, percent=output.percent)

    output.deliver(
        json=lambda: document(result.to_dict()), report=report, show=lambda: _show(result, limit, output.digits)
    )
    contaminated = sum(text.contaminated for text in result.texts)
    if maximum is not None and not checks.reaches(-contaminated / max(1, len(items)), -maximum):
        _terminal.note(f"bleuprint: {contaminated} of {len(items)} texts are contaminated, more than --max {maximum:g}")
        raise click.exceptions.Exit(1)


def _read(path: str, column: str | None) -> list[str]:
    return [text for block in text_blocks(path, column=column) for text in counts.column_strings(block)]


def _stream(
    search: CorpusSearch,
    corpus: tuple[str, ...],
    merge: tuple[str, ...],
    clean: str | None,
    threads: int | None,
    *,
    part: str | None,
    inside: str | None,
    errors: str,
    cut: bool,
    **options: Any,
) -> Seen:
    """Search files that are read once, or merge what was found in parts of them; write them without it."""
    chosen = None
    if part is not None:
        number, _, parts = part.partition("/")
        if not (number.isdecimal() and parts.isdecimal()) or options["journal"] is None:
            raise click.UsageError("--part is written like 3/16, and needs --journal FILE for what it finds.")
        chosen = int(number), int(parts)
    if merge:
        result = search.merge(corpus_files(merge))
    else:
        files = corpus_files(corpus)
        sizes = [Path(file).stat().st_size for file in files if Path(file).is_file()]
        total = sum(sizes) if len(sizes) == len(files) else None
        with progress("searching", total, unit="MB") as advance:
            result = search.run(
                files, column=inside, errors=errors, part=chosen, threads=threads, progress=advance, **options
            )
    if clean is not None:
        with progress("writing", None):
            changed = write_clean(search, result, clean, cut=cut, column=inside, errors=errors)
        note = f"{clean}: {changed:,} of {result.records:,} records differ; {MANIFEST} names them"
        result = replace(result, notes=(*result.notes, note))
    return result


def _show(result: Seen, limit: int, digits: Digits) -> None:
    verdicts = [f"{count:,}" for count in result.verdicts.values()]
    _terminal.draw_rows(
        [*result.verdicts, "by the rule", "items", "records"],
        [[*verdicts, f"{result.by_rule:,}", f"{len(result.texts):,}", f"{result.records:,}"]],
    )
    if result.novelty:
        curve = ["novelty", *("" if value is None else digits(value) for value in result.novelty)]
        _terminal.write("\n")
        _terminal.draw_rows(["order", *map(str, range(1, len(result.novelty) + 1))], [curve])
    rows = []
    for item in result.found[:limit]:
        first = next(span for field in item.fields for span in field.spans)
        words = " ".join(filter(None, (first.before, f"[{first.text}]", first.after)))
        rule = "yes" if item.text.by_rule else "no"
        rows.append([str(item.number), item.verdict, rule, item.summary, f"{first.file}:{first.record}", words])
    if rows:
        _terminal.write("\n")
        head = ["item", "verdict", "by the rule", "evidence", "source", "text there"]
        _terminal.draw_rows(head, rows, range(1, len(head)))
    if rows and len(result.found) > limit:
        _terminal.write(f"and {len(result.found) - limit:,} more; --limit shows more, --json has all\n")
    if result.effects:
        effects = [[*effect.row(digits), "yes" if effect.matters else "no"] for effect in result.effects]
        _terminal.write("\n")
        _terminal.draw_rows(["system", "metric", "all", "clean", "contaminated", "difference", "p", "matters"], effects)
    _terminal.write_lines(["", result.signature])

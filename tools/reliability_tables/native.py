"""What fuzzers, sanitizers, a leak check and hostile input made of the native core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.reliability_tables.sections import table

TARGETS = {
    "edits": "staged matches, synonyms of any bytes, subsequences and alignments against plain tables",
    "boundary": "any object graph for texts, references and options of the public functions (atheris)",
    "scripts": "letters of texts by script, against a plain table",
    "characters": "character n-grams against maps, edit distances against the plain table, equality",
    "matrices": "Arrow arrays of every layout, resampled sums against plain loops",
    "model_files": "language models (ARPA, packed) and counts of a corpus read from any bytes",
    "ngram_matches": "n-grams in a stream: any bytes as matches, and texts in pieces and parts against plain loops",
    "ngram_indexes": "n-gram indexes: any bytes, behind valid checksums too, and against plain loops and merged parts",
    "pools": "Self-BLEU, crossed pools, distinct and shared n-grams, duplicates, pairs: against maps",
    "rows": "clipped n-grams against maps, overlap, corrections, changes, best matches",
    "shifts": "edits with moves: any texts, and each path of moves and edits taken apart again",
    "tokenizers": "every tokenizer, lower case, cleaning, stemmer, UTF-8, lines: raw bytes",
    "twins": "property tests of kernels against their plain twins (atheris)",
    "weighted": "priors, informed and cosine rows, language models trained, packed, read and asked",
}
BUILDS = {
    "asan": "AddressSanitizer, leaks, UndefinedBehaviorSanitizer, `_GLIBCXX_ASSERTIONS`",
    "tsan": "ThreadSanitizer",
}


def fuzzing(figures: Mapping[str, Any]) -> str:
    """Every target, and all together."""
    rows = [
        [
            f"`{name}`",
            TARGETS[name],
            f"{found['executions']:,}",
            f"{found['seconds'] / 60:.1f}",
            f"{found['features']:,}",
            str(found["findings"]),
        ]
        for name, found in sorted(figures.items())
    ]
    executions, seconds, findings = (
        sum(found[part] for found in figures.values()) for part in ("executions", "seconds", "findings")
    )
    rows.append(["all", "", f"{executions:,}", f"{seconds / 60:.0f}", "", str(findings)])
    return table(["target", "what", "executions", "minutes", "features", "findings open"], rows)


def sanitizers(figures: Mapping[str, Any]) -> str:
    """Every build with the tests that ran in it."""
    rows = [
        [
            BUILDS[name],
            f"{found['files']} of {found['of']}",
            f"{found['tests']:,}",
            str(found["failed"]),
            str(found["findings"]),
            f"{found['seconds'] / 60:.0f}",
        ]
        for name, found in figures.items()
    ]
    head = ["build", "test files or folders", "tests passed", "files that failed", "findings", "minutes"]
    return table(head, rows)


def leaks(figures: Mapping[str, Any]) -> str:
    """Memory that a million calls left behind."""
    what = f"{figures['calls']:,} calls of every native entry, good and failing"
    return f"Resident memory gained by {what}: {figures['gained'] / 1024:,.0f} KiB (the test allows 4 MiB)."


def adversarial(figures: Mapping[str, Any]) -> str:
    """Crafted words under a seed that their author knows and one that nobody does; then growth with size."""
    words = [
        [f"{known['words']:,}", *(f"{row['crafted'] / row['ordinary']:.2f} times" for row in (known, unknown))]
        for known, unknown in zip(figures["known"], figures["unknown"], strict=True)
    ]
    cases = [
        [
            case["name"],
            " / ".join(f"{value * 1000:.1f}" for value in case["seconds"]),
            f"{case['per_byte']:.2f}",
            case["expected"],
        ]
        for case in figures["cases"]
    ]
    return "\n\n".join(
        [
            table(["crafted words", "ordinary words' time, seed known to the author", "seed of the process"], words),
            table(["input, at three sizes", "milliseconds", "per byte, largest to smallest", "expected"], cases),
        ]
    )

"""The table of which case catches which mistake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

HEAD = """# What the metric vectors catch

`python -m tools.make_vectors` writes this page together with the [vectors](../../vectors/README.md). A mutant is a
plain implementation with one mistake; `tests/vectors/plain` has them. A test checks that every mutant fails a case, and
that every case has a mistake that no other case of its metric catches.

● the case fails with this mistake. ◆ no other case does.
"""


def page(documents: Mapping[str, Any], sentences: Mapping[str, Mapping[str, str]]) -> str:
    parts = [HEAD, summary(documents, sentences)]
    parts += [f"## {metric}\n\n{matrix(metric, found, sentences[metric])}" for metric, found in documents.items()]
    return "\n".join(parts)


def summary(documents: Mapping[str, Any], sentences: Mapping[str, Mapping[str, str]]) -> str:
    rows = []
    for metric, found in documents.items():
        sources = list(dict.fromkeys(case["source"].split(":")[0] for case in found["cases"]))
        rows.append([f"[{metric}](#{metric})", str(len(found["cases"])), str(len(sentences[metric])), *sources])
    cases, mistakes = (str(sum(int(row[at]) for row in rows)) for at in (1, 2))
    return table(["metric", "cases", "mutants", "values from"], [*rows, ["all", cases, mistakes, ""]])


def matrix(metric: str, found: Mapping[str, Any], sentences: Mapping[str, str]) -> str:
    names = [case["id"].removeprefix(f"{metric}-") for case in found["cases"]]
    rows = [[sentence, *(mark(case, mistake) for case in found["cases"])] for mistake, sentence in sentences.items()]
    return table(["mistake", *names], [[cell.replace("|", "\\|") for cell in row] for row in rows])


def mark(case: Mapping[str, Any], mistake: str) -> str:
    if mistake in case["catches"]:
        return "◆"
    return "●" if mistake in case["mistakes"] else ""


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)

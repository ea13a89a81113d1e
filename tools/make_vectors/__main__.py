"""Write `vectors/` and the table of what it catches: `python -m tools.make_vectors`.

With `--check` it says whether the files are current.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

from tests.vectors.plain import METRICS
from tests.vectors.plain.case import Case, Value, run
from tools.make_vectors import (
    answers,
    bleu,
    chrf,
    gleu,
    meteor,
    nist,
    page,
    perplexity,
    pools,
    rouge,
    sari,
    ter,
    tokenizers,
    wer,
)
from tools.make_vectors.draft import Draft, Suite

ROOT = Path(__file__).resolve().parents[2]
MODULES = (bleu, tokenizers, chrf, ter, rouge, wer, meteor, gleu, nist, sari, pools, perplexity, answers)
SUITES: list[Suite] = [suite for module in MODULES for suite in module.SUITES]
TOLERANCE = 1e-9


def differ(value: Value, expected: Value) -> bool:
    """Whether a value would fail: numbers by more than the tolerance, tokens at all."""
    if isinstance(value, list) and isinstance(expected, list):
        if len(value) != len(expected):
            return True
        return any(differ(*pair) for pair in zip(value, expected, strict=True))
    if isinstance(value, (int, float)) and isinstance(expected, (int, float)):
        return not abs(value - expected) <= TOLERANCE
    return bool(value != expected)


def expected_value(expected: dict[str, Any]) -> Value:
    return next(expected[key] for key in ("score", "scores", "tokens") if key in expected)


def mistakes_of(suite: Suite, case: Case, expected: dict[str, Any]) -> dict[str, Value]:
    """The values that mutants give where they differ."""
    plain = METRICS[suite.metric]
    found = {mistake: run(plain.score, case, mistake) for mistake in plain.mistakes}
    right = expected_value(expected)
    if differ(run(plain.score, case), right):
        raise ValueError(f"{case.id}: the plain metric gives {run(plain.score, case)}, expected {right}")
    return {mistake: value for mistake, value in found.items() if differ(value, right)}


def document(suite: Suite) -> dict[str, Any]:
    drafts = [(draft, draft.case(suite)) for draft in suite.drafts]
    expected = [suite.expected(case) for _, case in drafts]
    mistakes = [mistakes_of(suite, case, found) for (_, case), found in zip(drafts, expected, strict=True)]
    times = Counter(mistake for found in mistakes for mistake in found)
    cases = [
        entry(suite, draft, case, found, wrong, [mistake for mistake in wrong if times[mistake] == 1])
        for (draft, case), found, wrong in zip(drafts, expected, mistakes, strict=True)
    ]
    return {"format": 1, "metric": suite.metric, "about": suite.about, "scale": suite.scale, "cases": cases}


def entry(
    suite: Suite, draft: Draft, case: Case, expected: dict[str, Any], mistakes: dict[str, Value], catches: list[str]
) -> dict[str, Any]:
    choices = [*draft.accepted(case), *suite.accepted(case)]
    accepted = [choice for choice in choices if differ(expected_value(choice), expected_value(expected))]
    return {
        "id": case.id,
        "about": draft.about,
        "level": case.level,
        "options": case.options,
        "hypotheses": case.hypotheses,
        "references": case.references,
        **({"sources": case.sources} if case.sources else {}),
        "expected": expected,
        "tolerance": 0 if suite.scale == "tokens" else TOLERANCE,
        **({"accepted": accepted} if accepted else {}),
        "source": suite.source if isinstance(suite.source, str) else suite.source(case),
        "catches": catches,
        "mistakes": mistakes,
        "flags": draft.flags,
    }


def line(value: Any) -> str:
    """JSON on one line; what cannot be seen, such as a combining accent, is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(escape(letter) if is_hidden(letter) else letter for letter in text)


def is_hidden(letter: str) -> bool:
    return letter != " " and unicodedata.category(letter) in {"Mn", "Mc", "Cf", "Cc", "Co", "Cn", "Zs", "Zl", "Zp"}


def escape(letter: str) -> str:
    return json.dumps(letter)[1:-1]


def render(found: dict[str, Any]) -> str:
    """One line a field, so that a person can read a case and a change."""
    head = "".join(f' "{key}": {line(value)},\n' for key, value in found.items() if key != "cases")
    cases = ",\n".join(
        "  {\n" + ",\n".join(f'   "{key}": {line(value)}' for key, value in case.items()) + "\n  }"
        for case in found["cases"]
    )
    return f'{{\n{head} "cases": [\n{cases}\n ]\n}}\n'


def files() -> dict[str, str]:
    """The text of every generated file, by its place in the repository."""
    documents = {suite.metric: document(suite) for suite in SUITES}
    texts = {f"vectors/{metric}.json": render(found) for metric, found in documents.items()}
    sentences = {metric: METRICS[metric].mistakes for metric in documents}
    texts["vectors/mistakes.json"] = json.dumps(sentences, indent=1, ensure_ascii=False) + "\n"
    texts["bench/tables/vectors.md"] = page.page(documents, sentences)
    return texts


def main() -> int:
    texts = files()
    stale = [name for name, text in texts.items() if not same(ROOT / name, text)]
    if "--check" in sys.argv[1:]:
        print("\n".join(f"{name} is not current" for name in stale) or "all files are current")
        return 1 if stale else 0
    for name in stale:
        (ROOT / name).write_text(texts[name], encoding="utf-8")
    return 0


def same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())

"""`python -m bench.seen_growth JOB …`: one job of the seen suite in a process of its own, as JSON.

Jobs: `text FOLDER BYTES` writes text and tests; `stream PATH TOKENIZER`, `grep PATH` and `set PATH` look for the tests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.data import load
from bench.index_growth import measured, write_text

ORDER, ITEMS, LINES = 13, 2000, 10


def write(folder: Path, size: int) -> dict[str, Any]:
    import zstandard

    write_text(folder / "text.txt", size)
    lines = (folder / "text.txt").read_text(encoding="utf-8").splitlines()
    rows = [
        json.dumps({"id": at, "text": "\n".join(lines[at : at + LINES])}) + "\n" for at in range(0, len(lines), LINES)
    ]
    content = "".join(rows).encode()
    (folder / "text.jsonl").write_bytes(content)
    (folder / "text.jsonl.zst").write_bytes(zstandard.compress(content))
    (folder / "tests.json").write_text(json.dumps(load(ITEMS).references))
    return {}


def ngrams(folder: Path) -> set[tuple[str, ...]]:
    words = [text.split() for text in json.loads((folder / "tests.json").read_text())]
    return {tuple(text[at : at + ORDER]) for text in words for at in range(len(text) - ORDER + 1)}


def stream(path: Path, tokenizer: str) -> dict[str, Any]:
    from bleuprint.corpora import CorpusSearch

    tests = json.loads((path.parent / "tests.json").read_text())

    def work() -> dict[str, Any]:
        result = CorpusSearch(tests, tokenizer=tokenizer).run(path, threads=1)
        return {"by_rule": result.by_rule, "bytes": path.with_name(path.name.removesuffix(".zst")).stat().st_size}

    return measured(work)


def grep(path: Path) -> dict[str, Any]:
    patterns = path.with_name("patterns.txt")
    patterns.write_text("".join(" ".join(ngram) + "\n" for ngram in sorted(ngrams(path.parent))), encoding="utf-8")
    command = ["grep", "-F", "-c", "-f", str(patterns), str(path)]
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"})
    times = os.times()
    return {"cpu": times.children_user + times.children_system, "bytes": path.stat().st_size}


def plain_set(path: Path) -> dict[str, Any]:
    sought = ngrams(path.parent)

    def work() -> dict[str, Any]:
        found = 0
        with path.open(encoding="utf-8") as file:
            for line in file:
                words = line.split()
                found += any(tuple(words[at : at + ORDER]) in sought for at in range(len(words) - ORDER + 1))
        return {"lines": found, "bytes": path.stat().st_size}

    return measured(work)


def main() -> None:
    job, *arguments = sys.argv[1:]
    path = Path(arguments[0])
    if job == "text":
        found = write(path, int(arguments[1]))
    elif job == "stream":
        found = stream(path, arguments[1])
    else:
        found = grep(path) if job == "grep" else plain_set(path)
    print(json.dumps(found))


if __name__ == "__main__":
    main()

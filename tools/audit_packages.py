"""Audit packages from the index with the metric vectors, each in an environment of its own.

    python -m tools.audit_packages [--folder FOLDER] [NAME ...]

It installs the newest releases and earlier versions that had faults, runs `bleuprint audit` on each, and writes
`bench/tables/audits.md` and the table of `docs/metric-vectors.md`. With names it audits these environments again and
takes the others from the folder. Nothing is fetched but packages; torch is large.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from tools.reliability_tables.sections import ROOT, dated, table, with_section

TABLE, PAGE = ROOT / "bench" / "tables" / "audits.md", ROOT / "docs" / "metric-vectors.md"
TORCH = "torch==2.13.0"  # a plain one would bring CUDA


@dataclass(frozen=True)
class Environment:
    """What is installed together, and the package that is audited in it."""

    name: str
    package: str
    requirements: tuple[str, ...] = ()
    without_dependencies: str = ""
    earlier: bool = False  # a version that a later release has repaired, or one that shows a fault of its time


def newest(package: str, *requirements: str, **settings: Any) -> Environment:
    return Environment(package, package, requirements or (package,), **settings)


def earlier(package: str, version: str, *requirements: str) -> Environment:
    return Environment(f"{package}-{version}", package, (f"{package}=={version}", *requirements), earlier=True)


# lighteval itself would bring another torch; its translation metrics need these.
_LIGHTEVAL = ("nltk", "sacrebleu", "scikit-learn", "pytablewriter", "huggingface-hub", "pydantic", "transformers")
ENVIRONMENTS = (
    newest("sacrebleu"),
    newest("nltk"),
    newest("rouge-score"),
    newest("jiwer"),
    newest("rapidfuzz"),
    newest("fast-bleu"),
    newest("bleuscore"),
    newest("pycocoevalcap"),
    newest("torchmetrics", TORCH, "torchmetrics", "nltk", "regex"),
    newest("lighteval", TORCH, *_LIGHTEVAL, "pandas", "requests", without_dependencies="lighteval"),
    newest("opik", "opik", "nltk", "rouge-score"),
    newest("deepeval", "deepeval", "nltk", "rouge-score"),
    newest("ragas", "ragas", "sacrebleu", "rouge-score", "langchain-community<0.4"),  # newer ones break its import
    earlier("sacrebleu", "1.4.14"),
    earlier("sacrebleu", "2.0.0"),
    earlier("nltk", "3.6.2"),
    earlier("bleuscore", "0.1.0"),
    earlier("opik", "1.9.0", "nltk", "rouge-score"),
)


def install(environment: Environment, folder: Path) -> Path:
    """The Python of the environment, made if it is not there."""
    place = folder / environment.name
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (place / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        subprocess.run([*pip, *environment.requirements], check=True)
        if environment.without_dependencies:
            subprocess.run([*pip, "--no-deps", environment.without_dependencies], check=True)
        (place / "ready").touch()
    return python


def audit(environment: Environment, folder: Path) -> None:
    """Run the audit and keep its result; exit code 1 says that cases failed, which is what we want to know."""
    python = install(environment, folder)
    saved = folder / f"{environment.name}.json"
    command = [
        sys.executable,
        "-m",
        "bleuprint",
        "audit",
        environment.package,
        "--python",
        str(python),
        "--time-limit",
        "300",
    ]
    found = subprocess.run([*command, "--json", str(saved), "--force"], capture_output=True, text=True, check=False)
    if found.returncode not in (0, 1):
        raise SystemExit(f"{environment.name}: {found.stderr.strip()}")


def count(result: dict[str, Any], outcome: str) -> str:
    return str(sum(case["outcome"] == outcome for case in result["cases"]))


def failures(result: dict[str, Any]) -> list[tuple[str, str, list[str]]]:
    """What explains failed cases: the metric, the sentence, and the cases."""
    return [
        (finding["metric"], finding["text"].replace("|", "\\|"), finding["cases"])
        for finding in result["findings"]
        if finding["outcome"] == "failed"
    ]


def points(result: dict[str, Any], metric: str) -> str:
    cost = result["costs"].get(metric)
    return "" if cost is None else f"{round(100 * cost, 2) + 0.0:+.2f}"


def newest_rows(results: dict[str, dict[str, Any]]) -> list[list[str]]:
    rows = []
    for environment in ENVIRONMENTS:
        if not environment.earlier:
            result = results[environment.name]
            said = [f"{metric}: {text}" for metric, text, _ in failures(result)]
            counts = [count(result, outcome) for outcome in ("passed", "on purpose", "failed")]
            rows.append([result["name"], *counts, "<br>".join(dict.fromkeys(said))])
    return rows


def fault_rows(results: dict[str, dict[str, Any]], *, earlier: bool) -> list[list[str]]:
    """A row for each failure, with what the newest release makes of the same cases."""
    rows = []
    for environment in ENVIRONMENTS:
        if environment.earlier == earlier:
            result, now = results[environment.name], results[environment.package]
            outcomes = {case["id"]: case["outcome"] for case in now["cases"]}
            for metric, text, cases in failures(result):
                later = ", ".join(dict.fromkeys(outcomes[case] for case in cases))
                then = [f"{now['name'].split()[-1]}: {later}"] if earlier else []
                rows.append([result["name"], metric, text, ", ".join(cases), points(result, metric), *then])
    return rows


def write(results: dict[str, dict[str, Any]]) -> None:
    head = ["package", "metric", "likely mistake", "cases", "points"]
    pages = {
        TABLE: {
            "earlier": table([*head, "newest release"], fault_rows(results, earlier=True)),
            "newest": table(head, fault_rows(results, earlier=False)),
        },
        PAGE: {
            "audits": table(["package", "passed", "on purpose", "failed", "what the vectors say"], newest_rows(results))
        },
    }
    for path, sections in pages.items():
        text = path.read_text(encoding="utf-8")
        for name, content in sections.items():
            text = with_section(text, name, dated(content, date.today()))
        path.write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "audits", help="for environments and results")
    parser.add_argument("names", nargs="*", metavar="NAME", help="environments to audit again; all by default")
    given = parser.parse_args()
    folder = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for environment in ENVIRONMENTS:
        if not given.names or environment.name in given.names:
            print(environment.name, flush=True)
            audit(environment, folder)
    saved = {each.name: folder / f"{each.name}.json" for each in ENVIRONMENTS}
    write({name: json.loads(path.read_text(encoding="utf-8")) for name, path in saved.items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())

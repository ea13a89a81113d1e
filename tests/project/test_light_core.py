"""The library needs NumPy alone; the command line, the report and JSON Lines say what they need besides."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = """
import sys
for name in ("click", "jinja2", "markupsafe", "orjson", "rich"):
    sys.modules[name] = None
"""


def without_the_command_lines_packages(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process in which the packages that bleuprint-core does not bring cannot be imported."""
    return subprocess.run(
        [sys.executable, "-c", BLOCK + code], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )


def test_modules_outside_the_command_line_and_the_report_import() -> None:
    done = without_the_command_lines_packages("""
import pkgutil, bleuprint
rooms = {path.name for path in pkgutil.iter_modules(bleuprint.__path__)} - {"cli", "integrations", "report", "__main__"}
for room in sorted(rooms):
    module = __import__(f"bleuprint.{room}", fromlist=["_"])
    for found in pkgutil.walk_packages(getattr(module, "__path__", ()), f"bleuprint.{room}."):
        if not found.name.endswith("__main__"):
            __import__(found.name)
import bleuprint.integrations.pytest_plugin
print(len(rooms), *sorted(name for name in sys.modules if name.split(".")[0] in ("torch", "pandas")))
""")
    assert (done.stderr, done.returncode) == ("", 0)
    assert int(done.stdout) >= 12


def test_the_library_scores_evaluates_compares_and_stores() -> None:
    done = without_the_command_lines_packages("""
import bleuprint as bp
from bleuprint.compat import sacrebleu
from bleuprint.results import Result
from tools import smoke_test
smoke_test.scores()
hypotheses, references = ["the cat sat on the mat", "a dog"], ["the cat sat on a mat", "a dog"]
result = bp.evaluate(hypotheses, references, metrics=["bleu", "chrf", "rouge"])
assert Result.from_json(result.to_json()).systems[0].scores[0].value == result.systems[0].scores[0].value
print(result)
print(result.to_latex(), result.to_markdown())
bp.compare({"A": hypotheses, "B": references}, references, metrics=["bleu"], resamples=100)
bp.diversity(hypotheses)
assert sacrebleu.corpus_bleu(hypotheses, [references]).score > 50
""")
    assert (done.stderr, done.returncode) == ("", 0)


def test_a_terminal_without_rich_shows_no_progress_bar() -> None:
    done = without_the_command_lines_packages("""
import time
from bleuprint.runners import progress
progress._PATIENCE = 0
sys.stderr.isatty = lambda: True
with progress.progress("counting", 10) as advance:
    time.sleep(0.05)
    advance(10)
""")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_what_needs_more_says_how_to_install_it(tmp_path: Path) -> None:
    (tmp_path / "texts.jsonl").write_text('{"hypothesis": "a", "references": ["a"]}\n', encoding="utf-8")
    done = without_the_command_lines_packages(f"""
import bleuprint as bp
from bleuprint.errors import MissingExtraError
from bleuprint.dataset import Dataset

def report(): bp.evaluate(["a"], ["a"]).to_html()
def room(): bp.report
def lines(): list(Dataset.from_file({str(tmp_path / "texts.jsonl")!r}))
def bar():
    from bleuprint.runners.progress import progress
    with progress("counting", 10, shown=True): pass
for job in (report, room, lines, bar):
    try:
        job()
    except MissingExtraError as error:
        print(error)
""")
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "the HTML report needs jinja2: pip install bleuprint",
        "the HTML report needs jinja2: pip install bleuprint",
        "a progress bar needs rich: pip install bleuprint",
    ]


def test_the_command_line_says_in_one_line_what_it_needs() -> None:
    done = without_the_command_lines_packages("import runpy; runpy.run_module('bleuprint', run_name='__main__')")
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr == "bleuprint: the command line needs click: pip install bleuprint\n"


def test_a_command_that_misses_one_package_says_so_in_one_line() -> None:
    code = "sys.modules['rich'] = None; sys.stdout.isatty = lambda: True; from bleuprint.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.argv = ['bleuprint', 'cards', 'bleu']; {code}"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "bleuprint: the command line needs rich: pip install bleuprint\n"

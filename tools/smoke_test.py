"""Does an installed bleuprint work? Needs nothing but the package; run after every wheel is built.

python tools/smoke_test.py [--examples]

With bleuprint-core alone, the command line must say what it needs. --examples runs all examples in docstrings as well,
except those that need an extra.
"""

from __future__ import annotations

import doctest
import pkgutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import bleuprint as bp
from bleuprint.errors import MissingExtraError


def scores() -> None:
    """One number of each kind, in one thread and in several."""
    pair = ["the cat is on the mat"], ["there is a cat on the mat"]
    assert abs(bp.corpus_bleu(*pair).value - 0.2905925408079185) < 1e-12
    assert bp.corpus_chrf(*pair).value > bp.corpus_bleu(*pair).value
    assert bp.corpus_ter(*pair).value == 3 / 7
    assert bp.sentence_bleus(["a b c d", "a b"], ["a b c d", "c d"]).tolist() == [1.0, 0.0]
    texts = [f"text {number % 7} of {number} texts in the pool" for number in range(500)]
    assert bp.self_bleu(texts, threads=1).value == bp.self_bleu(texts, threads=4).value
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(lambda _: bp.corpus_bleu(texts, texts[::-1]).value, range(8)))) == 1
    model = bp.LanguageModel.train(texts, order=3, discount_fallback=True)
    assert 1 < model.perplexity("text 3 of 10 texts") < 100
    assert bp.sentence_meteor("the auto stopped", "the car stopped").value > 0.9
    hostile = ["\x00", "🙂" * 1000, "\u2028 line", ""]
    assert bp.corpus_chrf(hostile, hostile).value == bp.exact_match(hostile, hostile).value == 1.0


def commands(folder: Path) -> None:
    """Files in, a report out, a gate that opens and one that shuts."""
    (folder / "out.txt").write_text("the cat sat on the mat\na dog\n", encoding="utf-8")
    (folder / "ref.txt").write_text("the cat sat on a mat\na dog\n", encoding="utf-8")
    run(folder, "score", "out.txt", "-r", "ref.txt", "--json", "new.json", "--report", "report.html")
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    run(folder, "gate", "new.json", "--min", "bleu=0.1")
    run(folder, "gate", "new.json", "--min", "bleu=0.99", code=1)
    run(folder, "replay", "new.json")
    run(folder, "demo")
    (folder / "half.py").write_text("import sys\nfor line in sys.stdin: print(0.5)\n", encoding="utf-8")
    run(folder, "audit", "--command", f"'{sys.executable}' half.py", "-m", "gleu", code=1)


def run(folder: Path, *arguments: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "bleuprint", *arguments], cwd=folder, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == code, f"bleuprint {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr


class Examples(doctest.DocTestRunner):
    """Runs examples, each docstring up to the first that fails; one that needs an extra is no failure."""

    def __init__(self) -> None:
        super().__init__(optionflags=doctest.FAIL_FAST)
        self.wrong: list[str] = []

    def report_failure(self, out: Any, test: Any, example: Any, got: Any) -> None:
        self.wrong.append(test.name)
        super().report_failure(out, test, example, got)

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        if not issubclass(exc_info[0], MissingExtraError):
            self.wrong.append(test.name)
            super().report_unexpected_exception(out, test, example, exc_info)


def examples() -> int:
    """Run the examples of all modules that can be imported; return how many there are."""
    found = pkgutil.walk_packages(bp.__path__, "bleuprint.", onerror=lambda _: None)
    runner = Examples()
    attempted = 0
    for name in [
        "bleuprint",
        *(module.name for module in found if not module.name.endswith(("._native", ".__main__"))),
    ]:
        try:
            module = import_module(name)
        except MissingExtraError:
            continue
        except ModuleNotFoundError as error:
            if (error.name or "bleuprint").startswith("bleuprint"):
                raise
            continue
        for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
            attempted += runner.run(test).attempted
    assert not runner.wrong, ", ".join(runner.wrong)
    return attempted


def main() -> int:
    scores()
    with tempfile.TemporaryDirectory() as folder:
        if find_spec("click") is None:
            assert run(Path(folder), "demo", code=2).endswith("needs click: pip install bleuprint\n")
        else:
            commands(Path(folder))
    if "--examples" in sys.argv:
        print(f"{examples()} examples passed")
    print(f"bleuprint {bp.__version__} works under Python {sys.version.split()[0]} on {sys.platform}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

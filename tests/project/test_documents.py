"""What the documents show runs and prints what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.documents import DOCUMENTS, ROOT, documents_of, lay_out, relative
from tests.support.markdown import PYTHON, blocks_of, examples_of, run_document
from tests.support.warm_program import program_folder

# Blocks that are read and not run: what a command or a file looks like, and commands that install or start things.
SHOWN = {"c", "console", "js", "json", "output", "text", "toml"}
# Suites that run what needs more than the packages of the tests.
SUITES = {
    "": "tests",
    "evals": "tests/evals",
    "integrations": "tests/with_torch/integrations",
    "neural": "tests/with_torch/neural",
    "spark": "tests/integrations/spark",
}


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_blocks_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BLEUPRINT_DATA", str(tmp_path / "data"))
    assert run_document(path, programs=[program_folder()]) == ""


def test_documents_can_be_followed_without_the_tests() -> None:
    """`make wheels` copies that one file into environments that hold nothing but the package."""
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.path[0] = 'tests/support'; import markdown"], cwd=ROOT, check=False
    )
    assert done.returncode == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_blocks_have_a_language_and_a_suite_that_runs_them(path: Path) -> None:
    for block in blocks_of(path.read_text(encoding="utf-8")):
        assert block.language in {*PYTHON, "sh", "yaml", *SHOWN}, f"line {block.line}"
        assert block.suite in SUITES, f"line {block.line}"


@pytest.mark.parametrize("suite", [suite for suite in SUITES if suite])
def test_every_suite_has_something_to_run(suite: str) -> None:
    assert documents_of(suite)
    assert (ROOT / SUITES[suite]).is_dir()


def test_few_blocks_are_only_shown() -> None:
    blocks = [block for path in DOCUMENTS for block in blocks_of(path.read_text(encoding="utf-8"))]
    shown = [block for block in blocks if block.language in SHOWN - {"output"}]
    assert len(shown) * 5 < len(blocks)


def test_the_readme_opens_with_the_two_commands() -> None:
    commands = (ROOT / "README.md").read_text(encoding="utf-8").split("```")[1]
    assert [line.split("#")[0].strip() for line in commands.splitlines()[1:]] == ["make demo", "make test"]


def test_the_readme_has_examples_and_is_short() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(examples_of(text)) > 10
    assert len(text.splitlines()) <= 150


class TestTheRunner:
    """Every kind of block can fail."""

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    @pytest.mark.parametrize(
        ("document", "said"),
        [
            ("```python\n>>> 1 + 1\n2\n\n```\n", ""),
            ("```python\n>>> 1 + 1\n3\n\n```\n", "Expected:\n    3\nGot:\n    2"),
            ("```pycon\n>>> x = 1\n```\nand\n```pycon\n>>> x\n1\n```\n", ""),
            ("```python\nx = 1\n```\n", "a Python block has examples with >>>"),
            ("```sh\ntrue\n```\n", ""),
            ("```sh\nfalse\n```\n", "page.md:2: exit 1"),
            ("```sh\necho a; echo b; echo c\n```\n\n```output\na\n…\nc\n```\n", ""),
            ("```sh\necho a; echo b\n```\n\n```output\na\n```\n", "page.md:2: expected"),
            ("- x\n\n  ```sh\n  false\n  ```\n", "exit 1"),
            ("```python\n# made.py\nprint('made')\n```\n```sh\npython made.py\n```\n```output\nmade\n```\n", ""),
            ("```sh neural\nfalse\n```\n", ""),
            (
                "```yaml\n# ci.yml\njobs: {a: {steps: [{run: pip install x}, {run: 'false'}]}}\n```\n",
                "page.md:2: exit 1",
            ),
            ("```yaml\n# ci.yml\na: {script: ['false']}\n```\n", "page.md:2: exit 1"),
            ("```yaml\n# task.yaml\ntask: a\nlist: [!function b]\n```\n```sh\ngrep b task.yaml\n```\n", ""),
        ],
    )
    def test_says_what_is_wrong(self, tmp_path: Path, document: str, said: str) -> None:
        page = tmp_path / "page.md"
        page.write_text(document, encoding="utf-8")
        found = run_document(page)
        assert said in found
        assert bool(found) == bool(said)

    def test_runs_the_suite_it_is_asked_for(self, tmp_path: Path) -> None:
        page = tmp_path / "page.md"
        page.write_text("```sh\nfalse\n```\n```sh neural\nfalse\n```\n", encoding="utf-8")
        assert "page.md:5" in run_document(page, suite="neural")

    def test_reads_yaml(self, tmp_path: Path) -> None:
        page = tmp_path / "page.md"
        page.write_text("```yaml\na: [1\n```\n", encoding="utf-8")
        with pytest.raises(Exception, match="expected ',' or ']'"):
            run_document(page)

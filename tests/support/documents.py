"""The files that the documents speak of, made of the sample that comes with the package."""

from __future__ import annotations

import gzip
import json
import random
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import accumulate, cycle, islice
from pathlib import Path
from types import ModuleType

import bleuprint
from bleuprint import evaluate
from tests.support.markdown import blocks_of

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = Path(bleuprint.__file__).parent / "dataset" / "sample"
DOCUMENTS = [ROOT / "README.md", ROOT / "AGENTS.md", ROOT / "llms.txt", *sorted((ROOT / "docs").rglob("*.md"))]


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def documents_of(suite: str) -> list[Path]:
    """The documents with blocks that a suite runs."""
    return [
        path for path in DOCUMENTS if any(block.suite == suite for block in blocks_of(path.read_text(encoding="utf-8")))
    ]


def block_of(name: str) -> str:
    """The block about integrations that is the file of this name."""
    page = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
    (block,) = [block for block in blocks_of(page) if block.file == name]
    return block.text


def recipe(name: str, folder: Path) -> ModuleType:
    """That file, written into a folder and imported from there."""
    (folder / name).write_text(block_of(name), encoding="utf-8")
    spec = spec_from_file_location(Path(name).stem, folder / name)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lay_out(folder: Path) -> None:
    """Write what a reader would have: outputs of systems, references, results of earlier runs."""
    text = {path.stem: path.read_text(encoding="utf-8") for path in sorted(SAMPLE.glob("*.txt"))}
    files = {
        **{f"{name}.txt": text[name] for name in ("system-a", "system-b", "system-c", "source")},
        "reference.txt": text["ref-1"],
        "reference-2.txt": text["ref-2"],
        "system.txt": text["system-a"],
        "new.txt": text["system-a"],
        "old.txt": text["system-c"],
        "samples.txt": text["system-b"],
        "texts.txt": text["system-b"],
        "train.txt": text["system-c"],
        "human.txt": text["ref-1"],
        "a.txt": text["system-a"],
        "b.txt": text["system-b"],
        "generate.py": "print(open('system.txt', encoding='utf-8').read(), end='')\n",
        "corpus.txt": "\n".join(_corpus(3000)) + "\n",
    }
    lines = {name: content.splitlines() for name, content in files.items()}
    files["domain.txt"] = "".join(f"{word}\n" for word in islice(cycle(("news", "chat")), len(lines["reference.txt"])))
    files["outputs.jsonl"] = "".join(
        json.dumps({"source": source, "mt": mt, "baseline": baseline, "target": [target, other]}) + "\n"
        for source, mt, baseline, target, other in zip(
            *(lines[f"{name}.txt"] for name in ("source", "system-a", "system-c", "reference", "reference-2")),
            strict=True,
        )
    )
    files["ted-ende.tsv"] = "\n".join(_mqm_rows(lines))
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    for name in ("system.txt", "reference.txt"):
        (folder / f"{name}.gz").write_bytes(gzip.compress(files[name].encode("utf-8")))
    systems = {f"system-{letter}": lines[f"system-{letter}.txt"] for letter in "abc"}
    old = {"system": systems["system-c"]}
    for name, outputs in (("old.json", old), ("release.json", old), ("result.json", systems)):
        result = evaluate(outputs, lines["reference.txt"], metrics=["bleu", "chrf", "ter"])
        result.write_json(folder / name)
    (folder / "src").symlink_to(ROOT / "src")
    (folder / "examples").symlink_to(ROOT / "examples")


def _mqm_rows(lines: dict[str, list[str]]) -> list[str]:
    """Errors of outputs as the MQM files of WMT have them, with quotation marks that quote nothing."""
    found = (
        ("No-error", "No-error"),
        ("Fluency/Punctuation", "Minor"),
        ("Style/Awkward", "Minor"),
        ("Accuracy/Mistranslation", "Major"),
        ("Non-translation!", "Major"),
    )
    rows = ["system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"]
    for name, least in (("reference", 0), ("system-a", 0), ("system-c", 1), ("system-b", 2)):
        system = "ref" if name == "reference" else name
        for place, (source, target) in enumerate(zip(lines["source.txt"], lines[f"{name}.txt"], strict=True)):
            for rater, (category, severity) in enumerate(found[least : least + 1 + place % 3], start=1):
                first, _, rest = target.partition(" ")
                cells = (system, "talk", 1, place + 1, f"rater{rater % 2}", f'"{source}', f"<v>{first}</v> {rest}")
                rows.append("\t".join(map(str, (*cells, category, severity))))
    return rows


@cache
def _corpus(size: int) -> list[str]:
    """Text enough to estimate the discounts of a language model: frequencies must fall as they do in language."""
    draw = random.Random(7)
    totals = list(accumulate(1 / rank for rank in range(1, 5001)))
    phrases = [
        " ".join(f"word{number}" for number in draw.choices(range(5000), cum_weights=totals, k=6)) for _ in range(5000)
    ]
    return [" ".join(draw.choices(phrases, cum_weights=totals, k=2)) for _ in range(size)]

"""The data that some tests read: fetch all of it, or cut the sample that is part of the repository.

    python -m tools.shared_data fetch FOLDER_OR_URL    # into ../shared/data, or data/ of BLEUPRINT_SHARED
    python -m tools.shared_data sample                 # writes tests/data/wmt22-sample.tar.xz

`fetch` takes each file that tests/data/SHA256SUMS lists from a folder or from below an address, and keeps it only if it
has the listed checksum. Without the data, tests use the sample, and the few that need all of it are skipped.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import lzma
import sys
import tarfile
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.support import wmt22

SUMS = wmt22.SAMPLE.with_name("SHA256SUMS")
TIMEOUT = 60  # seconds without a byte

MANY_PAIRS = ("Lan-Bridge", "Online-A", "Online-B", "Online-G", "Online-W", "Online-Y")  # systems that tests name
# Pairs whose systems are whole, so that their published scores can be computed: a small one, and those with other
# tokenizers or two references. None is all systems.
WHOLE: dict[str, tuple[str, ...] | None] = {
    "liv-en": None,
    "en-de": (*MANY_PAIRS, "JDExploreAcademy", "OpenNMT"),
    "en-ja": ("Online-B",),
    "en-zh": ("Online-B", "Online-W"),
}
ALL_SYSTEMS = ("de-en", "en-hr", "ja-en")  # of others the first three and those above
CUT = 80  # lines


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.shared_data", description=(__doc__ or "").partition("\n")[0])
    jobs = parser.add_subparsers(required=True, dest="job")
    jobs.add_parser("fetch").add_argument("origin", metavar="FOLDER_OR_URL")
    jobs.add_parser("sample")
    given = parser.parse_args()
    if given.job == "fetch":
        return fetch(given.origin, wmt22.archive().parent)
    wmt22.SAMPLE.write_bytes(sample(wmt22.archive()))
    print(f"{wmt22.SAMPLE.name}: {wmt22.SAMPLE.stat().st_size:,} bytes")
    return 0


def fetch(origin: str, folder: Path) -> int:
    """Copy each listed file into the folder, if it is the listed one; 1 if any is missing or another."""
    failed = 0
    for line in SUMS.read_text(encoding="utf-8").splitlines():
        expected, name = line.split("  ")
        target = folder / name
        if target.exists() and _digest(target.read_bytes()) == expected:
            print(f"{name}: there already")
            continue
        try:
            content = _read(origin, name)
        except (OSError, URLError) as error:
            print(f"{name}: cannot be read ({error})", file=sys.stderr)
            failed = 1
            continue
        if _digest(content) != expected:
            print(f"{name}: its SHA-256 is not that of {SUMS.name}, so it was not kept", file=sys.stderr)
            failed = 1
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        print(f"{name}: {len(content):,} bytes")
    return failed


def _read(origin: str, name: str) -> bytes:
    if "://" not in origin:
        return (Path(origin) / name).read_bytes()
    with urlopen(f"{origin.rstrip('/')}/{name}", timeout=TIMEOUT) as answer:
        return bytes(answer.read())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def sample(archive: Path) -> bytes:
    """Some systems, most of them cut after the first lines, and the published scores of those that are whole."""
    with tarfile.open(archive) as tar:
        texts = {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}  # type: ignore[union-attr]
    scores = next(name for name in texts if name.endswith(wmt22.SCORES))
    kept: dict[str, bytes] = {}
    for name in sorted(texts):
        if "/txt/" not in f"/{name}":
            continue
        _, pair, kind, *rest = Path(name).name.split(".", 3)
        system = rest[0].rpartition(".")[0] if kind == "hyp" else ""
        first = sorted(other for other in texts if f".{pair}.hyp." in other)[:3]
        wanted = WHOLE.get(pair, None if pair in ALL_SYSTEMS else MANY_PAIRS)
        if system and wanted is not None and system not in wanted and (pair in WHOLE or name not in first):
            continue
        lines = texts[name].split(b"\n")
        kept[name] = texts[name] if pair in WHOLE else b"\n".join(lines[:CUT]) + b"\n"
    head, *rows = texts[scores].decode().splitlines(keepends=True)
    kept[scores] = "".join([head, *(row for row in rows if _is_whole(row.split("\t")))]).encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(kept):
            member = tarfile.TarInfo(name)
            member.size = len(kept[name])
            tar.addfile(member, io.BytesIO(kept[name]))
    return lzma.compress(packed.getvalue(), preset=9 | lzma.PRESET_EXTREME)


def _is_whole(row: list[str]) -> bool:
    pair, system, metric = row[0], row[1], row[4]
    systems = WHOLE.get(pair, ())
    return metric.startswith(("bleu-", "chrf-")) and (systems is None or system in systems)


if __name__ == "__main__":
    sys.exit(main())

"""Write the table of synonyms that comes with the package, and the licence that must come with it.

    python tools/make_synonym_table.py /usr/share/wordnet [folder to write to]

The folder holds WordNet 3.0 as Princeton published it: index.*, data.* and *.exc of the four parts of speech, as in
Debian's package wordnet-base. The same files give the same bytes.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

from bleuprint.core import wordnet

DATA = Path(wordnet.__file__).parent / "data"
# Names stand alphabetically, not at multiples of four bytes: without alignment the file is 1 kB smaller.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]


def compressed(folder: Path) -> bytes:
    return lzma.compress(wordnet.read_folder(folder), format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC64, filters=FILTERS)


def licence(folder: Path) -> str:
    """The notice that every file of WordNet begins with, in numbered lines."""
    numbered = []
    for line in (folder / "index.adv").read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            break
        numbered.append(line.strip().partition(" ")[2].rstrip())
    return "\n".join(numbered).strip() + "\n"


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 2 or not all(Path(folder).is_dir() for folder in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    folder, target = Path(arguments[0]), Path(arguments[1]) if len(arguments) == 2 else DATA
    (target / wordnet.FILE).write_bytes(compressed(folder))
    (target / wordnet.LICENCE).write_text(licence(folder), encoding="utf-8")
    print(f"{target / wordnet.FILE}: {(target / wordnet.FILE).stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""Cases of a disk that is full: one line, the old file as it was, nothing half-written beside it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from bleuprint.runners import evaluate
from tests.hostile.case import LIMIT, Case, Clear
from tests.hostile.commands import PROGRAM, CommandError, Folder, answer, inside
from tests.support.cli import sample

# A real file system of one megabyte where one can be mounted; otherwise files that may not grow.
_FULL = """
mkdir d
if unshare -rm true 2>/dev/null && [ -z "$INSIDE" ]; then INSIDE=1 exec unshare -rm sh "$0" "$@"; fi
limit=ulimit
mount -t tmpfs -o size=1m none d 2>/dev/null && limit=true
printf old > d/out
[ $limit = true ] && head -c 2000000 /dev/zero > d/filler 2>/dev/null
( [ $limit = ulimit ] && ulimit -f 1; exec "$@" ) > said 2> complaint
echo $? > code
rm -f d/filler
ls -A d > names
cat d/out > kept
"""


def on_a_full_disk(*arguments: str, left: str = "out") -> Case:
    """d/out is what the program is told to replace; `left` is all that stands there afterwards."""

    def work(folder: Folder) -> object:
        folder.file("run.sh", _FULL)
        evaluate({"one": ["a b c d e"] * 200, "two": ["a b c d f"] * 200}, ["a b c d e"] * 200).write_json(
            folder.path / "in.json"
        )
        subprocess.run(["sh", "run.sh", *PROGRAM, *arguments, "--force"], cwd=folder.path, timeout=LIMIT, check=False)
        names, kept, code = ((folder.path / name).read_text().strip() for name in ("names", "kept", "code"))
        if names.split() != left.split() or kept != "old":
            raise AssertionError(f"left {names.split()}, of which out holds {kept[:50]!r}")
        return answer(int(code), *((folder.path / name).read_bytes() for name in ("said", "complaint")))

    name = "-".join(argument.lstrip("-") for argument in arguments if not argument.startswith(("/", "d/", "in.")))
    return Case(
        f"full-disk/{name}",
        inside(work),
        Clear(CommandError, ("d/out", "No space left on device")),
        Clear(CommandError, ("d/out", "File too large")),
    )


def without_room_for_temporary_files() -> Case:
    """More texts than the least limit has memory for, and a folder for temporary files without room for them."""

    def work(folder: Folder) -> object:
        folder.file("run.sh", _FULL.replace("2000000", "500000"))  # a folder that is full already is not used
        folder.file("in.txt", "".join(f"{n % 977} b{n % 7919} c{n % 31} d e f{n % 577}\n" for n in range(320_000)))
        command = ["env", "TMPDIR=d", *PROGRAM, "score", "in.txt", "-m", "self-bleu", "--memory", "128MB"]
        subprocess.run(["sh", "run.sh", *command], cwd=folder.path, timeout=LIMIT, check=False)
        names, code = ((folder.path / name).read_text().strip() for name in ("names", "code"))
        if names != "out":
            raise AssertionError(f"left {names.split()}")
        return answer(int(code), *((folder.path / name).read_bytes() for name in ("said", "complaint")))

    return Case(
        "full-disk/temporary-files",
        inside(work),
        Clear(CommandError, ("temporary files", "TMPDIR", "No space left on device")),
        Clear(CommandError, ("temporary files", "TMPDIR", "File too large")),
    )


_SCORE: Sequence[str] = ("score", sample("system-a"), "-r", sample("ref-1"))
DISKS = [
    on_a_full_disk(*_SCORE, "--json", "d/out"),
    on_a_full_disk(*_SCORE, "--report", "d/out"),
    on_a_full_disk("report", "in.json", "-o", "d/out"),
    on_a_full_disk("score", sample("system-a"), "-m", "self-bleu", "--json", "d/out"),
    on_a_full_disk("lm", "train", sample("ref-1"), "--order", "2", "--discount-fallback", "-o", "d/out"),
    on_a_full_disk("score", sample("system-a"), "-m", "self-bleu", "--report", "d/out"),
    # The parts of an index that are done stay: the same command goes on with them.
    on_a_full_disk("index", "build", sample("ref-1"), "-o", "d/out", left="out out.building"),
    without_room_for_temporary_files(),
]

GROUPS: dict[str, list[Case]] = {"full disks": DISKS}

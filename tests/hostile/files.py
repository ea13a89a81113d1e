"""Cases of files and the command line: what lies, is not there, ends early or cannot be written."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from tests.hostile.apis import expected_bleu
from tests.hostile.case import LIMIT, Case, Right
from tests.hostile.commands import PROGRAM, Folder, answer, command_case, waiting

HYPOTHESES = ["the cat sat on the mat", "a dog barked at the old tree", "yes"]
REFERENCES = ["the cat sat on a mat", "a dog barked at the old oak tree", "no"]
FULL = "No space left on device"


def text(lines: Sequence[str], ending: str = "\n") -> str:
    return "".join(line + ending for line in lines)


def expected(hypotheses: Sequence[str] = HYPOTHESES, references: Sequence[str] = REFERENCES) -> float:
    return expected_bleu(hypotheses, [[reference] for reference in references])[1]


PAIR: dict[str, bytes | str] = {"hyp.txt": text(HYPOTHESES), "ref.txt": text(REFERENCES)}


def scored(name: str, hypothesis: bytes | str, score: Callable[[], float] = expected) -> Case:
    """The file holds these texts, and scores as they do."""
    return command_case(name, Folder.score, Right(score), {**PAIR, "hyp.txt": hypothesis})


def refused(name: str, hypothesis: bytes | str, *says: str) -> Case:
    return command_case(name, Folder.score, says, {**PAIR, "hyp.txt": hypothesis})


def directory(folder: Folder) -> object:
    (folder.path / "folder").mkdir()
    return folder.score("folder")


def dying_writer(folder: Folder) -> object:
    """A named pipe whose writer is killed in the middle of a line."""
    os.mkfifo(folder.path / "pipe")
    writer = subprocess.Popen(
        ["sh", "-c", "printf 'the cat sat\\na dog ba' > pipe; sleep 0; kill -9 $$"], cwd=folder.path
    )
    try:
        return folder.score("pipe")
    finally:
        writer.wait()


def stdin_lines(content: str) -> Callable[[Folder], object]:
    return lambda folder: folder.score("-", input=content.encode())


def c_locale(folder: Folder) -> object:
    return folder.score(environment={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})


def full_stdout(folder: Folder) -> object:
    with Path("/dev/full").open("wb") as full:
        return folder.run("score", "hyp.txt", "-r", "ref.txt", stdout=full.fileno())


def into(path: str) -> Callable[[Folder], object]:
    """The result into a file where none can be written."""
    return lambda folder: folder.run("score", "hyp.txt", "-r", "ref.txt", "--json", path)


def closed_pipe(folder: Folder) -> object:
    """The reader of the output goes away before it comes."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command = [*PROGRAM, "score", "hyp.txt", "-r", "ref.txt", "--sentence-level"]
        done = subprocess.run(
            command, cwd=folder.path, stdout=writing, stderr=subprocess.PIPE, timeout=LIMIT, check=False
        )
        return done.returncode, done.stderr
    finally:
        os.close(writing)


def terminal_escape(folder: Folder) -> object:
    name = "a\x1b]0;owned\x07\x1b[31m\u202e\n.txt"
    folder.file(name, text(HYPOTHESES))
    return folder.run("score", name, "-r", "ref.txt").splitlines()[1].split()[0]


def vanishing(folder: Folder) -> object:
    """A file that shrinks while it is read: refused, never the score of a part.

    The program opens its files in order, so once it has opened the pipe it has the first 64 KB of the longer file. It
    then waits for the pipe, until that file has been cut.
    """
    folder.file("hyp.txt", text(HYPOTHESES) * 20_000)
    folder.file("ref.txt", text(REFERENCES) * 20_000)
    os.mkfifo(folder.path / "pipe")
    process = subprocess.Popen(
        [*PROGRAM, "score", "hyp.txt", "-r", "pipe", "-q"],
        cwd=folder.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with suppress(BrokenPipeError), (folder.path / "pipe").open("wb") as pipe:
        os.truncate(folder.path / "hyp.txt", 1000)
        pipe.write(text(REFERENCES).encode() * 20_000)
    return answer(*_ended(process))


def _ended(process: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    out, error = process.communicate(timeout=LIMIT)
    return process.returncode, out, error


LATIN = text(["caf\xe9", *REFERENCES[1:]]).encode("latin-1")
SEPARATORS = ["a\u2028b c d e", "a\x85b\x0cc d\x1de", "yes"]
SIGNS = (
    ["caf\xe9 \u6f22\u5b57 a b", "\U0001f600 c d e", "x"],
    ["caf\xe9 \u6f22\u5b57 a b", "\U0001f600 c d f", "y"],
)
SIGNED: dict[str, bytes | str] = {"hyp.txt": text(SIGNS[0]), "ref.txt": text(SIGNS[1])}
TABBED = ["the\tcat\tsat on", "a\tdog barked", "yes\tno"]
FILES = [
    refused("cli-bad-utf8", b"fine\nw\xffrong\nfine\n", "hyp.txt, line 2", "byte 2 (0xFF)", "UTF-8", "iconv"),
    command_case("cli-latin1-ref", Folder.score, ("ref.txt, line 1", "0xE9", "UTF-8"), {**PAIR, "ref.txt": LATIN}),
    refused("cli-utf16", text(HYPOTHESES).encode("utf-16"), "hyp.txt", "UTF-16", "iconv"),
    scored("cli-bom", b"\xef\xbb\xbf" + text(HYPOTHESES).encode()),
    scored("cli-crlf", text(HYPOTHESES, "\r\n")),
    refused("cli-cr", text(HYPOTHESES, "\r"), "hyp.txt has 1 lines", "ref.txt has 3"),
    scored("cli-no-final-newline", text(HYPOTHESES).removesuffix("\n")),
    scored("cli-line-separators", text(SEPARATORS), lambda: expected(SEPARATORS)),
    scored("cli-blank-lines", "\n \nyes\n", lambda: expected(["", "", "yes"])),
    refused("cli-unequal", text(HYPOTHESES[:2]), "hyp.txt has 2 lines", "ref.txt has 3"),
    refused("cli-empty-file", "", "hyp.txt", "the file is empty"),
    command_case("cli-missing", lambda folder: folder.score("absent"), ("absent", "there is no such file"), PAIR),
    command_case("cli-directory", directory, ("folder", "this is a folder"), PAIR),
    scored("cli-gz", gzip.compress(text(HYPOTHESES).encode())),
    refused("cli-gz-truncated", gzip.compress(text(HYPOTHESES).encode())[:-9], "hyp.txt", "gzip", "ends too early"),
    command_case("cli-pipe-dies", dying_writer, ("pipe has 2 lines", "ref.txt has 3"), PAIR),
    command_case("cli-stdin-tab-all", stdin_lines(text(TABBED)), Right(lambda: expected(TABBED)), PAIR),
    command_case("cli-stdin-cr", stdin_lines("yes\rno\ry\n"), ("<stdin> has 1 lines",), PAIR),
    command_case("cli-c-locale", c_locale, Right(lambda: expected(*SIGNS)), SIGNED),
    command_case("cli-stdout-full", full_stdout, ("standard output", FULL), PAIR),
    command_case("cli-out-full", into("/dev/full"), ("/dev/full", FULL), PAIR),
    command_case("cli-closed-pipe", closed_pipe, Right(lambda: (141, b"")), PAIR),
    scored("cli-nul", "the\0cat sat on\n\0\nyes\n", lambda: expected(["the\0cat sat on", "\0", "yes"])),
    command_case("cli-terminal-escape", terminal_escape, Right(lambda: r"a\x1b]0;owned\x07\x1b[31m\u202e\n"), PAIR),
    command_case("cli-shrinking-file", vanishing, ("hyp.txt", "it changed while it was being read"), PAIR),
]


def ended_by(number: signal.Signals) -> Callable[[Folder], object]:
    """The signal while standard input is read and a file is to be written: the end, though more input may come."""

    def work(folder: Folder) -> object:
        process = waiting("-r", "ref.txt", "--json", "out.json", cwd=folder.path)
        process.send_signal(number)
        try:
            process.wait(LIMIT)  # its input stays open, so it would wait for more of it
            stopped = "at once"
        except subprocess.TimeoutExpired:
            process.kill()
            stopped = "never"
        process.communicate()
        return process.returncode in (-number, 128 + number), stopped, folder.names()

    return work


# The program on a standard error that a second Ctrl-C comes out of: just when the first one is reported.
TWICE = """
import signal, sys
from bleuprint.cli import main

class Impatient:
    def write(self, text):
        sys.stderr = sys.__stderr__
        signal.raise_signal(signal.SIGINT)
        return sys.stderr.write(text)

    def flush(self):
        sys.stderr.flush()

    def isatty(self):
        return False

sys.stderr = Impatient()
main()
"""


def twice_interrupted(folder: Folder) -> object:
    process = waiting("-r", "ref.txt", cwd=folder.path, program=(sys.executable, "-c", TWICE))
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=LIMIT)
    return process.returncode in (130, -signal.SIGINT), folder.names()


def few_descriptors(folder: Folder) -> object:
    """Sixteen files may be open; forty systems are read one after the other or refused by name."""
    names = [folder.file(f"s{number}.txt", text(HYPOTHESES)) for number in range(40)]
    done = subprocess.run(
        ["sh", "-c", 'ulimit -n 16; exec "$@"', "sh", *PROGRAM, "score", *names, "-r", "ref.txt", "-q"],
        cwd=folder.path,
        capture_output=True,
        check=False,
        timeout=LIMIT,
    )
    return answer(done.returncode, done.stdout, done.stderr)


def slow_reader(folder: Folder) -> object:
    """Output through a pipe that is read a little at a time arrives whole."""
    folder.file("hyp.txt", text(HYPOTHESES) * 5000)
    folder.file("ref.txt", text(REFERENCES) * 5000)
    command = [*PROGRAM, "score", "hyp.txt", "-r", "ref.txt", "--sentence-level", "-q"]
    with subprocess.Popen(command, cwd=folder.path, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        read = 0
        while piece := process.stdout.read(4096):
            read += piece.count(b"\n")
    return read, process.returncode


def no_home(folder: Folder) -> object:
    return folder.score(environment={"HOME": "", "XDG_CACHE_HOME": "/proc/nowhere", "TMPDIR": "/proc/nowhere"})


def clock_jumps(folder: Folder) -> object:
    """Files from the year 2100 and from 1970 are files like any other."""
    os.utime(folder.path / "hyp.txt", (4102444800, 4102444800))
    os.utime(folder.path / "ref.txt", (0, 0))
    return folder.score()


def two_runs(folder: Folder) -> object:
    """Two runs into one file at once: one of the two results, whole, and nothing beside it."""
    folder.file("other.txt", text(["x", "y", "z"]))
    runs = [
        threading.Thread(target=folder.run, args=("score", name, "-r", "ref.txt", "--json", "out.json", "--force"))
        for name in ("hyp.txt", "other.txt")
    ]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    folder.run("replay", "out.json")
    return folder.names()


REFERENCE: dict[str, bytes | str] = {"ref.txt": "a\n"}
MORE_FILES = [
    *(
        command_case(number.name.lower(), ended_by(number), Right(lambda: (True, "at once", ["ref.txt"])), REFERENCE)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    ),
    command_case("double-ctrl-c", twice_interrupted, Right(lambda: (True, ["ref.txt"])), REFERENCE),
    command_case("ulimit-n-16", few_descriptors, ("s", "Too many open files"), PAIR),
    command_case("slow-stdout", slow_reader, Right(lambda: (15_000, 0)), PAIR),
    command_case("no-home", no_home, Right(expected), PAIR),
    # /proc takes no files from anyone, which a folder without permission does not say to root.
    command_case("read-only-folder", into("/proc/self/out.json"), ("/proc/", "/out.json"), PAIR),
    command_case("clock-jump", clock_jumps, Right(expected), PAIR),
    command_case("two-runs-one-output", two_runs, Right(lambda: ["hyp.txt", "other.txt", "out.json", "ref.txt"]), PAIR),
    scored("gzip-called-txt", gzip.compress(text(HYPOTHESES).encode())),
    command_case(
        "txt-called-gz",
        lambda folder: folder.score("hyp.txt.gz"),
        Right(expected),
        {**PAIR, "hyp.txt.gz": text(HYPOTHESES)},
    ),
    refused("gzip-of-gzip", gzip.compress(gzip.compress(text(HYPOTHESES).encode())), "hyp.txt, line 1", "0x8B"),
    refused("utf16-without-mark", text(HYPOTHESES).encode("utf-16-be"), "hyp.txt", "UTF-16", "iconv"),
    refused("utf32", text(HYPOTHESES).encode("utf-32"), "hyp.txt", "UTF-16", "iconv"),
    refused("overlong-utf8", b"a\xc0\xafb\nx\ny\n", "hyp.txt, line 1", "0xC0"),
    refused("surrogate-utf8", b"a\xed\xa0\x80b\nx\ny\n", "hyp.txt, line 1", "0xED"),
    refused("half-a-character", b"a\nb\nc\xe2\x82", "hyp.txt, line 3", "0xE2"),
]

GROUPS: dict[str, list[Case]] = {"files": FILES, "more files": MORE_FILES}

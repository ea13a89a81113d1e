"""Draw terminal sessions for the manual: python -m tools.make_terminal_pictures.

Each command runs in a pseudo-terminal of 80 columns, in the folder of the sample data, and its output becomes an SVG.
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import struct
import sys
import termios
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "_static" / "terminal"
SAMPLE = ROOT / "src" / "bleuprint" / "dataset" / "sample"
SESSIONS = {
    "score": "bleuprint score system-a.txt system-b.txt -r ref-1.txt -m bleu,chrf,ter",
    "compare": "bleuprint compare Base=system-c.txt Big=system-a.txt -r ref-1.txt --percent",
    "mistake": "bleuprint score system-a.txt -r ref-1.txt -m blue",
}
_COLUMNS = 80
_FONTS = re.compile(r"@font-face \{\{.*?\}\}\s*", re.DOTALL)  # rich would load them from the network


def _output(command: str) -> str:
    process, screen = pty.fork()
    if process == 0:
        os.chdir(SAMPLE)
        words = [sys.executable, "-m", *command.split()]
        os.execve(sys.executable, words, {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(_COLUMNS)})
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, _COLUMNS, 0, 0))
    shown = b""
    try:
        while part := os.read(screen, 65536):
            shown += part
    except OSError:  # how Linux reports the end of a pseudo-terminal
        pass
    os.waitpid(process, 0)
    text = shown.decode().replace("\r\n", "\n")
    return re.sub(r".*\x1b\[2K\x1b\[\?25h", "", text, flags=re.DOTALL)  # a progress bar that was removed


def picture(command: str) -> str:
    """The session of one command as SVG."""
    console = Console(width=_COLUMNS, record=True, file=io.StringIO(), force_terminal=True)
    console.print(f"$ {command}", highlight=False, markup=False)
    console.print(Text.from_ansi(_output(command).rstrip()))
    return console.export_svg(
        title="", code_format=_FONTS.sub("", CONSOLE_SVG_FORMAT), theme=SVG_EXPORT_THEME, unique_id="terminal"
    )


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, command in SESSIONS.items():
        (FOLDER / f"{name}.svg").write_text(picture(command), encoding="utf-8")


if __name__ == "__main__":
    main()

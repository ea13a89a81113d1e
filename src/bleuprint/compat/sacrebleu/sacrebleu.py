"""sacrebleu's command as a function, for scripts that start it from Python."""

from __future__ import annotations

import sys

from bleuprint.compat.sacrebleu.command import output
from bleuprint.errors import BleuprintError
from bleuprint.results.escaping import visible

__all__ = ["main"]


def main() -> None:
    """Run the command with the arguments of the process; exits with 2 and one line if it fails."""
    try:
        for text in output(sys.argv[1:], sys.stdin.buffer, colour=sys.stdout.isatty()):
            sys.stdout.write(text)  # its tables have escaped the names of files
    except BleuprintError as error:
        sys.stderr.write(f"sacrebleu: {visible(str(error))}\n")
        sys.exit(2)

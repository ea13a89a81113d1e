"""`python -m bleuprint` and the console script, which says in one line if the command line is not installed."""

from __future__ import annotations

import sys

from bleuprint.errors import MissingExtraError


def main() -> None:
    """Run the command line."""
    try:
        from bleuprint import cli
    except MissingExtraError as error:
        from bleuprint.results.escaping import visible

        sys.stderr.write(f"bleuprint: {visible(str(error))}\n")
        sys.exit(2)
    cli.main()


if __name__ == "__main__":
    main()

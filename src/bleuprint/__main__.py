"""`python -m bleuprint`."""

from bleuprint.cli import main

main()

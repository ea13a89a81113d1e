"""Ratios against other libraries, measured side by side in one run: `python -m bench`."""

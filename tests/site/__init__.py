"""The manual in a browser, as `make docs` built it."""

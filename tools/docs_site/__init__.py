"""The manual: Markdown of docs/, cards of the package, pages made of docstrings and commands, as one static site.

`python -m tools.docs_site` writes the pages to build/docs, lets Sphinx turn them into build/site and checks all links.
Sphinx with MyST and Furo was chosen because the search of its pages works from a file:// address, its theme brings no
font or script from elsewhere, and its inventory lets other manuals link into this one.
"""

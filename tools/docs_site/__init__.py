"""Builds the manual as a static site: pages of docs/, and pages generated from metrics, docstrings and commands.

`python -m tools.docs_site` collects the pages in build/docs-pages, runs Sphinx over them, checks all links, and puts
the site into build/docs beside the versions that are there. Sphinx with MyST and Furo was chosen because its search
works from a file:// address, its theme loads no font or script from elsewhere, and its inventory lets other manuals
link to this one.
"""

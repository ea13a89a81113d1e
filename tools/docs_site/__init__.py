"""Builds the manual as a static site: pages of docs/, metric cards, and pages generated from docstrings and commands.

`python -m tools.docs_site` writes the pages to build/docs, runs Sphinx to write build/site, and checks all links.
Sphinx with MyST and Furo was chosen because its search works from a file:// address, its theme loads no font or
script from elsewhere, and its inventory lets other manuals link to this one.
"""

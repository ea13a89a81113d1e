"""Bridges to other programs; each imports that program only when it is used."""

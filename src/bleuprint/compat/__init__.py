"""Drop-in replacements: the APIs of other libraries, implemented by bleuprint. To migrate, change an import:
docs/migration.md has a table of them.

Scales, shapes, attributes and quirks are those of the original library, which does not have to be installed.
"""

"""Whom to cite: the papers that define the metrics and tests, in BibTeX.

`metrics/cards/papers.bib` holds the papers, and the `cite:` line of a metric's card names those of the metric. The file
has one form, so no BibTeX library is needed: entries are separated by empty lines, and each field has its own line.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib import resources

METHODS = {
    "paired-bootstrap": "koehn-2004-statistical",
    "approximate-randomization": "riezler-maxwell-2005-pitfalls",
    "exact": "noreen-1989-computer",
    "holm": "holm-1979-simple",
    "bca": "efron-1987-better",
    "sacrebleu": "post-2018-call",
}
_ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303"}


@cache
def entries() -> dict[str, str]:
    """The papers in BibTeX by key; the key ends the first line, as in `@article{key,`."""
    text = resources.files("bleuprint.metrics.cards").joinpath("papers.bib").read_text(encoding="utf-8")
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in text.strip().split("\n\n")}


def in_text(key: str) -> str:
    """A paper as it is cited in running text.

    >>> in_text("papineni-etal-2002-bleu"), in_text("popovic-2015-chrf"), in_text("sun-zhou-2012-joint")
    ('Papineni et al., 2002', 'Popović, 2015', 'Sun and Zhou, 2012')
    """
    fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entries()[key], flags=re.MULTILINE))
    authors = [_plain(author.partition(",")[0]) for author in fields["author"].split(" and ")]
    named = f"{authors[0]} et al." if len(authors) > 2 or "others" in authors else " and ".join(authors)
    return f"{named}, {fields['year']}"


def _plain(name: str) -> str:
    r"""A name as people write it: TeX's `{\'c}` is ć."""
    accented = re.sub(r"\{\\(\W)(\w)\}", lambda match: match[2] + _ACCENTS[match[1]], name)
    return unicodedata.normalize("NFC", accented)

"""The paragraph of a paper that says how scores were computed and compared, with its citations.

`metrics/cards/papers.bib` holds the papers, and the `cite:` line of a metric's card names those of the metric. The file
has one form, so no BibTeX library is needed: entries are separated by empty lines, and each field has its own line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from bleuprint import __version__, checks, signature
from bleuprint.metrics import cards
from bleuprint.results.escaping import latex_code, latex_text, markdown_code, markdown_text, visible
from bleuprint.results.naming import paper_name, sacrebleu_signature, short_signature

if TYPE_CHECKING:
    from bleuprint.results.comparison import Comparison

METHODS = {
    "paired-bootstrap": "koehn-2004-statistical",
    "approximate-randomization": "riezler-maxwell-2005-pitfalls",
    "exact": "noreen-1989-computer",
    "holm": "holm-1979-simple",
    "bca": "efron-1987-better",
    "clopper-pearson": "clopper-pearson-1934-fiducial",
    "bound": "clopper-pearson-1934-fiducial",
    "sacrebleu": "post-2018-call",
}
_ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303"}
FORMS = ("text", "markdown", "latex")
# The tests of a comparison as papers name them.
TESTS = {
    "paired-bootstrap": "a paired bootstrap test ({samples:,} resamples)",
    "approximate-randomization": "a paired approximate randomization test ({samples:,} samples)",
    "exact": "an exact paired permutation test",
}
_INTERVALS = {
    "bca": "are from the BCa bootstrap ({samples:,} resamples)",
    "percentile": "are from the percentile bootstrap ({samples:,} resamples)",
    "sacrebleu": "are from the bootstrap ({samples:,} resamples)",
    "jackknife": "are from the jackknife ({samples:,} groups)",
    "clopper-pearson": "are exact",
    "bound": "allow for what so few segments cannot show",
    "t": "are from the jackknife and Student's t distribution",
}


def methods_text(
    signatures: Mapping[str, str],
    systems: int,
    segments: int,
    comparison: Comparison | None,
    form: str = "text",
    *,
    bibtex: bool = True,
) -> str:
    """The paragraph, then the BibTeX entries of everything it cites; `signatures` are those of the metrics by name."""
    checks.choice("form", form, FORMS)
    writer = _Writer(form)
    many = "one system" if systems == 1 else f"{systems} systems"
    start = writer.plain(f"We score {many} on {segments:,} segment{'s' * (segments != 1)} with bleuprint {__version__}")
    metrics = [writer.metric(name, text) for name, text in signatures.items()]
    listed = " and ".join(filter(None, (", ".join(metrics[:-1]), *metrics[-1:])))
    sentences = [f"{start}: {listed}." if metrics else f"{start}."]
    if any(sacrebleu_signature(text) is not None for text in signatures.values()):
        sentences.append(f"{writer.plain('Signatures follow sacreBLEU')}{writer.cite([METHODS['sacrebleu']])}.")
    if comparison is not None:
        sentences += writer.comparison(comparison)
    paragraph = "\n".join([" ".join(sentences), *writer.footnotes()])
    if not bibtex or not writer.keys:
        return paragraph + "\n"
    papers = "\n\n".join(entries()[key] for key in writer.keys)
    if form == "markdown":
        papers = f"```bibtex\n{papers}\n```"
    elif form == "latex":  # BibTeX belongs into another file than the text
        papers = "\n".join(f"% {line}".rstrip() for line in papers.split("\n"))
    return f"{paragraph}\n\n{papers}\n"


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


class _Writer:
    """Writes sentences in one of the forms and remembers what they cite."""

    def __init__(self, form: str) -> None:
        self._form = form
        self.keys: list[str] = []
        self._notes: list[str] = []

    def plain(self, text: str) -> str:
        return {"latex": latex_text, "markdown": markdown_text}.get(self._form, visible)(text)

    def _code(self, text: str) -> str:
        return {"latex": latex_code, "markdown": markdown_code}.get(self._form, visible)(text)

    def cite(self, keys: Iterable[str]) -> str:
        """The citation, with a space before it; empty if there is nothing to cite that was not cited before."""
        papers = [key for key in keys if key and key not in self.keys]
        self.keys += papers
        if not papers:
            return ""
        if self._form == "latex":
            return f"~\\cite{{{','.join(papers)}}}"
        return " " + self.plain(f"({'; '.join(map(in_text, papers))})")

    def _note(self, text: str) -> str:
        """The mark of a footnote that holds the short form of a signature."""
        short = short_signature(text)
        if self._form == "latex":
            return f"\\footnote{{{self._code(short)}}}"
        self._notes.append(short)
        return f"[{'^' * (self._form == 'markdown')}{len(self._notes)}]"

    def footnotes(self) -> Iterable[str]:
        """The footnotes below the paragraph, after an empty line; in LaTeX they are inside it."""
        if self._notes:
            yield ""
        for number, text in enumerate(self._notes, start=1):
            yield f"[^{number}]: {self._code(text)}" if self._form == "markdown" else f"[{number}] {self._code(text)}"

    def metric(self, name: str, written: str) -> str:
        parsed = signature.parse(written)
        card = cards.find(parsed.metric)
        keys = () if card is None else card.cite
        if parsed.metric == "chrf" and not parsed.options.get("word_order"):
            keys = keys[:1]  # the card cites chrF++ too
        return self.plain(paper_name(name, written)) + self.cite(keys) + self._note(written)

    def comparison(self, comparison: Comparison) -> Iterable[str]:
        entry = comparison.metrics[0].result
        score = entry.systems[0].score
        origin = _INTERVALS[score.method].format(samples=score.samples)
        intervals = self.plain(f"Confidence intervals ({100 * score.level:g} %) {origin}")
        yield f"{intervals}{self.cite([METHODS.get(score.method, '')])}."
        tests = {pair.test: pair.samples for other in comparison.metrics for pair in other.result.pairs}
        named = [
            self.plain(TESTS[test].format(samples=samples)) + self.cite([METHODS[test]])
            for test, samples in tests.items()
        ]
        threshold = self.plain(f"at p < {comparison.alpha:g}")
        unit = "" if entry.units is None else self.plain(f", with {entry.units:,} clusters of segments as units")
        start = self.plain("Differences between systems are tested with")
        yield f"{start} {' or '.join(named)} {threshold}{unit}.{self._note(comparison.signature)}"
        count = len(entry.pairs)
        if count > 1:
            yield (
                self.plain(f"P-values are corrected for the {count} pairs of each metric by Holm's method")
                + self.cite([METHODS["holm"]])
                + "."
            )

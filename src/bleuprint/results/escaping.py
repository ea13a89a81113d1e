"""Text of others on its way out: escaped for terminals, JSON, Markdown, LaTeX, XML and spreadsheets.

File names, system names and texts may hold anything. Everything that prints or writes them uses these functions.
"""

from __future__ import annotations

import json
import re

# Control characters, marks that reorder text, invisible tags and byte order marks, line separators, and lone
# surrogates. Joiners (U+200C, U+200D) are left, because Persian words and emoji need them.
_UNSAFE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u180e\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
    r"\U000e0000-\U000e007f]"
)
_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>|~&]|#(?!\d)|(?<=www)\.|:(?=//)", re.IGNORECASE)
_REFERENCE = re.compile(r"@|#(?=\d)")
# Spreadsheets run a cell that starts with one of these as a formula, or do so after dropping the first character. The
# last four are full-width forms, which some locales treat the same. A spreadsheet that splits at another character than
# the file was written with sees the start of a cell after that character.
_FORMULA = re.compile("(^|[;,|\t\r\n])(?='*[=+\\-@＝＋－＠])|^(?='*[\t\r\n\0%])")


def visible(text: str) -> str:
    r"""Return the text on one line, with everything escaped that a terminal acts on or does not show.

    >>> print(visible("a\x1b[31mb"))
    a\x1b[31mb
    """
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def visible_lines(text: str) -> str:
    """Return the same for a text of several lines."""
    return "\n".join(map(visible, text.split("\n")))


def json_text(text: str) -> str:
    """Return the same JSON document with the characters escaped that `visible` escapes."""
    return "\n".join(_UNSAFE.sub(lambda match: json.dumps(match[0])[1:-1], line) for line in text.split("\n"))


def markdown_text(text: str) -> str:
    """Return the text on one line, with everything escaped that is special in a Markdown table.

    URLs are not linked. A zero-width space keeps GitHub from notifying the people that a text mentions.

    >>> print(markdown_text("a|b *c* https://d.e @f"))
    a\\|b \\*c\\* https\\://d.e @&#8203;f
    """
    plain = visible(" ".join(text.split()))
    return _REFERENCE.sub(r"\g<0>&#8203;", _MARKDOWN.sub(r"\\\g<0>", plain))


def markdown_code(text: str) -> str:
    """Return the text as a code span.

    >>> print(markdown_code("bleu.1|tokenizer:13a"), markdown_code("a`b"))
    `bleu.1|tokenizer:13a` ``a`b``
    """
    shown = visible(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    blank = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{blank}{shown}{blank}{fence}"


# What TeX acts on, what its oldest font encoding shows as something else, and signs that this package prints.
_LATEX = {
    **{sign: f"\\{sign}" for sign in "{}$&#_%"},
    "\\": "\\textbackslash{}",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    "`": "\\textasciigrave{}",
    "-": "-{}",  # two would become a dash
    **{sign: f"{{{sign}}}" for sign in "[]*"},  # the end of the row before would take them for its arguments
    "≥": "$\\geq$",
    "≤": "$\\leq$",
    "−": "$-$",
    "→": "$\\rightarrow$",
    "↑": "$\\uparrow$",
    "↓": "$\\downarrow$",
    "–": "--",
    "…": "\\ldots{}",
    "·": "$\\cdot$",
    "×": "$\\times$",
    "α": "$\\alpha$",
    "†": "$\\dagger$",
    "‡": "$\\ddagger$",
}


def latex_text(text: str) -> str:
    r"""Return the text on one line, with everything escaped that TeX acts on.

    >>> print(latex_text("50% of a_b & {c}"))
    50\% of a\_b \& \{c\}
    """
    plain = visible(" ".join(text.split()))
    return "".join(_LATEX.get(character, character) for character in plain)


def latex_code(text: str) -> str:
    r"""Return the text in a typewriter font; a line may break after a bar, a colon or a comma.

    >>> print(latex_code("bleu.1|max_order:4"))
    \texttt{bleu.1\textbar{}\allowbreak{}max\_order:\allowbreak{}4}
    """
    escaped = "".join(_LATEX.get(character, character) for character in visible(text))
    return f"\\texttt{{{re.sub('(textbar{}|[:,#])', lambda match: match[0] + chr(92) + 'allowbreak{}', escaped)}}}"


def xml_text(text: str) -> str:
    """Return the text for the content or a quoted attribute of an XML element."""
    from xml.sax.saxutils import escape  # which loads an HTTP client: 20 ms

    return escape(visible(text), {'"': "&quot;"})


def spreadsheet_cell(text: str) -> str:
    """Return the text with an apostrophe before everything that a spreadsheet would run as a formula.

    That is before =, +, - or @ at the start of the cell and after a separator. To read the text back, remove one
    apostrophe at these places.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell("a;=1"), spreadsheet_cell("'=1"), spreadsheet_cell("1-1")
    ("'=1+1", "a;'=1", "''=1", '1-1')
    """
    return _FORMULA.sub(lambda match: f"{match[0]}'", text)

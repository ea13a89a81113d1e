"""How texts become tokens: the rules that sacrebleu has for BLEU, said plainly."""

from __future__ import annotations

import re

import regex

from tests.vectors.plain.case import Case, shared

MISTAKES = shared("case-dropped", "case-kept", "nfc") | {
    "split": "Texts are split at blanks only.",
    "word-regex": "Words are found with the regular expression \\w+, which drops punctuation.",
    "no-unescaping": "Entities such as &quot; and &amp; are not replaced.",
    "unescaped-twice": "Entities are replaced again in what the first pass has replaced.",
    "dots-in-numbers-split": "A dot or comma between digits is split off.",
    "dash-after-digit-kept": "A hyphen after a digit is not split off.",
    "all-hyphens-split": "Every hyphen is split off.",
    "apostrophes-split": "Apostrophes are split off.",
    "not-padded": "Rules that look at the neighbouring characters do not apply at the ends of the text.",
    "non-ascii-punctuation-split": "13a splits off punctuation outside of ASCII.",
    "ascii-only": "Letters outside of ASCII are dropped.",
    "symbols-kept": "intl does not split off symbols.",
    "chinese-kept": "zh does not split Chinese characters.",
    "latin-split": "zh splits words in Latin letters into characters.",
    "char-keeps-blanks": "char makes tokens of blanks.",
    "char-units-utf-16": "char makes two tokens of a character outside of the basic plane.",
}

# The ranges that zh takes for Chinese, besides those beyond the basic plane.
CHINESE = (
    "\u2001-\u2a6d\u2e80-\u2eff\u2f00-\u2fdf\u3000-\u303f\u3100-\u312f\u31a0-\u31bf\u31c0-\u31ef\u3400-\u4db5"
    "\u4e00-\u9fa5\u9fa6-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef"
)


def tokens(text: str, tokenizer: str, mistake: str = "") -> list[str]:
    """The tokens of a text."""
    if mistake == "split":
        return text.split()
    if mistake == "word-regex":
        return re.findall(r"\w+", text)
    if mistake == "ascii-only":
        text = text.encode("ascii", "ignore").decode()
    match tokenizer:
        case "whitespace":
            return text.split()
        case "char":
            return characters(text, mistake)
        case "13a":
            return western(unescape(text, mistake), mistake)
        case "intl":
            return international(unescape(text, mistake), mistake)
        case "zh":
            letters = "A-Za-z" if mistake == "latin-split" else ""
            ranges = letters if mistake == "chinese-kept" else CHINESE + letters
            apart = re.sub(f"([{ranges}])", r" \1 ", text.strip()) if ranges else text.strip()
            return western(apart, "not-padded")
    raise ValueError(tokenizer)


def characters(text: str, mistake: str) -> list[str]:
    if mistake == "char-units-utf-16":
        coded = text.encode("utf-16-le")
        units = [coded[at : at + 2] for at in range(0, len(coded), 2)]
        return [unit.decode("utf-16-le", "replace") for unit in units if unit.strip(b" \0")]
    return list(text) if mistake == "char-keeps-blanks" else [letter for letter in text if not letter.isspace()]


def unescape(text: str, mistake: str) -> str:
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if mistake == "no-unescaping":
        return text
    for _ in range(2 if mistake == "unescaped-twice" else 1):
        for entity, sign in ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"):
            text = text.replace(entity, sign)
    return text


def western(text: str, mistake: str) -> list[str]:
    """Punctuation of ASCII apart, dots and commas only if not between digits, hyphens only after digits."""
    if mistake != "not-padded":
        text = f" {text} "
    apart = r"([{-~[-` -&(-+:-@/])"
    if mistake == "apostrophes-split":
        apart = r"([{-~[-` -+:-@/])"
    if mistake == "non-ascii-punctuation-split":
        text = regex.sub(r"([^\x00-\x7f])(?<=\p{P})", r" \1 ", text)
    text = re.sub(apart, r" \1 ", text)
    if mistake == "dots-in-numbers-split":
        text = re.sub(r"([.,])", r" \1 ", text)
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    if mistake == "all-hyphens-split":
        text = text.replace("-", " - ")
    if mistake != "dash-after-digit-kept":
        text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    return text.split()


def international(text: str, mistake: str) -> list[str]:
    """Punctuation apart unless between digits, symbols always: by Unicode's categories."""
    if mistake == "not-padded":
        text = f" {text} "
    if mistake == "dots-in-numbers-split":
        text = regex.sub(r"(\p{P})", r" \1 ", text)
    text = regex.sub(r"(\P{N})(\p{P})", r"\1 \2 ", text)
    text = regex.sub(r"(\p{P})(\P{N})", r" \1 \2", text)
    return (text if mistake == "symbols-kept" else regex.sub(r"(\p{S})", r" \1 ", text)).split()


def score(case: Case, mistake: str = "") -> list[list[str]]:
    lowercase = case.options["lowercase"]
    texts = [text.lower() if lowercase else text for text in case.hypotheses]
    return [tokens(text, case.options["tokenizer"], mistake) for text in texts]

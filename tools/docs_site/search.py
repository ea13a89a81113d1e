"""The ranking of the search, with a summary of each page."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bleuprint.metrics.cards import plain_text

_SCORER = Path(__file__).with_name("scorer.js")
_LENGTH = 160
_TOPIC = re.compile(r"^- \[(?P<title>.*?)\]\((?P<page>[^)]*)\.md\)(?P<text>.*)$", re.MULTILINE)


def scorer(pages: dict[str, str]) -> str:
    """The script that Sphinx puts into its search."""
    summaries = {name.removesuffix(".md"): summary(text) for name, text in pages.items()}
    topics = {}
    for match in _TOPIC.finditer(pages["index.md"]):
        topics[match["page"]] = text = plain_text(match["text"]).lstrip(":, ")
        if text:
            is_sentence = match["text"].startswith(":") or text[0].isupper()
            summaries[match["page"]] = text[0].upper() + text[1:] if is_sentence else match["title"] + match["text"]
    constants = {"summaries": summaries, "topics": topics}
    written = "".join(f"const {name} = {json.dumps(table, ensure_ascii=False)};\n" for name, table in constants.items())
    return written + _SCORER.read_text(encoding="utf-8")


def summary(page: str) -> str:
    """The beginning of the first paragraph of a page.

    >>> summary("# Title\\n\\n```sh\\nls\\n```\\n\\nSee [BLEU](bleu.md) first. Then read on.\\n")
    'See BLEU first. Then read on.'
    """
    text = re.sub(r"^(```|:{3,}).*?^\1.*?$", "", page, flags=re.MULTILINE | re.DOTALL)
    paragraphs = (part.strip() for part in re.split(r"\n\s*\n", text))
    opening = next((part for part in paragraphs if part and not part.startswith(("#", "|", "!", "-", "<", ":"))), "")
    words = plain_text(" ".join(opening.split())).replace("*", "")
    return words.removesuffix(":") if len(words) <= _LENGTH else words[:_LENGTH].rpartition(" ")[0].rstrip(",;:") + " …"

"""The ranking of the search, with a summary of each page."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bleuprint.metrics.cards import plain_text

__all__ = ["scorer", "summary"]

_SCORER = Path(__file__).with_name("scorer.js")
_LENGTH = 160
_TOPIC = re.compile(r"^- \[.*?\]\((?P<page>[^)]*)\.md\)(?P<text>.*)$", re.MULTILINE)


def scorer(pages: dict[str, str]) -> str:
    """The script that Sphinx puts into its search."""
    summaries = {name.removesuffix(".md"): summary(text) for name, text in pages.items()}
    topics = {match["page"]: plain_text(match["text"]).lstrip(":, ") for match in _TOPIC.finditer(pages["index.md"])}
    summaries |= {page: text[:1].upper() + text[1:] for page, text in topics.items() if text}
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
    return words if len(words) <= _LENGTH else words[:_LENGTH].rpartition(" ")[0].rstrip(",;:") + " …"

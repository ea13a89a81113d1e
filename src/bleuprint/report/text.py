"""Text of others on its way into the page: the template escapes it, this shows its control characters."""

from __future__ import annotations

# Control characters as the symbols Unicode has for them; those without one, and halves of pairs, as U+FFFD.
_VISIBLE = {
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"},
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
    **dict.fromkeys(range(0xD800, 0xE000), 0xFFFD),
    **dict.fromkeys((0xFFFE, 0xFFFF), 0xFFFD),  # XML has no place for them, so a chart alone would not open
}


def visible(text: str) -> str:
    """The text as HTML may hold it.

    >>> visible("a\\x00b")
    'a␀b'
    """
    return text.translate(_VISIBLE)

"""Letters by script written plainly: word by word, each character looked up in a list of ranges."""

from __future__ import annotations

LATIN, HAN, KANA, THAI, UNSPACED, OTHER, NONE = range(7)

# Unicode blocks, or parts of them; what is in none of them belongs to other scripts.
BLOCKS = {
    LATIN: "80-2FF 1D00-1DBF 1E00-1EFF 2C60-2C7F A720-A7FF AB30-AB6F FB00-FB06",
    HAN: "2E80-2FDF 3005-3007 3400-4DBF 4E00-9FFF F900-FAFF 20000-323AF",
    KANA: "3040-30FF 31F0-31FF FF66-FF9F",
    THAI: "E00-E7F E80-EFF 1000-109F 1780-17FF",  # Thai, Lao, Burmese, Khmer
    # Tibetan, Tai Le, New Tai Lue, Khmer symbols, Tai Tham, Balinese, Yi, Javanese, Burmese, Tai Viet
    UNSPACED: "F00-FFF 1950-197F 1980-19DF 19E0-19FF 1A20-1AAF 1B00-1B7F A000-A4CF A980-A9DF A9E0-A9FF AA60-AA7F "
    "AA80-AADF",
    # Marks of any script, punctuation, symbols, private use, music, emoji
    NONE: "300-36F 1AB0-1AFF 1DC0-1DFF 2000-2BFF 2E00-2E7F 2FF0-3004 3008-303F 3200-33FF 4DC0-4DFF D800-F8FF FE00-FE6F "
    "FF00-FF20 1D000-1D7FF 1F000-1FAFF E0000-10FFFF",
}
RANGES = [
    (script, *(int(end, 16) for end in span.split("-"))) for script, spans in BLOCKS.items() for span in spans.split()
]


def script_of(character: str) -> int:
    if character.isascii():
        return LATIN if character.isalpha() else NONE
    return next((script for script, first, last in RANGES if first <= ord(character) <= last), OTHER)


def letters(text: str, limit: int) -> tuple[int, ...] | None:
    """The letters of each script in the first bytes of a text; None if all are Latin."""
    counted = [0] * (NONE + 1)
    for word in text.encode()[:limit].decode(errors="ignore").split():
        found = [0] * (NONE + 1)
        for character in word:
            found[script_of(character)] += 1
        longest = 4  # of one word
        if found[KANA] * 10 > found[HAN]:
            longest = 8
        if found[THAI] + found[UNSPACED] > found[HAN] + found[KANA]:
            longest = 10
        together = sum(found[HAN:OTHER])
        if together <= longest:  # a word with spaces around it, as in other scripts
            found[OTHER] += together
            found[HAN:OTHER] = [0] * 4
        counted = [one + other for one, other in zip(counted, found, strict=True)]
    return tuple(counted[:NONE]) if any(counted[HAN:NONE]) else None

"""Files of pictures: SVG, and PNG or PDF by way of Typst.

Typst needs no library of the system, shapes Arabic and Indic text, and takes missing letters from other fonts. CairoSVG
does neither: Arabic comes out left to right in single letters, and Japanese as boxes.
"""

from __future__ import annotations

import re
from pathlib import Path

from bleuprint import checks
from bleuprint.errors import MissingExtraError, OptionError

FORMATS = (".svg", ".png", ".pdf")
_UNITS = {"px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "pt": 96 / 72}
_DOTS_PER_INCH = 300
_DOCUMENT = """#set document(title: sys.inputs.title, date: none)
#set page(width: {width}pt, height: {height}pt, margin: 0pt)
#image("picture.svg", width: 100%, alt: sys.inputs.title)
"""


def pixels(length: str) -> float:
    """A length with its unit in pixels, 96 to an inch.

    >>> pixels("3.3in"), pixels("320px")
    (316.8, 320.0)
    """
    checks.instance("length", length, str, "a text such as '3.3in'")
    parts = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*([a-z]+)\s*", length, re.ASCII)
    if parts is None or parts[2] not in _UNITS or not 0 < float(parts[1]) < 1e6:
        raise OptionError("length", "a number above 0 with a unit: 3.3in, 8.4cm, 84mm, 240pt or 320px", length)
    return round(float(parts[1]) * _UNITS[parts[2]], 6)


def check_picture_path(option: str, path: str | Path) -> None:
    """Refuse a file that no picture can be written to, before any work is done for it."""
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise OptionError(option, f"a file that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}", str(path))
    if ending != ".svg":
        _typst(ending)


def picture_bytes(svg: str, path: str | Path) -> bytes:
    """The picture in the format that the file's ending names.

    >>> picture_bytes("<svg/>", "picture.svg")
    b'<svg/>'
    """
    check_picture_path("path", path)
    ending = Path(path).suffix.lower()
    if ending == ".svg":
        return svg.encode()
    width, height = (float(size) for size in re.findall(r' (?:width|height)="([0-9.]+)"', svg)[:2])
    title = re.search("<title>([^<]*)</title>", svg)
    files = {
        "main.typ": _DOCUMENT.format(width=0.75 * width, height=0.75 * height).encode(),
        "picture.svg": svg.encode(),
    }
    drawn: bytes = _typst(ending).compile(
        files,
        format=ending[1:],
        ppi=_DOTS_PER_INCH,
        sys_inputs={"title": "" if title is None else title[1]},
    )
    return drawn


def _typst(ending: str):  # type: ignore[no-untyped-def]  # a module without types
    try:
        import typst
    except ImportError as error:
        raise MissingExtraError(f"writing {ending[1:].upper()}", ("typst",), "pictures") from error
    return typst

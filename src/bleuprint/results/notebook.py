"""HTML for notebooks: fragments that bring their style and follow the theme of Jupyter, VS Code and Colab."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bleuprint import checks
from bleuprint.errors import OutputError

_MEGABYTE = 1_000_000

# Text takes the color of the theme, and surfaces are translucent, so one style fits light and dark. Where the page sets
# no colors (an exported file), the browser's preference decides.
_STYLE = Path(__file__).with_name("notebook.css")


@cache
def _style() -> str:
    return _STYLE.read_text(encoding="utf-8").replace("\n", "")


def add_style(body: str) -> str:
    """The HTML with its style."""
    return f'<div class="bleuprint"><style>{_style()}</style>{body}</div>'


@dataclass(frozen=True, slots=True, repr=False)
class EmbeddedPage:
    """A whole HTML page inside a notebook, in a frame of its own that can neither reach nor change the notebook."""

    page: str
    height: int

    @classmethod
    def of(cls, page: str, *, height: int, max_megabytes: float) -> EmbeddedPage:
        """Check the size before the page is put into a notebook."""
        checks.integer("height", height, 100, 10_000, allowed="an integer from 100 to 10000, in pixels")
        size = len(page.encode()) / _MEGABYTE
        if size > max_megabytes:
            limit = f"max_megabytes is {max_megabytes:g}; raise it, or write to_html() to a file"
            raise OutputError("the notebook", f"the page has {size:.1f} MB and {limit}")
        return cls(page, height)

    def _repr_html_(self) -> str:
        escaped = self.page.replace("&", "&amp;").replace('"', "&quot;")
        style = f"width:100%;height:{self.height}px;border:1px solid rgba(128,128,128,.35);border-radius:6px"
        frame = f'sandbox="allow-scripts allow-downloads" title="bleuprint report" style="{style}"'
        return f'<iframe srcdoc="{escaped}" {frame}></iframe>'

    def __repr__(self) -> str:
        return f"<EmbeddedPage of {len(self.page.encode()) / _MEGABYTE:.1f} MB>"

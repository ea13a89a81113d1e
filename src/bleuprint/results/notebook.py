"""HTML for notebooks: fragments that bring their style and follow the theme of Jupyter, VS Code and Colab."""

from __future__ import annotations

from dataclasses import dataclass

from bleuprint import checks
from bleuprint.errors import OutputError

_MEGABYTE = 1_000_000

# Text takes the color of the theme, and surfaces are translucent, so one style fits light and dark. Where the page sets
# no colors (an exported file), the browser's preference decides.
_STYLE = """
.bleuprint{--line:rgba(128,128,128,.35);--soft:rgba(128,128,128,.12);--blue:0,114,178;--good:#00795c;--bad:#c04a00;
color:var(--jp-ui-font-color1,var(--vscode-editor-foreground,var(--colab-primary-text-color,inherit)));
font:14px/1.45 system-ui,sans-serif;max-width:72rem;overflow-x:auto}
@media (prefers-color-scheme:dark){.bleuprint{--blue:86,180,233;--good:#4fd1a5;--bad:#ff9d5c}}
[data-jp-theme-light=false] .bleuprint,.vscode-dark .bleuprint,[theme=dark] .bleuprint{--blue:86,180,233;--good:#4fd1a5;
--bad:#ff9d5c}
[data-jp-theme-light=true] .bleuprint,.vscode-light .bleuprint,[theme=light] .bleuprint{--blue:0,114,178;
--good:#00795c;--bad:#c04a00}
.bleuprint table{border-collapse:collapse;margin:.4em 0;color:inherit;background:none;font-size:inherit}
.bleuprint .caption{margin:.5em 0 0;opacity:.85}
.bleuprint th,.bleuprint td{border:0;border-bottom:1px solid var(--line);padding:.25em .7em;text-align:right;
background:none;color:inherit;vertical-align:baseline;white-space:nowrap}
.bleuprint th{font-weight:600;border-bottom:2px solid var(--line)}
.bleuprint .words{text-align:left!important;white-space:normal;overflow-wrap:break-word;min-width:5em}
.bleuprint tr.best td,.bleuprint td.best{font-weight:700}
.bleuprint small{display:block;opacity:.85;margin:.3em 0;overflow-wrap:anywhere}
.bleuprint code{font:12px/1.5 ui-monospace,monospace;background:none;color:inherit}
.bleuprint .good{color:var(--good);font-weight:600}.bleuprint .bad{color:var(--bad);font-weight:600}
.bleuprint h4{font-size:1em!important;font-weight:600!important;margin:1em 0 .2em!important}.bleuprint p{margin:.2em 0}
.bleuprint .line{margin:.35em 0;line-height:2}.bleuprint .role{display:inline-block;min-width:10em;opacity:.8}
.bleuprint .m0{border-bottom:2px dotted var(--bad)}
.bleuprint .m1{background:rgba(var(--blue),.22)}.bleuprint .m2{background:rgba(var(--blue),.36)}
.bleuprint .m3{background:rgba(var(--blue),.5)}.bleuprint .m4{background:rgba(var(--blue),.64)}
.bleuprint [class^=m]{border-radius:3px;padding:.1em .2em;margin:0 -.05em}
.bleuprint .grams{line-height:2.1}
.bleuprint .gram{display:inline-block;line-height:1.4;border:1px solid var(--line);border-radius:4px;padding:0 .4em;
margin:.1em .15em;white-space:pre-wrap}
.bleuprint .gram.counted{background:rgba(var(--blue),.2);border-color:rgba(var(--blue),.6)}
.bleuprint .gram i{font-style:normal;opacity:.75;font-size:.85em;margin-left:.4em}
.bleuprint .equation{font-family:ui-serif,Georgia,serif;font-size:15px;margin:.15em 0 .15em 1.2em}
.bleuprint .equation em{opacity:.75;font:italic 13px system-ui,sans-serif}
""".replace("\n", "")


def add_style(body: str) -> str:
    """The HTML with its style."""
    return f'<div class="bleuprint"><style>{_STYLE}</style>{body}</div>'


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

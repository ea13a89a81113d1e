"""How Sphinx builds the manual; `make docs` runs it over pages that tools/docs_site brings together."""

from importlib.resources import files

import bleuprint

project = "bleuprint"
release = version = bleuprint.__version__
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
# Code that is shown with … in it need not be valid in its language, and an annotation may name what two modules export.
suppress_warnings = ["misc.highlighting_failure", "ref.python"]
python_maximum_signature_line_length = 120
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"
nitpicky = False

html_theme = "furo"
html_title = f"bleuprint {release}"
html_static_path = ["_static"]
html_extra_path = [str(files("bleuprint.results") / "result.schema.json")]  # at the top of every version
html_css_files = ["manual.css"]
html_js_files = ["versions.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
smartquotes = False  # options begin with two hyphens
html_domain_indices = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1d4ed8", "color-brand-content": "#1d4ed8"},
    "dark_css_variables": {"color-brand-primary": "#93b4ff", "color-brand-content": "#93b4ff"},
}
pygments_style = "friendly"
pygments_dark_style = "monokai"

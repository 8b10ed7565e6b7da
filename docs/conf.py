"""How Sphinx makes the site of the Markdown pages of this repository; scripts/docs.sh calls it.

The pages stay where they are, so that a link between files is the same in the repository and on the site. What
Sphinx cannot know of such links is added here: folders are their README, and public headers are pages of the C++
reference that Doxygen has made.
"""

import re
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

project = "frictionbench"
root_doc = "docs/index"
include_patterns = ["**.md"]
exclude_patterns = ["build", "results/runs", "tests", "**/.*"]

extensions = ["myst_parser"]
myst_heading_anchors = 4
highlight_language = "none"  # of blocks that do not say theirs

html_theme = "furo"
html_title = "frictionbench"
html_copy_source = False
html_show_copyright = False
html_show_search_summary = False  # summaries are read from the pages, which browsers do not allow on disk

# What the sidebar has below a page: captions with pages, or patterns of them. Paths are from the root.
CONTENTS = {
    "docs/index": {
        "Start here": ["docs/solver-author", "docs/library-maintainer", "docs/referee"],
        "Understand": ["docs/verdict", "docs/questions", "docs/papers", "docs/adding"],
        "Libraries": ["docs/python", "docs/cpp"],
        "Reference": ["The front page </README>", "lib/frictionbench/README", "solvers/README", "datasets/README",
                      "results/README", "scripts/slurm/README", "scripts/frictionbench/tuning/README", "CONTRIBUTING",
                      "CHANGELOG"],
    },
    "solvers/README": {"": ["solvers/*/README"]},
    "solvers/peers/README": {"": ["solvers/peers/*/README"]},
    "datasets/README": {"": ["datasets/conformance/README", "datasets/models/README"]},
    "datasets/models/README": {"": ["datasets/models/*"]},
    "results/README": {"": ["results/paper/README"]},
    "results/paper/README": {"": ["results/paper/*"]},
}


def add_contents(app, page, source):
    """Appends the sidebar's lists to the text of a page, where readers of the repository do not see them."""
    for caption, pages in CONTENTS.get(page, {}).items():
        listed = "\n".join(name if "<" in name else f"/{name}" for name in pages)
        captioned = f":caption: {caption}\n" if caption else ""
        source[0] += f"\n\n```{{toctree}}\n:hidden:\n:glob:\n{captioned}\n{listed}\n```\n"


def reference_pages(tagfile):
    """Pages of the C++ reference, by header as other projects include it. Its headers are beside the tag file."""
    pages = {}
    for file in xml.parse(tagfile).iterfind("compound[@kind='file']"):
        header = Path(file.findtext("path"), file.findtext("name"))
        pages[header.relative_to(Path(tagfile).parent).as_posix()] = file.findtext("filename")
    return pages


def included_as(name):
    """How other projects include a header of this one."""
    for folder, place in (("lib/frictionbench/", ""), ("lib/", ""), ("apps/frictionbench/", ""), ("solvers/", "solvers/")):
        if name.startswith(folder):
            return "frictionbench/" + place + name.removeprefix(folder)
    return name


def find_targets(app, doctree):
    """Sends links to folders to their README, and links to public headers to the C++ reference."""
    root, page = Path(app.srcdir), Path(app.srcdir, app.env.docname)
    kinds = (addnodes.pending_xref, addnodes.download_reference)
    for link in list(doctree.findall(lambda node: isinstance(node, kinds))):
        path, hash, anchor = link["reftarget"].partition("#")
        target = (page.parent / path).resolve()
        if not path or not target.is_relative_to(root):
            continue
        name = target.relative_to(root).as_posix()
        made = "index.html" if name == "lib" else app.env.reference_pages.get(included_as(name))
        if made:
            up = "../" * app.env.docname.count("/")
            link.replace_self(nodes.reference("", "", *link.children, refuri=f"{up}cpp/{made}"))
        elif (target / "README.md").is_file():
            link["reftarget"] = f"{path.rstrip('/')}/README.md{hash}{anchor}"


def mend_theme(app, error):
    """Makes Debian's Furo work from disk: its script is not bundled, and one of its style sheets is elsewhere.

    It also lacks the rule by which pages are dark where the system is.
    """
    styles, script = (Path(app.outdir, "_static", name) for name in ("styles/furo.css", "scripts/furo.js"))
    if error or not script.exists():
        return
    subprocess.run(["esbuild", "--bundle", "--log-level=warning", "--allow-overwrite", f"--outfile={script}", str(script)],
                   check=True)
    text = styles.read_text(encoding="utf-8")
    for line, sheet in re.findall(r"(@import url\((/javascript/.*)\);)", text):
        text = text.replace(line, Path(f"/usr/share{sheet}").read_text(encoding="utf-8"))
    if "prefers-color-scheme" not in text:
        (dark,) = re.findall(r'  body\[data-theme="dark"\] (\{[^}]*\})', text)
        text += f"\n@media screen and (prefers-color-scheme: dark) {{ body[data-theme=auto] {dark} }}\n"
    styles.write_text(text, encoding="utf-8")


def read_tagfile(app, env, names):
    env.reference_pages = reference_pages(app.config.tagfile) if app.config.tagfile else {}


def setup(app):
    app.add_config_value("tagfile", "", "env")  # that Doxygen has written beside the C++ reference
    app.connect("env-before-read-docs", read_tagfile)
    app.connect("source-read", add_contents)
    app.connect("doctree-read", find_targets)
    app.connect("build-finished", mend_theme)

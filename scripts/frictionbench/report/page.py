"""The page: a template, its style, its program, the plotting library and the data in one HTML text."""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
from pathlib import Path
from string import Template
from typing import Any, Sequence

from frictionbench.files import ResultsError
from frictionbench.report.about import about, notes
from frictionbench.report.answer import answer
from frictionbench.report.data import report_data
from frictionbench.report.html import escaped, list_of
from frictionbench.report.versions import LINK as VERSIONS_LINK, versions_section
from frictionbench.report.versus import LINK, OURS, versus_section
from frictionbench.results import Results

PARTS = Path(__file__).resolve().parent / "page"
PLOTLY = Path("/usr/share/python3-plotly/plotly.js")


def report_page(documents: Sequence[Results], title: str, ours: Sequence[str] = OURS, graphs: bool = False) -> str:
    """The page of some results documents; `ours`: patterns of our solvers, where there are others; `graphs`: with pictures
    of the problems, see report.graphs. Raises ResultsError, or ImportError."""
    data = report_data(documents, graphs)
    versus = versus_section(documents, ours)
    versions = versions_section(documents)
    names = [file["name"] for file in data["files"]]
    template = Template((PARTS / "page.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=escaped(title),
        subtitle=escaped(subtitle(data)),
        answer="".join(f"<p>{escaped(sentence)}</p>" for sentence in answer(data)),
        notes=list_of(notes(documents, names)),
        about=about(documents, names),
        versus=versus,
        versus_link=LINK if versus else "",
        versions=versions,
        versions_link=VERSIONS_LINK if versions else "",
        thinned=escaped(thinning(data["histories"])),
        style=(PARTS / "page.css").read_text(encoding="utf-8"),
        data=packed(data),
        plotly=plotly(),
        program=esbuild(str(PARTS / "main.js"), "--bundle", "--format=esm"),
    )


def subtitle(data: dict[str, Any]) -> str:
    def counted(number: int, singular: str, plural: str) -> str:
        return f"{number:,} {singular if number == 1 else plural}".replace(",", "\u202f")

    return ", ".join([
        counted(len(data["solvers"]), "solver", "solvers"),
        counted(len(data["problems"]["label"]), "problem", "problems")
        + f" of {counted(len(data['families']), 'family', 'families')}",
        counted(len(data["records"]["problem"]), "record", "records"),
    ])


def thinning(histories: dict[str, Any]) -> str:
    """What the page must say of histories that it does not have in full."""
    count = histories["thinned"]
    if not count:
        return ""
    return f" Of {count} longer histories the page has {histories['kept']} rows at most, fewer towards the end."


def packed(data: Any) -> str:
    """JSON, gzipped, in base64: a quarter of the size, and nothing in it looks like a tag."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()


def plotly() -> str:
    """The plotting library, made as short as it can be."""
    if not PLOTLY.exists():
        raise ResultsError(f"{PLOTLY}: not there; scripts/setup.sh installs python3-plotly")
    return esbuild("--minify", "--charset=utf8", stdin=PLOTLY)


def esbuild(*arguments: str, stdin: Path | None = None) -> str:
    """The output of esbuild, which bundles modules and shortens programs."""
    try:
        with open(stdin or "/dev/null", "rb") as source:
            result = subprocess.run(["esbuild", "--log-level=error", *arguments], stdin=source,
                                    capture_output=True, check=True)
    except FileNotFoundError:
        raise ResultsError("esbuild: not found; scripts/setup.sh installs it") from None
    except subprocess.CalledProcessError as failure:
        raise ResultsError(f"esbuild: {failure.stderr.decode(errors='replace').strip()}") from None
    return result.stdout.decode()

"""Plug-ins for tests: the examples, and libraries that misbehave."""

from __future__ import annotations

import subprocess
from pathlib import Path

from program import ROOT, ProgramTest

EXAMPLES = ROOT / "solvers" / "external" / "examples"

# A library whose functions can be replaced: VERSION, DESCRIBE and SOLVE are the bodies.
LIBRARY = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "frictionbench/solver_plugin.h"
int32_t frictionbench_plugin_version(void) { VERSION }
const char* frictionbench_describe(void) { DESCRIBE }
int32_t frictionbench_solve(const char* solver, const frictionbench_problem* problem, frictionbench_answer* answer) {
  (void)solver; (void)problem;
  answer->status = FRICTIONBENCH_STALLED;
  SOLVE
  return 0;
}
"""
ENTRY = '{"solvers": [{"name": "mine", "model": "ncp", "summary": "a test", "settings": [%s]}]}'


class PluginBuilder(ProgramTest):
    """A test that compiles plug-ins."""

    def compiled(self, source: Path, *flags: str) -> Path:
        """The library of a source file, in this test's folder."""
        library = self.folder / f"lib{source.stem}.so"
        compiler = "cc" if source.suffix == ".c" else "c++"
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-I", ROOT / "lib",
                        *flags, source, "-o", library, "-lm"], check=True)
        return library

    def library(self, name: str, version: str = "return FRICTIONBENCH_PLUGIN_VERSION;", describe: str = "",
                solve: str = "", settings: str = "") -> Path:
        quoted = (ENTRY % settings).replace('"', '\\"')
        source = self.folder / f"{name}.c"
        source.write_text(LIBRARY.replace("VERSION }", f"{version} }}").replace(
            "DESCRIBE", describe or f'return "{quoted}";').replace("SOLVE", solve), encoding="utf-8")
        return self.compiled(source)

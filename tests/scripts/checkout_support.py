"""What the tests of scripts/*.sh share: a checkout in which nothing is built."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from support import FULL, SCRIPTS, TemporaryFolderTest

# Stands for the built program: writes down how it was called, and leaves a results document, $RESULTS
# or that of the same name in the folder $RESULTS.
PROGRAM = """#!/bin/bash
echo "frictionbench $*" >>"$LOG"
case $1 in
  run)
    echo "a table"
    while [[ $# -gt 0 && $1 != --output ]]; do shift; done
    if [[ -d $RESULTS ]]; then RESULTS=$RESULTS/$(basename "$2"); fi
    if [[ ${RUN_EXIT:-0} -ne 2 ]]; then cp "$RESULTS" "$2"; fi
    exit "${RUN_EXIT:-0}" ;;
esac
"""

# Stands for a module of a command: writes down how the command was called.
SCRIPT = """import os, sys
with open(os.environ["LOG"], "a") as log:
    print(os.path.basename(sys.argv[0]), *sys.argv[1:], file=log)
sys.exit()
"""

CMAKE = """#!/bin/bash
echo "cmake $* in $PWD" >>"$LOG"
echo "-- chatter"
"""

CTEST = """#!/bin/bash
echo "ctest $* in $PWD" >>"$LOG"
echo "100% tests passed"
exit "${CTEST_EXIT:-0}"
"""


class CheckoutTest(TemporaryFolderTest):
    """A copy of the scripts in a checkout of its own, called from a folder beside it."""

    def setUp(self) -> None:
        super().setUp()
        self.root = self.folder / "a checkout"
        self.away = self.folder / "elsewhere"
        self.away.mkdir()
        self.log = self.folder / "log"
        shutil.copytree(SCRIPTS, self.root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        (self.root / "results").mkdir()
        shutil.copy(SCRIPTS.parent / "results/results.schema.json", self.root / "results")
        (self.root / "datasets/default").mkdir(parents=True)
        self.program(self.root / "build/release/apps/frictionbench", PROGRAM)
        self.program(self.folder / "bin/cmake", CMAKE)
        self.program(self.folder / "bin/ctest", CTEST)
        # What is installed on this machine is not the question here.
        self.program(self.root / "scripts/setup.sh", '#!/bin/bash\necho "setup $*" >>"$LOG"\n')

    @staticmethod
    def program(path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def call(self, script, *arguments, cwd=None, **environment):
        self.log.write_text("", encoding="utf-8")
        path = f"{self.folder / 'bin'}:/usr/bin:/bin"
        return subprocess.run(
            [self.root / "scripts" / script, *arguments], cwd=cwd or self.away, text=True,
            env={"PATH": path, "HOME": str(self.folder), "LOG": str(self.log), "RESULTS": str(FULL),
                 **environment},
            capture_output=True, check=False)

    def calls(self) -> list[str]:
        return self.log.read_text(encoding="utf-8").splitlines()

    def runs(self) -> list[Path]:
        return sorted((self.root / "results/runs").glob("*"))

"""The manual page, and what shells complete: made from the description of the commands."""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest

from program import COMMANDS, ProgramTest


class ManualPageTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.page = self.folder / "frictionbench.1"
        self.page.write_text(self.program("--generate", "man").stdout, encoding="utf-8")

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_renders_without_warnings(self) -> None:
        finished = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-P-c", self.page], capture_output=True,
                                  encoding="utf-8", check=True)
        self.assertEqual(finished.stderr, "")
        shown = re.sub(".\b", "", finished.stdout)  # bold is overstruck
        for text in ("NAME", "SYNOPSIS", "--warm-start", "frictionbench generate", "frictionbench list problems"):
            self.assertTrue(text in shown, text)

    def test_has_every_option(self) -> None:
        text = self.page.read_text(encoding="utf-8").replace("\\-", "-")
        for command in COMMANDS:
            for option in re.findall(r"(?m)^  .*?(--[a-z-]+)", self.program(command, "--help").stdout):
                self.assertIn(option, text)


class CompletionTest(ProgramTest):
    def bash(self, *words: str) -> list[str]:
        """What bash offers for the last word."""
        script = self.folder / "completion.bash"
        if not script.exists():
            script.write_text(self.program("--generate", "bash").stdout, encoding="utf-8")
        asked = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _frictionbench; printf "%s\\n" "${COMPREPLY[@]}"'
        finished = subprocess.run(["bash", "-u", "-c", asked, script, "frictionbench", *words], cwd=self.folder,
                                  capture_output=True, encoding="utf-8", check=True)
        self.assertEqual(finished.stderr, "")
        return finished.stdout.split()

    def test_bash_offers_commands(self) -> None:
        self.assertEqual(sorted(self.bash("")),
                         sorted(COMMANDS))
        self.assertEqual(self.bash("su"), ["summary"])
        self.assertEqual(self.bash("list", "f"), ["families"])
        self.assertIn("stack", self.bash("generate", "st"))

    def test_bash_offers_options(self) -> None:
        self.assertEqual(self.bash("run", "x.hdf5", "--max-c"), ["--max-contacts"])
        self.assertIn("--version", self.bash("--"))
        self.assertNotIn("--version", self.bash("run", "--"))

    def test_bash_offers_values(self) -> None:
        self.assertIn("ncp-pgs", self.bash("run", "--solver", "ncp"))
        self.assertIn("ncp-pgs", self.bash("list", "solvers", "ncp"))
        self.assertEqual(self.bash("run", "--warm-start", "="), ["zero", "guess", "solution"])
        self.assertEqual(self.bash("run", "--warm-start", "=", "g"), ["guess"])
        self.assertEqual(self.bash("run", "--tolerance", "1"), [])

    def test_bash_offers_files(self) -> None:
        (self.folder / "results.json").write_text("", encoding="utf-8")
        self.assertEqual(self.bash("summary", "res"), ["results.json"])
        self.assertEqual(self.bash("run", "-o", "res"), ["results.json"])

    def check_syntax(self, shell: str) -> None:
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")
        script = self.folder / shell
        script.write_text(self.program("--generate", shell).stdout, encoding="utf-8")
        finished = subprocess.run([shell, "-n", script], capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))

    def test_zsh_script(self) -> None:
        text = self.program("--generate", "zsh").stdout
        self.assertTrue(text.startswith("#compdef frictionbench\n"))
        self.assertIn("'--solver=[", text.replace("*--solver", "--solver"))
        self.check_syntax("zsh")

    def test_fish_script(self) -> None:
        self.check_syntax("fish")

    def test_unknown_kind(self) -> None:
        self.refused("--generate", "csh", saying=["--generate", "'csh'", "bash"])


class HelpBeforeErrorsTest(ProgramTest):
    def test_unknown_names_are_refused_also_with_help(self) -> None:
        self.refused("nonsense", "--help", saying=["unknown command 'nonsense'"])
        self.refused("--help", "nonsense", saying=["unknown command 'nonsense'"])
        self.refused("sumary", "--help", saying=["did you mean summary?"])
        self.refused("run", "--nonsense", "--help", saying=["--nonsense"])


if __name__ == "__main__":
    unittest.main()

"""What a run prints while it runs: plain lines into a file, one changing line on a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess

from program import DATASET, PROGRAM, ProgramTest

SELECTION = ["run", str(DATASET), "--filter", "^Stack/.*local", "--solver", "ncp-pgs", "--solver", "ccp-pgs",
             "--max-iterations", "2000", "--repeat-time", "0.02", "--output", "out.json"]


class ProgressTest(ProgramTest):
    def pairs(self) -> int:
        return 2 * len(list(DATASET.glob("Stack/*local*.hdf5")))

    def on_terminal(self, *arguments: str, code: int = 0) -> str:
        """Standard error of the program, where that is a terminal."""
        parent, child = pty.openpty()
        with subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=child) as process:
            os.close(child)
            output = b""
            while True:
                try:
                    piece = os.read(parent, 4096)
                except OSError:  # how Linux says that the other side has closed
                    break
                if not piece:
                    break
                output += piece
        os.close(parent)
        self.assertEqual(process.returncode, code)
        return output.decode("utf-8")

    def test_plain_lines_where_there_is_no_terminal(self) -> None:
        finished = self.program(*SELECTION)
        self.assertNotRegex(finished.stderr, "[\r\033]")
        rows = re.findall(r"(?m)^(\d+) of (\d+) pairs, (\d+) solved, .+ left$", finished.stderr)
        # Enough to see that it is alive, not one per pair.
        self.assertTrue(3 <= len(rows) <= 12, finished.stderr)
        counts = [int(row[0]) for row in rows]
        self.assertEqual(counts, sorted(set(counts)))
        self.assertEqual({int(row[1]) for row in rows}, {self.pairs()})
        self.assertIn("wrote out.json", finished.stderr)
        self.load("out.json")

    def test_one_changing_line_on_a_terminal(self) -> None:
        text = self.on_terminal(*SELECTION)
        lines = text.replace("\r\n", "\n").strip("\n").split("\n")
        bars = [line for line in lines if "[#" in line]
        self.assertEqual(len(bars), 1, text)
        shown = [re.search(r"\] (\d+)/(\d+)  (\d+) solved.*  (.+) left$", state)
                 for state in re.split("\r", bars[0]) if "[" in state.replace("\033[K", "")]
        self.assertTrue(all(shown), text)
        self.assertGreater(len(shown), 1)
        counts = [int(state[1]) for state in shown]
        self.assertEqual(counts, sorted(counts))
        self.assertEqual({int(state[2]) for state in shown}, {self.pairs()})
        solved = sum(record["solved"]["ncp"]["relative"] for record in self.load("out.json")["records"])
        self.assertEqual((counts[-1], int(shown[-1][3])), (self.pairs(), solved))
        self.assertEqual(shown[-1][4], "0 s")

    def test_errors_on_a_terminal_have_lines_of_their_own(self) -> None:
        broken = self.folder / "Stack"
        broken.mkdir()
        for name in "abc":
            (broken / f"{name}.hdf5").write_text("no problem", encoding="utf-8")
        good = next(DATASET.glob("Stack/*boxes2-local*.hdf5"))
        (broken / "d.hdf5").write_bytes(good.read_bytes())
        text = self.on_terminal("run", str(broken), "--solver", "ncp-pgs", code=1)
        # What a terminal shows: \r\033[K clears the line that was there.
        shown = [line.split("\r\033[K")[-1] for line in text.replace("\r\n", "\n").split("\n")]
        self.assertEqual([line for line in shown if "error" in line],
                         [f"error: {broken}/{name}.hdf5: not an HDF5 file" for name in "abc"])

    def test_quiet(self) -> None:
        finished = self.program(*SELECTION, "--quiet")
        self.assertEqual((finished.stdout, finished.stderr), ("", ""))
        self.assertEqual(self.on_terminal(*SELECTION, "--quiet", "--force"), "")

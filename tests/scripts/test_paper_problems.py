"""frictionbench-paper problems: which files of a folder a paper's comparison takes."""

import shutil
import unittest
from pathlib import Path

from support import ROOT, TemporaryFolderTest

from frictionbench.papers import problems as paper_problems
from frictionbench.papers.problems import evenly_spaced

STACK = ROOT / "datasets/default/Stack"
LOCAL = STACK / "Stack-boxes1-local-4-00000.hdf5"
GLOBAL = STACK / "Stack-boxes1-global-4-00000.hdf5"
PLANE = ROOT / "datasets/default/PushedBox2D/PushedBox2D-default-local-2-00000.hdf5"


class PaperProblems(TemporaryFolderTest):
    def put(self, source, *names):
        for name in names:
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, path)

    def find(self, *arguments):
        result = self.call_script(paper_problems, *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.splitlines()

    def collection(self):
        self.put(LOCAL, "all/local/Chain/c2.hdf5", "all/local/Chain/c1.h5", "all/local/BoxesStack/b1.hdf5",
                 "all/local/Spheres/s1.hdf5", "all/local/IllConditionedStack/i1.hdf5")
        self.put(GLOBAL, "all/global/BoxesStack/b1.hdf5")
        self.put(PLANE, "all/local/Capsules/flat.hdf5")

    def test_families_form_and_dimension(self):
        self.collection()
        self.assertEqual(self.find("all", "--problems", "s_fclib"),
                         ["all/local/BoxesStack/b1.hdf5", "all/local/Chain/c1.h5", "all/local/Chain/c2.hdf5"])

    def test_filter_and_most(self):
        self.collection()
        self.assertEqual(self.find("all", "--problems", "s_fclib", "--filter", "^Chain/"),
                         ["all/local/Chain/c1.h5", "all/local/Chain/c2.hdf5"])
        self.assertEqual(self.find("all", "--problems", "s_fclib", "--most", "1"),
                         ["all/local/BoxesStack/b1.hdf5", "all/local/Chain/c2.hdf5"])
        self.assertEqual(self.find("all", "--problems", "s_fclib", "--filter", "Tower"), [])

    def test_every_3d_problem(self):
        self.collection()
        everything = ["all/global/BoxesStack/b1.hdf5", "all/local/BoxesStack/b1.hdf5", "all/local/Chain/c1.h5",
                      "all/local/Chain/c2.hdf5", "all/local/IllConditionedStack/i1.hdf5",
                      "all/local/Spheres/s1.hdf5"]
        self.assertEqual(self.find("all", "--problems", "all_3d"), everything)
        self.put(LOCAL, "all/local/Chain/c3.hdf5")
        everything.remove("all/local/Chain/c2.hdf5")
        everything.insert(3, "all/local/Chain/c3.hdf5")
        self.assertEqual(self.find("all", "--problems", "all_3d", "--every", "2"), everything)

    def test_shipped_stack_and_that_of_a_folder(self):
        self.collection()
        found = self.find(ROOT / "datasets/default", "all", "--problems", "s_stack")
        self.assertEqual([Path(path).name for path in found],
                         ["Stack-boxes15-mass_ratio10000-ball_mass1000-ball_speed2-global-61-00000.hdf5", "i1.hdf5"])

    def test_family_is_the_folder_however_it_is_named(self):
        self.collection()
        self.assertEqual(self.find("all/local/Chain/../Chain", "--problems", "s_fclib", "--most", "1"),
                         ["all/local/Chain/c2.hdf5"])
        with self.subTest("an absolute folder"):
            chain = self.folder / "all/local/Chain"
            self.assertEqual(self.find(chain, "--problems", "s_fclib"), [f"{chain}/c1.h5", f"{chain}/c2.hdf5"])

    def test_a_list_is_relative_to_its_folder(self):
        self.collection()
        (self.folder / "lists").mkdir()
        self.assertEqual(self.find("all", "--problems", "s_fclib", "-o", "lists/a.txt"), [])
        lines = (self.folder / "lists/a.txt").read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], "../all/local/BoxesStack/b1.hdf5")
        self.assertTrue((self.folder / "lists" / lines[0]).exists())

    def test_what_cannot_be_read_is_left_to_the_run(self):
        self.put(LOCAL, "all/Chain/good.hdf5")
        self.write("all/Chain/pointer.hdf5", "version https://git-lfs.github.com/spec/v1\n")
        self.assertEqual(self.find("all", "--problems", "s_fclib"), ["all/Chain/good.hdf5", "all/Chain/pointer.hdf5"])

    def test_evenly_spaced(self):
        files = list(range(10))
        self.assertEqual(evenly_spaced(files, 2), [2, 7])
        self.assertEqual(evenly_spaced(files, 20), files)
        self.assertEqual(evenly_spaced([], 3), [])

    def test_refused(self):
        self.assert_refused(self.call_script(paper_problems, "nowhere", "--problems", "s_fclib"), "nowhere")
        self.assert_refused(self.call_script(paper_problems, ".", "--problems", "s_chute"), "s_chute")
        self.assert_refused(self.call_script(paper_problems, ".", "--problems", "s_fclib", "--most", "0"), "--most 0")
        self.assert_refused(self.call_script(paper_problems, ".", "--problems", "all_3d", "--every", "0"), "--every 0")
        self.assert_refused(self.call_script(paper_problems, ".", "--problems", "s_fclib", "--filter", "("), "(")


if __name__ == "__main__":
    unittest.main()

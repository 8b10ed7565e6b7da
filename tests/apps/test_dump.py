"""`frictionbench dump`: what fb_dump.h and fb_dump.py leave is the problem, bit by bit."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import unittest
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from program import problem
from test_convert import ConvertTest, content

# Leaves in <folder>: local.txt, dense; sparse.txt, the same by entries; global.txt; mixed.txt, with more than contacts.
# Prints the codes that it gets for problems that cannot be written.
PROGRAM = r"""
#include "fb_dump.h"
#include <locale.h>
#include <stdlib.h>

static const double mu[2] = {0.1, 0.7};
static double W[36], q[6], r[6], f[3], w[6];
static const int row[3] = {0, 1, 2}, h_row[2] = {0, 2}, h_col[2] = {0, 5};
static const double mass[3] = {1.1, 2.2, 3.3}, h[2] = {1.0 / 3, -1e-300};

static char path[4096];
static const char* in(const char* folder, const char* name) {
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

int main(int argc, char** argv) {
  int k, entries = 0, w_row[36], w_col[36], codes[4];
  double values[36];
  fb_problem p, bad;
  if (argc != 2) return 1;
  setlocale(LC_ALL, "de_DE.UTF-8"); /* with a decimal comma, where it can be had */
  memset(&p, 0, sizeof p);
  for (k = 0; k < 36; ++k) W[k] = (k % 7 == 0) * 2.0 + (k % 5 == 0 ? 0.0 : 1.0 / (k + 3));
  for (k = 0; k < 6; ++k) q[k] = -1.0 / (k + 1), r[k] = k / 7.0, w[k] = 0.1 * k;
  for (k = 0; k < 3; ++k) f[k] = 4.9e-324 * (k + 1);
  for (k = 0; k < 36; ++k)
    if (W[k] != 0) w_row[entries] = k / 6, w_col[entries] = k % 6, values[entries++] = W[k];

  p.dimension = 3;
  p.contacts = 2;
  p.mu = mu;
  p.W = fb_dense(W);
  p.q = q;
  p.impulse = r;
  p.title = "two\nlines";
  if (fb_dump(in(argv[1], "local.txt"), &p) != 0) return 2;
  codes[0] = fb_dump(in(argv[1], "local.txt"), &p) == EEXIST;
  p.W = fb_triplets((size_t)entries, w_row, w_col, values);
  if (fb_dump(in(argv[1], "sparse.txt"), &p) != 0) return 3;
  codes[1] = fb_dump(in(argv[1], "none/local.txt"), &p) == ENOENT;
  bad = p;
  bad.q = NULL;
  codes[2] = fb_dump(in(argv[1], "bad.txt"), &bad) == EINVAL;
  bad = p;
  bad.dimension = 5;
  codes[3] = fb_dump(in(argv[1], "bad.txt"), &bad) == EINVAL;

  memset(&p.W, 0, sizeof p.W);
  p.q = NULL;
  p.dofs = 3;
  p.M = fb_triplets(3, row, row, mass);
  p.H = fb_triplets(2, h_row, h_col, h);
  p.f = f;
  p.w = w;
  p.velocity = mass;
  if (fb_dump(in(argv[1], "global.txt"), &p) != 0) return 4;

  {
    const double compliance[6] = {0.5, 0.5, 0.5, 0, 0, 0.25};
    const int bodies[12] = {0, 1, 7, 2, 3, 0, 4, 5, 1, 6, 7, 2};
    /* FCLIB's V says both how rows behind contacts act on these, and how these act on them. */
    for (k = 24; k < 36; ++k)
      if (k % 6 < k / 6) W[k] = W[6 * (k % 6) + k / 6];
    memset(&p, 0, sizeof p);
    p.dimension = 2;
    p.contacts = 2;
    p.mu = mu;
    p.sets = "equality(1)\ninterval(0,inf)\n";
    p.other_rows = 2;
    p.W = fb_dense(W);
    p.q = q;
    p.compliance = compliance;
    p.bodies = bodies;
    p.description = "engine 7, step 42";
    if (fb_dump(in(argv[1], "mixed.txt"), &p) != 0) return 5;
  }
  printf("%d %d %d %d\n", codes[0], codes[1], codes[2], codes[3]);
  return 0;
}
"""


def numbers() -> dict[str, np.ndarray]:
    """Those of the program above."""
    k = np.arange(36)
    W = ((k % 7 == 0) * 2.0 + np.where(k % 5 == 0, 0, 1 / (k + 3))).reshape(6, 6)
    H = np.zeros((3, 6))
    H[0, 0], H[2, 5] = 1 / 3, -1e-300
    k = np.arange(6)
    return {"W": W, "q": -1 / (k + 1), "r": k / 7, "M": np.diag([1.1, 2.2, 3.3]), "H": H, "w": 0.1 * k,
            "f": 4.9e-324 * np.arange(1, 4), "mu": np.array([0.1, 0.7])}


class DumpTest(ConvertTest):
    def converted(self, path: Path) -> Path:
        output = path.with_suffix(".hdf5")
        self.convert(path, "-o", output, "--force")
        return output

    def python(self) -> Any:
        """The function that `dump --python` prints."""
        path = self.folder / "fb_dump.py"
        path.write_text(self.program("dump", "--python").stdout, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("fb_dump", path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.dump


@unittest.skipUnless(shutil.which("cc") and shutil.which("c++"), "no C compiler")
class HeaderTest(DumpTest):
    def dumped(self, *compiler: str) -> Path:
        """A folder of what the program leaves, compiled as this language."""
        folder = self.folder / compiler[1].split("=")[1]
        folder.mkdir()
        (folder / "fb_dump.h").write_text(self.program("dump", "--header").stdout, encoding="utf-8")
        (folder / "main.c").write_text(PROGRAM, encoding="utf-8")
        warnings = ("-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror")
        subprocess.run([*compiler, *warnings, "main.c", "-o", "main"], cwd=folder, check=True)
        if shutil.which("localedef"):
            subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder / "de_DE.UTF-8"], check=False, capture_output=True)
        ended = subprocess.run([folder / "main", folder], check=False, capture_output=True, encoding="utf-8",
                               env=os.environ | {"LOCPATH": str(folder)})
        self.assertEqual((ended.returncode, ended.stdout), (0, "1 1 1 1\n"))
        return folder

    def test_c_and_cpp(self) -> None:
        expected = numbers()
        for compiler in (("cc", "-std=c99"), ("c++", "-std=c++11", "-x", "c++"), ("c++", "-std=c++20", "-x", "c++")):
            with self.subTest(compiler=compiler):
                folder = self.dumped(*compiler)
                self.assertFalse((folder / "bad.txt").exists())
                local = {name: expected[name] for name in ("W", "q", "mu")} | {"spacedim": np.array(3)}
                for name in ("local", "sparse"):
                    path = self.converted(folder / f"{name}.txt")
                    self.assert_same(path, local)
                    with h5py.File(path, "r") as file:
                        np.testing.assert_array_equal(file["guesses/1/r"], expected["r"])
                        self.assertEqual(bytes(file["fclib_local/info/title"][()]), b"two lines")
                path = self.converted(folder / "global.txt")
                names = ("M", "H", "f", "w", "mu")
                self.assert_same(path, {name: expected[name] for name in names} | {"spacedim": np.array(3)})
                with h5py.File(path, "r") as file:
                    np.testing.assert_array_equal(file["guesses/1/v"], np.diag(expected["M"]))

    def test_more_than_contacts(self) -> None:
        path = self.converted(self.dumped("cc", "-std=c99") / "mixed.txt")
        given = numbers()
        W = given["W"].copy()
        found = content(path)
        np.testing.assert_array_equal(found["W"], W[:4, :4])
        np.testing.assert_array_equal(found["V"], W[:4, 4:5])
        self.assertEqual((found["R"].tolist(), found["s"].tolist()), ([[W[4, 4]]], [given["q"][4]]))
        with h5py.File(path, "r") as file:
            group = file["frictionbench"]
            self.assertEqual(bytes(group["sets"][()]).decode().split(), ["equality(1)", "interval(0,inf)"])
            self.assertEqual(group["compliance"][()].tolist(), [0.5, 0.5, 0.5, 0, 0, 0.25])
            self.assertEqual(group["bodies"][()].tolist(), [0, 1, 7, 2, 3, 0, 4, 5, 1, 6, 7, 2])
            self.assertEqual(group["vectors/s"][()].tolist(), [given["q"][5]])
            self.assertIn("engine 7, step 42\n", bytes(file["fclib_local/info/description"][()]).decode())


class PythonTest(DumpTest):
    def test_there_and_back(self) -> None:
        dump = self.python()
        for name in ("Stack-boxes1-local*", "Disks2D-default-local-61*", "Stack-boxes1-global*", "PushedBox2D-default-global*"):
            with self.subTest(name=name):
                original = problem(name)
                given = content(original)
                dimension = int(given.pop("spacedim"))
                path = self.folder / "step.txt"
                path.unlink(missing_ok=True)
                dump(path, dimension=dimension, **given)
                self.assert_same(self.converted(path), given | {"spacedim": np.array(dimension)})
                with self.assertRaises(FileExistsError):
                    dump(path, dimension=dimension, **given)

    def test_the_judge_agrees_on_the_impulse(self) -> None:
        """What a simulator's solver ended with is judged as it is when it comes from the original."""
        dump = self.python()
        original = problem("Wall-rows3-columns2-local-40*")
        given = content(original)
        given.pop("spacedim")
        self.program("solve", original, "--solver", "ncp-pgs", "--max-iterations", 30, "--write-impulse", "r.txt", code=None)
        r = np.array((self.folder / "r.txt").read_text(encoding="utf-8").split(), dtype=float)
        dump(self.folder / "step.txt", impulse=r, title="a wall", description="step 42", **given)
        path = self.converted(self.folder / "step.txt")
        with h5py.File(path, "r") as file:
            np.testing.assert_array_equal(file["guesses/1/r"], r)
        verdicts = [json.loads(self.program("judge", file, "--impulse", "r.txt", "--json", code=None).stdout)
                    for file in (original, path)]
        self.assertEqual(*verdicts)
        self.program("solve", path, "--solver", "ncp-hybrid")

    def test_a_solver_that_left_nan(self) -> None:
        """Is kept by the text, said by `convert`, and never part of a problem."""
        dump = self.python()
        good: dict[str, Any] = {"mu": [0.5], "W": np.eye(3), "q": [-1.0, 0, 0]}
        dump(self.folder / "r.txt", impulse=[np.nan, 0, np.inf], **good)
        self.assertIn("r.txt: left out: section r: entry 0 is nan\n", self.convert("r.txt", "-o", "r.hdf5"))
        for name, value in (("q", [0, np.inf, 0]), ("W", np.diag([1, 1, np.nan])), ("mu", [np.nan])):
            path = self.folder / f"{name}.txt"
            dump(path, **(good | {name: value}))
            self.refused("convert", path, "-o", "x.hdf5", saying=[path.name, f"section {name}", "nan" if name != "q" else "inf"])

    def test_bodies_and_sets(self) -> None:
        dump = self.python()
        dump(self.folder / "a.txt", [], W=np.eye(2), q=[1, -1], sets=["equality(1)", "interval(-1,1)"],
             bodies=[(0, 1, 2), (3, 4, 5)], compliance=[0, 0.1])
        path = self.converted(self.folder / "a.txt")
        with h5py.File(path, "r") as file:
            self.assertEqual(file["frictionbench/bodies"][()].tolist(), [0, 1, 2, 3, 4, 5])
            self.assertEqual(bytes(file["frictionbench/sets"][()]).decode(), "equality(1)\ninterval(-1,1)\n")

    def test_a_velocity_is_of_the_global_form(self) -> None:
        """As in fb_dump.h, so that a simulator need not tell which form it leaves."""
        dump = self.python()
        dump(self.folder / "local.txt", [0.5], W=np.eye(3), q=[-1, 0, 0], velocity=[1, 2], impulse=[1, 0, 0])
        with h5py.File(self.converted(self.folder / "local.txt"), "r") as file:
            self.assertEqual(list(file["guesses/1"]), ["r"])
        dump(self.folder / "global.txt", [0.5], M=np.eye(2), H=np.ones((2, 3)), f=[1, 2], w=[0, 0, 0], velocity=[3, 4])
        with h5py.File(self.converted(self.folder / "global.txt"), "r") as file:
            self.assertEqual(file["guesses/1/v"][()].tolist(), [3, 4])

    def test_what_does_not_fit_together_is_refused(self) -> None:
        dump = self.python()
        local: dict[str, Any] = {"mu": [0.5], "W": np.eye(3), "q": [-1, 0, 0], "impulse": [[1, 0, 0]], "bodies": [(0, 1, 2)]}
        whole: dict[str, Any] = {"mu": [0.5], "M": np.eye(2), "H": np.ones((2, 3)), "f": [1, 2], "w": [0, 0, 0],
                                 "velocity": [3, 4]}
        for name, good in (("local", local), ("whole", whole)):
            dump(self.folder / f"{name}.txt", **good)
            self.converted(self.folder / f"{name}.txt")
        forms = "expected W and q, or M, H, f and w"
        for good, changed, saying in (
                (local, {"W": None}, forms), (local, {"q": None}, forms), (local, {"W": None, "q": None}, forms),
                (local, {"f": [1, 2]}, forms), (local, whole, forms), (whole, {"W": np.eye(3)}, forms),
                *((whole, {name: None}, forms) for name in ("M", "H", "f", "w")),
                (local, {"dimension": 5}, "dimension is 5"), (local, {"q": [-1, 0]}, "q has 2 rows"),
                (local, {"mu": [0.5, 0.5]}, "mu has 2 entries"), (local, {"mu": []}, "mu has 0 entries"),
                (local, {"sets": ["interval(0,inf)"]}, "sets 1"), (whole, {"w": [0, 0, 0, 0]}, "w has 4 rows"),
                (local, {"W": np.eye(4)}, r"W has the shape \(4, 4\), expected \(3, 3\)"),
                (local, {"W": np.ones(9)}, "W has the shape"),
                (whole, {"M": np.eye(3)}, "M has the shape"), (whole, {"H": np.ones((3, 2))}, "H has the shape"),
                (whole, {"f": [1, 2, 3]}, "M has the shape"), (whole, {"velocity": [3]}, "velocity has 1 entries, expected 2"),
                (local, {"impulse": [1, 0]}, "impulse has 2 entries, expected 3"),
                (local, {"compliance": [0, 0, 0, 0]}, "compliance has 4 entries, expected 3"),
                (local, {"bodies": [(0, 1, 2), (1, 2, 3)]}, "bodies has 2 entries, expected 1")):
            with self.subTest(changed=list(changed), saying=saying):
                with self.assertRaisesRegex(ValueError, saying):
                    dump(self.folder / "bad.txt", **(good | changed))
                self.assertFalse((self.folder / "bad.txt").exists())

    def test_every_truncation_is_an_error(self) -> None:
        dump = self.python()
        dump(self.folder / "a.txt", [0.5], W=np.eye(3), q=[-1, 0, 0], title="a b")
        lines = (self.folder / "a.txt").read_text(encoding="utf-8").splitlines()
        for count in range(len(lines)):
            with self.subTest(count=count):
                (self.folder / "cut.txt").write_text("\n".join(lines[:count]), encoding="utf-8")
                self.refused("convert", "cut.txt", "-o", "cut.hdf5", saying=["cut.txt"])
        (self.folder / "cut.txt").write_text("\n".join(lines), encoding="utf-8")
        self.refused("solve", "cut.txt", "--solver", "ncp-pgs", saying=["cut.txt", "frictionbench convert"])
        self.convert("cut.txt", "-o", "cut.hdf5")


class CommandTest(DumpTest):
    def test_one_of_two(self) -> None:
        self.refused("dump", saying=["--header", "--python"])
        self.refused("dump", "--header", "--python", saying=["--header", "--python"])

    def test_prints_the_files(self) -> None:
        folder = Path(__file__).resolve().parents[2] / "lib/frictionbench/dump"
        for option, name in (("--header", "fb_dump.h"), ("--python", "fb_dump.py")):
            self.assertEqual(self.program("dump", option).stdout, (folder / name).read_text(encoding="utf-8"))
        self.assertLessEqual(len((folder / "fb_dump.py").read_text(encoding="utf-8").splitlines()), 80)
        self.assertTrue(os.path.getsize(folder / "fb_dump.h"))


if __name__ == "__main__":
    unittest.main()

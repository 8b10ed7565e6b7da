"""The sample that scripts/frictionbench/tuning draws."""

import unittest

from support import TemporaryFolderTest

from frictionbench.files import ResultsError
from frictionbench.tuning.sampling import draw_sample
from frictionbench.tuning.space import SampleRules


def rules(**changes):
    return SampleRules(**{"seed": 1, "problems_per_family": 4, "max_contacts": None, "filter": None, "families": {},
                          **changes})


class SampleTest(TemporaryFolderTest):
    def problem(self, family, name, contacts, content=None):
        (self.folder / family).mkdir(exist_ok=True)
        path = self.write(f"{family}/{name}", content or f"{family} {name}")
        return {"id": f"{family}/{name}", "family": family, "contacts": contacts, "path": str(path)}

    def family(self, name, sizes):
        return [self.problem(name, str(index), contacts) for index, contacts in enumerate(sizes)]

    def test_small_and_large_problems_of_a_large_family_and_all_of_a_small_one(self):
        listed = self.family("Large", range(100, 0, -1)) + self.family("Small", [7, 3])
        for seed in range(20):
            sample = draw_sample(listed, rules(seed=seed))
            sizes = [problem.contacts for problem in sample.of_family("Large")]
            for size, (low, high) in zip(sizes, ((1, 25), (26, 50), (51, 75), (76, 100)), strict=True):
                self.assertTrue(low <= size <= high, sizes)
            self.assertEqual([problem.contacts for problem in sample.of_family("Small")], [3, 7])
            self.assertEqual(sample.available, {"Large": 100, "Small": 2})

    def test_classes_that_do_not_divide_are_complete(self):
        listed = self.family("A", range(1, 8)) + self.family("B", [1])
        drawn = {problem.contacts for seed in range(200)
                 for problem in draw_sample(listed, rules(seed=seed, problems_per_family=3)).of_family("A")}
        self.assertEqual(drawn, set(range(1, 8)))

    def test_the_seed_alone_decides(self):
        a, b = self.family("A", range(1, 41)), self.family("B", range(1, 31))
        sample = draw_sample(a + b, rules())
        self.assertEqual(draw_sample(b[::-1] + a, rules()), sample)
        self.assertEqual(sample.fingerprint(), draw_sample(a + b, rules()).fingerprint())
        other = draw_sample(a + b, rules(seed=2))
        self.assertNotEqual(other.fingerprint(), sample.fingerprint())
        more = draw_sample(self.family("0", [1]) + a + b, rules())
        self.assertEqual(more.of_family("A"), sample.of_family("A"))

    def test_folders_that_are_one_family(self):
        listed = self.family("Boxes", [1, 2]) + self.family("BoxStacks", [3]) + self.family("Chain", [1])
        sample = draw_sample(listed, rules(families={"Boxes": ("BoxStacks",)}))
        self.assertEqual(sample.families(), ["Boxes", "Chain"])
        self.assertEqual([problem.id for problem in sample.of_family("Boxes")], ["Boxes/0", "Boxes/1", "BoxStacks/0"])

    def test_what_is_left_out(self):
        listed = self.family("A", [0, 1, 2, 900]) + self.family("B", [1, 2])
        listed.append(self.problem("B", "copy", 2, "A 1"))
        sample = draw_sample(listed, rules(max_contacts=500, filter="^(A|B/[01c])"))
        self.assertEqual([problem.id for problem in sample.problems], ["A/1", "A/2", "B/0", "B/1"])
        self.assertEqual((sample.copies, sample.empty), (1, 1))

    def test_one_family_cannot_be_left_out(self):
        with self.assertRaisesRegex(ResultsError, "problems of A only"):
            draw_sample(self.family("A", [1, 2]), rules())
        with self.assertRaisesRegex(ResultsError, "no family"):
            draw_sample([], rules())


if __name__ == "__main__":
    unittest.main()

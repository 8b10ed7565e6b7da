"""frictionbench-versus and its calculations, against numbers that were worked out by hand."""

import itertools
import json
import math
import shlex
import unittest

import numpy

from support import TemporaryFolderTest, made_up_document

from frictionbench.results import load
from frictionbench.statistics import mean_interval
from frictionbench.versus import command as versus, contest as frictionbench_versus, text as frictionbench_versus_text

# Seconds of two solvers of ours and two peers on six problems: a tie (the factor is 2), a win, a loss, one that only
# ours solve, one that only peers solve, one that no solver solves.
COSTS = {"X": {"ncp-a": [1, 2, 8, None, None, None], "ncp-b": [4, None, 16, 3, None, None],
               "p": [2, None, 1, None, 5, None], "q": [8, 8, None, None, None, None]}}


def document(costs=None, *, simulations=None, sizes=None, **run):
    """A made-up document whose problems are of simulations of their own, or of those that are named."""
    made = made_up_document(costs or COSTS)
    for index, problem in enumerate(made["problems"]):
        name = simulations[index] if simulations else f"scene{index}"
        contacts = sizes[index] if sizes else 4
        problem.update(path=f"a folder/{name}-{contacts}-{index:05}.hdf5", contacts=contacts)
    made["run"] = made["run"] | run
    return made


class VersusTest(TemporaryFolderTest):
    def contest(self, *documents, ours=("ncp-*",), exclude=()):
        loaded = [load(self.write(f"{'abc'[index]}.json", content)) for index, content in enumerate(documents)]
        found, without = frictionbench_versus.contests(loaded, versus.chosen(ours, exclude))
        self.assertEqual((len(found), without), (1, []))
        return found[0]

    def row(self, *documents, **options):
        (row,) = frictionbench_versus.rows(self.contest(*documents, **options))
        return row


class ByHand(VersusTest):
    def test_what_is_solved(self):
        row = self.row(document())
        # ncp-a and ncp-b solve three each; 1 * 2 * 8 s is less than 4 * 16 * 3 s.
        self.assertEqual(self.contest(document()).champion.id, "ncp-a")
        self.assertEqual((row.family, row.size, row.problems, row.simulations), ("X", "1-10", 6, 6))
        self.assertEqual((row.champion_solves, row.ours_solve), (3, 4))
        self.assertEqual((row.best_peer, row.best_peer_solves, row.peers_solve), ("p", 3, 4))

    def test_ratios_are_over_what_both_solve(self):
        row = self.row(document())
        self.assertEqual((row.single.problems, row.single.simulations), (2, 2))
        self.assertAlmostEqual(row.single.mean, math.sqrt(2 / 1 * 1 / 8))
        # p, q, p against ncp-a: 2 / 1, 8 / 2, 1 / 8.
        self.assertEqual(row.all_against_one.problems, 3)
        self.assertAlmostEqual(row.all_against_one.mean, 1)
        # Halfway between two ratios is their geometric mean, so that peers / ours and ours / peers tell the same.
        for found, expected in zip(row.all_against_one.quartiles, (math.sqrt(2 / 8), 2, math.sqrt(2 * 4)), strict=True):
            self.assertAlmostEqual(found, expected)
        self.assertIsNone(row.single.interval, "of too few simulations")

    def test_together_is_the_fastest_of_each_side(self):
        row = self.row(document({"X": {"ncp-a": [1, 9], "ncp-b": [6, 3], "p": [2, 12], "q": [8, 6]}}))
        self.assertAlmostEqual(row.together.mean, 2)  # 2 / 1 and 6 / 3
        self.assertAlmostEqual(row.all_against_one.mean, math.sqrt(2 * 6 / 9))

    def test_wins_and_losses(self):
        row = self.row(document())
        self.assertEqual(row.outcomes, {"ours alone": 1, "ours faster": 1, "tie": 1, "peers faster": 1, "peers alone": 1,
                                        "neither": 1})
        self.assertEqual((row.wins, row.losses), (2, 2))

    def test_contributions(self):
        found = {c.solver: c for c in frictionbench_versus.contributions(self.contest(document()))}
        self.assertEqual(list(found), ["p", "ncp-b", "ncp-a", "q"], "alone, then first")
        told = {id: (c.ours, c.solves, c.alone, c.first) for id, c in found.items()}
        self.assertEqual(told, {"p": (False, 3, 1, 2), "ncp-b": (True, 3, 1, 1), "ncp-a": (True, 3, 0, 2),
                                "q": (False, 2, 0, 0)})
        # Without ncp-a the first two take 2 and 8 s, which are 1 and 2 s; the other three that are solved, as before.
        self.assertAlmostEqual(found["ncp-a"].slowdown, (2 * 4) ** (1 / 5))
        # Without p the third takes 8 s, which is 1 s; the fifth is no longer solved and has no time.
        self.assertAlmostEqual(found["p"].slowdown, 8 ** (1 / 4))
        self.assertEqual((found["ncp-b"].slowdown, found["q"].slowdown), (1, 1))

    def test_losses_and_their_commands(self):
        alone, slower = frictionbench_versus.losses(self.contest(document()))
        self.assertEqual((alone.problem.id, alone.peer.id, alone.seconds, alone.our_seconds), ("X/4", "p", 5, math.inf))
        self.assertEqual((slower.problem.id, slower.peer.id, slower.ours.id, slower.factor), ("X/2", "p", "ncp-a", 8))
        theirs, ours = map(shlex.split, alone.commands)
        self.assertEqual(theirs[:5], ["frictionbench", "solve", "a folder/scene4-4-00004.hdf5", "--solver", "p"])
        self.assertEqual(ours[4], "ncp-a", "the champion, as none of ours solves it")
        self.assertEqual(theirs[5:], ours[5:])
        self.assertIn("`p` 5 s, none of ours solves it", frictionbench_versus_text.loss_sentence(alone))
        self.assertIn("`p` 1 s, `ncp-a` 8 s, 8.0 times as long", frictionbench_versus_text.loss_sentence(slower))

    def test_commands_for_any_machine(self):
        made = document()
        made["problems"][4]["path"] = "/home/someone/data/X/a.hdf5"
        contest = self.contest(made)
        self.assertIn(" /home/someone/data/X/a.hdf5 ", frictionbench_versus.losses(contest)[0].commands[0])
        self.assertIn(" solve X/a.hdf5 ", frictionbench_versus.losses(contest, portable=True)[0].commands[0])

    def test_answers_that_are_not_repeatable_are_not_solved(self):
        made = document()
        made["records"][0]["status"] = "not_repeatable"  # ncp-a on the first
        self.assertEqual(self.row(made).champion_solves, 3, "now ncp-b")
        self.assertEqual(self.contest(made).champion.id, "ncp-b")

    def test_families_and_sizes(self):
        costs = {"X": {"ncp-a": [1, 1, 1], "p": [2, 2, 2]}, "Y": {"ncp-a": [1], "p": [None]}}
        found = list(frictionbench_versus.rows(self.contest(document(costs, sizes=[4, 40, 4, 4]))))
        self.assertEqual([(row.family, row.size, row.problems, row.peers_solve) for row in found], [
            ("X", "1-10", 2, 2), ("X", "11-100", 1, 1), ("X", "all sizes", 3, 3), ("Y", "1-10", 1, 0),
            ("all families", "1-10", 3, 2), ("all families", "11-100", 1, 1), ("all families", "all sizes", 4, 3)])
        self.assertIsNone(found[3].together)


class Choice(VersusTest):
    def test_ours_are_never_peers_and_some_are_left_out(self):
        contest = self.contest(document(), ours=("ncp-a",), exclude=("ncp-*", "q"))
        self.assertEqual([solver.id for solver in contest.ours], ["ncp-a"])
        self.assertEqual([solver.id for solver in contest.peers], ["p"])
        contest = self.contest(document(), ours=("ncp-a", "q"))
        self.assertEqual([solver.id for solver in contest.peers], ["ncp-b", "p"])

    def test_only_problems_of_every_solver_are_compared(self):
        first = document({"X": {"ncp-a": [1, 1, 1]}})
        second = document({"X": {"p": [3, None]}})
        contest = self.contest(first, second)
        self.assertEqual(([problem.id for problem in contest.problems], contest.missing), (["X/0", "X/1"], 1))
        self.assertIn("compared on the 2 problems that every solver was run on; 1 left out",
                      frictionbench_versus_text.sides(contest)[1])

    def test_limits_that_differ_are_said(self):
        contest = self.contest(document({"X": {"ncp-a": [1]}}), document({"X": {"p": [3]}}, time_limit=5))
        self.assertIn("time limits", frictionbench_versus_text.sides(contest)[2])

    def test_a_part_of_the_problems_keeps_the_champion(self):
        contest = self.contest(document())
        part = contest.restricted(contest.problems[3:4])  # which only ncp-b solves
        self.assertEqual((part.champion.id, len(part.problems)), ("ncp-a", 1))


class Intervals(unittest.TestCase):
    LOGS = [[0.1], [0.7, 0.9], [-0.4], [1.5, 1.1, 1.3], [0.2]]

    def test_as_all_possible_draws_say(self):
        sums, counts = [sum(logs) for logs in self.LOGS], [len(logs) for logs in self.LOGS]
        means = [sum(sums[k] for k in draw) / sum(counts[k] for k in draw)
                 for draw in itertools.product(range(5), repeat=5)]
        self.assertEqual(len(means), 3125)
        expected = numpy.percentile(means, (2.5, 97.5))
        for found, exact in zip(mean_interval(self.LOGS), expected, strict=True):
            self.assertAlmostEqual(found, exact, delta=0.02)

    def test_more_time_steps_of_a_simulation_are_not_more_evidence(self):
        repeated = [20 * logs for logs in self.LOGS]
        for few, many in zip(mean_interval(self.LOGS), mean_interval(repeated), strict=True):
            self.assertAlmostEqual(few, many)
        apart = [[log] for logs in repeated for log in logs]
        widths = [numpy.diff(mean_interval(logs))[0] for logs in (repeated, apart)]
        self.assertGreater(widths[0], 3 * widths[1])

    def test_equal_ratios(self):
        low, high = map(math.exp, mean_interval([[math.log(3)]] * 5))
        self.assertAlmostEqual(low, 3)
        self.assertAlmostEqual(high, 3)

    def test_too_few_simulations(self):
        self.assertIsNone(mean_interval([[1.0] * 100] * 4))

    def test_the_same_each_time(self):
        self.assertEqual(mean_interval(self.LOGS), mean_interval(self.LOGS))


class Script(VersusTest):
    def test_text_and_numbers(self):
        results = self.write("results.json", document())
        tight = self.write("tight.json", document(tolerance=1e-8))
        result = self.call_script(versus, tight, results, "--ours", "ncp-*", "-o", "a.md", "--json", "a.json")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        text = (self.folder / "a.md").read_text(encoding="utf-8")
        self.assertLess(text.index("## ncp (absolute), tolerance 1e-6"), text.index("## ncp (absolute), tolerance 1e-8"))
        self.assertIn("| **X** | 1-10 contacts | 6 | 6 | 3 | 4 | 3, p | 4 | 2 (1) | 2 (1) | 0.50 of 2 | "
                      "1.0 of 3 | 0.50, 2.0, 2.8 | 1.0 of 3 | 0.50, 2.0, 2.8 |", text)
        self.assertIn("|  | `ncp-a` | 3 | 0 | 2 | 51.6 % |", text)
        self.assertIn("* verdict not recomputable: impulses were not kept (run --keep-impulses)", text)
        numbers = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        loose, tight = numbers["contests"]
        self.assertEqual((loose["tolerance"], tight["tolerance"], loose["champion"]), (1e-6, 1e-8, "ncp-a"))
        self.assertEqual(loose["rows"][0]["outcomes"]["peers alone"], 1)
        self.assertEqual(loose["losses"][0] | {"commands": None}, {
            "problem": "X/4", "peer": "p", "peer_seconds": 5, "ours": "ncp-a", "our_seconds": None, "factor": None,
            "commands": None})

    def test_one_solver_of_ours_has_no_columns_of_several(self):
        result = self.call_script(versus, self.write("results.json", document()), "--ours", "ncp-a", "--exclude", "ncp-*")
        self.assertNotIn("ours together", result.stdout.partition("## ncp")[2])

    def test_seen_and_unseen_apart(self):
        self.write("split.toml", '[unseen]\nids = ["X/[45]"]\n[seen]\nids = ["X/"]\n')
        results = self.write("results.json", document())
        result = self.call_script(versus, results, "--ours", "ncp-*", "--split", "split.toml", "--json", "a.json")
        self.assertLess(result.stdout.index("### Unseen"), result.stdout.index("### Seen"))
        found = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))["contests"]
        self.assertEqual([(c["side"], c["problems"], c["rows"][0]["ours_solve"]) for c in found],
                         [("unseen", 2, 0), ("seen", 4, 4)])

    def test_external_programs_are_said_to_be_at_a_disadvantage(self):
        made = document()
        made["solvers"][2]["settings"] = {"command": "./p"}
        result = self.call_script(versus, self.write("results.json", made), "--ours", "ncp-*")
        self.assertIn("is sent each problem as a line of text", result.stdout)

    def test_what_cannot_be_compared_is_said(self):
        alone = self.write("alone.json", document({"X": {"ncp-a": [1]}}, tolerance=1e-8))
        result = self.call_script(versus, self.write("results.json", document()), alone, "--ours", "ncp-*")
        self.assertIn("## Not compared\n\n* ", result.stdout)
        self.assertIn("alone.json: no peer under ncp (absolute), tolerance 1e-08", result.stdout)
        self.assert_refused(self.call_script(versus, alone, "--ours", "ncp-*"), "no peer")
        self.assert_refused(self.call_script(versus, alone, "--ours", "mine"), "no solver of ours", "ncp-a")
        apart = self.write("apart.json", document({"Y": {"p": [1]}}, tolerance=1e-8))
        self.assert_refused(self.call_script(versus, alone, apart, "--ours", "ncp-*"), "no problem that every solver")

    def test_times_of_a_document_that_was_judged_again_are_not_compared(self):
        again = document(asked={"criterion": "ncp", "scale": "absolute", "tolerance": 1e-8})
        self.assert_refused(self.call_script(versus, self.write("a.json", again), "--ours", "ncp-*"),
                            "a.json was judged again", "stopped, under ncp (absolute) at 1e-8")

    def test_what_is_alike_is_said_once(self):
        said = [f"Tolerance 1e-6, revision a{k}: {k} problems." for k in range(4)]
        said += ["Tolerance 1e-8, revision a1: 9 problems.", "a.json: 3 verdicts", "b.json: 3 verdicts"]
        self.assertEqual(versus.collapsed(said), [
            "Tolerance 1e-6, revision a0: 0 problems. (3 more say the same with other numbers.)",
            "Tolerance 1e-8, revision a1: 9 problems.", "a.json: 3 verdicts", "b.json: 3 verdicts"])

    def test_refusals(self):
        results = self.write("results.json", document())
        self.assert_refused(self.call_script(versus, results), "--ours")
        self.assert_refused(self.call_script(versus, "missing.json", "--ours", "a"), "missing.json", "No such file")
        other = document()
        other["records"][0]["iterations"] += 1
        self.assert_refused(self.call_script(versus, results, self.write("b.json", other), "--ours", "ncp-*"),
                            "b.json: ncp-a on X/0 has another record in", "results.json")
        kept = document(impulses={"file": "a.h5", "sha256": "0" * 64})
        (self.folder / "a.h5").write_bytes(b"of another run")
        self.assert_refused(self.call_script(versus, self.write("c.json", kept), "--ours", "ncp-*"), "a.h5", "SHA-256")


if __name__ == "__main__":
    unittest.main()

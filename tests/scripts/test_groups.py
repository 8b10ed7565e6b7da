"""What several scripts share: problems in groups, commands that repeat a solve, impulses that were kept."""

import contextlib
import hashlib
import shlex
import unittest
import unittest.mock

from support import TemporaryFolderTest, full_document, made_up_document

from frictionbench.files import ResultsError
from frictionbench.results import (
    Problem, commands as frictionbench_commands, groups as frictionbench_groups, impulses as frictionbench_impulses, load,
    load_all,
)


def simulation(path, contacts=12, family="F"):
    return frictionbench_groups.simulation(Problem(f"{family}/x", family, {"path": path, "contacts": contacts}))


class Simulations(unittest.TestCase):
    def test_time_steps_of_one_simulation(self):
        # The example of `frictionbench run --help`: step 840 of gen-Chain.
        self.assertEqual(simulation("a/gen-Chain-i000098-12-00840.hdf5"), "F/gen-Chain")
        self.assertEqual(simulation("a/gen-Chain-i000011-7-00010.hdf5", contacts=7), "F/gen-Chain")
        self.assertEqual(simulation("a/Chute_nc_12_3.hdf5"), "F/Chute")

    def test_both_forms_of_a_scene_are_one_simulation(self):
        self.assertEqual(simulation("Stack-boxes1-local-12-00000.hdf5"), "F/Stack-boxes1")
        self.assertEqual(simulation("Stack-boxes1-global-12-00000.hdf5"), "F/Stack-boxes1")

    def test_islands_of_a_step_are_not_simulations_of_their_own(self):
        for island, contacts in ((0, 3), (12, 8)):
            for name, scene in (("Disks2D-default-local-67-00200", "Disks2D-default"), ("Chute_nc_12_3", "Chute"),
                                ("gen-Chain-i000098-12-00840", "gen-Chain"), ("soup-mu0.5-1286-00100", "soup-mu0.5"),
                                ("wall", "wall")):
                with self.subTest(name=name, island=island):
                    self.assertEqual(simulation(f"islands/{name}-island{island}.hdf5", contacts), f"F/{scene}")
        self.assertEqual(simulation("pile-2-00840-island1.hdf5"), "F/pile-2", "twelve contacts are not of two")

    def test_some_contacts_of_a_step_are_not_a_simulation_of_their_own(self):
        for name in ("Disks2D-default-local-67-00200", "Disks2D-default-global-67-00300", "Disks2D-default-local-5-00400"):
            self.assertEqual(simulation(f"{name}.hdf5", contacts=5), "F/Disks2D-default")
        self.assertEqual(simulation("gen-Chain-i000098-12-00840.hdf5", contacts=5), "F/gen-Chain")
        self.assertEqual(simulation("Spheres-ndof-768-nc-4-3.hdf5", contacts=2), "F/Spheres-ndof-768")

    def test_what_is_not_one_simulation(self):
        self.assertEqual(simulation("wall.hdf5"), "F/wall")
        self.assertEqual(simulation("wall.hdf5", family="G"), "G/wall")
        # 13 is not the number of contacts, and so part of the scene's name.
        self.assertEqual(simulation("pile-13-00840.hdf5"), "F/pile-13")
        self.assertEqual(simulation("12.hdf5"), "F/")


class CommonProblems(TemporaryFolderTest):
    def test_those_with_a_record_of_every_solver(self):
        first = self.write("a.json", made_up_document({"X": {"a": [1, 2, 3]}}))
        second = self.write("b.json", made_up_document({"X": {"b": [1, None]}}))
        results = load_all([first, second])
        a, b = results.solvers
        for solvers, count in (([a], 3), ([b], 2), ([a, b], 2), ([], 3)):
            self.assertEqual(len(frictionbench_groups.common_problems(results, solvers)), count)
        said = frictionbench_groups.compared_on
        self.assertEqual(said(1, 2), "compared on the 1 problem that every solver was run on; 2 left out")
        self.assertEqual(said(3, 0), "compared on the 3 problems that every solver was run on; none left out")


class Commands(TemporaryFolderTest):
    def test_a_solver_as_the_command_line_takes_it(self):
        spec = frictionbench_commands.solver_spec
        self.assertEqual(spec("ncp-admm(tau=2)", {"tau": 2}), "ncp-admm(tau=2)")
        self.assertEqual(spec("mine", {"command": "python3 it's.py, -x", "name": "mine", "start_limit": 60.0}),
                         "external(command='python3 it''s.py, -x',name=mine,start_limit=60.0)")
        # The program of a peer, which `--peer` makes known.
        self.assertEqual(spec("other-pgs", {"command": "./a", "name": "other-pgs", "library": "Other 1.0"}), "other-pgs")

    def test_who_is_a_peer(self):
        self.assertTrue(frictionbench_commands.is_peer({"command": "./a"}))
        self.assertTrue(frictionbench_commands.is_peer({"relaxation": 1, "library_sha256": "0" * 64}))
        self.assertTrue(frictionbench_commands.is_peer({"library": "Other 1.0"}))
        self.assertFalse(frictionbench_commands.is_peer({"relaxation": 1}))

    def test_a_command_has_the_plugins_and_the_limits_of_its_run(self):
        document = full_document()
        document["run"] |= {"command": ["frictionbench", "run", "x", "--plugin", "a b.so", "--plugin=c.so",
                                        "--peer", "siconos"],
                            "compliance": "diag:0.1", "warm_start": "guess", "facets": 6}
        results = load(self.write("a.json", document))
        command = frictionbench_commands.solve_command(results, "a file.hdf5", results.solvers[0])
        self.assertEqual(shlex.split(command), [
            "frictionbench", "solve", "a file.hdf5", "--solver", results.solvers[0].id, "--criterion", "ncp", "--scale",
            "absolute", "--tolerance", "1e-06", "--max-iterations", "20000", "--compliance", "diag:0.1", "--facets", "6",
            "--time-limit", "60", "--warm-start", "guess", "--plugin", "a b.so", "--plugin", "c.so", "--peer",
            "siconos"])

    def test_a_document_that_was_judged_again_is_repeated_as_it_was_run(self):
        document = full_document()
        document["run"] |= {"tolerance": 1e-2, "asked": {"criterion": "ccp", "scale": "scaled", "tolerance": 1e-5}}
        results = load(self.write("a.json", document))
        options = frictionbench_commands.repeat_options(results, results.solvers[0])
        self.assertEqual(options[:6], ["--criterion", "ccp", "--scale", "scaled", "--tolerance", "1e-05"])

    def test_plugins_of_the_parts_of_a_merged_document(self):
        document = full_document()
        part = {"shard": "1/2", "command": ["frictionbench", "run", "--plugin", "a.so"]}
        document["run"] |= {"command": ["frictionbench", "merge"], "shards": [part, part | {"shard": "2/2"}]}
        results = load(self.write("a.json", document))
        self.assertEqual(frictionbench_commands.known_solvers(results, results.solvers[0]), ["--plugin", "a.so"])

    def test_plugins_of_the_part_of_a_joined_document_that_ran_the_solver(self):
        """The last one: an earlier one may have had another build of the plug-in, and two of one name exclude each other."""
        document = full_document()
        ids = [solver["id"] for solver in document["solvers"]]
        parts = [{"command": ["frictionbench", "run", *options], "solvers": solvers} for options, solvers in (
            (["--plugin", "old.so"], ids), (["--plugin=new.so", "--peer", "siconos"], ids[1:]))]
        document["run"] |= {"command": ["frictionbench", "run", "--plugin", "old.so"], "joined": parts}
        results = load(self.write("a.json", document))
        self.assertEqual([frictionbench_commands.known_solvers(results, solver) for solver in results.solvers],
                         [["--plugin", "old.so"], ["--plugin", "new.so", "--peer", "siconos"]])

    def test_what_the_document_does_not_record_is_said_beside_the_command(self):
        document = full_document()
        document["solvers"][0]["settings"] = {"library_sha256": "0" * 64}
        for options, missing in (
                (["--plugin", "a.so"], None), ([], "add the --plugin or --peer of the solver, which is not recorded"),
                (["--config=a b.toml"], "add --plugin and --peer as a b.toml has them"),
                (["--config", "a.toml", "--peer", "siconos"], "add --plugin and --peer as a.toml has them")):
            with self.subTest(options):
                document["run"]["command"] = ["frictionbench", "run", *options]
                results = load(self.write("a.json", document))
                peer, ours = (frictionbench_commands.solve_command(results, "a.hdf5", solver) for solver in results.solvers)
                self.assertEqual(peer.partition("  # ")[2], missing or "")
                self.assertNotIn("#", ours)

    def test_a_run_that_matched_verdicts_is_repeated_so(self):
        document = full_document()
        for matched in (True, False):
            document["run"]["match_verdict"] = matched
            results = load(self.write("a.json", document))
            self.assertEqual("--match-verdict" in frictionbench_commands.repeat_options(results, results.solvers[0]), matched)


class Impulses(TemporaryFolderTest):
    def document(self, impulses, name="results.json"):
        document = full_document()
        document["run"]["impulses"] = impulses
        return load(self.write(name, document))

    def test_not_kept(self):
        missing = load(self.write("results.json", full_document()))
        for document in (missing, self.document(None)):
            self.assertEqual(frictionbench_impulses.recomputed(document),
                             "verdict not recomputable: impulses were not kept (run --keep-impulses)")

    def judge(self, script: str) -> None:
        """What stands in for the program that judges kept impulses."""
        program = self.write("frictionbench", f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        replaced = unittest.mock.patch.dict("os.environ", FRICTIONBENCH_PROGRAM=str(program))
        replaced.start()
        self.addCleanup(replaced.stop)

    def kept(self, name="results"):
        (self.folder / f"{name}.h5").write_bytes(b"impulses of a run")
        sha256 = hashlib.sha256(b"impulses of a run").hexdigest()
        return self.document({"file": f"{name}.h5", "sha256": sha256}, f"{name}.json")

    def test_kept(self):
        self.judge('test "$1 $2" = "rejudge $PWD/results.json" || exit 2; echo "2 verdicts recomputed: fine"')
        with contextlib.chdir(self.folder):
            self.assertEqual(frictionbench_impulses.recomputed(self.kept()),
                             "2 verdicts recomputed: fine (impulses kept in results.h5)")
        self.judge('echo "1 verdicts recomputed"; echo "1 verdicts not recomputable: no file"; exit 1')
        self.assertEqual(frictionbench_impulses.recomputed(self.kept()),
                         "1 verdicts recomputed; 1 verdicts not recomputable: no file (impulses kept in results.h5)")
        (self.folder / "results.h5").unlink()
        self.assertIn("results.h5, which is not beside results.json",
                      frictionbench_impulses.recomputed(load(self.folder / "results.json")))

    def test_forged_records_are_refused(self):
        self.judge('echo "error: results.json: a record is forged" >&2; exit 2')
        with self.assertRaisesRegex(ResultsError, "^results.json: a record is forged$"):
            frictionbench_impulses.recomputed(self.kept())
        self.judge("exit 3")
        with self.assertRaisesRegex(ResultsError, "frictionbench rejudge: exit code 3"):
            frictionbench_impulses.recomputed(self.kept())

    def test_without_the_program(self):
        nowhere = {"FRICTIONBENCH_PROGRAM": "", "PATH": str(self.folder)}
        with unittest.mock.patch.dict("os.environ", nowhere), \
                unittest.mock.patch.object(frictionbench_impulses, "PROGRAM", self.folder / "none"):
            self.assertIn("no program frictionbench", frictionbench_impulses.recomputed(self.kept()))
        with unittest.mock.patch.dict("os.environ", FRICTIONBENCH_PROGRAM=str(self.folder / "none")):
            with self.assertRaisesRegex(ResultsError, "none: No such file"):
                frictionbench_impulses.recomputed(self.kept())

    def test_others_are_refused(self):
        (self.folder / "results.h5").write_bytes(b"impulses of another run")
        document = self.document({"file": "results.h5", "sha256": "0" * 64})
        with self.assertRaisesRegex(ResultsError, "results.h5: not the impulses of .*results.json: its SHA-256 is "
                                                  f"[0-9a-f]{{64}}, and run.impulses.sha256 is {'0' * 64}"):
            frictionbench_impulses.recomputed(document)

    def test_several_documents(self):
        self.judge("echo fine")
        kept = self.kept("a")
        not_kept = self.document(None, "b.json")
        self.assertEqual(len(frictionbench_impulses.recomputed_notes([not_kept, not_kept])), 1)
        first, second = frictionbench_impulses.recomputed_notes([kept, not_kept])
        self.assertTrue(first.endswith("a.json: fine (impulses kept in a.h5)"))
        self.assertTrue(second.endswith(f"b.json: {frictionbench_impulses.NOT_KEPT}"))

    def test_what_solvers_were_asked_for(self):
        document = full_document()
        as_run = load(self.write("a.json", document))
        self.assertEqual(frictionbench_impulses.asked_for(as_run), ("ncp", 1e-6))
        document["run"]["asked"] = {"criterion": "ncp", "scale": "absolute", "tolerance": 1e-6}
        self.assertEqual(frictionbench_impulses.judged_again([as_run, load(self.write("b.json", document))]), [])
        document["run"]["asked"] = {"criterion": "ccp", "scale": "relative", "tolerance": 1e-8}
        again = load(self.write("c.json", document))
        self.assertEqual(frictionbench_impulses.asked_for(again), ("ccp_relative", 1e-8))
        (said,) = frictionbench_impulses.judged_again([as_run, again])
        self.assertIn("c.json was judged again: its solvers were run, and stopped, under ccp (relative) at 1e-8", said)


if __name__ == "__main__":
    unittest.main()

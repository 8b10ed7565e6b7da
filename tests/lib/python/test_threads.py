"""Other threads run while the library reads, solves and judges, and threads do not disturb one another."""

from __future__ import annotations

import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from support import BindingsTest, frictionbench, shipped

FILES = ["Stack-mass_ratio100-local*", "PackedSpheres-default-global-82*", "Wall-rows3-columns2-local*", "Disks2D-default*"]
SOLVERS = ["ncp-hybrid", "ncp-pgs", "ccp-ipm"]


def answer_of(pair: tuple[str, str]) -> tuple[bytes, dict]:
    problem = frictionbench.read(shipped(pair[0]))
    answer = frictionbench.solve(problem, pair[1], max_iterations=200)
    again = frictionbench.judge(problem, answer.impulses)
    assert again.as_dict()["verdict"] == {**answer.verdict.residuals, "momentum": None, "slackness": None}
    return answer.impulses.tobytes(), answer.verdict.as_dict()


class Threads(BindingsTest):
    def test_threads_give_what_one_gives(self):
        pairs = [(file, solver) for file in FILES for solver in SOLVERS]
        expected = [answer_of(pair) for pair in pairs]
        with ThreadPoolExecutor(2) as pool:
            for got, wanted in zip(pool.map(answer_of, pairs), expected, strict=True):
                self.assertEqual(got, wanted)

    def test_threads_share_a_problem(self):
        problem = frictionbench.read(shipped(FILES[1]))  # global: whoever comes first reduces it
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _: frictionbench.solve(problem, "ncp-hybrid").impulses, range(8)))
        for impulses in answers[1:]:
            np.testing.assert_array_equal(impulses, answers[0])

    def test_solvers_of_peers_take_turns(self):
        if "mujoco-newton" not in frictionbench.solvers(peer="all"):
            self.skipTest("this build does not have the peer mujoco")
        # Of several sizes, because this peer keeps what it made for a size.
        problems = [frictionbench.read(shipped(file)) for file in FILES[:3]]
        solvers = ["mujoco-newton", "mujoco-pgs"]

        def impulses_of(pair):
            return frictionbench.solve(pair[0], pair[1], peer="mujoco").impulses.tobytes()

        pairs = [(problem, solver) for problem in problems for solver in solvers] * 4
        expected = [impulses_of(pair) for pair in pairs]
        with ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(impulses_of, pairs)), expected)

    def test_the_interpreter_is_free_during_a_solve(self):
        # A solver that ends once this thread has answered its call; were the interpreter not free, it would
        # wait until its time is up.
        called, answered = self.folder / "called", self.folder / "answered"
        waits = f'touch "{called}"; until [ -e "{answered}" ]; do sleep 0.01; done; exit 3'
        solver = f"external(command='{waits}',start_limit=20)"
        problem = frictionbench.read(shipped(FILES[0]))
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(frictionbench.solve, problem, solver)
            while not called.exists() and not answer.done():
                time.sleep(0.01)
            answered.touch()
            self.assertIn("ended without an answer", answer.result().message)


if __name__ == "__main__":
    unittest.main()

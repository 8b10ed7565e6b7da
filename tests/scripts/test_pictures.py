"""Labels and styles of pictures."""

import unittest

import support  # noqa: F401  (finds the scripts)

from frictionbench.plots.looks import MODELS, SOLVER_COLORS, Look, Standing, chosen_looks, looks, solver_style
from frictionbench.plots.pictures import Figure, line_style, log_ticks, spread, wrap_solver_id


class Spread(unittest.TestCase):
    def assert_legal(self, wanted, heights, low, high):
        places = spread(wanted, heights, low, high)
        tops = [place + height / 2 for place, height in zip(places, heights)]
        bottoms = [place - height / 2 for place, height in zip(places, heights)]
        for above, below in zip(bottoms, tops[1:]):
            self.assertGreaterEqual(above, below - 1e-12)
        self.assertLessEqual(tops[0], high + 1e-12)
        self.assertGreaterEqual(bottoms[-1], low - 1e-12)
        return places

    def test_labels_with_room_stay_where_they_are_wanted(self):
        self.assertEqual(self.assert_legal([0.8, 0.5, 0.2], [0.1] * 3, 0, 1), [0.8, 0.5, 0.2])

    def test_touching_labels_share_the_move(self):
        places = self.assert_legal([0.55, 0.45], [0.2, 0.2], 0, 1)
        self.assertAlmostEqual(places[0], 0.6)
        self.assertAlmostEqual(places[1], 0.4)

    def test_equal_ends_at_both_borders(self):
        for wanted in ([1.0] * 5, [0.0] * 5, [1, 1, 0.5, 0, 0], [0.5] * 5):
            with self.subTest(wanted):
                self.assert_legal(wanted, [0.2] * 5, 0, 1)

    def test_labels_of_different_heights(self):
        self.assert_legal([1, 0.97, 0.9, 0.2, 0.19, 0], [0.1, 0.3, 0.1, 0.2, 0.1, 0.1], 0, 1)


class Names(unittest.TestCase):
    def test_a_long_id_breaks_between_settings(self):
        id = "ncp-admm(rho_update=linear,p_inc=0.05,p_dec=0.05,tau_inc=2,tau_dec=2,alpha=10)"
        lines = wrap_solver_id(id).split("\n")
        self.assertEqual("".join(line.strip() for line in lines), id)
        self.assertLessEqual(max(map(len, lines)), 28)
        for line in lines[:-1]:
            self.assertIn(line[-1], ",(")

    def test_a_short_id_stays(self):
        self.assertEqual(wrap_solver_id("ncp-admm(tau=4)"), "ncp-admm(tau=4)")

    def test_the_lines_of_28_solvers_differ(self):
        lines = {(line_style(k)["color"], line_style(k)["linestyle"]) for k in range(28)}
        self.assertEqual(len(lines), 28)


class LogarithmicAxes(unittest.TestCase):
    def labels(self, low, high):
        axis = Figure().add_subplot().xaxis
        axis.axes.set_xscale("log")
        axis.axes.set_xlim(low, high)
        log_ticks(axis)
        ticks = [tick for tick in axis.get_majorticklocs() if low <= tick <= high]
        minor = axis.get_minor_formatter().format_ticks(list(axis.get_minorticklocs()))
        self.assertFalse([label for label in minor if label and (high / low < 100)])
        return axis.get_major_formatter().format_ticks(ticks)

    def test_fewer_than_two_decades_have_more_labels_than_powers_of_ten(self):
        self.assertEqual(self.labels(3, 46), ["5", "10", "20"])
        self.assertEqual(self.labels(11, 99), ["20", "50"])
        self.assertEqual(self.labels(1.5e-4, 3e-3), [r"$2\times10^{-4}$", r"$5\times10^{-4}$", "$10^{-3}$", r"$2\times10^{-3}$"])
        self.assertEqual(self.labels(1, 2), ["1", "1.2", "1.4", "1.6", "1.8", "2"])
        self.assertEqual(len(self.labels(0.5, 200)), 3)


class Colours(unittest.TestCase):
    def test_the_best_eight_of_each_model_by_name(self):
        standings = {f"n{k}": Standing("ncp", 20 - k, 1) for k in range(10)}
        standings |= {"slow": Standing("ncp", 13, 2), "c": Standing("ccp", 0, float("inf"))}
        found = looks(standings)
        # n7 and `slow` solve equally many problems; n7 is faster.
        self.assertEqual({name for name, look in found.items() if look.colour is None}, {"n8", "n9", "slow"})
        self.assertEqual([found[f"n{k}"] for k in range(8)], [Look("ncp", k) for k in range(8)])
        self.assertEqual(found["c"], Look("ccp", 0))

    def test_up_to_eight_that_are_chosen_by_name_all_differ(self):
        known = {"a": Look("ncp", 0), "b": Look("ncp", 3), "ccp": Look("ccp", 0), "grey": Look("ncp", None),
                 "pale": Look("lcp", None)}
        self.assertEqual(chosen_looks(known, ["b", "ccp"]), known)
        found = chosen_looks(known, list(known))
        self.assertEqual([found[name] for name in ("a", "b")], [known["a"], known["b"]])  # theirs in every picture
        self.assertEqual(len({look.colour for look in found.values()} - {None}), 5)
        self.assertEqual({name: look.model for name, look in found.items()}, {name: look.model for name, look in known.items()})
        many = {f"s{k}": Look("ncp", None) for k in range(9)}
        self.assertEqual(chosen_looks(many, list(many)), many)

    def test_solvers_of_several_models_differ_in_one_picture(self):
        styles = [solver_style(Look(model, colour)) for model in MODELS for colour in range(len(SOLVER_COLORS))]
        self.assertEqual(len({(style["color"], style["linestyle"]) for style in styles}), 24)
        self.assertNotIn(solver_style(Look("ncp", None))["color"], SOLVER_COLORS)


if __name__ == "__main__":
    unittest.main()

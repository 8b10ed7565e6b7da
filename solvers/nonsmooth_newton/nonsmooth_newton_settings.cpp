#include "frictionbench/solvers/nonsmooth_newton/nonsmooth_newton.hpp"

namespace frictionbench::solvers {

void NonsmoothNewtonSettings::describe(SettingFields& fields) {
  describe_scaling(fields, scaling);
  fields.add("function", function,
             {{"alart_curnier", ContactFunction::alart_curnier},
              {"natural_map", ContactFunction::natural_map},
              {"fischer_burmeister", ContactFunction::fischer_burmeister}},
             "the equation of a contact, F(r, u) = 0", "RR-9118: NSN-AC, NSN-NM, NSN-FB");
  fields.add(
      "rho", rho, {{"spectral", FactorRule::spectral}, {"split", FactorRule::split}},
      "velocities count in F by 1 / the largest eigenvalue of W_ii, or by that of its normal "
      "and that of its tangent block; for alart_curnier, the others take the tangent's",
      "Siconos: spectral; on real files split is as good");
  fields.add("rho_factor", rho_factor, positive(), "and by this factor",
             "ours, of 1 to 30 on real files; Siconos has 1, which takes twice the factorisations");
  fields.add("damping", damping, at_least(0),
             "shift of W in the Newton matrix, as a share of min(1, ||F|| / sqrt(n_c)), at the "
             "start and after sweeps",
             "ours, of 0 to 10 on real files; 0.1 and 10 are as good; without any, a sixth more "
             "stay unsolved; ncp-prox: 1e-3, for alpha damps too");
  fields.add("attempts", attempts, at_least(1),
             "matrices of an iteration, each damped ten times as much as the one before, until one "
             "brings a step",
             "ours; one solves fewer real files; ncp-prox: 6, from less damping");
  fields.add("decrease", decrease, open_interval(0, 1),
             "share of the decrease of ||F||^2 / 2 to first order that a step must bring",
             "Siconos, FBLSA (Facchinei, Pang, section 9.1)");
  fields.add("memory", memory, at_least(1),
             "the decrease is from the largest of as many last values; 1 for monotone",
             "Grippo, Lampariello, Lucidi 1986; a monotone search takes three times the "
             "factorisations on real files");
  fields.add("halvings", halvings, at_least(0), "of a step before it is given up",
             "ours; 10 lead to steps too short to pass the kinks; Siconos: 100");
  fields.add("start_sweeps", start_sweeps, at_least(0),
             "sweeps of nonsmooth Gauss-Seidel before the first iteration",
             "ours; without any, real files take three times as long");
  fields.add("rescue_sweeps", rescue_sweeps, at_least(1),
             "sweeps instead of an iteration that finds no step",
             "ours; they are rare, and 10 are as good");
  fields.add(
      "patience", patience, at_least(1),
      "iterations without a residual one per cent below the last such one that end the solve",
      "ours; 100 end a few solves too early on real files");
}

}  // namespace frictionbench::solvers

#include "frictionbench/solvers/admm/admm_settings.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace frictionbench::solvers {

namespace {

constexpr const char* own = "ours; judged in results/paper/ncp-admm-tuning.md";

void describe_paper(AdmmSettings& s, SettingFields& fields) {
  fields.add("rho_update", s.rho_update,
             {{"spectral", PenaltyRule::spectral},
              {"linear", PenaltyRule::linear},
              {"constant", PenaltyRule::constant}},
             "how the penalty rho follows the residuals", "[Carpentier24] section III-F");
  fields.add("p_initial", s.p_initial, any_number(),
             "initial exponent p of rho = sqrt(m L) kappa^p",
             "[Carpentier24] (45) leaves it free; Pinocchio's ADMM has 0.2");
  fields.add("p_inc", s.p_inc, positive(), "spectral: what p grows by", "[Carpentier24] (46)");
  fields.add("p_dec", s.p_dec, positive(), "spectral: what p shrinks by", "[Carpentier24] (46)");
  fields.add("rho_initial", s.rho_initial, at_least(0),
             "initial penalty rho, unit of W (of the scaled W, if it is scaled); 0 takes it from "
             "(45) with p_initial",
             "[Carpentier24] (45)");
  fields.add("tau_inc", s.tau_inc, above(1), "linear: what rho is multiplied by", "[Carpentier24] (44)");
  fields.add("tau_dec", s.tau_dec, above(1), "linear: what rho is divided by", "[Carpentier24] (44)");
  fields.add("alpha", s.alpha, above(1),
             "ratio of primal to dual residual, or dual to primal, from which rho changes",
             "[Carpentier24] (44); value from Pinocchio's ADMM");
  fields.add(
      "eta", s.eta, positive(),
      "the strong convexity m of (45), and the proximal term of the paper's variant; unit of "
      "W (of the scaled W, if it is scaled)",
      "[Carpentier24] section III-B");
  fields.add("power_iterations", s.power_iterations, at_least(1),
             "products spent on the largest eigenvalue L of (45)",
             "[Carpentier24] section III-F; value from Pinocchio's ADMM");
  fields.add("stop", s.stop, {{"admm", StoppingTest::admm}, {"verified", StoppingTest::verified}},
             "admm: [Carpentier24] (43) alone (paper's variant only); verified: the residuals of the model at "
             "u = W y + q too",
             "[Carpentier24] (43)");
  fields.shorthand("tau", {"tau_inc", "tau_dec"},
                   "tau_inc and tau_dec together, as in [Carpentier24] Table III");
  fields.shorthand("p", {"p_inc", "p_dec"}, "p_inc and p_dec together, as in [Carpentier24] Table III");
}

void describe_own(AdmmSettings& s, SettingFields& fields) {
  describe_scaling(fields, s.scaling);
  fields.add("relaxation", s.relaxation, open_interval(0, 2),
             "over-relaxation: y + relaxation (f - y) takes the place of f", own);
  fields.add("start_sweeps", s.start_sweeps, at_least(0),
             "projected Gauss-Seidel sweeps that make the first y, z and contact weights", own);
  fields.add(
      "balance", s.balance,
      {{"absolute", Balance::absolute},
       {"relative", Balance::relative},
       {"velocity", Balance::velocity},
       {"agreed", Balance::agreed}},
      "terms in which primal and dual residual are compared: absolute as [Carpentier24] (44); relative to "
      "impulses and velocities; velocity: ||W (f - y)||; agreed: the last two agree",
      own);
  fields.add("hold", s.hold, at_least(1), "fewest iterations between two changes of rho", own);
  fields.add("hysteresis", s.hysteresis, at_least(1),
             "what hold is multiplied by whenever rho turns back", own);
  fields.add("contact_weight", s.contact_weight, at_least(1),
             "rho_i = rho times this for contacts that separate (y_i = 0), divided by it for those "
             "that stick (z_i = 0); 1 is one rho for all",
             own);
  fields.add("weight_first", s.weight_first, at_least(1),
             "iteration at which contact weights are first taken anew", own);
  fields.add("weight_growth", s.weight_growth, above(1),
             "ratio of the iterations of one such change and the next", own);
  fields.add("anderson", s.anderson, at_least(0),
             "memory of the Anderson acceleration; 0 turns it off", own);
  fields.add("anderson_type", s.anderson_type,
             {{"I", AndersonAcceleration::Type::one}, {"II", AndersonAcceleration::Type::two}},
             "I: multi-secant Broyden update; II: least squares of the residual differences",
             "Fang and Saad 2009");
  fields.add("safeguard", s.safeguard, at_least(1),
             "an accelerated iterate is undone if the fixed-point residual grew by more", own);
  fields.add(
      "ray", s.ray, at_least(0),
      "relative change of the fixed-point residual below which the iterates run along a ray, "
      "and the steps double; 0 turns it off",
      own);
  fields.add("patience", s.patience, at_least(0),
             "iterations in which the best residual must halve, or acceleration rests; 0: it never "
             "rests",
             own);
  fields.add("factorization", s.factorization,
             {{"automatic", Factorization::automatic},
              {"dense", Factorization::dense},
              {"simplicial", Factorization::simplicial},
              {"supernodal", Factorization::supernodal},
              {"dual", Factorization::dual}},
             "automatic: by size, fill and degrees of freedom; dual: Woodbury on the global form, "
             "which the problem must have",
             "tests/benchmarks/bench_cholesky.cpp");
}

}  // namespace

AdmmSettings AdmmSettings::rss2024() {
  AdmmSettings settings;
  settings.variant = AdmmVariant::rss2024;
  settings.p_initial = 0.2;
  settings.scaling = Scaling::none;
  settings.relaxation = 1;
  settings.start_sweeps = 0;
  settings.balance = Balance::absolute;
  settings.hold = 1;
  settings.hysteresis = 1;
  settings.contact_weight = 1;
  settings.anderson = 0;
  settings.ray = 0;
  settings.patience = 0;
  return settings;
}

void AdmmSettings::describe(SettingFields& fields) {
  fields.add("variant", variant,
             {{"accelerated", AdmmVariant::accelerated}, {"rss2024", AdmmVariant::rss2024}},
             "rss2024: [Carpentier24] Alg. 1 as published, with the asymmetry of W ignored and all that is ours "
             "turned off",
             "[Carpentier24] Alg. 1");
  fields.preset("variant", "rss2024", [this] { *this = rss2024(); });
  describe_paper(*this, fields);
  describe_own(*this, fields);
}

void AdmmSettings::validate() const {
  if (variant == AdmmVariant::accelerated) {
    if (stop == StoppingTest::admm)
      throw std::invalid_argument(
          "stop = admm goes with variant = rss2024; the accelerated variant always verifies");
    return;
  }
  AdmmSettings given = *this, paper = rss2024();
  SettingFields given_fields, paper_fields;
  describe_own(given, given_fields);
  describe_own(paper, paper_fields);
  const SettingValues given_values = given_fields.values(), paper_values = paper_fields.values();
  for (std::size_t k = 0; k < given_values.size(); ++k)
    if (given_values[k] != paper_values[k])
      throw std::invalid_argument(
          fmt::format("variant = rss2024 has no {}; leave it out, or use variant = accelerated",
                      given_values[k].first));
}

}  // namespace frictionbench::solvers

#include "frictionbench/solvers/admm/admm.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "frictionbench/problem/blocks.hpp"
#include "frictionbench/solvers/gauss_seidel/step_length.hpp"

namespace frictionbench::solvers {

namespace {

constexpr const char* measured = "measured, see results/paper/ncp-admm-tuning.md";

void describe_paper(AdmmSettings& s, SettingFields& fields) {
  fields.add("rho_update", s.rho_update,
             {{"spectral", PenaltyRule::spectral},
              {"linear", PenaltyRule::linear},
              {"constant", PenaltyRule::constant}},
             "update rule of the penalty rho: spectral (46), linear (44), or constant",
             "[Carpentier24] section III-F");
  fields.add("p_initial", s.p_initial, any_number(),
             "initial exponent p in rho = sqrt(m L) kappa^p",
             "free in [Carpentier24] (45); 0.2 in Pinocchio; 0.25 measured "
             "(results/paper/ncp-admm-tuning.md)");
  fields.add("p_inc", s.p_inc, positive(), "spectral rule: increment of p", "[Carpentier24] (46)");
  fields.add("p_dec", s.p_dec, positive(), "spectral rule: decrement of p", "[Carpentier24] (46)");
  fields.add("rho_initial", s.rho_initial, at_least(0),
             "initial penalty rho, in the unit of W (after scaling); 0: computed from p_initial by "
             "(45)",
             "[Carpentier24] (45)");
  fields.add("tau_inc", s.tau_inc, above(1), "linear rule: factor by which rho grows",
             "[Carpentier24] (44)");
  fields.add("tau_dec", s.tau_dec, above(1), "linear rule: factor by which rho shrinks",
             "[Carpentier24] (44)");
  fields.add("alpha", s.alpha, above(1),
             "rho changes when one of the primal and dual residuals exceeds alpha times the other",
             "[Carpentier24] (44); value: Pinocchio");
  fields.add(
      "eta", s.eta, positive(),
      "least strong convexity m in (45), in the unit of W (after scaling); variant=rss2024 also "
      "uses it as the proximal term",
      "[Carpentier24] section III-B");
  fields.add("strong_convexity", s.strong_convexity,
             {{"eta", StrongConvexity::eta},
              {"smallest_eigenvalue", StrongConvexity::smallest_eigenvalue}},
             "m in (45); eta: the bound m >= eta, at no cost; smallest_eigenvalue: that of W + eta "
             "I, by power iterations with its inverse (one factorisation)",
             "[Carpentier24] section III-F; eta: Pinocchio");
  fields.add("power_iterations", s.power_iterations, at_least(1),
             "number of power iterations (products with W) to estimate L, the largest eigenvalue "
             "in (45), and as many solves where m is estimated, too",
             "[Carpentier24] section III-F; value: Pinocchio");
  fields.add("stop", s.stop, {{"admm", StoppingTest::admm}, {"verified", StoppingTest::verified}},
             "stopping test of variant=rss2024; admm: (43) alone; verified: also the residuals of "
             "the model at y with u = W y + q",
             "[Carpentier24] (43)");
  fields.shorthand("tau", {"tau_inc", "tau_dec"},
                   "sets tau_inc and tau_dec, as in [Carpentier24] Table III");
  fields.shorthand("p", {"p_inc", "p_dec"}, "sets p_inc and p_dec, as in [Carpentier24] Table III");
}

void describe_own(AdmmSettings& s, SettingFields& fields) {
  describe_scaling(fields, s.scaling);
  fields.add("relaxation", s.relaxation, open_interval(0, 2),
             "over-relaxation: f is replaced by y + relaxation (f - y)", measured);
  fields.add("start_sweeps", s.start_sweeps, at_least(0),
             "number of projected Gauss-Seidel sweeps that compute the initial y, z and contact "
             "weights",
             measured);
  fields.add("balance", s.balance,
             {{"absolute", Balance::absolute},
              {"relative", Balance::relative},
              {"velocity", Balance::velocity},
              {"agreed", Balance::agreed}},
             "how primal and dual residual are compared before rho changes; absolute: ||f - y|| "
             "and ||rho (y - y')||, as (44); relative: each divided by the size of impulses or "
             "velocities; velocity: ||W (f - y)|| and ||rho (y - y')||; agreed: change only if "
             "relative and velocity agree",
             measured);
  fields.add("hold", s.hold, at_least(1), "minimum number of iterations between changes of rho",
             measured);
  fields.add("hysteresis", s.hysteresis, at_least(1),
             "factor by which hold grows each time rho reverses direction", measured);
  fields.add("contact_weight", s.contact_weight, at_least(1),
             "rho_i = rho times this for separating contacts (y_i = 0), rho divided by this for "
             "sticking ones (z_i = 0); 1: the same rho for all contacts",
             measured);
  fields.add("weight_first", s.weight_first, at_least(1),
             "iteration of the first update of the contact weights", measured);
  fields.add("weight_growth", s.weight_growth, above(1),
             "ratio between the iterations of successive updates of the contact weights", measured);
  fields.add("anderson", s.anderson, at_least(0),
             "memory of the Anderson acceleration; 0 disables it", measured);
  fields.add("anderson_type", s.anderson_type,
             {{"I", AndersonAcceleration::Type::one}, {"II", AndersonAcceleration::Type::two}},
             "I: multi-secant Broyden update; II: least squares of the residual differences",
             "Fang and Saad (2009)");
  fields.add(
      "safeguard", s.safeguard, at_least(1),
      "an accelerated iterate is rejected if the fixed-point residual grew by more than this "
      "factor",
      measured);
  fields.add("ray", s.ray, at_least(0),
             "if the fixed-point residual changes by less than this fraction, the iterates are "
             "treated as moving along a ray and steps are doubled; 0 disables this",
             measured);
  fields.add("patience", s.patience, at_least(0),
             "acceleration pauses if the best residual has not halved within this many iterations; "
             "0: never pauses",
             measured);
  fields.add(
      "factorization", s.factorization,
      {{"automatic", Factorization::automatic},
       {"dense", Factorization::dense},
       {"simplicial", Factorization::simplicial},
       {"supernodal", Factorization::supernodal},
       {"dual", Factorization::dual}},
      "automatic: chosen by size, fill and degrees of freedom; dense, simplicial, supernodal: "
      "Cholesky of W plus the penalty; dual: Woodbury formula through the global form, "
      "problems without one are refused",
      "tests/benchmarks/bench_cholesky.cpp");
}

void admm(const AdmmSettings& settings, Solve& solve) {
  if (settings.variant == AdmmVariant::rss2024) return proximal_admm(settings, solve);
  accelerated_admm(settings, solve);
}

// û for the NCP, u for the CCP. \param blocks of the problem, or its rows by block.
template <typename Blocks>
typename Blocks::Segment model_velocity(ContactModel model, const Blocks& blocks, Index i,
                                        typename Blocks::Segment u) {
  if (model == ContactModel::ncp) u[0] += blocks.correction(i, u);
  return u;
}

// Sweeps of block projected Gauss-Seidel over r (m).
void sweep(const Solve& solve, int sweeps, Vector& r) {
  if (sweeps == 0) return;
  solve.with_sweeps([&](const auto& W) {
    for (int k = 0; k < sweeps && !solve.time_is_up(); ++k)
      W.sweep([&](Index i) {
        const double step = step_length(W, i);
        if (step == 0) return;
        auto r_i = W.of(r, i);
        const auto v = model_velocity(solve.model(), W, i, W.velocity(i, r));
        r_i = W.project(i, r_i - step * v);
      });
  });
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
  fields.add(
      "variant", variant,
      {{"accelerated", AdmmVariant::accelerated}, {"rss2024", AdmmVariant::rss2024}},
      "accelerated: the algorithm with this project's additions; rss2024: [Carpentier24] Alg. "
      "1 as published, which uses the symmetric part of W and none of the additions",
      "[Carpentier24] Alg. 1");
  fields.preset("variant", "rss2024", [this] { *this = rss2024(); });
  describe_paper(*this, fields);
  describe_own(*this, fields);
}

void AdmmSettings::validate() const {
  if (variant == AdmmVariant::accelerated) {
    if (stop == StoppingTest::admm)
      throw std::invalid_argument(
          "stop = admm requires variant = rss2024; the accelerated variant always checks the "
          "residuals of the answer");
    return;
  }
  AdmmSettings given = *this, paper = rss2024();
  SettingFields given_fields, paper_fields;
  describe_own(given, given_fields);
  describe_own(paper, paper_fields);
  const SettingValues given_values = given_fields.values(), paper_values = paper_fields.values();
  for (std::size_t k = 0; k < given_values.size(); ++k)
    if (given_values[k] != paper_values[k])
      throw std::invalid_argument(fmt::format(
          "{} cannot be combined with variant = rss2024; remove it, or use variant = accelerated",
          given_values[k].first));
}

AdmmStart admm_start(Solve& solve, int sweeps) {
  const Vector guess = solve.start();
  AdmmStart start{guess, Vector::Zero(guess.size())};
  if (guess.isZero(0) && sweeps == 0) return start;
  start.y = solve.projected(guess);
  sweep(solve, sweeps, start.y);
  with_blocks(solve.problem(), [&](const auto& blocks) {
    const Vector u = solve.W().velocity(start.y);
    for (Index i = 0; i < blocks.count(); ++i) {
      const auto v = model_velocity(solve.model(), blocks, i, blocks.of(u, i));
      blocks.of(start.z, i) = v + blocks.project(i, -v);
    }
  });
  return start;
}

RegisteredSolver ncp_admm() {
  return solver_entry(
      {.name = "ncp-admm",
       .model = ContactModel::ncp,
       .summary = "proximal ADMM with spectral or linear penalty update on the exact friction cone",
       .sources = {"[Carpentier24] Alg. 1, (37)-(46)"},
       .every_set = true,
       .bilateral = Bilateral::block},
      admm);
}

RegisteredSolver ccp_admm() {
  return solver_entry({.name = "ccp-admm",
                       .model = ContactModel::ccp,
                       .summary = "proximal ADMM on the cone complementarity problem",
                       .sources = {"[Carpentier24] Alg. 1 with s = 0", "[LeLidec24] Alg. 3"},
                       .every_set = true,
                       .bilateral = Bilateral::block},
                      admm);
}

}  // namespace frictionbench::solvers

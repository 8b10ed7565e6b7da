#include <algorithm>
#include <functional>
#include <vector>

#include "frictionbench/math/friction_pyramid.hpp"
#include "frictionbench/solver/facets.hpp"
#include "frictionbench/solvers/staggered/admm_minimization.hpp"
#include "frictionbench/solvers/staggered/convex_sequence.hpp"

namespace frictionbench::solvers {

namespace {

enum class InnerMethod { apgd, admm };

/// Staggered projections: [LeLidec24] Alg. 7; Kaufman, Sueda, James, Pai, ACM Trans. Graph. 27
/// (2008).
///
///     r_N <- argmin r_N.W_NN r_N / 2 + r_N.(q_N + W_NT r_T)   over   r_N >= 0
///     r_T <- argmin r_T.W_TT r_T / 2 + r_T.(q_T + W_TN r_N)   over   ||r_T,i|| <= mu_i r_N,i
///
/// for the NCP, and for the LCP with r_T,i in the polygon of the friction pyramid for mu_i r_N,i. Line 2 of
/// [LeLidec24] Alg. 7 has q_T where it must be q_N. Nothing guarantees that this converges.
///
/// [LeLidec24] solves both problems by ADMM: `inner=admm`, AdmmMinimization, to a tenth of the
/// tolerance. The default solves them inexactly, InexactMinimization.
///
/// Each problem is that of W and q with the other part of r held at `fixed` by the projection, so
/// that the gradient contains the coupling.
struct Staggered {
  InnerMethod method = InnerMethod::apgd;
  ConvexSequence convex;

  void describe(SettingFields& fields) {
    fields.add("inner", method, {{"apgd", InnerMethod::apgd}, {"admm", InnerMethod::admm}},
               "how each problem is solved; apgd: by accelerated projected gradient, until its "
               "natural residual has fallen by `reduction`; admm: to a tenth of the tolerance",
               "[LeLidec24] section III-D: ADMM");
    convex.describe(fields);
  }
};

struct LcpStaggered : Staggered {
  int facets = 4;

  void describe(SettingFields& fields) {
    describe_facets(fields, facets, "[LeLidec24] section III-A");
    Staggered::describe(fields);
  }
  void adapt(SolverInfo& info) const { info.facets = facets; }
};

// What holds the friction of a contact, r_T, within its limit, mu_i r_N,i.
using HoldFriction = std::function<void(double limit, Eigen::Ref<Vector> r_T)>;

// \param normals, tangents minimise over one part of r each.
template <typename Minimization>
void stagger(Minimization normals, Minimization tangents, const HoldFriction& hold, Solve& solve) {
  const auto velocity = contact_velocity(solve);
  const int dimension = solve.problem().dimension();
  convex_sequence(solve, [&](int left, Vector& r, Vector& u) {
    Vector fixed = r;
    const auto project_normals = [&](Vector& x) {
      for (Index k = 0; k < x.size(); ++k)
        x[k] = k % dimension == 0 ? std::max(0.0, x[k]) : fixed[k];
    };
    const auto project_tangents = [&](Vector& x) {
      for (Index i = 0; i < solve.contacts(); ++i) {
        const double r_N = fixed[dimension * i];
        x[dimension * i] = r_N;
        hold(solve.mu(i) * r_N, x.segment(dimension * i + 1, dimension - 1));
      }
    };
    const int first = normals.run({velocity, project_normals}, std::max(1, left - 1), r);
    if (first == left) u = normals.gradient();
    if (first == 0 || first == left) return first;
    fixed = r;
    const int second = tangents.run({velocity, project_tangents}, left - first, r);
    if (second == 0) return 0;
    u = tangents.gradient();
    return first + second;
  });
}

void run(const Staggered& settings, const HoldFriction& hold, Solve& solve) {
  solve.use(settings.convex.scaling);
  const InnerSettings& inner = settings.convex.inner;
  if (settings.method == InnerMethod::apgd) {
    const InexactMinimization minimization(inner, solve);
    return stagger(minimization, minimization, hold, solve);
  }
  std::vector<Index> normals, tangents;
  for (Index k = 0; k < solve.unknowns(); ++k)
    (k % solve.problem().dimension() == 0 ? normals : tangents).push_back(k);
  stagger(AdmmMinimization(solve, normals, inner.iterations),
          AdmmMinimization(solve, tangents, inner.iterations), hold, solve);
}

void run_on_discs(const Staggered& settings, Solve& solve) {
  run(
      settings, [](double limit, Eigen::Ref<Vector> r_T) { project_on_disc(r_T, limit); }, solve);
}

void run_on_polygons(const LcpStaggered& settings, Solve& solve) {
  const auto in_box = [](double limit, Eigen::Ref<Vector> r_T) {
    r_T = r_T.cwiseMax(-limit).cwiseMin(limit);
  };
  if (settings.facets == 4 || solve.problem().dimension() == 2) return run(settings, in_box, solve);
  const RegularPyramid pyramid(settings.facets);
  run(
      settings,
      [&](double limit, Eigen::Ref<Vector> r_T) {
        r_T = pyramid.minimise(Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero(), r_T, limit);
      },
      solve);
}

}  // namespace

RegisteredSolver lcp_staggered() {
  return solver_entry(
      {.name = "lcp-staggered",
       .model = ContactModel::lcp,
       .summary = "staggered projections on the friction pyramid: normal and friction impulses in "
                  "alternation",
       .sources = {"[LeLidec24] Alg. 7",
                   "Kaufman, Sueda, James, Pai, ACM Trans. Graph. 27 (2008)"}},
      run_on_polygons);
}

RegisteredSolver ncp_staggered() {
  return solver_entry(
      {.name = "ncp-staggered",
       .model = ContactModel::ncp,
       .summary = "staggered projections: normal and friction impulses in alternation",
       .sources = {"[LeLidec24] Alg. 7",
                   "Kaufman, Sueda, James, Pai, ACM Trans. Graph. 27 (2008)"}},
      run_on_discs);
}

}  // namespace frictionbench::solvers

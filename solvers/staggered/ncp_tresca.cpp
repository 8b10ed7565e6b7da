#include "frictionbench/solvers/staggered/ncp_tresca.hpp"

#include <algorithm>

#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench::solvers {

namespace {

// { r_N >= 0, ||r_T,i|| <= threshold_i }
void project_on_cylinders(const Vector& threshold, int dimension, Vector& r) {
  with_dimension(dimension, [&](auto dim) {
    for (Index i = 0; i < threshold.size(); ++i) {
      auto r_i = r.segment<dim()>(dim() * i);
      r_i[0] = std::max(0.0, r_i[0]);
      auto r_T = tangent_of(r_i);
      project_on_disc(r_T, threshold[i]);
    }
  });
}

Vector thresholds(const ContactProblem& problem, const Vector& r) {
  const Index dim = problem.dimension();
  return problem.mu().cwiseProduct(r(Eigen::seq(0, Eigen::last, dim)).cwiseMax(0));
}

}  // namespace

SolverInfo NcpTresca::info() {
  SolverInfo info;
  info.name = "ncp-tresca";
  info.summary = "fixed point on the friction threshold, a Tresca problem at a time";
  info.model = ContactModel::ncp;
  info.sources = {"Haslinger, Math. Methods Appl. Sci. 5 (1983)",
                  "Acary, Bremond, Huber, INRIA RR-9118 (2017), TFP"};
  info.zero_diagonal = true;
  return info;
}

Result NcpTresca::run(const ContactProblem& problem, const Limits& limits,
                      const InitialGuess& guess, Observer& observer) const {
  const auto pose = [&](const ContactProblem& scaled, const auto& velocity, WorkCounters& work) {
    return [&, inner = InexactMinimization(settings_.inner, work)](int left, Vector& r,
                                                                   Vector& u) mutable {
      const ConvexQuadratic tresca{velocity, [&, threshold = thresholds(scaled, r)](Vector& x) {
                                     project_on_cylinders(threshold, scaled.dimension(), x);
                                   }};
      const int taken = inner.run(tresca, left, r);
      u = inner.gradient();
      return taken;
    };
  };
  return convex_sequence(settings_.scaling, problem, limits, guess, observer, pose);
}

}  // namespace frictionbench::solvers

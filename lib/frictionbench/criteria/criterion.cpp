#include "frictionbench/criteria/criterion.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "frictionbench/problem/islands.hpp"

namespace frictionbench {

ProblemScale scale_of(const ContactProblem& problem) {
  ProblemScale scale;
  const Vector& q = problem.free_velocity();
  if (q.size() == 0) return scale;
  const double largest = q.lpNorm<Eigen::Infinity>();
  if (largest > 0) scale.velocity = largest;
  // mean_i(trace(W_ii) / dim) is the mean of the whole diagonal
  const double mean_diagonal = problem.delassus_diagonal().mean();
  scale.impulse = scale.velocity / (mean_diagonal > 0 ? mean_diagonal : 1.0);
  return scale;
}

ContactScales contact_scales(const ContactProblem& problem) {
  constexpr double slowest = 1e-3;  // of the fastest island
  const Vector& q = problem.free_velocity();
  ContactScales scales{Vector(problem.blocks()), Vector(problem.blocks())};
  if (problem.blocks() == 0) return scales;
  const auto rows_of = [&](const Vector& x, Index i) {
    return x.segment(problem.block_start(i), problem.block_rows(i));
  };

  Vector& w = scales.velocity_per_impulse;
  const Vector diagonal = problem.delassus_diagonal();
  for (Index i = 0; i < w.size(); ++i) w[i] = rows_of(diagonal, i).mean();
  const auto positive = (w.array() > 0).count();
  const double mean = positive > 0 ? w.cwiseMax(0).sum() / static_cast<double>(positive) : 1.0;
  w = (w.array() > 0).select(w, mean);

  const std::vector<Index> island = islands(problem);
  Vector fastest = Vector::Zero(*std::max_element(island.begin(), island.end()) + 1);
  for (Index i = 0; i < w.size(); ++i) {
    double& of_island = fastest[island[static_cast<std::size_t>(i)]];
    of_island = std::max(of_island, rows_of(q, i).lpNorm<Eigen::Infinity>());
  }
  const double largest = fastest.maxCoeff();
  for (Index i = 0; i < w.size(); ++i)
    scales.velocity[i] =
        largest > 0 ? std::max(fastest[island[static_cast<std::size_t>(i)]], slowest * largest) : 1;
  return scales;
}

ContactModel judged_model(Criterion criterion, ContactModel native) {
  switch (criterion) {
    case Criterion::ncp:
      return ContactModel::ncp;
    case Criterion::ccp:
      return ContactModel::ccp;
    case Criterion::lcp:
      return ContactModel::lcp;
    case Criterion::native:
      return native;
  }
  throw std::logic_error("unknown criterion");
}

}  // namespace frictionbench

#include "frictionbench/problem/scaling.hpp"

namespace frictionbench {

ContactScaling ContactScaling::equilibrated(const ContactProblem& problem) {
  const Vector diagonal = problem.delassus_diagonal();
  Vector mean(problem.blocks());
  for (Index i = 0; i < mean.size(); ++i)
    mean[i] = diagonal.segment(problem.block_start(i), problem.block_rows(i)).mean();
  const double largest = mean.size() > 0 ? mean.maxCoeff() : 0;
  for (double& value : mean)
    if (!(value > 0)) value = largest > 0 ? largest : 1;

  ContactScaling scaling;
  scaling.contact = mean.cwiseSqrt().cwiseInverse();
  scaling.row.resize(problem.unknowns());
  for (Index i = 0; i < mean.size(); ++i)
    scaling.row.segment(problem.block_start(i), problem.block_rows(i))
        .setConstant(scaling.contact[i]);
  const Vector& q = problem.free_velocity();
  const double size = scaling.row.cwiseProduct(q).lpNorm<Eigen::Infinity>();
  if (size > 0) scaling.velocity = size;
  return scaling;
}

Vector ContactScaling::impulse_to_scaled(const Vector& r) const {
  return r.cwiseQuotient(row) / velocity;
}

Vector ContactScaling::impulse_to_original(const Vector& r) const {
  return velocity * row.cwiseProduct(r);
}

}  // namespace frictionbench

#include "frictionbench/criteria/criterion.hpp"

#include <cmath>
#include <stdexcept>

namespace frictionbench {

ProblemScale scale_of(const ContactProblem& problem) {
  ProblemScale scale;
  const LocalView form = problem.local();
  if (form.q.size() == 0) return scale;
  const double largest = form.q.lpNorm<Eigen::Infinity>();
  if (largest > 0) scale.velocity = largest;
  // mean_i(trace(W_ii) / dim) is the mean of the whole diagonal
  const double mean_diagonal = Vector(form.W.diagonal()).mean();
  scale.impulse = scale.velocity / (mean_diagonal > 0 ? mean_diagonal : 1.0);
  return scale;
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

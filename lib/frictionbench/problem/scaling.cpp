#include "frictionbench/problem/scaling.hpp"

namespace frictionbench {

namespace {

// d_i repeated for every component of contact i.
Vector by_component(const Vector& contact, Index size) {
  const Index dimension = contact.size() > 0 ? size / contact.size() : 0;
  Vector result(size);
  for (Index i = 0; i < contact.size(); ++i)
    result.segment(dimension * i, dimension).setConstant(contact[i]);
  return result;
}

}  // namespace

ContactScaling ContactScaling::equilibrated(const ContactProblem& problem) {
  const Index dimension = problem.dimension();
  const Vector diagonal = problem.local().W.diagonal();
  Vector mean(problem.contacts());
  for (Index i = 0; i < mean.size(); ++i)
    mean[i] = diagonal.segment(dimension * i, dimension).mean();
  const double largest = mean.size() > 0 ? mean.maxCoeff() : 0;
  for (double& value : mean)
    if (!(value > 0)) value = largest > 0 ? largest : 1;

  ContactScaling scaling;
  scaling.contact = mean.cwiseSqrt().cwiseInverse();
  const Vector& q = problem.local().q;
  const double size =
      by_component(scaling.contact, q.size()).cwiseProduct(q).lpNorm<Eigen::Infinity>();
  if (size > 0) scaling.velocity = size;
  return scaling;
}

Vector ContactScaling::impulse_to_scaled(const Vector& r) const {
  return r.cwiseQuotient(by_component(contact, r.size())) / velocity;
}

Vector ContactScaling::impulse_to_original(const Vector& r) const {
  return velocity * by_component(contact, r.size()).cwiseProduct(r);
}

}  // namespace frictionbench

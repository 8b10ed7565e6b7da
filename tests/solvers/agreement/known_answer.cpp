#include "solvers/agreement/known_answer.hpp"

#include <random>

namespace frictionbench::test {

KnownAnswer known_answer(ContactModel model, int dimension, const SparseMatrix& W, const Vector& mu,
                         std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> size(0.5, 1.5);
  std::normal_distribution<double> normal;
  const Index tangents = dimension - 1;
  Vector r = Vector::Zero(W.rows()), u = Vector::Zero(W.rows());
  for (Index i = 0; i < mu.size(); ++i) {
    const Vector direction =
        Vector::NullaryExpr(tangents, [&] { return normal(generator); }).normalized();
    auto r_i = r.segment(dimension * i, dimension);
    auto u_i = u.segment(dimension * i, dimension);
    if (i % 3 == 0) {  // separated
      u_i.tail(tangents) = size(generator) * direction;
      u_i[0] = mu[i] * u_i.tail(tangents).norm() + size(generator);
      continue;
    }
    r_i[0] = size(generator);
    if (i % 3 == 1) {  // sticking
      r_i.tail(tangents) = 0.5 * mu[i] * r_i[0] * direction;
    } else {  // sliding
      r_i.tail(tangents) = -mu[i] * r_i[0] * direction;
      u_i.tail(tangents) = size(generator) * direction;
      if (model == ContactModel::ccp) u_i[0] = mu[i] * u_i.tail(tangents).norm();
    }
  }
  ContactProblem problem(dimension, mu, LocalForm{W, u - W * r});
  return {std::move(problem), std::move(r), std::move(u)};
}

}  // namespace frictionbench::test

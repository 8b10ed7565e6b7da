#include "contact_network.hpp"

#include <cmath>
#include <random>
#include <vector>

namespace frictionbench::bench {

ContactProblem random_network(Index contacts, int neighbours) {
  std::mt19937 generator(1);
  std::uniform_int_distribution<Index> pick(0, contacts - 1);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < contacts; ++i)
    for (int k = 0; k <= neighbours / 2; ++k) {
      const Index j = k == 0 ? i : pick(generator);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          const double value = i == j ? (a == b ? 1.0 : 0.1) : 0.1 / neighbours;
          entries.emplace_back(static_cast<int>(3 * i + a), static_cast<int>(3 * j + b), value);
          if (i != j)
            entries.emplace_back(static_cast<int>(3 * j + b), static_cast<int>(3 * i + a), value);
        }
    }
  LocalForm form{SparseMatrix(3 * contacts, 3 * contacts), Vector(3 * contacts)};
  form.W.setFromTriplets(entries.begin(), entries.end());
  for (Index i = 0; i < contacts; ++i) {
    const double slip = 2 * std::abs(std::sin(static_cast<double>(i)));
    const double angle = static_cast<double>(7 * i);
    form.q.segment<3>(3 * i) << -1, slip * std::cos(angle), slip * std::sin(angle);
  }
  return ContactProblem(3, Vector::Constant(contacts, 0.5), std::move(form));
}

}  // namespace frictionbench::bench

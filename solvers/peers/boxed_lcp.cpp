#include "solvers/peers/boxed_lcp.hpp"

#include <vector>

namespace frictionbench::peers {

namespace {

using Entries = std::vector<Eigen::Triplet<double, std::int32_t>>;

SparseMatrix made_of(const Entries& entries, int rows, int columns) {
  SparseMatrix made(rows, columns);
  made.setFromTriplets(entries.begin(), entries.end());
  return made;
}

}  // namespace

BoxedLcp::BoxedLcp(const Request& request, const SparseMatrix& W, double infinity) {
  const int dimension = request.dimension();
  const int contacts = request.contacts();
  order.resize(request.unknowns());
  for (int i = 0; i < contacts; ++i) {
    order[i] = dimension * i;
    for (int t = 1; t < dimension; ++t)
      order[contacts + (dimension - 1) * i + t - 1] = dimension * i + t;
  }

  Eigen::VectorXi row_of(size());
  for (int row = 0; row < size(); ++row) row_of[order[row]] = row;
  Entries entries;
  for (int row = 0; row < size(); ++row)
    for (SparseMatrix::InnerIterator entry(W, order[row]); entry; ++entry)
      entries.emplace_back(row, row_of[entry.col()], entry.value());
  A = made_of(entries, size(), size());
  b = -sorted(request.q());

  lower = Vector::Zero(size());
  upper = Vector::Constant(size(), infinity);
  normal_of.setConstant(size(), -1);
  for (int row = contacts; row < size(); ++row) {
    normal_of[row] = order[row] / dimension;
    upper[row] = request.mu()[normal_of[row]];
    lower[row] = -upper[row];
  }
}

Vector BoxedLcp::sorted(const Vector& r) const { return r(order); }

void BoxedLcp::store(const Vector& x, Answer& answer) const { answer.r(order) = x; }

LiftedLcp::LiftedLcp(const Request& request) {
  const int dimension = request.dimension();
  const int corners = dimension == 3 ? 4 : 2;
  const int per_contact = 1 + corners + 1;
  const int size = per_contact * request.contacts();

  Entries lifting, coupling;
  for (int i = 0; i < request.contacts(); ++i) {
    const int normal = per_contact * i;
    const int lambda = normal + 1 + corners;
    lifting.emplace_back(dimension * i, normal, 1);
    coupling.emplace_back(lambda, normal, request.mu()[i]);
    for (int corner = 0; corner < corners; ++corner) {
      const int beta = normal + 1 + corner;
      for (int t = 0; t < dimension - 1; ++t)
        lifting.emplace_back(dimension * i + 1 + t, beta, (corner >> t) % 2 == 0 ? 1 : -1);
      coupling.emplace_back(beta, lambda, 1);
      coupling.emplace_back(lambda, beta, -1);
    }
  }
  lift = made_of(lifting, request.unknowns(), size);
  const SparseMatrix transposed = lift.transpose();
  const SparseMatrix lifted = transposed * SparseMatrix(request.W()) * lift;
  M = Matrix(lifted) + Matrix(made_of(coupling, size, size));
  q = transposed * request.q();
}

void LiftedLcp::store(const Vector& z, Answer& answer) const { answer.r = lift * z; }

SparseMatrix symmetric_W(const Request& request) {
  const SparseMatrix W = request.W();
  const SparseMatrix transposed = W.transpose();
  return (W + transposed) / 2;
}

void end_finite(Answer& answer, frictionbench_status status, std::int64_t iterations) {
  if (answer.r.allFinite()) {
    answer.end(status, iterations);
  } else {
    answer.r.setZero();
    answer.end(FRICTIONBENCH_DIVERGED, iterations);
  }
}

}  // namespace frictionbench::peers

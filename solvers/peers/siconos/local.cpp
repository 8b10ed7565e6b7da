// The local form: u = W r + q with Siconos' M = W, and its q and mu as they are. Contacts are
// (N, T1, T2) there, too, and r_N > 0 pushes.
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SparseBlockMatrix.h>
#include <fc3d_Solvers.h>

#include <cstdlib>
#include <set>
#include <vector>

#include "siconos.hpp"

namespace frictionbench::peers::siconos {

namespace {

constexpr int dense_limit = 1000;  // contacts: 72 MB for W, and as much for its factors
constexpr int size = 3;            // of a contact

template <typename Number>
Number* array(std::size_t entries) {
  return static_cast<Number*>(std::malloc(sizeof(Number) * entries));
}

// Compressed rows of 3 x 3 blocks, each in columns. Diagonal blocks are there even if they are
// zero: SBM_from_csparse() leaves those out, and solvers then crash.
NumericsMatrix* blocks_of(const Eigen::Map<const SparseMatrix>& W) {
  const int contacts = static_cast<int>(W.rows()) / size;
  std::vector<std::size_t> starts = {0}, columns;
  for (int contact = 0; contact < contacts; ++contact) {
    std::set<int> found = {contact};
    for (int row = size * contact; row < size * (contact + 1); ++row)
      for (Eigen::Map<const SparseMatrix>::InnerIterator entry(W, row); entry; ++entry)
        found.insert(static_cast<int>(entry.col()) / size);
    columns.insert(columns.end(), found.begin(), found.end());
    starts.push_back(columns.size());
  }

  NumericsMatrix* const matrix = NM_create(NM_SPARSE_BLOCK, size * contacts, size * contacts);
  SparseBlockStructuredMatrix& blocks = *matrix->matrix1;
  blocks.nbblocks = static_cast<unsigned>(columns.size());
  blocks.blocknumber0 = blocks.blocknumber1 = static_cast<unsigned>(contacts);
  blocks.blocksize0 = array<unsigned>(static_cast<std::size_t>(contacts));
  blocks.blocksize1 = array<unsigned>(static_cast<std::size_t>(contacts));
  for (int contact = 0; contact < contacts; ++contact)  // where each ends
    blocks.blocksize0[contact] = blocks.blocksize1[contact] =
        static_cast<unsigned>(size * (contact + 1));
  blocks.filled1 = starts.size();
  blocks.index1_data = array<std::size_t>(starts.size());
  std::copy(starts.begin(), starts.end(), blocks.index1_data);
  blocks.filled2 = columns.size();
  blocks.index2_data = array<std::size_t>(columns.size());
  std::copy(columns.begin(), columns.end(), blocks.index2_data);
  blocks.diagonal_blocks = nullptr;
  blocks.block = array<double*>(columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k)
    blocks.block[k] = static_cast<double*>(std::calloc(size * size, sizeof(double)));

  for (int row = 0; row < W.rows(); ++row) {
    auto block = starts[static_cast<std::size_t>(row / size)];
    for (Eigen::Map<const SparseMatrix>::InnerIterator entry(W, row); entry; ++entry) {
      while (columns[block] < static_cast<std::size_t>(entry.col() / size)) ++block;
      blocks.block[block][entry.col() % size * size + row % size] = entry.value();
    }
  }
  NM_reset_versions(matrix);
  return matrix;
}

NumericsMatrix* dense(const Eigen::Map<const SparseMatrix>& W) {
  const int unknowns = static_cast<int>(W.rows());
  NumericsMatrix* const matrix = NM_create(NM_DENSE, unknowns, unknowns);
  Eigen::Map<Matrix>(matrix->matrix0, unknowns, unknowns) = W;
  return matrix;
}

}  // namespace

void solve_local(const Method& method, const Request& request, Answer& answer) {
  if (method.storage == Storage::dense) require_at_most(dense_limit, request);
  // All copied, because some solvers change q and W.
  const std::unique_ptr<FrictionContactProblem, decltype(&frictionContactProblem_free)> problem(
      frictionContactProblem_new_with_data(
          size, request.contacts(),
          method.storage == Storage::dense ? dense(request.W()) : blocks_of(request.W()),
          copy(request.q().data(), request.unknowns()),
          copy(request.mu().data(), request.contacts())),
      &frictionContactProblem_free);
  Vector velocity = Vector::Zero(request.unknowns());
  solve(method, request, answer, [&](SolverOptions& options) {
    int info = 1;
    // Not through the driver: it answers r = 0 if q_N >= 0, which solves the NCP and not the CCP.
    if (method.id == SICONOS_FRICTION_3D_SOCLCP)
      fc3d_SOCLCP(problem.get(), answer.r.data(), velocity.data(), &info, &options);
    else
      info = fc3d_driver(problem.get(), answer.r.data(), velocity.data(), &options);
    return info;
  });
}

}  // namespace frictionbench::peers::siconos

// What the parts of this peer share: a row of its table, and how Siconos' solvers are called.
#pragma once

#include <SolverOptions.h>

#include <functional>
#include <memory>
#include <string>

#include "solvers/peers/peer.hpp"

namespace frictionbench::peers::siconos {

/// How W is given to a solver of the local form.
enum class Storage { blocks, dense };

/// A solver of Siconos with its options.
struct Method {
  std::string name, summary;
  int id;  // of Friction_cst.h
  std::string model = "ncp";
  /// Changes the defaults of this id.
  std::function<void(SolverOptions&, const Request&)> adjust = {};
  Storage storage = Storage::blocks;
  bool needs_diagonal = false;  // ends the process if W has a zero on its diagonal
};

/// Freed by solver_options_delete(), which leaves the struct itself.
struct DeleteOptions {
  void operator()(SolverOptions* options) const;
};
using Options = std::unique_ptr<SolverOptions, DeleteOptions>;

/// Calls a driver of Siconos with the options of a method, and answers with what it says. The
/// driver's result is 0 if it has converged.
void solve(const Method& method, const Request& request, Answer& answer,
           const std::function<int(SolverOptions& options)>& driver);

/// A copy for Siconos, which frees it.
double* copy(const double* x, Eigen::Index entries);

/// u = W r + q: fc3d_driver().
void solve_local(const Method& method, const Request& request, Answer& answer);

/// M v = H r + f, u = H^T v + w: gfc3d_driver(). \throws Refusal without the global form.
void solve_global(const Method& method, const Request& request, Answer& answer);

}  // namespace frictionbench::peers::siconos

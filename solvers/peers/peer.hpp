// What the libraries of the peers (solvers of other projects) share: each lists its solvers, and
// peer.cpp makes of that list the three functions of solver_plugin.h.
//
// A peer's defaults are its own; another choice is another solver with a name of its own. What its
// numbers and names mean is in the README.md beside its source.
#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "frictionbench/solver_plugin.h"

namespace frictionbench::peers {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;

/// A problem that a solver does not take: why.
class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is asked: m = dimension * contacts unknowns, contact by contact (N, T1, T2) or (N, T);
/// u = W r + q.
class Request {
 public:
  explicit Request(const frictionbench_problem& problem) : problem_(problem) {}

  int dimension() const { return problem_.dimension; }
  int contacts() const { return static_cast<int>(problem_.contacts); }
  int unknowns() const { return dimension() * contacts(); }

  /// m x m, compliance included; perhaps not symmetric (gyroscopic terms).
  Eigen::Map<const SparseMatrix> W() const { return sparse(problem_.W); }
  Eigen::Map<const Vector> q() const { return {problem_.q, unknowns()}; }    ///< m
  Eigen::Map<const Vector> mu() const { return {problem_.mu, contacts()}; }  ///< n_c

  /// Whether W has a compliance on its diagonal, which the global form has not.
  bool has_compliance() const { return problem_.R != nullptr; }

  /// Whether M v = H r + f, u = H^T v + w are there.
  bool has_global_form() const { return problem_.M.rows > 0; }
  Eigen::Map<const SparseMatrix> M() const { return sparse(problem_.M); }       ///< n x n
  Eigen::Map<const SparseMatrix> H() const { return sparse(problem_.H); }       ///< n x m
  Eigen::Map<const Vector> f() const { return {problem_.f, problem_.M.rows}; }  ///< n
  Eigen::Map<const Vector> w() const { return {problem_.w, unknowns()}; }       ///< m

  /// For the solver's own test: its setting `tolerance`, or that of the run.
  double tolerance() const {
    const double own = setting("tolerance");
    return own > 0 ? own : problem_.tolerance;
  }
  std::int64_t max_iterations() const { return problem_.max_iterations; }
  double time_limit() const { return problem_.time_limit; }  ///< s, infinity for none
  bool out_of_time() const {
    return std::chrono::duration<double>(Clock::now() - start_).count() >= time_limit();
  }
  /// A number, an integer or a boolean. \throws std::logic_error if it was not described.
  double setting(const std::string& name) const;

 private:
  static Eigen::Map<const SparseMatrix> sparse(const frictionbench_matrix& matrix) {
    return {static_cast<int>(matrix.rows),
            static_cast<int>(matrix.columns),
            matrix.starts[matrix.rows],
            matrix.starts,
            matrix.indices,
            matrix.values};
  }

  using Clock = std::chrono::steady_clock;

  const frictionbench_problem& problem_;
  Clock::time_point start_ = Clock::now();
};

/// What is answered. The impulse is judged whatever the status.
class Answer {
 public:
  Answer(frictionbench_answer& answer, int unknowns)
      : r(answer.r, unknowns), compliance(answer.compliance, unknowns), answer_(answer) {}

  Eigen::Map<Vector> r;           ///< m, impulse; at first, where to start
  Eigen::Map<Vector> compliance;  ///< m, of what was solved; at first that of the problem

  /// How it ended: by the solver's own test.
  void end(frictionbench_status status, std::int64_t iterations) {
    answer_.status = status;
    answer_.iterations = iterations;
  }
  void say(const std::string& message);  ///< one line for people
  /// A number that the solver counted or measured.
  void report(const char* name, double value) { answer_.report(answer_.sink, name, value); }

 private:
  frictionbench_answer& answer_;
};

/// A setting other than `tolerance`, which every solver has.
struct Setting {
  std::string name;
  double default_value;
  std::string help;
};

/// A solver of a peer.
struct Solver {
  std::string name;     ///< begins with the peer's
  std::string model;    ///< ncp, ccp or lcp: the problem that it means to solve
  std::string summary;  ///< one line
  std::vector<int> dimensions;
  /// An exception becomes the record's message; a Refusal its status, too.
  std::function<void(const Request&, Answer&)> solve;
  std::vector<Setting> settings = {};
};

/// Each peer defines this: its name with its version, and its solvers.
struct Peer {
  std::string version;  ///< "Siconos Numerics 4.4.0", as the library itself says if it can
  std::vector<Solver> solvers;
};
const Peer& peer();

/// \throws Refusal naming the contact if a row of W has no positive diagonal entry.
void require_positive_diagonal(const Request& request);

/// \throws Refusal if there are more contacts: for solvers whose dense matrices would fill the memory.
void require_at_most(int contacts, const Request& request);

/// (W + W^T) / 2, m x m: for solvers of convex problems, which take W as symmetric.
Matrix dense_symmetric_W(const Request& request);

}  // namespace frictionbench::peers

// The impulse solvers of Simbody (SimTK): README.md.
#include <simbody/internal/PGSImpulseSolver.h>
#include <simbody/internal/PLUSImpulseSolver.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "solvers/peers/peer.hpp"

namespace frictionbench::peers {

namespace {

constexpr int pgs_contacts = 3000;   // two dense matrices of 3 n_c rows: 1.3 GB
constexpr int plus_contacts = 1500;  // six, for the factorisation: 1 GB

// A solver that tells how many iterations it counted.
template <class Solver>
struct Counted : Solver {
  using Solver::Solver;
  std::int64_t iterations() const { return this->m_nIters[0]; }
};

// The arguments of ImpulseSolver::solve(): A pi = v for the impulses pi that are to take away the
// velocities v, pi_N <= 0 and ||pi_T|| <= -mu pi_N. So A = W, v = q, r = -pi, and what is left of v
// is u.
struct Impact {
  explicit Impact(const Request& request)
      : A(request.unknowns(), request.unknowns(), 0.0),
        D(request.unknowns(), 0.0),
        expansion(request.unknowns(), 0.0),
        velocity(request.unknowns(), request.q().data()),
        impulse(request.unknowns(), 0.0) {
    using SimTK::MultiplierIndex;
    const auto W = request.W();
    for (int row = 0; row < request.unknowns(); ++row) {
      participating.push_back(MultiplierIndex(row));
      for (Eigen::Map<const SparseMatrix>::InnerIterator entry(W, row); entry; ++entry)
        A(row, static_cast<int>(entry.col())) = entry.value();
    }
    for (int i = 0; i < request.contacts(); ++i) {
      SimTK::ImpulseSolver::UniContactRT contact;
      contact.m_ucx = SimTK::UnilateralContactIndex(i);
      contact.m_Nk = MultiplierIndex(3 * i);
      contact.m_Fk.push_back(MultiplierIndex(3 * i + 1));
      contact.m_Fk.push_back(MultiplierIndex(3 * i + 2));
      contact.m_type = SimTK::ImpulseSolver::Participating;
      contact.m_effCOR = 0;
      contact.m_effMu = request.mu()[i];
      contact.m_slipVel = SimTK::Vec2(0);
      contact.m_slipMag = 0;
      contacts.push_back(contact);
    }
  }

  bool solve(const SimTK::ImpulseSolver& solver, Answer& answer) {
    const bool solved =
        solver.solve(0, participating, A, D, expanding, expansion, velocity, applied, impulse,
                     unconditional, contacts, speeds, bounded, joints, known);
    for (int k = 0; k < impulse.size(); ++k) answer.r[k] = -impulse[k];
    return solved;
  }

  // Of the velocities that are to be zero: normal ones of active contacts, all of rolling ones.
  double error() const {
    double squares = 0;
    for (const auto& contact : contacts) {
      if (contact.m_contactCond != SimTK::ImpulseSolver::UniActive) continue;
      squares += std::pow(velocity[contact.m_Nk], 2);
      if (contact.m_frictionCond == SimTK::ImpulseSolver::Rolling)
        for (const auto tangent : contact.m_Fk) squares += std::pow(velocity[tangent], 2);
    }
    return std::sqrt(squares);
  }

  SimTK::Array_<SimTK::MultiplierIndex> participating, expanding;
  SimTK::Matrix A;
  SimTK::Vector D, expansion, velocity, applied, impulse;
  SimTK::Array_<SimTK::ImpulseSolver::UncondRT> unconditional;
  SimTK::Array_<SimTK::ImpulseSolver::UniContactRT> contacts;
  SimTK::Array_<SimTK::ImpulseSolver::UniSpeedRT> speeds;
  SimTK::Array_<SimTK::ImpulseSolver::BoundedRT> bounded;
  SimTK::Array_<SimTK::ImpulseSolver::ConstraintLtdFrictionRT> joints;
  SimTK::Array_<SimTK::ImpulseSolver::StateLtdFrictionRT> known;
};

void end(bool solved, std::int64_t iterations, const Request& request, Answer& answer) {
  if (!answer.r.allFinite()) {
    answer.r.setZero();
    answer.end(FRICTIONBENCH_DIVERGED, iterations);
  } else {
    answer.end(solved                                   ? FRICTIONBENCH_CONVERGED
               : iterations >= request.max_iterations() ? FRICTIONBENCH_MAX_ITERATIONS
                                                        : FRICTIONBENCH_STALLED,
               iterations);
  }
}

void pgs(const Request& request, Answer& answer) {
  require_at_most(pgs_contacts, request);
  Counted<SimTK::PGSImpulseSolver> solver(0);  // it does not use the speed
  solver.setConvergenceTol(request.tolerance());
  solver.setMaxIterations(static_cast<int>(request.max_iterations()));
  Impact impact(request);
  const bool solved = impact.solve(solver, answer);
  end(solved, solver.iterations(), request, answer);
}

void plus(const Request& request, Answer& answer) {
  require_at_most(plus_contacts, request);
  SimTK::PLUSImpulseSolver solver(request.setting("rolling_speed"));
  solver.setConvergenceTol(request.tolerance());
  Impact impact(request);
  impact.solve(solver, answer);  // always false
  answer.report("own error", impact.error());
  end(impact.error() <= request.tolerance(), 0, request, answer);
}

}  // namespace

const Peer& peer() {
  static const Peer simbody = {
      PEER_VERSION,
      {{"simbody-pgs", "ncp", "Simbody: PGSImpulseSolver", {3}, pgs},
       {"simbody-plus",
        "ncp",
        "Simbody: PLUSImpulseSolver; sliding as it was at the start",
        {3},
        plus,
        {{"rolling_speed", 2e-3, "slower contacts stick, in the units of the file"}}}}};
  return simbody;
}

}  // namespace frictionbench::peers

/// \file
#pragma once

#include <memory>
#include <string>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

/// The NCP by a cascade of CCPs: fixed point on the De Saxcé correction. [Carpentier24] section III-A, (28);
/// Acary, Cadoux, Lemarechal, Malick (ZAMM 91, 2011), ACLMFP in Siconos.
///
///     s <- Γ(W r + q)
///     r <- argmin r.W r / 2 + r.(q + s)   over   r in K            (28a), a CCP
///
/// The CCPs are solved by any registered CCP solver, each from the last answer, to a tenth of the
/// NCP residuals that the answer before it had, and of the tolerances in the end. An iteration is
/// one of the inner solver. Stops when the NCP residuals are within the tolerances.
class CcpDesaxce final : public Solver {
 public:
  struct Settings {
    std::string inner = "ccp-admm";
    void describe(SettingFields& fields);
  };

  static SolverInfo info();
  /// \throws std::invalid_argument if `inner` is not a registered CCP solver with legal settings.
  explicit CcpDesaxce(const Settings& settings);

 private:
  explicit CcpDesaxce(std::shared_ptr<const Solver> inner);

  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override;

  std::shared_ptr<const Solver> inner_;
};

}  // namespace frictionbench::solvers

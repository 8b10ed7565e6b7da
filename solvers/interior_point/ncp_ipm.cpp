#include "frictionbench/solvers/interior_point/ncp_ipm.hpp"

namespace frictionbench::solvers {

SolverInfo NcpIpm::info() {
  SolverInfo info;
  info.name = "ncp-ipm";
  info.summary = "nonsmooth interior point, De Saxcé's correction in the Newton system";
  info.model = ContactModel::ncp;
  info.sources = {"Howell et al., Dojo, arXiv 2203.00806, 2022",
                  "Acary, Armand, Nguyen, Shpakovych, HAL hal-03913568, 2022",
                  "Siconos, gfc3d_ipm_snm.c"};
  info.zero_diagonal = true;
  return info;
}

Result NcpIpm::run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                   Observer& observer) const {
  return interior_point(info().model, settings_, problem, limits, guess, observer);
}

}  // namespace frictionbench::solvers

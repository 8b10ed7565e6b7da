#include "frictionbench/solvers/interior_point/pseudo_time.hpp"

#include <algorithm>

namespace frictionbench::solvers {

namespace {

constexpr double least = 1e-3;
constexpr double held_back = 1;  // shorter steps of one cone hardly change the determinant
constexpr double largest = 1e3;
constexpr double factor = 4;
constexpr double long_step = 1;  // the boundary of a cone may be as near
constexpr double short_step = 0.5;

}  // namespace

PseudoTime::PseudoTime(Index cones) : rho_(Vector::Constant(cones, least)) {}

bool PseudoTime::hold_back() {
  bool any = false;
  for (double& rho : rho_) {
    if (rho == least || rho >= held_back) continue;
    rho *= factor;
    any = true;
  }
  if (!any) rho_ *= factor;
  return rho_.minCoeff() < largest;
}

void PseudoTime::adapt(Index cone, double length) {
  if (length > long_step)
    rho_[cone] *= factor;
  else if (length < short_step)
    rho_[cone] = std::max(least, rho_[cone] / factor);
}

}  // namespace frictionbench::solvers

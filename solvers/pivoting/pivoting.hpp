/// \file
/// What the solvers that pivot on the polyhedral LCP share.
#pragma once

#include <functional>

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/pivoting/pivot_run.hpp"

namespace frictionbench::solvers {

struct PivotingSettings {
  int facets = 8;        ///< K
  bool two_step = true;  ///< [YamaneNakamura08] IV-C
  double smallest_pivot = 0;
  bool refine = false;       ///< the answer of a basis that claims to solve
  bool confirm = false;      ///< the basis of the answer, in rational arithmetic
  int factorize_every = 50;  ///< pivots
  double memory = 1024;      ///< MB
  bool islands = false;      ///< solved apart
  Scaling scaling = Scaling::contacts;

  void describe(SettingFields& fields);
  void adapt(SolverInfo& info) const { info.facets = facets; }
};

/// A method on an LCP of any kind. \param start the z_j that are basic at first.
using LcpMethod =
    std::function<LcpAnswer(const Lcp& lcp, const std::vector<Index>& start, const PivotRun& run)>;

/// Solves ContactLcp by a method. The start is judged first, in an iteration of its own; then every
/// pivot, or expansion of a search, is an iteration.
///
/// With `two_step`, the frictionless problem is solved first, by the same method, and its active set is
/// basic at the start of the other. If friction defeats the method, the frictionless impulse is the
/// answer, as in section V-A of the paper.
///
/// With `confirm`, exact_signs() of the basis of an accepted answer are reported as `rational_signs`.
void solve_by_pivots(const PivotingSettings& settings, Solve& solve, const LcpMethod& method);

}  // namespace frictionbench::solvers

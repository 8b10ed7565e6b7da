/// \file
/// Sets by their definitions, written down without what is to be tested.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "frictionbench/sets/constraint_set.hpp"

namespace frictionbench::test {

/// A set by its definition. The library's answers are held against it.
struct DefinedSet {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Group {
    Index rows;
    double mu;
  };

  std::string text;
  std::vector<Group> groups = {};
  bool is_elliptic = false;
  double cohesion = 0;
  double low = -infinity, high = infinity;  // of the one row, if there is no group

  bool is_contact() const { return !groups.empty(); }
  double steepest() const {
    double most = 1;
    for (const Group& group : groups) most = std::max(most, group.mu);
    return most;
  }
  bool is_cone() const {
    return cohesion == 0 && (low == 0 || std::isinf(low)) && (high == 0 || std::isinf(high));
  }
  bool is_bounded() const { return std::isfinite(low) && std::isfinite(high); }
  bool has_mu_0() const {
    return std::any_of(groups.begin(), groups.end(), [](const Group& g) { return g.mu == 0; });
  }

  // The least r_N of a member with the other components of r. Groups of mu = 0 must be 0.
  double least_normal(const BlockVector& r) const {
    double most = 0, squares = 0;
    for_groups([&](Index first, const Group& group) {
      const double length = r.segment(first, group.rows).norm();
      const double least = length == 0 ? 0 : length / group.mu;
      most = std::max(most, least);
      squares += least * least;
    });
    return (is_elliptic ? std::sqrt(squares) : most) - cohesion;
  }
  double violation(const BlockVector& r) const {
    if (is_contact()) return std::max(0.0, least_normal(r) - r[0]);
    return std::max({0.0, low - r[0], r[0] - high});
  }
  double gamma(const BlockVector& u) const {
    double sum = 0, squares = 0;
    for_groups([&](Index first, const Group& group) {
      const double term = group.mu * u.segment(first, group.rows).norm();
      sum += term;
      squares += term * term;
    });
    return is_elliptic ? std::sqrt(squares) : sum;
  }
  // sup over s of <s, v>, infinite if it is.
  double supremum(const BlockVector& v) const {
    if (is_contact()) return gamma(v) <= -v[0] * (1 + 1e-14) ? -cohesion * v[0] : infinity;
    double sum = 0;
    for (const double x : v) sum += x == 0 ? 0 : x > 0 ? high * x : low * x;
    return sum;
  }
  // How far u is from what r can answer, by its support function alone.
  double unanswered(const BlockVector& u) const {
    if (is_contact()) return gamma(u) - u[0];
    return std::isfinite(supremum(-u)) ? 0 : u.norm();
  }
  // The direction in which the contact slips if r is on the edge in all groups.
  BlockVector slip(const BlockVector& r) const {
    BlockVector u = BlockVector::Zero(r.size());
    for_groups([&](Index first, const Group& group) {
      u.segment(first, group.rows) =
          -r.segment(first, group.rows) / (is_elliptic ? group.mu * group.mu : 1);
    });
    return u;
  }

  template <typename Function>
  void for_groups(Function&& f) const {
    Index first = 1;
    for (const Group& group : groups) {
      f(first, group);
      first += group.rows;
    }
  }
};

inline std::ostream& operator<<(std::ostream& out, const DefinedSet& set) {
  return out << set.text;
}

inline std::vector<DefinedSet> defined_sets() {
  return {
      {.text = "equality(1)"},
      {.text = "equality(6)"},
      {.text = "interval(0,inf)", .low = 0},
      {.text = "interval(-inf,0.5)", .high = 0.5},
      {.text = "interval(-2,3)", .low = -2, .high = 3},
      {.text = "interval(-inf,inf)"},
      {.text = "interval(1,1)", .low = 1, .high = 1},
      {.text = "friction(0.7)", .groups = {{2, 0.7}}},
      {.text = "friction(0)", .groups = {{2, 0}}},
      {.text = "friction(1000)", .groups = {{2, 1000}}},
      {.text = "friction2d(0.3)", .groups = {{1, 0.3}}},
      {.text = "rolling(0.5,0.01)", .groups = {{2, 0.5}, {2, 0.01}}},
      {.text = "rolling(0,0.1)", .groups = {{2, 0}, {2, 0.1}}},
      {.text = "rolling(0.3,0)", .groups = {{2, 0.3}, {2, 0}}},
      {.text = "torsional(0.6,0.02)", .groups = {{2, 0.6}, {1, 0.02}}},
      {.text = "torsional(0.9,0.3,0.5)", .groups = {{2, 0.9}, {1, 0.3}, {2, 0.5}}},
      {.text = "torsional(1,0,2)", .groups = {{2, 1}, {1, 0}, {2, 2}}},
      {.text = "elliptic(0.5)", .groups = {{1, 0.5}}, .is_elliptic = true},
      {.text = "elliptic(0.4,0.9)", .groups = {{1, 0.4}, {1, 0.9}}, .is_elliptic = true},
      {.text = "elliptic(100,0.01)", .groups = {{1, 100}, {1, 0.01}}, .is_elliptic = true},
      {.text = "elliptic(0.8,0.8,0.02,0.001,0.001)",
       .groups = {{1, 0.8}, {1, 0.8}, {1, 0.02}, {1, 0.001}, {1, 0.001}},
       .is_elliptic = true},
      {.text = "cohesive(0.5,2)", .groups = {{2, 0.5}}, .cohesion = 2},
      {.text = "cohesive(0,1)", .groups = {{2, 0}}, .cohesion = 1},
      {.text = "cohesive2d(0.5,0)", .groups = {{1, 0.5}}},
  };
}

}  // namespace frictionbench::test

/// \file
/// In what two documents differ.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace frictionbench::results {

/// A member in which two JSON values differ.
struct MemberDifference {
  std::string place;  ///< "build.libraries.blas"
  nlohmann::json a, b;

  /// "PLACE is A in the first and B in the second".
  std::string text() const;
};

/// The first one, in the order of names; nothing if the values are equal.
std::optional<MemberDifference> difference(const std::string& place, const nlohmann::json& a,
                                           const nlohmann::json& b);

}  // namespace frictionbench::results

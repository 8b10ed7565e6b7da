#include "frictionbench/results/document/start.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace frictionbench::results {

namespace {

constexpr std::array<std::pair<Start, std::string_view>, 4> start_names{{
    {Start::zero, "zero"},
    {Start::guess, "guess"},
    {Start::solution, "solution"},
    {Start::previous, "previous"},
}};

}  // namespace

std::string_view name(Start start) {
  for (const auto& [value, text] : start_names)
    if (value == start) return text;
  throw std::logic_error("unknown start");
}

Start start_from_name(std::string_view text) {
  for (const auto& [value, known] : start_names)
    if (known == text) return value;
  throw std::invalid_argument(fmt::format("unknown start '{}'", text));
}

}  // namespace frictionbench::results

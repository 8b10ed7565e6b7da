#include "selections.hpp"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "frictionbench/base/number_of.hpp"
#include "frictionbench/base/suggestions.hpp"

namespace frictionbench::app {

std::vector<datasets::Selection> selections(const std::vector<std::string>& names) {
  const datasets::Registry& known = datasets::known();
  std::vector<datasets::Selection> all;
  for (const std::string& name : names) {
    auto selection = datasets::select(known, name);
    if (!selection)
      throw std::invalid_argument(
          unknown_name("data set", name.substr(0, name.find('/')), known.names()));
    all.push_back(std::move(*selection));
  }
  return all;
}

std::function<std::vector<std::string>()> set_names() {
  return [] {
    try {
      return datasets::known().names();
    } catch (const FileError&) {
      return std::vector<std::string>{};
    }
  };
}

std::string files_text(std::size_t count) { return number_of(count, "file"); }

std::uint64_t bytes_of(const std::vector<const datasets::SetFile*>& files) {
  return std::accumulate(
      files.begin(), files.end(), std::uint64_t{0},
      [](std::uint64_t sum, const datasets::SetFile* file) { return sum + file->bytes; });
}

}  // namespace frictionbench::app

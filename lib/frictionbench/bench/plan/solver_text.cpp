#include "frictionbench/bench/plan/solver_text.hpp"

#include <algorithm>

#include "frictionbench/base/text.hpp"

namespace frictionbench::bench {

std::string solver_text(std::string_view text) {
  const std::string_view kept = text.substr(0, longest_solver_text);
  std::string line;
  for (std::size_t start = 0; start < kept.size();) {
    const std::size_t end = std::min(kept.find('\n', start), kept.size());
    if (end > start) {
      if (!line.empty()) line += "; ";
      line += kept.substr(start, end - start);
    }
    start = end + 1;
  }
  if (kept.size() < text.size()) line += " ...";
  return one_line(line);
}

}  // namespace frictionbench::bench

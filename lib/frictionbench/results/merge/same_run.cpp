#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "frictionbench/results/document/internal/description.hpp"
#include "frictionbench/results/merge/internal/shards.hpp"

namespace frictionbench::results {

namespace {

struct Difference {
  std::string place;  // "build.libraries.blas"
  json a, b;
};

// The first one, in the order of names; nothing if the values are equal.
std::optional<Difference> difference(const std::string& place, const json& a, const json& b) {
  if (a == b) return std::nullopt;
  if (!a.is_object() || !b.is_object()) return Difference{place, a, b};
  json names = a;
  names.update(b);
  for (const auto& [name, unused] : names.items())
    if (auto found = difference(place + "." + name, a.value(name, json()), b.value(name, json())))
      return found;
  return Difference{place, a, b};  // a member that is null in one and absent in the other
}

// What all shards of a run must agree in, without what the machine has a part in: an OpenBLAS with
// kernels for many processors (DYNAMIC_ARCH) names the kernel that it chose after its own name and
// version.
json agreed_in(RunInfo run) {
  std::string& blas = run.build.libraries.blas;
  if (blas.find("DYNAMIC_ARCH") != std::string::npos)
    blas = blas.substr(0, blas.find(' ', blas.find(' ') + 1));
  return agreed_fields(run, Agreement::run);
}

class ShardPair {
 public:
  ShardPair(const NamedDocument& a, const NamedDocument& b) : a_(a), b_(b) {}

  [[noreturn]] void refuse(const std::string& reason) const {
    throw MergeError(
        fmt::format("{} and {} do not belong to the same run: {}", a_.name, b_.name, reason));
  }

  void equal(const std::string& place, const json& a, const json& b) const {
    if (const auto found = difference(place, a, b))
      refuse(fmt::format("{} is {} in the first and {} in the second", found->place,
                         found->a.dump(), found->b.dump()));
  }

  // `what`: "problem" or "solver".
  template <typename Entry>
  void same_ids(const char* what, const std::vector<Entry>& a, const std::vector<Entry>& b) const {
    const auto only_in = [&](const auto& these, const auto& others, const char* which) {
      for (const Entry& entry : these)
        if (std::none_of(others.begin(), others.end(),
                         [&](const Entry& other) { return other.id == entry.id; }))
          refuse(fmt::format("{} '{}' is only in the {}", what, entry.id, which));
    };
    if (std::equal(a.begin(), a.end(), b.begin(), b.end(),
                   [](const Entry& x, const Entry& y) { return x.id == y.id; }))
      return;
    only_in(a, b, "first");
    only_in(b, a, "second");
    refuse(fmt::format("their {}s are in a different order", what));
  }

  void same_file(const PlannedProblem& a, const PlannedProblem& b) const {
    if (a.sha256 == b.sha256) return;
    const auto file = [](const PlannedProblem& problem) {
      return problem.sha256.empty() ? problem.path + ", which could not be read,"
                                    : problem.path + " with SHA-256 " + problem.sha256;
    };
    refuse(fmt::format("problem '{}' is {} in the first and {} in the second", a.id, file(a),
                       file(b)));
  }

 private:
  const NamedDocument& a_;
  const NamedDocument& b_;
};

}  // namespace

void require_shard(const NamedDocument& shard) {
  if (shard.document.run.shard) return;
  if (!shard.document.run.shards.empty())
    throw MergeError(shard.name + ": is merged already; give its shards instead");
  throw MergeError(shard.name +
                   ": is a whole run, not a shard; `frictionbench run --shard i/n` makes shards");
}

void require_same_run(const NamedDocument& a, const NamedDocument& b) {
  const ShardPair pair(a, b);
  const RunInfo& run_a = a.document.run;
  const RunInfo& run_b = b.document.run;
  if (run_a.shard->count != run_b.shard->count)
    pair.refuse(fmt::format("the first is shard {}, the second shard {}", text(*run_a.shard),
                            text(*run_b.shard)));
  if (run_a.shard == run_b.shard) pair.refuse(fmt::format("both are shard {}", text(*run_a.shard)));

  const json agreed_a = agreed_in(run_a), agreed_b = agreed_in(run_b);
  for (const auto& [member, value] : agreed_a.items())
    pair.equal(member, value, agreed_b.at(member));

  pair.same_ids("problem", run_a.plan, run_b.plan);
  for (std::size_t p = 0; p < run_a.plan.size(); ++p) pair.same_file(run_a.plan[p], run_b.plan[p]);

  pair.same_ids("solver", a.document.solvers, b.document.solvers);
  for (std::size_t s = 0; s < a.document.solvers.size(); ++s)
    pair.equal(a.document.solvers[s].id, to_value(a.document.solvers[s]),
               to_value(b.document.solvers[s]));
}

}  // namespace frictionbench::results

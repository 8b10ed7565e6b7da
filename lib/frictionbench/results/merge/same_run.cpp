#include "frictionbench/results/merge/same_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "frictionbench/results/document/json.hpp"

namespace frictionbench::results {

namespace {

using nlohmann::json;

// What two shards of one run have in common, with the plan and the solvers.
constexpr std::array same_members = {"version",        "git",        "build",        "criterion",
                                     "tolerance",      "time_limit", "memory_limit", "repeat_time",
                                     "max_iterations", "seed",       "warm_start",   "sequence"};

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

// Of the build, what the machine that it runs on has no part in: an OpenBLAS with kernels for many
// processors (DYNAMIC_ARCH) names the one that it found, after its own name and version.
json build_alone(json build) {
  if (!build.is_object() || !build.contains("/libraries/blas"_json_pointer)) return build;
  json& blas = build["libraries"]["blas"];
  if (!blas.is_string()) return build;
  const std::string text = blas.get<std::string>();
  if (text.find("DYNAMIC_ARCH") != std::string::npos)
    blas = text.substr(0, text.find(' ', text.find(' ') + 1));
  return build;
}

class Comparison {
 public:
  Comparison(const NamedDocument& a, const NamedDocument& b) : a_(a), b_(b) {}

  [[noreturn]] void refuse(const std::string& reason) const {
    throw MergeError(fmt::format("{} and {} are not of one run: {}", a_.name, b_.name, reason));
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
    refuse(fmt::format("their {}s are in another order", what));
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
  if (!shard.document.run.shards.is_null())
    throw MergeError(shard.name + ": is merged already; give its shards instead");
  throw MergeError(
      shard.name +
      ": is no shard but a whole run; shards are made by `frictionbench run --shard i/n`");
}

void require_same_run(const NamedDocument& a, const NamedDocument& b) {
  const Comparison compare(a, b);
  const RunInfo& run_a = a.document.run;
  const RunInfo& run_b = b.document.run;
  if (run_a.shard->count != run_b.shard->count)
    compare.refuse(fmt::format("the first is shard {}, the second shard {}", text(*run_a.shard),
                               text(*run_b.shard)));
  if (run_a.shard == run_b.shard)
    compare.refuse(fmt::format("both are shard {}", text(*run_a.shard)));

  json json_a = to_json(run_a);
  json json_b = to_json(run_b);
  for (json* run : {&json_a, &json_b}) run->at("build") = build_alone(run->at("build"));
  for (const char* member : same_members)
    compare.equal(member, json_a.at(member), json_b.at(member));

  compare.same_ids("problem", run_a.plan, run_b.plan);
  for (std::size_t p = 0; p < run_a.plan.size(); ++p)
    compare.same_file(run_a.plan[p], run_b.plan[p]);

  compare.same_ids("solver", a.document.solvers, b.document.solvers);
  for (std::size_t s = 0; s < a.document.solvers.size(); ++s)
    compare.equal(a.document.solvers[s].id, to_json(a.document.solvers[s]),
                  to_json(b.document.solvers[s]));
}

}  // namespace frictionbench::results

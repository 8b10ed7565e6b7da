#include "frictionbench/formats/kamino.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "frictionbench/base/text.hpp"
#include "frictionbench/hdf5/internal/hdf5.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench::formats {
namespace {

constexpr const char* record_name = "DualProblem";
constexpr int deepest = 12;  // groups may contain themselves

// Shorter names first among numbers, so that frame 10 follows frame 9.
bool comes_first(const std::string& a, const std::string& b) {
  const auto is_number = [](const std::string& name) {
    return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (is_number(a) && is_number(b) && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

// Sizes of a record.
struct Sizes {
  Index joints;  // rows
  Index limits;  // rows
  Index contacts;
  Index rows() const { return joints + limits + 3 * contacts; }
};

Index read_size(const HdfGroup& info, const char* name) {
  const int size = info.integer(name);
  if (size < 0) info.place().child(name).fail(fmt::format("is {}, expected at least 0", size));
  return size;
}

// For each row of our problem, the row of the record.
std::vector<Index> order_of(const Sizes& sizes) {
  std::vector<Index> order;
  const Index first_contact = sizes.joints + sizes.limits;
  for (Index i = 0; i < sizes.contacts; ++i)
    for (const Index component : {2, 0, 1}) order.push_back(first_contact + 3 * i + component);
  for (Index row = 0; row < first_contact; ++row) order.push_back(row);
  return order;
}

Vector read_vector(const HdfGroup& group, const char* name, const std::vector<Index>& order) {
  const HdfDataset data = group.dataset(name);
  data.expect_size(std::ssize(order), "njd + nld + 3 nc");
  Vector values(data.size());
  data.read({values.data(), order.size()});
  return values(order);
}

SparseMatrix read_delassus(const HdfGroup& problem, const std::vector<Index>& order) {
  const HdfDataset data = problem.dataset("D");
  const Matrix D = data.matrix();
  if (D.rows() != std::ssize(order) || D.cols() != std::ssize(order))
    data.place().fail(fmt::format("is {} x {}, expected {} rows and columns (njd + nld + 3 nc)",
                                  D.rows(), D.cols(), order.size()));
  const Matrix ordered = D(order, order);
  return ordered.sparseView();
}

fclib::State read_solution(const HdfGroup& group, const std::vector<Index>& order, Index contacts) {
  fclib::State state;
  if (!group.has_group("solution")) return state;
  const HdfGroup solution = group.group("solution");
  const auto read = [&](const char* name) -> std::optional<Vector> {
    if (!solution.has(name)) return std::nullopt;
    Vector values = read_vector(solution, name, order);
    if (values.allFinite()) return values;
    state.misfits.push_back(solution.place().child(name).path +
                            ": has an entry that is not finite");
    return std::nullopt;
  };
  state.r = read("lambdas");
  if (const std::optional<Vector> u = read("v_plus")) state.u = u->head(3 * contacts);
  return state;
}

fclib::ProblemFile read_record(const HdfGroup& group) {
  const HdfGroup info = group.group("info");
  const Sizes sizes{read_size(info, "njd"), read_size(info, "nld"), read_size(info, "nc")};
  if (sizes.rows() > std::numeric_limits<int>::max())
    info.place().fail(fmt::format("has {} rows, more than a matrix may have", sizes.rows()));
  const HdfGroup problem = group.group("problem");
  // D bounds what sizes may be before memory is taken for them.
  problem.dataset("v_f").expect_size(sizes.rows(), "njd + nld + 3 nc");
  const std::vector<Index> order = order_of(sizes);
  std::vector<SetPointer> sets;
  for (Index k = 0; k < sizes.joints; ++k) sets.push_back(equality());
  for (Index k = 0; k < sizes.limits; ++k)
    sets.push_back(interval(0, std::numeric_limits<double>::infinity()));
  Vector mu = problem.reals("mu");
  problem.dataset("mu").expect_size(sizes.contacts, "nc");
  try {
    fclib::ProblemFile file{
        ContactProblem(3, std::move(mu),
                       LocalForm{read_delassus(problem, order), read_vector(problem, "v_f", order)},
                       std::move(sets)),
        {},
        {},
        {}};
    file.solution = read_solution(group, order, sizes.contacts);
    return file;
  } catch (const InvalidProblem& invalid) {
    const bool matrix = invalid.piece().starts_with('W');
    const char* name = matrix ? "D" : invalid.piece() == "vectors/q" ? "v_f" : "mu";
    problem.place().child(name).fail(invalid.reason());
  }
}

void read_records(const HdfGroup& group, int depth, std::vector<KaminoRecord>& records) {
  if (group.has_group(record_name)) {
    std::string where = group.place().path;
    if (where.starts_with('/')) where.erase(0, 1);
    records.push_back({one_line(where), read_record(group.group(record_name))});
    return;
  }
  if (depth == deepest) return;
  std::vector<std::string> names = group.names();
  std::ranges::sort(names, comes_first);
  for (const std::string& name : names)
    if (group.has_group(name.c_str())) read_records(group.group(name.c_str()), depth + 1, records);
}

}  // namespace

std::vector<KaminoRecord> read_kamino(const std::string& path) {
  const HdfFile file(path);
  std::vector<KaminoRecord> records;
  read_records(file.root(), 0, records);
  return records;
}

}  // namespace frictionbench::formats

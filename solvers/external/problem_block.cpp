#include "frictionbench/solvers/external/problem_block.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>

namespace frictionbench::solvers {

using nlohmann::json;

namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// Arrays one after the other.
class Arrays {
 public:
  explicit Arrays(int descriptor) : descriptor_(descriptor) {
    if (ftruncate(descriptor, 0) != 0) fail("the block of the problem");
  }

  template <typename Number>
  void add(const std::string& name, std::span<const Number> numbers) {
    static_assert(std::is_same_v<Number, double> || std::is_same_v<Number, int>);
    const char* const type = std::is_same_v<Number, double> ? "float64" : "int32";
    table_[name] = {{"offset", end_}, {"count", numbers.size()}, {"type", type}};
    const auto bytes = std::as_bytes(numbers);
    for (std::size_t written = 0; written < bytes.size();) {
      const ssize_t size = pwrite(descriptor_, bytes.data() + written, bytes.size() - written,
                                  static_cast<off_t>(end_ + written));
      if (size <= 0 && errno != EINTR) fail("the block of the problem");
      written += static_cast<std::size_t>(size > 0 ? size : 0);
    }
    end_ = (end_ + bytes.size() + 7) / 8 * 8;
  }
  void add(const std::string& name, const Vector& x) {
    add<double>(name, {x.data(), static_cast<std::size_t>(x.size())});
  }
  // Compressed rows.
  void add_rows(const std::string& name, const SparseMatrix& given) {
    SparseMatrix matrix = given;
    matrix.makeCompressed();
    const auto entries = static_cast<std::size_t>(matrix.nonZeros());
    add<int>(name + ".indptr",
             {matrix.outerIndexPtr(), static_cast<std::size_t>(matrix.rows()) + 1});
    add<int>(name + ".indices", {matrix.innerIndexPtr(), entries});
    add<double>(name + ".data", {matrix.valuePtr(), entries});
  }

  const json& table() const { return table_; }

 private:
  int descriptor_;
  std::size_t end_ = 0;
  json table_;
};

Vector or_constant(const Vector& x, Index size, double value) {
  return x.size() > 0 ? x : Vector::Constant(size, value);
}

}  // namespace

json write_block(int descriptor, const ContactProblem& problem, const Limits& limits,
                 const Vector& start) {
  Arrays arrays(descriptor);
  arrays.add("r", or_constant(start, problem.unknowns(), 0));
  const auto local = problem.local();
  arrays.add_rows("W", local.W);
  arrays.add("q", local.q);
  arrays.add("mu", problem.mu());
  const Vector R = or_constant(problem.compliance(), problem.unknowns(), 0);
  arrays.add("R", R);
  arrays.add("compliance", R);
  arrays.add("impulse_unit", or_constant(limits.units.impulse, problem.contacts(), 1));
  arrays.add("velocity_unit", or_constant(limits.units.velocity, problem.contacts(), 1));
  if (const GlobalForm* global = problem.global()) {
    arrays.add_rows("M", global->M);
    arrays.add_rows("H", global->H);
    arrays.add("f", global->f);
    arrays.add("w", global->w);
  }
  return arrays.table();
}

Vector read_array(int descriptor, const json& arrays, const char* name) {
  const json& place = arrays.at(name);
  Vector x(place.at("count").get<Index>());
  const auto bytes = static_cast<std::size_t>(x.size()) * sizeof(double);
  const ssize_t size = pread(descriptor, x.data(), bytes, place.at("offset").get<off_t>());
  if (size < 0 || static_cast<std::size_t>(size) != bytes)
    throw std::runtime_error("the file of the problem has become shorter");
  return x;
}

}  // namespace frictionbench::solvers

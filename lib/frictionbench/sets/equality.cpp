#include <fmt/format.h>

#include <Eigen/QR>
#include <stdexcept>

#include "frictionbench/sets/sets.hpp"

namespace frictionbench {

namespace {

// C = R^p, so C* = {0}.
class Equality final : public ConstraintCone {
 public:
  explicit Equality(Index rows) : rows_(rows) {}

  std::string_view kind() const override { return "equality"; }
  std::vector<double> parameters() const override { return {static_cast<double>(rows_)}; }
  Index dimension() const override { return rows_; }
  BlockVector project(const BlockVector& x) const override { return x; }
  BlockMatrix projection_jacobian(const BlockVector&) const override {
    return BlockMatrix::Identity(rows_, rows_);
  }
  // The shortest of all solutions, or nearly solutions, if rows repeat each other.
  std::optional<BlockVector> solve_alone(const BlockMatrix& W,
                                         const BlockVector& free) const override {
    return Eigen::CompleteOrthogonalDecomposition<BlockMatrix>(W).solve(-free);
  }
  std::optional<ConicForm> conic_form() const override {
    return ConicForm{.scale = BlockVector::Ones(rows_),
                     .offset = BlockVector::Zero(rows_),
                     .A = Matrix(0, rows_),
                     .b = Vector(0),
                     .cones = {}};
  }
  bool is_whole_space() const override { return true; }

 private:
  Index rows_;
};

}  // namespace

SetPointer equality(Index rows) {
  if (rows < 1 || rows > most_block_rows)
    throw std::invalid_argument(
        fmt::format("equality: p is {}; expected 1 to {} rows", rows, most_block_rows));
  return std::make_shared<Equality>(rows);
}

}  // namespace frictionbench

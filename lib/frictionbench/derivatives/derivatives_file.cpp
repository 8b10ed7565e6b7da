#include "frictionbench/derivatives/derivatives_file.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/hdf5/internal/hdf5_write.hpp"

namespace frictionbench {

namespace {

constexpr Index most_unknowns = 3000;
constexpr double defined = 1e-6;  // defect of a derivative

std::span<const double> entries(const Vector& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

WrittenDerivatives write_by(Parameter parameter, const HdfGroup& root,
                            const ContactProblem& problem, const SolutionDerivatives& derivatives) {
  Perturbation direction{Vector::Zero(problem.unknowns()), Vector::Zero(problem.mu().size())};
  Vector& changed = parameter == Parameter::q ? direction.q : direction.mu;
  Matrix by_r(problem.unknowns(), changed.size()), by_u(problem.unknowns(), changed.size());
  WrittenDerivatives written{changed.size()};
  for (Index column = 0; column < changed.size(); ++column) {
    changed[column] = 1;
    const Response response = derivatives.forward(direction);
    changed[column] = 0;
    by_r.col(column) = response.r;
    by_u.col(column) = response.u;
    if (response.defect <= defined) continue;
    ++written.undefined;
    by_r.col(column).setConstant(std::numeric_limits<double>::quiet_NaN());
    by_u.col(column).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  const HdfGroup group = create_group(root, std::string(name(parameter)).c_str());
  write_matrix(group, "r", by_r);
  write_matrix(group, "u", by_u);
  return written;
}

}  // namespace

WrittenDerivatives write_derivatives(const std::string& path, const ContactProblem& problem,
                                     const Vector& r, const SolutionDerivatives& derivatives,
                                     const std::vector<Parameter>& parameters) {
  if (problem.unknowns() > most_unknowns)
    throw std::invalid_argument(fmt::format(
        "derivatives: {} unknowns, and files are for at most {}; SolutionDerivatives of "
        "the library has those of single directions",
        problem.unknowns(), most_unknowns));
  const HdfImage image(path);
  write_reals(image.root(), "r", entries(r));
  write_reals(image.root(), "u", entries(problem.contact_velocity(r)));
  std::vector<int> laws, kinks;
  for (const ContactLaw law : derivatives.laws()) laws.push_back(static_cast<int>(law));
  for (const Index contact : derivatives.kinks()) kinks.push_back(static_cast<int>(contact));
  write_integers(image.root(), "law", laws);
  write_integers(image.root(), "kinks", kinks);
  WrittenDerivatives all;
  for (const Parameter parameter : parameters) {
    const WrittenDerivatives written = write_by(parameter, image.root(), problem, derivatives);
    all.columns += written.columns;
    all.undefined += written.undefined;
  }
  write_file(path, image.bytes());
  return all;
}

}  // namespace frictionbench

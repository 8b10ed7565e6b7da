#include "frictionbench/derivatives/solution_derivatives.hpp"

#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <optional>
#include <random>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/problem/blocks.hpp"
#include "support/limits.hpp"
#include "support/mixed_problems.hpp"
#include "support/problems.hpp"
#include "support/real_files.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Relative margin that a contact needs to any other law in what is compared with differences.
constexpr double margin = 1e-4;

Limits tight_limits(const ContactProblem& problem, double tolerance) {
  Limits limits = test::limits(tolerance);
  limits.units = relative_units(contact_scales(problem));
  return limits;
}

// Gauss-Seidel on the natural map, r_i = P_C(r_i - rho û_i), until nothing changes any more: residuals do not see
// a direction of sliding that is wrong by the square root of the tolerance.
Vector polished(const ContactProblem& problem, ContactModel model, Vector r) {
  const Matrix W = problem.local().W;
  with_blocks(problem, [&](const auto& blocks) {
    for (int sweep = 0; sweep < 20000; ++sweep) {
      double change = 0;
      for (Index i = 0; i < blocks.count(); ++i) {
        const Index first = blocks.start(i), rows = blocks.rows(i);
        const double rho = 1 / W.block(first, first, rows, rows).norm();
        Vector u = W.middleRows(first, rows) * r + problem.local().q.segment(first, rows);
        if (model == ContactModel::ncp) u[0] += blocks.correction(i, u);
        const Vector r_i = blocks.project(i, r.segment(first, rows) - rho * u);
        change = std::max(change, (r_i - r.segment(first, rows)).norm());
        r.segment(first, rows) = r_i;
      }
      if (change <= 1e-15 * r.norm()) break;
    }
  });
  return r;
}

// An accurate solution, if a solver finds one.
std::optional<Vector> solution(const ContactProblem& problem, ContactModel model,
                               const Vector& start = {}) {
  const auto solvers = model == ContactModel::ncp
                           ? std::vector{"ncp-newton", "ncp-path", "ncp-nsgs"}
                           : std::vector{"ccp-ipm", "ccp-pgs", "ccp-admm"};
  for (const char* solver : solvers) {
    const Result result = test::solve(solver, problem, tight_limits(problem, 1e-10), start);
    if (result.status == Status::converged) return polished(problem, model, result.r);
  }
  return std::nullopt;
}

ContactProblem perturbed(const ContactProblem& problem, const Perturbation& direction, double h) {
  return {problem.dimension(), problem.mu() + h * direction.mu,
          LocalForm{problem.local().W, problem.local().q + h * direction.q}};
}

Vector random_vector(Index size, std::mt19937& engine) {
  std::normal_distribution<double> normal;
  return Vector::NullaryExpr(size, [&] { return normal(engine); });
}

struct Differences {
  Vector r, u;
};

// Central differences (x(h) - x(-h)) / 2h, or one-sided ones (x(h) - x) / h from x = r.
std::optional<Differences> differences(const ContactProblem& problem, ContactModel model,
                                       const Vector& r, const Perturbation& direction, double h,
                                       bool central) {
  const ContactProblem ahead = perturbed(problem, direction, h);
  const ContactProblem behind = central ? perturbed(problem, direction, -h) : problem;
  const auto r_ahead = solution(ahead, model, r);
  const auto r_behind = central ? solution(behind, model, r) : std::optional(r);
  if (!r_ahead || !r_behind) return std::nullopt;
  const double width = central ? 2 * h : h;
  return Differences{
      (*r_ahead - *r_behind) / width,
      (ahead.contact_velocity(*r_ahead) - behind.contact_velocity(*r_behind)) / width};
}

double relative(const Vector& a, const Vector& b) { return (a - b).norm() / b.norm(); }

class RandomProblems : public testing::TestWithParam<std::tuple<ContactModel, int>> {};

// W is regular, so that impulses are unique, too. Problems with a contact near a kink are left out, and others
// take their place.
TEST_P(RandomProblems, DerivativesAreThoseOfDifferences) {
  const auto [model, dimension] = GetParam();
  constexpr int wanted = 250;
  std::mt19937 engine(7);
  int compared = 0, laws[3] = {};
  for (unsigned seed = 1; compared < wanted; ++seed) {
    ASSERT_LT(seed, 3 * wanted);
    const Index contacts = 1 + static_cast<Index>(seed % 6);
    const ContactProblem problem =
        test::random_problem(dimension, contacts, 2 * dimension * contacts, seed);
    const auto r = solution(problem, model);
    if (!r || !SolutionDerivatives(problem, model, *r, margin).kinks().empty()) continue;
    const SolutionDerivatives derivatives(problem, model, *r);
    const Perturbation direction{random_vector(problem.unknowns(), engine),
                                 random_vector(contacts, engine)};
    const auto expected = differences(problem, model, *r, direction, 1e-6, true);
    if (!expected) continue;
    const Response response = derivatives.forward(direction);
    EXPECT_LE((response.r - expected->r).norm(), 1e-5 * expected->r.norm() + 1e-8) << seed;
    EXPECT_LE((response.u - expected->u).norm(), 1e-5 * expected->u.norm() + 1e-8) << seed;
    EXPECT_LE(response.defect, 1e-8);
    EXPECT_EQ(derivatives.work().factorizations.all(), 1);
    EXPECT_LE(derivatives.work().triangular_solves, 1);  // 0 if all contacts are separated

    const Vector by_r = random_vector(problem.unknowns(), engine);
    const Vector by_u = random_vector(problem.unknowns(), engine);
    const Perturbation gradient = derivatives.adjoint(by_r, by_u);
    const double change = by_r.dot(response.r) + by_u.dot(response.u);
    EXPECT_NEAR(gradient.q.dot(direction.q) + gradient.mu.dot(direction.mu), change,
                1e-7 * (by_r.norm() * response.r.norm() + by_u.norm() * response.u.norm()));
    for (const ContactLaw law : derivatives.laws()) ++laws[static_cast<int>(law)];
    ++compared;
  }
  for (const int contacts : laws)
    EXPECT_GT(contacts, wanted / 10);  // nothing was tested by accident only
}

INSTANTIATE_TEST_SUITE_P(SolutionDerivatives, RandomProblems,
                         testing::Combine(testing::Values(ContactModel::ncp, ContactModel::ccp),
                                          testing::Values(2, 3)),
                         [](const auto& parameter) {
                           return std::string(name(std::get<0>(parameter.param))) + "_" +
                                  std::to_string(std::get<1>(parameter.param)) + "D";
                         });

// One contact, W = diag(2, 1, 1).
ContactProblem one_contact(const Vector& q, double mu) {
  const Vector diagonal = Vector{{2, 1, 1}};
  return {3, Vector::Constant(1, mu), LocalForm{SparseMatrix(diagonal.asDiagonal()), q}};
}

TEST(SolutionDerivatives, OfAContactThatSticks) {
  const ContactProblem problem = one_contact(Vector{{-2, 0.25, -0.5}}, 1);
  const SolutionDerivatives derivatives(problem, ContactModel::ncp, Vector{{1, -0.25, 0.5}});
  EXPECT_THAT(derivatives.laws(), ElementsAre(ContactLaw::sticking));
  const Response response = derivatives.forward({Vector{{1, 1, 1}}, Vector{{1}}});
  EXPECT_LE(relative(response.r, Vector{{-0.5, -1, -1}}), 1e-9);
  EXPECT_LE(response.u.norm(), 1e-9);
}

// r = (1, -mu s), u = (0, (5 - mu) s) with s = (0.6, 0.8).
TEST(SolutionDerivatives, OfAContactThatSlides) {
  const ContactProblem problem = one_contact(Vector{{-2, 3, 4}}, 0.5);
  const SolutionDerivatives derivatives(problem, ContactModel::ncp, Vector{{1, -0.3, -0.4}});
  EXPECT_THAT(derivatives.laws(), ElementsAre(ContactLaw::sliding));
  const Response with_mu = derivatives.forward({Vector::Zero(3), Vector{{1}}});
  EXPECT_LE(relative(with_mu.r, Vector{{0, -0.6, -0.8}}), 1e-9);
  EXPECT_LE(relative(with_mu.u, Vector{{0, -0.6, -0.8}}), 1e-9);
  // Across the slip, the direction of q_T turns by 1 / 5, and that of r_T with it.
  const Response across = derivatives.forward({Vector{{0, -0.8, 0.6}}, Vector{{0}}});
  EXPECT_LE(relative(across.r, Vector{{0, 0.08, -0.06}}), 1e-9);
  EXPECT_LE(relative(across.u, Vector{{0, -0.72, 0.54}}), 1e-9);
}

TEST(SolutionDerivatives, OfAContactWithoutFriction) {
  const ContactProblem problem = one_contact(Vector{{-2, 3, 4}}, 0);
  const SolutionDerivatives derivatives(problem, ContactModel::ncp, Vector{{1, 0, 0}});
  const Response with_q = derivatives.forward({Vector{{1, 1, 1}}, Vector{{0}}});
  EXPECT_LE(relative(with_q.r, Vector{{-0.5, 0, 0}}), 1e-9);
  const Response with_mu = derivatives.forward({Vector::Zero(3), Vector{{1}}});
  EXPECT_LE(relative(with_mu.r, Vector{{0, -0.6, -0.8}}), 1e-9);
}

TEST(SolutionDerivatives, OfAnAxisOfRestWithoutFriction) {
  const ContactProblem problem = one_contact(Vector{{-2, 0, 0}}, 0);
  const SolutionDerivatives derivatives(problem, ContactModel::ncp, Vector{{1, 0, 0}});
  EXPECT_EQ(derivatives.forward({Vector::Zero(3), Vector{{1}}}).r.norm(), 0);
}

struct Kink {
  const char* name;
  Vector q, r;
  ContactLaw law;
};

// Every kind of kink, in directions to both sides.
TEST(SolutionDerivatives, AreOneSidedAtKinks) {
  const Kink kinks[] = {
      {"closing while it slides", Vector{{0, 3, 4}}, Vector{{0, 0, 0}}, ContactLaw::separated},
      {"about to slip", Vector{{-2, 0.3, 0.4}}, Vector{{1, -0.3, -0.4}}, ContactLaw::sticking},
  };
  for (const Kink& kink : kinks) {
    SCOPED_TRACE(kink.name);
    const ContactProblem problem = one_contact(kink.q, 0.5);
    const SolutionDerivatives derivatives(problem, ContactModel::ncp, kink.r);
    EXPECT_THAT(derivatives.kinks(), ElementsAre(0));
    EXPECT_THAT(derivatives.laws(), ElementsAre(kink.law));
    std::mt19937 engine(3);
    int as_law = 0;
    for (int k = 0; k < 40; ++k) {
      const Perturbation direction{random_vector(3, engine), random_vector(1, engine)};
      const auto expected = differences(problem, ContactModel::ncp, kink.r, direction, 1e-7, false);
      ASSERT_TRUE(expected);
      const Response response = derivatives.one_sided(direction);
      EXPECT_LE((response.r - expected->r).norm(), 1e-5 * (1 + expected->r.norm()));
      EXPECT_LE((response.u - expected->u).norm(), 1e-5 * (1 + expected->u.norm()));
      const bool keeps_law =
          relative(derivatives.forward(direction).r, response.r) < 1e-9 || response.r.norm() == 0;
      as_law += keeps_law;
    }
    EXPECT_GT(as_law, 5);
    EXPECT_LT(as_law, 35);
  }
}

TEST(SolutionDerivatives, NeitherImpulseNorVelocity) {
  const ContactProblem problem = one_contact(Vector::Zero(3), 0.5);
  const SolutionDerivatives derivatives(problem, ContactModel::ncp, Vector::Zero(3));
  const Perturbation closing{Vector{{-1, 0, 0}}, Vector{{0}}};
  try {
    derivatives.one_sided(closing);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("contact 0 has neither impulse nor velocity"));
  }
  EXPECT_EQ(derivatives.one_sided({-closing.q, closing.mu}).r.norm(), 0);
}

// A cube of unit mass and inertia on the corners of its lower face: twelve impulses, six velocities.
TEST(SolutionDerivatives, OfHyperstaticContacts) {
  Matrix J(12, 6);
  for (int corner = 0; corner < 4; ++corner) {
    const Eigen::Vector3d arm(corner % 2 == 0 ? 1 : -1, corner < 2 ? 1 : -1, -1);
    const Eigen::Vector3d axes[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int k = 0; k < 3; ++k)
      J.row(3 * corner + k) << axes[k].transpose(), arm.cross(axes[k]).transpose();
  }
  const Vector falling = Vector{{0, 0, -1, 0, 0, 0}};
  const ContactProblem cube(3, Vector::Constant(4, 0.5),
                            LocalForm{test::sparse(J * J.transpose()), J * falling});
  const Vector r = Vector{{0.25, 0, 0}}.replicate(4, 1);
  const SolutionDerivatives derivatives(cube, ContactModel::ncp, r);
  EXPECT_THAT(derivatives.laws(), testing::Each(ContactLaw::sticking));

  // A push of the cube changes the impulses, but it stays at rest.
  std::mt19937 engine(5);
  const Perturbation push{J * random_vector(6, engine), Vector::Zero(4)};
  const Response response = derivatives.forward(push);
  EXPECT_LE(response.defect, 1e-9);
  EXPECT_LE(response.u.norm(), 1e-8);
  EXPECT_GT(response.r.norm(), 0.1);
  // The multipliers of velocities that the cube cannot have are not unique, the gradient is.
  const Vector by_u = random_vector(12, engine);
  const Gradient gradient = derivatives.adjoint(Vector::Zero(12), by_u);
  EXPECT_LE(gradient.defect, 1e-9);
  EXPECT_NEAR(gradient.q.dot(push.q), 0, 1e-7);
  // How the corners share the load is not determined, so that what one of them carries has no gradient.
  EXPECT_GT(derivatives.adjoint(Vector::Unit(12, 0), Vector::Zero(12)).defect, 0.1);

  // The ground below one corner alone sinks: the four corners cannot all follow.
  EXPECT_GT(derivatives.forward({Vector::Unit(12, 0), Vector::Zero(4)}).defect, 0.1);
}

TEST(SolutionDerivatives, Refusals) {
  const ContactProblem problem = one_contact(Vector{{-2, 3, 4}}, 0.5);
  EXPECT_THROW(SolutionDerivatives(problem, ContactModel::ncp, Vector{{1, 0, 0}}), NoSolution);
  EXPECT_THROW(SolutionDerivatives(problem, ContactModel::lcp, Vector{{1, -0.3, -0.4}}),
               std::invalid_argument);
}

class OneOfEachSet : public testing::TestWithParam<ContactModel> {
 protected:
  std::optional<Vector> solution(const ContactProblem& problem) const {
    const char* solver = GetParam() == ContactModel::ncp ? "ncp-newton" : "ccp-admm";
    const Result result = test::solve(solver, problem, tight_limits(problem, 1e-10));
    if (result.status != Status::converged) return std::nullopt;
    return polished(problem, GetParam(), result.r);
  }
};

TEST_P(OneOfEachSet, DerivativesAreThoseOfDifferences) {
  constexpr double h = 1e-6;
  std::mt19937 engine(11);
  int compared = 0;
  for (std::uint32_t seed = 1; compared < 20; ++seed) {
    ASSERT_LT(seed, 100);
    const ContactProblem problem = test::one_of_each(seed);
    const auto r = solution(problem);
    if (!r || !SolutionDerivatives(problem, GetParam(), *r, margin).kinks().empty()) continue;
    const Perturbation direction{random_vector(problem.unknowns(), engine),
                                 random_vector(problem.mu().size(), engine)};
    const auto moved = [&](double by) {
      return ContactProblem(3, problem.mu() + by * direction.mu,
                            LocalForm{problem.local().W, problem.local().q + by * direction.q},
                            problem.other_sets());
    };
    const auto ahead = solution(moved(h)), behind = solution(moved(-h));
    if (!ahead || !behind) continue;
    const Vector dr = (*ahead - *behind) / (2 * h);
    const Vector du = problem.local().W * dr + direction.q;
    const SolutionDerivatives derivatives(problem, GetParam(), *r);
    const Response response = derivatives.forward(direction);
    EXPECT_LE((response.r - dr).norm(), 1e-5 * dr.norm()) << seed;
    EXPECT_LE((response.u - du).norm(), 1e-5 * du.norm()) << seed;
    const Vector by_r = random_vector(problem.unknowns(), engine);
    const Vector by_u = random_vector(problem.unknowns(), engine);
    const Perturbation gradient = derivatives.adjoint(by_r, by_u);
    EXPECT_NEAR(gradient.q.dot(direction.q) + gradient.mu.dot(direction.mu),
                by_r.dot(response.r) + by_u.dot(response.u), 1e-8 * by_r.norm() * dr.norm());
    ++compared;
  }
}
INSTANTIATE_TEST_SUITE_P(SolutionDerivatives, OneOfEachSet,
                         testing::Values(ContactModel::ncp, ContactModel::ccp),
                         [](const auto& parameter) { return std::string(name(parameter.param)); });

// A limit that is just reached: it pushes back, and lets go without pulling.
TEST(SolutionDerivatives, OfALimitAreOneSided) {
  const ContactProblem problem(3, Vector(0),
                               LocalForm{test::sparse(Matrix::Constant(1, 1, 2)), Vector{{0}}},
                               {interval(0, std::numeric_limits<double>::infinity())});
  const SolutionDerivatives derivatives(problem, ContactModel::ncp, Vector{{0}});
  EXPECT_THAT(derivatives.kinks(), ElementsAre(0));
  EXPECT_NEAR(derivatives.one_sided({Vector{{1}}, Vector(0)}).u[0], 1, 1e-9);
  EXPECT_NEAR(derivatives.one_sided({Vector{{1}}, Vector(0)}).r[0], 0, 1e-9);
  EXPECT_NEAR(derivatives.one_sided({Vector{{-1}}, Vector(0)}).r[0], 0.5, 1e-9);
  EXPECT_NEAR(derivatives.one_sided({Vector{{-1}}, Vector(0)}).u[0], 0, 1e-9);
}

TEST(SolutionDerivatives, WithoutContacts) {
  const ContactProblem none(3, Vector(0), LocalForm{SparseMatrix(0, 0), Vector(0)});
  const SolutionDerivatives derivatives(none, ContactModel::ncp, Vector(0));
  EXPECT_THAT(derivatives.laws(), IsEmpty());
  EXPECT_EQ(derivatives.forward({Vector(0), Vector(0)}).r.size(), 0);
}

// Directions in the range of W, as all changes of forces are.
TEST(RealFiles, DerivativesAreThoseOfDifferences) {
  SKIP_WITHOUT_REAL_FILES("fclib");
  constexpr int wanted = 50;
  std::mt19937 engine(9);
  int compared = 0, laws[3] = {};
  for (const auto& path : test::real_files("fclib")) {
    if (compared == wanted) break;
    if (path.string().find("rolling") != std::string::npos) continue;
    const ContactProblem problem = fclib::read_problem(path.string()).problem;
    if (problem.contacts() == 0 || problem.contacts() > 40 || problem.bilateral_rows() > 0)
      continue;
    const auto r = solution(problem, ContactModel::ncp);
    if (!r || !SolutionDerivatives(problem, ContactModel::ncp, *r, margin).kinks().empty())
      continue;
    const SolutionDerivatives derivatives(problem, ContactModel::ncp, *r);
    const ContactScales scales = contact_scales(problem);
    const double impulse = scales.velocity.maxCoeff() / scales.velocity_per_impulse.mean();
    const Perturbation direction{
        problem.local().W * (impulse * random_vector(problem.unknowns(), engine)),
        Vector::Zero(problem.contacts())};
    const auto expected = differences(problem, ContactModel::ncp, *r, direction, 1e-6, true);
    if (!expected) continue;
    const Response response = derivatives.forward(direction);
    EXPECT_LE(response.defect, 1e-8) << path;
    EXPECT_LE((response.u - expected->u).norm(), 1e-5 * direction.q.norm()) << path;
    ++compared;
    for (const ContactLaw law : derivatives.laws()) ++laws[static_cast<int>(law)];
  }
  for (const int contacts : laws) EXPECT_GT(contacts, wanted);
  EXPECT_EQ(compared, wanted);
}

}  // namespace
}  // namespace frictionbench

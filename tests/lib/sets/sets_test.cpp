#include "frictionbench/sets/sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

BlockVector block(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

TEST(SetsText, ReadsBack) {
  const std::vector<std::pair<SetPointer, std::string>> sets = {
      {equality(), "equality(1)"},
      {equality(6), "equality(6)"},
      {interval(0, infinity), "interval(0,inf)"},
      {interval(-infinity, -1e-300), "interval(-inf,-1e-300)"},
      {friction_cone(0.1 + 0.2), "friction(0.30000000000000004)"},
      {friction_cone(0.5, 2), "friction2d(0.5)"},
      {rolling_cone(0.5, 0), "rolling(0.5,0)"},
      {torsional_cone(0.5, 0.25), "torsional(0.5,0.25)"},
      {torsional_cone(0.5, 0.25, 0), "torsional(0.5,0.25,0)"},
      {elliptic_cone({1, 1, 0.005, 1.0 / 3}), "elliptic(1,1,0.005,0.3333333333333333)"},
      {cohesive_cone(0.5, 1e22), "cohesive(0.5,1e+22)"},
      {cohesive_cone(0, 3, 2), "cohesive2d(0,3)"}};
  std::vector<std::string> seen;
  for (const auto& [set, text] : sets) {
    EXPECT_EQ(set->text(), text);
    const SetPointer again = parse_set(text);
    EXPECT_EQ(again->text(), text);
    EXPECT_EQ(again->dimension(), set->dimension());
    seen.push_back(text.substr(0, text.find('(')));
  }
  EXPECT_EQ(parse_set("  rolling ( 0.5 ,\t1e-2 ) ")->text(), "rolling(0.5,0.01)");
  for (std::size_t k = 0; k < set_kinds().size(); ++k) {
    EXPECT_NE(std::find(seen.begin(), seen.end(), set_kinds()[k].name), seen.end())
        << set_kinds()[k].name;
    if (k > 0) {
      EXPECT_LT(set_kinds()[k - 1].name, set_kinds()[k].name) << "in order of names";
    }
  }
}

// A short, printable, single line that starts with the text and says what is wrong.
TEST(SetsText, ErrorsSayWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "expected a kind and its numbers in parentheses, e.g. friction(0.5)"},
      {"friction", "expected a kind and its numbers"},
      {"friction(0.5", "expected a kind and its numbers"},
      {"friction(0.5)x", "expected a kind and its numbers"},
      {"frictoin(0.5)", "unknown kind 'frictoin'; did you mean friction"},
      {"zzzzzzzz(1)",
       "known: cohesive, cohesive2d, elliptic, equality, friction, friction2d, interval, rolling, "
       "torsional"},
      {"friction()", "'' is not a number"},
      {"friction(a\n)", "'a?' is not a number"},
      {"friction(0.5x)", "'0.5x' is not a number"},
      {"friction((0.5))", "'(0.5)' is not a number"},
      {"rolling(0.5,)", "'' is not a number"},
      {"rolling(0.5)", "expected rolling(mu, mu_r), got 1 number"},
      {"friction(1,2)", "expected friction(mu), got 2 numbers"},
      {"friction(-0.5)", "friction: mu is -0.5; expected a finite number >= 0"},
      {"friction2d(inf)", "friction2d: mu is inf"},
      {"friction(nan)", "friction: mu is nan"},
      {"rolling(1,-1)", "rolling: mu_r is -1"},
      {"torsional(1,-1)", "torsional: mu_s is -1"},
      {"torsional(1,1,-1)", "torsional: mu_r is -1"},
      {"torsional(1,1,nan)", "torsional: mu_r is nan"},
      {"elliptic(1,0)", "elliptic: mu2 is 0; expected a finite number > 0"},
      {"elliptic(1,1,1,1,1,1)", "expected elliptic(mu1, ...), got 6 numbers"},
      {"cohesive(0.5,-1)", "cohesive: cohesion is -1"},
      {"cohesive2d(-1,0)", "cohesive2d: mu is -1"},
      {"interval(1,0)", "[1, 0]"},
      {"interval(nan,0)", "[nan, 0]"},
      {"interval(inf,inf)", "[inf, inf]"},
      {"equality(0)", "equality: p is 0; expected a whole number from 1 to 8"},
      {"equality(1.5)", "equality: p is 1.5"},
      {"equality(9)", "equality: p is 9"}};
  for (const auto& [text, message] : wrong) {
    try {
      parse_set(text);
      ADD_FAILURE() << text << " was accepted";
    } catch (const std::invalid_argument& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find(message), std::string::npos) << what;
      EXPECT_TRUE(what.starts_with("set '" + text.substr(0, 10).substr(0, text.find('\n'))))
          << what;
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
  }
  EXPECT_THROW(friction_cone(0.5, 4), std::invalid_argument);
  EXPECT_THROW(equality(0), std::invalid_argument);
  EXPECT_THROW(equality(9), std::invalid_argument);
  EXPECT_THROW(elliptic_cone({}), std::invalid_argument);
}

TEST(KnownSets, KnownProjections) {
  EXPECT_TRUE(friction_cone(1)->project(block({0, 1, 0})).isApprox(block({0.5, 0.5, 0})));
  EXPECT_EQ(friction_cone(0)->project(block({3, 4, 5})), block({3, 0, 0}));
  EXPECT_EQ(friction_cone(0)->project(block({-3, 0, 0})), block({0, 0, 0}));
  EXPECT_EQ(friction_cone(0)->dual_distance(block({3, 0, 0})), 0);
  EXPECT_EQ(interval(-2, 3)->project(block({4})), block({3}));
  EXPECT_EQ(equality(2)->dual_distance(block({3, -4})), 5);
  // The apex of a cohesive cone; the pull that tears a contact off.
  EXPECT_EQ(cohesive_cone(0.5, 2)->project(block({-5, 0.25, 0})), block({-2, 0, 0}));
  EXPECT_EQ(cohesive_cone(0.5, 2)->complementarity(block({-2, 0, 0}), block({7, 0, 0})), 0);
  EXPECT_EQ(cohesive_cone(0.5, 2)->divided(4)->text(), "cohesive(0.5,0.5)");
  EXPECT_EQ(interval(-2, infinity)->divided(4)->text(), "interval(-0.5,inf)");

  // Of rolling(1, 1) at (0, 1, 0, 1, 0), n minimises n^2 + 2 (1 - n)^2; at (0.5, 1, 0, 0.6, 0) the
  // second group stays, because n = (0.5 + 1) / 2.
  const SetPointer rolling = rolling_cone(1, 1);
  EXPECT_TRUE(
      rolling->project(block({0, 1, 0, 1, 0})).isApprox(block({1, 1, 0, 1, 0}) * (2.0 / 3)));
  EXPECT_EQ(rolling->project(block({0.5, 1, 0, 0.6, 0})), block({0.75, 0.75, 0, 0.6, 0}));
}

// A limit at infinity: nothing there, but the finite value nearby.
TEST(KnownSets, SupportBeyondItsDomain) {
  EXPECT_EQ(interval(0, infinity)->support(block({3})), 0);
  EXPECT_EQ(interval(-infinity, 5)->support(block({-3})), 0);
  EXPECT_EQ(interval(-infinity, 5)->support(block({3})), 15);
  EXPECT_EQ(interval(-2, infinity)->complementarity(block({-2}), block({4})), 0);
  EXPECT_EQ(interval(-2, infinity)->dual_distance(block({-4})), 4);
  EXPECT_EQ(interval(-2, infinity)->dual_distance(block({4})), 0);
}

// Three ways to the same cone.
TEST(KnownSets, FrictionIsTheFrictionConeAndTheRoundEllipticOne) {
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> exponent(-8, 8);
  for (int k = 0; k < 5000; ++k) {
    const Index size = 2 + k % 2;
    const double mu = std::pow(10, exponent(engine) / 4);
    BlockVector x(size);
    for (double& component : x) component = normal(engine) * std::pow(10, exponent(engine));
    const SetPointer friction = friction_cone(mu, static_cast<int>(size));
    const SetPointer elliptic =
        elliptic_cone(std::vector<double>(static_cast<std::size_t>(size) - 1, mu));
    const double error = 1e-15 * x.norm();
    EXPECT_LE((friction->project(x) - project_on_cone(x, mu)).norm(), error);
    EXPECT_LE((elliptic->project(x) - project_on_cone(x, mu)).norm(), error);
    EXPECT_LE((elliptic->projection_jacobian(x) - friction->projection_jacobian(x)).norm(), 1e-14);
    EXPECT_NEAR(friction->dual_distance(x), distance_to_dual_cone(x, mu), error);
    EXPECT_NEAR(elliptic->dual_distance(x), distance_to_dual_cone(x, mu), error);
    EXPECT_NEAR(friction->correction(x), de_saxce_correction(x, mu), mu * error);
    EXPECT_NEAR(elliptic->correction(x), de_saxce_correction(x, mu), mu * error);
  }
}

}  // namespace
}  // namespace frictionbench

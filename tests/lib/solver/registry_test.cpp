#include "frictionbench/solver/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frictionbench/base/suggestions.hpp"

namespace frictionbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

enum class Order { forward, random };
enum class Pace { own, slow };

class Dummy final : public Solver {
 public:
  struct Settings {
    double factor = 1;
    double first = 2, second = 2;
    int steps = 10;
    bool fast = false;
    Order order = Order::forward;
    Pace pace = Pace::own;
    void describe(SettingFields& fields) {
      fields.add("factor", factor, open_interval(0, 2), "a factor", "nowhere");
      fields.add("first", first, above(1), "one", "nowhere");
      fields.add("second", second, above(1), "two", "nowhere");
      fields.add("steps", steps, at_least(1), "how many", "nowhere");
      fields.add("fast", fast, "whether", "nowhere");
      fields.add("order", order, {{"forward", Order::forward}, {"random", Order::random}}, "which",
                 "nowhere");
      fields.shorthand("both", {"first", "second"}, "first and second");
      fields.add("pace", pace, {{"own", Pace::own}, {"slow", Pace::slow}}, "preset", "nowhere");
      fields.preset("pace", "slow", [this] {
        steps = 1000;
        factor = 0.5;
      });
    }
  };
  static SolverInfo info() {
    SolverInfo info;
    info.name = "dummy";
    return info;
  }
  explicit Dummy(const Settings& values) : Solver(info()), settings(values) {}
  Settings settings;

 private:
  Result run(const ContactProblem&, const Limits&, const InitialGuess&, Observer&) const override {
    return {};
  }
};

Registry registry() {
  Registry registry;
  registry.add<Dummy>();
  return registry;
}

std::string complaint(const std::string& spec) {
  try {
    registry().make(spec);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SolverSpec, Parses) {
  EXPECT_THAT(parse_solver_spec("a"), Pair("a", IsEmpty()));
  EXPECT_THAT(parse_solver_spec(" a ( x = 1 , y=b ) "),
              Pair("a", ElementsAre(Pair("x", "1"), Pair("y", "b"))));
  EXPECT_THAT(parse_solver_spec("a()"), Pair("a", IsEmpty()));
  EXPECT_THAT(parse_solver_spec("a(x=b(y=1,z=c(w=2)),v=3)"),
              Pair("a", ElementsAre(Pair("x", "b(y=1,z=c(w=2))"), Pair("v", "3"))));
  for (const char* malformed : {"", "(x=1)", "a(x=1", "a(x)", "a(x=1,x=2)", "a(x=1)b"})
    EXPECT_THROW(parse_solver_spec(malformed), std::invalid_argument) << malformed;
}

TEST(Registry, MakesSolversFromText) {
  const ConfiguredSolver solver =
      registry().make("dummy(factor=1.5,steps=3,fast=true,order=random)");
  const auto& settings = dynamic_cast<const Dummy&>(*solver.solver).settings;
  EXPECT_EQ(settings.factor, 1.5);
  EXPECT_EQ(settings.steps, 3);
  EXPECT_TRUE(settings.fast);
  EXPECT_EQ(settings.order, Order::random);
  EXPECT_EQ(solver.settings, nlohmann::json({{"factor", 1.5},
                                             {"first", 2.0},
                                             {"second", 2.0},
                                             {"steps", 3},
                                             {"fast", true},
                                             {"order", "random"},
                                             {"pace", "own"}}));
}

TEST(Registry, PresetsComeFirstAndIdsLeaveThemOut) {
  const auto settings = [](const std::string& spec) {
    return dynamic_cast<const Dummy&>(*registry().make(spec).solver).settings;
  };
  for (const char* spec : {"dummy(pace=slow,steps=7)", "dummy(steps=7,pace=slow)"}) {
    EXPECT_EQ(settings(spec).steps, 7) << "what is said beside a preset holds: " << spec;
    EXPECT_EQ(settings(spec).factor, 0.5);
    EXPECT_EQ(registry().make(spec).id, "dummy(steps=7,pace=slow)");
  }
  EXPECT_EQ(registry().make("dummy(pace=slow)").id, "dummy(pace=slow)");
  EXPECT_EQ(registry().make("dummy(pace=slow)").settings["steps"], 1000);
  EXPECT_EQ(registry().make("dummy(pace=slow,steps=10)").id, "dummy(steps=10,pace=slow)")
      << "a default that the preset changes has to be said";
  EXPECT_EQ(settings("dummy(pace=own)").steps, 10);
}

TEST(Registry, IdIsCanonical) {
  const auto id = [](const std::string& spec) { return registry().make(spec).id; };
  EXPECT_EQ(id("dummy"), "dummy");
  EXPECT_EQ(id("dummy( steps = 3 , factor=1.50)"), "dummy(factor=1.5,steps=3)");
  EXPECT_EQ(id("dummy(steps=10)"), "dummy") << "defaults are left out";
  EXPECT_EQ(id("dummy(first=4,second=4)"), "dummy(both=4)");
  EXPECT_EQ(id("dummy(both=4)"), "dummy(both=4)");
  EXPECT_EQ(id("dummy(first=4)"), "dummy(first=4)");
  EXPECT_EQ(id(id("dummy(both=4,order=random)")), "dummy(both=4,order=random)");
}

TEST(Registry, ComplaintsAreForPeople) {
  EXPECT_THAT(complaint("dumy"), HasSubstr("unknown solver 'dumy'; did you mean dummy?"));
  EXPECT_THAT(complaint("dummy(factr=1)"), HasSubstr("did you mean factor"));
  EXPECT_THAT(complaint("dummy(factor=2)"),
              HasSubstr("factor = 2 is out of range: it must be in (0, 2)"));
  EXPECT_THAT(complaint("dummy(factor=nan)"), HasSubstr("out of range"));
  EXPECT_THAT(complaint("dummy(factor=x)"), HasSubstr("factor = 'x' is not a number"));
  EXPECT_THAT(complaint("dummy(steps=1.5)"), HasSubstr("not an integer"));
  EXPECT_THAT(complaint("dummy(steps=0)"), HasSubstr("must be >= 1"));
  EXPECT_THAT(complaint("dummy(fast=yes)"), HasSubstr("true or false"));
  EXPECT_THAT(complaint("dummy(order=back)"), HasSubstr("one of forward, random"));
}

TEST(Registry, ANameIsTakenOnce) {
  Registry twice = registry();
  EXPECT_THROW(twice.add<Dummy>(), std::logic_error);
}

TEST(Registry, DescribesWithoutMaking) {
  const Registry all = registry();
  const RegisteredSolver& solver = all.find("dummy");
  ASSERT_EQ(solver.fields.size(), 7u);
  EXPECT_EQ(solver.fields[0].get(), 1.0);
  EXPECT_EQ(solver.fields[0].range, "in (0, 2)");
  EXPECT_EQ(solver.fields[5].type, "forward | random");
}

TEST(NearestNames, RanksByDistance) {
  const std::vector<std::string> known{"ncp-admm", "ccp-admm", "ncp-pgs", "run"};
  EXPECT_THAT(nearest_names("ncp-adm", known), ElementsAre("ncp-admm", "ccp-admm"));
  EXPECT_THAT(nearest_names("admm", known), ElementsAre("ncp-admm", "ccp-admm"));
  EXPECT_THAT(nearest_names("NCP-PGS", known), ElementsAre("ncp-pgs"));
  EXPECT_THAT(nearest_names("zzzzzzzz", known), IsEmpty());
  EXPECT_EQ(unknown_name("solver", "ncp-pgz", known),
            "unknown solver 'ncp-pgz'; did you mean ncp-pgs?");
  EXPECT_EQ(unknown_name("thing", "zzzzzzzz", {"a", "b"}), "unknown thing 'zzzzzzzz'; known: a, b");
}

}  // namespace
}  // namespace frictionbench

#include "frictionbench/solver/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/solver/former_names.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

enum class Order { forward, random };
enum class Pace { own, slow };

struct Dummy {
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
  void validate() const {
    if (fast && pace == Pace::slow) throw std::invalid_argument("fast contradicts pace = slow");
  }
  void adapt(SolverInfo& info) const { info.exact = !fast; }
};

Dummy solved_with;  // the settings of the last solve by a dummy

void solve_dummy(const Dummy& settings, Solve& solve) {
  solved_with = settings;
  solve.stall("a dummy");
}

// Its setting is a solver of the CCP.
struct Cascade {
  InnerSolver inner{"ccp-dummy"};
  void describe(SettingFields& fields) {
    fields.add("inner", inner, ContactModel::ccp, "the solver inside", "nowhere");
  }
  void adapt(SolverInfo& info) const { info.zero_diagonal = inner.solver->info().zero_diagonal; }
};

void solve_cascade(const Cascade& settings, Solve& solve) {
  const Result inner = settings.inner.solver->solve(solve.problem(), solve.limits());
  solve.stall(inner.message);
}

struct Undescribed {
  double factor = 1;
};
struct DescribedToNobody {
  void describe() {}
};
struct WithoutDefaults {
  explicit WithoutDefaults(double given) : factor(given) {}
  void describe(SettingFields&) {}
  double factor;
};
static_assert(DescribedSettings<Dummy> && DescribedSettings<Cascade>);
static_assert(!DescribedSettings<Undescribed>, "describe() is missing");
static_assert(!DescribedSettings<DescribedToNobody>, "describe() does not take SettingFields");
static_assert(!DescribedSettings<WithoutDefaults>, "there is nothing to start the settings at");

SolverInfo named(const std::string& name, ContactModel model = ContactModel::ncp) {
  return {.name = name, .model = model, .summary = "a dummy", .sources = {"nowhere"}};
}

Registry registry() {
  Registry registry;
  registry.add(solver_entry(named("dummy"), solve_dummy));
  registry.add(solver_entry(named("ccp-dummy", ContactModel::ccp), solve_dummy));
  registry.add(solver_entry(named("ncp-desaxce"), solve_cascade));
  return registry;
}

ConfiguredSolver make(const std::string& spec) { return registry().make(spec); }

// The settings that a solver made from this text solves with.
Dummy settings_of(const std::string& spec) {
  make(spec).solver->solve(test::one_contact(test::vector({1, 1}), test::vector({1, 0}), 0), {});
  return solved_with;
}

SettingValue value_of(const ConfiguredSolver& solver, const std::string& setting) {
  for (const auto& [name, value] : solver.settings)
    if (name == setting) return value;
  return "there is no such setting";
}

std::string complaint(const std::string& spec) {
  try {
    make(spec);
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
  const std::string spec = "dummy(factor=1.5,steps=3,fast=true,order=random)";
  const Dummy settings = settings_of(spec);
  EXPECT_EQ(settings.factor, 1.5);
  EXPECT_EQ(settings.steps, 3);
  EXPECT_TRUE(settings.fast);
  EXPECT_EQ(settings.order, Order::random);
  EXPECT_EQ(make(spec).settings, (SettingValues{{"factor", 1.5},
                                                {"first", 2.0},
                                                {"second", 2.0},
                                                {"steps", 3},
                                                {"fast", true},
                                                {"order", "random"},
                                                {"pace", "own"},
                                                {"bilateral", "eliminate"}}));
}

TEST(Registry, PresetsComeFirstAndIdsLeaveThemOut) {
  for (const char* spec : {"dummy(pace=slow,steps=7)", "dummy(steps=7,pace=slow)"}) {
    EXPECT_EQ(settings_of(spec).steps, 7)
        << "what is given in addition to a preset holds: " << spec;
    EXPECT_EQ(settings_of(spec).factor, 0.5);
    EXPECT_EQ(make(spec).id, "dummy(steps=7,pace=slow)");
  }
  EXPECT_EQ(make("dummy(pace=slow)").id, "dummy(pace=slow)");
  EXPECT_EQ(value_of(make("dummy(pace=slow)"), "steps"), SettingValue(1000));
  EXPECT_EQ(make("dummy(pace=slow,steps=10)").id, "dummy(steps=10,pace=slow)")
      << "a default that the preset changes has to be given";
  EXPECT_EQ(settings_of("dummy(pace=own)").steps, 10);
}

// What no single range can say.
TEST(Registry, SettingsAreValidatedTogether) {
  EXPECT_THAT(complaint("dummy(fast=true,pace=slow)"),
              HasSubstr("solver 'dummy': fast contradicts pace = slow"));
}

TEST(Registry, SettingsMayChangeWhatTheSolverIs) {
  EXPECT_TRUE(make("dummy").info().exact);
  EXPECT_FALSE(make("dummy(fast=true)").info().exact);
}

TEST(Registry, MakesInnerSolvers) {
  const ConfiguredSolver outer = make("ncp-desaxce(inner=ccp-dummy(steps=4))");
  EXPECT_EQ(outer.id, "ncp-desaxce(inner=ccp-dummy(steps=4))");
  EXPECT_EQ(value_of(outer, "inner"), SettingValue("ccp-dummy(steps=4)"));
  const Result result =
      outer.solver->solve(test::one_contact(test::vector({1, 1}), test::vector({1, 0}), 0), {});
  EXPECT_EQ(result.message, "a dummy");
  EXPECT_EQ(solved_with.steps, 4);
  EXPECT_EQ(make("ncp-desaxce").id, "ncp-desaxce");

  EXPECT_THAT(complaint("ncp-desaxce(inner=dummy)"),
              HasSubstr("inner = 'dummy' must be a solver of the ccp: ccp-dummy"));
  EXPECT_THAT(complaint("ncp-desaxce(inner=ccp-dumy)"), HasSubstr("did you mean ccp-dummy"));
  EXPECT_THAT(complaint("ncp-desaxce(inner=ccp-dummy(steps=0))"), HasSubstr("must be >= 1"));
}

TEST(Registry, FindsSolversByFormerNames) {
  EXPECT_EQ(registry().find("ccp-desaxce").info.name, "ncp-desaxce");
  EXPECT_EQ(make("ccp-desaxce(inner=ccp-dummy(steps=4))").id,
            "ncp-desaxce(inner=ccp-dummy(steps=4))");
  EXPECT_EQ(current_solver_id("ccp-desaxce(inner=ccp-pgs)"), "ncp-desaxce(inner=ccp-pgs)");
  EXPECT_EQ(current_solver_id("ccp-pgs"), "ccp-pgs");
}

TEST(Registry, IdIsCanonical) {
  const auto id = [](const std::string& spec) { return make(spec).id; };
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
  EXPECT_THROW(twice.add(solver_entry(named("dummy"), solve_dummy)), std::logic_error);
}

// A solver that needs to be told something.
RegisteredSolver needy() {
  struct Needy {
    std::string text;
    void describe(SettingFields& fields) { fields.add("text", text, "a text", ""); }
  };
  RegisteredSolver entry = solver_entry<Needy>(
      {.name = "needy"}, [](const Needy&, Solve& solve) { solve.stall("a dummy"); });
  entry.required = "text";
  return entry;
}

TEST(Registry, TextsStandInQuotes) {
  Registry all = registry();
  all.add(needy());
  const auto id = [&](const std::string& spec) { return all.make(spec).id; };
  EXPECT_EQ(id("needy(text=plain)"), "needy(text=plain)");
  EXPECT_EQ(id("needy(text='plain')"), "needy(text=plain)");
  EXPECT_EQ(id("needy( text = 'a, b' )"), "needy(text='a, b')");
  EXPECT_EQ(id("needy(text='f(x=1)')"), "needy(text='f(x=1)')");
  const ConfiguredSolver quoted = all.make("needy(text='it''s, (no) ''joke''')");
  EXPECT_THAT(quoted.settings, ElementsAre(Pair("text", SettingValue("it's, (no) 'joke'")),
                                           Pair("bilateral", SettingValue("eliminate"))));
  EXPECT_EQ(all.make(quoted.id).settings, quoted.settings);
  for (const char* bad :
       {"needy(text='a)", "needy(text='a'b)", "needy(text='a''')b)", "needy(text=')"})
    EXPECT_THROW(all.make(bad), std::invalid_argument) << bad;
}

TEST(Registry, OnlyThoseWithoutARequiredSettingAreReady) {
  Registry all = registry();
  all.add(needy());
  EXPECT_THAT(all.ready_names(), ElementsAre("ccp-dummy", "dummy", "ncp-desaxce"));
}

TEST(Registry, IsInTheOrderOfNames) {
  std::vector<std::string> names;
  const Registry all = registry();
  for (const RegisteredSolver& solver : all.solvers()) names.push_back(solver.info.name);
  EXPECT_THAT(names, ElementsAre("ccp-dummy", "dummy", "ncp-desaxce"));
}

TEST(Registry, DescribesWithoutMaking) {
  const Registry all = registry();
  const RegisteredSolver& solver = all.find("dummy");
  ASSERT_EQ(solver.settings.size(), 8u);
  EXPECT_EQ(solver.settings[0].default_value, SettingValue(1.0));
  EXPECT_EQ(solver.settings[0].range, "in (0, 2)");
  EXPECT_EQ(solver.settings[5].type, "forward | random");
  ASSERT_EQ(solver.shorthands.size(), 1u);
  EXPECT_EQ(solver.shorthands[0].name, "both");
  EXPECT_EQ(all.find("ncp-desaxce").settings[0].type, "solver");
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

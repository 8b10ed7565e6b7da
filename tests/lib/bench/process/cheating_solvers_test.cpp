// Solvers that want to be taken for good ones. What a record says of an answer is what judge() says
// of it, on the problem as the file has it, whatever the solver does in its own process.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "frictionbench/bench/process/internal/child_process.hpp"
#include "lib/bench/process/bad_solvers.hpp"

namespace frictionbench::bench {
namespace {

using test::scripted;
using test::vector;
using testing::HasSubstr;

Result claim(Vector r) {
  Result result;
  result.status = Status::converged;
  result.stop_reason = StopReason::residuals;
  result.r = std::move(r);
  return result;
}

class CheatingSolvers : public BadSolvers {
 protected:
  const ContactProblem problem_ = test::one_contact(vector({1, 1, 1}), vector({-1, 3, 0}), 0.5);
  const Vector wrong_ = vector({0, 0, 0});

  results::Record record_alone(test::Script script, ContactModel model = ContactModel::ncp) {
    return run({scripted("cheat", std::move(script), model)}).records.at(0);
  }
  // The record of a solver that answers `wrong_`, after it did what it could to make that right.
  void expect_seen_through(const std::function<void(const ContactProblem&)>& cheat) {
    const results::Record record = record_of([&](const ContactProblem& problem) {
      cheat(problem);
      return claim(wrong_);
    });
    expect_judged(record, wrong_);
    EXPECT_EQ(name(record.status), name(Status::wrong)) << record.message;
  }
  // That the verdict is the test's own.
  void expect_judged(const results::Record& record, const Vector& r) const {
    ASSERT_TRUE(record.verdict);
    const Verdict expected = judge(problem_, r);
    const results::Solved solved =
        results::solved_under_all(expected, ContactModel::ncp, {}, options_.tolerance);
    results::Record with_expected = record;
    with_expected.verdict = expected;
    with_expected.solved = solved;
    EXPECT_EQ(results::to_json(record), results::to_json(with_expected));
    EXPECT_FALSE(record.solved.ncp.relative);
    EXPECT_FALSE(record.own_model);
  }
};

// The problem

TEST_F(CheatingSolvers, TheProblemIsPatched) {
  expect_seen_through([](const ContactProblem& problem) {
    const_cast<Vector&>(problem.local().q) = vector({1, 0, 0});
  });
  expect_seen_through([](const ContactProblem& problem) {
    const_cast<SparseMatrix&>(problem.local().W).setZero();
    const_cast<Vector&>(problem.local().q).setZero();
    const_cast<Vector&>(problem.mu()).setZero();
  });
  expect_seen_through([](const ContactProblem& problem) {
    const_cast<ContactProblem&>(problem) =
        test::one_contact(vector({1, 1, 1}), vector({1, 0, 0}), 0.5);
  });
  expect_seen_through([](const ContactProblem& problem) {
    const_cast<Vector&>(problem.local().q).setConstant(1e300);  // U, to make residuals small
  });
}

// Overwrites q wherever this process has it in memory that can be written.
void overwrite_everywhere(const Vector& q, const Vector& with) {
  // What it looks for must not be found in the search itself.
  std::vector<std::uint64_t> hidden(static_cast<std::size_t>(q.size()));
  std::memcpy(hidden.data(), q.data(), hidden.size() * sizeof(double));
  for (std::uint64_t& bits : hidden) bits = ~bits;
  std::vector<std::uint64_t> page(1 << 13);
  const auto is_at = [&](std::size_t k) {
    for (std::size_t n = 0; n < hidden.size(); ++n)
      if (page[k + n] != ~hidden[n]) return false;
    return true;
  };
  const int memory = open("/proc/self/mem", O_RDWR);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::size_t begin = 0, end = 0;
    char permissions[5] = {};
    if (std::sscanf(line.c_str(), "%zx-%zx %4s", &begin, &end, permissions) != 3 ||
        std::strncmp(permissions, "rw", 2) != 0)
      continue;
    const std::size_t step = (page.size() - hidden.size()) * sizeof(double);
    for (std::size_t at = begin; at < end; at += step) {
      const std::size_t wanted = std::min(page.size() * sizeof(double), end - at);
      const ssize_t read = pread(memory, page.data(), wanted, static_cast<off_t>(at));
      const std::size_t words = read > 0 ? static_cast<std::size_t>(read) / sizeof(double) : 0;
      for (std::size_t k = 0; k + hidden.size() <= words; ++k)
        if (is_at(k) && pwrite(memory, with.data(), hidden.size() * sizeof(double),
                               static_cast<off_t>(at + k * sizeof(double))) < 0)
          std::abort();
    }
  }
  close(memory);
}

TEST_F(CheatingSolvers, EverythingWritableIsPatched) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the shadow memory of the address sanitizer is terabytes";
#endif
  const std::string seen = folder_.file("seen");
  expect_seen_through([&](const ContactProblem& problem) {
    overwrite_everywhere(problem.local().q, vector({1, 0, 0}));
    std::ofstream(seen) << problem.local().q[0];
  });
  std::ifstream file(seen);
  double first = 0;
  ASSERT_TRUE(file >> first) << "where processes may not read themselves this shows nothing";
  EXPECT_EQ(first, 1) << "it did find the problem";
}

// The record

// Sends this instead of the harness's own message.
[[noreturn]] void send(const nlohmann::json& message) {
  send_message(STDERR_FILENO + 1, MessageKind::finished, message.dump());
  _exit(0);
}

results::Record praise(const ContactProblem& problem) {
  results::Record record;
  record.status = Status::converged;
  record.message = "perfect";
  record.verdict = Verdict();
  record.verdict->ncp.relative = record.verdict->ccp.relative = record.verdict->lcp.relative = 0;
  record.verdict->creep = record.verdict->lift = 0;
  record.verdict->states.sticking = problem.contacts();
  record.own_model.emplace().residuals.relative = 0;
  const results::SolvedAt all{true, true, true, true};
  record.solved = {all, all, all, all};
  return record;
}

TEST_F(CheatingSolvers, TheRecordIsForged) {
  const results::Record record = record_of([&](const ContactProblem& problem) -> Result {
    send({{"record", results::to_json(praise(problem))},
          {"r", {0, 0, 0}},
          {"compliance", nlohmann::json::array()},
          {"velocity", nlohmann::json::array()}});
  });
  expect_judged(record, wrong_);
  EXPECT_EQ(name(record.status), name(Status::wrong));
  EXPECT_THAT(record.message, testing::Not(HasSubstr("perfect")));
  EXPECT_EQ(record.problem, "A/slide");
  EXPECT_EQ(record.solver, "bad");
}

TEST_F(CheatingSolvers, TheRecordIsForgedAndThereIsNoAnswer) {
  const auto forged = [&](const nlohmann::json& r) {
    return record_alone([&](const ContactProblem& problem) -> Result {
      send({{"record", results::to_json(praise(problem))},
            {"r", r},
            {"compliance", nlohmann::json::array()},
            {"velocity", nlohmann::json::array()}});
    });
  };
  for (const nlohmann::json& r :
       {nlohmann::json::array(), nlohmann::json{1, 2}, nlohmann::json{1, "x", 3}, nlohmann::json(),
        nlohmann::json{{"r", 1}}, nlohmann::json(3)}) {
    const results::Record record = forged(r);
    EXPECT_EQ(name(record.status), name(Status::error)) << r << record.message;
    EXPECT_FALSE(record.verdict);
    EXPECT_FALSE(record.own_model);
    EXPECT_FALSE(record.solved.ncp.relative || record.solved.native.relative);
  }
  const results::Record not_finite = forged({nullptr, 0, 0});
  EXPECT_EQ(name(not_finite.status), name(Status::wrong));
  EXPECT_FALSE(not_finite.solved.ncp.relative);
}

TEST_F(CheatingSolvers, TheRecordIsSomethingElse) {
  for (const char* text : {"{}", "[]", "3", "null", R"({"record": 3, "r": []})",
                           R"({"record": {"status": "converged"}, "r": [1, -0.5, 0]})"}) {
    const results::Record record =
        record_alone([&](const ContactProblem&) -> Result { send(nlohmann::json::parse(text)); });
    EXPECT_EQ(name(record.status), name(Status::error)) << text;
    EXPECT_THAT(record.message, HasSubstr("invalid record"));
    EXPECT_FALSE(record.verdict);
  }
}

// What comes with the answer

TEST_F(CheatingSolvers, AComplianceThatIsNone) {
  const auto given = [&](const Vector& compliance) {
    return record_alone([&](const ContactProblem&) {
      Result result = solved();
      result.compliance = compliance;
      return result;
    });
  };
  const auto expect_error = [&](const Vector& compliance, const std::string& message) {
    const results::Record record = given(compliance);
    EXPECT_EQ(name(record.status), name(Status::error));
    EXPECT_THAT(record.message, HasSubstr(message));
    EXPECT_FALSE(record.own_model);
    for (const Scale scale : {Scale::relative, Scale::absolute, Scale::scaled})
      EXPECT_FALSE(record.solved.under(Criterion::native, scale));
  };
  expect_error(vector({1, 1}), "gave a compliance of 2 entries for a problem of 3");
  expect_error(Vector::Ones(1000), "gave a compliance of 1000 entries");
  expect_error(vector({1, -1, 1}), "gave an invalid compliance: entry 1 is -1");
  expect_error(vector({1, 1, NAN}), "gave an invalid compliance: entry 2 is nan");
  expect_error(vector({INFINITY, 1, 1}), "gave an invalid compliance: entry 0 is");
  EXPECT_EQ(name(given(Vector()).status), name(Status::converged));
}

TEST_F(CheatingSolvers, AVelocityThatIsNone) {
  const auto given = [&](const Vector& velocity) {
    return record_alone([&](const ContactProblem& problem) {
      Result result = claim(Vector::Zero(problem.unknowns()));
      result.velocity = velocity;
      return result;
    });
  };
  EXPECT_THAT(given(vector({1})).message,
              HasSubstr("gave a generalised velocity of 1 entries for a problem of 0"));
  EXPECT_EQ(name(given(vector({1})).status), name(Status::error));

  const ContactProblem global = test::random_global_problem(3, 2, 2, 3);
  std::filesystem::remove(folder_.file("A/slide.hdf5"));
  folder_.write("A/slide.hdf5", global);
  const Vector v = global.generalized_velocity(Vector::Zero(6));
  EXPECT_EQ(name(given(vector({1, 2, 3})).status), name(Status::error));
  const auto momentum = [&](const Vector& velocity) {
    const results::Record record = given(velocity);
    EXPECT_TRUE(record.verdict);
    return record.verdict->momentum;
  };
  EXPECT_FALSE(momentum({}));
  EXPECT_LE(momentum(v).value(), 1e-12);
  EXPECT_GT(momentum(1.1 * v).value(), 1e-3);
  EXPECT_TRUE(std::isnan(momentum(Vector::Constant(v.size(), NAN)).value_or(NAN)));
}

// Repetitions

class Repeaters : public CheatingSolvers {
 protected:
  Repeaters() {
    options_.repeat_time = 0.01;
    options_.max_samples = 50;
  }
  void expect_not_repeatable(test::Script script, const std::string& message) {
    const results::Record record = record_alone(std::move(script));
    EXPECT_EQ(name(record.status), name(Status::not_repeatable)) << record.message;
    EXPECT_THAT(record.message, HasSubstr(message));
    EXPECT_TRUE(record.verdict) << "the first answer is judged all the same";
  }
};

TEST_F(Repeaters, RemembersItsAnswer) {
  expect_not_repeatable(
      [](const ContactProblem&) {
        static Vector remembered;
        Result result = solved();
        result.iterations = remembered.size() > 0 ? 1 : 100;
        if (remembered.size() > 0) result.r = remembered;
        remembered = result.r;
        return result;
      },
      "1 iterations after 100");
}

TEST_F(Repeaters, RemembersItsAnswerAndLiesAboutIterationsOnly) {
  expect_not_repeatable(
      [](const ContactProblem&) {
        static bool again = false;
        Result result = solved();
        result.iterations = 100;
        result.work.products = std::exchange(again, true) ? 1 : 100;
        return result;
      },
      "other work counters");
}

TEST_F(Repeaters, AlternatesBetweenAnswers) {
  expect_not_repeatable(
      [](const ContactProblem&) {
        static int calls = 0;
        Result result = solved();
        if (calls++ % 2 == 1) result.r *= 1 + 1e-15;
        return result;
      },
      "another impulse");
  expect_not_repeatable(
      [](const ContactProblem&) {
        static int calls = 0;
        return claim(calls++ == 7 ? vector({0, 0, 0}) : slide);  // once, in the middle
      },
      "another impulse");
  expect_not_repeatable(
      [](const ContactProblem&) {
        static int calls = 0;
        Result result = solved();
        if (calls++ > 0) result.r = Vector();
        return result;
      },
      "another impulse");
}

TEST_F(Repeaters, EndsOtherwise) {
  expect_not_repeatable(
      [](const ContactProblem&) {
        static int calls = 0;
        Result result = solved();
        if (calls++ > 0) result.status = Status::stalled;
        return result;
      },
      "status stalled after converged");
}

TEST_F(Repeaters, GoodOnesRepeatThemselves) {
  const results::Record record = record_alone([](const ContactProblem&) { return solved(); });
  EXPECT_EQ(name(record.status), name(Status::converged)) << record.message;
  EXPECT_GT(record.time.solve.value().samples, 1);
  const Vector not_a_number = vector({NAN, -0.0, 1});
  const results::Record lost = record_alone([&](const ContactProblem&) {
    Result result = claim(not_a_number);
    result.status = Status::stalled;
    return result;
  });
  EXPECT_EQ(name(lost.status), name(Status::stalled)) << "the same NaN is the same answer";
}

}  // namespace
}  // namespace frictionbench::bench

/// The text of fb_dump.h: what it may hold, what is refused, and damage.

#include "frictionbench/formats/dump.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/damaged_text.hpp"

namespace frictionbench::formats {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

fclib::ProblemFile read(const std::string& text) { return read_dump("damaged.txt", text); }

const std::string head = "frictionbench problem 1\ntitle a box\ndimension 2\ncontacts 1\n";
const std::string local =
    head + "mu 1\n0.5\nW 3\n0 0 2\n1 0 0.5\n1 1 1e0\nq 2\n-1\n0.25\nr 2\n0.5 0\nend\n";
const std::string mixed =
    "frictionbench problem 1\ndimension 2\ncontacts 1\nsets 2\nequality(1)\ninterval(0,inf)\n"
    "mu 1\n0.5\nM 2\n0 0 1\n1 1 4\nH 4\n0 0 1\n1 1 1\n0 2 1\n1 3 -1\nf 2\n1 2\nw 4\n0 0 0 1\nv "
    "2\n1 1\n"
    "compliance 4\n0 0 0 0.5\nbodies 3\n0 1 0\n2 3 0\n4 5 0\nend\n";

std::string with(std::string text, const std::string& old, const std::string& changed) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), changed);
}

TEST(Dump, LocalForm) {
  const fclib::ProblemFile file = read(local);
  EXPECT_EQ(file.info.title, "a box");
  EXPECT_EQ(file.problem.dimension(), 2);
  EXPECT_EQ(Matrix(file.problem.local().W), (Matrix{{2, 0}, {0.5, 1}}));
  EXPECT_EQ(file.problem.local().q, (Vector{{-1, 0.25}}));
  ASSERT_EQ(file.guesses.size(), 1U);
  EXPECT_EQ(*file.guesses[0].r, (Vector{{0.5, 0}}));
}

TEST(Dump, GlobalFormWithAllThereIs) {
  const fclib::ProblemFile file = read(mixed);
  ASSERT_NE(file.problem.global(), nullptr);
  EXPECT_EQ(Matrix(file.problem.global()->H), (Matrix{{1, 0, 1, 0}, {0, 1, 0, -1}}));
  EXPECT_EQ(file.problem.blocks(), 3);
  EXPECT_EQ(file.problem.bilateral_rows(), 1);
  EXPECT_EQ(file.problem.compliance(), (Vector{{0, 0, 0, 0.5}}));
  EXPECT_EQ(file.bodies[2], (fclib::BlockIdentity{4, 5, 0}));
  EXPECT_EQ(*file.guesses[0].v, (Vector{{1, 1}}));
}

TEST(Dump, RepeatedEntriesAreAdded) {
  const std::string text = with(with(local, "W 3\n", "W 4\n"), "0 0 2\n", "0 0 2\n0 0 0.25\n");
  EXPECT_EQ(read(text).problem.local().W.coeff(0, 0), 2.25);
}

TEST(Dump, SaysWhatIsWrong) {
  const auto expect = [](const std::string& text, const std::string& saying) {
    EXPECT_THAT([&] { read(text); }, ThrowsMessage<FileError>(HasSubstr(saying)));
  };
  expect(with(local, "problem 1", "problem 2"), "line 1: is version 2");
  expect(with(local, "dimension 2", "dimension 5"), "line 3: the dimension is 5");
  expect(with(local, "W 3", "w 3"), "line 9: unknown section '1'");
  expect(with(local, "W 3\n", "Q 3\n"), "line 7: unknown section 'Q'");
  expect(with(local, "mu 1\n0.5\n", ""), "section mu: is missing");
  expect(with(local, "q 2\n-1\n", "q 1\n"), "section q: has 1 entries, expected 2");
  expect(with(local, "1 0 0.5", "2 0 0.5"), "section W: has an entry in row 2, column 0");
  expect(with(local, "r 2\n0.5 0\n", "mu 1\n0.5\n"), "a second section mu");
  expect(with(local, "-1\n", "nan\n"), "section q: entry 0 is nan");
  expect(with(local, "1e0", "inf"), "section W: entry 2 is inf");
  expect(with(local, "end\n", ""), "the file ends");
  expect(local + "more", "line 17: goes on behind `end`");
  expect(with(mixed, "M 2\n0 0 1\n1 1 4\n", ""), "section W: is missing, and so is M");
  expect(with(mixed, "interval(0,inf)", "intervl(0,inf)"),
         "line 6: set 'intervl(0,inf)': unknown kind");
  expect(with(mixed, "bodies 3\n0 1 0\n", "bodies 2\n"),
         "section bodies: has 2 entries, expected 3");
  expect(with(mixed, "0 0 0 0.5", "0 0 0 -0.5"), "section compliance");
  expect(with(local, "r 2\n", "v 2\n"), "section v");
}

TEST(Dump, ImpulsesThatAreNotFiniteAreLeftOut) {
  const fclib::ProblemFile file = read(with(local, "0.5 0\n", "0.5 nan\n"));
  ASSERT_EQ(file.guesses.size(), 1U);
  EXPECT_FALSE(file.guesses[0].r);
  EXPECT_EQ(file.guesses[0].misfits, std::vector<std::string>{"section r: entry 1 is nan"});
}

TEST(Dump, DamageIsSaidOrHarmless) {
  for (const std::string& text : {local, mixed}) {
    test::expect_errors_or_problems(text, read);
    test::expect_error_for_every_missing_word(text, read);
  }
}

}  // namespace
}  // namespace frictionbench::formats

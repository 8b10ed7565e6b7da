/// \file
/// Equality of problem files, number by number.
#pragma once

#include <gtest/gtest.h>

#include "frictionbench/fclib/problem_file.hpp"

namespace frictionbench::test {

inline void expect_same(const SparseMatrix& a, const SparseMatrix& b, const char* name) {
  ASSERT_EQ(a.rows(), b.rows()) << name;
  ASSERT_EQ(a.cols(), b.cols()) << name;
  EXPECT_EQ(a.nonZeros(), b.nonZeros()) << name;
  EXPECT_EQ(Matrix(a), Matrix(b)) << name;
}

inline void expect_same(const std::optional<Vector>& a, const std::optional<Vector>& b,
                        const char* name) {
  ASSERT_EQ(a.has_value(), b.has_value()) << name;
  if (a) {
    ASSERT_EQ(a->size(), b->size()) << name;
    EXPECT_EQ(*a, *b) << name;
  }
}

inline void expect_same(const ContactProblem& a, const ContactProblem& b) {
  ASSERT_EQ(a.form(), b.form());
  EXPECT_EQ(a.dimension(), b.dimension());
  expect_same(a.mu(), b.mu(), "mu");
  expect_same(a.compliance(), b.compliance(), "compliance");
  ASSERT_EQ(a.bilateral_rows(), b.bilateral_rows());
  if (a.form() == ProblemForm::local) {
    expect_same(a.local().W, b.local().W, "W");
    expect_same(a.local().q, b.local().q, "q");
  } else {
    expect_same(a.global()->M, b.global()->M, "M");
    expect_same(a.global()->H, b.global()->H, "H");
    expect_same(a.global()->f, b.global()->f, "f");
    expect_same(a.global()->w, b.global()->w, "w");
  }
  ASSERT_EQ(a.is_plain(), b.is_plain());
  if (!a.is_plain()) {
    EXPECT_EQ(a.layout()->shape, b.layout()->shape);
    for (std::size_t i = 0; i < a.layout()->sets.size(); ++i)
      EXPECT_EQ(a.layout()->sets[i]->text(), b.layout()->sets[i]->text());
  }
}

inline void expect_same(const fclib::State& a, const fclib::State& b) {
  expect_same(a.v, b.v, "v");
  expect_same(a.u, b.u, "u");
  expect_same(a.r, b.r, "r");
}

inline void expect_same(const fclib::ProblemFile& a, const fclib::ProblemFile& b) {
  expect_same(a.problem, b.problem);
  EXPECT_EQ(a.info.title, b.info.title);
  EXPECT_EQ(a.info.description, b.info.description);
  EXPECT_EQ(a.info.math_info, b.info.math_info);
  ASSERT_EQ(a.solution.has_value(), b.solution.has_value());
  if (a.solution) expect_same(*a.solution, *b.solution);
  ASSERT_EQ(a.guesses.size(), b.guesses.size());
  for (std::size_t k = 0; k < a.guesses.size(); ++k) expect_same(a.guesses[k], b.guesses[k]);
}

}  // namespace frictionbench::test

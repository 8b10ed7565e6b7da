/// \file
/// The relative residuals a second time, in dense algebra from the definitions, with nothing of the
/// library's own: an oracle for the verdict.
#pragma once

#include "frictionbench/criteria/criterion.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::test {

/// A problem as plain numbers.
struct PlainProblem {
  Index dim;
  Matrix W;  ///< m x m, rigid
  Vector R;  ///< m
  Vector q;  ///< m
  Vector mu;
};
PlainProblem plain(const ContactProblem& problem);

/// U_i and w_i of every contact.
struct PlainScales {
  Vector w, U;
};
PlainScales plain_scales(const PlainProblem& problem);

/// The largest relative residual of the model at r.
double plain_relative_residual(ContactModel model, const PlainProblem& problem, const Vector& r);

}  // namespace frictionbench::test

// Problems that are to be solved. Problems are of order 1, so the tolerance is in units of the files.

#include <fmt/format.h>

#include <cmath>

#include "frictionbench/bench/conformance/internal/cases.hpp"
#include "frictionbench/bench/conformance/internal/checks.hpp"
#include "frictionbench/bench/conformance/problems.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench::bench::conformance {

namespace {

// Residuals within the tolerance fix these impulses up to about the tolerance; the direction of a
// sliding impulse up to its root, as the cosine of a small angle is close to 1.
double allowed_error(const Subject& subject) { return 10 * subject.options().tolerance; }
double allowed_sliding_error(const Subject& subject) { return std::sqrt(allowed_error(subject)); }

// One contact with W = 2, free velocity (normal, tangent, 0) and a known impulse.
Seen one_contact_case(const Subject& subject, double normal, double tangent, double mu,
                      const Vector& known, double allowed) {
  Cases cases;
  for (const int dim : subject.dimensions()) {
    Vector q = Vector::Zero(dim), r = Vector::Zero(dim);
    q.head(2) << normal, tangent;
    r.head(2) = known;
    const PairOutcome outcome = subject.solve(one_contact(Vector::Constant(dim, 2), q, mu));
    cases.add(named(dim), unsolved(subject, outcome, r, allowed), outcome);
  }
  return cases.seen();
}

Seen take_off(const Subject& subject) {
  return one_contact_case(subject, 1, 0, 0.5, vector({0, 0}), allowed_error(subject));
}
Seen stick(const Subject& subject) {
  return one_contact_case(subject, -1, 0.1, 0.5, vector({0.5, -0.05}), allowed_error(subject));
}
Seen frictionless_contact(const Subject& subject) {
  return one_contact_case(subject, -1, 10, 0, vector({0.5, 0}), allowed_error(subject));
}
// At the Coulomb limit, against the slip; 2 r_N = 1, but where the CCP lifts the contact off,
// 2 r_N - 1 = 0.5 (10 - r_N).
Seen slide(const Subject& subject) {
  const double normal = subject.info().model == ContactModel::ccp ? 2.4 : 0.5;
  return one_contact_case(subject, -1, 10, 0.5, vector({normal, -0.5 * normal}),
                          allowed_sliding_error(subject));
}

Seen slide_direction(const Subject& subject) {
  Cases cases;
  if (!subject.takes(3) || subject.info().model == ContactModel::lcp) return cases.seen();
  for (int k = 0; k < 8; ++k) {
    const double angle = 0.3 + k;
    const Vector slip = vector({std::cos(angle), std::sin(angle)});
    const double normal =  // r_N = 1, or r_N - 1 = 0.3 (10 - 0.3 r_N)
        subject.info().model == ContactModel::ccp ? 4 / 1.09 : 1;
    const PairOutcome outcome = subject.solve(
        one_contact(vector({1, 1, 1}), vector({-1, 10 * slip[0], 10 * slip[1]}), 0.3));
    cases.add(fmt::format("{:.1f} rad", angle),
              unsolved(subject, outcome, normal * vector({1, -0.3 * slip[0], -0.3 * slip[1]}),
                       allowed_sliding_error(subject)),
              outcome);
  }
  return cases.seen();
}

// What `change` makes of coupled contacts is to be solved.
template <typename Change>
Seen coupled_case(const Subject& subject, std::uint32_t seeds, Change&& change) {
  Cases cases;
  for (const int dim : subject.dimensions())
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
      const PairOutcome outcome = subject.solve(change(four_coupled_contacts(dim, seed)));
      cases.add(fmt::format("{}D, problem {}", dim, seed), unsolved(subject, outcome), outcome);
    }
  return cases.seen();
}

Seen coupled_contacts(const Subject& subject) {
  return coupled_case(subject, 5, [](ContactProblem problem) { return problem; });
}
Seen frictionless_contacts(const Subject& subject) {
  return coupled_case(subject, 2, [](const ContactProblem& problem) {
    return ContactProblem(problem.dimension(), Vector::Zero(problem.contacts()),
                          LocalForm{problem.local().W, problem.local().q});
  });
}
Seen no_velocity(const Subject& subject) {
  return coupled_case(subject, 1, [](const ContactProblem& problem) {
    return ContactProblem(problem.dimension(), problem.mu(),
                          LocalForm{problem.local().W, Vector::Zero(problem.unknowns())});
  });
}
Seen compliance(const Subject& subject) {
  return coupled_case(subject, 2, [](const ContactProblem& problem) {
    return problem.with_compliance(Vector::LinSpaced(problem.unknowns(), 0.1, 1));
  });
}
// Real files differ from their transpose by up to 1e-2.
Seen asymmetric(const Subject& subject) {
  return coupled_case(subject, 2, [](const ContactProblem& problem) {
    Matrix W = problem.local().W;
    W += 0.01 * Matrix(W.triangularView<Eigen::StrictlyUpper>());
    return ContactProblem(problem.dimension(), problem.mu(),
                          LocalForm{sparse(W), problem.local().q});
  });
}

// Rows of rank 2, of which the third is the sum of the others; solvers of contacts may eliminate them.
Seen bilateral_rows(const Subject& subject) {
  Cases cases;
  Matrix H(4, 3);
  H.col(0) << 1, 0.2, -0.5, 0;
  H.col(1) << 0, 1, 0.3, -0.4;
  H.col(2) = H.col(0) + H.col(1);
  const GlobalForm form{sparse(vector({1, 2, 3, 1}).asDiagonal().toDenseMatrix()), sparse(H),
                        vector({1, -1, 2, 0.5}), Vector::Zero(3)};
  const std::vector<SetPointer> sets{equality(2), equality()};
  const int dim = subject.takes(2) && !subject.takes(3) ? 2 : 3;
  const ContactProblem global(dim, Vector(), form, sets);
  const ContactProblem local(dim, Vector(), LocalForm{global.local().W, global.local().q}, sets);
  for (const auto& [text, problem] : {std::pair("global form", global), {"local form", local}}) {
    const PairOutcome outcome = subject.solve(problem);
    cases.add(text, unsolved(subject, outcome), outcome);
  }
  return cases.seen();
}

Seen box(const Subject& subject) {
  Cases cases;
  for (const int dim : subject.dimensions()) {
    const PairOutcome outcome = subject.solve(box_at_rest(dim));
    cases.add(named(dim), unsolved(subject, outcome), outcome);
  }
  return cases.seen();
}

Seen global_form(const Subject& subject) {
  Cases cases;
  if (!subject.takes(3)) return cases.seen();
  RunOptions options = subject.options();
  options.tolerance = std::max(options.tolerance, 1e-6);
  const PairOutcome outcome = subject.solve(random_global_problem(3, 2, 4, 3), options);
  cases.add("", unsolved(subject, outcome), outcome);
  return cases.seen();
}

// Solved, or refused by a solver that says that it does not take such problems.
std::string unsolved_or_refused(const Subject& subject, const PairOutcome& outcome,
                                const std::string& reason) {
  if (outcome.record.status != Status::refused) return unsolved(subject, outcome);
  if (outcome.record.message.find(reason) != std::string::npos) return {};
  return fmt::format("refused without naming {}: {}", reason, text_of(outcome.record));
}

Seen zero_diagonal(const Subject& subject) {
  Cases cases;
  for (const int dim : subject.dimensions()) {
    Matrix W = Matrix::Identity(2 * dim, 2 * dim);
    W.diagonal().tail(dim).setZero();
    Vector q = Vector::Zero(2 * dim);
    q[0] = -1;
    q[dim] = 1;
    const PairOutcome outcome =
        subject.solve(ContactProblem(dim, vector({0.5, 0.5}), LocalForm{sparse(W), q}));
    cases.add(named(dim), unsolved_or_refused(subject, outcome, "contact 1"), outcome);
  }
  return cases.seen();
}

// Between bodies that cannot move in these directions: contact 1 not at all, contact 2 only along its
// normal, so that it slides whatever the impulse.
Seen fixed_directions(const Subject& subject) {
  Cases cases;
  for (const int dim : subject.dimensions())
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      const ContactProblem whole = four_coupled_contacts(dim, seed);
      Matrix W = whole.local().W;
      Vector q = whole.local().q;
      const auto fix = [&](Index first, Index count, double velocity) {
        W.middleRows(first, count).setZero();
        W.middleCols(first, count).setZero();
        q.segment(first, count).setConstant(velocity);
      };
      fix(dim, dim, 0);
      q[dim] = 0.3;
      fix(2 * dim + 1, dim - 1, 0.2);
      const PairOutcome outcome =
          subject.solve(ContactProblem(dim, whole.mu(), LocalForm{sparse(W), std::move(q)}));
      cases.add(fmt::format("{}D, problem {}", dim, seed),
                unsolved_or_refused(subject, outcome, "contact"), outcome);
    }
  return cases.seen();
}

}  // namespace

std::vector<Check> checks_of_answers() {
  return {
      {"take-off", "one contact that opens: no impulse", take_off},
      {"stick", "one contact that sticks: the known impulse", stick},
      {"slide", "one contact that slides: the known impulse", slide},
      {"slide-direction", "one contact that slides in any direction of the plane", slide_direction},
      {"frictionless-contact", "one contact with mu = 0", frictionless_contact},
      {"coupled", "four contacts that act on each other", coupled_contacts},
      {"frictionless", "four contacts with mu = 0", frictionless_contacts},
      {"no-velocity", "free velocity zero", no_velocity},
      {"box", "a box on four contacts, whose impulses are not unique", box},
      {"bilateral-rows", "bilateral rows alone, of which one repeats others", bilateral_rows},
      {"compliance", "compliant contacts", compliance},
      {"asymmetric", "a Delassus matrix that differs from its transpose by 1 %", asymmetric},
      {"global-form", "a problem stated by M and H", global_form},
      {"zero-diagonal", "a contact that no impulse moves: solved, or refused naming it",
       zero_diagonal},
      {"fixed-directions", "directions that no impulse moves: solved, or refused naming a contact",
       fixed_directions}};
}

}  // namespace frictionbench::bench::conformance

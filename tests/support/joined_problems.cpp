#include "support/joined_problems.hpp"

#include "support/problems.hpp"

namespace frictionbench::test {

ContactProblem join(const std::vector<ContactProblem>& problems) {
  Index contacts = 0, unknowns = 0;
  for (const ContactProblem& problem : problems) {
    contacts += problem.contacts();
    unknowns += problem.unknowns();
  }
  Matrix W = Matrix::Zero(unknowns, unknowns);
  Vector q(unknowns), R = Vector::Zero(unknowns), mu(contacts);
  Index i = 0, k = 0;
  for (const ContactProblem& problem : problems) {
    const Index m = problem.unknowns();
    W.block(k, k, m, m) = Matrix(problem.rigid_W());
    q.segment(k, m) = problem.local().q;
    if (problem.compliance().size() > 0) R.segment(k, m) = problem.compliance();
    mu.segment(i, problem.contacts()) = problem.mu();
    k += m;
    i += problem.contacts();
  }
  const ContactProblem rigid(problems.front().dimension(), mu, LocalForm{sparse(W), q});
  return R.isZero(0) ? rigid : rigid.with_compliance(R);
}

ContactProblem join_global(const std::vector<ContactProblem>& problems) {
  Index dofs = 0, unknowns = 0, contacts = 0;
  for (const ContactProblem& problem : problems) {
    dofs += problem.global()->M.rows();
    unknowns += problem.unknowns();
    contacts += problem.contacts();
  }
  Matrix M = Matrix::Zero(dofs, dofs), H = Matrix::Zero(dofs, unknowns);
  Vector f(dofs), w(unknowns), mu(contacts);
  Index row = 0, column = 0, contact = 0;
  for (const ContactProblem& problem : problems) {
    const GlobalForm& form = *problem.global();
    const Index n = form.M.rows(), m = problem.unknowns();
    M.block(row, row, n, n) = Matrix(form.M);
    H.block(row, column, n, m) = Matrix(form.H);
    f.segment(row, n) = form.f;
    w.segment(column, m) = form.w;
    mu.segment(contact, problem.contacts()) = problem.mu();
    row += n;
    column += m;
    contact += problem.contacts();
  }
  return ContactProblem(problems.front().dimension(), mu, GlobalForm{sparse(M), sparse(H), f, w});
}

ContactProblem reordered(const ContactProblem& problem, const std::vector<Index>& order) {
  const Index dim = problem.dimension();
  const Matrix W = problem.local().W;
  Matrix permuted(W.rows(), W.cols());
  Vector q(W.rows()), mu(problem.contacts());
  for (Index i = 0; i < problem.contacts(); ++i) {
    const Index a = order[static_cast<std::size_t>(i)];
    mu[i] = problem.mu()[a];
    q.segment(dim * i, dim) = problem.local().q.segment(dim * a, dim);
    for (Index j = 0; j < problem.contacts(); ++j)
      permuted.block(dim * i, dim * j, dim, dim) =
          W.block(dim * a, dim * order[static_cast<std::size_t>(j)], dim, dim);
  }
  return ContactProblem(static_cast<int>(dim), mu, LocalForm{sparse(permuted), q});
}

}  // namespace frictionbench::test

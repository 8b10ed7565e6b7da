// Values and derivatives, term by term. IPOPT sums entries of the same place.
#include "quadratic_program.hpp"

#include <algorithm>

namespace frictionbench::peers::ipopt {

namespace {

Index size(const std::vector<double>& x) { return static_cast<Index>(x.size()); }
std::size_t at(Index k) { return static_cast<std::size_t>(k); }

}  // namespace

Index QuadraticProgram::add_variable(double value, double least, double most) {
  start.push_back(value);
  lower.push_back(least);
  upper.push_back(most);
  return size(start) - 1;
}

Index QuadraticProgram::add_constraint(double least, double most) {
  lower_rows.push_back(least);
  upper_rows.push_back(most);
  return size(lower_rows) - 1;
}

void QuadraticProgram::evaluate(const double* x, std::vector<double>& rows, double& cost) const {
  rows.assign(lower_rows.size(), 0.0);
  cost = 0;
  const auto row = [&](Index k) -> double& { return k == objective ? cost : rows[at(k)]; };
  for (const LinearTerm& term : linear) row(term.row) += term.value * x[term.i];
  for (const ProductTerm& term : products) row(term.row) += term.value * x[term.i] * x[term.j];
}

bool Problem::get_nlp_info(Index& n, Index& m, Index& jacobian_entries, Index& hessian_entries,
                           IndexStyleEnum& style) {
  n = size(program_.start);
  m = size(program_.lower_rows);
  jacobian_entries = 0;
  for (const LinearTerm& term : program_.linear) jacobian_entries += term.row != objective;
  for (const ProductTerm& term : program_.products)
    jacobian_entries += term.row != objective ? 2 : 0;
  hessian_entries = static_cast<Index>(program_.products.size());
  style = C_STYLE;
  return true;
}

bool Problem::get_bounds_info(Index, Number* lower, Number* upper, Index, Number* lower_rows,
                              Number* upper_rows) {
  std::copy(program_.lower.begin(), program_.lower.end(), lower);
  std::copy(program_.upper.begin(), program_.upper.end(), upper);
  std::copy(program_.lower_rows.begin(), program_.lower_rows.end(), lower_rows);
  std::copy(program_.upper_rows.begin(), program_.upper_rows.end(), upper_rows);
  return true;
}

bool Problem::get_starting_point(Index, bool, Number* x, bool, Number*, Number*, Index, bool,
                                 Number*) {
  std::copy(program_.start.begin(), program_.start.end(), x);
  return true;
}

bool Problem::eval_f(Index, const Number* x, bool, Number& value) {
  program_.evaluate(x, rows_, value);
  return true;
}

bool Problem::eval_grad_f(Index n, const Number* x, bool, Number* gradient) {
  std::fill_n(gradient, n, 0.0);
  for (const LinearTerm& term : program_.linear)
    if (term.row == objective) gradient[term.i] += term.value;
  for (const ProductTerm& term : program_.products)
    if (term.row == objective) {
      gradient[term.i] += term.value * x[term.j];
      gradient[term.j] += term.value * x[term.i];
    }
  return true;
}

bool Problem::eval_g(Index, const Number* x, bool, Index, Number* rows) {
  double unused = 0;
  program_.evaluate(x, rows_, unused);
  std::copy(rows_.begin(), rows_.end(), rows);
  return true;
}

bool Problem::eval_jac_g(Index, const Number* x, bool, Index, Index, Index* rows, Index* columns,
                         Number* values) {
  Index k = 0;
  const auto put = [&](Index row, Index column, double value) {
    if (values)
      values[k] = value;
    else {
      rows[k] = row;
      columns[k] = column;
    }
    ++k;
  };
  for (const LinearTerm& term : program_.linear)
    if (term.row != objective) put(term.row, term.i, term.value);
  for (const ProductTerm& term : program_.products)
    if (term.row != objective) {
      put(term.row, term.i, x ? term.value * x[term.j] : 0);
      put(term.row, term.j, x ? term.value * x[term.i] : 0);
    }
  return true;
}

bool Problem::eval_h(Index, const Number*, bool, Number factor, Index, const Number* multipliers,
                     bool, Index, Index* rows, Index* columns, Number* values) {
  Index k = 0;
  for (const ProductTerm& term : program_.products) {
    if (values)
      values[k] = (term.row == objective ? factor : multipliers[term.row]) * term.value *
                  (term.i == term.j ? 2 : 1);
    else {
      rows[k] = std::max(term.i, term.j);
      columns[k] = std::min(term.i, term.j);
    }
    ++k;
  }
  return true;
}

bool Problem::intermediate_callback(Ipopt::AlgorithmMode, Index iteration, Number, Number, Number,
                                    Number, Number, Number, Number, Number, Index,
                                    const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) {
  iterations = iteration;
  return !out_of_time_();
}

void Problem::finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number*,
                                const Number*, Index, const Number*, const Number*, Number value,
                                const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) {
  std::copy_n(x, n, program_.start.begin());
  cost = value;
}

}  // namespace frictionbench::peers::ipopt

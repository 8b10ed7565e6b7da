// A program with quadratic objective and quadratic constraints, perhaps not convex, as IPOPT takes
// it: derivatives are exact.
#pragma once

#include <IpTNLP.hpp>
#include <functional>
#include <vector>

namespace frictionbench::peers::ipopt {

using Index = Ipopt::Index;

/// value * x_i, or value * x_i * x_j.
struct LinearTerm {
  Index row, i;
  double value;
};
struct ProductTerm {
  Index row, i, j;
  double value;
};

constexpr double unbounded = 1e20;  // IPOPT's infinity is 1e19
constexpr Index objective = -1;     // the row of the objective

class QuadraticProgram {
 public:
  /// \returns its index.
  Index add_variable(double start, double lower = -unbounded, double upper = unbounded);
  /// lower <= sum of its terms <= upper. \returns its row.
  Index add_constraint(double lower, double upper);
  void add(const LinearTerm& term) { linear.push_back(term); }
  void add(const ProductTerm& term) { products.push_back(term); }

  /// All rows, and the objective, at x.
  void evaluate(const double* x, std::vector<double>& rows, double& cost) const;

  std::vector<double> start, lower, upper;  // of variables; `start` becomes the solution
  std::vector<double> lower_rows, upper_rows;
  std::vector<LinearTerm> linear;
  std::vector<ProductTerm> products;
};

/// What IPOPT calls. Leaves its last iterate in `start` of the program.
class Problem : public Ipopt::TNLP {
 public:
  Problem(QuadraticProgram& program, std::function<bool()> out_of_time)
      : program_(program), out_of_time_(std::move(out_of_time)) {}

  double cost = 0;  // at the end
  Index iterations = 0;

 private:
  using Number = Ipopt::Number;

  bool get_nlp_info(Index& n, Index& m, Index& jacobian_entries, Index& hessian_entries,
                    IndexStyleEnum& style) override;
  bool get_bounds_info(Index n, Number* lower, Number* upper, Index m, Number* lower_rows,
                       Number* upper_rows) override;
  bool get_starting_point(Index n, bool, Number* x, bool, Number*, Number*, Index, bool,
                          Number*) override;
  bool eval_f(Index n, const Number* x, bool, Number& value) override;
  bool eval_grad_f(Index n, const Number* x, bool, Number* gradient) override;
  bool eval_g(Index n, const Number* x, bool, Index m, Number* rows) override;
  bool eval_jac_g(Index n, const Number* x, bool, Index m, Index entries, Index* rows,
                  Index* columns, Number* values) override;
  bool eval_h(Index n, const Number* x, bool, Number factor, Index m, const Number* multipliers,
              bool, Index entries, Index* rows, Index* columns, Number* values) override;
  bool intermediate_callback(Ipopt::AlgorithmMode, Index iteration, Number, Number, Number, Number,
                             Number, Number, Number, Number, Index, const Ipopt::IpoptData*,
                             Ipopt::IpoptCalculatedQuantities*) override;
  void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number*,
                         const Number*, Index, const Number*, const Number*, Number value,
                         const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override;

  QuadraticProgram& program_;
  std::function<bool()> out_of_time_;
  std::vector<double> rows_;  // work
};

}  // namespace frictionbench::peers::ipopt

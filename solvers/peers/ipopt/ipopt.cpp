// Contact as a nonlinear program, solved by IPOPT (Wächter and Biegler, Math. Prog. 106, 2006):
// README.md.
#include <IpIpoptApplication.hpp>
#include <algorithm>
#include <limits>

#include "quadratic_program.hpp"
#include "solvers/peers/peer.hpp"

namespace frictionbench::peers {

namespace ipopt {
namespace {

constexpr double entry_limit = 1e7;  // of W: a gigabyte in IPOPT and MUMPS

// Without units: u' = u / U, r' = w r / U, W' = W / w, q' = q / U with U = max |q| and w the mean
// of the diagonal of W, which is again a contact problem.
struct Units {
  explicit Units(const Request& request) : U(request.q().lpNorm<Eigen::Infinity>()), w(0) {
    for (int k = 0; k < request.unknowns(); ++k) w += request.W().coeff(k, k) / request.unknowns();
    if (!(U > 0)) U = 1;
    if (!(w > 0)) w = 1;
  }
  double U, w;
};

// The program's first variables are r, (N, T) of each contact. Where to start: at the impulse
// given; from zero at r_N' = 1, because there the cone has no derivative (CRA starts there, too).
struct Builder {
  Builder(const Request& given, const Vector& r0)
      : request(given), units(given), dim(given.dimension()) {
    const bool cold = r0.isZero(0);
    for (Index k = 0; k < request.unknowns(); ++k)
      program.add_variable(cold ? (k % dim == 0) : r0(k) * units.w / units.U,
                           k % dim == 0 ? 0 : -unbounded);
  }

  Index normal(int contact) const { return dim * contact; }

  /// mu^2 r_N^2 - |r_T|^2 in this row.
  void add_cone(Index row, int contact) {
    const double mu = request.mu()(contact);
    program.add(ProductTerm{row, normal(contact), normal(contact), mu * mu});
    for (Index k = normal(contact) + 1; k < normal(contact + 1); ++k)
      program.add(ProductTerm{row, k, k, -1});
  }

  /// u' = W' r' + q' as variables after r', u_N >= 0. \returns the first.
  Index add_velocities() {
    const Index first = static_cast<Index>(program.start.size());
    const auto W = request.W();
    for (Index k = 0; k < request.unknowns(); ++k) {
      double u = request.q()(k) / units.U;
      const Index row = program.add_constraint(u, u);
      for (Eigen::Map<const SparseMatrix>::InnerIterator entry(W, k); entry; ++entry) {
        const double value = entry.value() / units.w;
        u += value * program.start[static_cast<std::size_t>(entry.col())];
        program.add(LinearTerm{row, static_cast<Index>(entry.col()), -value});
      }
      program.add(LinearTerm{row, program.add_variable(u, k % dim == 0 ? 0 : -unbounded), 1});
    }
    return first;
  }

  const Request& request;
  Units units;
  int dim;
  QuadraticProgram program;
};

// min r.W r / 2 + q.r, |r_T|^2 <= mu^2 r_N^2, r_N >= 0. Only the symmetric part of W counts.
void convex(Builder& builder, double) {
  const Request& request = builder.request;
  QuadraticProgram& program = builder.program;
  const auto W = request.W();
  for (Index row = 0; row < request.unknowns(); ++row) {
    program.add(LinearTerm{objective, row, request.q()(row) / builder.units.U});
    for (Eigen::Map<const SparseMatrix>::InnerIterator entry(W, row); entry; ++entry)
      program.add(ProductTerm{objective, row, static_cast<Index>(entry.col()),
                              entry.value() / builder.units.w / 2});
  }
  for (int contact = 0; contact < request.contacts(); ++contact)
    builder.add_cone(program.add_constraint(0, unbounded), contact);
}

// min |r_N|^2 + |s|^2 with, for each contact, and a hundredth of the tolerance as relaxation,
//   r_N >= 0,  u_N >= 0,  r_N u_N <= relaxation
//   s >= 0,    c >= 0,    s c <= relaxation,   c = mu^2 r_N^2 - |r_T|^2
//   s r_T + mu r_N u_T = 0
void relaxed(Builder& builder, double tolerance) {
  const double relaxation = tolerance / 100;
  const Request& request = builder.request;
  QuadraticProgram& program = builder.program;
  const Index u = builder.add_velocities();
  for (int contact = 0; contact < request.contacts(); ++contact) {
    const double mu = request.mu()(contact);
    const Index N = builder.normal(contact);
    const Index s = program.add_variable(1, 0), c = program.add_variable(mu * mu, 0);
    const Index cone = program.add_constraint(0, 0);
    builder.add_cone(cone, contact);
    program.add(LinearTerm{cone, c, -1});
    program.add(ProductTerm{program.add_constraint(-unbounded, relaxation), N, u + N, 1});
    program.add(ProductTerm{program.add_constraint(-unbounded, relaxation), s, c, 1});
    for (Index k = N + 1; k < N + builder.dim; ++k) {
      const Index row = program.add_constraint(0, 0);
      program.add(ProductTerm{row, s, k, 1});
      program.add(ProductTerm{row, N, u + k, mu});
    }
    program.add(ProductTerm{objective, N, N, 1});
    program.add(ProductTerm{objective, s, s, 1});
  }
}

// min sum r_N u_N + mu r_N s + r_T . u_T with, for each contact,
//   |r_T|^2 <= mu^2 r_N^2,  r_N >= 0,  u_N >= 0,  |u_T|^2 <= s^2,  s >= 0
// Each contact's terms are >= 0, and all 0 in a solution of the NCP only.
void penalty(Builder& builder, double) {
  const Request& request = builder.request;
  QuadraticProgram& program = builder.program;
  const Index u = builder.add_velocities();
  for (int contact = 0; contact < request.contacts(); ++contact) {
    const Index N = builder.normal(contact);
    const Index s = program.add_variable(1, 0);
    builder.add_cone(program.add_constraint(0, unbounded), contact);
    const Index speed = program.add_constraint(0, unbounded);
    program.add(ProductTerm{speed, s, s, 1});
    for (Index k = N; k < N + builder.dim; ++k) {
      if (k > N) program.add(ProductTerm{speed, u + k, u + k, -1});
      program.add(ProductTerm{objective, k, u + k, 1});
    }
    program.add(ProductTerm{objective, N, s, request.mu()(contact)});
  }
}

frictionbench_status status_of(Ipopt::ApplicationReturnStatus status) {
  switch (status) {
    case Ipopt::Solve_Succeeded:
      return FRICTIONBENCH_CONVERGED;
    case Ipopt::Solved_To_Acceptable_Level:
      return FRICTIONBENCH_INACCURATE;
    case Ipopt::Maximum_Iterations_Exceeded:
      return FRICTIONBENCH_MAX_ITERATIONS;
    case Ipopt::User_Requested_Stop:
      return FRICTIONBENCH_TIME_LIMIT;
    case Ipopt::Diverging_Iterates:
    case Ipopt::Invalid_Number_Detected:
      return FRICTIONBENCH_DIVERGED;
    case Ipopt::Infeasible_Problem_Detected:
    case Ipopt::Search_Direction_Becomes_Too_Small:
    case Ipopt::Feasible_Point_Found:
    case Ipopt::Restoration_Failed:
    case Ipopt::Error_In_Step_Computation:
      return FRICTIONBENCH_STALLED;
    default:
      return FRICTIONBENCH_FAILED;
  }
}

void solve(void (*formulate)(Builder&, double), const Request& request, Answer& answer) {
  if (static_cast<double>(request.W().nonZeros()) > entry_limit)
    throw Refusal("at most 10 million entries of W");
  Builder builder(request, answer.r);
  formulate(builder, request.tolerance());

  const Ipopt::SmartPtr<Problem> problem(
      new Problem(builder.program, [&] { return request.out_of_time(); }));
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> application(new Ipopt::IpoptApplication(false));
  const Ipopt::SmartPtr<Ipopt::OptionsList> options = application->Options();
  options->SetIntegerValue("print_level", 0);
  options->SetStringValue("sb", "yes");
  options->SetNumericValue("tol", request.tolerance());
  options->SetNumericValue("bound_relax_factor", 0);
  options->SetIntegerValue(
      "max_iter", static_cast<Index>(std::min<std::int64_t>(request.max_iterations(),
                                                            std::numeric_limits<Index>::max())));
  application->Initialize("");  // reads no ipopt.opt of the folder
  const auto status = application->OptimizeTNLP(Ipopt::GetRawPtr(problem));

  answer.r = Eigen::Map<const Vector>(builder.program.start.data(), request.unknowns()) *
             (builder.units.U / builder.units.w);
  answer.report("objective", problem->cost);
  answer.end(status_of(status), problem->iterations);
  if (formulate == penalty && status == Ipopt::Solve_Succeeded &&
      problem->cost > request.contacts() * request.tolerance()) {
    answer.end(FRICTIONBENCH_STALLED, problem->iterations);
    answer.say("a local minimum, or another stationary point, of the complementarity");
  }
  if (status != Ipopt::Solve_Succeeded)
    answer.say("IPOPT returned " + std::to_string(static_cast<int>(status)));
}

}  // namespace
}  // namespace ipopt

const Peer& peer() {
  static const Peer made = [] {
    Peer all{PEER_VERSION, {}};
    const auto add = [&](const char* name, const char* model, const char* summary, auto formulate) {
      all.solvers.push_back(
          {name, model, summary, {2, 3}, [formulate](const Request& request, Answer& answer) {
             ipopt::solve(formulate, request, answer);
           }});
    };
    add("ipopt-ccp", "ccp", "IPOPT: the convex problem, cones as quadratic constraints",
        ipopt::convex);
    add("ipopt-mpcc", "ncp", "IPOPT: complementarity as relaxed constraints, as in CRA",
        ipopt::relaxed);
    add("ipopt-mpcc-penalty", "ncp", "IPOPT: complementarity as the objective", ipopt::penalty);
    return all;
  }();
  return made;
}

}  // namespace frictionbench::peers

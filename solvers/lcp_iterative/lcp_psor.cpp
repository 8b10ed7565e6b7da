#include <algorithm>
#include <utility>
#include <vector>

#include "frictionbench/solver/facets.hpp"
#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/pivoting/contact_lcp.hpp"

namespace frictionbench::solvers {

namespace {

/// Projected SOR on the polyhedral LCP, [YamaneNakamura08] (25): Cottle, Pang, Stone, section 5.3, and
/// psor.m of Erleben's num4lcp. Variable by variable, with w = M z + q at the newest z,
///
///     z_i <- max(0, z_i - omega w_i / M_ii)
///
/// contact by contact: its r_N, its weights beta, then its lambda. w is computed from u = W r + q, so M
/// is not formed.
///
/// It is a baseline. Theory is for a symmetric M, and this one is only copositive, with a zero diagonal
/// at lambda, so that PSOR need not converge. `lcp-pgs` eliminates beta and lambda, and solves more.
///
/// Deviations from num4lcp:
/// 1. num4lcp divides by M_ii, and so cannot treat lambda. Its steps are divided by rho instead:
///
///        lambda <- max(0, lambda - omega (mu r_N - sum_k beta_k) / rho)
///
///    which is Uzawa's method for the bound on friction. In the default units, rho = 1 is about right
///    for a contact alone. rho changes the path and the speed, never the answer: the fixed points are
///    the solutions. Siconos (lcp_rpgs.c) adds rho to all M_ii for the same purpose.
/// 2. Steps are shorter by default (`relaxation`), because with omega = 1 some problems of four
///    contacts cycle.
/// 3. It starts from no impulse where the start that is asked for has larger residuals than that. A
///    lambda that is too large falls by at most omega mu r_N / rho per sweep.
/// 4. It ends by the residuals of the pyramid, or stalled, where num4lcp tests how z^T |w| changes.
struct LcpPsor {
  int facets = 8;
  double relaxation = 0.5;    // omega
  double regularization = 1;  // rho
  int check_every = 1;
  int patience = 2000;
  Scaling scaling = Scaling::contacts;

  void describe(SettingFields& fields) {
    describe_facets(fields, facets, "[YamaneNakamura08] section V: 8");
    fields.add("relaxation", relaxation, open_interval(0, 2),
               "relaxation factor omega of the steps",
               "measured: with 1, num4lcp's, some problems of four contacts cycle");
    fields.add(
        "regularization", regularization, positive(),
        "divisor rho of the steps of lambda, whose diagonal entries are zero; answers do not "
        "depend on it",
        "Siconos, lcp_rpgs.c: 1, there added to all diagonal entries");
    fields.add(
        "check_every", check_every, at_least(1),
        "number of sweeps between evaluations of the residuals; the last sweep is always checked",
        "1: num4lcp");
    fields.add(
        "patience", patience, at_least(1),
        "the solve ends `stalled` after this many sweeps without a 1 % decrease of the residual",
        "measured: cycles show within 2000 sweeps");
    describe_scaling(fields, scaling);
  }

  void adapt(SolverInfo& info) const { info.facets = facets; }
};

// Of the mean diagonal entry of W_ii. Rounding leaves less than that where a direction of friction
// is one in which W does not act.
constexpr double zero = 1e-12;

template <int Dim>
class Psor {
 public:
  Psor(const LcpPsor& settings, const ContactVariables& variables, const ContactSweeps<Dim>& W)
      : W_(W) {
    for (Index i = 0; i < W.contacts(); ++i) {
      Contact contact{variables.block(i), {}};
      const Matrix& B = contact.block.B;
      contact.step = (B.transpose() * W.W(i) * B).diagonal();
      const double least = zero * W.W(i).trace() / Dim;
      for (double& entry : contact.step)
        entry = settings.relaxation / (entry > least ? entry : settings.regularization);
      contacts_.push_back(std::move(contact));
    }
  }

  // \param z n, and \param r = B z, changed in place.
  void sweep(Vector& z, Vector& r) const {
    W_.sweep([&](Index i) {
      const auto& [block, step] = contacts_[static_cast<std::size_t>(i)];
      auto u_i = W_.velocity(i, r);
      Vector z_i = z(block.places);
      for (Index k = 0; k < z_i.size(); ++k) {
        const double w = block.B.col(k).dot(u_i) + block.F.row(k).dot(z_i);
        const double change = std::max(-z_i[k], -step[k] * w);
        z_i[k] += change;
        u_i += W_.W(i) * (change * block.B.col(k));
      }
      z(block.places) = z_i;
      W_.of(r, i) = block.B * z_i;
    });
  }

 private:
  struct Contact {
    ContactVariables::Block block;
    Vector step;  // omega / M_ii
  };

  const ContactSweeps<Dim>& W_;
  std::vector<Contact> contacts_;
};

Vector start_no_worse_than_zero(const Solve& solve) {
  const Vector start = solve.start(), none = Vector::Zero(solve.unknowns());
  if (start.isZero(0)) return none;
  const double residual = solve.residuals(start, solve.W().velocity(start)).max();
  return residual <= solve.residuals(none, solve.q()).max() ? start : none;
}

template <int Dim>
void iterate(const LcpPsor& settings, Solve& solve) {
  const ContactVariables variables(solve.problem(), settings.facets);
  const ContactSweeps<Dim> W = solve.sweeps<Dim>();
  const Psor<Dim> psor(settings, variables, W);
  Vector r = start_no_worse_than_zero(solve);
  Vector z = variables.variables(r, W.velocity(r));
  r = variables.impulse(z);
  while (solve.begin_iteration()) {
    psor.sweep(z, r);
    if (solve.is_due(settings.check_every) && solve.ends(r, W.velocity(r))) return;
  }
}

void run(const LcpPsor& settings, Solve& solve) {
  solve.use(settings.scaling);
  solve.stall_after(settings.patience);
  with_dimension(solve.problem().dimension(), [&](auto dim) { iterate<dim()>(settings, solve); });
}

}  // namespace

RegisteredSolver lcp_psor() {
  return solver_entry(
      {.name = "lcp-psor",
       .model = ContactModel::lcp,
       .facets = 8,
       .summary = "projected SOR on the lifted LCP of a friction pyramid of 8 facets",
       .sources = {"Cottle, Pang, Stone, The Linear Complementarity Problem (1992), section 5.3",
                   "Erleben, num4lcp (2011), psor.m", "[YamaneNakamura08] (25)"},
       .dependable = false,
       .zero_diagonal = false},
      run);
}

}  // namespace frictionbench::solvers

#include "frictionbench/scenes/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "frictionbench/scenes/same_contacts.hpp"

namespace frictionbench::scenes {

namespace {

using Clock = std::chrono::steady_clock;

double largest_overlap(const std::vector<Contact>& contacts) {
  double overlap = 0;
  for (const Contact& contact : contacts) overlap = std::max(overlap, -contact.gap);
  return overlap;
}

struct Theta {
  double forces, positions;  // theta, theta_vq
};

Theta theta_of(Scheme scheme) {
  switch (scheme) {
    case Scheme::midpoint:
      return {0.5, 0.5};
    case Scheme::implicit:
      return {1, 1};
    case Scheme::explicit_:
      return {0, 0};
    default:
      return {0, 1};
  }
}

// Springs at q^theta, from those at q_0.
void apply(const Theta& theta, const World& world, GlobalForm& form) {
  if (theta.forces == 0 || world.springs.empty()) return;
  const Index size = form.M.rows();
  std::vector<Eigen::Triplet<double, int>> entries;
  for (const Spring& spring : world.springs) {
    const auto first = static_cast<int>(world.dofs_per_body() * static_cast<Index>(spring.body));
    for (int i = 0; i < world.dimension; ++i)
      for (int j = 0; j < world.dimension; ++j)
        entries.emplace_back(first + i, first + j,
                             spring.stiffness * spring.axis[i] * spring.axis[j]);
  }
  SparseMatrix K(size, size);
  K.setFromTriplets(entries.begin(), entries.end());
  const double factor = world.time_step * world.time_step * theta.forces;
  form.f -= factor * (1 - theta.positions) * (K * velocities(world));
  form.M = SparseMatrix(form.M + factor * theta.positions * K);
}

// The w_N of a contact, and its R_N if there are springs.
class NormalLaw {
 public:
  NormalLaw(const World& world, const SimulationSettings& settings)
      : settings_(settings),
        h_(world.time_step),
        share_(theta_of(settings.scheme).positions),
        fastest_at_rest_(2 * world.time_step * world.gravity.norm()) {}

  // \param speed u_N before the step.
  double w(const Contact& contact, double speed) const {
    const bool closes = contact.gap + h_ * speed <= 0;
    if (settings_.restitution > 0 && closes && speed < -fastest_at_rest_)
      return settings_.restitution * speed;
    if (settings_.stiffness > 0) return (contact.gap + h_ * (1 - share_) * speed) / span();
    return contact.gap > 0 ? contact.gap / h_ : settings_.push_apart * contact.gap / h_;
  }

  double R() const { return 1 / (h_ * settings_.stiffness * span()); }

 private:
  double span() const { return h_ * share_ + settings_.relaxation_time; }  // s

  const SimulationSettings& settings_;
  double h_;
  double share_;  // theta_vq
  double fastest_at_rest_;
};

void check(const SimulationSettings& settings) {
  if (settings.stiffness > 0 && settings.push_apart > 0)
    throw std::invalid_argument(
        "push_apart is for rigid contacts; with stiffness, springs push bodies apart");
  if (settings.stiffness > 0 && settings.restitution > 0)
    throw std::invalid_argument(
        "restitution is for rigid contacts; with stiffness, relaxation_time says how they bounce");
  if (settings.scheme == Scheme::explicit_ && settings.stiffness > 0 &&
      settings.relaxation_time == 0)
    throw std::invalid_argument(
        "scheme: explicit needs a relaxation_time, as springs of contacts do not see its velocity");
  if (settings.stiffness == 0 && settings.relaxation_time > 0)
    throw std::invalid_argument("relaxation_time needs a stiffness");
  if (settings.scale == Scale::force)
    throw std::invalid_argument("scale: force is for files; a simulation has absolute or relative");
}

}  // namespace

double kinetic_energy(const World& world) {
  double twice = 0;
  for (const Body& body : world.bodies)
    twice += body.mass * body.velocity.squaredNorm() +
             body.angular_velocity.dot(world_inertia(body) * body.angular_velocity);
  return twice / 2;
}

double potential_energy(const World& world) {
  double energy = 0;
  for (const Body& body : world.bodies) energy -= body.mass * world.gravity.dot(body.position);
  for (const Spring& spring : world.springs) {
    const double stretch = spring.stretch(world.bodies[static_cast<std::size_t>(spring.body)]);
    energy += spring.stiffness * stretch * stretch / 2;
  }
  return energy;
}

Simulation::Simulation(World world, ConfiguredSolver solver, const SimulationSettings& settings)
    : world_(std::move(world)), solver_(std::move(solver)), settings_(settings) {
  check(settings);
}

ContactProblem Simulation::problem(const std::vector<Contact>& contacts) const {
  const int dimension = world_.dimension;
  GlobalForm form = global_form(world_, contacts);
  const Vector before = form.H.transpose() * velocities(world_);
  apply(theta_of(settings_.scheme), world_, form);
  const NormalLaw law(world_, settings_);
  Vector mu(static_cast<Index>(contacts.size()));
  Vector R = Vector::Zero(form.w.size());
  for (Index i = 0; i < mu.size(); ++i) {
    const Contact& contact = contacts[static_cast<std::size_t>(i)];
    mu[i] = contact.mu;
    form.w[dimension * i] = law.w(contact, before[dimension * i]);
    if (settings_.stiffness > 0) R[dimension * i] = law.R();
  }
  ContactProblem rigid(dimension, std::move(mu), std::move(form));
  return settings_.stiffness > 0 ? rigid.with_compliance(std::move(R)) : rigid;
}

Simulation::Timed Simulation::solve(const ContactProblem& problem, const Vector& start) const {
  Limits limits{.tolerance = settings_.tolerance,
                .units = units_of(settings_.scale, problem),
                .max_iterations = settings_.max_iterations};
  problem.local();  // assembled before the clock starts
  Observer unwatched;
  const auto begin = Clock::now();
  limits.deadline = begin + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(settings_.time_limit));
  Timed timed{solver_.solver->solve(problem, limits, start, unwatched)};
  timed.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return timed;
}

SimulationStep Simulation::step() {
  const std::vector<Contact> contacts = detect_contacts(world_);
  const ContactProblem next = problem(contacts);
  const SolverInfo& info = solver_.info();
  const bool warm = settings_.start != Starts::cold;
  const Vector start =
      warm ? impulse_of_same_contacts(world_.dimension, contacts_, impulse_, contacts) : Vector();
  const Timed timed = solve(next, start);
  if (!timed.result.r.allFinite())
    throw std::runtime_error(info.name + " answers with infinite or NaN impulses, and says: " +
                             std::string(name(timed.result.status)));
  const auto judged = [&](const Result& result) {
    return judge(next, result.r, {.tolerance = settings_.tolerance, .facets = info.facets});
  };
  const auto is_solved = [&](const Verdict& verdict) {
    return verdict.solved(info.model, settings_.scale, settings_.tolerance);
  };

  const Verdict verdict = judged(timed.result);
  SimulationStep record;
  record.step = ++steps_;
  record.time = time();
  record.contacts = static_cast<Index>(contacts.size());
  record.states = verdict.states;
  record.status = timed.result.status;
  record.solved = is_solved(verdict);
  record.residual = verdict.residual(info.model, settings_.scale);
  record.iterations = timed.result.iterations;
  record.solve_time = timed.seconds;
  if (settings_.start == Starts::both) {
    const Timed cold = solve(next, {});
    record.cold_solved = is_solved(judged(cold.result));
    record.cold_iterations = cold.result.iterations;
    record.cold_solve_time = cold.seconds;
  }
  record.overlap = largest_overlap(contacts);
  record.creep = verdict.creep;
  record.lift = verdict.lift;
  record.impulse = verdict.impulse_norm;

  contacts_ = contacts;
  impulse_ = timed.result.r;
  advance(world_, next.generalized_velocity(impulse_), theta_of(settings_.scheme).positions);
  record.kinetic_energy = kinetic_energy(world_);
  record.potential_energy = potential_energy(world_);
  return record;
}

}  // namespace frictionbench::scenes
